//! What a URL is: its parts in colour with a label under each, what it means, its problems under their octets, the audit, what
//! others read, and the dialogue to open it. What is said is `urlwise-explain`'s; here it is drawn.

use std::borrow::Cow;
use std::ops::Range;

use maud::{Markup, html};
use urlwise::audit::Finding;
use urlwise::{Citation, Language, Level, Problem, Profile, Url};
use urlwise_explain::alike::Alike;
use urlwise_explain::findings::refusal;
use urlwise_explain::secret::Secrets;
use urlwise_explain::snippets::{are_all, places_in};
use urlwise_explain::wrap::elide_in;
use urlwise_explain::{Explanation, Row, row_name_in};
use urlwise_open::{Client, Error};
use urlwise_readings::{Reader, Readings};

use super::super::http::fields::link;
use super::super::opening::{Opening, PROFILE, left_out, without_password};
use super::super::options::CommandOptions;
use super::crumbs::shortened;
use super::diagram;
use super::frame::Frame;
use super::{readings, text};
use crate::language::{marked, said};

/// The longest sentence, in octets.
const SENTENCE: usize = 2000;
/// The most of a URL that is shown as a whole, in octets. It stands in the commands, too, and in HTML some characters take six octets.
const URL: usize = 1000;
/// The longest text of which the page shows what others read, in octets.
const READ: usize = 4 << 10;
/// The most problems that are drawn, and the most risks.
const MOST: usize = 20;
/// Octets before and after those of a problem.
const AROUND: usize = 40;
/// The most octets from the first place of a problem to the last one that is marked.
const REACH: usize = 200;

/// Where a page is read.
#[derive(Clone, Copy)]
pub(crate) enum Place<'g> {
    /// In the gateway: other URLs are links, commands have its options, and it says what it would not open.
    Gateway(&'g CommandOptions, &'g Opening, fn(&Error) -> Option<String>),
    /// In a file by itself, which leads nowhere: a click selects another URL.
    File,
}

impl Place<'_> {
    /// A URL that may have been meant, in one click.
    fn choice(self, url: &str, language: Language) -> Markup {
        html! {
            @match self {
                Place::Gateway(..) => {
                    @let there = left_out(url);
                    a href=(link("/explain", &there)) { (shown(url.as_bytes(), &secrets(url.as_bytes()), language)) }
                    @if there != url { " " small { (said!(language, "The link leaves out the password.")) } }
                }
                Place::File => code { (shown(url.as_bytes(), &secrets(url.as_bytes()), language)) },
            }
        }
    }

    /// What the options of the gateway can do about an error.
    fn help(self, error: &Error) -> Option<String> {
        match self {
            Place::Gateway(_, _, help) => help(error),
            Place::File => None,
        }
    }
}

/// The page of a text.
pub(crate) fn page(
    octets: &[u8],
    asked: Option<Profile>,
    client: &Client,
    place: Place<'_>,
    language: Language,
) -> String {
    let is_file = matches!(place, Place::File);
    let input = str::from_utf8(octets).ok().map(typed);
    // What is elided, or was not text, cannot be typed.
    let whole = input.as_ref().filter(|input| input.len() <= URL);
    let commands = whole.map_or_else(Vec::new, |whole| commands(whole, asked, place));
    // Octets that are no text cannot stand in a field, and a file has none.
    let field = input.filter(|_| !is_file).map(|input| text::visible(&input).into_owned());
    let shown = shown(octets, &secrets(octets), language);
    let frame = Frame {
        language,
        title: said!(language, "What this URL is").to_owned(),
        about: shortened(&shown),
        field: field.unwrap_or_default(),
        commands,
        url: shown,
        is_file,
        ..Frame::default()
    };
    frame.around(&content(octets, asked, client, place, language))
}

/// The passwords of a text: those that one of the readers sees whose readings the page shows.
fn secrets(octets: &[u8]) -> Secrets {
    let readers = if octets.len() <= READ { Reader::ALL } else { Reader::STANDARDS };
    Secrets::read_by(octets, readers, false)
}

/// A text without its passwords, to be typed.
fn typed(text: &str) -> String {
    let left = left_out(text);
    secrets(left.as_bytes()).left_out(&left)
}

/// A text or URL with its passwords masked, elided; a long one is never complete in memory.
fn shown(octets: &[u8], secrets: &Secrets, language: Language) -> String {
    let whole = 0..octets.len();
    match octets.len() > diagram::LONG {
        true => secrets.elided_in(octets, whole, URL, language),
        false => {
            // A backslash stays one unless something else is escaped.
            let shown = secrets.plain(octets, whole.clone()).unwrap_or_else(|| secrets.shown(octets, whole));
            elide_in(&shown, URL, language)
        }
    }
}

/// The commands that say what the page says: what the text is, what others read, and the dialogue.
fn commands(input: &str, asked: Option<Profile>, place: Place<'_>) -> Vec<String> {
    let profile: Vec<String> = asked.iter().flat_map(|profile| ["--profile".into(), profile.to_string()]).collect();
    let readers: Vec<_> = Reader::ALL.iter().map(|reader| reader.id()).collect();
    let readers = [profile.clone(), vec!["--readers".into(), readers.join(",")]].concat();
    let mut commands = vec![text::command("explain", &profile, input), text::command("compare", &readers, input)];
    match (place, Url::parse_with(input, asked.unwrap_or(PROFILE))) {
        (Place::Gateway(options, ..), Ok(url)) => {
            commands.push(text::command("get --dry-run", &options("get", url.scheme()), input));
        }
        // `get` reads by this profile alone.
        (Place::File, Ok(url)) if url.profile() == PROFILE => {
            commands.push(text::command("get --dry-run", &[], input));
        }
        (Place::Gateway(..) | Place::File, _) => {}
    }
    commands
}

/// What there is to say about a text.
fn content(octets: &[u8], asked: Option<Profile>, client: &Client, place: Place<'_>, language: Language) -> Markup {
    let explanation = Explanation::of(octets, asked, false).hiding(secrets(octets));
    let drawn = explanation.readings().drawn();
    let (problems, more) = explanation.problems(MOST);
    let codes: Vec<_> = problems.iter().map(|problem| problem.code()).collect();
    let objection = explanation.meant().objection_in(&codes, language);
    let findings = explanation.findings();
    let secrets = explanation.secrets();
    // A page opens what its links lead to: the URL as it is read today, without its password.
    let opened = || explanation.readings().opened().url().map(|url| without_password(&url).into_owned());
    let (opening, opened) = match place {
        Place::Gateway(_, opening, _) => (Some(opening), opened()),
        Place::File => (None, None),
    };
    let plan = match (opening, opened.as_deref().map(|url| Url::parse_with(url, PROFILE))) {
        (Some(opening), Some(Ok(url))) => Some(opening.plan(&url)),
        _ => None,
    };
    let refused_by = match (&plan, drawn.url()) {
        (Some(plan), _) => plan.as_ref().err().and_then(Error::refused_by),
        (None, Some(url)) => findings.iter().find_map(|finding| refusal(finding, &url)).map(|rule| rule.id),
        (None, None) => None,
    };
    html! {
        (diagram::markup(octets, &explanation.marks_in(language), secrets, language))
        @if let Some(verdict) = explanation.readings().verdict_in(language) { p class="verdict" { (text::message(&verdict)) } }
        @if let Some(meaning) = explanation.meaning_in(drawn, SENTENCE, language) { p class="meaning" { (text::message(&meaning)) } }
        @if let (Some(url), Some(Ok(_))) = (&opened, &plan) {
            p { a class="button" href=(link("/open", url)) { (said!(language, "Open")) } }
        }
        @if let Some(Err(_)) = &plan { p { a href="#dialogue" { (said!(language, "Why it would not be opened")) } } }
        (meant(&explanation, &codes, objection.as_ref(), place, language))
        (rows("compared", said!(language, "What later RFCs changed"), &explanation.compared_in(language), text::message, language))
        (rows("implied", said!(language, "What it implies"), &explanation.implied_in(language), text::message, language))
        @if !problems.is_empty() {
            section aria-labelledby="problems" {
                h2 id="problems" { (said!(language, "Problems")) }
                ul class="problems" { @for one in problems { (problem(one, objection.is_none(), octets, secrets, language)) } }
                @if more > 0 { p { (said!(language, "And {count} more.", count = more)) } }
                @if drawn.url().is_none() { p { (said!(language, "Risks are looked for in a valid URL.")) } }
            }
        }
        @if !findings.is_empty() { (audit(&findings, refused_by, octets, secrets, language)) }
        @if let Ok(input) = str::from_utf8(octets) { (others(input, drawn.profile(), language)) }
        @match &plan {
            Some(Err(error)) => section aria-labelledby="dialogue" {
                h2 id="dialogue" { (said!(language, "Why it would not be opened")) }
                (super::problem::error(error, place.help(error).as_deref(), language))
            },
            Some(Ok(plan)) => (dialogue(&explanation.planned_in(plan, language), language)),
            None => (dialogue(&explanation.dialogue_in(client, language), language)),
        }
    }
}

/// What others read, if the text is not too long: each of them may write it three times as long.
fn others(input: &str, profile: Profile, language: Language) -> Markup {
    html! {
        @if input.len() <= READ {
            (readings::markup(&Readings::by(input, profile, Reader::ALL), language))
        } @else {
            p { (text::sentence(said!(language, "what others read is not shown of so long a text; `urlwise compare` shows it"), language)) }
        }
    }
}

/// The dialogue to open a URL.
fn dialogue(lines: &[Row], language: Language) -> Markup {
    let title = said!(language, "The dialogue to open it");
    rows("dialogue", title, lines, |line| html! { (text::masked(line)) }, language)
}

/// A link to the repaired URL, or to each URL that may have been meant. If there is neither, `objection` says why and what to do.
/// `codes` are those of the problems that the page shows.
fn meant(
    explanation: &Explanation<'_>,
    codes: &[&str],
    objection: Option<&(String, Option<Cow<'static, str>>)>,
    place: Place<'_>,
    language: Language,
) -> Markup {
    let repaired = explanation.meant().repaired().map(|repaired| repaired.url().as_str());
    let suggestions = explanation.meant().suggestions();
    html! {
        @if let Some(url) = repaired {
            p class="choice" { (marked!(language, "Repaired: {url}", url = place.choice(url, language))) }
        } @else if !suggestions.is_empty() {
            p { (said!(language, "Did you mean:")) }
            @for one in suggestions {
                p class="choice" { (place.choice(one.url(), language)) " " small { (text::message(&one.why_in(language))) } }
            }
        }
        // Where a problem is the reason, it says so.
        @if let Some((reason, help)) = objection {
            @if let Some(unchanged) = explanation.meant().unchanged_in(codes, language) {
                p { (text::sentence(&unchanged, language)) }
            }
            p { (text::sentence(reason, language)) }
            @if let Some(help) = help { p { (text::sentence(help, language)) } }
        }
    }
}

/// Names and what there is to say of each. What is sent is shown as it is; prose has code between backticks.
fn rows(id: &str, title: &str, rows: &[Row], shown: fn(&str) -> Markup, language: Language) -> Markup {
    html! {
        @if !rows.is_empty() {
            section aria-labelledby=(id) {
                h2 id=(id) { (title) }
                dl class="headers" { @for (name, what) in rows { dt { (row_name_in(name, language)) } dd { (shown(what)) } } }
            }
        }
    }
}

/// A part of the text with the places that something is said of, in order: those that are marked, and how many are too far away.
fn excerpt(
    octets: &[u8],
    spans: impl Iterator<Item = Range<usize>>,
    secrets: &Secrets,
    language: Language,
) -> (Markup, usize) {
    let mut spans = spans.peekable();
    let begin = spans.peek().map_or(0, |first| first.start);
    let mut marked: Vec<Range<usize>> = Vec::new();
    let mut more = 0;
    for span in spans {
        match marked.last() {
            // The first one is marked however long it is.
            Some(last) if span.start < last.end || span.end - begin > REACH => more += 1,
            _ => marked.push(span),
        }
    }
    let end = marked.last().map_or(0, |last| last.end);
    let before = begin.saturating_sub(AROUND)..begin;
    let after = end..(end + AROUND).min(octets.len());
    let starts = marked.iter().skip(1).map(|span| span.start).chain([end]);
    let pieces = marked.iter().zip(starts).map(|(span, next)| {
        let written = diagram::elided(octets, span.clone(), secrets, language);
        // Something is missing here.
        let written = if written.is_empty() { "\u{2038}".to_owned() } else { written };
        (written, diagram::shown(octets, span.end..next, secrets))
    });
    let excerpt = html! {
        p class="excerpt" {
            code {
                @if before.start > 0 { "\u{2026}" }
                (diagram::shown(octets, before.clone(), secrets))
                @for (written, between) in pieces { mark { (written) } (between) }
                (diagram::shown(octets, after.clone(), secrets))
                @if after.end < octets.len() { "\u{2026}" }
            }
        }
    };
    (excerpt, more)
}

/// A problem under its octets; `helps` unless what is said of the whole text is what to do.
fn problem(problem: &Problem<'_>, helps: bool, octets: &[u8], secrets: &Secrets, language: Language) -> Markup {
    let level = html! { strong { (problem.level().name_in(language)) } };
    let message = text::message(&problem.message_in(language).to_string());
    let (excerpt, more) = excerpt(octets, problem.spans(), secrets, language);
    html! {
        li {
            (excerpt)
            @if more > 0 { p { (text::sentence(&places_in(more, are_all(problem.spans().count()), language), language)) } }
            p { (marked!(language, "{level}: {message}.", level = level, message = message)) }
            @if let Some(help) = problem.help_in(language).filter(|_| helps || problem.level() != Level::Error) { p { (text::sentence(&help.to_string(), language)) } }
            p class="source" { (super::problem::source(problem, language)) }
        }
    }
}

/// The first of what the audit finds, each under its octets. `refused_by` is the rule for which the URL is not opened.
fn audit(
    findings: &[Finding<'_>],
    refused_by: Option<&str>,
    octets: &[u8],
    secrets: &Secrets,
    language: Language,
) -> Markup {
    let alike = Alike::of(findings);
    html! {
        section aria-labelledby="audit" {
            h2 id="audit" { (said!(language, "Risks")) }
            ul class="problems" {
                @for one in alike.iter().take(MOST) {
                    @let finding = one.first();
                    @let (excerpt, more) = excerpt(octets, one.spans(), secrets, language);
                    li {
                        (excerpt)
                        @if more > 0 { p { (text::sentence(&places_in(more, one.are_all(), language), language)) } }
                        p { (found(finding, language)) }
                        p { (text::sentence(&finding.help_in(language).to_string(), language)) }
                        p class="source" { (source(finding, refused_by == Some(finding.code()), language)) }
                    }
                }
            }
            @let more = alike.len().saturating_sub(MOST);
            @if more > 0 { p { (said!(language, "And {count} more.", count = more)) } }
        }
    }
}

/// The severity of a finding and its message.
fn found(finding: &Finding<'_>, language: Language) -> Markup {
    let severity = said!(language, "{severity} risk", severity = finding.severity().name_in(language));
    let message = text::message(&finding.message_in(language).to_string());
    marked!(language, "{level}: {message}.", level = html! { strong { (severity) } }, message = message)
}

/// The code of a finding, the section and the decision that it rests on, and whether the URL is refused for it.
fn source(finding: &Finding<'_>, is_refused: bool, language: Language) -> Markup {
    let section = Citation::new(finding.section(), Some(finding.decision())).display_in(language).to_string();
    let (code, section) = (html! { code { (finding.code()) } }, html! { (section) });
    match is_refused {
        true => marked!(language, "{code}, RFC 1738 {section}, refused", code = code, section = section),
        false => marked!(language, "{code}, RFC 1738 {section}", code = code, section = section),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlwise_open::Options;

    #[test]
    fn a_rule_of_another_rfc_is_cited_without_rfc_1738() {
        let client = Client::new(Options::default());
        let page = content(b"finger://h.dom/a/b", None, &client, Place::File, Language::En).into_string();
        assert!(page.contains(", RFC 1288, D-10</p>") && !page.contains("RFC 1738 RFC"), "{page}");
    }

    #[test]
    fn of_many_risks_the_first_are_shown_and_the_others_counted() {
        let client = Client::new(Options::default());
        for (count, more) in [(MOST, None), (MOST + 1, Some(1)), (MOST + 10, Some(10))] {
            // Each label is a risk of its own: a letter behind `\u{e0}`, in Punycode.
            let letters = ('0'..='9').map(|c| format!("xn--{c}ca."));
            let letters = letters.chain(('b'..='v').filter(|c| *c != 'o').map(|c| format!("xn--{c}da.")));
            let labels: String = letters.take(count).collect();
            let url = format!("http://{labels}dom/");
            let page = content(url.as_bytes(), None, &client, Place::File, Language::En).into_string();
            let risks = page.split_once("id=\"audit\"").and_then(|(_, rest)| rest.split_once("</section>"));
            let risks = risks.expect("a page has its risks").0;
            assert_eq!(risks.matches("<li>").count(), MOST, "{count}: {risks}");
            let said = more.map(|more| format!("<p>And {more} more.</p>"));
            assert_eq!(risks.contains("more.</p>"), said.is_some(), "{count}: {risks}");
            assert!(said.is_none_or(|said| risks.ends_with(&said)), "{count}: {risks}");
        }
    }
}
