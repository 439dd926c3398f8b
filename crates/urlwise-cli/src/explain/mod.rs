//! `urlwise explain`: what a URL means, part by part, and what is wrong with it.

use std::io::Write;

use urlwise::Diagnosis;

use crate::Context;
use crate::exit::Failure;
use crate::input::Place;
use crate::json;

/// Writes the explanation of one text. Returns whether it is a URL.
pub(crate) fn show(
    diagnosis: &Diagnosis<'_>,
    _place: Option<Place<'_>>,
    context: &Context,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    if context.json {
        let mut object = json::url(diagnosis);
        let meaning = diagnosis.url().map(|url| url.meaning().to_string());
        object.insert("meaning".into(), meaning.into());
        json::write_line(out, &object)?;
    }
    Ok(diagnosis.is_valid())
}
