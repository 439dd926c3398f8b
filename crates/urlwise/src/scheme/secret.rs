//! Finds and masks passwords in texts.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::mark::{Mark, at_sign_at, last_at_sign_behind};
use super::{LONGEST_NAME, Scheme, schemes_where};
use crate::common::in_place_of_slash;
use crate::display::padded;
use crate::word;

/// The schemes behind whose names a login is read even if slashes are missing, as in `ftp:jim:s3cret@host.dom`, also where the scheme
/// forbids one: a password that is an error is a password.
const WITH_LOGIN: &[Scheme] = schemes_where!(|scheme, definition| !scheme.is_other() && definition.reads_login());

/// The spans of passwords in a text, in order; empty passwords are not included.
///
/// The password of a URL is the part after the colon of the user. Pasted text is messier: a URL inside a wrapper or
/// another URL, a login with two `@`, one with an unencoded `/`, missing slashes or backslashes. So this finds every
/// `//user:password@` up to its last `@`, and every login after the name of a scheme that has logins; it rather finds
/// too much than too little. A URL that was escaped to be a part of another, once or more often, has logins, too; a
/// password in it ends at a `/`. Runs in linear time.
///
/// ```
/// assert_eq!(urlwise::secrets(b"<URL:ftp://jim:s3cret@host.dom/>"), [15..21]);
/// assert_eq!(urlwise::secrets(b"ftp:jim:s3cret@host.dom"), [8..14]);
/// assert_eq!(urlwise::secrets(b"ftp://jim:@host.dom:21/a:b@c"), []);
/// assert_eq!(urlwise::secrets(b"http://a.dom/?u=ftp%3A%2F%2Fjim%3As3cret%40host.dom"), [34..40]);
/// ```
pub fn secrets(octets: &[u8]) -> Vec<Range<usize>> {
    each_secret(octets).collect()
}

/// The [`secrets`] of a text one after another, without memory for all of them: a long text may have a million.
///
/// ```
/// assert_eq!(urlwise::each_secret(b"ftp://a:b@c.dom/ftp://d:e@f.dom/").last(), Some(24..25));
/// ```
pub fn each_secret(octets: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    EachSecret::of(octets)
}

/// The search for the passwords of a text.
pub(crate) struct EachSecret<'t> {
    octets: &'t [u8],
    /// The last `@`, as it is written or escaped; none if there is nothing more to find.
    last: Option<usize>,
    /// The last one that is written as it is.
    last_written: Option<usize>,
    /// Whether a login may hold escapes.
    has_escapes: bool,
    /// Whether one may begin at an escape, which is one of a colon, a slash or a `%`.
    may_begin_escaped: bool,
    at: usize,
    /// Before it no login has a password as it is written.
    judged: usize,
}

impl<'t> EachSecret<'t> {
    pub(crate) fn of(octets: &'t [u8]) -> Self {
        let last_written = word::rposition(octets, b'@');
        let last = last_at_sign_behind(octets, last_written);
        let first_escape = last.and_then(|last| word::position(&octets[..=last], b'%'));
        let may_begin_escaped = first_escape.is_some_and(|first| word::is_before_any(&octets[first..], b'%', *b"235"));
        let has_escapes = first_escape.is_some();
        EachSecret { octets, last, last_written, has_escapes, may_begin_escaped, at: 0, judged: 0 }
    }

    fn find(&mut self) -> Option<Range<usize>> {
        let (octets, last) = (self.octets, self.last?);
        loop {
            // No login begins after the last `@`.
            let login = login(octets, self.at..last, self.may_begin_escaped)?;
            let start = login.start;
            if login.level == 0 && start >= self.judged {
                let Authority { end, colon, at_sign } = Authority::of(octets, start);
                match (at_sign, colon.map(|colon| colon + 1)) {
                    (Some(at_sign), Some(password)) if password < at_sign => {
                        // Nothing begins at the `@`.
                        self.at = at_sign;
                        return Some(password..at_sign);
                    }
                    // A port contains only digits, so this is a password with an unencoded `/`.
                    (None, Some(password))
                        if self.last_written.is_some_and(|last| end < last)
                            && octets[start] != b'['
                            && !octets[password..end].iter().all(u8::is_ascii_digit) =>
                    {
                        self.at = self.last_written?;
                        return Some(password..self.at);
                    }
                    _ => self.judged = end,
                }
            }
            if !self.has_escapes {
                self.at = self.judged;
                continue;
            }
            let (password, end) = escaped_password(octets, &login);
            let Some(password) = password else {
                self.at = end;
                continue;
            };
            // Nothing begins within the `@`.
            self.at = at_sign_at(octets, password.end).unwrap_or(password.end);
            return Some(password);
        }
    }
}

impl Iterator for EachSecret<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let found = self.find();
        if found.is_none() {
            self.last = None;
        }
        found
    }
}

/// A URL without its passwords, and without the colons before them, for one that is to be opened: a mask would be sent as the
/// password.
///
/// ```
/// assert_eq!(urlwise::secrets_left_out("ftp://jim:s3cret@host.dom/x"), "ftp://jim@host.dom/x");
/// ```
pub fn secrets_left_out(url: &str) -> Cow<'_, str> {
    let octets = url.as_bytes();
    let with_colon = |secret: Range<usize>| colon_before(octets, secret.start)..secret.end;
    replaced(url, each_secret(octets).map(with_colon), "")
}

/// Where the colon begins that ends there, right before a secret, as it is written or escaped.
fn colon_before(octets: &[u8], end: usize) -> usize {
    match &octets[..end] {
        [before @ .., b':'] => before.len(),
        before => word::rposition(before, b'%').unwrap_or(end),
    }
}

/// A text with `***` for each of its [`secrets`].
///
/// ```
/// assert_eq!(urlwise::without_secrets("ftp://jim:s3cret@host.dom/"), "ftp://jim:***@host.dom/");
/// ```
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    masked(text, each_secret(text.as_bytes()))
}

/// A text with `***` for each of these spans, which are in order and begin and end at characters.
///
/// ```
/// let login = "jim:s3cret@host.dom";
/// assert_eq!(urlwise::masked(login, urlwise::secrets_of_login(login.as_bytes())), "jim:***@host.dom");
/// ```
pub fn masked(text: &str, spans: impl IntoIterator<Item = Range<usize>>) -> Cow<'_, str> {
    replaced(text, spans.into_iter(), "***")
}

fn replaced<'t>(text: &'t str, spans: impl Iterator<Item = Range<usize>>, by: &str) -> Cow<'t, str> {
    let mut spans = spans.peekable();
    if spans.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut replaced = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        replaced.push_str(text.get(at..span.start).unwrap_or_default());
        replaced.push_str(by);
        at = span.end;
    }
    replaced.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(replaced)
}

/// The [`secrets`] of a text that may begin with a login without a scheme or slashes, as the value of an option does.
///
/// ```
/// assert_eq!(urlwise::secrets_of_login(b"jim:s3cret@host.dom:80"), [4..10]);
/// assert_eq!(urlwise::secrets_of_login(b"ftp://jim:s3cret@host.dom/"), [10..16]);
/// assert_eq!(urlwise::secrets_of_login(b"jim@host.dom:80"), []);
/// ```
pub fn secrets_of_login(octets: &[u8]) -> Vec<Range<usize>> {
    const SLASHES: &[u8] = b"//";
    let text = [SLASHES, octets].concat();
    // They begin behind a colon, so not before the text.
    each_secret(&text).map(|secret| secret.start - SLASHES.len()..secret.end - SLASHES.len()).collect()
}

/// The [`secrets`] of a text, to compare many spans with, in half the memory.
///
/// ```
/// let secrets = urlwise::Secrets::of(b"ftp://jim:s3cret@host.dom/");
/// assert_eq!(secrets.at(12), Some(10..16));
/// assert!(secrets.touch(&(6..11)) && !secrets.touch(&(6..10)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<Range<u32>>);

impl Secrets {
    /// All of a text. What stands behind 4 GiB is one of them, whatever it is.
    pub fn of(octets: &[u8]) -> Secrets {
        Secrets::until(octets, usize::MAX)
    }

    /// Those that [matter](Secrets::grow) to spans that begin at `start` or before.
    pub(crate) fn until(octets: &[u8], start: usize) -> Secrets {
        let mut secrets = Secrets::default();
        secrets.grow(&mut EachSecret::of(octets), start);
        secrets
    }

    /// Adds those that matter to spans that begin at `start` or before, if they were not found yet: the last one is the first that ends
    /// behind it.
    pub(crate) fn grow(&mut self, search: &mut EachSecret<'_>, start: usize) {
        let octets = search.octets;
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        while self.0.last().is_none_or(|last| end(last) <= start) {
            let Some(secret) = search.next() else {
                if offset(octets.len()) == u32::MAX {
                    self.0.push(u32::MAX..u32::MAX);
                }
                return;
            };
            if self.0.is_empty() {
                // Each ends at an `@` of its own, the last one perhaps behind `start`, so memory is asked for once unless many are escaped.
                let before = &octets[..octets.len().min(start)];
                self.0.reserve(2 + before.get(secret.end..).map_or(0, |behind| word::count(behind, b'@')));
            }
            self.0.push(offset(secret.start)..offset(secret.end));
        }
    }

    /// These and other spans, in any order: passwords that were found in another way.
    ///
    /// ```
    /// let secrets = urlwise::Secrets::of(b"u:s3cret@h/ftp://v:t@h/").and([2..8]);
    /// assert!(secrets.behind(0).eq([2..8, 19..20]));
    /// ```
    pub fn and(mut self, more: impl IntoIterator<Item = Range<usize>>) -> Secrets {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let known = self.0.len();
        self.0.extend(more.into_iter().map(|span| offset(span.start)..offset(span.end)));
        if self.0.len() > known {
            self.0.sort_by_key(|secret| secret.start);
            self.0.dedup_by(|next, before| {
                let overlaps = next.start < before.end;
                if overlaps {
                    before.end = before.end.max(next.end);
                }
                overlaps
            });
        }
        self
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one that contains the octet at `at`; `None` if none does.
    pub fn at(&self, at: usize) -> Option<Range<usize>> {
        self.behind(at).next().filter(|secret| secret.contains(&at))
    }

    /// Whether one of them overlaps a span, or contains the place of an empty one.
    pub fn touch(&self, span: &Range<usize>) -> bool {
        let next = self.0.get(self.0.partition_point(|secret| end(secret) <= span.start));
        next.is_some_and(|secret| (secret.start as usize) < span.end.max(span.start + 1))
    }

    /// Those that end behind an octet, in order.
    pub fn behind(&self, at: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self.0.partition_point(|secret| end(secret) <= at);
        self.0[first..].iter().map(move |secret| secret.start as usize..end(secret))
    }
}

/// Where a password ends: the last offset stands for all that follow it.
fn end(secret: &Range<u32>) -> usize {
    if secret.end == u32::MAX { usize::MAX } else { secret.end as usize }
}

/// What ends at the next `/`, and what a login in it is told by.
struct Authority {
    end: usize,
    /// The first.
    colon: Option<usize>,
    /// The last.
    at_sign: Option<usize>,
}

impl Authority {
    fn of(octets: &[u8], start: usize) -> Authority {
        let mut authority = Authority { end: octets.len(), colon: None, at_sign: None };
        for (at, octet) in (start..).zip(&octets[start..]) {
            match octet {
                b'/' => {
                    authority.end = at;
                    break;
                }
                b':' if authority.colon.is_none() => authority.colon = Some(at),
                b'@' => authority.at_sign = Some(at),
                _ => {}
            }
        }
        authority
    }
}

/// Where a login may begin.
pub(super) struct Login {
    pub(super) start: usize,
    /// How often the first slash before it was escaped, or the colon before that if it belongs to the name of a scheme with logins.
    pub(super) level: usize,
}

/// The next possible login: after two slashes or the name of a scheme with logins, where the first slash or the colon is in a range,
/// as it is written or, if these are looked for too, escaped.
fn login(octets: &[u8], range: Range<usize>, or_escaped: bool) -> Option<Login> {
    let mut at = range.start;
    loop {
        let rest = octets.get(at..range.end)?;
        at += match or_escaped {
            true => word::position_of(rest, [b':', b'/', b'\\', b'%'])?,
            false => word::position_of(rest, [b':', b'/', b'\\'])?,
        };
        let begins = match octets[at] {
            b'%' => match escaped_login(octets, at) {
                Some(login) => return Some(login),
                None => false,
            },
            b':' => is_scheme_with_login(&octets[..at]),
            _ => octets.get(at + 1).is_some_and(is_slash),
        };
        let is_name = octets[at] == b':';
        at += 1;
        if begins {
            // Behind a name stands what the reader takes for the slashes.
            let start = match is_name {
                true => behind_slashes(octets, at),
                false => at + octets[at..].iter().take_while(|octet| is_slash(octet)).count(),
            };
            return Some(Login { start, level: 0 });
        }
    }
}

fn is_slash(octet: &u8) -> bool {
    matches!(octet, b'/' | b'\\')
}

/// The login that begins behind an escaped colon, or behind two slashes of which the first is escaped, at `at`.
fn escaped_login(octets: &[u8], at: usize) -> Option<Login> {
    let slash = |at: usize| Mark::at(octets, at).filter(|mark| is_slash(&mark.octet)).map(|mark| mark.end);
    let Mark { octet, level, end: mut start } = Mark::at(octets, at)?;
    match octet {
        b':' if is_scheme_with_login(&octets[..at]) => {}
        b'/' | b'\\' if octets.get(start) == Some(&b'%') => start = slash(start)?,
        _ => return None,
    }
    // Some programs escape colons and leave slashes.
    while let Some(end) = slash(start) {
        start = end;
    }
    Some(Login { start, level })
}

/// The password of a login whose `@`, or what is before it, is escaped, and where the search for the next one goes on.
pub(super) fn escaped_password(octets: &[u8], login: &Login) -> (Option<Range<usize>>, usize) {
    let (mut password, mut at_sign) = (None, None);
    let mut at = login.start;
    while at < octets.len() {
        match octets[at] {
            // It is a part, which these do not belong to.
            0..=b' ' | b'?' | b'#' | b'&' | b'"' | b'<' | b'>' => break,
            b'%' | b':' | b'@' | b'/' | b'\\' => {}
            // What most are.
            _ => {
                at += 1;
                continue;
            }
        }
        let Some(mark) = Mark::at(octets, at) else {
            at += 1;
            continue;
        };
        match mark.octet {
            b'/' if mark.level <= login.level => break,
            b':' => _ = password.get_or_insert(mark.end),
            b'@' if mark.level > 0 || login.level > 0 => at_sign = Some(at),
            _ => {}
        }
        at = mark.end;
    }
    let span = password.zip(at_sign).map(|(password, at_sign)| password..at_sign).filter(|span| !span.is_empty());
    // What is digits may be the port of a host with an escaped `@` behind it.
    let is_password = |span: &Range<usize>| login.level > 0 || !octets[span.clone()].iter().all(u8::is_ascii_digit);
    (span.filter(is_password), at)
}

/// Where all that stands [in place of slashes](in_place_of_slash) ends.
fn behind_slashes(octets: &[u8], mut at: usize) -> usize {
    while let Some(length) = in_place_of_slash(&octets[at..]) {
        at += length;
    }
    at
}

/// Whether a text ends with the name of a scheme behind which a login is read.
fn is_scheme_with_login(text: &[u8]) -> bool {
    let letters = text.iter().rev().take(LONGEST_NAME + 1).take_while(|octet| octet.is_ascii_alphabetic()).count();
    let name = &text[text.len() - letters..];
    WITH_LOGIN.iter().filter_map(|scheme| scheme.name()).any(|login| name.eq_ignore_ascii_case(login.as_bytes()))
}

/// Displays a text with `***` for each password.
pub(crate) struct Masked<'a>(pub(crate) &'a str);

impl fmt::Display for Masked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |out| {
            let mut at = 0;
            // Secrets start and end at ASCII characters.
            for secret in each_secret(self.0.as_bytes()) {
                out.write_str(&self.0[at..secret.start])?;
                out.write_str("***")?;
                at = secret.end;
            }
            out.write_str(&self.0[at..])
        })
    }
}

#[cfg(test)]
mod tests;
