//! Finds and checks URLs in texts.

use std::io::Write;
use std::ops::Range;
use std::sync::Mutex;

use urlwise::diagnose;
use urlwise::find::Finder;
use urlwise_formats::comments::Suppressions;

use super::Checker;
use crate::document::Seen;
use crate::exit::Failure;
use crate::find::Schemes;
use crate::lock::{locked, unlocked};
use crate::position::Position;
use crate::report::{Found, Tally, Where};
use crate::rules;
use crate::walk::{self, Out, Places, Source, Walk, Walked};

/// Checks the URLs in all files of a walk.
pub(super) fn check(
    walk: &Walk,
    checker: &Checker<'_>,
    schemes: &Schemes,
    out: &mut (dyn Write + Send),
) -> Result<(Walked, Tally), Failure> {
    let totals = Mutex::new(Tally::default());
    let visitor = || Visitor { walk, checker, schemes, tally: Tally::default(), totals: &totals };
    let walked = walk::walk(walk, visitor, out)?;
    let mut tally = unlocked(totals);
    tally.texts = walked.texts;
    Ok((walked, tally))
}

/// One thread.
struct Visitor<'c> {
    walk: &'c Walk,
    checker: &'c Checker<'c>,
    schemes: &'c Schemes,
    tally: Tally,
    totals: &'c Mutex<Tally>,
}

impl walk::Look for Visitor<'_> {
    fn begin(&mut self, _: &Source<'_>) {}

    fn block(&mut self, source: &Source<'_>, start: Position, block: &[u8], out: &mut Out<'_>) -> bool {
        let Visitor { walk, checker, schemes, tally, .. } = self;
        let comments = Suppressions::of(block, rules::id);
        let mut places = Places::from(start);
        let more = walk.each(Finder::new().profile(checker.profile), source, block, |seen| {
            if !schemes.contains(seen.hit) {
                return true;
            }
            tally.urls += 1;
            let diagnosis = diagnose(seen.hit.as_str(), checker.profile);
            let findings = checker.found_in(seen, &diagnosis, &comments, tally);
            if findings.found.is_empty() {
                return true;
            }
            let at = |found: &Found| place(seen, found, source, block, &mut places);
            checker.report(seen.hit.reference().as_bytes(), &findings, at, out.octets());
            out.relieve();
            !checker.is_done()
        });
        if more && !comments.is_empty() {
            let mut places = Places::from(start);
            let at = |span: Range<usize>| {
                let start = places.of(block, span.start);
                let octets = block[span].to_vec();
                let end = start.after(&octets);
                Some((Where::Text { path: source.path, start, end, url: None, is_decoded: source.is_decoded }, octets))
            };
            checker.unused(&comments, false, at, tally, |comment, findings, place| {
                checker.report(comment, findings, |_| place, out.octets());
                out.relieve();
            });
        }
        more
    }

    fn end(&mut self, _: &Source<'_>, _: &mut Vec<u8>) {}

    fn part(&self) -> Option<Self> {
        Some(Visitor { tally: Tally::default(), ..*self })
    }
}

/// The location of a problem or finding in a file.
pub(super) fn place<'s>(
    seen: &Seen<'_>,
    found: &Found,
    source: &Source<'s>,
    block: &[u8],
    places: &mut Places,
) -> Where<'s> {
    let span = seen.span();
    let is_one_piece = span.len() == seen.hit.reference().len();
    let url = is_one_piece.then(|| places.offset() + span.start);
    let Range { start, end } = span_of(seen, found, block, places);
    Where::Text { path: source.path, start, end, url, is_decoded: source.is_decoded }
}

/// From where to where a problem or finding is in a text.
pub(super) fn span_of(seen: &Seen<'_>, found: &Found, block: &[u8], places: &mut Places) -> Range<Position> {
    let start = seen.source(found.span.start);
    // If the span ends before removed white space, the location ends there too, not after it.
    let end = match found.span.end {
        end if end > found.span.start => seen.source(end - 1) + 1,
        _ => start,
    };
    let from = places.of(block, start);
    from..from.after(&block[start..end.max(start)])
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        *locked(self.totals) += self.tally;
    }
}
