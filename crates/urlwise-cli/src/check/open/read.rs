//! Judges a link as `check` does, and says whether it is worth opening.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlwise::audit::Provenance;
use urlwise::{Diagnosis, Level, Profile, Reference, Scheme, Url, Verdict as Reading, diagnose};

use super::exclude::Exclude;
use super::links::{Place, To, UNNUMBERED, Wanted};
use super::verdict::{Proof, Verdict};
use crate::check::rules::Place as Kind;
use crate::check::suppress::Suppressions;
use crate::check::{Checker, Findings, placeholder, texts};
use crate::document::{Link, Seen};
use crate::find::Schemes;
use crate::meant::Meant;
use crate::position::Position;
use crate::report::{Found, Tally, Where};
use crate::walk::{Places, Source};

/// A link before its URL has a number.
pub(super) struct Draft {
    pub(super) place: Place,
    /// `None` if it is not worth opening.
    pub(super) wanted: Option<Arc<Wanted>>,
    pub(super) is_sitemap: bool,
}

impl Draft {
    /// The same, of which it is known that it names a sitemap.
    pub(super) fn of_sitemap(self) -> Draft {
        Draft { is_sitemap: true, ..self }
    }
}

/// Judges URLs.
#[derive(Clone, Copy)]
pub(super) struct Reader<'c> {
    pub(super) checker: &'c Checker<'c>,
    pub(super) schemes: &'c Schemes,
    pub(super) exclude: &'c Exclude,
}

/// How a URL is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Among words.
    Text,
    /// As a link, in a list or as an argument.
    Link,
    /// As a relative link.
    Relative,
}

/// What is known about a URL before it is opened.
pub(super) enum Judged {
    Open(Url<String>),
    Known(Proof),
}

impl Reader<'_> {
    /// A URL that stands alone, with or without a fragment.
    pub(super) fn line(
        self,
        octets: &[u8],
        provenance: Provenance,
        line: Option<(Option<&Path>, usize)>,
        from: Option<Arc<Url<String>>>,
    ) -> Draft {
        let text = String::from_utf8_lossy(octets);
        let (url, fragment) = split(&text, self.checker.profile);
        let diagnosis = diagnose(url, self.checker.profile);
        let findings = self.checker.found(&diagnosis, Kind::List, provenance, &|_| false, &mut Tally::default());
        let at = |offset: usize| {
            let position = Position::START.after(&url.as_bytes()[..offset]);
            Position { line: line.map_or(1, |(_, line)| line), ..position }
        };
        let mut reports = Vec::new();
        let place = |found: &Found| match line {
            None => Where::Argument,
            Some((path, line)) => Where::Line { path, line, start: at(found.span.start), end: at(found.span.end) },
        };
        self.checker.report(url.as_bytes(), &findings, place, &mut reports);
        let judged = self.judge_line(&diagnosis, &text);
        let span = at(0)..at(url.len());
        let written = text.clone().into_owned();
        Item { written, url, fragment, span, findings, reports, judged, from, is_relative: false }.draft()
    }

    /// A link of a text; `None` if its scheme was not asked for.
    pub(super) fn link(
        self,
        link: &Link<'_>,
        source: &Source<'_>,
        block: &[u8],
        places: &mut Places,
        from: Option<&Arc<Url<String>>>,
        comments: &Suppressions,
    ) -> Option<Draft> {
        let (text, span, known) = match link {
            Link::Url(seen) => {
                return self.schemes.contains(seen.hit).then(|| self.url(seen, source, block, places, from, comments));
            }
            Link::OtherScheme(piece) => (piece.text(), piece.span(), self.other_scheme(piece.text())),
            Link::Unresolved(piece) => (piece.text(), piece.span(), unresolved()),
        };
        let start = places.of(block, span.start);
        let place = Place {
            start,
            end: start.after(&block[span]),
            written: String::from_utf8_lossy(text).into(),
            url: None,
            fragment: None,
            to: To::Known(Box::new(known)),
            findings: Vec::new(),
            reports: Vec::new(),
            comments: None,
        };
        Some(Draft { place, wanted: None, is_sitemap: false })
    }

    /// A URL in a text.
    fn url(
        self,
        seen: &Seen<'_>,
        source: &Source<'_>,
        block: &[u8],
        places: &mut Places,
        from: Option<&Arc<Url<String>>>,
        comments: &Suppressions,
    ) -> Draft {
        let hit = seen.hit;
        let diagnosis = diagnose(hit.as_str(), self.checker.profile);
        let findings = self.checker.found_in(seen, &diagnosis, comments, &mut Tally::default());
        let span = seen.span();
        let start = places.of(block, span.start);
        let end = start.after(&block[span]);
        let mut reports = Vec::new();
        let at = |found: &Found| texts::place(seen, found, source, block, places);
        self.checker.report(hit.reference().as_bytes(), &findings, at, &mut reports);
        let written = seen.target().unwrap_or_else(|| hit.reference().to_owned());
        let judged = self.judge_seen(seen, &diagnosis, &written);
        let item = Item {
            written,
            url: hit.as_str(),
            fragment: hit.fragment().map(str::to_owned),
            span: start..end,
            findings,
            reports,
            judged,
            from: from.cloned(),
            is_relative: seen.is_relative,
        };
        item.draft()
    }

    /// Whether a URL in a text is worth opening, and which one it is. `written` is the link as it is written.
    pub(super) fn judge_seen(self, seen: &Seen<'_>, diagnosis: &Diagnosis<'_>, written: &str) -> Judged {
        let kind = match (seen.is_relative, seen.is_link()) {
            (true, _) => Written::Relative,
            (false, true) => Written::Link,
            (false, false) => Written::Text,
        };
        match seen.is_followed() {
            true => self.judge(diagnosis, written, kind),
            false => Judged::Known(Proof::skipped("form", "forms are not sent, and bases are not links")),
        }
    }

    /// Whether a URL that stands alone is worth opening, and which one it is. `text` has its fragment, too.
    pub(super) fn judge_line(self, diagnosis: &Diagnosis<'_>, text: &str) -> Judged {
        self.judge(diagnosis, text, Written::Link)
    }

    /// Whether a URL is worth opening, and which one it is.
    fn judge(self, diagnosis: &Diagnosis<'_>, written: &str, kind: Written) -> Judged {
        let text = String::from_utf8_lossy(diagnosis.octets());
        let url = diagnosis.url();
        let host = url.as_ref().and_then(Url::host);
        if self.exclude.contains(&text, written, host.as_ref().map(|host| host.as_str())) {
            return Judged::Known(Proof::skipped("excluded", "it matches a pattern of links to exclude"));
        }
        if kind != Written::Relative && placeholder::login(diagnosis).is_some() {
            return Judged::Known(Proof::skipped("placeholder", "the host stands for another one"));
        }
        if let Some(url) = url {
            return Judged::Open(url.to_owned());
        }
        match urlwise::verdict(diagnosis.octets(), self.checker.profile) {
            Reading::Valid { url, .. } => Judged::Open(url.to_owned()),
            // What has one reading is opened as everybody reads it; that it is wrong is a finding.
            Reading::Repaired(repaired) => Judged::Open(repaired.url().to_owned()),
            Reading::Refused(_) => Judged::Known(invalid(diagnosis, kind, self.checker)),
        }
    }

    /// A link with a scheme that no URL is found by.
    fn other_scheme(self, text: &[u8]) -> Proof {
        let meant = Meant::of(text, self.checker.profile, self.checker.context.show_secrets);
        match meant.question() {
            Some(question) => {
                Proof::of(Verdict::Dead, Some("mistyped-scheme"), format!("nothing opens this scheme; {question}"))
            }
            None => Proof::skipped("unsupported", "nothing here opens this scheme"),
        }
    }
}

/// The URL of a text that stands alone, and its fragment. All of a text that is not a reference is taken for a URL.
pub(super) fn split(text: &str, profile: Profile) -> (&str, Option<String>) {
    // Nearly all have no fragment.
    let reference = text.contains('#').then(|| Reference::parse_with(text, profile).ok()).flatten();
    let Some(reference) = reference else { return (text, None) };
    let fragment = reference.fragment().map(|fragment| fragment.as_str().to_owned());
    (&text[..reference.url().as_str().len()], fragment)
}

/// A text that is not a URL.
fn invalid(diagnosis: &Diagnosis<'_>, kind: Written, checker: &Checker<'_>) -> Proof {
    let meant = Meant::of(diagnosis.octets(), checker.profile, checker.context.show_secrets);
    let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
    let problem = error.map(|error| error.message().to_string());
    let why = [problem, meant.question()].into_iter().flatten().collect::<Vec<_>>().join("; ");
    // Who reads a text need not follow what looks like a URL in it; that it is not one is a finding.
    let verdict = if kind == Written::Text { Verdict::Skipped } else { Verdict::Dead };
    Proof::of(verdict, Some("invalid-url"), why)
}

/// A URL with all that is known before it is opened.
struct Item<'i> {
    written: String,
    url: &'i str,
    fragment: Option<String>,
    span: Range<Position>,
    findings: Findings<'i>,
    reports: Vec<u8>,
    judged: Judged,
    from: Option<Arc<Url<String>>>,
    is_relative: bool,
}

impl Item<'_> {
    fn draft(self) -> Draft {
        let (to, wanted) = match self.judged {
            Judged::Known(proof) => (To::Known(Box::new(proof)), None),
            Judged::Open(url) => {
                // What a relative link of a file names is on this machine, next to it. A page of the web could name any
                // folder of this machine as its base.
                let is_beside = self.from.as_ref().is_some_and(|from| from.scheme() == Scheme::File);
                let is_file = self.is_relative && is_beside && url.scheme() == Scheme::File;
                let path = || url.to_file_path().unwrap_or_else(|_| PathBuf::from(url.schemepart()));
                let file = is_file.then(path);
                (To::Target(UNNUMBERED), Some(Arc::new(Wanted { url, from: self.from, file })))
            }
        };
        let place = Place {
            start: self.span.start,
            end: self.span.end,
            written: self.written.into(),
            url: Some(self.url.into()),
            fragment: self.fragment.map(String::into_boxed_str),
            to,
            findings: self.findings.found,
            reports: self.reports,
            comments: None,
        };
        Draft { place, wanted, is_sitemap: false }
    }
}

fn unresolved() -> Proof {
    Proof::skipped("no-base", "it is not known what the link is relative to: use `--root-dir` or `--base-url`")
}
