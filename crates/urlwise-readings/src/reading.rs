//! One reading of a text: its parts, or why it is rejected.

use crate::text::Text;
use std::borrow::Cow;
use std::fmt;

/// The server that a reader sees, and its scheme.
#[derive(Clone)]
pub(crate) struct Server<'a> {
    pub(crate) scheme: Cow<'a, str>,
    pub(crate) host: Option<Text<'a>>,
    pub(crate) port: Option<Cow<'a, str>>,
}

impl<'a> Server<'a> {
    fn of(scheme: &'a str, host: Option<Text<'a>>, port: Option<&'a str>) -> Server<'a> {
        Server { scheme: scheme.into(), host, port: port.map(Cow::Borrowed) }
    }

    /// The same server, borrowed from this one.
    pub(crate) fn borrowed(&self) -> Server<'_> {
        Server::of(&self.scheme, self.host.as_ref().map(Text::borrowed), self.port.as_deref())
    }
}

/// What one reader sees in a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Reading<'a>(pub(crate) Result<ReadingParts<'a>, String>);

impl<'a> Reading<'a> {
    /// Whether the text is accepted.
    pub fn is_ok(&self) -> bool {
        self.0.is_ok()
    }

    /// The parts; `None` if the text is rejected.
    pub fn parts(&self) -> Option<&ReadingParts<'a>> {
        self.0.as_ref().ok()
    }

    /// Why the text is rejected, in the words of the parser, safe for display; `None` if it is accepted.
    pub fn error(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The parts as the parser returns them: one may have decoded or rewritten what another keeps.
///
/// An absent part is `None`, an empty part is empty. A parser that cannot distinguish the two returns `None`. `T` is how parts are
/// held that may be long.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadingParts<'a, T = Cow<'a, str>> {
    /// The scheme.
    pub scheme: Cow<'a, str>,
    /// The user, still encoded.
    pub user: Option<T>,
    /// The password, still encoded.
    pub password: Option<T>,
    /// The host; IPv6 addresses in brackets.
    pub host: Option<T>,
    /// The port as the parser returns it; `None` also if the parser drops a default port.
    pub port: Option<Cow<'a, str>>,
    /// The text after host and port, or after the scheme, up to the query.
    pub path: T,
    /// The query; in RFC 1738 the search, in schemes that have one after a `?`.
    pub query: Option<T>,
    /// The fragment; a URL of RFC 1738 has none (section 2.2, D-08).
    pub fragment: Option<T>,
}

impl<'a, T> ReadingParts<'a, T> {
    /// The same parts, those that may be long held in another way.
    pub(crate) fn map<U>(self, held: impl Fn(T) -> U) -> ReadingParts<'a, U> {
        let ReadingParts { scheme, user, password, host, port, path, query, fragment } = self;
        ReadingParts {
            scheme,
            user: user.map(&held),
            password: password.map(&held),
            host: host.map(&held),
            port,
            path: held(path),
            query: query.map(&held),
            fragment: fragment.map(&held),
        }
    }
}

impl<T> ReadingParts<'_, T> {
    /// The same parts, borrowed from these: `lent` lends one that may be long.
    fn lent<'s>(&'s self, lent: impl Fn(&'s T) -> Text<'s>) -> ReadingParts<'s, Text<'s>> {
        ReadingParts {
            scheme: Cow::Borrowed(&self.scheme),
            user: self.user.as_ref().map(&lent),
            password: self.password.as_ref().map(&lent),
            host: self.host.as_ref().map(&lent),
            port: self.port.as_deref().map(Cow::Borrowed),
            path: lent(&self.path),
            query: self.query.as_ref().map(&lent),
            fragment: self.fragment.as_ref().map(&lent),
        }
    }
}

impl ReadingParts<'_> {
    /// The same parts, borrowed from these.
    pub(crate) fn borrowed(&self) -> ReadingParts<'_, Text<'_>> {
        self.lent(|part| Text::from(&**part))
    }

    /// The server that is seen, borrowed from these.
    pub(crate) fn server(&self) -> Server<'_> {
        Server::of(&self.scheme, self.host.as_deref().map(Text::from), self.port.as_deref())
    }
}

impl<'a> ReadingParts<'a, Text<'a>> {
    /// The same parts, borrowed from these.
    pub(crate) fn reborrowed(&self) -> ReadingParts<'_, Text<'_>> {
        self.lent(Text::borrowed)
    }

    /// The server that is seen, borrowed from these.
    pub(crate) fn seen(&self) -> Server<'_> {
        Server::of(&self.scheme, self.host.as_ref().map(Text::borrowed), self.port.as_deref())
    }

    /// The server that is seen.
    pub(crate) fn into_server(self) -> Server<'a> {
        Server { scheme: self.scheme, host: self.host, port: self.port }
    }

    /// The same parts, not borrowed from the text.
    pub(crate) fn into_owned(self) -> ReadingParts<'static, Text<'static>> {
        let own = |part: Cow<'_, str>| Cow::Owned(part.into_owned());
        let held = |part: Text<'_>| Text::Written(own(part.written()));
        ReadingParts {
            scheme: own(self.scheme),
            user: self.user.map(held),
            password: self.password.map(held),
            host: self.host.map(held),
            port: self.port.map(own),
            path: held(self.path),
            query: self.query.map(held),
            fragment: self.fragment.map(held),
        }
    }
}

impl<T> fmt::Debug for ReadingParts<'_, T> {
    /// Prints only the scheme: any other part may contain a password by another standard.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingParts").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}
