//! Any text as one of the two files.

use std::path::Path;

use proptest::prelude::*;
use urlwise_settings::{Config, Error, Settings, TomlFile};

/// The password of every URL among the [`PARTS`].
const PASSWORD: &str = "s3cret";

/// What both files are made of, right and wrong, in any order.
#[rustfmt::skip]
const PARTS: [&str; 96] = [
    "profile", "hidden", "no-ignore", "schemes", "select", "ignore", "severity", "notes", "fail-on", "exclude", "urls", "hosts",
    "[exclude]", "[severity]", "[gateway]", "[news]", "[archive]", "[mail]", "[[mail]]", "wais", "wais = ", "server", "server = ", "url", "from",
    "sendmail", "compose", "compose = ", "archive.url", "mail.server", "news.server",
    "=", " = ", ".", ",", "[", "]", "{", "}", "\n", "\n", "\r\n", "\r", " ", "\t", "#", "\"", "'", "\"\"\"", "'''", "\\", "\\u0000", "\\U0001F600",
    "true", "false", "1", "-9223372036854775809", "1979-05-27T07:32:00Z", "nan", "0x", "\0", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{202e}", "\u{e9}", "漢字", "😀",
    "\"rfc1738\"", "\"current\"", "\"error\"", "\"off\"", "\"smtps://joe:s3cret@mail.example\"", "'nntp://joe:s3cret@news.example/'",
    "\"http://joe:s3cret@gate.example/{url}\"", "\"http://gate.example/{url}\"", "\"news.example\"", "\"Joe Doe <joe@host.example>\"",
    "[\"mail\", \"-c\"]", "key",
    // Lines that are right but for what they say.
    "\n[gateway]\n", "\nwais = \"http://joe:s3cret@gate.example/{url}\"\n", "\nprospero = \"http://gate.example/\"\n", "\n[news]\nserver = ",
    "\n[mail]\n", "\nserver = \"smtps://joe:s3cret@mail.example\"\n", "\nserver = \"http://joe:s3cret@mail.example\"\n",
    "\nfrom = \"Joe <joe>\"\n", "\nsendmail = \"a/b\"\n", "\ncompose = []\n", "\n\"smtps://joe:s3cret@mail.example\" = 1\n",
    "\nignore = [\"key\"]\n", "\nselect = [\"\u{202e}\", 'key']\n", "\n[severity]\n", "\nkey = \"off\"\n", "\n[exclude]\nurls = [\n\t",
];

/// The message about a text, if it is refused by this reader.
fn refusal(read: fn(&str) -> Result<(), Error>, text: &str) -> Option<String> {
    read(text).err().map(|error| error.to_string())
}

fn file(text: &str) -> Result<TomlFile, Error> {
    TomlFile::of(Path::new("x.toml"), text.as_bytes())
}

fn config(text: &str) -> Result<(), Error> {
    let config = Config::in_file(file(text)?)?;
    let named = |text: &str| if text == "key" { Err("no".to_owned()) } else { Ok(()) };
    config.schemes(named)?;
    config.select(named)?;
    config.ignore(named)?;
    config.severities(named)?;
    config.excluded(named).map(drop)
}

fn settings(text: &str) -> Result<(), Error> {
    Settings::in_file(&file(text)?).map(drop)
}

/// A message names a place of the text, and shows neither a password nor what a terminal obeys.
fn check_message(message: &str, text: &str) {
    let place = message.strip_prefix("x.toml:").unwrap_or_else(|| panic!("{message:?}"));
    let mut numbers = place.splitn(3, ':');
    let mut number = || numbers.next().and_then(|number| number.parse::<usize>().ok()).expect("a number");
    let (line, character) = (number(), number());
    let written = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("{message:?}"));
    assert!((1..=written.chars().count() + 1).contains(&character), "{message:?} {written:?}");
    assert!(!message.chars().any(char::is_control) && !message.contains('\u{202e}'), "{message:?}");
    assert!(!message.contains(PASSWORD), "{message:?}");
}

/// At least 20,000 cases; `PROPTEST_CASES` asks for more. Texts that fail are written into a test, not into a file.
fn cases() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { cases: config.cases.max(20_000), failure_persistence: None, ..config }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn security_55_any_text_as_settings_is_read_or_refused_at_a_place(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..24)) {
        let text = parts.concat();
        for read in [config, settings] {
            if let Some(message) = refusal(read, &text) {
                check_message(&message, &text);
            }
            // A table of its own, behind whatever is there.
            let more = format!("{text}\n[unknown]\n");
            let message = refusal(read, &more).expect("no file has such a table");
            check_message(&message, &more);
        }
    }
}
