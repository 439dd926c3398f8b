//! `urlwise vectors`: prints texts that deceive checks of URLs, for the tests of others.

use std::io::Write;

use urlwise::escape_for_display;
use urlwise_explain::wrap;
use urlwise_readings::guard::{Guard, HostPattern};
use urlwise_readings::vectors::vectors;
use urlwise_readings::{Difference, Reader, Readings};

use crate::access;
use crate::cli::Vectors;
use crate::compare;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::json;
use crate::language::{about, language, words};
use crate::style;

/// The indent under the name of a vector.
const INDENT: usize = 4;

/// Prints all vectors.
pub(crate) fn run(hosts: &Vectors, context: &Context, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    let profile = context.asked.unwrap_or(access::PROFILE);
    if hosts.trusted == hosts.hostile {
        let why = words!("it is the host of --trusted; name another one");
        return Err(Failure::Input(about("--hostile", why)));
    }
    let trusting = Guard::new().profile(profile).allow_hosts([HostPattern::from(&hosts.trusted)]);
    let mut text = Vec::new();
    for vector in vectors(&hosts.trusted, &hosts.hostile) {
        let octets = vector.text().as_bytes();
        let readings = Readings::by(octets, profile, Reader::ALL);
        let differs = |difference| readings.differs().contains(difference);
        if context.json {
            let verdict = trusting.check(octets);
            json::line(&mut text, |object| {
                object.field("name", vector.name());
                object.field("family", vector.family());
                object.text("url", Some(octets));
                object.array("reports", vector.reports());
                object.object("readings", |object| {
                    for (reader, reading) in readings.iter() {
                        object.object(reader.id(), |object| {
                            compare::reading(object, &readings, (reader, reading), false, true, |_, _| true);
                        });
                    }
                });
                let server = [Difference::Scheme, Difference::Host, Difference::Port];
                object.field("agree", !server.into_iter().any(differs));
                object.field("ok", verdict.is_ok());
                object.array("reasons", verdict.reasons().iter().map(|reason| reason.code().id()));
            });
        } else {
            let name = context.look.paint(style::LABEL, vector.name());
            writeln!(text, "{name}  {}", context.look.paint(style::URL, escape_for_display(octets)))?;
            let sentence = readings.sentence().message_in(language()).to_string();
            for line in wrap::lines(&sentence, context.look.width - INDENT) {
                writeln!(text, "{:INDENT$}{line}", "")?;
            }
        }
        out.write_all(&text)?;
        text.clear();
    }
    Ok(Outcome::Fine)
}
