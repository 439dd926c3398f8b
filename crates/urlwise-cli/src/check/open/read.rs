//! Judges a link as `check` does, and says whether it is worth opening.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlwise::audit::Provenance;
use urlwise::{Diagnosis, Level, Profile, Reference, Scheme, Url, Verdict as Reading, diagnose};
use urlwise_explain::meant::Meant;
use urlwise_formats::comments::Suppressions;

use super::content::Content;
use super::exclude::Exclude;
use super::links::{Extra, Place, To, Wanted};
use super::verdict::{Proof, Verdict};
use crate::check::{Checker, placeholder, texts};
use crate::document::{Link, Seen};
use crate::find::Schemes;
use crate::language::{language, said};
use crate::position::Position;
use crate::report::{Found, Tally, Where};
use crate::rules::Place as Kind;
use crate::walk::{Places, Source};

/// A link before its URL has a number.
pub(super) struct Draft {
    pub(super) place: Place,
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

/// Where a URL stands that is alone there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Alone<'p> {
    Argument,
    /// A line of a list, from here on; without a path that of standard input.
    Line(Option<&'p Path>, Position),
    /// On a page of the web, whose URL is masked, from here on: an entry of a menu or directory.
    Page(&'p str, Position),
    /// In an element of a sitemap, whose URL is masked, and behind whose tag this place is.
    Element(&'p str, Position, &'p Content<'p>),
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
    pub(super) fn line(self, octets: &[u8], alone: Alone<'_>) -> Draft {
        let (provenance, start) = match alone {
            Alone::Argument => (Provenance::Given, Position::START),
            Alone::Line(_, start) => (Provenance::Text, start),
            Alone::Page(_, start) | Alone::Element(_, start, _) => (Provenance::Link, start),
        };
        let text = String::from_utf8_lossy(octets);
        let (url, fragment) = split(&text, self.checker.profile);
        let diagnosis = diagnose(url, self.checker.profile);
        let findings = self.checker.found(&diagnosis, Kind::List, provenance, &|_| false, &mut Tally::default());
        let place_of = |span: Range<usize>| match alone {
            Alone::Element(_, _, content) => {
                let from = start.after(content.before(span.start));
                from..start.after(content.before_end(span.end))
            }
            Alone::Argument | Alone::Line(..) | Alone::Page(..) => {
                let [from, to] = [span.start, span.end]
                    .map(|offset| Position { line: start.line, ..start.after(&url.as_bytes()[..offset]) });
                from..to
            }
        };
        let mut reports = Vec::new();
        let place = |found: &Found| {
            let Range { start, end } = place_of(found.span.clone());
            match alone {
                Alone::Argument => Where::Argument,
                Alone::Page(url, _) | Alone::Element(url, ..) => Where::Page { url, start, end },
                Alone::Line(path, Position { line, .. }) => Where::Line { path, line, start, end },
            }
        };
        self.checker.report(url.as_bytes(), &findings, place, &mut reports);
        let judged = self.judge_line(&diagnosis, &text);
        let span = place_of(0..url.len());
        let written = text.clone().into_owned();
        let extra = Extra { findings: findings.found, reports, ..Extra::default() };
        Item { written, url, fragment, span, extra, judged, is_file: false }.draft()
    }

    /// A link of a text; `None` if its scheme was not asked for. `page` is the URL of its page,
    /// masked; `None` for a file of this machine.
    pub(super) fn link(
        self,
        link: &Link<'_>,
        source: &Source<'_>,
        block: &[u8],
        places: &mut Places,
        page: Option<&str>,
        comments: &Arc<Suppressions>,
    ) -> Option<Draft> {
        let (text, span, known) = match link {
            Link::Url(seen) => {
                return self.schemes.contains(seen.hit).then(|| self.url(seen, source, block, places, page, comments));
            }
            Link::OtherScheme(piece) => (piece.text(), piece.span(), self.other_scheme(piece.text())),
            Link::Unresolved(piece) => (piece.text(), piece.span(), unresolved()),
            Link::Template(piece) => (piece.text(), piece.span(), template()),
        };
        let start = places.of(block, span.start);
        let end = start.after(&block[span.clone()]);
        let written: Box<str> = String::from_utf8_lossy(text).into();
        let extra = Extra { comments: around(comments, span.start), ..Extra::default() };
        let place = Place {
            start,
            extra: extra.of(start..end, &written),
            unlike: Some(written),
            fragment: None,
            to: To::Known(Box::new(known)),
        };
        Some(Draft { place, is_sitemap: false })
    }

    /// A URL in a text.
    fn url(
        self,
        seen: &Seen<'_>,
        source: &Source<'_>,
        block: &[u8],
        places: &mut Places,
        page: Option<&str>,
        comments: &Arc<Suppressions>,
    ) -> Draft {
        let hit = seen.hit;
        let diagnosis = diagnose(hit.as_str(), self.checker.profile);
        let findings = self.checker.found_in(seen, &diagnosis, comments, &mut Tally::default());
        let span = seen.span();
        let start = places.of(block, span.start);
        let end = start.after(&block[span.clone()]);
        let mut reports = Vec::new();
        let at = |found: &Found| match page {
            None => texts::place(seen, found, source, block, places),
            Some(url) => {
                let Range { start, end } = texts::span_of(seen, found, block, places);
                Where::Page { url, start, end }
            }
        };
        self.checker.report(hit.reference().as_bytes(), &findings, at, &mut reports);
        let written = seen.target().unwrap_or_else(|| hit.reference().to_owned());
        let judged = self.judge_seen(seen, &diagnosis, &written);
        let item = Item {
            written,
            url: hit.as_str(),
            fragment: hit.fragment().map(str::to_owned),
            span: start..end,
            extra: Extra {
                findings: findings.found,
                reports,
                comments: around(comments, span.start),
                ..Extra::default()
            },
            judged,
            // What a relative link of a file names is on this machine, next to it. A page of the web could name any folder of
            // this machine as its base.
            is_file: seen.is_relative && page.is_none(),
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
            false => Judged::Known(Proof::skipped("form", said!("forms are not sent, and bases are not links"))),
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
            return Judged::Known(Proof::skipped("excluded", said!("it matches a pattern of links to exclude")));
        }
        if kind != Written::Relative && placeholder::login(diagnosis).is_some() {
            return Judged::Known(Proof::skipped("placeholder", said!("the host stands for another one")));
        }
        if let Some(url) = url {
            return Judged::Open(url.to_owned());
        }
        match diagnosis.verdict() {
            Reading::Valid { url, .. } => Judged::Open(url.to_owned()),
            // What has one reading is opened as everybody reads it; that it is wrong is a finding.
            Reading::Repaired(repaired) => Judged::Open(repaired.url().to_owned()),
            Reading::Refused(_) => Judged::Known(invalid(diagnosis, kind, self.checker)),
        }
    }

    /// A link with a scheme that no URL is found by.
    fn other_scheme(self, text: &[u8]) -> Proof {
        let meant = Meant::of(text, self.checker.profile, self.checker.context.show_secrets);
        match meant.question_in(language()) {
            Some(question) => Proof::of(
                Verdict::Dead,
                Some("mistyped-scheme"),
                said!("nothing opens this scheme; {question}", question = question),
            ),
            None => Proof::skipped("unsupported", said!("nothing here opens this scheme")),
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
    let meant = Meant::of_diagnosis(diagnosis, checker.context.show_secrets);
    let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
    let problem = error.map(|error| error.message_in(language()).to_string());
    let said = [problem, meant.question_in(language())].into_iter().flatten();
    let why = said.reduce(|sentence, help| said!("{sentence}; {help}", sentence = sentence, help = help));
    // Who reads a text need not follow what looks like a URL in it; that it is not one is a finding.
    let verdict = if kind == Written::Text { Verdict::Skipped } else { Verdict::Dead };
    Proof::of(verdict, Some("invalid-url"), why.unwrap_or_default())
}

/// A URL with all that is known before it is opened.
struct Item<'i> {
    written: String,
    url: &'i str,
    fragment: Option<String>,
    span: Range<Position>,
    extra: Extra,
    judged: Judged,
    /// It names a file, if its URL does.
    is_file: bool,
}

impl Item<'_> {
    fn draft(self) -> Draft {
        let to = match self.judged {
            Judged::Known(proof) => To::Known(Box::new(proof)),
            Judged::Open(url) => {
                let is_file = self.is_file && url.scheme() == Scheme::File;
                let path = || url.to_file_path().unwrap_or_else(|_| PathBuf::from(url.schemepart()));
                let file = is_file.then(path);
                To::New(Arc::new(Wanted { url, file }))
            }
        };
        let is_opened = matches!(&to, To::New(wanted) if wanted.url.as_str() == self.url);
        let extra = Extra { other_url: (!is_opened).then(|| self.url.into()), ..self.extra };
        let place = Place {
            start: self.span.start,
            extra: extra.of(self.span, &self.written),
            unlike: (self.written != self.url).then(|| self.written.into()),
            fragment: self.fragment.map(String::into_boxed_str),
            to,
        };
        Draft { place, is_sitemap: false }
    }
}

impl Extra {
    /// The same for a link that stands there and is written like this; `None` if it is like most.
    fn of(mut self, span: Range<Position>, written: &str) -> Option<Box<Extra>> {
        self.end = (span.start.after(written.as_bytes()) != span.end).then_some(span.end);
        let Extra { other_url, end, findings, reports, comments } = &self;
        let is_like_most =
            other_url.is_none() && end.is_none() && findings.is_empty() && reports.is_empty() && comments.is_none();
        (!is_like_most).then(|| Box::new(self))
    }
}

/// The comments that may suppress findings at a link at this offset of their block; `None` if the block has no such comments.
fn around(comments: &Arc<Suppressions>, offset: usize) -> Option<(Arc<Suppressions>, usize)> {
    (!comments.is_empty()).then(|| (Arc::clone(comments), offset))
}

fn template() -> Proof {
    Proof::skipped("template", said!("a template puts something into it"))
}

fn unresolved() -> Proof {
    Proof::skipped("no-base", said!("it is not known what the link is relative to: use `--root-dir` or `--base-url`"))
}
