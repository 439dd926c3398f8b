//! Forms: how many fields, which question is meant, and what is secret.

use super::{Form, MOST_FIELDS};
use crate::error::kind::ErrorKind;
use crate::protocol::gopher::{FieldKind, FormField};
use urlwise::Url;

fn field(kind: FieldKind, label: &str) -> FormField {
    FormField { kind, label: label.into(), default: None, choices: Vec::new() }
}

fn form(fields: Vec<FormField>) -> Form {
    let url = Url::parse_current("gopher://h.dom/0f%09%09?".to_owned()).expect("a URL");
    Form::new(url, b"The form".to_vec(), fields).expect("it has a question")
}

#[test]
fn a_form_has_at_least_one_question_and_at_most_1000_fields() {
    let made = |fields: Vec<FormField>| {
        let url = Url::parse_current("gopher://h.dom/0f%09%09?".to_owned()).expect("a URL");
        Form::new(url, Vec::new(), fields).map(|form| form.fields().len()).map_err(|error| error.kind())
    };
    let questions = |count| vec![field(FieldKind::Line, "x"); count];
    assert_eq!(made(questions(MOST_FIELDS)), Ok(MOST_FIELDS));
    assert_eq!(made(questions(MOST_FIELDS + 1)), Err(ErrorKind::Limit));
    assert_eq!(made(vec![field(FieldKind::Note, "x")]), Err(ErrorKind::NotFound));
    assert_eq!(made(Vec::new()), Err(ErrorKind::NotFound));
}

#[test]
fn a_question_is_found_by_its_label_with_or_without_what_ends_it() {
    let form = form(vec![
        field(FieldKind::Note, "Your name"),
        field(FieldKind::Line, " Your Name: "),
        field(FieldKind::Line, "Why ? :"),
        field(FieldKind::Line, "Age?"),
        field(FieldKind::Line, "age:"),
        field(FieldKind::Line, "J\u{f6}rg"),
    ]);
    assert_eq!(form.title(), b"The form");
    for name in ["your name", "YOUR NAME:", "Your name ?", "1"] {
        assert_eq!(form.question(name.as_bytes()), Some(1), "{name}");
    }
    assert_eq!((form.question(b"why"), form.question(b"Why??"), form.question(b"2")), (Some(2), Some(2), Some(2)));
    // Only what ends them tells these two apart.
    assert_eq!((form.question(b"Age?"), form.question(b"Age:"), form.question(b"age")), (Some(3), Some(4), None));
    assert_eq!((form.question("J\u{d6}RG".as_bytes()), form.question("j\u{f6}rg".as_bytes())), (None, Some(5)));
    for nothing in ["", "0", "6", "-1", "name", "your"] {
        assert_eq!(form.question(nothing.as_bytes()), None, "{nothing}");
    }
}

#[test]
fn an_answer_is_secret_if_it_is_to_a_secret_question_and_not_empty() {
    let form = form(vec![
        field(FieldKind::Line, "user"),
        field(FieldKind::Note, "now the password"),
        field(FieldKind::Secret, "password"),
        field(FieldKind::Line, "again"),
    ]);
    let filled = |password: &str| {
        let answers = ["joe", "", password, "no"].map(|answer| Some(answer.as_bytes().to_vec()));
        form.fill(&answers).expect("all is answered")
    };
    let secret = filled("s3cret");
    assert_eq!((secret.has_secrets(), secret.secrets()), (true, &[1][..]));
    assert_eq!(secret.told(), form.url());
    assert!(secret.url().as_str().contains("s3cret"));
    for shown in [secret.to_string(), format!("{secret:?}")] {
        assert!(shown.contains("***") && shown.contains("joe") && !shown.contains("s3cret"), "{shown}");
    }
    let open = filled("");
    assert_eq!((open.has_secrets(), open.secrets()), (false, &[][..]));
    assert_eq!((open.told(), open.to_string()), (open.url(), open.url().to_string()));
}
