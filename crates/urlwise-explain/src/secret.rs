//! Masks passwords in everything that people see, unless `--show-secrets` is given.
//!
//! The language finds them ([`urlwise::secrets`]) and never quotes them in messages; this module masks them in texts.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use urlwise::{Language, NestedSecrets, Profile, Scheme};
use urlwise_readings::Reader;

pub use urlwise::secrets_left_out as left_out;

mod elided;

/// The mask for a password.
pub const MASK: &str = "***";

/// The passwords in a text, which are hidden unless they are to be shown.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    hidden: urlwise::Secrets,
    /// Those of URLs inside a URL, for texts about its parts.
    nested: NestedSecrets,
    show: bool,
}

impl Secrets {
    /// All passwords of a text, also those that only the standards see, as WHATWG does in `ws:/joe:s3cret@host.dom`; empty if they are to
    /// be shown.
    pub fn of(octets: &[u8], show: bool) -> Self {
        let hidden = urlwise::Secrets::default();
        let secrets = Secrets { hidden, nested: NestedSecrets::default(), show };
        if show {
            return secrets;
        }
        let secrets = Secrets { hidden: urlwise::Secrets::of(octets), ..secrets };
        secrets.and(&urlwise_readings::passwords(octets, Profile::Current, Reader::STANDARDS))
    }

    /// These and others, which were found in another way.
    pub fn and(mut self, more: &[Range<usize>]) -> Self {
        if !self.show {
            self.hidden = self.hidden.and(more.iter().cloned());
        }
        self
    }

    /// All passwords of a URL, parts of which other [texts](Secrets::masked_text) quote; empty if passwords are to be shown.
    pub fn of_url(url: &[u8], show: bool) -> Self {
        Secrets::read_by(url, &[], show)
    }

    /// The same with what these readers see besides.
    pub fn read_by(url: &[u8], readers: &[Reader], show: bool) -> Self {
        if show {
            return Secrets::of(url, show);
        }
        let mut secrets = Secrets::of(url, show).and(&urlwise_readings::passwords(url, Profile::Current, readers));
        if !secrets.is_empty() {
            secrets.nested = NestedSecrets::of_known(url, &secrets.hidden);
        }
        secrets
    }

    /// Masks the passwords in an escaped text, unless passwords are to be shown.
    pub fn masked_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.nested.is_empty() {
            return self.nested.masked(text);
        }
        if self.show { text.into() } else { urlwise::without_secrets(text) }
    }

    /// Whether passwords are masked.
    pub fn are_hidden(&self) -> bool {
        !self.show
    }

    /// The secret that contains the octet at `at`.
    pub fn at(&self, at: usize) -> Option<Range<usize>> {
        self.hidden.at(at)
    }

    /// The secrets that end behind the octet at `at`, in order.
    pub(crate) fn behind(&self, at: usize) -> impl Iterator<Item = Range<usize>> {
        self.hidden.behind(at)
    }

    /// A text without its passwords and the colons before them, to be typed or opened: a mask would be sent as the password.
    pub fn left_out(&self, text: &str) -> String {
        let mut left = String::with_capacity(text.len());
        let mut at = 0;
        for secret in self.hidden.behind(0) {
            let before = text.get(at..secret.start).unwrap_or_default();
            left.push_str(before.strip_suffix(':').unwrap_or(before));
            at = secret.end;
        }
        left + text.get(at..).unwrap_or_default()
    }

    /// Whether a span overlaps a secret.
    pub fn touch(&self, span: &Range<usize>) -> bool {
        self.hidden.touch(span)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.hidden.is_empty()
    }

    /// Tells of one span after another whether it lies within a secret. A text may have a million of both: as long as each span starts
    /// behind the one before, no secret is searched for.
    pub fn covers(&self) -> impl FnMut(&Range<usize>) -> bool + '_ {
        let (mut next, mut at) = (self.hidden.behind(0).peekable(), 0);
        move |span| {
            if span.start < at {
                next = self.hidden.behind(span.start).peekable();
            }
            at = span.start;
            while next.next_if(|secret| secret.end <= at).is_some() {}
            next.peek().is_some_and(|secret| secret.start <= at && span.end <= secret.end)
        }
    }

    /// A span of the text with the passwords in it masked, not escaped.
    pub fn covered<'o>(&self, octets: &'o [u8], span: Range<usize>) -> Cow<'o, [u8]> {
        let whole = octets.get(span.clone()).unwrap_or_default();
        let mut within = self.hidden.behind(span.start).take_while(|secret| secret.start < span.end).peekable();
        if within.peek().is_none() {
            return Cow::Borrowed(whole);
        }
        let mut covered = Vec::with_capacity(whole.len());
        let mut at = span.start;
        for secret in within {
            covered.extend_from_slice(octets.get(at..secret.start).unwrap_or_default());
            covered.extend_from_slice(MASK.as_bytes());
            at = secret.end;
        }
        covered.extend_from_slice(octets.get(at..span.end).unwrap_or_default());
        Cow::Owned(covered)
    }

    /// A span of the text, masked, that needs no escapes, so that a backslash in it stays one; `None` if it needs some.
    pub fn plain(&self, octets: &[u8], span: Range<usize>) -> Option<String> {
        let plain = String::from_utf8(self.covered(octets, span).into_owned()).ok()?;
        let is_printable = plain.bytes().all(|octet| matches!(octet, b' '..=b'~'));
        (is_printable || !plain.contains(urlwise::is_harmful)).then_some(plain)
    }

    /// A span of the text, masked and escaped.
    pub fn shown(&self, octets: &[u8], span: Range<usize>) -> String {
        let mut text = String::with_capacity(span.len());
        self.show(octets, span, &mut text);
        text
    }

    /// Appends a span of the text, masked and escaped.
    pub fn show(&self, octets: &[u8], span: Range<usize>, text: &mut impl Write) {
        let (start, mut at) = (span.start, span.start);
        // What most texts are is looked at once, and not again in pieces.
        let whole = octets.get(span.clone()).and_then(|whole| str::from_utf8(whole).ok());
        let plain = whole.filter(|whole| urlwise::is_shown_as_written(whole.as_bytes()));
        let piece = |piece: Range<usize>, text: &mut _| {
            match plain.and_then(|plain| plain.get(piece.start - start..piece.end.saturating_sub(start))) {
                // Writing to memory cannot fail.
                Some(plain) => _ = Write::write_str(text, plain),
                None => push(text, octets, piece),
            }
        };
        for secret in self.hidden.behind(span.start).take_while(|secret| secret.start < span.end) {
            piece(at..secret.start, text);
            let _ = text.write_str(MASK);
            at = secret.end;
        }
        piece(at..span.end, text);
    }
}

fn push(text: &mut impl Write, octets: &[u8], span: Range<usize>) {
    let octets = octets.get(span).unwrap_or_default();
    // Writing to memory cannot fail.
    let _ = match str::from_utf8(octets) {
        Ok(plain) if urlwise::is_shown_as_written(octets) => text.write_str(plain),
        Ok(_) | Err(_) => write!(text, "{}", urlwise::escape_for_display(octets)),
    };
}

/// A text, masked and escaped.
pub fn masked(octets: &[u8], show: bool) -> String {
    Secrets::of(octets, show).shown(octets, 0..octets.len())
}

/// A text, masked and escaped, elided if it is longer than `most` octets.
pub fn elided(octets: &[u8], show: bool, most: usize) -> String {
    elided_in(octets, show, most, Language::En)
}

/// [`elided`], in a language.
pub fn elided_in(octets: &[u8], show: bool, most: usize, language: Language) -> String {
    Secrets::of(octets, show).elided_in(octets, 0..octets.len(), most, language)
}

/// The value of an option or setting, masked and escaped: a login in it may have no scheme.
pub fn masked_option(text: &str) -> String {
    urlwise::escape_for_display(covered_option(text).as_bytes()).to_string()
}

/// The same, not escaped.
pub fn covered_option(text: &str) -> Cow<'_, str> {
    let secrets = Secrets::of(text.as_bytes(), false).and(&urlwise::secrets_of_login(text.as_bytes()));
    if secrets.is_empty() { text.into() } else { urlwise::masked(text, secrets.behind(0)).into_owned().into() }
}

/// A path, masked and escaped: it may be a URL with a password.
pub fn masked_path(path: &Path) -> String {
    masked(path.as_os_str().as_encoded_bytes(), false)
}

/// The name of a file that is not there, masked and escaped: it may be a URL or a login. Behind the name of a scheme there is no login
/// but that of a URL, so `mailto:joe@h` is shown as it is.
pub fn masked_missing(path: &Path) -> String {
    let octets = path.as_os_str().as_encoded_bytes();
    of_missing(octets).shown(octets, 0..octets.len())
}

fn of_missing(octets: &[u8]) -> Secrets {
    let mut secrets = Secrets::of(octets, false);
    let name = octets.iter().position(|octet| *octet == b':').map_or(octets, |colon| &octets[..colon]);
    if Scheme::from_name(name, Profile::Current) == Scheme::Other {
        secrets = secrets.and(&urlwise::secrets_of_login(octets));
        secrets = secrets.and(&urlwise_readings::passwords(octets, Profile::Current, Reader::ALL));
    }
    secrets
}

/// A text that quotes arguments or pieces of them, masked and escaped line by line. What is a password is told by the arguments, each of
/// which may be a URL, a login or an option with one.
pub fn masked_quotes<'a>(text: &str, arguments: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = text.to_owned();
    for argument in arguments {
        // Behind the `=` of an option begins what it is set to.
        let value = argument.strip_prefix("--").and_then(|option| option.split_once('=')).map(|(_, value)| value);
        for quoted in value.into_iter().chain([argument]) {
            for secret in of_missing(quoted.as_bytes()).behind(0) {
                // A short one may stand for itself elsewhere: what divides the login belongs to it.
                let (start, end) = (secret.start.saturating_sub(1), secret.end + 1);
                let Some(login) = quoted.get(start..end) else { continue };
                let (before, behind) = (&quoted[start..secret.start], &quoted[secret.end..end]);
                text = text.replace(login, &format!("{before}{MASK}{behind}"));
            }
        }
    }
    text.lines().map(|line| masked(line.as_bytes(), false) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shows(text: &str, expected: &str) {
        assert_eq!(masked(text.as_bytes(), false), expected);
        assert_eq!(masked(text.as_bytes(), true), text);
    }

    #[test]
    fn security_14_of_a_url_the_passwords_of_urls_inside_are_masked_in_texts_about_its_parts() {
        let (url, text) = (b"ftp://a.dom/http://joe:S3kr@h/", "enter joe:S3kr@h");
        assert_eq!(Secrets::of_url(url, false).masked_text(text), "enter joe:***@h");
        assert_eq!(Secrets::of_url(url, true).masked_text(text), text);
        assert_eq!(Secrets::of_url(b"ftp://joe:pw@a.dom/", false).masked_text(text), text);
    }

    #[test]
    fn a_password_is_masked_and_an_empty_one_is_not() {
        shows("ftp://jim:s3cret@h.dom/x", "ftp://jim:***@h.dom/x");
        shows("ftp://jim:@h.dom/x", "ftp://jim:@h.dom/x");
        shows("ftp://jim@h.dom:21/a:b@c", "ftp://jim@h.dom:21/a:b@c");
        // What WHATWG alone takes for one, and what no standard does.
        shows("ws:/jim:s3cret@h.dom/x", "ws:/jim:***@h.dom/x");
        shows("x-a:/jim:s3cret@h.dom/x", "x-a:/jim:s3cret@h.dom/x");
    }

    #[test]
    fn security_14_the_name_of_a_file_that_is_not_there_is_masked_like_a_login() {
        for (name, expected) in [
            ("u:s3cret@h.example/", "u:***@h.example/"),
            ("u:s3cret@h.example", "u:***@h.example"),
            ("foo:/u:s3cret@h.example", "foo:/u:***@h.example"),
            ("http://u:s3cret@h.example/", "http://u:***@h.example/"),
            ("u@h.example:80", "u@h.example:80"),
            ("mailto:joe@h.example", "mailto:joe@h.example"),
            ("news:1@h.example", "news:1@h.example"),
            ("docs/a:b.txt", "docs/a:b.txt"),
            ("a\u{1b}:s3cret@h", "a\\x1b:***@h"),
        ] {
            assert_eq!(masked_missing(Path::new(name)), expected);
        }
    }

    #[test]
    fn security_14_an_argument_is_quoted_without_the_password_of_a_login_in_it_in_whatever_it_is_quoted() {
        for (argument, text, expected) in [
            ("u:s3cret@h", "invalid value 'u:s3cret@h' for x", "invalid value 'u:***@h' for x\n"),
            ("--u:s3cret@h", "'--u:s3cret@h'\n\nuse '-- --u:s3cret@h'", "'--u:***@h'\n\nuse '-- --u:***@h'\n"),
            ("--x=u:s3 cr'et@h", "'u:s3 cr'et@h'", "'u:***@h'\n"),
            ("u:s3cret@h", "did you mean `url:s3cret@h`?", "did you mean `url:***@h`?\n"),
            ("u:a@h", "a value 'u:a@h' has a part", "a value 'u:***@h' has a part\n"),
            ("mailto:joe@h", "'mailto:joe@h'", "'mailto:joe@h'\n"),
            ("http://u:s3cret@h", "'http://u:s3cret@h'", "'http://u:***@h'\n"),
            ("\u{1b}", "'\u{1b}'", "'\\x1b'\n"),
        ] {
            assert_eq!(masked_quotes(text, [argument]), expected);
        }
    }

    #[test]
    fn security_14_what_only_a_reader_takes_for_a_password_is_masked_and_left_out_where_it_is_asked() {
        for (url, readers, expected, left) in [
            ("ws:/u:s3cret@h.dom/x", Reader::STANDARDS, "ws:/u:***@h.dom/x", "ws:/u@h.dom/x"),
            ("foo:/u:s3cret@h.dom/x", Reader::ALL, "foo:/u:***@h.dom/x", "foo:/u@h.dom/x"),
            ("foo:/u:s3cret@h.dom/x", Reader::STANDARDS, "foo:/u:s3cret@h.dom/x", "foo:/u:s3cret@h.dom/x"),
        ] {
            let secrets = Secrets::read_by(url.as_bytes(), readers, false);
            assert_eq!(secrets.shown(url.as_bytes(), 0..url.len()), expected);
            assert_eq!(secrets.left_out(url), left);
            assert!(Secrets::read_by(url.as_bytes(), readers, true).is_empty());
        }
    }

    #[test]
    fn a_password_in_an_option_is_masked_with_or_without_a_scheme_before_the_login() {
        for (text, expected) in [
            ("joe:pw@h", "joe:***@h"),
            ("wais=joe:pw@h", "wais=joe:***@h"),
            ("http://joe:pw@h/{url}", "http://joe:***@h/{url}"),
            ("http://h.dom:80/{url}", "http://h.dom:80/{url}"),
            ("joe@h:80", "joe@h:80"),
            ("h\u{1b}", "h\\x1b"),
        ] {
            assert_eq!(masked_option(text), expected);
        }
        assert_eq!(covered_option("joe:pw@\u{1b}"), "joe:***@\u{1b}");
    }

    #[test]
    fn a_password_is_left_out_with_its_colon() {
        for (url, expected) in [
            ("ftp://jim:s3cret@h.dom/x", "ftp://jim@h.dom/x"),
            ("ftp://jim@h.dom:21/a:b@c", "ftp://jim@h.dom:21/a:b@c"),
            ("ftp://jim:@h.dom/x", "ftp://jim:@h.dom/x"),
            ("http://a.dom/ftp://jim:s3cret@h.dom/x", "http://a.dom/ftp://jim@h.dom/x"),
            ("http://a.dom/?u=ftp%3A%2F%2Fjim%3As3cret%40h.dom", "http://a.dom/?u=ftp%3A%2F%2Fjim%40h.dom"),
            (
                "http://a.dom/?u=ftp%253a%252f%252fjim%253as3cret%2540h.dom",
                "http://a.dom/?u=ftp%253a%252f%252fjim%2540h.dom",
            ),
            ("ftp://h.dom/x", "ftp://h.dom/x"),
        ] {
            assert_eq!(left_out(url), expected);
        }
    }

    #[test]
    fn a_span_is_covered_by_the_secret_around_it_in_whatever_order_spans_are_asked_for() {
        let text = b"ftp://a:bc@h/ftp://d:e@h/ftp://f:ghi@h/";
        let all: Vec<Range<usize>> = urlwise::each_secret(text).collect();
        assert_eq!(all.len(), 3);
        let secrets = Secrets::of(text, false);
        let is_covered =
            |span: &Range<usize>| all.iter().any(|secret| secret.contains(&span.start) && span.end <= secret.end);
        for step in 1..text.len() {
            let mut covers = secrets.covers();
            // Forwards, and back again now and then.
            for start in (0..2 * text.len()).map(|at| at * step % text.len()) {
                for end in start..text.len() {
                    assert_eq!(covers(&(start..end)), is_covered(&(start..end)), "{start}..{end}");
                }
            }
        }
        assert!(!Secrets::of(text, true).covers()(&(8..10)));
    }

    #[test]
    fn a_span_is_shown_as_it_is_covered_and_then_escaped() {
        for text in ["ftp://a:bc@h/ftp://d:e@h/x", "ftp://a:b\u{e9}@h\u{1}ftp://d\u{1b}:\u{202e}f@h/\u{e9}"] {
            let octets = text.as_bytes();
            let secrets = Secrets::of(octets, false);
            for span in (0..=octets.len()).flat_map(|start| (start..=octets.len()).map(move |end| start..end)) {
                let covered = secrets.covered(octets, span.clone());
                let expected = urlwise::escape_for_display(&covered).to_string();
                assert_eq!(secrets.shown(octets, span.clone()), expected, "{span:?} of {text}");
            }
        }
    }

    #[test]
    fn passwords_of_nested_urls_are_masked() {
        shows("URL:ftp://jim:s3cret@h.dom/x", "URL:ftp://jim:***@h.dom/x");
        shows("http://a.dom/ftp://jim:s3cret@h.dom/x", "http://a.dom/ftp://jim:***@h.dom/x");
        shows("a://b:c@d/e://f:g@h", "a://b:***@d/e://f:***@h");
    }

    #[test]
    fn passwords_of_escaped_urls_are_masked() {
        shows(
            "http://a.dom/?u=ftp%3A%2F%2Fjim%3As3cret%40h.dom%2Fx",
            "http://a.dom/?u=ftp%3A%2F%2Fjim%3A***%40h.dom%2Fx",
        );
        shows(
            "http://a.dom/?u=%253a%252f%252fjim%253as3cret%2540h",
            "http://a.dom/?u=%253a%252f%252fjim%253a***%2540h",
        );
    }

    #[test]
    fn a_password_with_raw_slashes_or_at_signs_is_masked_completely() {
        shows("ftp://jim:s3@cret@h.dom/x", "ftp://jim:***@h.dom/x");
        shows("ftp://jim:s3/cr@et@h.dom/x", "ftp://jim:***@h.dom/x");
    }

    #[test]
    fn ports_and_addresses_are_not_masked() {
        shows("http://h.dom:80/a@b", "http://h.dom:80/a@b");
        shows("http://[::1]/a@b", "http://[::1]/a@b");
    }
}
