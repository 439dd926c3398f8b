//! What is sent: octets for a server, displayed without the secrets in them.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urlwise::{Language, Message, NestedSecrets, escape_for_display, padded, write_for_display};

/// Octets for the server. Displays escaped, with `***` for [secrets](Command::secret), or [in words](Command::in_words).
#[derive(Clone, PartialEq, Eq)]
pub struct Command {
    octets: Vec<u8>,
    /// In order, none of them empty.
    secrets: Vec<Range<usize>>,
    /// Secrets that it holds in another form, such as a password in Base64.
    recoded: Vec<Vec<u8>>,
    words: Option<Message>,
}

impl Command {
    /// A command of these octets, line end included.
    pub fn new(octets: Vec<u8>) -> Command {
        Command { octets, secrets: Vec::new(), recoded: Vec::new(), words: None }
    }

    /// Marks octets that must not be shown, such as a password. A range past the end is cut off there. For several ranges, call it once
    /// for each, in order.
    #[must_use]
    pub fn secret(mut self, range: Range<usize>) -> Command {
        let end = range.end.min(self.octets.len());
        let shown = self.secrets.last().map_or(0, |last| last.end);
        let start = range.start.max(shown);
        if start < end {
            self.secrets.push(start..end);
        }
        self
    }

    /// With a description to display, for a binary protocol.
    #[must_use]
    pub fn in_words(self, words: impl Into<Message>) -> Command {
        Command { words: Some(words.into()), ..self }
    }

    /// What `Display` writes, in a language: only a description has one.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        match &self.words {
            Some(words) => words.in_language(language).to_string(),
            None => self.to_string(),
        }
    }

    /// Writes what `Display` writes, in a language.
    pub(crate) fn write_in(&self, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        if let Some(words) = &self.words {
            return words.write(language, f);
        }
        let mut at = 0;
        for secret in &self.secrets {
            write_for_display(&self.octets[at..secret.start], f)?;
            f.write_str("***")?;
            at = secret.end;
        }
        write_for_display(&self.octets[at..], f)
    }

    /// What is displayed, in every language.
    pub(crate) fn message(&self) -> Message {
        self.words.clone().unwrap_or_else(|| self.to_string().into())
    }

    /// Exactly what to write.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// With secrets that it holds in another form, none of them empty: what a server repeats of them is not shown either.
    pub(crate) fn never_showing(self, recoded: Vec<Vec<u8>>) -> Command {
        Command { recoded, ..self }
    }

    /// The secrets, one by one.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &[u8]> {
        let marked = self.secrets.iter().map(|secret| &self.octets[secret.clone()]);
        marked.chain(self.recoded.iter().map(Vec::as_slice))
    }

    /// With the passwords of URLs inside a URL as further secrets, also in the description.
    pub(crate) fn hiding(mut self, nested: &NestedSecrets) -> Command {
        let found = nested.find(&self.octets);
        if !found.is_empty() {
            let mut secrets = std::mem::take(&mut self.secrets);
            secrets.extend(found);
            secrets.sort_by_key(|secret| secret.start);
            self = secrets.into_iter().fold(self, Command::secret);
        }
        Command { words: self.words.map(|words| hidden(words, nested)), ..self }
    }

    /// Takes each line as a separate command; the whole command if it has a description.
    pub(crate) fn each_line(self, mut take: impl FnMut(Command)) {
        let breaks = self.octets.iter().position(|octet| *octet == b'\n').is_some_and(|at| at + 1 < self.octets.len());
        if self.words.is_some() || !breaks {
            // What most commands are.
            if !self.octets.is_empty() {
                take(self);
            }
            return;
        }
        let mut at = 0;
        for line in self.octets.split_inclusive(|octet| *octet == b'\n') {
            let start = at;
            at += line.len();
            let within = |place: usize| place.clamp(start, at) - start;
            let secrets = self.secrets.iter().map(|secret| within(secret.start)..within(secret.end));
            take(secrets.fold(Command::new(line.to_vec()), Command::secret));
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| self.write_in(Language::En, f))
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command({self})")
    }
}

/// What a server said with `***` for every password of a URL in it: a redirect may have one.
pub(crate) fn without_passwords(words: &[u8]) -> Cow<'_, [u8]> {
    covered(words, urlwise::secrets(words))
}

/// `words` with `***` for some spans of them.
pub(crate) fn covered(words: &[u8], passwords: Vec<Range<usize>>) -> Cow<'_, [u8]> {
    if passwords.is_empty() {
        return Cow::Borrowed(words);
    }
    let mut shown = Vec::with_capacity(words.len());
    let mut at = 0;
    for Range { start, end } in passwords {
        shown.extend_from_slice(&words[at..start]);
        shown.extend_from_slice(b"***");
        at = end;
    }
    shown.extend_from_slice(&words[at..]);
    Cow::Owned(shown)
}

/// A message without the passwords of URLs inside a URL.
pub(crate) fn hidden(message: Message, nested: &NestedSecrets) -> Message {
    if nested.is_empty() || message.is_fixed() {
        return message;
    }
    // Passwords are the same in every language.
    let mut english = String::with_capacity(64);
    // Writing to a String cannot fail.
    let _ = message.write(Language::En, &mut english);
    if nested.find(english.as_bytes()).is_empty() {
        return message;
    }
    Message::of_each(|language| nested.masked(&message.in_language(language).to_string()).into_owned())
}

/// A text for a message, escaped: it may be a URL with a password, which is masked.
pub(crate) fn shown(text: impl AsRef<[u8]>) -> String {
    escape_for_display(&without_passwords(text.as_ref())).to_string()
}

/// A text for a message that should be the value of a setting: without slashes, too, there may be a login in it.
pub(crate) fn setting_shown(text: impl AsRef<[u8]>) -> String {
    let octets = text.as_ref();
    escape_for_display(&covered(octets, urlwise::secrets_of_login(octets))).to_string()
}

/// `words` with `***` for every `secret` in them.
pub(crate) fn masked(words: &[u8], secret: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some((&octet, after)) = rest.split_first() {
        match rest.strip_prefix(secret) {
            Some(after) => {
                shown.extend_from_slice(b"***");
                rest = after;
            }
            None => {
                shown.push(octet);
                rest = after;
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::Command;
    use urlwise::{Message, NestedSecrets};

    fn lines(command: Command) -> Vec<String> {
        let mut lines = Vec::new();
        command.each_line(|line| lines.push(line.to_string()));
        lines
    }

    #[test]
    fn each_line_is_a_command_and_what_is_described_is_one() {
        for (octets, expected) in [
            (&b""[..], &[][..]),
            (b"a", &["a"]),
            (b"a\r\n", &[r"a\r\n"]),
            (b"a\r\nb", &[r"a\r\n", "b"]),
            (b"\nb", &[r"\n", "b"]),
            (b"\n", &[r"\n"]),
            (b"ab\n\n", &[r"ab\n", r"\n"]),
        ] {
            assert_eq!(lines(Command::new(octets.to_vec())), expected, "{octets:?}");
        }
        assert_eq!(lines(Command::new(b"a\nb\n".to_vec()).in_words(urlwise::Words::same("both"))), ["both"]);
    }

    #[test]
    fn security_14_a_secret_is_masked_in_every_line_and_wherever_it_is_printed() {
        let command = Command::new(b"ab\ncd\nef\n".to_vec()).secret(1..5).secret(7..99);
        assert_eq!(command.to_string(), r"a***\ne***");
        assert_eq!(format!("{command:?}"), r"Command(a***\ne***)");
        assert_eq!(command.secrets().collect::<Vec<_>>(), [&b"b\ncd"[..], b"f\n"]);
        assert_eq!(lines(command), ["a***", r"***\n", "e***"]);
        let basic = Command::new(b"x".to_vec()).never_showing(vec![b"pw".to_vec()]);
        assert_eq!(basic.secrets().collect::<Vec<_>>(), [b"pw"], "in another form it is a secret, too");
    }

    #[test]
    fn security_14_passwords_of_urls_in_the_url_are_further_secrets_of_a_command_and_its_description() {
        let nested = NestedSecrets::of(b"ftp://joe:pw@a.dom//joe:S3kr@h/");
        let octets = b"AUTH pw\r\nCWD joe:S3kr@h\r\nLIST pw\r\n".to_vec();
        let command = Command::new(octets).secret(5..7).secret(30..32).hiding(&nested);
        assert_eq!(command.to_string(), r"AUTH ***\r\nCWD joe:***@h\r\nLIST ***\r\n");
        let described = Command::new(b"x".to_vec()).in_words(Message::from("enter joe:S3kr@h"));
        assert_eq!(described.clone().hiding(&nested).to_string(), "enter joe:***@h");
        assert_eq!(described.clone().hiding(&NestedSecrets::of(b"ftp://joe:pw@a.dom/")), described);
        // Words of ours are shown also where any word from outside may be a piece of a password.
        let pieces: Vec<String> = (0..2000).map(|number| format!("p{number}")).collect();
        let nested = NestedSecrets::of(format!("ftp://a.dom//joe:{}@h/", pieces.join("/")).as_bytes());
        assert_eq!(described.hiding(&nested).to_string(), "*** ***");
        let fixed = Command::new(b"x".to_vec()).in_words(urlwise::Words::same("enter"));
        assert_eq!(fixed.hiding(&nested).to_string(), "enter");
    }
}
