//! The one reader behind [`parse`](crate::Url::parse) and [`diagnose`](crate::diagnose).
//!
//! Each scheme's grammar is written once, against [`Reader`]. What differs is the [`Sink`] that problems go to:
//! [`FirstError`] stops at the first error, keeps nothing of it and never looks for warnings; [`Report`] hands all of them on. The compiler makes two programs of the one description, so they cannot disagree.

use core::ops::Range;

use crate::class::{self, Class};
use crate::code::Code;
use crate::encoded;
use crate::grammar::Production;
use crate::language::{Words, words};
use crate::layout::{Layout, Slot};
use crate::level::Level;
use crate::profile::Profile;
use crate::raw_problem::{Like, RawProblem};
use crate::recent::Recent;
use crate::word;

/// The reader stopped: it met an error.
#[derive(Debug)]
pub(crate) struct Stop;

pub(crate) type Outcome<T = ()> = Result<T, Stop>;

/// Where problems go.
pub(crate) trait Sink {
    /// Whether problems are wanted as such. Where they are not, warnings and notes are not looked for, and the first error
    /// stops the reader before anything is put.
    const REPORTS: bool;
    fn put(&mut self, finding: RawProblem) -> Outcome;
    /// The problem that was met last stands here, too.
    fn again(&mut self, span: Range<u32>) -> Outcome;
    /// It stands before each of these octets, one at least: each place is empty.
    fn again_before(&mut self, mut places: Range<u32>) -> Outcome {
        places.try_for_each(|at| self.again(at..at))
    }
    /// Takes another place of a problem with this code, rule and detail, if it is one of those that were met last, as one of its own;
    /// `None` if not.
    fn like_recent(&mut self, like: &Like, span: Range<u32>) -> Option<Outcome>;
    /// The problem that was met last is what its rule says about this octet.
    fn learn(&mut self, octet: u8);
    /// Takes another place of what a rule says about the first of the octets that stand at `at`, and about those behind it up to an
    /// end, if it is one of the problems that were met last; says how many they are, none if not.
    fn learned(
        &mut self,
        rule: &'static Production,
        octets: &[u8],
        at: u32,
        is_end: impl Fn(u8) -> bool,
    ) -> Outcome<usize>;
    /// How many errors were put.
    fn errors(&self) -> u32;
}

/// Asks only whether there is an error.
pub(crate) struct FirstError;

impl Sink for FirstError {
    const REPORTS: bool = false;

    #[inline]
    fn put(&mut self, _: RawProblem) -> Outcome {
        Err(Stop)
    }

    #[inline]
    fn again(&mut self, _: Range<u32>) -> Outcome {
        Err(Stop)
    }

    #[inline]
    fn like_recent(&mut self, _: &Like, _: Range<u32>) -> Option<Outcome> {
        None
    }

    #[inline]
    fn learn(&mut self, _: u8) {}

    #[inline]
    fn learned(&mut self, _: &'static Production, _: &[u8], _: u32, _: impl Fn(u8) -> bool) -> Outcome<usize> {
        Ok(0)
    }

    #[inline]
    fn errors(&self) -> u32 {
        // The first ends the reading.
        0
    }
}

/// Takes problems.
pub(crate) trait Receiver {
    /// Takes a problem, and says whether to go on.
    fn put(&mut self, finding: RawProblem) -> Outcome;
    /// Takes another place of a problem that it took, the one that [`Recent`] has at `index`.
    fn again(&mut self, index: usize, span: Range<u32>) -> Outcome;
    /// Takes the empty places before these octets, one at least, in the same way.
    fn again_before(&mut self, index: usize, mut places: Range<u32>) -> Outcome {
        places.try_for_each(|at| self.again(index, at..at))
    }
}

/// A function takes the first place of a mistake.
impl<F: FnMut(RawProblem) -> Outcome> Receiver for F {
    fn put(&mut self, finding: RawProblem) -> Outcome {
        self(finding)
    }

    fn again(&mut self, _: usize, _: Range<u32>) -> Outcome {
        Ok(())
    }
}

/// Passes each problem on, and stops when its receiver says so.
pub(crate) struct Report<'t> {
    receiver: &'t mut dyn Receiver,
    errors: u32,
    /// What was met last.
    recent: Recent<Met>,
}

/// A problem that was met.
struct Met {
    like: Like,
    is_error: bool,
    /// The octets about which its rule is known to say this: a bit for each.
    octets: [u64; 4],
}

impl Met {
    fn has(&self, octet: u8) -> bool {
        self.octets[usize::from(octet >> 6)] >> (octet & 63) & 1 == 1
    }
}

impl<'t> Report<'t> {
    pub(crate) fn new(receiver: &'t mut dyn Receiver) -> Self {
        Report { receiver, errors: 0, recent: Recent::new() }
    }

    /// What has this index among the recent ones was met again.
    fn met_again(&mut self, index: usize, is_error: bool, span: Range<u32>) -> Outcome {
        self.recent.renew(index);
        self.errors += u32::from(is_error);
        self.receiver.again(index, span)
    }
}

impl Sink for Report<'_> {
    const REPORTS: bool = true;

    fn put(&mut self, finding: RawProblem) -> Outcome {
        let is_error = finding.level == Level::Error;
        self.errors += u32::from(is_error);
        self.recent.push(Met { like: finding.like(), is_error, octets: [0; 4] });
        self.receiver.put(finding)
    }

    fn again(&mut self, span: Range<u32>) -> Outcome {
        self.receiver.again(self.recent.last_index(), span)
    }

    fn again_before(&mut self, places: Range<u32>) -> Outcome {
        self.receiver.again_before(self.recent.last_index(), places)
    }

    fn like_recent(&mut self, like: &Like, span: Range<u32>) -> Option<Outcome> {
        let (index, met) = self.recent.find(|met| met.like.is(like))?;
        Some(self.met_again(index, met.is_error, span))
    }

    fn learn(&mut self, octet: u8) {
        if let Some(met) = self.recent.last_mut() {
            met.octets[usize::from(octet >> 6)] |= 1 << (octet & 63);
        }
    }

    fn learned(
        &mut self,
        rule: &'static Production,
        octets: &[u8],
        at: u32,
        is_end: impl Fn(u8) -> bool,
    ) -> Outcome<usize> {
        let [octet, behind @ ..] = octets else { return Ok(0) };
        let known = self.recent.find(|met| met.has(*octet) && met.like.is_of(rule));
        let Some((index, met)) = known else { return Ok(0) };
        let length = 1 + behind.iter().take_while(|octet| met.has(**octet) && !is_end(**octet)).count();
        self.met_again(index, met.is_error, at..at + length as u32)?;
        Ok(length)
    }

    fn errors(&self) -> u32 {
        self.errors
    }
}

/// Where the parts stand that `read` finds in a text.
///
/// # Errors
/// The first error it meets.
pub(crate) fn explain(
    octets: &[u8],
    profile: Profile,
    read: impl FnOnce(&mut Reader<'_, Report<'_>>) -> Outcome,
) -> Result<Layout, RawProblem> {
    let mut layout = Layout::new(profile);
    let mut first = None;
    let mut keep = |finding: RawProblem| match finding.level {
        Level::Error => {
            first = Some(finding);
            Err(Stop)
        }
        Level::Warning | Level::Note => Ok(()),
    };
    // The reader stops only after it has reported an error.
    let _ = read(&mut Reader::new(octets, &mut layout, Report::new(&mut keep)));
    first.map_or(Ok(layout), Err)
}

/// Whether `read` meets no error in a text.
pub(crate) fn is_valid(
    octets: &[u8],
    profile: Profile,
    read: impl FnOnce(&mut Reader<'_, FirstError>) -> Outcome,
) -> bool {
    read(&mut Reader::new(octets, &mut Layout::new(profile), FirstError)).is_ok()
}

/// Where a part ends, besides the end of the text.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    /// Nowhere else.
    End,
    /// At the first of this octet, which the part's rule does not allow.
    Octet(u8),
    /// At the first of either octet, neither of which the part's rule allows.
    Either(u8, u8),
    /// At the first `%09`: the delimiter of gopher paths (D-43).
    Tab,
}

impl Until {
    #[inline]
    pub(crate) fn stops(self, octet: u8) -> bool {
        match self {
            Until::Octet(stop) => octet == stop,
            Until::Either(one, other) => octet == one || octet == other,
            Until::End | Until::Tab => false,
        }
    }

    /// Where the first octet stands that it stops at, or the first `octet`; the length of `octets` where there is neither.
    pub(crate) fn position_or(self, octet: u8, octets: &[u8]) -> usize {
        let wanted = match self {
            Until::Octet(stop) => [octet, stop, stop],
            Until::Either(one, other) => [octet, one, other],
            Until::End | Until::Tab => [octet; 3],
        };
        word::position_of(octets, wanted).unwrap_or(octets.len())
    }
}

/// A text, how far it is read, and what was found.
pub(crate) struct Reader<'a, S> {
    pub(crate) octets: &'a [u8],
    pub(crate) at: usize,
    /// Where the parts are noted: in place, for a layout is too large to hand around.
    pub(crate) layout: &'a mut Layout,
    pub(crate) sink: S,
}

impl<'a, S: Sink> Reader<'a, S> {
    /// A reader at the start of a text, by the profile of a layout that is still empty.
    #[inline]
    pub(crate) fn new(octets: &'a [u8], layout: &'a mut Layout, sink: S) -> Self {
        Reader { octets, at: 0, layout, sink }
    }

    /// How many errors were met: what builds on a part asks whether the part itself was read.
    #[inline]
    pub(crate) fn errors(&self) -> u32 {
        self.sink.errors()
    }

    pub(crate) fn profile(&self) -> Profile {
        self.layout.profile()
    }

    pub(crate) fn is_current(&self) -> bool {
        self.layout.profile() == Profile::Current
    }

    /// The next octet.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.octets.get(self.at).copied()
    }

    /// Whether a part that is read until `until` ends at this place.
    #[inline]
    pub(crate) fn ends_at(&self, at: usize, until: Until) -> bool {
        self.octets.get(at).is_none_or(|&octet| until.stops(octet))
    }

    /// What is left to read.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.octets[self.at..]
    }

    /// Takes the octet if it comes next.
    #[inline]
    pub(crate) fn take(&mut self, octet: u8) -> bool {
        let is_next = self.peek() == Some(octet);
        if is_next {
            self.at += 1;
        }
        is_next
    }

    /// Runs `read` as if the text ended at `end`.
    pub(crate) fn within<T>(&mut self, end: usize, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let whole = self.octets;
        self.octets = &whole[..end];
        let outcome = read(self);
        self.octets = whole;
        outcome
    }

    /// The characters a pass of the reader goes over without looking closer. When everything is to be reported, what only
    /// the current profile allows is looked at too.
    #[inline]
    pub(crate) fn plain(&self, classes: [Class; 2]) -> Class {
        if S::REPORTS { classes[Profile::Rfc1738 as usize] } else { classes[self.layout.profile() as usize] }
    }

    /// Reads one part up to `until` or the end of the text, and notes where it stands.
    #[inline(always)]
    pub(crate) fn part(&mut self, slot: usize, rule: &'static Production, until: Until) -> Outcome {
        let start = self.at;
        self.scan(rule, until)?;
        self.layout.slots[slot] = Slot::new(start, self.at);
        Ok(())
    }

    /// Reads what `rule` allows up to `until` or the end of the text.
    #[inline(always)]
    pub(crate) fn scan(&mut self, rule: &'static Production, until: Until) -> Outcome {
        self.skip(rule);
        match self.ends_at(self.at, until) {
            true => Ok(()),
            false => self.scan_closely(rule, until),
        }
    }

    /// Goes past the plain characters of a rule. Where the rule is known, so is the way to skip them.
    #[inline(always)]
    fn skip(&mut self, rule: &'static Production) {
        let plain = self.plain(rule.class);
        self.at = match rule.class[0] & class::PATHS {
            class::NONE => class::skip(self.octets, self.at, plain),
            _ => class::skip_path(self.octets, self.at, plain),
        };
    }

    /// The same where there may be none or few, as between mistakes: to look for many takes as long as to report one. Whether there were
    /// any.
    fn skip_plain(&mut self, rule: &'static Production) -> bool {
        const FEW: usize = 2;
        let (start, plain) = (self.at, self.plain(rule.class));
        while self.peek().is_some_and(|octet| class::is(octet, plain)) {
            self.at += 1;
            if self.at == start + FEW {
                self.skip(rule);
                break;
            }
        }
        self.at > start
    }

    /// Goes on where there is more than plain characters.
    #[inline(never)]
    fn scan_closely(&mut self, rule: &'static Production, until: Until) -> Outcome {
        loop {
            self.skip_plain(rule);
            let Some(octet) = self.peek() else {
                return Ok(());
            };
            if octet == b'%' && rule.escapes {
                if matches!(until, Until::Tab) && self.rest().starts_with(b"%09") {
                    return Ok(());
                }
                let Some(decoded) = encoded::escape_at(self.octets, self.at) else {
                    if !self.skip_learned(rule, until)? {
                        self.no_escapes(rule)?;
                    }
                    continue;
                };
                let escape = self.at..self.at + 3;
                self.at = escape.end;
                match rule.decoded {
                    Some(code_of) => {
                        if let Some(code) = code_of(decoded) {
                            self.report(code, escape, rule)?;
                        }
                    }
                    // Letters outside US-ASCII are two to four of them. The rules of parts that end at one look at each.
                    None => self.at = encoded::skip_escapes(self.octets, self.at),
                }
                continue;
            }
            if until.stops(octet) {
                return Ok(());
            }
            if !self.skip_learned(rule, until)? {
                self.odd(rule, until)?;
            }
        }
    }

    /// Reports the octets that come next and goes past them, as far as they are as wrong as octets were lately; says whether they are.
    #[inline]
    fn skip_learned(&mut self, rule: &'static Production, until: Until) -> Outcome<bool> {
        // A `%` may begin an escape.
        let is_end = |octet| octet == b'%' || until.stops(octet);
        let length = self.sink.learned(rule, self.rest(), self.at as u32, is_end)?;
        self.at += length;
        Ok(length > 0)
    }

    /// Reports each `%` that begins no escape, from the one that comes next on: those side by side at once, and those behind plain
    /// characters as the same mistake.
    #[cold]
    fn no_escapes(&mut self, rule: &'static Production) -> Outcome {
        if !S::REPORTS {
            // An error under both profiles, of which nobody asks where it is.
            return self.report(Code::BnfEscape, self.at..self.at, rule);
        }
        let octets = self.octets;
        let is_none = |at: &usize| octets.get(*at) == Some(&b'%') && encoded::escape_at(octets, *at).is_none();
        let run = |from: usize| from..from + (from..).take_while(is_none).count();
        let none = run(self.at);
        self.at = none.end;
        self.report(Code::BnfEscape, none, rule)?;
        self.sink.learn(b'%');
        self.again_behind_plain(rule, run)
    }

    /// What was just reported stands again in each run behind plain characters: a text may make the same mistake at every other octet.
    fn again_behind_plain(&mut self, rule: &'static Production, run: impl Fn(usize) -> Range<usize>) -> Outcome {
        while self.skip_plain(rule) {
            let next = run(self.at);
            if next.is_empty() {
                break;
            }
            self.at = next.end;
            self.again(next)?;
        }
        Ok(())
    }

    /// Reports the octets that come next and that a rule refuses for one reason, and goes past them: many of them are one mistake,
    /// and so are those that follow where only plain characters stand between.
    #[cold]
    fn odd(&mut self, rule: &'static Production, until: Until) -> Outcome {
        let (profile, plain) = (self.profile(), self.plain(rule.class));
        let first = self.octets[self.at];
        let code = rule.code_of(first, profile);
        let is_alike = |octet: u8| {
            let is_other = class::is(octet, plain) || until.stops(octet) || (octet == b'%' && rule.escapes);
            !is_other && rule.code_of(octet, profile) == code
        };
        // No rule says anything of its own about an octet outside US-ASCII.
        let is_alike = |octet: u8| are_alike(first, octet) || is_alike(octet);
        let octets = self.octets;
        let run = |from: usize| {
            let length = octets[from..].iter().take_while(|octet| is_alike(**octet)).count();
            from..from + length
        };
        if !S::REPORTS {
            // An error, of which nobody asks where it is.
            return self.report(code, self.at..self.at, rule);
        }
        let odd = run(self.at);
        self.at = odd.end;
        self.report_detail(code, odd, Some(rule), words!("a field contains a second `=`"))?;
        self.sink.learn(first);
        self.again_behind_plain(rule, run)
    }

    /// What was just reported stands here, too.
    pub(crate) fn again(&mut self, span: Range<usize>) -> Outcome {
        if S::REPORTS { self.sink.again(span.start as u32..span.end as u32) } else { Ok(()) }
    }

    /// What was just reported stands before each of these octets.
    pub(crate) fn again_before(&mut self, places: Range<usize>) -> Outcome {
        match S::REPORTS && !places.is_empty() {
            true => self.sink.again_before(places.start as u32..places.end as u32),
            false => Ok(()),
        }
    }

    /// The octets from here that are alike: the same octet again and again, or all of them outside ASCII. Where nothing is
    /// reported, one after the other.
    pub(crate) fn run(&self) -> Range<usize> {
        self.run_with(|_| false)
    }

    /// The same with octets that are as wrong as the first one.
    pub(crate) fn run_with(&self, is_as_wrong: impl Fn(u8) -> bool) -> Range<usize> {
        if !S::REPORTS {
            return self.at..self.at + 1;
        }
        let first = self.octets[self.at];
        let is_one = |octet: &&u8| are_alike(first, **octet) || is_as_wrong(**octet);
        self.at..self.at + self.rest().iter().take_while(is_one).count()
    }

    #[inline(always)]
    pub(crate) fn report(&mut self, code: Code, span: Range<usize>, rule: &'static Production) -> Outcome {
        self.report_detail(code, span, Some(rule), Words::NONE)
    }

    /// Reports a problem, at the level its code has under this profile. Compiled where it is used, so that the reading that
    /// reports nothing only has to stop or to continue.
    #[inline(always)]
    pub(crate) fn report_detail(
        &mut self,
        code: Code,
        span: Range<usize>,
        rule: Option<&'static Production>,
        detail: Words,
    ) -> Outcome {
        if S::REPORTS {
            return self.tell(code, span, rule, detail);
        }
        match code.level(self.layout.profile()) {
            Level::Error => Err(Stop),
            Level::Warning | Level::Note => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn tell(&mut self, code: Code, span: Range<usize>, rule: Option<&'static Production>, detail: Words) -> Outcome {
        let (start, end) = (span.start as u32, span.end as u32);
        // A text may make the same mistakes again and again.
        if let Some(told) = self.sink.like_recent(&Like { code, rule, detail }, start..end) {
            return told;
        }
        let level = code.level(self.layout.profile());
        let section = code.row().section;
        self.sink.put(RawProblem { code, level, start, end, rule, section, detail, help: "" })
    }

    /// Reports each raw `octet` of a part that was read. For warnings: does nothing where none are wanted.
    pub(crate) fn remark_each<const N: usize>(
        &mut self,
        slot: usize,
        octets: [u8; N],
        code: Code,
        rule: &'static Production,
    ) -> Outcome {
        if !S::REPORTS {
            return Ok(());
        }
        let Some(span) = self.layout.slots[slot].range() else {
            return Ok(());
        };
        let (mut at, part) = (span.start, &self.octets[..span.end]);
        while let Some(next) = word::position_of(&part[at..], octets) {
            at += next + 1;
            self.report(code, at - 1..at, rule)?;
        }
        Ok(())
    }

    /// Whether `read` succeeds from here, without a trace.
    pub(crate) fn would(&self, read: impl FnOnce(&mut Reader<'_, FirstError>) -> Outcome) -> bool {
        let mut layout = *self.layout;
        let mut probe = Reader::new(self.octets, &mut layout, FirstError);
        probe.at = self.at;
        read(&mut probe).is_ok()
    }
}

/// Whether octets are the same, or both outside US-ASCII.
fn are_alike(one: u8, other: u8) -> bool {
    one == other || !(one.is_ascii() || other.is_ascii())
}

#[cfg(test)]
mod tests;
