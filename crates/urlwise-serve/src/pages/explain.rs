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
use urlwise_readings::{Difference, Reader, ReadingParts, Readings};

use super::super::http::fields::link;
use super::super::opening::{left_out, without_password};
use super::frame::Frame;
use super::problem::capital;
use super::text;

/// The longest sentence, in octets.
const SENTENCE: usize = 2000;
/// The most of a part that is shown, in octets.
const SHOWN: usize = 1000;
/// The most of a URL under a page, in octets.
const URL: usize = 4000;
/// The most problems that are drawn.
const MOST: usize = 20;
/// Octets before and after those of a problem.
const AROUND: usize = 60;
/// How many colours parts have.
const COLOURS: usize = 6;

/// A part of a reading and how to get it.
type Part = (Difference, for<'p> fn(&'p ReadingParts<'_>) -> Option<&'p str>);

/// The parts that are compared; passwords are not shown.
const PARTS: [Part; 7] = [
    (Difference::Scheme, |parts| Some(&parts.scheme)),
    (Difference::User, |parts| parts.user.as_deref()),
    (Difference::Host, |parts| parts.host.as_deref()),
    (Difference::Port, |parts| parts.port.as_deref()),
    (Difference::Path, |parts| Some(&parts.path)),
    (Difference::Query, |parts| parts.query.as_deref()),
    (Difference::Fragment, |parts| parts.fragment.as_deref()),
];

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
        @if let Some(verdict) = explanation.readings().verdict() { p class="verdict" { (text::masked(&verdict)) } }
        @if let Some(meaning) = explanation.meaning(drawn, SENTENCE) { p class="meaning" { (meaning) } }
        @if let (Some(url), Place::Gateway) = (drawn.url(), place) {
            p { a class="button" href=(link("/open", &without_password(&url))) { "Open" } }
        }
        (meant(&explanation, place))
        (rows("compared", "What later RFCs changed", &explanation.compared()))
        (rows("implied", "What it implies", &explanation.implied()))
        @if !problems.is_empty() {
            section aria-labelledby="problems" {
                h2 id="problems" { "Problems" }
                ul class="problems" { @for one in problems { (problem(one, octets, explanation.secrets())) } }
                @if more > 0 { p { "And " (more) " more." } }
            }
        }
        @if let Some(url) = drawn.url() { @if !findings.is_empty() { (audit(&findings, &url)) } }
        @if let Ok(input) = str::from_utf8(octets) { (readings(input, drawn.profile())) }
        (rows("dialogue", "The dialogue that opening it would cause", &dialogue))
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

fn rows(id: &str, title: &str, rows: &[Row]) -> Markup {
    html! {
        @if !rows.is_empty() {
            section aria-labelledby=(id) {
                h2 id=(id) { (title) }
                dl class="headers" { @for (name, what) in rows { dt { (name) } dd { (text::masked(what)) } } }
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
            p { strong { (problem.level().to_string()) } ": " (text::masked(&problem.message().to_string())) "." }
            @if let Some(help) = problem.help() { p { (capital(&text::masked(&help.to_string()))) "." } }
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
                        p { (capital(&text::masked(&finding.message().to_string()))) "." }
                        p { (capital(&text::masked(&finding.help().to_string()))) "." }
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

/// What standards and programs read, side by side; a row in which they differ is marked.
fn readings(input: &str, profile: Profile) -> Markup {
    let readings = Readings::by(input, profile, Reader::ALL);
    let differs = readings.differs();
    let is_seen = |part: &Part| {
        readings.iter().any(|(_, reading)| reading.parts().is_some_and(|parts| (part.1)(parts).is_some()))
    };
    html! {
        section aria-labelledby="readings" {
            h2 id="readings" { "What others read" }
            p { (capital(&text::masked(&readings.sentence().to_string()))) "." }
            div class="scrolled" tabindex="0" role="region" aria-label="Readings" {
                table {
                    thead {
                        tr {
                            th scope="col" { "Part" }
                            @for (reader, _) in readings.iter() { th scope="col" { (reader.name()) } }
                        }
                    }
                    tbody {
                        @for part in PARTS.iter().filter(|part| is_seen(part)) {
                            tr class=[differs.contains(part.0).then_some("differs")] {
                                th scope="row" { (part.0.name()) @if differs.contains(part.0) { " " small { "differs" } } }
                                @for (_, reading) in readings.iter() {
                                    td {
                                        @match reading.parts().map(part.1) {
                                            None => span class="absent" { "refused" },
                                            Some(None) => span class="absent" { "absent" },
                                            Some(Some("")) => span class="absent" { "empty" },
                                            Some(Some(value)) => code { (elide(&text::masked(&readings.shown(value)), SHOWN)) },
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
