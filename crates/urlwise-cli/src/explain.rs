//! `urlwise explain`: shows the parts of a URL, its meaning, and its problems.

use std::fmt::Write as _;
#[cfg(feature = "serve")]
use std::io::Write;
use std::mem;

#[cfg(feature = "serve")]
use clap::{CommandFactory, error::ErrorKind};
use urlwise::Diagnosis;
#[cfg(feature = "serve")]
use urlwise::Url;
use urlwise_explain::alike::Alike;
#[cfg(feature = "serve")]
use urlwise_explain::profile_of;
use urlwise_explain::{Explanation, findings, snippets};
use urlwise_open::Client;

#[cfg(feature = "serve")]
use crate::book::{self, Answer};
#[cfg(feature = "serve")]
use crate::cli::{Cli, Explain};
use crate::context::Context;
use crate::exit::Failure;
#[cfg(feature = "serve")]
use crate::exit::Outcome;
#[cfg(feature = "serve")]
use crate::input;
use crate::input::{Answers, Full, Record};
use crate::json;
use crate::language::language;
#[cfg(feature = "serve")]
use crate::language::said;
use crate::style;

/// Longer sentences are elided in JSON; in octets.
const SENTENCE: usize = 2000;

/// Writes the explanation of one text. `client` is used for the dry run. Returns whether the text is a valid URL.
pub(crate) fn show(
    record: &Record<'_>,
    client: &Client,
    context: &Context,
    answers: &mut Answers,
    full: Full<'_>,
) -> Result<bool, Failure> {
    let explanation = Explanation::of(record.octets, context.asked, context.show_secrets);
    let look = context.look;
    if context.json {
        json::answer(answers, full, |object| fields(object, &explanation, context))?;
    } else {
        if let Some(place) = &record.place {
            let mut text = String::with_capacity(64);
            let place = format_args!("{}:{}", place.file, place.number);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", look.paint(style::DIM, place));
            answers.out.extend_from_slice(look.spelled(text).as_bytes());
        }
        let dialogue = explanation.dialogue_in(client, language());
        let memory = mem::take(&mut answers.text);
        answers.text = explanation.text_in(memory, look, context.most_problems(record.octets), &dialogue);
        answers.out.extend_from_slice(answers.text.as_bytes());
    }
    Ok(explanation.readings().judged().is_valid())
}

/// Writes a page or a picture of the one text that is given.
#[cfg(feature = "serve")]
pub(crate) fn draw(
    explain: &Explain,
    command: Option<&str>,
    client: &Client,
    context: &Context,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    if context.json || context.show_secrets {
        let message = "a page or a picture has no JSON and masks passwords: leave out --json and --show-secrets";
        return Err(Failure::Usage(Box::new(Cli::command().error(ErrorKind::ArgumentConflict, message))));
    }
    let mut drawn = None;
    input::for_each(&explain.lists.inputs, command, |record| {
        if let Some(long) = record.too_long {
            return Err(long.failure());
        }
        if drawn.is_some() {
            return Err(Failure::Input(said!("a page or a picture is of one URL, and there are more")));
        }
        match if record.place.is_none() { book::look_up(record.octets) } else { Answer::Other } {
            Answer::Page(_) => {
                return Err(Failure::Input(said!(
                    "an entry of the rule books has no page or picture; leave out --html and --svg to read it"
                )));
            }
            Answer::Unknown(message) => return Err(Failure::Input(message)),
            Answer::Other => {}
        }
        let judge = context.asked.unwrap_or_else(|| profile_of(record.octets));
        let is_valid = Url::accept(record.octets, judge).is_some();
        let text = match explain.drawing.svg {
            true => Explanation::of(record.octets, context.asked, false).svg_in(language()),
            false => urlwise_serve::explanation_in(record.octets, context.asked, client, language()),
        };
        drawn = Some((text, is_valid));
        Ok(())
    })?;
    let Some((text, is_valid)) = drawn else { return Ok(input::outcome(0, false, input::NOTHING_READ)) };
    out.write_all(text.as_bytes())?;
    Ok(input::outcome(1, is_valid, input::NOTHING_READ))
}

/// The fields of `parse --json` with passwords masked, and what explaining adds.
fn fields(object: &mut json::Fields<'_>, explanation: &Explanation<'_>, context: &Context) {
    let readings = explanation.readings();
    let judged = readings.judged();
    let most = context.most_problems(judged.octets());
    json::url(object, judged, most, explanation.secrets());
    let sentence = |reading: &Diagnosis<'_>| explanation.meaning_in(reading, SENTENCE, language());
    // It may be long.
    let meaning = sentence(judged);
    object.field("meaning", meaning.as_deref());
    findings(object, judged, most);
    let is_same = |other: &Diagnosis<'_>| other.is_valid() == judged.is_valid() && other.reads_alike(judged);
    let other = readings.other().map(|other| (other, if is_same(other) { meaning.clone() } else { sentence(other) }));
    let both = [Some((judged, meaning)), other];
    object.objects("readings", both.into_iter().flatten(), |object, (reading, meaning)| {
        object.field("profile", reading.profile().name());
        object.field("valid", reading.is_valid());
        object.field("meaning", meaning.as_deref());
    });
    object.extend(&json::verdict(explanation.meant()));
}

/// Writes the worst findings of a valid URL with the fields of a problem, and whether `get` refuses the URL for each; then how many
/// others there are.
fn findings(object: &mut json::Fields<'_>, diagnosis: &Diagnosis<'_>, most: usize) {
    let url = diagnosis.url();
    let all = url.as_ref().map(findings::of).unwrap_or_default();
    let alike = Alike::of(&all);
    let (chosen, more) = snippets::worst(alike.iter(), most, |alike| alike.first().level());
    object.objects("findings", chosen, |object, alike| {
        json::finding(object, alike);
        object.field("refused", url.as_ref().is_some_and(|url| findings::refusal(alike.first(), url).is_some()));
    });
    object.field("more_findings", more);
}
