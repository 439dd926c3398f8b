//! What is reported that is no problem of a URL: comments that ignore nothing, and lines that are too long.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

use urlwise::Level;
use urlwise_explain::secret;
use urlwise_formats::comments::Suppressions;

use super::{Checker, Findings};
use crate::input::TooLong;
use crate::language::{language, said};
use crate::position::Position;
use crate::report::{Found, Tally, Where};
use crate::rules::links::{DECISION, LINK_RULES, UNUSED};
use crate::rules::{self, Place};

impl Checker<'_> {
    /// Reports a line of a list that was not read.
    pub(super) fn too_long(
        &self,
        line: &TooLong<'_>,
        path: Option<&Path>,
        start: Position,
        tally: &mut Tally,
        reports: &mut Vec<u8>,
    ) {
        tally.urls += 1;
        let (Some(row), false) = (TooLong::code(), self.is_done()) else { return };
        let Some(level) = self.rules.level(row.code, Level::Error, Place::List) else { return };
        tally.count(level, TooLong::DECISION);
        if self.fails(level) {
            self.failed.store(true, Ordering::Relaxed);
        }
        let found = Found {
            code: row.code,
            level,
            span: TooLong::SPAN,
            spans: vec![TooLong::SPAN],
            places: 1,
            are_all: true,
            section: row.section,
            decision: Some(TooLong::DECISION),
            message: line.text().into_text(language()),
            help: None,
        };
        let findings = Findings { found: vec![found], more: 0, meant: None, written: None };
        let place = |_: &Found| Where::Line { path, line: start.line, start, end: start };
        self.report(b"", &findings, place, reports);
    }

    /// Reports the rules that comments of a text ignore for nothing. `judges`: that is known of rules of links too. `at` gives the place
    /// of a comment and its octets, and `report` reports it.
    pub(super) fn unused<'w>(
        &self,
        comments: &Suppressions,
        judges: bool,
        mut at: impl FnMut(Range<usize>) -> Option<(Where<'w>, Vec<u8>)>,
        tally: &mut Tally,
        mut report: impl FnMut(&[u8], &Findings, Where<'w>),
    ) {
        for (span, rule) in comments.unused() {
            let is_of_links = LINK_RULES.iter().any(|one| one.id == rule);
            let is_known = rules::id(rule).is_some();
            // What is not reported anyway may be ignored for the sake of other runs.
            let is_judged = if is_of_links { judges } else { !is_known || self.rules.is_reported(rule) };
            let Some(level) = self.rules.level(UNUSED, Level::Warning, Place::Text).filter(|_| is_judged) else {
                continue;
            };
            let Some((place, comment)) = at(span) else { continue };
            tally.count(level, DECISION);
            if self.fails(level) {
                self.failed.store(true, Ordering::Relaxed);
            }
            let shown = secret::masked(rule.as_bytes(), false);
            let message = match is_known {
                true => said!("nothing is ignored by `{name}`", name = shown),
                false if rule.is_empty() => said!("the comment names no rule").to_owned(),
                false => said!("there is no rule `{name}`", name = shown),
            };
            let all = 0..comment.len();
            let found = Found {
                code: UNUSED,
                level,
                span: all.clone(),
                spans: vec![all],
                places: 1,
                are_all: true,
                section: "",
                decision: Some(DECISION),
                message,
                help: Some(said!("remove it from the comment")),
            };
            let findings = Findings { found: vec![found], more: 0, meant: None, written: None };
            report(&comment, &findings, place);
        }
    }
}
