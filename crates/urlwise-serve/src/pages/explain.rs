//! What a URL is: its parts in colour with a label under each, what it means, its problems under their octets, the audit, what
//! others read, and the dialogue that opening it would cause. What is said is `urlwise-explain`'s; here it is drawn.

use maud::{Markup, html};
use urlwise::audit::Finding;
use urlwise::{Problem, Profile, Url};
use urlwise_explain::findings::refusal;
use urlwise_explain::secret::Secrets;
use urlwise_explain::wrap::elide;
use urlwise_explain::{Explanation, Mark, Row};
use urlwise_open::Client;
use urlwise_readings::{Reader, Readings};

use super::super::http::fields::link;
use super::super::opening::{left_out, without_password};
use super::frame::Frame;
use super::problem::capital;
use super::readings::{self, SHOWN};
use super::text;

/// The longest sentence, in octets.
const SENTENCE: usize = 2000;
/// The most of a URL under a page, in octets.
const URL: usize = 4000;
/// The most problems that are drawn.
const MOST: usize = 20;
/// Octets before and after those of a problem.
const AROUND: usize = 60;
/// How many colours parts have.
const COLOURS: usize = 6;

/// Where a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the gateway: other URLs are links.
    Gateway,
    /// In a file by itself, which leads nowhere: a click selects another URL.
    File,
}

impl Place {
    /// A URL that may have been meant, in one click.
    fn choice(self, url: &str) -> Markup {
        html! {
            @match self {
                Place::Gateway => a href=(link("/explain", &left_out(url))) { (text::masked(url)) },
                Place::File => code { (text::masked(url)) },
            }
        }
    }
}

/// The page of a text.
pub(crate) fn page(octets: &[u8], asked: Option<Profile>, client: &Client, place: Place) -> String {
    let input = String::from_utf8_lossy(octets);
    let without_passwords = left_out(&input);
    let frame = Frame {
        title: "What this URL is".to_owned(),
        field: text::visible(&without_passwords).into_owned(),
        commands: vec![text::quoted("explain", &elide(&without_passwords, URL))],
        url: elide(&text::masked(&input), URL),
        is_file: place == Place::File,
        ..Frame::default()
    };
    frame.around(&content(octets, asked, client, place))
}

/// What there is to say about a text.
fn content(octets: &[u8], asked: Option<Profile>, client: &Client, place: Place) -> Markup {
    let explanation = Explanation::of(octets, asked, false);
    let drawn = explanation.readings().drawn();
    let (problems, more) = explanation.problems(MOST);
    let findings = explanation.findings();
    let dialogue = explanation.dialogue(client);
    html! {
        (diagram(octets, &explanation.marks(), explanation.secrets()))
        @if let Some(verdict) = explanation.readings().verdict() { p class="verdict" { (text::message(&verdict)) } }
        @if let Some(meaning) = explanation.meaning(drawn, SENTENCE) { p class="meaning" { (meaning) } }
        @if let (Some(url), Place::Gateway) = (drawn.url(), place) {
            p { a class="button" href=(link("/open", &without_password(&url))) { "Open" } }
        }
        (meant(&explanation, place))
        (rows("compared", "What later RFCs changed", &explanation.compared(), text::message))
        (rows("implied", "What it implies", &explanation.implied(), text::message))
        @if !problems.is_empty() {
            section aria-labelledby="problems" {
                h2 id="problems" { "Problems" }
                ul class="problems" { @for one in problems { (problem(one, octets, explanation.secrets())) } }
                @if more > 0 { p { "And " (more) " more." } }
            }
        }
        @if let Some(url) = drawn.url() { @if !findings.is_empty() { (audit(&findings, &url)) } }
        @if let Ok(input) = str::from_utf8(octets) { (readings::markup(&Readings::by(input, drawn.profile(), Reader::ALL))) }
        (rows("dialogue", "The dialogue that opening it would cause", &dialogue, |line| html! { (text::masked(line)) }))
    }
}

/// The text with its parts in colour, each with its label under it.
fn diagram(octets: &[u8], marks: &[Mark], secrets: &Secrets) -> Markup {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (number, mark) in marks.iter().enumerate() {
        // A part within another one is named by it.
        if mark.span.start < at {
            continue;
        }
        pieces.push((None, secrets.shown(octets, at..mark.span.start)));
        pieces.push((Some((number % COLOURS, mark)), secrets.shown(octets, mark.span.clone())));
        at = mark.span.end;
    }
    pieces.push((None, secrets.shown(octets, at..octets.len())));
    html! {
        p class="diagram" {
            @for (mark, written) in &pieces {
                @match mark {
                    Some((colour, mark)) => {
                        span class={ "part part-" (colour) } {
                            code { (elide(written, SHOWN)) }
                            small { (mark.name) @if let Some(decoded) = &mark.decoded { " = " b { (decoded) } } }
                        }
                    }
                    None => { @if !written.is_empty() { span class="between" { code { (elide(written, SHOWN)) } } } }
                }
            }
        }
    }
}

/// The repaired URL, or those that may have been meant: one click each.
fn meant(explanation: &Explanation<'_>, place: Place) -> Markup {
    let repaired = explanation.meant().repaired().map(|repaired| repaired.url().as_str());
    let suggestions = explanation.meant().suggestions();
    html! {
        @if let Some(url) = repaired {
            p class="choice" { "Repaired: " (place.choice(url)) }
        } @else if !suggestions.is_empty() {
            p { "Did you mean one of these?" }
            @for one in suggestions {
                p class="choice" { (place.choice(one.url())) " " small { (one.why()) } }
            }
        }
    }
}

/// Names and what there is to say of each. What is sent is shown as it is; prose has code between backticks.
fn rows(id: &str, title: &str, rows: &[Row], shown: fn(&str) -> Markup) -> Markup {
    html! {
        @if !rows.is_empty() {
            section aria-labelledby=(id) {
                h2 id=(id) { (title) }
                dl class="headers" { @for (name, what) in rows { dt { (name) } dd { (shown(what)) } } }
            }
        }
    }
}

/// A problem under its octets.
fn problem(problem: &Problem<'_>, octets: &[u8], secrets: &Secrets) -> Markup {
    let span = problem.span();
    let before = span.start.saturating_sub(AROUND)..span.start;
    let after = span.end..(span.end + AROUND).min(octets.len());
    let mut written = elide(&secrets.shown(octets, span.clone()), SHOWN);
    if written.is_empty() {
        // Something is missing here.
        written.push('\u{2038}');
    }
    html! {
        li {
            p class="excerpt" {
                code {
                    @if before.start > 0 { "\u{2026}" }
                    (secrets.shown(octets, before.clone()))
                    mark { (written) }
                    (secrets.shown(octets, after.clone()))
                    @if after.end < octets.len() { "\u{2026}" }
                }
            }
            p { strong { (problem.level().to_string()) } ": " (text::message(&problem.message().to_string())) "." }
            @if let Some(help) = problem.help() { p { (text::message(&capital(&help.to_string()))) "." } }
            p class="source" {
                code { (problem.code()) } ", RFC 1738 section " (problem.section())
                @if let Some(decision) = problem.decision() { ", " (decision) }
            }
        }
    }
}

/// What the audit finds.
fn audit(findings: &[Finding<'_>], url: &Url<&str>) -> Markup {
    html! {
        section aria-labelledby="audit" {
            h2 id="audit" { "Risks" }
            ul class="problems" {
                @for finding in findings {
                    li {
                        p { (text::message(&capital(&finding.message().to_string()))) "." }
                        p { (text::message(&capital(&finding.help().to_string()))) "." }
                        p class="source" {
                            code { (finding.code()) } ", " (finding.severity().to_string()) " risk"
                            @if refusal(finding, url).is_some() { ", refused" }
                        }
                    }
                }
            }
        }
    }
}
