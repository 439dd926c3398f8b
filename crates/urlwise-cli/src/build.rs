//! `urlwise build`: builds a URL from its parts, or changes parts of URLs.

use std::ffi::OsStr;
use std::io::Write;

use clap::error::ErrorKind;
use urlwise::build::{BuildError, Draft};
use urlwise::{Level, Problem, Profile, Scheme, Url, diagnose};
use urlwise_explain::secret::Secrets;

use crate::cli::{self, Inputs};
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::input::{Record, TooLong};
use crate::json::Fields;
use crate::language::{about, language, message};
use crate::{console, input, json, refusal};

/// Builds one URL, or changes the given ones. Without `profile`, the scheme decides which profile is used.
pub(crate) fn run(
    build: &cli::Build,
    profile: Option<Profile>,
    context: &Context,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let mut output = Output { context, out, all_ok: true };
    if build.set.is_empty() && build.remove.is_empty() {
        one(build, profile, &mut output)?;
    } else {
        change(build, profile, &mut output)?;
    }
    Ok(if output.all_ok { Outcome::Fine } else { Outcome::Findings })
}

/// Builds one URL from a scheme and its parts.
fn one(build: &cli::Build, profile: Option<Profile>, output: &mut Output<'_>) -> Result<(), Failure> {
    let Some((scheme, parts)) = build.items.split_first() else {
        return Err(usage("build", "no scheme: give a scheme and its parts, or --set and URLs"));
    };
    // The message does not quote the argument: a URL may contain a password.
    let scheme = scheme.to_str().filter(|scheme| !scheme.contains([':', '=']));
    let scheme = scheme.ok_or_else(|| {
        usage("build", "the first argument must be a scheme such as `ftp`; to change a URL, use --set or --remove")
    })?;
    if !build.files.is_empty() || build.null {
        return Err(usage("build", "--file requires --set or --remove"));
    }
    let profile = profile.unwrap_or_else(|| profile_of(scheme.as_bytes()));
    if let Some(path) = &build.path {
        if !scheme.eq_ignore_ascii_case("file") || !parts.is_empty() {
            return Err(usage("build", "--path requires the scheme `file` and no parts"));
        }
        return match Url::from_file_path(path) {
            Ok(url) => output.url(&url),
            Err(error) => output.refusal(&error.message_in(language()).to_string(), None, profile, None),
        };
    }
    let mut draft = Draft::new(scheme, profile);
    for name in &build.hex {
        // A part may have hex digits whether it is given or not, but the scheme has to have it.
        if let Err(error @ BuildError::UnknownPart { .. }) = draft.clone().add(name, b"") {
            let message = output.fit(&error.message_in(language()).to_string());
            return Err(Failure::Input(about("--hex", message)));
        }
    }
    for part in parts {
        let (name, value) = assignment(part, &build.hex)?;
        draft
            .add(name, &value)
            .map_err(|error| Failure::Input(output.fit(&error.message_in(language()).to_string())))?;
    }
    match draft.build() {
        Ok(url) => output.url(&url),
        Err(error) => output.error(&error, profile, None),
    }
}

/// Changes parts of URLs. If one URL cannot be changed, the others still are.
fn change(build: &cli::Build, profile: Option<Profile>, output: &mut Output<'_>) -> Result<(), Failure> {
    let set = build.set.iter().map(|part| assignment(part, &build.hex)).collect::<Result<Vec<_>, _>>()?;
    let named = [("--remove", &build.remove), ("--hex", &build.hex)];
    let named = named.into_iter().flat_map(|(option, names)| names.iter().map(move |name| (option, name.as_str())));
    for (option, name) in named.chain(set.iter().map(|(name, _)| ("--set", *name))) {
        if !is_somewhere(name) {
            let shown = console::shown(name);
            let what = message!("no scheme has a part `{name}`; `urlwise encode --list` has all of them", name = shown);
            return Err(Failure::Input(about(option, what)));
        }
    }
    let inputs = Inputs { urls: build.items.clone(), files: build.files.clone(), null: build.null };
    let count = input::for_each(&inputs, Some("build"), |record| {
        if let Some(long) = record.too_long {
            return output.too_long(&long);
        }
        let profile = profile.unwrap_or_else(|| {
            let colon = record.octets.iter().position(|&octet| octet == b':');
            profile_of(&record.octets[..colon.unwrap_or(0)])
        });
        let diagnosis = diagnose(record.octets, profile);
        let Some(url) = diagnosis.url() else {
            let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
            let message = refusal::of(&diagnosis, output.context.show_secrets);
            let problem = error.map(|problem| (problem, record.octets));
            return output.refusal(&message, problem, profile, Some(record));
        };
        match changed(&url, &build.remove, &set) {
            Ok(url) => output.url(&url),
            Err(error) => output.error(&error, profile, Some(record)),
        }
    })?;
    if count == 0 {
        output.all_ok = false;
        console::message(&input::NOTHING_READ.get(language()));
    }
    Ok(())
}

/// Whether some scheme has a part of this name.
fn is_somewhere(name: &str) -> bool {
    let drafts = Scheme::ALL.iter().map(|scheme| Draft::of(*scheme)).chain([Draft::new("x-other", Profile::Current)]);
    drafts.into_iter().any(|mut draft| !matches!(draft.add(name, b""), Err(BuildError::UnknownPart { .. })))
}

fn changed(url: &Url<&str>, remove: &[String], set: &[(&str, Vec<u8>)]) -> Result<Url<String>, BuildError> {
    let mut draft = url.edit();
    for part in remove {
        draft.remove(part)?;
    }
    for (index, (part, value)) in set.iter().enumerate() {
        let is_first = set[..index].iter().all(|(before, _)| before != part);
        if is_first { draft.set(part, value)? } else { draft.add(part, value)? }
    }
    draft.build()
}

/// RFC 1738, except for schemes that only the current profile knows.
fn profile_of(scheme: &[u8]) -> Profile {
    Scheme::from_name(scheme, Profile::Current).since()
}

/// Splits `PART=VALUE`. The values of parts in `hex` are hex digits.
fn assignment<'a>(argument: &'a OsStr, hex: &[String]) -> Result<(&'a str, Vec<u8>), Failure> {
    let octets = argument.as_encoded_bytes();
    let at = octets.iter().position(|&octet| octet == b'=');
    let name = at.and_then(|at| std::str::from_utf8(&octets[..at]).ok());
    let (Some(at), Some(name)) = (at, name) else {
        return Err(usage("build", "write a part as PART=VALUE, as in `host=host.example`; `PART=` makes it empty"));
    };
    let value = &octets[at + 1..];
    let is_hex = hex.iter().any(|part| part == name);
    Ok((name, if is_hex { of_hex(value, "build")? } else { value.to_vec() }))
}

/// Decodes hex digits, two per octet.
pub(crate) fn of_hex(digits: &[u8], command: &str) -> Result<Vec<u8>, Failure> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let octet = |pair: &[u8]| match pair {
        // Two hex digits fit in a u8.
        [high, low] => Some((value(*high)? << 4 | value(*low)?) as u8),
        _ => None,
    };
    let octets: Option<Vec<u8>> = digits.chunks(2).map(octet).collect();
    octets.ok_or_else(|| usage(command, "--hex requires two hex digits per octet, as in `2f41`"))
}

/// A usage error: a value is wrong, or missing.
pub(crate) fn usage(command: &str, message: &str) -> Failure {
    cli::usage(command, ErrorKind::ValueValidation, message)
}

/// Writes results and errors.
struct Output<'o> {
    context: &'o Context,
    out: &'o mut dyn Write,
    all_ok: bool,
}

impl Output<'_> {
    /// Writes the URL unmasked: the user asked for exactly this URL.
    fn url(&mut self, url: &Url<String>) -> Result<(), Failure> {
        match self.context.json {
            true => self.line(|object| {
                let diagnosis = diagnose(url.as_str(), url.profile());
                json::url(object, &diagnosis, self.context.most_problems(diagnosis.octets()), &Secrets::default());
            })?,
            false => writeln!(self.out, "{url}")?,
        }
        Ok(())
    }

    fn error(&mut self, error: &BuildError, profile: Profile, record: Option<Record<'_>>) -> Result<(), Failure> {
        match error {
            BuildError::Refused(refused) => {
                let problem = refused.problem();
                let message = refusal::about(refused.octets(), &problem, self.context.show_secrets);
                self.refusal(&message, Some((&problem, refused.octets())), profile, record)
            }
            _ => self.refusal(&error.message_in(language()).to_string(), None, profile, record),
        }
    }

    fn refusal(
        &mut self,
        message: &str,
        problem: Option<(&Problem<'_>, &[u8])>,
        profile: Profile,
        record: Option<Record<'_>>,
    ) -> Result<(), Failure> {
        self.all_ok = false;
        let message = self.fit(message);
        if self.context.json {
            self.line(|object| {
                object.field("url", None::<bool>);
                object.text("text", problem.map(|(_, octets)| octets));
                object.field("profile", profile.name());
                object.field("valid", false);
                object.field("error", message.as_str());
                match problem {
                    Some((problem, _)) => object.object("problem", |object| json::problem(object, problem)),
                    None => object.field("problem", None::<bool>),
                }
            })?;
            return Ok(());
        }
        let place = record.and_then(|record| record.place);
        let place = place.map(|place| format!("{}:{}: ", place.file, place.number)).unwrap_or_default();
        console::message(&format!("{place}{message}"));
        Ok(())
    }

    /// Says that a line was not read.
    fn too_long(&mut self, line: &TooLong<'_>) -> Result<(), Failure> {
        self.all_ok = false;
        match self.context.json {
            true => self.line(|object| json::too_long(object, line))?,
            false => console::message(&line.message()),
        }
        Ok(())
    }

    /// Writes one object.
    fn line(&mut self, fields: impl FnOnce(&mut Fields<'_>)) -> Result<(), Failure> {
        let mut line = Vec::new();
        json::line(&mut line, fields);
        Ok(self.out.write_all(&line)?)
    }

    fn fit(&self, message: &str) -> String {
        Secrets::of(&[], self.context.show_secrets).masked_text(message).into_owned()
    }
}
