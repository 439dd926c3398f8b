//! E-05 to E-09, E-12, E-14, E-17, E-18 and E-22 to E-26: the octets behind escapes.
//!
//! Unencoded characters are graphic US-ASCII, so all of these rules are about escapes. Consecutive escapes that violate
//! the same rule are one finding.

use core::ops::Range;

use super::auditor::Auditor;
use super::finding::Detail;
use super::logins::looks_like_a_host;
use super::rules::{
    CTL_CRLF, CTL_NUL, CTL_OTHER, ENC_DELIMITER, ENC_DOUBLE, ENC_NEEDLESS, ENC_NON_UTF8, FILE_ESCAPE, FTP_ABSOLUTE,
    GOPHER_CRLF, IAC, MAILTO_INJECT, Rule, TELNET_CRLF, USER_LOOKALIKE,
};
use super::severity::Severity;
use crate::character;
use crate::class::{self, UCHAR};
use crate::encoded::{self, Octets, escape_at};
use crate::gopherplus::GopherPlus;
use crate::grammar;
use crate::language::words;
use crate::layout::{PASSWORD, USER};
use crate::scheme::{PartKind, Shape};
use crate::word;

/// The octets of one escape.
const ESCAPE: usize = 3;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    if word::position(a.octets, b'%').is_none() {
        return;
    }
    // A scheme-specific part without parts is checked as a whole.
    let parts = a.base.parts();
    let is_whole = parts.iter().all(|def| def.shape == Shape::Whole || a.slot(def.slot).is_none());
    for def in parts {
        let is_read = match def.shape {
            Shape::Plain => false,
            Shape::Whole => is_whole,
            // A document-id is opaque and is sent with an explicit length, so it cannot end a line, and it often
            // contains binary octets (section 3.9).
            Shape::Encoded if def.is_opaque() => false,
            Shape::Encoded | Shape::Character | Shape::Segments | Shape::Fields(_) => true,
        };
        if let Some(span) = a.slot(def.slot).filter(|_| is_read) {
            Part::new(a, def, span).check(a);
        }
    }
}

/// One part, or a list of parts in one slot.
struct Part<'u> {
    def: &'static PartKind,
    octets: &'u [u8],
    span: Range<usize>,
    /// The grammar rule that says what is reserved in it.
    grammar: &'static grammar::Production,
    is_login: bool,
    /// A login that is already reported as a whole.
    is_lookalike: bool,
    /// A Gopher+ string in the form of section 3.4.9, which contains line ends and tabs by design.
    is_form: bool,
    /// The list element that was checked last.
    element: Element,
}

/// One element of a list; any other part is a single element.
struct Element {
    span: Range<usize>,
    /// The severity of needless escapes, once it is known.
    needless: Option<Severity>,
}

/// A rule that some octets violate.
struct Met {
    rule: &'static Rule,
    severity: Severity,
    span: Range<usize>,
}

impl Met {
    /// Whether octets that begin at `start` violate the same rule and follow at once.
    fn continues(&self, next: &Met, start: usize) -> bool {
        self.span.end == start && self.severity == next.severity && self.rule == next.rule
    }
}

impl<'u> Part<'u> {
    fn new(a: &Auditor<'_, 'u>, def: &'static PartKind, span: Range<usize>) -> Self {
        let is_login = matches!(def.slot, USER | PASSWORD);
        let is_lookalike = is_login && looks_like_a_host(Octets::new(&a.octets[span.clone()]));
        let is_form = def.name() == "gopherplus" && is_form(&a.octets[span.clone()]);
        let element = Element { span: span.start..span.start, needless: None };
        let grammar = def.reserved_by();
        Part { def, octets: a.octets, span, grammar, is_login, is_lookalike, is_form, element }
    }

    fn check(mut self, a: &mut Auditor<'_, 'u>) {
        let mut run: Option<Met> = None;
        let mut at = self.span.start;
        while let Some(start) = self.next_escape(at) {
            let (end, met) = self.look(a, start);
            at = end;
            let Some(met) = met else { continue };
            match &mut run {
                Some(run) if run.continues(&met, start) => {
                    run.span.end = end;
                }
                _ => {
                    if let Some(run) = run.replace(met) {
                        self.report(a, run);
                    }
                }
            }
        }
        if let Some(run) = run {
            self.report(a, run);
        }
    }

    /// The first escape from `at` on, which may begin there: escapes often stand side by side.
    fn next_escape(&self, at: usize) -> Option<usize> {
        let rest = &self.octets[at..self.span.end];
        if rest.first() == Some(&b'%') { Some(at) } else { Some(at + word::position(rest, b'%')?) }
    }

    fn report(&self, a: &mut Auditor<'_, 'u>, met: Met) {
        let detail = match met.rule.id {
            "file-escape" => Detail::Words(words!("decodes to an octet that is not allowed in portable file names")),
            "user-lookalike" => Detail::Words(words!("contains the escape of a character that would end it")),
            "mailto-inject" => Detail::Words(words!("contains a line end, which would start another header")),
            _ => Detail::NONE,
        };
        a.report_as(met.severity, met.rule, met.span, self.def.labels(), detail);
    }

    /// Checks the escape at `start`: returns where to continue and the violated rule.
    fn look(&mut self, a: &Auditor<'_, '_>, start: usize) -> (usize, Option<Met>) {
        let end = start + ESCAPE;
        // Every `%` of a valid URL starts an escape.
        let Some(octet) = escape_at(self.octets, start) else {
            return (end, None);
        };
        if start >= self.element.span.end {
            self.enter(start);
        }
        let rules: &[&'static Rule] = match octet {
            b'\r' | b'\n' | b'\t' if self.is_form => &[],
            b'\r' | b'\n' if self.is_body() => {
                let met = a.first(&[CTL_CRLF]).map(|rule| Part::met(a, rule, start..end));
                return (end, met.map(|met| Met { severity: Severity::Low, ..met }));
            }
            b'\r' | b'\n' => &[GOPHER_CRLF, TELNET_CRLF, MAILTO_INJECT, CTL_CRLF],
            0 => &[TELNET_CRLF, FILE_ESCAPE, CTL_NUL],
            1..=0x1F | 0x7F => &[CTL_OTHER],
            0xFF if a.first(&[TELNET_CRLF, IAC]).is_some() => &[TELNET_CRLF, IAC],
            0x80.. => match character_of(&self.octets[start..self.span.end]) {
                Some(escapes) => return (start + escapes * ESCAPE, None),
                None => &[ENC_NON_UTF8],
            },
            b'%' if self.hex_digits_at(end) => {
                let end = end + 2;
                return (end, a.first(&[ENC_DOUBLE]).map(|rule| Part::met(a, rule, start..end)));
            }
            b'@' | b'/' | b':' if self.is_lookalike && a.first(&[USER_LOOKALIKE]).is_some() => &[],
            b'@' | b'/' | b':' if self.is_login => &[USER_LOOKALIKE, ENC_DELIMITER],
            b'/' => &[FILE_ESCAPE, FTP_ABSOLUTE, ENC_DELIMITER],
            b'\\' => &[FILE_ESCAPE],
            _ if class::is(octet, UCHAR) => {
                let met = a.first(&[ENC_NEEDLESS]).map(|rule| Part::met(a, rule, start..end));
                return (end, met.map(|met| Met { severity: self.needless(), ..met }));
            }
            _ => &[ENC_DELIMITER],
        };
        let is_reserved = || self.grammar.reserves(octet, a.url.profile());
        let rule = a.first(rules).filter(|rule| *rule != ENC_DELIMITER || is_reserved());
        (end, rule.map(|rule| Part::met(a, rule, start..end)))
    }

    fn met(a: &Auditor<'_, '_>, rule: &'static Rule, span: Range<usize>) -> Met {
        Met { rule, severity: rule.severity_in(a.base), span }
    }

    fn hex_digits_at(&self, at: usize) -> bool {
        let digits = self.octets[..self.span.end].get(at..at + 2);
        digits.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    }

    /// Finds the element that contains `at`, after the previous element.
    fn enter(&mut self, at: usize) {
        let separator = match self.def.shape {
            Shape::Segments => b'/',
            Shape::Fields(separator) => separator,
            Shape::Plain | Shape::Encoded | Shape::Character | Shape::Whole => {
                self.element.span = self.span.clone();
                return;
            }
        };
        let before = &self.octets[self.element.span.end..at];
        let start = word::rposition(before, separator).map_or(0, |place| place + 1) + self.element.span.end;
        let length = word::position(&self.octets[at..self.span.end], separator);
        let end = length.map_or(self.span.end, |length| at + length);
        self.element = Element { span: start..end, needless: None };
    }

    /// Whether the element is the body of a message, which consists of lines.
    fn is_body(&self) -> bool {
        let is_header = self.def.name() == "header";
        is_header
            && self.octets[self.element.span.clone()].get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"body="))
    }

    /// Needless escapes are more severe if most of an element is escaped.
    fn needless(&mut self) -> Severity {
        let element = &mut self.element;
        *element.needless.get_or_insert_with(|| {
            let text = &self.octets[element.span.clone()];
            let is_needless = |at: usize| escape_at(text, at).is_some_and(|octet| class::is(octet, UCHAR));
            // Every `%` of a valid URL starts an escape, which is one octet.
            let (escapes, needless) = word::fold(text, b'%', (0, 0), |(escapes, needless), at| {
                (escapes + 1, needless + usize::from(is_needless(at)))
            });
            let octets = text.len() - escapes * (ESCAPE - 1);
            if needless * 2 > octets { Severity::Medium } else { Severity::Low }
        })
    }
}

/// The number of escapes in the UTF-8 character that starts with these octets; `None` if there is none.
fn character_of(written: &[u8]) -> Option<usize> {
    let mut octets = [0; 4];
    let mut count = 0;
    while count < octets.len() {
        let Some(octet) = escape_at(written, count * ESCAPE) else { break };
        octets[count] = octet;
        count += 1;
        if character::begins_nothing(&octets[..count]) {
            return None;
        }
    }
    character::first_character(&octets[..count]).map(char::len_utf8)
}

/// Whether a Gopher+ string is a filled-in form. It is only decoded if it contains a line end.
fn is_form(written: &[u8]) -> bool {
    let has_lines = Octets::new(written).any(|octet| octet == b'\n');
    has_lines && matches!(GopherPlus::from_octets(&encoded::decode(written)), GopherPlus::FilledForm { .. })
}
