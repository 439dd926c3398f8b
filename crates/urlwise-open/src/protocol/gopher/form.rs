//! Forms: what a server asks before it returns an item (`+ASK`), and the lines that answer it. RFC 1738 sections 3.4.5 and
//! 3.4.9, Gopher+ section 2.8.
//!
//! ```
//! use urlwise_open::protocol::gopher::{FormField, FieldKind, fill};
//!
//! let form = [FormField::parse(b"Ask: How many volts?"), FormField::parse(b"Choose: Deliver it now?\tYes\tNot!")];
//! assert_eq!((form[0].kind, form[1].choices.len()), (FieldKind::Line, 2));
//! let lines = fill(&form, &[Some(b"220".to_vec()), None]).expect("the choice has a default");
//! assert_eq!(lines.iter().map(|line| &line.octets[..]).collect::<Vec<_>>(), [&b"220"[..], b"Yes"]);
//! ```

use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind};
use std::fmt;
use urlwise::{Words, escape_for_display};

/// One line of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormField {
    /// The kind of answer.
    pub kind: FieldKind,
    /// The question, or the text of a note. Octets; [escape](urlwise::escape_for_display) them before showing them.
    pub label: Vec<u8>,
    /// The default answer; `None` if an answer is required.
    pub default: Option<Vec<u8>>,
    /// The choices; empty except for [`Choose`](FieldKind::Choose).
    pub choices: Vec<Vec<u8>>,
}

/// The kind of answer to a field. There may be others: servers have kinds of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// None: it is text to read (`Note`).
    Note,
    /// A line of text (`Ask`). Also for unknown kinds, as in the reference client.
    Line,
    /// A secret line of text (`AskP`).
    Secret,
    /// Lines of text (`AskL`).
    Lines,
    /// The name of a file for the answer (`AskF`). It is sent like a line of text; no file is written by that name.
    FileName,
    /// Yes or no: `1` or `0` (`Select`).
    Select,
    /// One of the choices (`Choose`).
    Choose,
    /// The octets of a file (`ChooseF`), which must be lines of text.
    File,
}

impl FieldKind {
    /// The stable name: `note`, `line`, `secret`, `lines`, `file-name`, `select`, `choose` or `file`.
    pub const fn name(self) -> &'static str {
        match self {
            FieldKind::Note => "note",
            FieldKind::Line => "line",
            FieldKind::Secret => "secret",
            FieldKind::Lines => "lines",
            FieldKind::FileName => "file-name",
            FieldKind::Select => "select",
            FieldKind::Choose => "choose",
            FieldKind::File => "file",
        }
    }
}

/// One line that answers a form.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerLine {
    /// Without line end.
    pub octets: Vec<u8>,
    /// It is secret: it answers [`FieldKind::Secret`].
    pub is_secret: bool,
}

impl fmt::Debug for AnswerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_secret {
            true => f.write_str("***"),
            false => write!(f, "{}", escape_for_display(&self.octets)),
        }
    }
}

impl FormField {
    /// Parses a line of `+ASK`. A line without a colon is a note.
    pub fn parse(line: &[u8]) -> FormField {
        let field = |kind, label: &[u8]| FormField {
            kind,
            label: label.trim_ascii().to_vec(),
            default: None,
            choices: Vec::new(),
        };
        let Some(colon) = line.iter().position(|octet| *octet == b':') else {
            return field(FieldKind::Note, line);
        };
        let (keyword, text) = (line[..colon].trim_ascii().to_ascii_lowercase(), &line[colon + 1..]);
        let mut parts = text.split(|octet| *octet == b'\t');
        let label = parts.next().unwrap_or_default();
        let rest: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
        let kind = match &keyword[..] {
            b"note" => return field(FieldKind::Note, text),
            b"select" => {
                // The paper has the default after a colon, servers after a tab.
                let (label, default) = match (rest.into_iter().next(), label) {
                    (Some(default), label) => (label, default),
                    (None, [label @ .., b':', default @ (b'0' | b'1')]) => (label, vec![*default]),
                    (None, label) => (label, Vec::new()),
                };
                let default = if default.trim_ascii() == b"1" { b"1" } else { b"0" };
                return FormField { default: Some(default.to_vec()), ..field(FieldKind::Select, label) };
            }
            b"choose" => {
                return FormField { default: rest.first().cloned(), choices: rest, ..field(FieldKind::Choose, label) };
            }
            b"choosef" => FieldKind::File,
            b"askp" => FieldKind::Secret,
            b"askl" => FieldKind::Lines,
            b"askf" => FieldKind::FileName,
            _ => FieldKind::Line,
        };
        // A server must not choose which file is sent.
        let default = rest.into_iter().next().filter(|_| kind != FieldKind::File);
        FormField { default, ..field(kind, label) }
    }

    /// Whether it has an answer: all but notes do.
    pub fn is_question(&self) -> bool {
        self.kind != FieldKind::Note
    }

    /// The lines of this answer.
    fn lines(&self, answer: &[u8]) -> Result<Vec<Vec<u8>>, Fault> {
        let lines = match self.kind {
            FieldKind::Note => Vec::new(),
            FieldKind::Line | FieldKind::Secret | FieldKind::FileName => vec![answer.to_vec()],
            FieldKind::Select => vec![self.selected(answer)?.to_vec()],
            FieldKind::Choose => vec![self.chosen(answer)?.to_vec()],
            FieldKind::Lines => {
                let lines = lines_of(answer);
                [vec![lines.len().to_string().into_bytes()], lines].concat()
            }
            FieldKind::File => lines_of(answer),
        };
        for line in &lines {
            if let Some(at) = line.iter().position(|octet| matches!(octet, b'\r' | b'\n' | 0)) {
                let what = words!("a line of the answer contains a line end or NUL,");
                return Err(self.refuse(what, line).at(at));
            }
            if line == b"." {
                let what = words!("a line of the answer is a single dot, which would end the form");
                return Err(self.refuse(what, b""));
            }
        }
        Ok(lines)
    }

    fn selected(&self, answer: &[u8]) -> Result<&'static [u8], Fault> {
        match answer.trim_ascii().to_ascii_lowercase().as_slice() {
            b"1" | b"y" | b"yes" | b"on" | b"true" => Ok(b"1"),
            b"0" | b"n" | b"no" | b"off" | b"false" => Ok(b"0"),
            _ => Err(self.refuse(words!("the answer is neither yes nor no"), answer)),
        }
    }

    /// A choice, by its text or by its number.
    fn chosen(&self, answer: &[u8]) -> Result<&[u8], Fault> {
        let same = |choice: &&Vec<u8>| choice.trim_ascii() == answer.trim_ascii();
        let alike = |choice: &&Vec<u8>| choice.trim_ascii().eq_ignore_ascii_case(answer.trim_ascii());
        let number = std::str::from_utf8(answer.trim_ascii()).ok().and_then(|number| number.parse::<usize>().ok());
        let numbered = || self.choices.get(number?.checked_sub(1)?);
        let choice = self.choices.iter().find(same).or_else(|| self.choices.iter().find(alike)).or_else(numbered);
        let what = words!("the answer is not one of the choices");
        choice.map(Vec::as_slice).ok_or_else(|| self.refuse(what, answer))
    }

    /// The fault of an answer, which does not repeat a secret one.
    fn refuse(&self, what: Words, answer: &[u8]) -> Fault {
        let fault = Fault::new(FaultKind::Refused, "RFC 1738 section 3.4.9", what);
        let fault =
            fault.with_help(message!("the question is: {text}", text = escape_for_display(&self.label).to_string()));
        if answer.is_empty() || self.kind == FieldKind::Secret { fault } else { fault.octets(answer) }
    }
}

/// The lines that answer a form: `answers` are those of its fields, in order; for `None`, and after the last one, the default
/// is used. The answer to [`Select`](FieldKind::Select) may be `1`, `0`, `yes` or `no`, that to
/// [`Choose`](FieldKind::Choose) the text of a choice or its number from 1, that to [`Lines`](FieldKind::Lines) and
/// [`File`](FieldKind::File) lines ended by LF or CR LF.
///
/// # Errors
/// [`FaultKind::Refused`] for an answer that is missing, does not fit its question, or cannot be written in the form of section
/// 3.4.9: CR, LF and NUL within a line, a line that is a single dot, questions after a file.
pub fn fill(form: &[FormField], answers: &[Option<Vec<u8>>]) -> Result<Vec<AnswerLine>, Fault> {
    let mut lines = Vec::new();
    let mut has_file = false;
    for (number, field) in form.iter().enumerate().filter(|(_, field)| field.is_question()) {
        if has_file {
            let what = words!("the form asks for more after a file, and a server could not tell where the file ends");
            return Err(field.refuse(what, b""));
        }
        has_file = field.kind == FieldKind::File;
        let given = answers.get(number).and_then(Option::as_deref);
        let Some(answer) = given.or(field.default.as_deref()) else {
            return Err(field.refuse(words!("a question of the form has no answer"), b""));
        };
        let is_secret = field.kind == FieldKind::Secret;
        lines.extend(field.lines(answer)?.into_iter().map(|octets| AnswerLine { octets, is_secret }));
    }
    Ok(lines)
}

/// Lines; a line end after the last one does not begin another.
fn lines_of(text: &[u8]) -> Vec<Vec<u8>> {
    let lines = text.split_inclusive(|octet| *octet == b'\n');
    lines
        .map(|line| {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            line.strip_suffix(b"\r").unwrap_or(line).to_vec()
        })
        .collect()
}
