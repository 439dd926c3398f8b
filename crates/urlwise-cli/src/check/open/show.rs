//! Reports what is known about each place of each link.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;
use urlwise_explain::secret::{self, Secrets};
use urlwise_explain::wrap;
use urlwise_settings::Threshold;

use super::links::{Comments, Links, Origin, Place, Text};
use super::moves::with_fragment;
use super::verdict::{Proof, Verdict};
use crate::check::Checker;
use crate::cli::Format;
use crate::json;
use crate::language::{language, said, words};
use crate::report::{self, Found, Report, Subject, Tally, Where};
use crate::rules::Place as Kind;
use crate::rules::links::{DECISION, LINK_RULES, LinkRule};
use crate::style;

/// The longest link that is quoted for people, in octets.
const QUOTED: usize = 200;

/// How much is written at a time, in octets.
const BLOCK: usize = 64 << 10;

/// What was reported.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// A link of the level of `--fail-on` or above was reported.
    pub(super) failed: bool,
}

impl Shown {
    /// Writes everything that is known. `judges`: all links were asked about, so it is known which comments are not needed.
    pub(super) fn write(
        links: &Links,
        checker: &Checker<'_>,
        fail_on: Threshold,
        judges: bool,
        out: &mut dyn Write,
    ) -> io::Result<Shown> {
        let mut shown = Shown::default();
        for text in &links.texts {
            let (mut reports, mut lines) = (Vec::new(), String::new());
            for place in text.places() {
                let Some(proof) = links.proof(place) else { continue };
                let level = proof.verdict.rule().and_then(|rule| checker.rules.level(rule.id, rule.level, Kind::Text));
                // Of a link that is in order nothing is ignored.
                let rule = proof.verdict.rule().filter(|_| level.is_some());
                let hides = |rule: &LinkRule| place.comments().is_some_and(|(all, at)| all.hides(*at, rule.id));
                let level = level.filter(|_| !rule.is_some_and(hides));
                if matches!(proof.verdict, Verdict::Unknown | Verdict::Refused | Verdict::Skipped) {
                    // Another run may need every comment about links here.
                    LINK_RULES.iter().for_each(|rule| _ = hides(rule));
                }
                let is_reported = level.is_some();
                shown.failed |= is_reported && fails(proof.verdict, fail_on);
                match checker.format {
                    Format::Json => object(text, place, &proof, checker, &mut reports),
                    Format::Human => {
                        reports.extend_from_slice(place.reports());
                        if is_reported {
                            line(text, place, &proof, checker, &mut lines);
                        }
                    }
                    Format::Sarif | Format::Github | Format::Markdown | Format::Junit => {
                        reports.extend_from_slice(place.reports());
                        if let Some(found) = found(&proof, level, place).filter(|_| !is_said(&proof, place)) {
                            report(text, place, &found, fails(proof.verdict, fail_on), checker, &mut reports);
                        }
                    }
                }
                if reports.len() >= BLOCK {
                    out.write_all(&reports)?;
                    reports.clear();
                }
            }
            let path = if let Origin::File(path) = &text.origin { path.as_deref() } else { None };
            for Comments { all, spans } in text.comments.iter().filter(|_| checker.format != Format::Json) {
                let at = |span: Range<usize>| {
                    let (octets, start, end) = spans.get(&span.start)?;
                    let place = Where::Text { path, start: *start, end: *end, url: None, is_decoded: text.is_decoded };
                    Some((place, octets.clone()))
                };
                checker.unused(all, judges, at, &mut Tally::default(), |comment, findings, place| {
                    checker.report(comment, findings, |_| place, &mut reports);
                });
            }
            if !lines.is_empty() {
                let name = checker.context.look.paint(style::LABEL, name(&text.origin));
                reports.extend_from_slice(format!("{name}\n{lines}\n").as_bytes());
            }
            out.write_all(&reports)?;
        }
        Ok(shown)
    }
}

/// Whether a verdict makes the run fail.
fn fails(verdict: Verdict, fail_on: Threshold) -> bool {
    match verdict {
        Verdict::Dead => true,
        Verdict::Unknown => fail_on == Threshold::Unknown,
        Verdict::Alive | Verdict::Moved | Verdict::Refused | Verdict::Skipped => false,
    }
}

/// The name of a text.
fn name(origin: &Origin) -> String {
    match origin {
        Origin::Arguments => format!("<{}>", said!("arguments")),
        Origin::File(None) => "<stdin>".into(),
        Origin::File(Some(path)) => secret::masked_path(path),
        Origin::Page(url) => url.clone(),
    }
}

/// What there is to say: what is wrong, or where the link has moved.
fn sentence(proof: &Proof) -> String {
    match (proof.verdict, &proof.more().final_url) {
        (Verdict::Moved, Some(url)) => {
            let url = with_fragment(url, final_fragment(proof).as_deref());
            said!("moved permanently to {url}", url = wrap::elide_in(&url, QUOTED, language()))
        }
        _ => proof.more().why.clone().unwrap_or_else(|| proof.verdict.shown().into()),
    }
}

/// The fragment that a redirect names, as it is shown.
fn final_fragment(proof: &Proof) -> Option<String> {
    proof.more().fragment.as_ref().map(|fragment| secret::masked(fragment.as_bytes(), false))
}

/// Whether a finding about the URL says by itself why it is refused.
fn is_said(proof: &Proof, place: &Place) -> bool {
    proof.verdict == Verdict::Refused && place.findings().iter().any(|found| proof.cause == Some(found.code))
}

/// The same where the summary says of each rule that refused how to lift it.
fn short_sentence(proof: &Proof, place: &Place) -> String {
    match (&proof.more().refusal, proof.cause) {
        (Some(_), Some(rule)) if is_said(proof, place) => said!("by the rule `{rule}`", rule = rule),
        (Some(what), _) => what.clone(),
        (None, _) => sentence(proof),
    }
}

/// Where there is a copy of a dead link.
fn copy(proof: &Proof) -> Option<String> {
    let suggestion = proof.more().suggestion.as_ref();
    suggestion.map(|url| said!("a copy is at {url}", url = wrap::elide_in(url, QUOTED, language())))
}

/// What to do about a link.
fn help(proof: &Proof, rule: &LinkRule) -> String {
    let help = rule.help.get(language());
    match copy(proof) {
        Some(copy) => said!("{sentence}; {help}", sentence = copy, help = help),
        None => help.into(),
    }
}

/// A line for people, below the name of the text.
fn line(text: &Text, place: &Place, proof: &Proof, checker: &Checker<'_>, lines: &mut String) {
    let look = checker.context.look;
    let spot = match text.origin {
        Origin::Arguments => String::new(),
        Origin::File(_) | Origin::Page(_) => format!("{}:{}", place.start.line, place.start.column),
    };
    let color = match proof.verdict {
        Verdict::Dead => AnsiColor::BrightRed,
        Verdict::Alive => AnsiColor::BrightGreen,
        Verdict::Moved | Verdict::Unknown | Verdict::Refused | Verdict::Skipped => AnsiColor::Yellow,
    };
    let name = proof.verdict.shown();
    let width = Verdict::ALL.iter().map(|verdict| verdict.shown().width()).max().unwrap_or_default();
    let verdict = look.paint(Style::new().fg_color(Some(color.into())), &name);
    let written = secret::elided_in(place.written().as_bytes(), checker.context.show_secrets, QUOTED, language());
    // Writing to a String cannot fail.
    let _ = write!(lines, "  {spot:>8}  {verdict}");
    wrap::blank(lines, width - name.width());
    let sentence = short_sentence(proof, place);
    let sentence = match copy(proof) {
        Some(copy) => said!("{sentence}; {help}", sentence = sentence, help = copy),
        None => sentence,
    };
    let _ = writeln!(lines, "  {}{}{sentence}", look.paint(style::URL, written), words!(": ").get(language()));
}

/// The verdict as a finding.
fn found(proof: &Proof, level: Option<urlwise::Level>, place: &Place) -> Option<Found> {
    let (rule, level) = proof.verdict.rule().zip(level)?;
    let span = 0..place.written().len();
    Some(Found {
        code: rule.id,
        level,
        span: span.clone(),
        spans: vec![span],
        places: 1,
        are_all: true,
        section: "",
        decision: Some(DECISION),
        message: sentence(proof),
        help: Some(help(proof, rule)),
    })
}

/// Reports a finding about a link in the format of the run.
fn report(text: &Text, place: &Place, found: &Found, fails: bool, checker: &Checker<'_>, out: &mut Vec<u8>) {
    let at = match &text.origin {
        Origin::Arguments => Where::Argument,
        Origin::Page(url) => Where::Page { url, start: place.start, end: place.end() },
        Origin::File(path) => {
            let (path, is_decoded) = (path.as_deref(), text.is_decoded);
            Where::Text { path, start: place.start, end: place.end(), url: None, is_decoded }
        }
    };
    let url = place.written().as_bytes();
    let secrets = Secrets::of_url(url, checker.context.show_secrets);
    let subject = Subject { url, secrets: &secrets, meant: None, codes: &[found.code], more: 0 };
    let report = Report { found, subject: &subject, at, is_lead: false, is_last: true, fails };
    report::write(&report, checker.format, checker.context, out);
}

/// The object of a place.
fn object(text: &Text, place: &Place, proof: &Proof, checker: &Checker<'_>, out: &mut Vec<u8>) {
    let masked = |text: &str| secret::masked(text.as_bytes(), checker.context.show_secrets);
    let (path, page, is_listed) = match &text.origin {
        Origin::Arguments => (None, None, false),
        Origin::File(path) => (path.as_deref(), None, true),
        Origin::Page(url) => (None, Some(url.as_str()), true),
    };
    json::line(out, |object| {
        object.field("url", place.url().map(masked).as_deref());
        object.field("target", masked(place.written()).as_str());
        object.field("verdict", proof.verdict.name());
        object.field("cause", proof.cause);
        object.field("final_url", proof.more().final_url.as_deref());
        object.field("final_fragment", final_fragment(proof).as_deref());
        object.field("suggestion", proof.more().suggestion.as_deref());
        object.field("status", proof.status);
        object.field("seconds", proof.elapsed.map(|elapsed| (elapsed.as_secs_f64() * 1e3).round() / 1e3).as_ref());
        object.text("path", path.map(|path| path.as_os_str().as_encoded_bytes()));
        object.field("line", is_listed.then_some(place.start.line));
        object.field("column", is_listed.then_some(place.start.column));
        object.field("page", page);
        object.field("message", proof.more().why.as_deref());
        object.objects("findings", place.findings(), report::finding);
    });
}
