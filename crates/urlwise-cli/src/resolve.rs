//! `urlwise resolve`: resolves references against a base URL, one per line.

use std::io::Write;

use urlwise::{Reference, ResolveError, Resolved, Words};

use crate::Context;
use crate::cli::Resolve;
use crate::exit::{Failure, Outcome};
use crate::input::{self, Answers};
use crate::json::{self, Object};
use crate::language::{about, said, words};
use crate::secret::{self, Secrets};
use crate::style::language;

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
    input::answer(&resolve.lists, Some("resolve"), words!("no reference in the input"), out, |record, answers, _| {
        let resolved = match str::from_utf8(record.octets) {
            Ok(reference) => base.resolve(reference).map_err(|error| why(&error, context)),
            Err(_) => Err(NO_TEXT.get(language()).into()),
        };
        let is_resolved = resolved.is_ok();
        show(text, record.octets, resolved, context, answers);
        Ok(is_resolved)
    })
}

const NO_TEXT: Words =
    words!("a URL cannot contain non-ASCII octets; write each as `%` and two hex digits (section 2.2, D-10)");

/// The error in one line, with passwords masked.
fn why(error: &ResolveError, context: &Context) -> String {
    match (error.text(), error.problem()) {
        (Some(text), Some(problem)) => {
            let secrets = Secrets::of(text.as_bytes(), context.show_secrets);
            let shown = secrets.shown(text.as_bytes(), 0..text.len());
            let problem = problem.display_in(language()).to_string();
            said!("it resolves to {shown}, which is not a valid URL: {problem}", shown = shown, problem = problem)
        }
        _ => error.message_in(language()).to_string(),
    }
}

fn show(base: &str, reference: &[u8], resolved: Result<Resolved, String>, context: &Context, answers: &mut Answers) {
    if context.json {
        let mut object = Object::new();
        object.insert("base".into(), base.into());
        json::text(&mut object, "reference", Some(reference));
        object.insert("profile".into(), context.profile.name().into());
        let (resolved, error) = match resolved {
            Ok(resolved) => (Some(resolved), None),
            Err(why) => (None, Some(why)),
        };
        let url = resolved.as_ref().map(|resolved| resolved.url().as_str().to_owned());
        let fragment = resolved.as_ref().and_then(|resolved| resolved.fragment().map(|text| text.as_str().to_owned()));
        object.insert("resolved".into(), resolved.as_ref().map(Resolved::as_str).into());
        object.insert("url".into(), url.into());
        object.insert("fragment".into(), fragment.into());
        object.insert("error".into(), error.into());
        return json::push_line(&mut answers.out, &object);
    }
    match resolved {
        Ok(resolved) => {
            answers.out.extend_from_slice(resolved.as_str().as_bytes());
            answers.out.push(b'\n');
        }
        Err(why) => answers.message(&about(secret::masked(reference, context.show_secrets), why)),
    }
}
