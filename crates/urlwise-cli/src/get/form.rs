//! Forms: answers from the command line, and from the person at the terminal.
//!
//! A form does something at a server, so nothing is sent that nobody has said: without `--answer` and without a terminal there
//! is an error that shows the questions. Files are sent only by the names that a person gives in this run.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::slice;

use urlwise::{GopherPlus, Locator, Url, escape_for_display};
use urlwise_open::policy::MAX_URL;
use urlwise_open::protocol::gopher::{self, FieldKind, FormField};
use urlwise_open::{ErrorKind, FilledForm, Form, Secret};

use super::Run;
use super::job::Trouble;
use super::save::words;
use crate::exit::Status;
use crate::terminal::{Person, Shows};

/// Refuses answers to a URL that asks nothing: they would be lost unseen.
pub(super) fn check(run: &Run<'_>, url: &Url<&str>) -> Result<(), Trouble> {
    let asks = matches!(url.locator(), Locator::Gopher(gopher) if gopher.plus() == Some(GopherPlus::Form));
    if asks || run.get.gopher.answer.is_empty() {
        return Ok(());
    }
    let what = "--answer is for forms, and the URL names none: the URL of a gopher form ends in `%09%09?` (RFC 1738 \
                section 3.4.5)";
    Err(Trouble::Here(Status::Failed(ErrorKind::Refused), what.into()))
}

/// The form with the answers of this run.
pub(super) fn fill(run: &Run<'_>, form: &Form) -> Result<FilledForm, Trouble> {
    let mut answers = given(run, form)?;
    let asks_all = run.get.gopher.answer.is_empty();
    let is_asked = |field: &FormField, answer: &Option<Vec<u8>>| {
        field.is_question() && answer.is_none() && (asks_all || field.default.is_none())
    };
    if form.fields().iter().zip(&answers).any(|(field, answer)| is_asked(field, answer)) {
        // One form at a time: others wait for the terminal.
        let _terminal = super::locked(&run.terminal);
        let person = Person { voice: run.voice.clone(), cancel: Some(run.cancel.clone()) };
        if !person.say(&format!("{}\n", escape_for_display(form.title()))) {
            return Err(unanswered(form));
        }
        let mut number = 0;
        for (field, answer) in form.fields().iter().zip(&mut answers) {
            number += usize::from(field.is_question());
            if !field.is_question() {
                person.say(&format!("{}\n", escape_for_display(&field.label)));
            } else if is_asked(field, answer) {
                *answer = Some(ask(&person, number, field)?);
            }
        }
    }
    Ok(form.fill(&answers)?)
}

/// What the command line answers.
fn given(run: &Run<'_>, form: &Form) -> Result<Vec<Option<Vec<u8>>>, Trouble> {
    let mut answers = vec![None; form.fields().len()];
    for answer in &run.get.gopher.answer {
        let octets = answer.as_encoded_bytes();
        // A question may hold `=` itself.
        let places = octets.iter().enumerate().filter(|(_, octet)| **octet == b'=').map(|(at, _)| at);
        let found = places.clone().find_map(|at| form.question(&octets[..at]).map(|number| (number, at)));
        let Some((number, at)) = found else {
            let name = places.clone().next().map_or(octets, |at| &octets[..at]);
            let what = format!(
                "--answer: `{}` does not match exactly one question of the form; {}",
                escape_for_display(name),
                questions(form)
            );
            return Err(Trouble::Here(Status::Failed(ErrorKind::Refused), what));
        };
        let value = &octets[at + 1..];
        answers[number] = Some(match form.fields()[number].kind {
            FieldKind::File => file(value).map_err(|why| Trouble::Here(Status::Failed(ErrorKind::Read), why))?,
            _ => value.to_vec(),
        });
    }
    Ok(answers)
}

/// Asks one question until there is an answer to it. An empty answer is the default, if there is one.
fn ask(person: &Person, number: usize, field: &FormField) -> Result<Vec<u8>, Trouble> {
    let question = question(number, field);
    let shows = if field.kind == FieldKind::Secret { Shows::Nothing } else { Shows::Typing };
    loop {
        let mut answer = typed(person, &question, shows)?;
        if field.kind == FieldKind::Lines && !answer.is_empty() {
            loop {
                let line = typed(person, "", shows)?;
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
            Err(fault) => Err(fault.what().to_owned()),
        });
        match answer {
            Ok(answer) => return Ok(answer),
            Err(why) => person.say(&format!("   {why}\n")),
        };
    }
}

/// A question as it is asked.
fn question(number: usize, field: &FormField) -> String {
    let default = default(field).map(|default| format!(" [{default}]")).unwrap_or_default();
    let mut question = format!("{number}. {}{default}", escape_for_display(&field.label));
    for (at, choice) in field.choices.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(question, "\n   {}) {}", at + 1, escape_for_display(choice));
    }
    question.push_str(match field.kind {
        FieldKind::Lines => " (ends with an empty line)\n",
        FieldKind::File => " (path of a local file): ",
        _ => ": ",
    });
    question
}

fn typed(person: &Person, question: &str, shows: Shows) -> Result<Vec<u8>, Trouble> {
    let line = person.line(question, shows);
    let unanswered =
        || Trouble::Here(Status::Failed(ErrorKind::Refused), "the form was not filled in, so nothing was sent".into());
    line.as_ref().map(Secret::reveal).map(<[u8]>::to_vec).ok_or_else(unanswered)
}

/// The octets of a file that a person named.
fn file(name: &[u8]) -> Result<Vec<u8>, String> {
    let failed = |why: String| format!("cannot send the file {}: {why}", escape_for_display(name));
    let path = path(name).ok_or_else(|| failed("there is no such file".into()))?;
    let mut octets = Vec::new();
    let file = File::open(path).map_err(|error| failed(words(&error)))?;
    file.take(MAX_URL as u64 + 1).read_to_end(&mut octets).map_err(|error| failed(words(&error)))?;
    if octets.len() > MAX_URL {
        return Err(failed(format!("it is longer than a URL may be ({MAX_URL} octets)")));
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

/// Nobody is there to answer.
fn unanswered(form: &Form) -> Trouble {
    let what = format!("the URL names a form, and there is no terminal to fill it in; {}", questions(form));
    Trouble::Here(Status::Failed(ErrorKind::Refused), what)
}

/// The questions, and how to answer them.
fn questions(form: &Form) -> String {
    let mut text = String::from("use --answer NAME=VALUE with the name or number of a question:");
    for (number, field) in form.fields().iter().filter(|field| field.is_question()).enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n  {}. {} ({})", number + 1, escape_for_display(&field.label), field.kind.name());
        if !field.choices.is_empty() {
            let choices: Vec<_> = field.choices.iter().map(|choice| escape_for_display(choice).to_string()).collect();
            let _ = write!(text, ": {}", choices.join(" | "));
        } else if let Some(default) = default(field) {
            let _ = write!(text, ", default `{default}`");
        }
    }
    text
}

/// The default as people are shown it; `None` without one, and for what nobody should see.
fn default(field: &FormField) -> Option<String> {
    match (field.kind, field.default.as_deref()?) {
        (FieldKind::Secret, _) => None,
        (FieldKind::Select, b"1") => Some("yes".into()),
        (FieldKind::Select, _) => Some("no".into()),
        (_, default) => Some(escape_for_display(default).to_string()),
    }
}
