//! What went wrong: the cause, the section of the standard or of our rules, and the way out.

use maud::{Markup, html};
use urlwise::{Diagnosis, Level, Verdict};
use urlwise_open::protocol::Note;
use urlwise_open::{Error, ErrorKind};

use super::super::http::fields::link;
use super::super::http::response::Status;
use super::super::opening::{PROFILE, left_out};
use super::frame::Frame;
use super::text;

/// Of more problems of one text the first are shown.
const MOST: usize = 20;

/// Notes about an answer.
pub(crate) fn notes(notes: &[Note]) -> Markup {
    html! {
        @if !notes.is_empty() {
            section class="notes" aria-label="Notes" {
                ul {
                    @for note in notes { li { (note.to_string()) } }
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
        ErrorKind::Timeout => Status::GatewayTimeout,
        _ => Status::BadGateway,
    }
}

/// An error in the middle of a page or as the whole of it.
pub(crate) fn error(error: &Error, help: Option<&str>) -> Markup {
    html! {
        div class="problem" role="alert" {
            p class="what" { (text::message(&capital(&error.sentence()))) "." }
            dl {
                dt { "Kind" } dd { code { (error.kind().name()) } ": " (error.kind().meaning()) }
                @if let Some(rule) = error.refused_by() { dt { "Rule" } dd { code { (rule) } } }
                @if let Some(reference) = error.reference() { dt { "Section" } dd { (reference) } }
                @if let Some(code) = error.server_code() { dt { "The server\u{2019}s code" } dd { (code) } }
                @if let Some(url) = error.url() { dt { "At" } dd { code { (text::masked(url)) } } }
                @if !error.redirects().is_empty() {
                    dt { "Reached from" }
                    @for url in error.redirects() { dd { code { (text::masked(url)) } } }
                }
                @if let Some(help) = error.help() { dt { "What helps" } dd { (text::message(&capital(help))) "." } }
                @if let Some(help) = help { dt { "What helps" } dd { (text::message(&capital(help))) "." } }
            }
        }
    }
}

/// A text that is not a URL, with the URL that it was meant to be.
pub(crate) fn invalid(diagnosis: &Diagnosis<'_>) -> Markup {
    let verdict = urlwise::verdict(diagnosis.octets(), PROFILE);
    let problems = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
    html! {
        @match &verdict {
            Verdict::Repaired(repaired) => {
                p { "It can be read in one way only:" }
                (choice(repaired.url().as_str(), None))
            }
            Verdict::Refused(_) | Verdict::Valid { .. } => {
                @if !verdict.suggestions().is_empty() {
                    p { "Did you mean one of these?" }
                    @for suggestion in verdict.suggestions() { (choice(suggestion.url(), Some(suggestion.why()))) }
                }
            }
        }
        section aria-labelledby="problems" {
            h2 id="problems" { "Problems" }
            ul class="problems" {
                @for problem in problems.take(MOST) {
                    li {
                        p { (text::message(&capital(&problem.message().to_string()))) "." }
                        @if let Some(help) = problem.help() { p { (text::message(&capital(&help.to_string()))) "." } }
                        p class="source" {
                            code { (problem.code()) } ", RFC 1738 section " (problem.section())
                            @if let Some(decision) = problem.decision() { ", " (decision) }
                        }
                    }
                }
            }
        }
    }
}

fn choice(url: &str, why: Option<&str>) -> Markup {
    html! {
        p class="choice" {
            a href=(link("/open", &left_out(url))) { (text::masked(url)) }
            @if let Some(why) = why { " " small { (why) } }
        }
    }
}

/// The text with a capital letter in front.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// A request that is not served.
pub(crate) fn refused(title: &str, why: &str, what_to_do: &str) -> String {
    let frame = Frame { title: title.to_owned(), ..Frame::default() };
    frame.around(&html! {
        div class="problem" role="alert" {
            p class="what" { (capital(why)) "." }
            p { (what_to_do) }
        }
    })
}

/// A page of somebody else leads here: the person decides.
pub(crate) fn from_elsewhere(target: &str, url: &str) -> String {
    let frame = Frame { title: "Open this URL?".to_owned(), ..Frame::default() };
    frame.around(&html! {
        p { "Another page or program wants to open this URL here:" }
        p class="choice" { a href=(target) { (text::masked(url)) } }
        p { "Nothing has been opened yet." }
    })
}
