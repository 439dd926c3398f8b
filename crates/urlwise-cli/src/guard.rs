//! `urlwise guard`: says whether URLs may be fetched, and where to connect.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use unicode_width::UnicodeWidthStr;
use urlwise_explain::secret::Secrets;
use urlwise_explain::wrap;
use urlwise_readings::guard::{Guard, Verdict};

use crate::access;
use crate::cli;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::json::{self, Fields};
use crate::language::{language, message, said};
use crate::{each, input, style};

/// How long a name may take to be looked up.
const LOOK_UP: Duration = Duration::from_secs(10);

/// Longer URLs are elided for people; in octets.
const WHOLE: usize = 240;

/// The columns of a verdict, and the indent of what follows it.
const INDENT: usize = 9;

/// Judges every URL of the input.
pub(crate) fn run(options: &cli::Guard, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    let mut guard = Guard::new().profile(context.asked.unwrap_or(access::PROFILE));
    if !options.schemes.is_empty() {
        guard = guard.allow_schemes(options.schemes.iter().cloned());
    }
    if !options.hosts.is_empty() {
        guard = guard.allow_hosts(options.hosts.iter().cloned());
    }
    if options.allow_private {
        guard = guard.allow_private();
    }
    if !options.readers.is_empty() {
        guard = guard.readers(&options.readers);
    }
    each::answer(&options.lists, Some("guard"), input::NOTHING_READ, context, out, |record, answers, full| {
        let verdict = match options.resolve {
            true => guard.check_resolved(record.octets, |host, _| {
                urlwise_open::addresses_of(host, LOOK_UP).map_err(|error| format!("{:#}", error.message_in(language())))
            }),
            false => guard.check(record.octets),
        };
        if context.json {
            json::answer(answers, full, |object| fields(object, record.octets, &verdict, context))?;
        } else {
            answers.out.extend_from_slice(shown(record.octets, &verdict, context).as_bytes());
        }
        Ok(verdict.is_ok())
    })
}

/// The verdict and the URL, and under them the reasons or the addresses.
fn shown(octets: &[u8], verdict: &Verdict, context: &Context) -> String {
    let look = context.look;
    let word = if verdict.is_ok() { said!("ok") } else { said!("refused") };
    let secrets = Secrets::of(octets, context.show_secrets).and(verdict.passwords());
    let url = secrets.elided_in(octets, 0..octets.len(), WHOLE, language());
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", look.paint(style::LABEL, &word));
    wrap::blank(&mut text, INDENT.saturating_sub(word.width()));
    let _ = writeln!(text, "{}", look.paint(style::URL, &url));
    let mut line = |line: &str| {
        for line in wrap::lines(line, look.width - INDENT) {
            wrap::blank(&mut text, INDENT);
            text.push_str(line);
            text.push('\n');
        }
    };
    for reason in verdict.reasons() {
        line(&reason.display_in(language()).to_string());
    }
    if let Some(addresses) = verdict.addresses() {
        let addresses: Vec<_> = addresses.iter().map(ToString::to_string).collect();
        let either = addresses.into_iter().map(urlwise::Message::from);
        let either = either.reduce(|before, next| message!("{before} or {next}", before = before, next = next));
        line(&said!("connect to {addresses}", addresses = either.unwrap_or_else(|| "".into())));
    }
    text
}

/// Writes the fields of docs/json.md.
fn fields(object: &mut Fields<'_>, octets: &[u8], verdict: &Verdict, context: &Context) {
    let url = Secrets::of(octets, context.show_secrets).and(verdict.passwords()).covered(octets, 0..octets.len());
    object.text("url", Some(&url));
    drop(url);
    object.field("ok", verdict.is_ok());
    object.objects("reasons", verdict.reasons(), |object, reason| {
        object.field("code", reason.code().id());
        object.field("message", json::Displayed(reason.said_in(language())));
    });
    object.object("hosts", |object| {
        for (reader, host) in verdict.hosts() {
            object.field(reader.id(), host);
        }
    });
    match verdict.addresses() {
        Some(addresses) => object.array("addresses", addresses.iter().map(json::Displayed)),
        None => object.field("addresses", None::<&str>),
    }
}
