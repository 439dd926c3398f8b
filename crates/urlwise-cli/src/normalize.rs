//! `urlwise normalize`: writes the normal form of each URL, one per line.

use std::io::Write;

use urlwise::{Diagnosis, NormalForm, Reason};

use crate::Context;
use crate::exit::Failure;
use crate::json::{self, Object};
use crate::refusal;

/// Writes the normal form of one text. Returns whether it is a valid URL.
pub(crate) fn show(
    diagnosis: &Diagnosis<'_>,
    form: NormalForm,
    context: &Context,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let url = diagnosis.url();
    let normal = url.map(|url| url.normalize(form).into_inner().into_owned());
    if context.json {
        let mut object = Object::new();
        json::text(&mut object, "url", Some(diagnosis.octets()));
        object.insert("profile".into(), diagnosis.profile().name().into());
        object.insert("valid".into(), diagnosis.is_valid().into());
        object.insert("level".into(), form.name().into());
        let changes = url.map(|url| url.changes(form).map(Reason::code).collect::<Vec<_>>());
        object.insert("normal".into(), normal.into());
        object.insert("changes".into(), changes.into());
        json::problems(&mut object, diagnosis, context.most_problems());
        json::write_line(out, &object)?;
    } else {
        match normal {
            Some(normal) => writeln!(out, "{normal}")?,
            None => refusal::print(diagnosis, context.show_secrets),
        }
    }
    Ok(diagnosis.is_valid())
}
