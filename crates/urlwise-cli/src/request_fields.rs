//! The header fields of `--header`: given as they are, or as the lines of a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use urlwise_explain::secret;
use urlwise_open::protocol::http::RequestField;

use crate::exit::{Failure, os_message};
use crate::language::{about, language, message, said};

/// The longest file of fields, in octets.
const LONGEST: u64 = 64 << 10;

/// The fields that the options give, in order. Errors never quote values.
pub(crate) fn of(options: &[String]) -> Result<Vec<RequestField>, Failure> {
    let mut fields = Vec::new();
    for option in options {
        match option.strip_prefix('@') {
            Some(file) => {
                for line in read(file)?.lines().filter(|line| !line.trim().is_empty()) {
                    fields.push(parse(line)?);
                }
            }
            None => fields.push(parse(option)?),
        }
    }
    Ok(fields)
}

fn parse(text: &str) -> Result<RequestField, Failure> {
    text.parse().map_err(|fault| {
        let error = urlwise_open::Error::from(fault);
        Failure::Input(about("--header", error.message_in(language()).to_string()))
    })
}

fn read(file: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    let why = match read {
        Ok(_) if text.len() as u64 > LONGEST => said!("it is longer than {count} octets", count = LONGEST),
        Ok(_) => return Ok(text),
        Err(error) => os_message(&error),
    };
    Err(Failure::Input(about(
        "--header",
        message!("cannot read {name}: {why}", name = secret::masked_missing(Path::new(file)), why = why),
    )))
}
