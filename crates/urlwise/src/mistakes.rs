//! One mistake, one problem (D-87): what a reader reports about one text, put together and without what only follows from
//! something else that was reported.

use alloc::vec::Vec;
use core::ops::Range;

use crate::class;
use crate::code::Code;
use crate::grammar::Production;
use crate::layout::Layout;
use crate::level::Level;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{Outcome, Reader, Report};
use crate::scheme::Scheme;
use crate::scheme::secret::secrets;

/// The parts that `read` finds in a text, and the problems in the order of their first octets.
pub(crate) fn of(
    octets: &[u8],
    profile: Profile,
    read: impl FnOnce(&mut Reader<'_, Report<'_>>) -> Outcome,
) -> (Layout, Vec<Problem<'_>>) {
    let mut layout = Layout::new(profile);
    let mut mistakes = Mistakes { octets, found: Vec::new() };
    let mut keep = |finding| {
        mistakes.add(finding);
        Ok(())
    };
    // This never stops the reader.
    let _ = read(&mut Reader::new(octets, &mut layout, Report::new(&mut keep)));
    mistakes.name_sections(&layout);
    (layout, mistakes.problems())
}

/// Findings of one code about one part.
struct Mistake {
    first: RawProblem,
    again: Vec<Range<u32>>,
}

struct Mistakes<'a> {
    octets: &'a [u8],
    found: Vec<Mistake>,
}

impl<'a> Mistakes<'a> {
    fn add(&mut self, finding: RawProblem) {
        let span = finding.start..finding.end;
        let Some(same) = self.found.iter_mut().rev().find(|mistake| mistake.first.is_like(&finding)) else {
            return self.found.push(Mistake { first: finding, again: Vec::new() });
        };
        let last = match same.again.last_mut() {
            Some(last) => &mut last.end,
            None => &mut same.first.end,
        };
        match *last == span.start && !span.is_empty() {
            true => *last = span.end,
            false => same.again.push(span),
        }
    }

    /// The section is that of the scheme where it says so itself.
    fn name_sections(&mut self, layout: &Layout) {
        let Some(scheme) = layout.scheme().map(Scheme::base).filter(|scheme| *scheme != Scheme::Other) else {
            return;
        };
        for mistake in &mut self.found {
            let finding = &mut mistake.first;
            let of_rule = finding.rule.map_or(finding.section, Production::section);
            let first = self.octets.get(finding.start as usize).copied();
            finding.section = match finding.code {
                Code::SlashesMissing | Code::UserForbidden | Code::PathMissing | Code::NewsGroup => scheme.syntax_section(),
                // There is no `//` in news; what follows an `@` is a host by the rules of Message-IDs.
                _ if scheme == Scheme::News && of_rule == "3.1" => scheme.syntax_section(),
                // An octet that may stand in other parts of URLs is refused by the rule of this part.
                Code::BnfChar if first.is_some_and(is_of_urls) => match (scheme, of_rule) {
                    (Scheme::Nntp, "3.6") => scheme.syntax_section(),
                    _ => of_rule,
                },
                _ => finding.section,
            };
        }
    }

    fn problems(mut self) -> Vec<Problem<'a>> {
        self.found.sort_by_key(|mistake| mistake.first.start);
        self.drop_all_behind_a_cut();
        self.drop_consequences();
        self.drop_remarks_on_broken_parts();
        let secrets = secrets(self.octets);
        let problem = |mistake: Mistake| Problem::among(self.octets, mistake.first, mistake.again, &secrets);
        self.found.into_iter().map(problem).collect()
    }

    fn has(&self, is_it: impl Fn(&Mistake) -> bool) -> bool {
        self.found.iter().any(is_it)
    }

    fn has_error(&self, codes: &[Code]) -> bool {
        self.has(|mistake| mistake.is_error() && codes.contains(&mistake.first.code))
    }

    fn drop(&mut self, is_it: impl Fn(&Mistake) -> bool) {
        self.found.retain(|mistake| !is_it(mistake));
    }

    /// Nothing is judged behind the first `#`, behind a scheme that cannot be read, behind the colon of a doubled scheme, and
    /// behind slashes that are none.
    fn drop_all_behind_a_cut(&mut self) {
        if self.has_error(&[Code::SchemeChar]) {
            self.drop(|mistake| mistake.first.code != Code::SchemeChar);
        }
        let octets = self.octets;
        let cut = self.found.iter().filter_map(|mistake| mistake.cut(octets)).min();
        let Some((start, cause)) = cut else { return };
        for mistake in &mut self.found {
            mistake.again.retain(|span| span.start < start);
            let last = mistake.again.last_mut().map_or(&mut mistake.first.end, |span| &mut span.end);
            if mistake.first.start < start {
                *last = (*last).min(start);
            }
        }
        // A login whose end is not known is not judged either.
        self.drop(|mistake| {
            let is_behind = mistake.first.start >= start && mistake.first.code != Code::SlashesMissing;
            is_behind || (cause == Cut::Fragment && mistake.is_login() && mistake.first.end + 1 >= start)
        });
    }

    fn drop_consequences(&mut self) {
        const HOST: &[Code] = &[Code::HostChar, Code::HostEscape, Code::HostIpv6Form, Code::HostIpv6];
        const PORT: &[Code] = &[Code::PortChar, Code::PortEmpty, Code::PortRange, Code::PortZero, Code::PortLeadingZero];
        if self.has_error(&[Code::AtTwice]) || self.has(|mistake| mistake.is_backslash(self.octets)) {
            self.drop(Mistake::is_login);
        }
        if self.has_error(&[Code::SlashesMissing]) {
            // Without `//` there is no login, nor the port of a doubled scheme.
            let octets = self.octets;
            self.drop(|mistake| mistake.is_login() || mistake.is_of_doubled_scheme(octets));
        }
        if self.has_error(HOST) || self.has_error(&[Code::PortForbidden]) {
            self.drop(|mistake| PORT.contains(&mistake.first.code) || mistake.first.code == Code::PathMissing);
        }
        if self.has_error(&[Code::PortChar]) {
            self.drop(|mistake| PORT.contains(&mistake.first.code) && mistake.first.code != Code::PortChar);
        }
        let octets = self.octets;
        self.drop(|mistake| mistake.first.code == Code::TelnetPath && octets[mistake.start() as usize..].starts_with(b"#"));
        if let Some(start) = self.found.iter().find(|mistake| mistake.first.code == Code::NewsGroup).map(Mistake::start) {
            self.drop(|mistake| mistake.first.code == Code::BnfChar && mistake.start() > start);
        }
        if let Some(end) = self.found.iter().find(|mistake| mistake.is_prefix()).map(|mistake| mistake.first.end) {
            // The blank behind the prefix belongs to it.
            self.drop(|mistake| mistake.start() == end && mistake.again.is_empty() && mistake.is_blank(octets));
        }
    }

    /// Warnings and notes about a part that is wrong would only distract from what is wrong with it.
    fn drop_remarks_on_broken_parts(&mut self) {
        let errors: Vec<(Option<&str>, Range<u32>)> = self
            .found
            .iter()
            .filter(|mistake| mistake.is_error())
            .map(|mistake| (mistake.first.rule.map(|rule| rule.what()), mistake.first.start..mistake.first.end))
            .collect();
        self.drop(|mistake| {
            let rule = mistake.first.rule.map(|rule| rule.what());
            let is_about = |(what, span): &(Option<&str>, Range<u32>)| {
                (what.is_some() && *what == rule) || (span.start < mistake.first.end && mistake.first.start < span.end)
            };
            !mistake.is_error() && errors.iter().any(is_about)
        });
    }
}

/// Whether an octet may stand in some part of a URL, or begins an escape.
fn is_of_urls(octet: u8) -> bool {
    octet == b'%' || class::is(octet, class::XCHAR)
}

/// Why nothing is judged from a place on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    Fragment,
    Other,
}

impl Mistake {
    fn start(&self) -> u32 {
        self.first.start
    }

    fn is_error(&self) -> bool {
        self.first.level == Level::Error
    }

    fn is_login(&self) -> bool {
        matches!(self.first.code, Code::UserForbidden | Code::HttpUserinfo)
    }

    fn is_prefix(&self) -> bool {
        self.is_error() && self.first.code == Code::SchemeUrlPrefix
    }

    fn spans(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        core::iter::once(self.first.start..self.first.end).chain(self.again.iter().cloned())
    }

    fn octets<'t>(&self, text: &'t [u8], span: Range<u32>) -> &'t [u8] {
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn is_blank(&self, text: &[u8]) -> bool {
        let octets = self.octets(text, self.first.start..self.first.end);
        self.first.code == Code::BnfChar && octets.iter().all(|octet| *octet == b' ')
    }

    /// Whether a `\` stands in a login, which others would end there.
    fn is_backslash(&self, text: &[u8]) -> bool {
        let is_login = self.first.rule.is_some_and(|rule| matches!(rule.name(), "user" | "password"));
        is_login && self.spans().any(|span| self.octets(text, span).contains(&b'\\'))
    }

    /// The first place from which on nothing is judged because of this mistake.
    fn cut(&self, text: &[u8]) -> Option<(u32, Cut)> {
        if !self.is_error() {
            return None;
        }
        let is_last = self.first.end as usize == text.len();
        match self.first.code {
            Code::PortEmpty if self.is_of_doubled_scheme(text) => Some((self.first.end, Cut::Other)),
            Code::SlashesMissing if is_last || self.first.end - self.first.start > 1 => {
                Some((self.first.end, Cut::Other))
            }
            _ => None,
        }
        .into_iter()
        .chain(self.fragment(text))
        .min()
    }

    /// Whether this is the empty port of `http://http://host.dom/`.
    fn is_of_doubled_scheme(&self, text: &[u8]) -> bool {
        self.first.code == Code::PortEmpty && self.octets(text, self.first.end..text.len() as u32).starts_with(b"//")
    }

    /// The place behind a `#`.
    fn fragment(&self, text: &[u8]) -> Option<(u32, Cut)> {
        if self.first.code == Code::SchemeMissing {
            return None;
        }
        self.spans().find_map(|span| {
            let is_whole = matches!(self.first.code, Code::UserForbidden | Code::HttpUserinfo | Code::HostToplabel);
            let at = self.octets(text, span.clone()).iter().position(|octet| *octet == b'#').filter(|_| !is_whole)?;
            Some((span.start + at as u32 + 1, Cut::Fragment))
        })
    }
}
