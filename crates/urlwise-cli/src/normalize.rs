//! `urlwise normalize`: writes the normal form of each URL, one per line.

use std::io::Write;

use urlwise::{Diagnosis, NormalForm, Reason};

use crate::Context;
use crate::exit::Failure;
use crate::json;
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
        let mut line = Vec::new();
        json::line(&mut line, |object| {
            object.text("url", Some(diagnosis.octets()));
            object.field("profile", diagnosis.profile().name());
            object.field("valid", diagnosis.is_valid());
            object.field("level", form.name());
            object.field("normal", normal.as_deref());
            let changes = url.map(|url| url.changes(form).map(Reason::code).collect::<Vec<_>>());
            object.field("changes", changes.as_ref());
            json::problems(object, diagnosis, context.most_problems());
        });
        out.write_all(&line)?;
    } else {
        match normal {
            Some(normal) => writeln!(out, "{normal}")?,
            None => refusal::print(diagnosis, context.show_secrets),
        }
    }
    Ok(diagnosis.is_valid())
}
