//! The file `.netrc`: logins by host (S-12).
//!
//! It is read only on request, and only if no other user can read it. An entry applies to the host it names, in any case and on
//! any port; `default` entries are ignored, because a password stored for no host would be sent to every host.

use super::{Secret, ServerLogin};
use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::protocol::setting_shown;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The longest file that is read.
const MAX_SIZE: u64 = 1024 * 1024;

/// Logins by host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Netrc(Vec<(String, ServerLogin)>);

impl Netrc {
    /// The default path: that of the variable `NETRC`, or `.netrc` in the user's home directory.
    pub fn usual_place() -> Option<PathBuf> {
        std::env::var_os("NETRC").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".netrc")))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be read or understood, [`ErrorKind::Refused`] if other users may read it too.
    pub fn read(path: &Path) -> Result<Netrc, Error> {
        let name = || setting_shown(path.as_os_str().as_encoded_bytes());
        let failed = |error: std::io::Error| {
            Error::new(
                ErrorKind::Read,
                message!("cannot read {path}: {cause}", path = name(), cause = system_words(&error)),
            )
            .with_source(error)
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            let cause = words!("it is a directory");
            let what = message!("cannot read {path}: {cause}", path = name(), cause = cause);
            return Err(Error::new(ErrorKind::Read, what));
        }
        if !is_private(&metadata) {
            return Err(Error::new(
                ErrorKind::Refused,
                message!("{path} contains passwords and is readable by other users", path = name()),
            )
            .with_reference("S-12")
            .with_help(words!("remove the permissions of group and others: `chmod 600`")));
        }
        let mut octets = Vec::new();
        file.take(MAX_SIZE + 1).read_to_end(&mut octets).map_err(failed)?;
        if octets.len() as u64 > MAX_SIZE {
            return Err(Error::new(
                ErrorKind::Limit,
                message!("{path} is longer than {count} octets", path = name(), count = MAX_SIZE),
            ));
        }
        Netrc::parse(&octets).map_err(|error| error.prefixed(name()))
    }

    /// The entries in the text of a file: `machine HOST login USER password PASSWORD account ACCOUNT`, in any number of lines.
    /// A quoted word may contain blanks, and `\` escapes a quotation mark or `\`; `#` begins a comment where a word could
    /// begin; macros are skipped.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] with the number of the line.
    pub fn parse(text: &[u8]) -> Result<Netrc, Error> {
        let mut words = Words { text, line: 1 };
        let mut netrc = Netrc::default();
        // Entries that begin with `default` are parsed and dropped.
        let mut entry: Option<Option<(String, ServerLogin)>> = None;
        while let Some(word) = words.next()? {
            let line = words.line;
            // It is one of the words below, and so not a password.
            let named = || String::from_utf8_lossy(&word).into_owned();
            let mut value = || {
                let value = words.next()?;
                value.ok_or_else(|| malformed(line, message!("a value is missing after `{word}`", word = named())))
            };
            match word.as_slice() {
                b"machine" => {
                    netrc.0.extend(entry.take().flatten());
                    let host = String::from_utf8_lossy(&value()?).to_ascii_lowercase();
                    entry = Some(Some((host, ServerLogin::of(Vec::new()))));
                }
                b"default" => {
                    netrc.0.extend(entry.take().flatten());
                    entry = Some(None);
                }
                b"macdef" => words.skip_macro(),
                name @ (b"login" | b"password" | b"account") => {
                    let value = value()?;
                    match (&mut entry, name) {
                        (None, _) => return Err(malformed(line, words!("there is no `machine` before it"))),
                        (Some(None), _) => {}
                        (Some(Some((_, login))), b"login") => login.user = value,
                        (Some(Some((_, login))), b"password") => login.password = Some(Secret::new(value)),
                        (Some(Some((_, login))), _) => login.account = Some(Secret::new(value)),
                    }
                }
                _ => {
                    return Err(malformed(
                        line,
                        words!("expected `machine`, `default`, `login`, `password`, `account` or `macdef`"),
                    ));
                }
            }
        }
        netrc.0.extend(entry.flatten());
        Ok(netrc)
    }

    /// The first entry for a host in lower case, and for this user if one is known.
    pub(super) fn login(&self, host: &str, user: Option<&[u8]>) -> Option<&ServerLogin> {
        let fits = |login: &ServerLogin| user.is_none_or(|user| login.user == user);
        self.0.iter().find(|(machine, login)| machine == host && fits(login)).map(|(_, login)| login)
    }
}

/// The word itself may be a password, so it is not shown.
fn malformed(line: usize, why: impl Into<urlwise::Message>) -> Error {
    let why = why.into();
    Error::new(ErrorKind::Read, message!("syntax error in line {line}: {cause}", line = line, cause = why))
}

#[cfg(unix)]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

/// The rest of a text and the line in which it begins.
struct Words<'t> {
    text: &'t [u8],
    line: usize,
}

impl<'t> Words<'t> {
    fn octet(&mut self) -> Option<u8> {
        let (&octet, rest) = self.text.split_first()?;
        self.text = rest;
        self.line += usize::from(octet == b'\n');
        Some(octet)
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        loop {
            match self.text.first() {
                None => return Ok(None),
                Some(b'#') => drop(self.line()),
                Some(octet) if octet.is_ascii_whitespace() => drop(self.octet()),
                Some(b'"') => return self.quoted().map(Some),
                Some(_) => break,
            }
        }
        let end = self.text.iter().position(u8::is_ascii_whitespace).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        Ok(Some(word.to_vec()))
    }

    fn quoted(&mut self) -> Result<Vec<u8>, Error> {
        let line = self.line;
        let mut word = Vec::new();
        self.octet();
        loop {
            let octet = match self.octet() {
                Some(b'"') => return Ok(word),
                Some(b'\\') => self.octet(),
                octet => octet,
            };
            word.push(octet.ok_or_else(|| malformed(line, words!("the closing quotation mark is missing")))?);
        }
    }

    /// The rest of the line, without its end; `None` at the end of the text.
    fn line(&mut self) -> Option<&'t [u8]> {
        if self.text.is_empty() {
            return None;
        }
        let end = self.text.iter().position(|octet| *octet == b'\n');
        let line = &self.text[..end.unwrap_or(self.text.len())];
        self.text = end.map_or(&[], |end| &self.text[end + 1..]);
        self.line += usize::from(end.is_some());
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// A macro goes from the line that names it to an empty one.
    fn skip_macro(&mut self) {
        self.line();
        while self.line().is_some_and(|line| !line.is_empty()) {}
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::MAX_SIZE;
    use super::Netrc;
    use crate::error::kind::ErrorKind;

    fn logins(text: &str) -> Vec<String> {
        let netrc = Netrc::parse(text.as_bytes()).expect("well-formed");
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let entries = netrc.0.iter().map(|(host, login)| {
            let password = login.password.as_ref().map_or_else(|| "-".to_owned(), |secret| text(secret.reveal()));
            let account =
                login.account.as_ref().map(|secret| format!(" {}", text(secret.reveal()))).unwrap_or_default();
            format!("{host} {} {password}{account}", text(&login.user))
        });
        entries.collect()
    }

    #[test]
    fn entries_may_take_any_number_of_lines() {
        let text = "# mine\nmachine A.example login joe password p#1\n\nmachine b\n\tpassword \"two \\\"words\\\"\"\n  login x";
        assert_eq!(logins(text), ["a.example joe p#1", "b x two \"words\""]);
        assert_eq!(logins(""), [] as [&str; 0]);
        assert_eq!(logins("machine a"), ["a  -"]);
    }

    #[test]
    fn quoted_words_end_at_their_mark_and_a_backslash_keeps_what_follows() {
        assert_eq!(logins(r#"machine a login "" password "a\\b\"c"account d"#), [r#"a  a\b"c d"#]);
        assert_eq!(logins("machine a login x#y #password p\n#\naccount z"), ["a x#y - z"]);
    }

    #[test]
    fn security_12_default_entries_are_ignored() {
        assert_eq!(logins("default login joe password p machine a login u"), ["a u -"]);
    }

    #[test]
    fn the_usual_place_is_that_of_the_variable_or_at_home() {
        let place = Netrc::usual_place().expect("a home");
        match std::env::var_os("NETRC") {
            Some(named) => assert_eq!(place, named),
            None => assert!(place.ends_with(".netrc"), "{}", place.display()),
        }
    }

    #[test]
    fn macros_are_skipped() {
        assert_eq!(
            logins("machine a login u macdef init\ncd /pub\nmachine x\n\nmachine b login v"),
            ["a u -", "b v -"]
        );
        assert_eq!(logins("macdef init\r\ncd /pub\r\n\r\nmachine b login v\r\n"), ["b v -"]);
        assert_eq!(logins("machine a login u macdef init\ncd /pub"), ["a u -"]);
    }

    #[test]
    fn what_cannot_be_understood_is_named_by_its_line_and_not_by_its_words() {
        for (text, line) in [
            ("machine", 1),
            ("machine a\nlogin", 2),
            ("\n\nlogin s3cret", 3),
            ("machine a s3cret", 1),
            ("\"s3cret", 1),
            ("# one\n# two\n\"s3cret\n\n", 3),
            ("macdef m\nx\n\ns3cret", 4),
            ("machine \"a\nb\"\ns3cret", 3),
        ] {
            let error = Netrc::parse(text.as_bytes()).expect_err(text);
            assert!(error.to_string().contains(&format!("line {line}")), "{text}: {error}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn security_12_a_file_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let path = std::env::temp_dir().join(format!("urlwise-netrc-{}", std::process::id()));
        std::fs::write(&path, "machine a login u password p").expect("a temporary file");
        let read = |mode| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("our file");
            Netrc::read(&path)
        };
        for mode in [0o644, 0o640, 0o604, 0o660] {
            assert_eq!(read(mode).expect_err("others may read it").kind(), ErrorKind::Refused, "{mode:o}");
        }
        for mode in [0o600, 0o400] {
            assert_eq!(read(mode).expect("it is private").0.len(), 1);
        }
        read(0o600).expect("it is private");
        let filled = |size: u64| {
            std::fs::write(&path, vec![b'#'; usize::try_from(size).expect("a MiB")]).expect("our file");
            Netrc::read(&path).map_err(|error| error.kind())
        };
        assert_eq!(filled(MAX_SIZE), Ok(Netrc::default()));
        assert_eq!(filled(MAX_SIZE + 1), Err(ErrorKind::Limit));
        std::fs::remove_file(&path).expect("our file");
        assert_eq!(Netrc::read(&path).expect_err("it is gone").kind(), ErrorKind::Read);
    }
}
