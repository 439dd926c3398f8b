//! Finds and checks URLs in texts.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use urlwise::find::{Finder, Hit};

use super::Checker;
use crate::exit::Failure;
use crate::find::Schemes;
use crate::report::{Found, Tally, Where};
use crate::walk::{self, Places, Source, Walk, Walked};

/// Checks the URLs in all files of a walk.
pub(super) fn check(
    walk: &Walk,
    checker: &Checker<'_>,
    schemes: &Schemes,
    out: &mut (dyn Write + Send),
) -> Result<(Walked, Tally), Failure> {
    let totals = Mutex::new(Tally::default());
    let visitor = || Visitor { checker, schemes, places: Places::START, tally: Tally::default(), totals: &totals };
    let walked = walk::walk(walk, visitor, out)?;
    let mut tally = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.texts = walked.texts;
    Ok((walked, tally))
}

/// One thread.
struct Visitor<'c> {
    checker: &'c Checker<'c>,
    schemes: &'c Schemes,
    places: Places,
    tally: Tally,
    totals: &'c Mutex<Tally>,
}

impl walk::Look for Visitor<'_> {
    fn begin(&mut self, _: &Source<'_>) {
        self.places = Places::START;
    }

    fn block(&mut self, source: &Source<'_>, block: &[u8], is_last: bool, out: &mut Vec<u8>) -> bool {
        for hit in Finder::new().profile(self.checker.profile).hits(block).filter(|hit| self.schemes.contains(hit)) {
            self.tally.urls += 1;
            let findings = self.checker.found_in(&hit, &mut self.tally);
            if findings.found.is_empty() {
                continue;
            }
            let places = &mut self.places;
            let at = |found: &Found| place(&hit, found, source, block, places);
            self.checker.report(hit.reference().as_bytes(), &findings, at, out);
            if self.checker.is_done() {
                return false;
            }
        }
        if !is_last {
            self.places.next(block);
        }
        true
    }

    fn end(&mut self, _: &Source<'_>, _: &mut Vec<u8>) {}
}

/// The location of a problem or finding in the text.
fn place<'s>(hit: &Hit<'_>, found: &Found, source: &Source<'s>, block: &[u8], places: &mut Places) -> Where<'s> {
    let start = hit.source(found.span.start);
    // If the span ends before removed white space, the location ends there too, not after it.
    let end = match found.span.end {
        end if end > found.span.start => hit.source(end - 1) + 1,
        _ => start,
    };
    let begin = hit.span().start;
    let is_one_piece = hit.span().len() == hit.reference().len();
    let url = is_one_piece.then(|| places.offset() + begin);
    let from = places.of(block, start);
    Where::Text { path: source.path, start: from, end: from.after(&block[start..end.max(start)]), url }
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        *self.totals.lock().unwrap_or_else(PoisonError::into_inner) += self.tally;
    }
}
