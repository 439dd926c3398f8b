//! What readings differ in.

use crate::language::words;
use std::borrow::Cow;
use urlwise::{Language, Words};

/// What two readings can differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// Whether the text is accepted.
    Ok,
    /// The scheme.
    Scheme,
    /// The user.
    User,
    /// The password.
    Password,
    /// The host.
    Host,
    /// The port in force.
    Port,
    /// The path.
    Path,
    /// The query.
    Query,
    /// The fragment.
    Fragment,
}

impl Difference {
    const ALL: [Difference; 9] = [
        Difference::Ok,
        Difference::Scheme,
        Difference::User,
        Difference::Password,
        Difference::Host,
        Difference::Port,
        Difference::Path,
        Difference::Query,
        Difference::Fragment,
    ];

    /// The name of the field in machine output: `ok`, `scheme`, `user` ...
    pub const fn name(self) -> &'static str {
        match self {
            Difference::Ok => "ok",
            Difference::Scheme => "scheme",
            Difference::User => "user",
            Difference::Password => "password",
            Difference::Host => "host",
            Difference::Port => "port",
            Difference::Path => "path",
            Difference::Query => "query",
            Difference::Fragment => "fragment",
        }
    }

    /// The name of the part in a language, for people.
    pub fn name_in(self, language: Language) -> Cow<'static, str> {
        self.words().get(language)
    }

    pub(crate) fn words(self) -> Words {
        match self {
            Difference::Ok => words!("ok"),
            Difference::Scheme => words!("scheme"),
            Difference::User => words!("user"),
            Difference::Password => words!("password"),
            Difference::Host => words!("host"),
            Difference::Port => words!("port"),
            Difference::Path => words!("path"),
            Difference::Query => words!("query"),
            Difference::Fragment => words!("fragment"),
        }
    }
}

/// The set of differences between readings, in the order of a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences(u16);

impl Differences {
    /// Whether the readings differ in this.
    pub fn contains(self, difference: Difference) -> bool {
        self.0 & (1 << difference as u16) != 0
    }

    /// Whether there are no differences.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One after another.
    pub fn iter(self) -> impl Iterator<Item = Difference> {
        Difference::ALL.into_iter().filter(move |difference| self.contains(*difference))
    }

    /// Adds those that are found.
    pub(crate) fn extend<const N: usize>(&mut self, differences: [(Difference, bool); N]) {
        for (difference, is_found) in differences {
            self.0 |= u16::from(is_found) << difference as u16;
        }
    }
}
