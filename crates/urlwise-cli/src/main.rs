//! The program `urlwise`: runs the commands. The options are declared in [`cli`].

mod access;
mod book;
#[cfg(feature = "serve")]
mod browser;
mod build;
mod check;
mod cli;
mod columns;
mod compare;
mod completions;
mod config;
mod console;
mod context;
mod document;
mod each;
mod encode;
mod exit;
mod explain;
mod find;
mod get;
mod guard;
mod hint;
mod input;
mod interrupt;
mod json;
mod language;
mod lock;
mod ls;
mod man;
mod memory;
mod no_follow;
mod normalize;
#[cfg(feature = "serve")]
mod open;
mod page_text;
mod pages;
mod parse;
mod patterns;
mod position;
mod progress;
#[cfg(unix)]
mod raw;
mod refusal;
#[cfg(feature = "serve")]
mod register;
mod repair;
mod report;
mod request_fields;
mod resolve;
mod robots;
mod rules;
mod same;
mod schemes;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod style;
mod terminal;
#[cfg(test)]
mod testing;
mod vectors;
mod walk;
mod whole_file;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};
use urlwise::Profile;
use urlwise_explain::secret;
use urlwise_open::{Client, ErrorKind};

use book::Answer;
use cli::{Cli, Command, Explain};
use context::Context;
use exit::{COULD_NOT_RUN, Failure, Outcome, Status};
use language::{about, words};

fn main() -> ExitCode {
    memory::keep();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&with_right_tips(error)),
    };
    style::choose_language(&cli);
    interrupt::outlive_file_limit();
    match run(&cli) {
        Ok(outcome) => outcome.into(),
        Err(Failure::Usage(error)) => usage(&error),
        Err(failure) => {
            let opens = matches!(cli.command, Some(Command::Get(_) | Command::Ls(_)));
            let is_unwritten = opens && matches!(failure, Failure::Output(_));
            ended(&failure, if is_unwritten { exit::code(Status::Failed(ErrorKind::Write)) } else { COULD_NOT_RUN })
        }
    }
}

/// Says why the program could not run or finish, and ends it with this code.
fn ended(failure: &Failure, code: u8) -> ExitCode {
    if failure.is_broken_pipe() {
        return ExitCode::SUCCESS;
    }
    // If this fails too, there is nowhere left to report it.
    let _ = writeln!(io::stderr(), "urlwise: {failure}");
    ExitCode::from(code)
}

fn run(cli: &Cli) -> Result<Outcome, Failure> {
    let mut out = output();
    let context = Context {
        profile: cli.options.profile.map_or(Profile::Rfc1738, Profile::from),
        asked: cli.options.profile.map(Profile::from),
        all_problems: cli.options.all_problems,
        json: cli.options.json,
        show_secrets: cli.options.show_secrets,
        look: style::look(&cli.options),
    };
    if let Some(option) = cli.without_use() {
        let why = words!("this command has no use for it");
        return Err(Failure::Input(about(option, why)));
    }
    let outcome = match &cli.command {
        Some(_) if cli.explain.is_given() => {
            let message = "put URLs, files and options after the command, or leave out the command";
            return Err(Failure::Usage(Box::new(
                Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message),
            )));
        }
        Some(Command::Parse(table)) if !table.columns.is_empty() || table.template.is_some() => {
            columns::run(table, &context, &mut *out)?
        }
        Some(Command::Parse(each)) => each::answer(
            &each.lists,
            Some("parse"),
            input::NOTHING_READ,
            &context,
            &mut *out,
            |record, answers, full| {
                parse::show(&urlwise::diagnose(record.octets, context.profile), &context, answers, full)
            },
        )?,
        Some(Command::Explain(explain)) => explained(explain, Some("explain"), &context, &mut *out)?,
        None => explained(&cli.explain, None, &context, &mut *out)?,
        Some(Command::Normalize(normalize)) => {
            let form = normalize.level.into();
            each::answer(
                &normalize.lists,
                Some("normalize"),
                input::NOTHING_READ,
                &context,
                &mut *out,
                |record, answers, _| {
                    let diagnosis = urlwise::diagnose(record.octets, context.profile);
                    Ok(normalize::show(&diagnosis, form, &context, answers))
                },
            )?
        }
        Some(Command::Same(inputs)) => same::run(inputs, &context, &mut out)?,
        Some(Command::Compare(compare)) => compare::run(compare, &context, &mut *out)?,
        Some(Command::Guard(guard)) => guard::run(guard, &context, &mut *out)?,
        Some(Command::Vectors(hosts)) => vectors::run(hosts, &context, &mut *out)?,
        Some(Command::Resolve(resolve)) => resolve::run(resolve, &context, &mut *out)?,
        Some(Command::Repair(lists)) => repair::run(lists, &context, &mut *out)?,
        Some(Command::Find(find)) => find::run(find, context.asked, &context, &mut *out)?,
        Some(Command::Check(check)) => check::run(check, context.asked, &context, &mut *out)?,
        Some(Command::Get(get)) => {
            let profile = context.asked.unwrap_or(access::PROFILE);
            get::run(get, profile, &context, &mut out)?
        }
        Some(Command::Ls(list)) => {
            let profile = context.asked.unwrap_or(access::PROFILE);
            ls::run(list, profile, context.json, &mut out)?
        }
        #[cfg(feature = "serve")]
        Some(Command::Serve(serve)) => serve::run(serve, &mut out)?,
        #[cfg(feature = "serve")]
        Some(Command::Open(open)) => open::run(open, &mut out)?,
        #[cfg(feature = "serve")]
        Some(Command::Register(register)) => register::register(register, &mut out)?,
        #[cfg(feature = "serve")]
        Some(Command::Unregister(unregister)) => register::unregister(unregister, &mut out)?,
        Some(Command::Build(build)) => build::run(build, context.asked, &context, &mut out)?,
        Some(Command::Encode(coding)) => encode::run(coding, encode::Direction::Encode, &context, &mut out)?,
        Some(Command::Decode(coding)) => encode::run(coding, encode::Direction::Decode, &context, &mut out)?,
        Some(Command::Schemes(own)) => schemes::show(&settings::of(own)?.opening(), &context, &mut out)?,
        Some(Command::Man) => man::show(&mut out)?,
        Some(Command::Completions { shell }) => completions::show(*shell, &mut out)?,
    };
    match out.flush() {
        // Already reported.
        Err(_) if outcome == Outcome::Opened(Status::Failed(ErrorKind::Write)) => Ok(outcome),
        flushed => Ok(flushed.map(|()| outcome)?),
    }
}

/// Explains every record: a URL, or on the command line an entry of the rule books.
fn explained(
    explain: &Explain,
    command: Option<&str>,
    context: &Context,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    if let (None, Some(name)) = (command, explain.lists.inputs.urls.first().and_then(|name| cli::mistyped(name))) {
        return Err(Failure::Usage(Box::new(name)));
    }
    let client = Client::new(settings::of(&explain.own)?.opening());
    #[cfg(feature = "serve")]
    if explain.is_drawn() {
        return explain::draw(explain, command, &client, context, out);
    }
    each::answer(&explain.lists, command, input::NOTHING_READ, context, out, |record, answers, full| {
        let answer = if record.place.is_none() { book::look_up(record.octets) } else { Answer::Other };
        match answer {
            Answer::Page(page) => book::show(&page, context, &mut answers.out).map(|()| true),
            Answer::Unknown(message) => Err(Failure::Input(message)),
            Answer::Other => explain::show(&record, &client, context, answers, full),
        }
    })
}

/// Standard output, line-buffered on a terminal, otherwise block-buffered.
fn output() -> Box<dyn Write + Send> {
    let stdout = io::stdout();
    if io::IsTerminal::is_terminal(&stdout) {
        // Also shows colours on old Windows consoles.
        Box::new(anstream::AutoStream::always(stdout))
    } else {
        Box::new(BufWriter::with_capacity(1 << 16, stdout))
    }
}

/// The error with tips that help. To pass `-odd.txt`, which begins with an option, clap names `-- -o`; to pass -1 to an option, it names
/// what would be an argument of the command.
fn with_right_tips(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return error };
    let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) else { return error };
    let is_about_values = |tip: &StyledStr| tip.to_string().contains(&format!("'-- {option}'"));
    let mut right: Vec<StyledStr> = tips.iter().filter(|tip| !is_about_values(tip)).cloned().collect();
    let arguments = arguments();
    let meant = arguments.iter().position(|argument| argument.starts_with(option.as_str()));
    let is_of_option = |at: usize| at > 0 && arguments[at - 1].starts_with("--");
    if right.len() < tips.len()
        && let Some(at) = meant.filter(|at| !is_of_option(*at))
    {
        right.push(StyledStr::from(format!("to pass '{0}' as a value, use '-- {0}'", arguments[at])));
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(right));
    error
}

/// The command line as errors quote it.
fn arguments() -> Vec<String> {
    std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Prints an error of clap. It may quote arguments, so passwords and harmful characters are masked.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => ended(&error.into(), COULD_NOT_RUN),
        };
    }
    let text = error.render().to_string();
    let masked = secret::masked_quotes(&text, arguments().iter().map(String::as_str));
    // If this fails too, there is nowhere left to report it.
    if masked.trim_end() == text.trim_end() {
        let _ = error.print();
    } else {
        let _ = io::stderr().write_all(masked.as_bytes());
    }
    ExitCode::from(COULD_NOT_RUN)
}
