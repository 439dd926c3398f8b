//! The passwords of URLs inside a URL, found again in pieces of it.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::mark::{at_sign_at, last_at_sign, may_hold_at_sign};
use super::secret::{Login, Secrets, each_secret, escaped_password, masked};
use crate::display::{escape_for_display, is_shown_as_written};
use crate::encoded::decode;
use crate::word;

/// The passwords of URLs inside a URL, to mask them in its parts, in what is sent for it and in what is answered.
///
/// [`secrets`](crate::secrets) tells a login by its slashes, which a part of a URL no longer has: of `ftp://a.dom/http://jim:s3cret@h.dom/`
/// the directory `jim:s3cret@h.dom` is entered. So if a URL contains such a password, every word that looks like a login is taken for
/// one. A password with slashes or blanks in it is also found piece by piece, as written and decoded; with more than 1,000 pieces, every
/// word is taken for one. The password of the URL itself is not among them: where it is sent, it is known to be a password.
///
/// ```
/// use urlwise::NestedSecrets;
///
/// let nested = NestedSecrets::of(b"ftp://a.dom/http://jim:s3cret@h.dom/");
/// assert_eq!(nested.masked("CWD jim:s3cret@h.dom"), "CWD jim:***@h.dom");
/// assert!(NestedSecrets::of(b"ftp://jim:s3cret@a.dom/").is_empty());
/// ```
#[derive(Clone, Default)]
pub struct NestedSecrets {
    is_there: bool,
    /// Pieces of passwords that fall apart, by what they are of it.
    pieces: [BTreeSet<Vec<u8>>; 3],
    /// There are more than are kept, so any word may be one.
    hides_all: bool,
}

/// So many pieces of passwords are kept.
const MOST_PIECES: usize = 1000;

const FIRST: usize = 0;
const BETWEEN: usize = 1;
const LAST: usize = 2;

/// Whether an octet ends a word.
fn ends_word(octet: u8) -> bool {
    const ENDS: [bool; 256] = {
        let mut ends = [false; 256];
        let mut rest: &[u8] = b" \t\r\n/\\\"'`";
        while let [octet, behind @ ..] = rest {
            ends[*octet as usize] = true;
            rest = behind;
        }
        ends
    };
    ENDS[usize::from(octet)]
}

impl NestedSecrets {
    /// Those of a URL, or of a text that may be one; empty if it has none. Takes linear time.
    pub fn of(url: &[u8]) -> NestedSecrets {
        NestedSecrets::among(url, each_secret(url))
    }

    /// Those of a URL of which all [secrets](crate::Secrets) are known.
    ///
    /// ```
    /// use urlwise::{NestedSecrets, Secrets};
    ///
    /// let url = b"ftp://joe:pw@a.dom/http://jim:s3cret@h.dom/";
    /// let nested = NestedSecrets::of_known(url, &Secrets::of(url));
    /// assert_eq!(nested.masked("CWD jim:s3cret@h.dom"), "CWD jim:***@h.dom");
    /// ```
    pub fn of_known(url: &[u8], secrets: &Secrets) -> NestedSecrets {
        let within = |secret: Range<usize>| secret.start.min(url.len())..secret.end.min(url.len());
        NestedSecrets::among(url, secrets.behind(0).map(within))
    }

    fn among(url: &[u8], secrets: impl Iterator<Item = Range<usize>>) -> NestedSecrets {
        let mut nested = NestedSecrets::default();
        for (number, secret) in secrets.enumerate() {
            if number == 0 && is_own(&url[..secret.start]) {
                continue;
            }
            nested.is_there = true;
            let written = &url[secret];
            nested.add(written);
            if written.contains(&b'%') {
                let decoded = decode(written);
                nested.add(&decoded);
                if !is_shown_as_written(&decoded) {
                    nested.add(escape_for_display(&decoded).to_string().as_bytes());
                }
            }
        }
        nested
    }

    /// Adds the pieces of a password that falls apart.
    fn add(&mut self, secret: &[u8]) {
        let Some(first_end) = secret.iter().position(|&octet| ends_word(octet)) else { return };
        let last_end = secret.iter().rposition(|&octet| ends_word(octet)).unwrap_or(first_end);
        self.keep(FIRST, &secret[..first_end]);
        // An end is no piece.
        for piece in secret[first_end..last_end].split(|&octet| ends_word(octet)) {
            self.keep(BETWEEN, piece);
        }
        self.keep(LAST, &secret[last_end + 1..]);
    }

    fn keep(&mut self, kind: usize, piece: &[u8]) {
        if !piece.is_empty() && !self.hides_all && !self.pieces[kind].contains(piece) {
            self.pieces[kind].insert(piece.to_vec());
            self.hides_all = self.pieces.iter().map(BTreeSet::len).sum::<usize>() > MOST_PIECES;
        }
    }

    /// Whether the URL has no such password.
    pub fn is_empty(&self) -> bool {
        !self.is_there
    }

    /// Whether a word without an `@` may be a piece of one.
    fn falls_apart(&self) -> bool {
        self.hides_all || self.pieces.iter().any(|pieces| !pieces.is_empty())
    }

    /// The spans of passwords in a text, in order; a login does not go on in the next line. If the URL [has none](NestedSecrets::is_empty),
    /// none is found, not even a password that only the text has.
    pub fn find(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        // Most texts have nothing that divides a login.
        if self.is_empty() || !self.falls_apart() && word::position_of(text, [b'@', b'%']).is_none() {
            return found;
        }
        let mut start = 0;
        for line in text.split_inclusive(|&octet| octet == b'\n') {
            let mut at = 0;
            for secret in each_secret(line) {
                self.find_words(line, at..secret.start, start, &mut found);
                at = secret.end;
                found.push(start + secret.start..start + secret.end);
            }
            self.find_words(line, at..line.len(), start, &mut found);
            start += line.len();
        }
        found
    }

    /// Adds what is secret of the words of a part of a line, which begins at `start`.
    fn find_words(&self, line: &[u8], part: Range<usize>, start: usize, found: &mut Vec<Range<usize>>) {
        let (start, text) = (start + part.start, &line[part]);
        let falls_apart = self.falls_apart();
        // A part behind a password begins with the `@` that ends it, and has no other in most texts.
        let first = at_sign_at(text, 0).unwrap_or(0);
        if !falls_apart && !may_hold_at_sign(&text[first..]) {
            return;
        }
        let needs_at_sign = !falls_apart && word::position(text, b'%').is_none();
        // A word that begins behind the last `@` is no login.
        let last = if falls_apart { text.len() } else { last_at_sign(text).unwrap_or(0) };
        let mut at = 0;
        while at < last {
            if needs_at_sign {
                let Some(at_sign) = word::position(&text[at..], b'@') else { return };
                let before = text[at..at + at_sign].iter().rposition(|&octet| ends_word(octet));
                at += before.map_or(0, |last| last + 1);
            }
            let length = text[at..].iter().position(|&octet| ends_word(octet)).unwrap_or(text.len() - at);
            if let Some(secret) = self.in_word(&text[at..at + length]) {
                found.push(start + at + secret.start..start + at + secret.end);
            }
            at += length + 1;
        }
    }

    /// What is secret of a word.
    fn in_word(&self, word: &[u8]) -> Option<Range<usize>> {
        if self.hides_all {
            return Some(0..word.len()).filter(|span| !span.is_empty());
        }
        let at_sign = word::rposition(word, b'@');
        let password = word.iter().position(|&octet| octet == b':').map(|colon| colon + 1);
        match (password, at_sign) {
            (Some(password), Some(at_sign)) if password < at_sign => return Some(password..at_sign),
            _ => {}
        }
        let (escaped, _) = escaped_password(word, &Login { start: 0, level: 1 });
        if escaped.is_some() {
            return escaped;
        }
        let is = |kind: usize, span: &Range<usize>| self.pieces[kind].contains(&word[span.clone()]);
        let first = password.map(|password| password..word.len()).filter(|span| is(FIRST, span));
        let between = || Some(0..word.len()).filter(|span| is(BETWEEN, span));
        let last = || at_sign.map(|at_sign| 0..at_sign).filter(|span| is(LAST, span));
        first.or_else(between).or_else(last)
    }

    /// A text with `***` for each password that is [found](NestedSecrets::find) in it.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        masked(text, self.find(text.as_bytes()))
    }
}

/// Whether a password behind this is that of the URL itself: between the scheme and the colon before it there are slashes and a user.
fn is_own(before: &[u8]) -> bool {
    let is_slash = |octet: &u8| matches!(octet, b'/' | b'\\');
    let Some(colon) = before.iter().position(|&octet| octet == b':') else { return false };
    let mut user = before[colon + 1..].iter().skip_while(|octet| is_slash(octet));
    before[..colon].iter().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(octet)) && !user.any(is_slash)
}

/// Never shows one.
impl fmt::Debug for NestedSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() { "NestedSecrets(none)" } else { "NestedSecrets(***)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn security_14_passwords_of_urls_in_a_url_are_masked_in_its_pieces() {
        for (url, text, expected) in [
            ("ftp://a.dom/http://joe:S3kr@h/", r"CWD joe:S3kr@h\r\n", r"CWD joe:***@h\r\n"),
            ("ftp://a.dom//joe:S3kr@h/x", "550 \"joe:S3kr@h\" is not there", "550 \"joe:***@h\" is not there"),
            ("http://a.dom/?u=http://joe:S3kr@h/", "GET /?u=http://joe:S3kr@h/ HTTP", "GET /?u=http://joe:***@h/ HTTP"),
            ("ftp://a.dom/http://joe:S%3Akr@h/", "CWD joe:S:kr@h", "CWD joe:***@h"),
            // A password that falls apart.
            (
                "ftp://a.dom//joe:S3/mi/kr@h/x",
                "CWD joe:S3\nCWD mi\nCWD kr@h\nCWD x",
                "CWD joe:***\nCWD ***\nCWD ***@h\nCWD x",
            ),
            ("ftp://a.dom//joe:S3%2Fkr@h/x", "CWD joe:S3/kr@h", "CWD joe:***/***@h"),
            ("ftp://a.dom//joe:S3%20%01kr@h/x", r"CWD joe:S3 \x01kr@h", r"CWD joe:*** \***@h"),
            // URLs that were escaped.
            (
                "http://a.dom/?u=http%3A%2F%2Fjoe%3AS3kr%40h",
                "u=http%3A%2F%2Fjoe%3AS3kr%40h",
                "u=http%3A%2F%2Fjoe%3A***%40h",
            ),
            ("ftp://a.dom/http%3A%2F%2Fjoe%3AS3kr%40h", "RETR http://joe:S3kr@h", "RETR http://joe:***@h"),
            ("ftp://a.dom/%2F%2Fjoe%3AS3%252Fkr%40h", "RETR //joe:S3%2Fkr@h", "RETR //joe:***@h"),
            ("ftp://a.dom/http%3A//joe%3AS3kr%40h", "the directory joe%3AS3kr%40h", "the directory joe%3A***%40h"),
            ("ftp://a.dom/http%3A//joe%3A1234%40h", "the directory joe%3A1234%40h", "the directory joe%3A***%40h"),
            // Words behind the `@` of another.
            ("ftp://a.dom//joe:S3kr@h/", "see //joe:S3kr@h/ and jim:pw@h", "see //joe:***@h/ and jim:***@h"),
            ("ftp://a.dom//joe:S3kr@h/", "//joe:S3kr@h/d:e@f", "//joe:***@h/d:***@f"),
            ("ftp://a.dom//joe:S3kr@h/", "//joe:S3kr@h/ a%3Ab%40c", "//joe:***@h/ a%3A***%40c"),
            (
                "ftp://a.dom/%2F%2Fjoe%3AS3kr%40h",
                "%2F%2Fjoe%3AS3kr%40h a%3Ab%2540c",
                "%2F%2Fjoe%3A***%40h a%3A***%2540c",
            ),
            // The password of the URL itself.
            ("ftp://joe:src@h/src/a:b@c", "CWD a:b@c", "CWD a:b@c"),
            ("ftp:joe:src@h", "CWD a:b@c", "CWD a:b@c"),
            ("ftp://joe:src@h//a:b@c/", "CWD src", "CWD src"),
            ("ftp://joe:src@h//a:b@c/", "CWD a:b@c", "CWD a:***@c"),
            ("ftp://a.dom/x", "//a:b@c", "//a:b@c"),
            // What is in one line is not taken together with the next.
            ("http://h//a:b@c", "GET //h:x/y\nfrom: a@b", "GET //h:x/y\nfrom: a@b"),
        ] {
            let nested = NestedSecrets::of(url.as_bytes());
            assert_eq!(nested.masked(text), expected, "{url}");
            let shown = if nested.is_empty() { "NestedSecrets(none)" } else { "NestedSecrets(***)" };
            assert_eq!(alloc::format!("{nested:?}"), shown);
        }
    }

    #[test]
    fn security_14_a_login_in_a_word_goes_on_behind_what_ends_one_that_is_escaped() {
        let nested = NestedSecrets::of(b"ftp://a.dom//joe:S3kr@h/");
        assert_eq!(nested.masked("CWD joe:S3?k#r@i@h x"), "CWD joe:***@h x");
    }

    #[test]
    fn a_word_with_an_at_sign_before_its_colon_is_no_login() {
        let nested = NestedSecrets::of(b"ftp://a.dom//joe:S3kr@h/");
        for text in ["a@b:80", "a@:", "@:", ":@", "a:@b"] {
            assert_eq!(nested.masked(text), text);
        }
    }

    #[test]
    fn a_password_falls_apart_at_the_end_of_a_word() {
        for (url, falls_apart) in [
            ("ftp://a.dom//joe:S3kr@h/", false),
            ("ftp://a.dom//joe:S3/kr@h/", true),
            ("ftp://a.dom//joe:S3%20kr@h/", true),
        ] {
            assert_eq!(NestedSecrets::of(url.as_bytes()).falls_apart(), falls_apart, "{url}");
        }
    }

    #[test]
    fn security_14_of_a_password_of_too_many_pieces_every_word_is_one() {
        let of = |pieces: usize| {
            let pieces: Vec<String> = (0..pieces).map(|number| alloc::format!("p{number}")).collect();
            NestedSecrets::of(alloc::format!("ftp://a.dom//joe:{}@h/", pieces.join("/")).as_bytes())
        };
        assert_eq!(of(MOST_PIECES).masked("CWD p900"), "CWD ***");
        assert_eq!(of(MOST_PIECES + 2).masked("CWD p900"), "*** ***");
        assert_eq!(of(MOST_PIECES + 2).masked("a  b\n"), "***  ***\n");
    }

    #[test]
    fn no_url_costs_more_than_linear_time() {
        for unit in ["ftp:a:b@", "//a:b@", "//a:b/", "//a:%2F@", "a:"] {
            let text = alloc::format!("ftp:x:y@{}@", unit.repeat((1 << 20) / unit.len()));
            let start = std::time::Instant::now();
            let nested = NestedSecrets::of(text.as_bytes());
            nested.find(text.as_bytes());
            assert!(start.elapsed().as_secs() < 10, "{unit}");
        }
    }

    #[test]
    fn what_is_found_is_in_order_and_does_not_overlap() {
        let nested = NestedSecrets::of(b"x://h//a:b/c/d@e");
        let kinds = b"ab:/@c\n";
        for number in 0..kinds.len().pow(6) {
            let text: Vec<u8> = (0..6).map(|digit| kinds[number / kinds.len().pow(digit) % kinds.len()]).collect();
            let mut at = 0;
            for secret in nested.find(&text) {
                assert!(at <= secret.start && secret.start < secret.end && secret.end <= text.len(), "{text:?}");
                at = secret.end;
            }
        }
    }
}
