//! `urlwise resolve`: resolves references against a base URL, one per line.

use std::io::Write;

use urlwise::{Encoded, OwnedReference, Reference, ResolveError, Url, Words};
use urlwise_explain::secret::{self, Secrets};

use crate::cli::Resolve;
use crate::console::LONGEST_URL;
use crate::context::Context;
use crate::each;
use crate::exit::{Failure, Outcome};
use crate::json::{self, Fields};
use crate::language::{about, language, said, words};

/// Resolves every reference of the input.
pub(crate) fn run(resolve: &Resolve, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    let octets = resolve.base.as_encoded_bytes();
    let secrets = Secrets::of(octets, context.show_secrets);
    let refuse = |why: String| {
        let text = secrets.shown(octets, 0..octets.len());
        Failure::Input(said!("the base {text}: {why}", text = text, why = why))
    };
    let text = str::from_utf8(octets).map_err(|_| refuse(NO_TEXT.get(language()).into()))?;
    let base = Reference::parse_with(text, context.profile)
        .map_err(|error| refuse(error.problem().display_in(language()).to_string()))?;
    each::answer(
        &resolve.lists,
        Some("resolve"),
        words!("no reference in the input"),
        context,
        out,
        |record, answers, full| {
            let resolved = match str::from_utf8(record.octets) {
                Ok(reference) => base.resolve(reference).map_err(|error| why(&error, context)),
                Err(_) => Err(NO_TEXT.get(language()).into()),
            };
            let is_resolved = resolved.is_ok();
            match resolved {
                resolved if context.json => {
                    json::answer(answers, full, |object| fields(object, text, record.octets, resolved, context))?;
                }
                Ok(resolved) => {
                    answers.out.extend_from_slice(resolved.as_str().as_bytes());
                    answers.out.push(b'\n');
                }
                Err(why) => answers.message(&about(shown(record.octets, context), why)),
            }
            Ok(is_resolved)
        },
    )
}

const NO_TEXT: Words =
    words!("a URL cannot contain non-ASCII octets; write each as `%` and two hex digits (section 2.2, D-10)");

/// A text as an error shows it.
fn shown(octets: &[u8], context: &Context) -> String {
    secret::elided_in(octets, context.show_secrets, LONGEST_URL, language())
}

/// The error in one line, with passwords masked.
fn why(error: &ResolveError, context: &Context) -> String {
    match (error.text(), error.problem()) {
        (Some(text), Some(problem)) => {
            let shown = shown(text.as_bytes(), context);
            let problem = problem.display_in(language()).to_string();
            said!("it resolves to {shown}, which is not a valid URL: {problem}", shown = shown, problem = problem)
        }
        _ => error.message_in(language()).to_string(),
    }
}

/// Writes the fields of docs/json.md.
fn fields(
    object: &mut Fields<'_>,
    base: &str,
    reference: &[u8],
    resolved: Result<OwnedReference, String>,
    context: &Context,
) {
    object.field("base", base);
    object.text("reference", Some(reference));
    object.field("profile", context.profile.name());
    let (resolved, error) = match resolved {
        Ok(resolved) => (Some(resolved), None),
        Err(why) => (None, Some(why)),
    };
    let resolved = resolved.as_ref();
    let url = resolved.map(OwnedReference::url);
    object.string("resolved", resolved.map(OwnedReference::as_str));
    object.string("url", url.as_ref().map(Url::as_str));
    object.string("fragment", resolved.and_then(OwnedReference::fragment).map(Encoded::as_str));
    object.string("error", error.as_deref());
}
