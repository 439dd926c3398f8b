//! What went wrong: the cause, the section of the standard or of our rules, and the way out.

use maud::{Markup, html};
use urlwise::{Citation, Diagnosis, Language, Level, Problem, Verdict, Words};
use urlwise_open::protocol::Note;
use urlwise_open::{Error, ErrorKind};

use super::super::http::fields::link;
use super::super::http::response::Status;
use super::super::opening::left_out;
use super::frame::Frame;
use super::text;
use crate::language::{marked, said};

/// Of more problems of one text the first are shown.
const MOST: usize = 20;

/// Notes about an answer.
pub(crate) fn notes(notes: &[Note], language: Language) -> Markup {
    html! {
        @if !notes.is_empty() {
            section class="notes" aria-label=(said!(language, "Notes")) {
                ul {
                    @for note in notes { li { (text::sentence(&note.message_in(language).to_string(), language)) } }
                }
            }
        }
    }
}

/// The status that says what kind of error it is.
pub(crate) fn status(kind: ErrorKind) -> Status {
    match kind {
        ErrorKind::InvalidUrl => Status::BadRequest,
        ErrorKind::Refused | ErrorKind::Login => Status::Forbidden,
        ErrorKind::NotFound => Status::NotFound,
        ErrorKind::NoAccess => Status::NotImplemented,
        ErrorKind::Timeout => Status::GatewayTimeout,
        _ => Status::BadGateway,
    }
}

/// An error in the middle of a page or as the whole of it.
pub(crate) fn error(error: &Error, help: Option<&str>, language: Language) -> Markup {
    let kind = html! { code { (error.kind().name()) } };
    let own = error.help().map(|help| help.in_language(language).to_string());
    html! {
        div class="problem" role="alert" {
            p class="what" { (text::sentence(&error.sentence_in(language), language)) }
            dl {
                dt { (said!(language, "Kind")) }
                dd { (marked!(language, "{kind}: {meaning}", kind = kind, meaning = text::message(&error.kind().meaning_in(language)))) }
                @if let Some(rule) = error.refused_by() { dt { (said!(language, "Rule")) } dd { code { (rule) } } }
                @if let Some(reference) = error.reference_in(language) { dt { (said!(language, "Section")) } dd { (reference) } }
                @if let Some(code) = error.server_code() { dt { (said!(language, "The server\u{2019}s code")) } dd { (code) } }
                @if let Some(url) = error.url() { dt { (said!(language, "At")) } dd { code { (text::masked(url)) } } }
                @if !error.redirects().is_empty() {
                    dt { (said!(language, "Reached from")) }
                    @for url in error.redirects() { dd { code { (text::masked(url)) } } }
                }
                @if own.is_some() || help.is_some() {
                    dt { (said!(language, "What to do")) }
                    @for help in own.as_deref().into_iter().chain(help) { dd { (text::sentence(help, language)) } }
                }
            }
            (notes(error.notes(), language))
        }
    }
}

/// A text that is not a valid URL, with the URL that it was meant to be.
pub(crate) fn invalid(diagnosis: &Diagnosis<'_>, language: Language) -> Markup {
    let verdict = diagnosis.verdict();
    let problems = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
    html! {
        @match &verdict {
            Verdict::Repaired(repaired) => {
                p { (said!(language, "There is one way to repair it:")) }
                (choice(repaired.url().as_str(), None))
            }
            Verdict::Refused(_) | Verdict::Valid { .. } => {
                @if !verdict.suggestions().is_empty() {
                    p { (said!(language, "Did you mean:")) }
                    @for suggestion in verdict.suggestions() { (choice(suggestion.url(), Some(&suggestion.why_in(language)))) }
                }
            }
        }
        section aria-labelledby="problems" {
            h2 id="problems" { (said!(language, "Problems")) }
            ul class="problems" {
                @for problem in problems.take(MOST) {
                    li {
                        p { (text::sentence(&problem.message_in(language).to_string(), language)) }
                        @if let Some(help) = problem.help_in(language) { p { (text::sentence(&help.to_string(), language)) } }
                        p class="source" { (source(problem, language)) }
                    }
                }
            }
        }
    }
}

/// The code of a problem, and the section and the decision that it rests on.
pub(crate) fn source(problem: &Problem<'_>, language: Language) -> Markup {
    let section = Citation::new(problem.section(), problem.decision()).display_in(language).to_string();
    let code = html! { code { (problem.code()) } };
    if problem.section().starts_with("RFC ") {
        return marked!(language, "{code}, {rfc}", code = code, rfc = html! { (section) });
    }
    marked!(language, "{code}, RFC 1738 {section}", code = code, section = html! { (section) })
}

fn choice(url: &str, why: Option<&str>) -> Markup {
    html! {
        p class="choice" {
            a href=(link("/open", &left_out(url))) { (text::masked(url)) }
            @if let Some(why) = why { " " small { (text::message(why)) } }
        }
    }
}

/// A request that is refused.
pub(crate) fn refused(title: Words, why: &str, what_to_do: Words, language: Language) -> String {
    let frame = Frame { language, title: title.get(language).into_owned(), ..Frame::default() };
    frame.around(&html! {
        div class="problem" role="alert" {
            p class="what" { (text::sentence(why, language)) }
            p { (text::message(&what_to_do.get(language))) }
        }
    })
}

/// A link on another site leads here: the person decides.
pub(crate) fn from_elsewhere(target: &str, url: &str, language: Language) -> String {
    let frame = Frame { language, title: said!(language, "Open this URL?").to_owned(), ..Frame::default() };
    frame.around(&html! {
        p { (said!(language, "A page of another site, or a program, wants to open this URL:")) }
        p class="choice" { a href=(target) { (text::masked(url)) } }
        p { (said!(language, "Nothing has been opened yet.")) }
    })
}
