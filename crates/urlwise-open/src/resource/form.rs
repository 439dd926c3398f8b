//! Forms as resources: a gopher URL with `?` names a form, and a filled-in form is a URL too (RFC 1738 sections 3.4.5 and 3.4.9).

use super::{Entry, EntryKind, History, Menu};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::protocol::gopher::{AnswerLine, FormField, fill, text};
use core::fmt;
use urlwise::Words;
use urlwise::{GopherPlus, Locator, Url, grammar};

/// The most fields of a form.
const MOST_FIELDS: usize = 1_000;

/// Questions that a server asks before it returns an item. Nothing is sent until the form is [filled in](Form::fill) and
/// [submitted](crate::Client::submit).
#[derive(Clone, Debug)]
pub struct Form {
    /// Its Gopher+ string is `?`.
    url: Url<String>,
    title: Vec<u8>,
    fields: Vec<FormField>,
}

impl Form {
    /// # Errors
    /// [`ErrorKind::NotFound`] if it has no questions, [`ErrorKind::Limit`] if it has too many.
    pub(crate) fn new(url: Url<String>, title: Vec<u8>, fields: Vec<FormField>) -> Result<Form, Error> {
        if fields.len() > MOST_FIELDS {
            let what =
                message!("the form has {count} lines, more than {most}", count = fields.len(), most = MOST_FIELDS);
            return Err(Error::new(ErrorKind::Limit, what).with_reference("S-49"));
        }
        if !fields.iter().any(FormField::is_question) {
            return Err(no_form(words!("the form has no questions")));
        }
        Ok(Form { url, title, fields })
    }

    /// The URL of the form.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// The name of the item. Octets, to be [escaped](urlwise::escape_for_display) before they are shown; empty if the server
    /// does not name it.
    pub fn title(&self) -> &[u8] {
        &self.title
    }

    /// All questions and notes, in order.
    pub fn fields(&self) -> &[FormField] {
        &self.fields
    }

    /// The index in [`fields`](Form::fields) of the question with this label, or with this number among the questions, from 1.
    /// Case does not count, nor do blanks around a label and a colon or question mark at its end, unless only they tell two
    /// questions apart; `name` may be in UTF-8 where the label is in Latin-1. `None` if there is no such question, or more than
    /// one.
    pub fn question(&self, name: &[u8]) -> Option<usize> {
        let mut questions = self.fields.iter().enumerate().filter(|(_, field)| field.is_question());
        for reading in [whole_label as fn(&[u8]) -> String, bare_label] {
            let wanted = reading(name);
            let mut labelled = questions.clone().filter(|(_, field)| reading(&field.label) == wanted);
            match (labelled.next(), labelled.next()) {
                (Some((place, _)), None) => return Some(place),
                (Some(_), Some(_)) => return None,
                (None, _) => {}
            }
        }
        let number: usize = std::str::from_utf8(name.trim_ascii()).ok()?.parse().ok()?;
        questions.nth(number.checked_sub(1)?).map(|(place, _)| place)
    }

    /// The form with these answers, one for each of the [`fields`](Form::fields); see [`fill`](crate::protocol::gopher::fill())
    /// for what is allowed.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] for missing answers, and for answers that a form cannot hold.
    pub fn fill(&self, answers: &[Option<Vec<u8>>]) -> Result<FilledForm, Error> {
        let lines = fill(&self.fields, answers).map_err(|fault| Error::from(fault).at_url(&self.url))?;
        let url = self.with(&lines, |line| line.octets.clone())?;
        let masked = self.with(&lines, |line| if is_hidden(line) { b"***".to_vec() } else { line.octets.clone() })?;
        let hidden = lines.iter().enumerate().filter(|(_, line)| is_hidden(line));
        let secrets = hidden.map(|(number, _)| number).collect();
        Ok(FilledForm { url, masked, form: self.url.clone(), secrets })
    }

    /// The URL of section 3.4.9 for the form with these lines.
    fn with(&self, lines: &[AnswerLine], octets: impl Fn(&AnswerLine) -> Vec<u8>) -> Result<Url<String>, Error> {
        let plus = GopherPlus::FilledForm { view: None, values: lines.iter().map(octets).collect() };
        plus.to_octets().and_then(|plus| with_plus(&self.url.borrow(), &plus)).ok_or_else(|| {
            Error::new(ErrorKind::Refused, words!("the form with these answers cannot be written as a URL"))
                .with_reference("RFC 1738 section 3.4.9")
        })
    }

    /// A menu with this form as its only entry.
    pub(crate) fn listed(self) -> Menu {
        let entry = Entry { url: Some(self.url.clone()), ..Entry::new(self.title, EntryKind::Form) };
        Menu::single(entry, History::of(self.url))
    }
}

/// A form that is filled in and not yet submitted. Displays as its URL, with `***` for each secret answer.
#[derive(Clone)]
#[must_use = "nothing is sent until `Client::submit`"]
pub struct FilledForm {
    url: Url<String>,
    masked: Url<String>,
    form: Url<String>,
    /// The numbers of the lines with secret answers.
    secrets: Vec<usize>,
}

impl FilledForm {
    /// The URL of the filled-in form, including answers to [secret](crate::protocol::gopher::FieldKind::Secret) questions.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// Whether the URL contains a secret answer.
    pub fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    pub(crate) fn secrets(&self) -> &[usize] {
        &self.secrets
    }

    /// The URL to report for the answer.
    pub(crate) fn told(&self) -> &Url<String> {
        if self.has_secrets() { &self.form } else { &self.url }
    }
}

impl fmt::Display for FilledForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.masked.fmt(f)
    }
}

impl fmt::Debug for FilledForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FilledForm({self})")
    }
}

/// A label as it is compared.
fn whole_label(label: &[u8]) -> String {
    text(label.trim_ascii()).to_ascii_lowercase()
}

/// The same without what ends a question.
fn bare_label(label: &[u8]) -> String {
    let ends = |end: char| matches!(end, ':' | '?') || end.is_ascii_whitespace();
    whole_label(label).trim_end_matches(ends).to_owned()
}

fn is_hidden(line: &AnswerLine) -> bool {
    line.is_secret && !line.octets.is_empty()
}

/// The item has no form to fill in.
pub(crate) fn no_form(what: Words) -> Error {
    Error::new(ErrorKind::NotFound, what)
        .with_reference("RFC 1738 section 3.4.5")
        .with_help(words!("open the item itself: the same URL with `%09%09+` or without the tabs"))
}

/// A gopher URL with another Gopher+ string; `None` if that would not be a valid URL.
pub(crate) fn with_plus(url: &Url<&str>, plus: &[u8]) -> Option<Url<String>> {
    let Locator::Gopher(gopher) = url.locator() else { return None };
    let text = url.as_str();
    let tabs = match (gopher.search(), gopher.gopherplus()) {
        (_, Some(written)) => return parse(url, &text[..text.len() - written.as_str().len()], plus),
        (Some(_), None) => "%09",
        (None, None) => "%09%09",
    };
    let path = if gopher.gtype().is_some() {
        ""
    } else if text.ends_with('/') {
        "1"
    } else {
        "/1"
    };
    parse(url, &[text, path, tabs].concat(), plus)
}

fn parse(url: &Url<&str>, start: &str, plus: &[u8]) -> Option<Url<String>> {
    Url::parse_with([start, &grammar::GOPHERPLUS.encode(plus)].concat(), url.profile()).ok()
}

#[cfg(test)]
mod tests;
