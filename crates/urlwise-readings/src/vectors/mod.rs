//! Test vectors: texts that readers read differently, about two hosts of your own.
//!
//! A check of URLs passes if it refuses each of these, or sees in it the host that the program sees which fetches it.
//!
//! ```
//! use urlwise_readings::vectors::{Vector, vectors};
//!
//! let hosts = ("good.example".parse()?, "evil.example".parse()?);
//! let all: Vec<Vector> = vectors(&hosts.0, &hosts.1).collect();
//! let one = all.iter().find(|vector| vector.name() == "backslash-1").expect("it is in the table");
//! assert_eq!((one.family(), one.text()), ("backslash", r"http://evil.example\@good.example/"));
//! # Ok::<(), urlwise_readings::vectors::InvalidName>(())
//! ```

mod table;

use crate::guard::HostPattern;
use crate::language::message;
use std::fmt;
use std::str::FromStr;
use table::TABLE;
use urlwise::Language;

/// The name of a host, to be put into vectors: two labels or more of letters, digits and hyphens, the first one with at least two
/// characters, the last one beginning with a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

impl From<&HostName> for HostPattern {
    fn from(name: &HostName) -> HostPattern {
        HostPattern::exact(&name.0)
    }
}

/// A text that is not a [`HostName`]. `Display` says what is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidName(String);

impl FromStr for HostName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<HostName, InvalidName> {
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let labels: Vec<_> = text.split('.').collect();
        let ends_in_a_letter = labels.last().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_alphabetic()));
        let is_name = labels.len() > 1 && labels.iter().copied().all(is_label) && text.len() <= 253;
        match is_name && ends_in_a_letter && labels[0].len() > 1 {
            true => Ok(HostName(text.to_ascii_lowercase())),
            false => Err(InvalidName(text.to_owned())),
        }
    }
}

impl InvalidName {
    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let shown = urlwise::escape_for_display(self.0.as_bytes()).to_string();
        let message = message!(
            "`{text}` is no name to put into texts: that is two labels or more of letters, digits and hyphens, the first with at least two \
             characters, the last beginning with a letter, as in `good.example`",
            text = shown
        );
        message.into_text(language)
    }
}

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        urlwise::padded(f, |f| write!(f, "{}", self.message_in(Language::En)))
    }
}

impl std::error::Error for InvalidName {}

/// A text to test checks of URLs with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    name: &'static str,
    text: String,
    reports: &'static str,
}

impl Vector {
    /// Its name, which stays: the family and a number.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The class of confusions, one of those of the [crate](crate#classes).
    pub fn family(&self) -> &'static str {
        self.name.rsplit_once('-').map_or(self.name, |(family, _)| family)
    }

    /// The text, with the two hosts in it where it is about hosts; others have addresses of this machine.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Public reports of 2026 about programs that such a text deceived.
    pub fn reports(&self) -> impl Iterator<Item = &'static str> {
        self.reports.split(", ").filter(|report| !report.is_empty())
    }
}

/// All vectors for a host that is trusted and one that is not, in the order of the families.
pub fn vectors(trusted: &HostName, hostile: &HostName) -> impl Iterator<Item = Vector> {
    TABLE.iter().map(|&(name, template, reports)| Vector {
        name,
        text: fill(template, &trusted.0, &hostile.0),
        reports,
    })
}

/// Puts the hosts into a template. `«good»` is the trusted host and `«evil»` the other one; a second word changes it:
///
/// - `+x` inserts `x` after its first label, `^x` after its second character;
/// - `.x` replaces its dots, `1x` its first character;
/// - `{}` encloses its first label in braces;
/// - `%` escapes its first character, `%2e` its dots, `%ⓔ` its first character in a circle;
/// - `ⓔ` encircles its first character, `ⓐ` all letters of its first label;
/// - `mixed` writes its first label in capitals, and the first letter of each other one.
fn fill(template: &str, trusted: &str, hostile: &str) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, (field, after))) = rest.split_once('«').and_then(|(b, r)| Some((b, r.split_once('»')?))) {
        filled.push_str(before);
        let (host, change) = field.split_once(' ').unwrap_or((field, ""));
        filled.push_str(&changed(if host == "good" { trusted } else { hostile }, change));
        rest = after;
    }
    filled + rest
}

/// A host, changed as [`fill`] describes.
fn changed(host: &str, change: &str) -> String {
    let (label, rest) = host.split_at(host.find('.').unwrap_or(host.len()));
    let (first, others) = host.split_at(1);
    let escaped = |octets: &str| octets.bytes().map(|octet| format!("%{octet:02X}")).collect::<String>();
    match change {
        "" => host.to_owned(),
        "%" => format!("%{:02x}{others}", host.as_bytes()[0]),
        "%2e" => host.replace('.', "%2e"),
        "%ⓔ" => format!("{}{others}", escaped(&circled(first))),
        "ⓔ" => format!("{}{others}", circled(first)),
        "ⓐ" => format!("{}{rest}", circled(label)),
        "{}" => format!("{{{label}}}{rest}"),
        "mixed" => {
            let capital = |label: &str| format!(".{}{}", label[..1].to_ascii_uppercase(), &label[1..]);
            let rest: String = rest.split('.').skip(1).map(capital).collect();
            format!("{}{rest}", label.to_ascii_uppercase())
        }
        _ => match change.split_at(1) {
            ("+", inserted) => format!("{label}{inserted}{rest}"),
            ("^", inserted) => format!("{}{inserted}{}", &host[..2], &host[2..]),
            (".", dot) => host.replace('.', dot),
            _ => unreachable!("a test fills all templates"),
        },
    }
}

/// The letters of a text in circles (U+24D0 and following).
fn circled(text: &str) -> String {
    let circled = |c: char| match c {
        'a'..='z' => char::from_u32(u32::from(c) - u32::from('a') + 0x24D0).unwrap_or(c),
        c => c,
    };
    text.chars().map(circled).collect()
}

#[cfg(test)]
mod tests {
    use super::{HostName, Vector, changed, vectors};
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_every_template_can_be_filled() {
        let name = |text: &str| text.parse::<HostName>().expect(text);
        let all: Vec<_> = vectors(&name("ok.example"), &name("bad-1.example.com")).collect();
        assert_eq!(name("GOOD.Example").0, "good.example");
        let names: BTreeSet<_> = all.iter().map(Vector::name).collect();
        let texts: BTreeSet<_> = all.iter().map(Vector::text).collect();
        assert_eq!((names.len(), texts.len()), (all.len(), all.len()));
        for vector in &all {
            let (family, number) = vector.name().rsplit_once('-').expect("a number");
            assert!(number.parse::<u32>().is_ok() && family == vector.family(), "{}", vector.name());
            assert!(!vector.text().contains(['«', '»']), "{}", vector.name());
        }
    }

    #[test]
    fn hosts_are_changed_as_described() {
        for (change, expected) in [
            ("", "ab-c.de.fg"),
            ("+%", "ab-c%.de.fg"),
            ("^\t", "ab\t-c.de.fg"),
            (".\u{3002}", "ab-c\u{3002}de\u{3002}fg"),
            ("{}", "{ab-c}.de.fg"),
            ("%", "%61b-c.de.fg"),
            ("%2e", "ab-c%2ede%2efg"),
            ("%ⓔ", "%E2%93%90b-c.de.fg"),
            ("ⓔ", "\u{24d0}b-c.de.fg"),
            ("ⓐ", "\u{24d0}\u{24d1}-\u{24d2}.de.fg"),
            ("mixed", "AB-C.De.Fg"),
        ] {
            assert_eq!(changed("ab-c.de.fg", change), expected, "{change}");
        }
        assert_eq!(changed("xyz.z", "ⓐ"), "\u{24e7}\u{24e8}\u{24e9}.z");
    }

    #[test]
    fn only_names_of_hosts_are_put_into_vectors() {
        for text in ["good.example", "GOOD.example", "a1.b-c.d2", "xn--9ca.example"] {
            assert!(text.parse::<HostName>().is_ok(), "{text}");
        }
        for text in
            ["", "localhost", "a.example", "good.", ".good", "good..example", "-ab.example", "ab-.example", "1.2.3.4"]
        {
            assert!(text.parse::<HostName>().is_err(), "{text}");
        }
        for text in ["a/b.example", "good.example:80", "b\u{fc}cher.example", "go od.example", "good.1x"] {
            assert!(text.parse::<HostName>().is_err(), "{text}");
        }
        let long = ["a".repeat(64).as_str(), ".example"].concat();
        assert!(long[1..].parse::<HostName>().is_ok() && long.parse::<HostName>().is_err());
    }
}
