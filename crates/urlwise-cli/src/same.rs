//! `urlwise same`: whether two URLs are equivalent, and by which rules.

use std::fmt::Write as _;
use std::io::Write;

use urlwise::{Comparison, NormalForm, Url, diagnose};
use urlwise_explain::{secret, wrap};

use crate::cli::Inputs;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::json::{self, Fields};
use crate::language::{language, said};
use crate::{input, refusal, style};

/// Longer URLs are elided; in octets.
const WHOLE: usize = 600;

/// Compares the two URLs of the input.
pub(crate) fn run(inputs: &Inputs, context: &Context, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut texts = Vec::new();
    let count = input::for_each(inputs, Some("same"), |record| {
        if let Some(long) = record.too_long {
            return Err(long.failure());
        }
        // Further texts are only counted.
        if texts.len() < 2 {
            texts.push(record.octets.to_vec());
        }
        Ok(())
    })?;
    let (2, [a, b]) = (count, &texts[..]) else {
        return Err(Failure::Input(said!("`same` compares two URLs, but the input has {count}", count = count)));
    };
    let diagnoses = [a, b].map(|text| diagnose(text, context.profile));
    let (a, b) = match diagnoses.each_ref().map(urlwise::Diagnosis::url) {
        [Some(a), Some(b)] => (a, b),
        [a, _] => {
            let invalid = &diagnoses[usize::from(a.is_some())];
            return Err(Failure::Input(refusal::of(invalid, context.show_secrets)));
        }
    };
    let comparison = a.compare(&b);
    if context.json {
        json::write_long(out, |object| fields(object, [&a, &b], &comparison, context))?;
    } else {
        out.write_all(sentences(&a, &b, &comparison, context).as_bytes())?;
    }
    Ok(if comparison.is_same() { Outcome::Fine } else { Outcome::Findings })
}

/// The normal form, with its password masked.
fn normal(url: &Url<&str>, context: &Context) -> String {
    secret::masked(url.normalize(NormalForm::Scheme).as_str().as_bytes(), context.show_secrets)
}

/// The verdict, its reasons, and the normal forms.
fn sentences(a: &Url<&str>, b: &Url<&str>, comparison: &Comparison, context: &Context) -> String {
    let Context { look, .. } = context;
    let verdict = match (comparison.is_same(), comparison.part_in(look.language)) {
        (true, _) => said!("same"),
        (false, Some(part)) => said!("different in the {part}", part = part),
        (false, None) => said!("different"),
    };
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", look.paint(style::URL, verdict));
    for reason in comparison.reasons() {
        let lines = wrap::hanging(&reason.display_in(look.language).to_string(), look.width, 2);
        let _ = writeln!(text, "  {}", lines.replace('\n', "\n  "));
    }
    if a == b {
        let _ = writeln!(text, "  {}", said!("the texts are equal"));
    }
    let compared = if comparison.is_same() { &[a][..] } else { &[a, b] };
    for url in compared {
        let form = wrap::elide_in(&normal(url, context), WHOLE, language());
        let _ = writeln!(text, "{}", look.paint(style::DIM, form));
    }
    text
}

/// Writes the fields of docs/json.md. The URLs and normal forms may be long: one is held at a time.
fn fields(object: &mut Fields<'_>, urls: [&Url<&str>; 2], comparison: &Comparison, context: &Context) {
    let masked = |url: &Url<&str>| secret::masked(url.as_str().as_bytes(), context.show_secrets);
    let given = urls.iter().map(|url| url.as_str().len()).sum::<usize>();
    let written = urls.iter().map(|url| normal(url, context).len()).sum::<usize>();
    // Normal forms may take three times the texts.
    if json::fits(given + written, given) {
        object.strings("urls", urls.iter().map(|url| masked(url)));
    } else {
        object.string("urls", None);
        object.field("omitted", &json::omitted("urls", 0..given));
    }
    object.field("profile", context.profile.name());
    object.field("same", comparison.is_same());
    object.field("part", comparison.part());
    object.objects("reasons", comparison.reasons(), |object, reason| {
        object.field("code", reason.code());
        object.field("section", reason.section());
        object.field("decision", reason.decision());
        object.field("message", &*reason.message_in(language()));
    });
    object.strings("normal", urls.iter().map(|url| normal(url, context)));
}
