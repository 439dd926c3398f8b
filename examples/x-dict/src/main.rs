//! `x-dict get URL`, `x-dict ls URL`, `x-dict plan URL`: words in dictionaries, and all other URLs that urlwise opens.

use std::error::Error;
use std::fmt;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;
use urlwise::{Profile, escape_for_display};
use urlwise_open::{Client, Options, Resource};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ran = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [command @ ("get" | "ls" | "plan"), url] => run(command, url),
        _ => Err("use it as `x-dict get URL`, `x-dict ls URL` or `x-dict plan URL`".into()),
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails, nobody is left to report it to.
            let _ = writeln!(stderr(), "x-dict: {error}");
            // As urlwise: 3 is for a text that is not a valid URL.
            let codes = [(error.is::<urlwise_open::Error>(), 1), (error.is::<NotAUrl>(), 3)];
            ExitCode::from(codes.into_iter().find(|(is, _)| *is).map_or(2, |(_, code)| code))
        }
    }
}

/// What is wrong with a text that is not a valid URL.
#[derive(Debug)]
struct NotAUrl(String);

impl fmt::Display for NotAUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NotAUrl {}

fn run(command: &str, url: &str) -> Result<(), Box<dyn Error>> {
    let parsed = x_dict::scheme().parse_with(url, Profile::Current);
    let url = parsed.map_err(|error| NotAUrl(error.to_string()))?;
    let client: Client = x_dict::client(Options::default())?;
    let mut out = stdout().lock();
    match command {
        "plan" => write!(out, "{}", client.plan(&url)?)?,
        "get" => match client.open(&url)? {
            Resource::Document(mut document) => drop(document.write_to(&mut out)?),
            Resource::Menu(_) => return run("ls", url.as_str()),
            _ => return Err("the URL does not name a document".into()),
        },
        _ => {
            for entry in client.list(&url)? {
                let entry = entry?;
                let link = entry.url.map(|url| url.masked().to_string()).unwrap_or_default();
                writeln!(out, "{:<24} {link}", escape_for_display(&entry.title).to_string())?;
            }
        }
    }
    Ok(())
}
