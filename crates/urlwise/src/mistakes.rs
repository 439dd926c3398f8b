//! One mistake, one problem (D-87): what a reader reports about one text, put together and without what only follows from
//! something else that was reported.

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use crate::code::Code;
use crate::grammar::Production;
use crate::layout::Layout;
use crate::level::Level;
use crate::own_section;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{Outcome, Reader, Receiver, Report};
use crate::recent::Recent;
use crate::scheme::Scheme;
use crate::scheme::secret::Secrets;
use crate::word;

/// The parts that `read` finds in a text, and the problems in the order of their first octets.
pub(crate) fn of(
    octets: &[u8],
    profile: Profile,
    read: impl FnOnce(&mut Reader<'_, Report<'_>>) -> Outcome,
) -> (Layout, Vec<Problem<'_>>) {
    let mut mistakes = Mistakes::new(octets, true);
    let layout = mistakes.read(profile, read);
    // What most texts are.
    if mistakes.each().next().is_none() {
        return (layout, Vec::new());
    }
    let last = mistakes.each().flat_map(Mistake::named_starts).max().unwrap_or_default();
    let secrets = Secrets::until(octets, last as usize);
    let problem = |mistake: Mistake| Problem::among(octets, mistake.first, mistake.again, &secrets);
    // One by one: an array that is moved as a whole takes longer than all else here.
    let mut found = Vec::with_capacity(FEW + mistakes.rest.len());
    found.extend(mistakes.few.iter_mut().filter_map(Option::take));
    found.append(&mut mistakes.rest);
    found.sort_by_key(Mistake::place);
    (layout, found.into_iter().map(problem).collect())
}

/// The first error of a text, at its first place. Allocates nothing unless there are many mistakes.
pub(crate) fn first(
    octets: &[u8],
    profile: Profile,
    read: impl FnOnce(&mut Reader<'_, Report<'_>>) -> Outcome,
) -> Option<RawProblem> {
    let mut mistakes = Mistakes::new(octets, false);
    mistakes.read(profile, read);
    mistakes
        .each()
        .filter(|mistake| mistake.is_error())
        .min_by_key(|mistake| mistake.place())
        .map(|mistake| mistake.first)
}

/// Findings of one code about one part.
struct Mistake {
    /// How many mistakes were reported before.
    number: usize,
    first: RawProblem,
    again: Vec<Range<u32>>,
    /// Where the last of them ends.
    end: u32,
    /// Where the first `#` stands in them.
    fragment: Option<u32>,
    /// Whether a `\` stands in them.
    has_backslash: bool,
}

/// Most texts make no more mistakes than these, for which nothing is allocated.
const FEW: usize = 6;

/// A mistake that is made again is made as often as this, or many times.
const PLACES: usize = 32;

struct Mistakes<'a> {
    octets: &'a [u8],
    few: [Option<Mistake>; FEW],
    rest: Vec<Mistake>,
    /// How many there are.
    length: usize,
    /// The numbers of those that the last findings belong to.
    recent: Recent<usize>,
    /// Whether every place is wanted, not only the first.
    keeps_places: bool,
}

impl<'a> Mistakes<'a> {
    fn new(octets: &'a [u8], keeps_places: bool) -> Self {
        Mistakes {
            octets,
            few: [const { None }; FEW],
            rest: Vec::new(),
            length: 0,
            recent: Recent::new(),
            keeps_places,
        }
    }

    /// Adds what `read` reports, and puts it together. Returns where the parts stand.
    fn read(&mut self, profile: Profile, read: impl FnOnce(&mut Reader<'_, Report<'_>>) -> Outcome) -> Layout {
        let octets = self.octets;
        let mut layout = Layout::new(profile);
        // This never stops the reader.
        let _ = read(&mut Reader::new(octets, &mut layout, Report::new(self)));
        // What most texts are.
        if self.length == 0 {
            return layout;
        }
        for mistake in self.each_mut() {
            mistake.first.section = own_section::of(&mistake.first, octets, layout.scheme());
        }
        self.settle();
        layout
    }

    fn add(&mut self, finding: RawProblem) {
        let known = self.each().find(|mistake| mistake.first.is_like(&finding)).map(|mistake| mistake.number);
        self.recent.push(known.unwrap_or(self.length));
        if let Some(known) = known {
            return self.add_place(known, finding.start..finding.end);
        }
        let marks = marks(self.octets, &(finding.start..finding.end));
        let (fragment, has_backslash) = marks.unwrap_or_default();
        let (number, end, again) = (self.length, finding.end, Vec::new());
        let mistake = Mistake { number, end, again, fragment, has_backslash, first: finding };
        match self.few.get_mut(self.length) {
            Some(free) => *free = Some(mistake),
            None => self.rest.push(mistake),
        }
        self.length += 1;
    }

    /// Adds a place to the mistake of this number.
    #[inline(always)]
    fn add_place(&mut self, number: usize, span: Range<u32>) {
        let marks = marks(self.octets, &span);
        let keeps_places = self.keeps_places;
        let Some(same) = self.numbered(number) else { return };
        if let Some((fragment, has_backslash)) = marks {
            same.fragment = same.fragment.or(fragment);
            same.has_backslash |= has_backslash;
        }
        let is_next = same.end == span.start && !span.is_empty();
        same.end = span.end;
        let is_full = same.again.len() + 1 >= Problem::MOST_PLACES;
        match same.again.last_mut() {
            Some(last) if is_next && last.end == span.start => last.end = span.end,
            None if is_next && (keeps_places || same.first.end == span.start) => same.first.end = span.end,
            None if keeps_places => {
                same.again.reserve(PLACES);
                same.again.push(span);
            }
            _ if keeps_places && !is_full => same.again.push(span),
            _ => {}
        }
    }

    /// Adds the empty places before some octets, one at least, to the mistake of this number. No mark stands in them.
    fn add_places(&mut self, number: usize, places: Range<u32>) {
        let keeps_places = self.keeps_places;
        let Some(same) = self.numbered(number) else { return };
        same.end = places.end - 1;
        if keeps_places {
            let room = Problem::MOST_PLACES.saturating_sub(same.again.len() + 1);
            same.again.extend(places.take(room).map(|at| at..at));
        }
    }

    /// Leaves out what only follows from something else.
    fn settle(&mut self) {
        let octets = self.octets;
        for note in self.each_mut().filter(|note| note.is_scheme_as_host(octets)) {
            note.first.code = Code::HostScheme;
        }
        // Nothing follows from other notes, which is what most mistakes are.
        const CAUSES: &[Code] = &[Code::TelnetPath, Code::NewsGroup];
        let is_cause =
            |mistake: &Mistake| mistake.is_error() || mistake.is_backslash() || CAUSES.contains(&mistake.first.code);
        let has_cause = self.has(is_cause);
        if has_cause || cfg!(debug_assertions) {
            let before = self.each().count();
            self.drop_all_behind_a_cut();
            self.drop_consequences();
            self.drop_notes_on_broken_parts();
            debug_assert!(has_cause || self.each().count() == before, "something follows from a note");
        }
    }

    /// The one of this number, as long as nothing is left out.
    fn numbered(&mut self, number: usize) -> Option<&mut Mistake> {
        match self.few.get_mut(number) {
            Some(mistake) => mistake.as_mut(),
            None => self.rest.get_mut(number - FEW),
        }
    }

    fn each(&self) -> impl Iterator<Item = &Mistake> {
        self.few.iter().flatten().chain(&self.rest)
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut Mistake> {
        self.few.iter_mut().flatten().chain(&mut self.rest)
    }

    fn has(&self, is_it: impl Fn(&Mistake) -> bool) -> bool {
        self.each().any(is_it)
    }

    fn has_error(&self, codes: &[Code]) -> bool {
        self.has(|mistake| mistake.is_error() && codes.contains(&mistake.first.code))
    }

    fn drop(&mut self, is_it: impl Fn(&Mistake) -> bool) {
        for mistake in &mut self.few {
            if mistake.as_ref().is_some_and(&is_it) {
                *mistake = None;
            }
        }
        self.rest.retain(|mistake| !is_it(mistake));
    }

    /// Nothing is judged behind the first `#`, behind a scheme that cannot be read, behind the colon of a doubled scheme, and
    /// behind slashes that are none.
    fn drop_all_behind_a_cut(&mut self) {
        if self.has_error(&[Code::SchemeChar]) {
            self.drop(|mistake| mistake.first.code != Code::SchemeChar);
        }
        let octets = self.octets;
        let cut = self.each().filter_map(|mistake| mistake.cut(octets)).min();
        let Some((start, cause)) = cut else { return };
        for mistake in self.each_mut() {
            mistake.again.retain(|span| span.start < start);
            let last = mistake.again.last_mut().map_or(&mut mistake.first.end, |span| &mut span.end);
            if mistake.first.start < start {
                *last = (*last).min(start);
            }
        }
        // A login whose end is not known is not judged either.
        self.drop(|mistake| {
            let is_behind = mistake.first.start >= start && mistake.first.code != Code::SlashesMissing;
            is_behind || (cause == Cut::Fragment && mistake.is_login() && mistake.first.end >= start)
        });
    }

    fn drop_consequences(&mut self) {
        const HOST: &[Code] = &[Code::HostChar, Code::HostEscape, Code::HostIpv6Form, Code::HostIpv6];
        const PORT: &[Code] =
            &[Code::PortChar, Code::PortEmpty, Code::PortRange, Code::PortZero, Code::PortLeadingZero];
        if self.has_error(&[Code::AtTwice]) || self.has(Mistake::is_backslash) {
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
        if self.has_error(&[Code::HostEmpty]) {
            // What must follow a host is not missing as well.
            const BEHIND: &[Code] = &[Code::PathMissing, Code::HttpQuerySlash];
            self.drop(|mistake| BEHIND.contains(&mistake.first.code));
        }
        if self.has_error(&[Code::PortChar]) {
            self.drop(|mistake| PORT.contains(&mistake.first.code) && mistake.first.code != Code::PortChar);
        }
        let octets = self.octets;
        self.drop(|mistake| {
            mistake.first.code == Code::TelnetPath && octets[mistake.start() as usize..].starts_with(b"#")
        });
        let group = self.each().find(|mistake| mistake.first.code == Code::NewsGroup).map(Mistake::start);
        if let Some(start) = group {
            self.drop(|mistake| mistake.first.code == Code::BnfChar && mistake.start() > start);
        }
        let prefix = self.each().find(|mistake| mistake.is_prefix()).map(|mistake| mistake.first.end);
        if let Some(end) = prefix {
            // The blank behind the prefix belongs to it.
            self.drop(|mistake| mistake.start() == end && mistake.again.is_empty() && mistake.is_blank(octets));
        }
    }

    /// Notes about a part that is wrong would only distract from what is wrong with it.
    fn drop_notes_on_broken_parts(&mut self) {
        // A bit for each number; there are fewer codes than bits.
        let covered: u128 = self.each().filter(|note| self.is_covered(note)).map(Mistake::bit).sum();
        self.drop(|note| covered & note.bit() != 0);
    }

    fn is_covered(&self, note: &Mistake) -> bool {
        note.first.level == Level::Note && self.has(|error| error.is_error() && error.covers(note))
    }
}

impl Receiver for Mistakes<'_> {
    fn put(&mut self, finding: RawProblem) -> Outcome {
        self.add(finding);
        Ok(())
    }

    fn again(&mut self, index: usize, span: Range<u32>) -> Outcome {
        if let Some(number) = self.recent.get(index) {
            self.add_place(*number, span);
        }
        Ok(())
    }

    fn again_before(&mut self, index: usize, places: Range<u32>) -> Outcome {
        if let Some(number) = self.recent.get(index) {
            self.add_places(*number, places);
        }
        Ok(())
    }
}

/// Where the first `#` stands in a span, and whether a `\` does; `None` for a few octets without either.
#[inline]
fn marks(text: &[u8], span: &Range<u32>) -> Option<(Option<u32>, bool)> {
    let octets = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let is_mark = |octet: &u8| matches!(octet, b'#' | b'\\');
    match octets {
        [] => None,
        // What most findings are about, of which there may be as many as octets.
        [_] | [_, _] | [_, _, _] if !octets.iter().any(is_mark) => None,
        _ => Some(marks_of_many(octets, span.start)),
    }
}

/// The same of octets that begin at `start`, however many they are.
#[inline(never)]
fn marks_of_many(octets: &[u8], start: u32) -> (Option<u32>, bool) {
    let fragment = word::position(octets, b'#').map(|at| start + at as u32);
    (fragment, word::position(octets, b'\\').is_some())
}

/// Why nothing is judged from a place on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    Fragment,
    Other,
}

impl Mistake {
    /// What orders mistakes: the first place, then the order of reading.
    fn place(&self) -> (u32, usize) {
        (self.first.start, self.number)
    }

    /// Where the places start whose octets a message may name.
    fn named_starts(&self) -> impl Iterator<Item = u32> + '_ {
        iter::once(self.first.start).chain(self.again.iter().take(Problem::MOST_NAMED).map(|span| span.start))
    }

    fn bit(&self) -> u128 {
        1u128.checked_shl(self.number as u32).unwrap_or(0)
    }

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

    fn octets<'t>(&self, text: &'t [u8], span: Range<u32>) -> &'t [u8] {
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn is_blank(&self, text: &[u8]) -> bool {
        let octets = self.octets(text, self.first.start..self.first.end);
        self.first.code == Code::BnfChar && octets.iter().all(|octet| *octet == b' ')
    }

    /// Whether a remark is about the part that is wrong.
    fn covers(&self, remark: &Mistake) -> bool {
        let part = |mistake: &Mistake| mistake.first.rule.map(Production::what);
        let is_same = part(self).is_some() && part(self) == part(remark);
        is_same || (self.first.start < remark.first.end && remark.first.start < self.first.end)
    }

    /// Whether a `\` stands in a login, which others would end there.
    fn is_backslash(&self) -> bool {
        self.has_backslash && self.first.rule.is_some_and(|rule| matches!(rule.name(), "user" | "password"))
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
        .chain(self.behind_fragment())
        .min()
    }

    /// Whether this is about the second `http` of `https://http//host.dom/`, whose colon may be there (D-83).
    fn is_scheme_as_host(&self, text: &[u8]) -> bool {
        let rest = text.get(self.first.end as usize..).unwrap_or_default();
        self.first.code == Code::HostNotFqdn
            && rest.strip_prefix(b":").unwrap_or(rest).starts_with(b"//")
            && Scheme::from_name(self.octets(text, self.first.start..self.first.end), Profile::Current) != Scheme::Other
    }

    /// Whether this is the empty port of `http://http://host.dom/`.
    fn is_of_doubled_scheme(&self, text: &[u8]) -> bool {
        self.first.code == Code::PortEmpty && self.octets(text, self.first.end..text.len() as u32).starts_with(b"//")
    }

    /// The place behind a `#`; a span that is about a whole part does not point at it.
    fn behind_fragment(&self) -> Option<(u32, Cut)> {
        const WHOLE: &[Code] = &[Code::SchemeMissing, Code::UserForbidden, Code::HttpUserinfo, Code::HostToplabel];
        let at = self.fragment.filter(|_| !WHOLE.contains(&self.first.code))?;
        Some((at + 1, Cut::Fragment))
    }
}

#[cfg(test)]
mod tests;
