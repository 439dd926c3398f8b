//! Searches and the forms of Gopher+: what a server asks before it answers.

use maud::{Markup, html};
use urlwise::{Language, Url};
use urlwise_open::Form;
use urlwise_open::protocol::gopher::{FieldKind, FormField};

use super::super::http::fields::Form as Fields;
use super::super::opening::without_password;
use super::text;
use crate::language::said;

/// A search: its words become a part of the URL.
pub(crate) fn search(url: &Url<&str>, token: &str, language: Language) -> Markup {
    html! {
        form class="questions" method="post" action="/search" role="search" aria-label=(said!(language, "This server")) {
            input type="hidden" name="token" value=(token);
            input type="hidden" name="url" value=(without_password(url));
            label for="words" { (said!(language, "Words to search for")) }
            input id="words" name="words" type="text" required autocomplete="off";
            button { (said!(language, "Search")) }
        }
    }
}

/// The questions of a form.
pub(crate) fn questions(form: &Form, token: &str, language: Language) -> Markup {
    html! {
        form class="questions" method="post" action="/submit" {
            input type="hidden" name="token" value=(token);
            input type="hidden" name="url" value=(without_password(&form.url().borrow()));
            @for (number, field) in form.fields().iter().enumerate() { (question(number, field)) }
            p class="advice" {
                (said!(language, "The answers are sent to the server once, in a request that others on the network can read."))
            }
            button { (said!(language, "Send")) }
        }
    }
}

fn question(number: usize, field: &FormField) -> Markup {
    let name = number_name(number);
    let label = text::shown(&field.label);
    let default = field.default.as_deref().map(text::read).unwrap_or_default();
    html! {
        @match field.kind {
            FieldKind::Note => { p class="advice" { (text::line(&label)) } }
            FieldKind::Select => {
                p {
                    input type="checkbox" id=(name) name=(name) value="1" checked[default == "1"];
                    " " label for=(name) { (label) }
                }
            }
            FieldKind::Choose => {
                label for=(name) { (label) }
                select id=(name) name=(name) {
                    @for choice in &field.choices {
                        @let choice_text = text::read(choice);
                        option value=(choice_text) selected[choice_text == default] { (text::visible(&choice_text)) }
                    }
                }
            }
            FieldKind::Lines | FieldKind::File => {
                label for=(name) { (label) }
                textarea id=(name) name=(name) rows="6" { (default) }
            }
            FieldKind::Secret => {
                label for=(name) { (label) }
                input type="password" id=(name) name=(name) autocomplete="off";
            }
            _ => {
                label for=(name) { (label) }
                input type="text" id=(name) name=(name) value=(default) autocomplete="off";
            }
        }
    }
}

/// The name of the field with this number.
pub(crate) fn number_name(number: usize) -> String {
    ["answer-", &number.to_string()].concat()
}

/// The answers to a form, one for each of its fields. A box that is not checked is not sent.
pub(crate) fn answers(form: &Form, fields: &Fields) -> Vec<Option<Vec<u8>>> {
    let answer = |(number, field): (usize, &FormField)| {
        let sent = fields.get(&number_name(number)).map(unix_lines);
        match field.kind {
            FieldKind::Note => None,
            FieldKind::Select => Some(sent.unwrap_or_else(|| b"0".to_vec())),
            _ => sent,
        }
    };
    form.fields().iter().enumerate().map(answer).collect()
}

/// The answers as options of `get`. It asks for secrets at the terminal, and takes the name of a file, here `FILE`, where the page has
/// its text.
pub(crate) fn options(form: &Form, answers: &[Option<Vec<u8>>]) -> Vec<String> {
    let questions = form.fields().iter().zip(answers).filter(|(field, _)| field.is_question());
    let option = |(number, (field, answer)): (usize, (&FormField, &Option<Vec<u8>>))| match field.kind {
        FieldKind::Secret => None,
        FieldKind::File => answer.as_ref().map(|_| format!("{number}=FILE")),
        // The line end of the last line says nothing.
        _ => answer.as_ref().map(|answer| {
            let answer = answer.strip_suffix(b"\n").unwrap_or(answer);
            format!("{number}={}", text::read(answer))
        }),
    };
    let options = (1..).zip(questions).filter_map(option);
    options.flat_map(|option| ["--answer".to_owned(), option]).collect()
}

/// What is to be known about the command that sends the answers.
pub(crate) fn advice(form: &Form, language: Language) -> String {
    let has = |kind| form.fields().iter().any(|field| field.kind == kind);
    let mut advice = vec![said!(language, "The command sends the form again.").to_owned()];
    if has(FieldKind::File) {
        advice.push(said!(language, "Write the name of a file in place of `FILE`.").to_owned());
    }
    if has(FieldKind::Secret) {
        advice.push(said!(language, "It asks for secret answers at the terminal.").to_owned());
    }
    advice.join(if language == Language::En { " " } else { "" })
}

/// Browsers end the lines of a text in CR LF.
fn unix_lines(octets: &[u8]) -> Vec<u8> {
    let pairs = octets.iter().zip(octets.iter().skip(1).map(Some).chain([None]));
    pairs.filter(|(octet, next)| !(**octet == b'\r' && *next == Some(&b'\n'))).map(|(octet, _)| *octet).collect()
}
