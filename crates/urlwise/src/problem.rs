//! Problems of a text as data: code, level, octets, rule, section and help.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::{fmt, ops::Range};

use crate::character;
use crate::code::{self, Code, Mend};
use crate::display::{escape_for_display, padded};
use crate::encoded;
use crate::grammar::Production;
use crate::level::Level;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::scheme::Scheme;
use crate::scheme::secret::{Masked, secrets};
use crate::section::Section;
use crate::start::trap;

/// The mask for a password.
pub(crate) const MASK: &str = "***";

/// An error, warning or note about a text parsed as a URL.
///
/// ```
/// use urlwise::{Level, Profile, diagnose};
///
/// let diagnosis = diagnose("ftp://host.dom/pub/a b.txt", Profile::Rfc1738);
/// let problem = &diagnosis.problems()[0];
/// assert_eq!((problem.code(), problem.level(), problem.span()), ("bnf-char", Level::Error, 20..21));
/// assert_eq!(problem.message().to_string(), "a space (20) is not allowed in an ftp path");
/// assert_eq!(problem.help().unwrap().to_string(), "write `%20`");
/// assert_eq!((problem.section(), problem.decision()), ("2.2", Some("D-10")));
/// assert_eq!(problem.fix().unwrap().apply(diagnosis.octets()), b"ftp://host.dom/pub/a%20b.txt");
/// ```
#[derive(Clone)]
pub struct Problem<'a> {
    first: Place<'a>,
    /// Where the same mistake is made again, in order.
    again: Vec<Range<u32>>,
}

/// A problem at one place of its text.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place<'a> {
    input: &'a [u8],
    finding: RawProblem,
    /// Whether its octets may be part of a password and must not be quoted.
    is_secret: bool,
}

impl<'a> Problem<'a> {
    /// A single problem; searches the input for passwords.
    pub(crate) fn new(input: &'a [u8], finding: RawProblem) -> Self {
        Problem::among(input, finding, Vec::new(), &secrets(input))
    }

    /// One of several problems of an input whose passwords are at `secrets`.
    pub(crate) fn among(
        input: &'a [u8],
        finding: RawProblem,
        again: Vec<Range<u32>>,
        secrets: &[Range<usize>],
    ) -> Self {
        // Only the first place is quoted.
        let (start, end) = (finding.start as usize, finding.end as usize);
        let next = secrets.get(secrets.partition_point(|secret| secret.end <= start));
        let is_secret = next.is_some_and(|secret| secret.start < end.max(start + 1));
        Problem { first: Place { input, finding, is_secret }, again }
    }

    pub(crate) fn finding(&self) -> RawProblem {
        self.first.finding
    }

    /// The stable name, for example `bnf-char`; never changes its meaning.
    pub fn code(&self) -> &'static str {
        self.first.finding.code.row().name
    }

    /// Error, warning or note.
    pub fn level(&self) -> Level {
        self.first.finding.level
    }

    /// The octets of the input that the problem is about; an empty span marks where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.first.span()
    }

    /// All places of the mistake, in order: [`span`](Problem::span), then where the same octets stand in the same part again.
    ///
    /// One mistake is one problem: a name with eleven spaces is one problem with eleven spans.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let again = self.again.iter().map(|span| span.start as usize..span.end as usize);
        core::iter::once(self.span()).chain(again)
    }

    /// The section of RFC 1738 that contains the rule: `2.2`, `3.2.2`, `5`, `Appendix`.
    pub fn section(&self) -> &'static str {
        self.first.finding.section
    }

    /// The decision that settles what the RFC leaves open, for example `D-10`; `None` if the RFC is clear.
    pub fn decision(&self) -> Option<&'static str> {
        // One code covers all characters that are not allowed unencoded; some have decisions of their own.
        let decision = match (self.first.finding.code, self.first.octets()) {
            (Code::BnfChar, [b'~', ..]) => "D-11",
            (Code::BnfChar, [b'#', ..]) => "D-08",
            (Code::BnfChar, [b' ' | b'\t' | b'\r' | b'\n', ..]) if self.first.is_at_an_end() => "D-14",
            (code, _) => code.row().decision,
        };
        (!decision.is_empty()).then_some(decision)
    }

    /// The grammar rule that was being parsed: what was expected at the span.
    pub fn expected(&self) -> Option<&'static Production> {
        self.first.finding.rule
    }

    /// What is wrong, in one line without a final period. Octets that are unsafe for a terminal are escaped, and no
    /// part of a password is shown.
    pub fn message(&self) -> impl fmt::Display + use<'a> {
        Filled { place: self.first, template: self.first.finding.code.row().message }
    }

    /// How to fix it, in one line; `None` if there is no help.
    pub fn help(&self) -> Option<impl fmt::Display + use<'a>> {
        let row = self.first.finding.code.row();
        let template = match (self.first.finding.code, self.first.octets()) {
            (Code::BnfChar, [b'#', ..]) => {
                "write `%23`, or read the text as a URL reference: a fragment is not part of a URL"
            }
            (Code::BnfChar, [b' ' | b'\t' | b'\r' | b'\n', ..]) if self.first.is_at_an_end() => {
                "remove it: white space is never part of a URL"
            }
            (Code::BnfChar, _) if !self.first.escapes_allowed() => "expected `{expected}`",
            (Code::SchemeCheck, _) if self.first.finding.help.is_empty() => return None,
            (Code::SchemeTrap, _) if self.first.suggestion().is_none() => return None,
            _ => row.help,
        };
        (!template.is_empty()).then_some(Filled { place: self.first, template })
    }

    /// The edit of the input that fixes this problem, if there is one that is not a guess.
    pub fn fix(&self) -> Option<Fix> {
        let (Range { start, end }, octets) = (self.span(), self.first.octets());
        let text = || String::from_utf8_lossy(octets).into_owned();
        let (span, replacement) = match self.mend() {
            Mend::None => return None,
            Mend::Delete => (start..end, String::new()),
            Mend::Encode => (start..end, encoded::escape_all(octets)),
            Mend::Percent => (start..end, "%25".into()),
            Mend::Decode => (start..end, String::from_utf8(encoded::decode(octets).into()).ok()?),
            Mend::Lower => (start..end, text().to_ascii_lowercase()),
            Mend::Zeros => {
                let digits = text();
                let kept = digits.trim_start_matches('0');
                (start..end, if kept.is_empty() { "0" } else { kept }.into())
            }
            Mend::Slashes => (start..end, "//".into()),
            Mend::Slash => (start..end, "/".into()),
            Mend::SlashBefore => (start..start, "/".into()),
            // With a second `@` it is unclear where the login ends.
            Mend::Userinfo if self.login_goes_on(end + 1) => return None,
            Mend::Userinfo => (start..end + 1, String::new()),
            Mend::Suggest => (0..self.first.input.len(), self.first.suggestion()?),
        };
        Some(Fix { span, replacement })
    }

    fn mend(&self) -> Mend {
        match self.first.finding.code {
            Code::BnfChar if self.first.octets().starts_with(b"#") => Mend::None,
            Code::BnfChar if self.first.is_at_an_end() && self.first.octets().iter().all(u8::is_ascii_whitespace) => {
                Mend::Delete
            }
            Code::BnfChar if !self.first.escapes_allowed() => Mend::None,
            code => code.row().mend,
        }
    }

    /// Whether there is another `@` before the next slash.
    fn login_goes_on(&self, from: usize) -> bool {
        let rest = self.first.input.get(from..).unwrap_or_default();
        rest.iter().take_while(|octet| **octet != b'/').any(|octet| *octet == b'@')
    }
}

impl<'a> Place<'a> {
    fn span(&self) -> Range<usize> {
        self.finding.start as usize..self.finding.end as usize
    }

    fn octets(&self) -> &'a [u8] {
        self.input.get(self.span()).unwrap_or_default()
    }

    /// Leading or trailing octets of the input: white space there is not meant to be part of a URL (D-14).
    fn is_at_an_end(&self) -> bool {
        self.finding.start == 0 || self.finding.end as usize == self.input.len()
    }

    /// Whether escapes are allowed in the part; they are not in schemes, hosts, ports, groups and numbers.
    fn escapes_allowed(&self) -> bool {
        self.finding.rule.is_none_or(|rule| rule.escapes)
    }

    fn suggestion(&self) -> Option<String> {
        core::str::from_utf8(self.input).ok().and_then(trap::suggestion)
    }
}

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            let Range { start, end } = self.span();
            write!(
                f,
                "{}[{}] at {start}..{end}: {} ({}",
                self.level(),
                self.code(),
                self.message(),
                Section(self.section())
            )?;
            if let Some(decision) = self.decision() {
                write!(f, ", {decision}")?;
            }
            f.write_str(")")?;
            match self.help() {
                Some(help) => write!(f, "; {help}"),
                None => Ok(()),
            }
        })
    }
}

impl fmt::Debug for Problem<'_> {
    /// Like `Display`: the input itself is left out, since it may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Problem<'_> {
    /// By text, code and first place: an error that stops at its first place is the one that a diagnosis finds.
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first
    }
}

impl Eq for Problem<'_> {}

impl core::error::Error for Problem<'_> {}

/// An edit of the input: the octets of `span` become `replacement`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The octets to replace; empty for an insertion.
    pub span: Range<usize>,
    /// The replacement; empty for a deletion.
    pub replacement: String,
}

impl Fix {
    /// Replaces the octets of `span` by `replacement`.
    pub fn new(span: Range<usize>, replacement: impl Into<String>) -> Self {
        Fix { span, replacement: replacement.into() }
    }

    /// The input with this one problem fixed; others may remain.
    pub fn apply(&self, input: &[u8]) -> Vec<u8> {
        let mut mended = Vec::with_capacity(input.len() + self.replacement.len());
        mended.extend_from_slice(&input[..self.span.start.min(input.len())]);
        mended.extend_from_slice(self.replacement.as_bytes());
        mended.extend_from_slice(input.get(self.span.end..).unwrap_or_default());
        mended
    }
}

/// A text of the code table with its `{...}` filled in.
struct Filled<'a> {
    place: Place<'a>,
    template: &'static str,
}

impl fmt::Display for Filled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fill(self.template, f, |name, f| self.fill(name, f))
    }
}

/// Writes a template; `{name}` is left to `fill`.
pub(crate) fn fill(
    template: &str,
    f: &mut fmt::Formatter<'_>,
    fill: impl Fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        f.write_str(before)?;
        fill(name, f)?;
        rest = after;
    }
    f.write_str(rest)
}

impl Filled<'_> {
    fn fill(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        let octets = place.octets();
        match name {
            "octets" | "decoded" if place.is_secret => f.write_str("a masked octet"),
            "text" | "lower" if place.is_secret => f.write_str(MASK),
            "encoded" if place.is_secret => f.write_str("`%` and its two hex digits"),
            "octets" => name_octets(octets, f),
            "decoded" => name_octets(&encoded::decode(octets), f),
            "text" => write_text(octets, f),
            "lower" => write_text(&octets.to_ascii_lowercase(), f),
            "length" => write!(f, "{}", octets.len()),
            "detail" => f.write_str(place.finding.detail),
            "help" => f.write_str(place.finding.help),
            "encoded" => {
                // The start of a long run is enough.
                const SHOWN: usize = 4;
                let shown = &octets[..octets.len().min(SHOWN)];
                write!(f, "`{}`", encoded::escape_all(shown))?;
                if octets.len() > SHOWN { f.write_str(" ...") } else { Ok(()) }
            }
            "part" => f.write_str(place.finding.rule.map_or("a URL", Production::what)),
            "expected" => f.write_str(place.finding.rule.map_or("uchar", Production::bnf)),
            "scheme" => {
                let colon = place.input.iter().position(|&octet| octet == b':').unwrap_or(0);
                write_text(&place.input[..colon], f)
            }
            "base" => {
                let sibling = Scheme::from_name(octets, Profile::Current);
                f.write_str(sibling.base().name().unwrap_or_default())
            }
            "document" => {
                let known = Scheme::from_name(octets, Profile::Current);
                f.write_str(known.section())
            }
            "suggestion" => write!(f, "{}", Masked(&place.suggestion().unwrap_or_default())),
            _ => Ok(()),
        }
    }
}

/// Writes quoted text of the input, at most one line.
pub(crate) fn write_text(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const SHOWN: usize = 40;
    write!(f, "{}", escape_for_display(&octets[..octets.len().min(SHOWN)]))?;
    if octets.len() > SHOWN { f.write_str("...") } else { Ok(()) }
}

/// Names octets unambiguously: up to three different characters, each with its code point or octet.
pub(crate) fn name_octets(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const SHOWN: usize = 3;
    if octets.is_empty() {
        return f.write_str("nothing");
    }
    let mut named: Vec<&[u8]> = Vec::new();
    let mut rest = octets;
    while let Some((character, behind)) = split_character(rest) {
        rest = behind;
        if !named.contains(&character) {
            if named.len() == SHOWN {
                f.write_str(" ...")?;
                break;
            }
            f.write_str(if named.is_empty() { "" } else { ", " })?;
            name_character(character, f)?;
            named.push(character);
        }
    }
    Ok(())
}

/// The first character of a text, or its first octet if it does not start with UTF-8; CR LF is one.
fn split_character(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = match octets {
        [] => return None,
        [b'\r', b'\n', ..] => 2,
        _ => character::first(octets).map_or(1, char::len_utf8),
    };
    octets.split_at_checked(length)
}

fn name_character(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let named: Cow<'static, str> = match octets {
        b"\r\n" => "CR LF".into(),
        b" " => "a space".into(),
        [0] => "NUL".into(),
        b"\t" => "HT".into(),
        b"\n" => "LF".into(),
        b"\r" => "CR".into(),
        [0x1B] => "ESC".into(),
        [0x7F] => "DEL".into(),
        b"`" => "a backtick".into(),
        [0..0x20] => "a control character".into(),
        [0x80..=0xFF] => "a non-ASCII octet".into(),
        [printable] => alloc::format!("`{}`", char::from(*printable)).into(),
        _ => return name_beyond_ascii(octets, f),
    };
    write!(f, "{named} (")?;
    for (i, octet) in octets.iter().enumerate() {
        write!(f, "{}{octet:02X}", if i > 0 { " " } else { "" })?;
    }
    f.write_str(")")
}

/// Names a character of Unicode by its code point, and by its name or itself.
fn name_beyond_ascii(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(c) = character::first(octets) else {
        return f.write_str("a non-ASCII octet");
    };
    match character::of(c) {
        Some(row) => write!(f, "{} (U+{:04X})", row.name, u32::from(c)),
        None if c.is_alphanumeric() => write!(f, "`{c}` (U+{:04X})", u32::from(c)),
        None => write!(f, "U+{:04X}", u32::from(c)),
    }
}

/// Every problem code with its levels under the two profiles (`rfc1738` first), section and decision, in table order.
///
/// ```
/// let codes: Vec<_> = urlwise::problem_codes().map(|row| row.code).collect();
/// assert!(codes.contains(&"bnf-char") && codes.contains(&"ftp-empty-cwd"));
/// ```
pub fn problem_codes() -> impl Iterator<Item = ProblemCode> {
    code::rows().iter().map(|row| ProblemCode {
        code: row.name,
        levels: row.levels,
        section: row.section,
        decision: (!row.decision.is_empty()).then_some(row.decision),
        message: row.message,
        help: row.help,
    })
}

/// One row of the table of problem codes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProblemCode {
    /// The stable name.
    pub code: &'static str,
    /// The level under `rfc1738` and under `current`.
    pub levels: [Level; 2],
    /// The section of RFC 1738.
    pub section: &'static str,
    /// The decision, if the RFC leaves room.
    pub decision: Option<&'static str>,
    /// The message template, with `{...}` for details of the text: `{octets} is not allowed in {part}`.
    pub message: &'static str,
    /// The help template; `{help}` or empty if it depends on the text.
    pub help: &'static str,
}
