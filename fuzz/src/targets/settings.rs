//! Any octets as `urlwise.toml` and as `config.toml`: they are read, or refused at a place that they have, in words that show neither a
//! password nor what a terminal obeys. What is read is the same each time and with another line at the end; an unknown table there is
//! refused whatever is before it.
//!
//! The octets are read as those of a file are, so what is not UTF-8 is refused as a file that cannot be read.

use std::fmt::Write as _;
use std::path::Path;

use urlwise_settings::{Config, Error, Settings, TomlFile};

/// The password of the URLs in the dictionary.
const PASSWORD: &str = "s3cret";

/// What the file holds, as a text: the same text, the same settings.
type Read = fn(&[u8]) -> Result<String, Error>;

fn file(octets: &[u8]) -> Result<TomlFile, Error> {
    TomlFile::of(Path::new("x.toml"), octets)
}

fn config(octets: &[u8]) -> Result<String, Error> {
    let config = Config::in_file(file(octets)?)?;
    let named = |text: &str| match text {
        "key" => Err(format!("`{text}` is refused")),
        _ => Ok(text.to_owned()),
    };
    let (schemes, select, ignore) = (config.schemes(named)?, config.select(named)?, config.ignore(named)?);
    let (severities, excluded) = (config.severities(named)?, config.excluded(named)?);
    let flags = [config.hidden(), config.no_ignore(), config.notes()];
    let levels = (config.profile(), config.fail_on());
    Ok(format!("{schemes:?} {select:?} {ignore:?} {severities:?} {excluded:?} {flags:?} {levels:?}"))
}

fn settings(octets: &[u8]) -> Result<String, Error> {
    let settings = Settings::in_file(&file(octets)?)?;
    assert!(settings.mail.server.is_none() || settings.mail.sendmail.is_none());
    assert!(settings.mail.compose.as_ref().is_none_or(|words| !words.is_empty()));
    let mut text = format!("{:?} {:?}", settings.mail, settings.archive);
    let options = settings.opening();
    for gateway in options.gateways.iter() {
        let _ = write!(text, " {gateway:?}");
    }
    let _ = write!(text, " {:?}", options.news.server);
    Ok(text)
}

/// What is refused is refused at a place of the text, and says nothing that it must not.
fn check_message(error: &Error, text: &str) {
    let message = error.to_string();
    let place = message.strip_prefix("x.toml:").unwrap_or_else(|| panic!("{message:?}"));
    let mut numbers = place.splitn(3, ':');
    let mut number = || numbers.next().and_then(|number| number.parse::<usize>().ok()).expect("a number");
    let (line, character) = (number(), number());
    let written = line.checked_sub(1).and_then(|before| text.split('\n').nth(before));
    let written = written.unwrap_or_else(|| panic!("{message:?}"));
    assert!((1..=written.chars().count() + 1).contains(&character), "{message:?} {written:?}");
    assert!(!message.contains(|c: char| c.is_control() || c == '\u{202e}'), "{message:?}");
    // Outside of a URL it is no password, and with escapes the words of the file may make either.
    if !text.contains('\\') && text.matches(PASSWORD).count() == text.matches("://joe:s3cret@").count() {
        assert!(!message.contains(PASSWORD), "{message:?}");
    }
}

fn check(read: Read, octets: &[u8]) {
    let found = read(octets);
    let Ok(text) = str::from_utf8(octets) else {
        let message = found.expect_err("a file is UTF-8").to_string();
        assert!(message.starts_with("cannot read x.toml: "), "{message}");
        return;
    };
    match &found {
        Err(error) => check_message(error, text),
        Ok(found) => {
            assert_eq!(read(octets).as_ref(), Ok(found));
            assert_eq!(read(&[octets, b"\n# \xC3\xA9 [mail]\n"].concat()).as_ref(), Ok(found));
        }
    }
    let more = format!("{text}\n[unknown]\n");
    check_message(&read(more.as_bytes()).expect_err("no file has such a table"), &more);
}

pub(crate) fn run(octets: &[u8]) {
    check(config, octets);
    check(settings, octets);
}
