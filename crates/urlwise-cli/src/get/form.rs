//! Forms: answers from the command line or the terminal.
//!
//! Submitting a form has effects on the server, so nothing is sent that the user did not enter: without `--answer` and without a
//! terminal there is an error that shows the questions. Only files that the user names in this run are sent.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::slice;

use urlwise::{GopherPlus, Locator, Url, Words, escape_for_display};
use urlwise_open::policy::MAX_URL;
use urlwise_open::protocol::gopher::{self, FieldKind, FormField};
use urlwise_open::{ErrorKind, FilledForm, Form, Secret};

use super::Run;
use super::attempt::AttemptError;
use crate::exit::{Status, os_message};
use crate::language::{about, language, message, said, words};
use crate::lock::locked;
use crate::ls;
use crate::terminal::{Echo, TerminalPrompt};

/// Refuses `--answer` for a URL that does not name a form: it would be ignored silently.
pub(super) fn check(run: &Run<'_>, url: &Url<&str>) -> Result<(), AttemptError> {
    let asks = matches!(url.locator(), Locator::Gopher(gopher) if gopher.plus() == Some(GopherPlus::Form));
    if asks || run.get.gopher.answer.is_empty() {
        return Ok(());
    }
    let what = said!("--answer requires the URL of a gopher form, which ends in `%09%09?` (RFC 1738 section 3.4.5)");
    Err(AttemptError::Local(Status::Failed(ErrorKind::Refused), what))
}

/// Fills in the form.
pub(super) fn fill(run: &Run<'_>, form: &Form) -> Result<FilledForm, AttemptError> {
    let mut answers = given(run, form)?;
    let asks_all = run.get.gopher.answer.is_empty();
    let is_asked = |field: &FormField, answer: &Option<Vec<u8>>| {
        field.is_question() && answer.is_none() && (asks_all || field.default.is_none())
    };
    if form.fields().iter().zip(&answers).any(|(field, answer)| is_asked(field, answer)) {
        // One form at a time uses the terminal.
        let _terminal = locked(&run.terminal);
        let prompt = TerminalPrompt { console: run.console.clone(), cancel: Some(run.cancel.clone()) };
        if !prompt.say(&format!("{}\n", ls::gopher_text(form.title()))) {
            return Err(unanswered(form));
        }
        let mut number = 0;
        for (field, answer) in form.fields().iter().zip(&mut answers) {
            number += usize::from(field.is_question());
            if !field.is_question() {
                prompt.say(&format!("{}\n", ls::gopher_text(&field.label)));
            } else if is_asked(field, answer) {
                *answer = Some(ask(&prompt, number, field)?);
            }
        }
    }
    Ok(form.fill(&answers)?)
}

/// The answers on the command line.
fn given(run: &Run<'_>, form: &Form) -> Result<Vec<Option<Vec<u8>>>, AttemptError> {
    let mut answers = vec![None; form.fields().len()];
    for answer in &run.get.gopher.answer {
        let octets = answer.as_encoded_bytes();
        // A question may hold `=` itself.
        let places = octets.iter().enumerate().filter(|(_, octet)| **octet == b'=').map(|(at, _)| at);
        let found = places.clone().find_map(|at| form.question(&octets[..at]).map(|number| (number, at)));
        let Some((number, at)) = found else {
            let name = places.clone().next().map_or(octets, |at| &octets[..at]);
            let what = message!(
                "`{name}` does not match exactly one question of the form; {help}",
                name = escape_for_display(name).to_string(),
                help = HELP
            );
            let what = about("--answer", what) + &questions(form);
            return Err(AttemptError::Local(Status::Failed(ErrorKind::Refused), what));
        };
        let value = &octets[at + 1..];
        answers[number] = Some(match form.fields()[number].kind {
            FieldKind::File => file(value).map_err(|why| AttemptError::Local(Status::Failed(ErrorKind::Read), why))?,
            _ => value.to_vec(),
        });
    }
    Ok(answers)
}

/// Asks a question until the answer is valid. An empty line means the default, if there is one.
fn ask(prompt: &TerminalPrompt, number: usize, field: &FormField) -> Result<Vec<u8>, AttemptError> {
    let question = question(number, field);
    let echo = if field.kind == FieldKind::Secret { Echo::Off } else { Echo::On };
    loop {
        let mut answer = typed(prompt, &question, echo)?;
        if field.kind == FieldKind::Lines && !answer.is_empty() {
            loop {
                let line = typed(prompt, "", echo)?;
                if line.is_empty() {
                    break;
                }
                answer.push(b'\n');
                answer.extend(line);
            }
        }
        let answer = match (&field.default, field.kind) {
            (Some(default), _) if answer.is_empty() => Ok(default.clone()),
            (_, FieldKind::File) => file(&answer),
            (_, _) => Ok(answer),
        };
        let answer = answer.and_then(|answer| match gopher::fill(slice::from_ref(field), &[Some(answer.clone())]) {
            Ok(_) => Ok(answer),
            Err(fault) => Err(fault.what().in_language(language()).to_string()),
        });
        match answer {
            Ok(answer) => return Ok(answer),
            Err(why) => prompt.say(&format!("   {why}\n")),
        };
    }
}

/// The text of a question.
fn question(number: usize, field: &FormField) -> String {
    let default = default(field).map(|default| format!(" [{default}]")).unwrap_or_default();
    let mut question = format!("{number}. {}{default}", ls::gopher_text(&field.label));
    for (at, choice) in field.choices.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(question, "\n   {}) {}", at + 1, ls::gopher_text(choice));
    }
    question += &match field.kind {
        FieldKind::Lines => words!(" (ends with an empty line)").get(language()),
        FieldKind::File => words!(" (path of a local file)").get(language()),
        _ => "".into(),
    };
    question += &match field.kind {
        FieldKind::Lines => "\n".into(),
        _ => words!(": ").get(language()),
    };
    question
}

fn typed(prompt: &TerminalPrompt, question: &str, echo: Echo) -> Result<Vec<u8>, AttemptError> {
    let line = prompt.line(question, echo);
    let unanswered = || {
        AttemptError::Local(
            Status::Failed(ErrorKind::Refused),
            said!("the form was not filled in, so nothing was sent"),
        )
    };
    line.as_ref().map(Secret::reveal).map(<[u8]>::to_vec).ok_or_else(unanswered)
}

/// The octets of a file that the user named.
fn file(name: &[u8]) -> Result<Vec<u8>, String> {
    let failed =
        |why| said!("cannot send the file {name}: {why}", name = escape_for_display(name).to_string(), why = why);
    let path = path(name).ok_or_else(|| failed(said!("there is no such file")))?;
    let mut octets = Vec::new();
    let file = File::open(path).map_err(|error| failed(os_message(&error)))?;
    file.take(MAX_URL as u64 + 1).read_to_end(&mut octets).map_err(|error| failed(os_message(&error)))?;
    if octets.len() > MAX_URL {
        return Err(failed(said!("it is longer than a URL may be ({count} octets)", count = MAX_URL)));
    }
    Ok(octets)
}

#[cfg(unix)]
fn path(name: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(name).ok().map(PathBuf::from)
}

/// No terminal is available.
fn unanswered(form: &Form) -> AttemptError {
    let what = said!("the URL names a form, and there is no terminal to fill it in; {help}", help = HELP);
    let what = what + &questions(form);
    AttemptError::Local(Status::Failed(ErrorKind::Refused), what)
}

/// How to answer the questions that follow.
const HELP: Words = words!("use --answer NAME=VALUE with the name or number of a question:");

/// The questions, a line each. Every line is begun by its line end.
fn questions(form: &Form) -> String {
    let mut text = String::new();
    for (number, field) in form.fields().iter().filter(|field| field.is_question()).enumerate() {
        let question = format!("{}. {} ({})", number + 1, ls::gopher_text(&field.label), field.kind.name());
        text += "\n  ";
        if !field.choices.is_empty() {
            let choices: Vec<_> = field.choices.iter().map(|choice| ls::gopher_text(choice)).collect();
            text += &about(question, choices.join(" | "));
        } else if let Some(default) = default(field) {
            text += &said!("{question}, default `{value}`", question = question, value = default);
        } else {
            text += &question;
        }
    }
    text
}

/// The default for display; `None` if there is none, and for secret answers.
fn default(field: &FormField) -> Option<String> {
    match (field.kind, field.default.as_deref()?) {
        (FieldKind::Secret, _) => None,
        (FieldKind::Select, b"1") => Some("yes".into()),
        (FieldKind::Select, _) => Some("no".into()),
        (_, default) => Some(ls::gopher_text(default).to_string()),
    }
}
