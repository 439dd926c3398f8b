//! Any octets as a file of logins: an error names a line of it and none of its words, and an end of line at the end changes nothing.

use urlwise_open::{Error, Netrc};

fn error(result: &Result<Netrc, Error>) -> Option<String> {
    result.as_ref().err().map(ToString::to_string)
}

pub(crate) fn run(text: &[u8]) {
    let read = Netrc::parse(text);
    if let Some(error) = error(&read) {
        let line = error.split("in line ").nth(1).and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        let lines = text.iter().filter(|octet| **octet == b'\n').count() + 1;
        assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "{error}");
        for word in text.split(|octet| !octet.is_ascii_alphanumeric()).filter(|word| word.len() > 12) {
            assert!(!error.as_bytes().windows(word.len()).any(|window| window == word), "{error}");
        }
    }
    // Nothing but the password is secret, so it is looked for where nothing else is called the same.
    let secrets = text.windows(6).filter(|window| *window == b"s3cret").count();
    if secrets == 1 && !text.contains(&b'"') && text.windows(15).any(|window| window == b"password s3cret") {
        assert!(!format!("{read:?}").contains("s3cret"), "{read:?}");
    }
    if read.is_ok() && !text.ends_with(b"\\") {
        let ended = Netrc::parse(&[text, b"\n"].concat());
        assert!(ended.is_ok(), "{:?}", error(&ended));
    }
}
