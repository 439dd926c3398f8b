//! `urlwise normalize`: writes the normal form of each URL, one per line.

use urlwise::{Diagnosis, NormalForm, Reason};

use crate::context::Context;
use crate::input::Answers;
use crate::json;
use crate::refusal;

/// Writes the normal form of one text. Returns whether it is a valid URL.
pub(crate) fn show(diagnosis: &Diagnosis<'_>, form: NormalForm, context: &Context, answers: &mut Answers) -> bool {
    let url = diagnosis.url();
    let normal = url.map(|url| url.normalize(form).into_inner().into_owned());
    if context.json {
        let octets = diagnosis.octets();
        // A normal form may take three times the text.
        let is_omitted = normal.as_ref().is_some_and(|normal| !json::fits(octets.len() + normal.len(), octets.len()));
        json::line(&mut answers.out, |object| {
            object.text("url", Some(octets).filter(|_| !is_omitted));
            if is_omitted {
                object.field("omitted", &json::omitted("url", 0..octets.len()));
            }
            object.field("profile", diagnosis.profile().name());
            object.field("valid", diagnosis.is_valid());
            object.field("level", form.name());
            object.field("normal", normal.as_deref());
            let changes = url.map(|url| url.changes(form).map(Reason::code).collect::<Vec<_>>());
            object.field("changes", changes.as_ref());
            json::problems(object, diagnosis, context.most_problems(octets));
        });
    } else {
        match normal {
            Some(normal) => {
                answers.out.extend_from_slice(normal.as_bytes());
                answers.out.push(b'\n');
            }
            None => answers.message(&refusal::of(diagnosis, context.show_secrets)),
        }
    }
    diagnosis.is_valid()
}
