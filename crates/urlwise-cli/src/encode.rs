//! `urlwise encode` and `urlwise decode`: octets as a part of a URL, and back.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use urlwise::build::{self, nearest};
use urlwise::grammar::Production;
use urlwise::{Message, Profile, Scheme};
use urlwise_explain::secret;

use crate::build::{of_hex, usage};
use crate::cli::{Coding, Inputs};
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::input::Record;
use crate::json::{Fields, Object};
use crate::language::{language, said};
use crate::{console, input, json};

/// Which of the two commands runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Encode,
    Decode,
}

impl Direction {
    fn command(self) -> &'static str {
        match self {
            Direction::Encode => "encode",
            Direction::Decode => "decode",
        }
    }
}

/// A part and its name on the command line.
struct Named {
    name: String,
    rule: &'static Production,
}

/// The parts of every scheme. Names and values of fields are separate, because they reserve different characters.
fn all() -> Vec<Named> {
    let bases = Scheme::ALL.iter().filter(|scheme| scheme.base() == **scheme);
    let mut all: Vec<Named> = Vec::new();
    for &scheme in bases.chain(&[Scheme::Other]) {
        let scheme_name = scheme.name().unwrap_or("other");
        for kind in build::parts(scheme) {
            let rules = [Some(kind.rule()), kind.value_rule()];
            for rule in rules.into_iter().flatten() {
                let part = if kind.value_rule().is_some() { rule.name() } else { kind.name() };
                let name = format!("{scheme_name}.{part}");
                if all.iter().all(|named| named.name != name) {
                    all.push(Named { name, rule });
                }
            }
        }
    }
    all
}

/// Finds a part by name. Siblings have the parts of their base.
fn find(given: &str) -> Result<Named, Failure> {
    let (scheme, part) = given.split_once('.').unwrap_or((given, ""));
    let base = Scheme::from_name(scheme.as_bytes(), Profile::Current).base().name().unwrap_or("other");
    let kind = build::parts(Scheme::from_name(base.as_bytes(), Profile::Current)).find(|kind| kind.is_called(part));
    let wanted = format!("{base}.{}", kind.map_or(part, |kind| kind.name()));
    let all = all();
    let is_scheme = base != "other" || scheme == "other";
    if let Some(named) = all.iter().find(|named| named.name == wanted).filter(|_| is_scheme) {
        return Ok(Named { name: wanted, rule: named.rule });
    }
    let names = || all.iter().map(|named| named.name.as_str());
    let of_scheme: Vec<&str> = names().filter(|name| name.split('.').next() == Some(scheme)).collect();
    let help = match (nearest(given, names()), of_scheme.is_empty()) {
        (Some(near), _) => said!("did you mean `{near}`?", near = near),
        (None, false) => {
            said!("known parts: {list}", list = crate::language::list(of_scheme.into_iter().map(Message::from)))
        }
        (None, true) => said!("run `urlwise encode --list` to list all parts, such as `ftp.name`"),
    };
    let name = secret::masked_option(given);
    Err(Failure::Input(said!("unknown part `{name}`; {help}", name = name, help = help)))
}

/// Encodes or decodes every value.
pub(crate) fn run(
    coding: &Coding,
    direction: Direction,
    context: &Context,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Some(given) = coding.part.as_deref() else {
        return list(context, out);
    };
    let part = find(given)?;
    if coding.values.is_empty() && coding.files.is_empty() && io::stdin().is_terminal() {
        return Err(usage(direction.command(), "no value: give one as an argument, with --file or on standard input"));
    }
    let mut all_ok = true;
    let visit = |record: Record<'_>| {
        if let Some(long) = record.too_long {
            all_ok = false;
            match context.json {
                true => json::write_long(out, |object| json::too_long(object, &long))?,
                false => console::message(&long.message()),
            }
            return Ok(());
        }
        let is_argument = record.place.is_none();
        let done = match direction {
            Direction::Encode => {
                let octets = if coding.hex { of_hex(record.octets, "encode")?.into() } else { record.octets.into() };
                encode(&part, octets, context.profile)
            }
            Direction::Decode => decode(&part, record.octets, context.profile),
        };
        match done {
            Ok(pair) if context.json => json::write_long(out, |object| {
                object.field("part", given);
                fields(object, direction, record.octets.len(), &pair);
            })?,
            Ok(pair) => {
                let text = match direction {
                    Direction::Encode => pair.raw,
                    Direction::Decode if coding.hex => json::hex(&pair.octets).into_bytes().into(),
                    Direction::Decode if io::stdout().is_terminal() => {
                        urlwise::escape_for_display(&pair.octets).to_string().into_bytes().into()
                    }
                    Direction::Decode => pair.octets,
                };
                out.write_all(&text)?;
                match (coding.null, coding.whole && !is_argument) {
                    (_, true) => {}
                    (true, _) => out.write_all(b"\0")?,
                    (false, _) => out.write_all(b"\n")?,
                }
            }
            Err(message) => {
                all_ok = false;
                let place = record.place.map(|place| format!("{}:{}: ", place.file, place.number));
                console::message(&format!("{}{message}", place.unwrap_or_default()));
            }
        }
        Ok(())
    };
    let inputs = Inputs { urls: coding.values.clone(), files: coding.files.clone(), null: coding.null };
    let count = match coding.whole {
        true => input::for_each_whole(&inputs, None, visit)?,
        false => input::for_each(&inputs, None, visit)?,
    };
    if count == 0 {
        console::message(&said!("no value in the input"));
    }
    Ok(if all_ok && count > 0 { Outcome::Fine } else { Outcome::Findings })
}

/// A part as written, and decoded.
struct Pair<'o> {
    raw: Cow<'o, [u8]>,
    octets: Cow<'o, [u8]>,
}

/// The error says why the part cannot hold the octets.
fn encode<'o>(part: &Named, octets: Cow<'o, [u8]>, profile: Profile) -> Result<Pair<'o>, String> {
    let raw = match part.rule.has_escapes() {
        true => part.rule.encode(&octets).into_bytes().into(),
        false => octets.clone(),
    };
    decode(part, &raw, profile)?;
    Ok(Pair { raw, octets })
}

fn decode<'o>(part: &Named, raw: &'o [u8], profile: Profile) -> Result<Pair<'o>, String> {
    let octets = part.rule.decode(raw, profile).map_err(|problem| problem.display_in(language()).to_string())?;
    if part.name == "gopher.gtype" && octets.len() != 1 {
        return Err(said!("a gopher type is one character (section 3.4.1, D-42)"));
    }
    Ok(Pair { raw: raw.into(), octets })
}

/// Writes both forms of a part. If they do not fit, that which only repeats what was given is null.
fn fields(object: &mut Fields<'_>, direction: Direction, given: usize, pair: &Pair<'_>) {
    let (raw, octets) = (json::length(&pair.raw), json::length(&pair.octets));
    if json::fits(raw + octets, given) {
        return json::encoded(object, &pair.raw, &pair.octets);
    }
    let repeated = match direction {
        Direction::Encode => {
            object.text("raw", Some(&pair.raw));
            object.field("decoded", None::<bool>);
            "decoded"
        }
        Direction::Decode => {
            object.field("raw", None::<bool>);
            json::decoded(object, &pair.octets);
            "raw"
        }
    };
    object.field("omitted", &json::omitted(repeated, 0..given));
}

/// Lists the parts with their sections and descriptions.
fn list(context: &Context, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let all = all();
    let width = all.iter().map(|named| named.name.len()).max().unwrap_or_default();
    let sections = all.iter().map(|named| named.rule.section().len() + "()".len()).max().unwrap_or_default();
    for Named { name, rule } in &all {
        if context.json {
            let mut object = Object::new();
            object.insert("part".into(), name.as_str().into());
            object.insert("rule".into(), rule.name().into());
            object.insert("bnf".into(), rule.bnf().into());
            object.insert("section".into(), rule.section().into());
            object.insert("escapes".into(), rule.has_escapes().into());
            json::write_line(out, &object)?;
        } else {
            let section = format!("({})", rule.section());
            writeln!(out, "{name:width$}  {section:sections$}  {}", rule.what_in(language()))?;
        }
    }
    Ok(Outcome::Fine)
}
