//! Texts that are not URLs, but stand for one in a known way: escaped whole, defanged, a path of Windows, a mistyped scheme
//! (D-81 to D-83). They are refused with the URL that they stand for.

use crate::language::{Words, words};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;
use core::str;

use super::disarmed::disarmed;
use super::halt::{Candidate, Halt};
use super::octets::{is_known, scheme_length, starts_with};
use super::rules::{DEFANGED, ESCAPED_URL, NESTED_SCHEME, Rejection, SCHEME_MISTYPED, UNC_PATH, WINDOWS_PATH};
use super::{found, suggest};
use crate::character;
use crate::encoded;
use crate::profile::Profile;
use crate::scheme::{Locator, Needs, Scheme};
use crate::start::trap;
use crate::url::Url;
use crate::word;

/// One way to stand for a URL.
pub(super) struct Shape {
    refusal: &'static Rejection,
    /// Whether the octets are text is asked last: most have no shape.
    meant: fn(&[u8]) -> Option<String>,
    why: Words,
}

/// The shapes of a whole text, looked for before anything is rewritten.
pub(super) static SHAPES: [Shape; 5] = [
    Shape { refusal: &NESTED_SCHEME, meant: nested, why: words!("there is one scheme too many") },
    Shape { refusal: &ESCAPED_URL, meant: escaped, why: words!("the URL after decoding") },
    Shape { refusal: &DEFANGED, meant: refanged, why: words!("the URL before it was defanged") },
    Shape { refusal: &WINDOWS_PATH, meant: windows, why: words!("the file URL of this path") },
    Shape { refusal: &UNC_PATH, meant: unc, why: words!("the file URL of this share") },
];

/// The shape of a text that begins with something like a scheme, looked for once the text around it is gone.
pub(super) static MISTYPED: Shape =
    Shape { refusal: &SCHEME_MISTYPED, meant: mistyped, why: words!("with the scheme spelled correctly") };

impl Shape {
    /// What the text stands for if it has this shape.
    pub(super) fn candidate(&'static self, text: &[u8]) -> Option<Candidate> {
        Some(Candidate::repaired((self.meant)(text)?, self.why))
    }

    /// The refusal of a text with this shape. It suggests the candidate, whose URL this is, unless a login would hide the host.
    pub(super) fn halt(&self, span: Range<usize>, candidate: Candidate, url: &str, profile: Profile) -> Halt {
        let halt = Halt::ambiguous(self.refusal, span);
        // A login that http does not need is made to look like the host.
        let hides_host = Url::parse_with(url, profile).is_ok_and(|url| match url.locator() {
            Locator::Http(http) => http.login().user().is_some(),
            _ => false,
        });
        if hides_host { halt } else { halt.with(alloc::vec![candidate]) }
    }
}

fn nested(text: &[u8]) -> Option<String> {
    let at = found::nested(text)?;
    Some(str::from_utf8(text).ok()?[at..].to_string())
}

/// A URL whose delimiters are escaped, once or several times.
fn escaped(text: &[u8]) -> Option<String> {
    const MOST_ROUNDS: usize = 3;
    let name = letters(text);
    let rest = &text[name..];
    let is_escaped = starts_with(rest, "%3A") || starts_with(rest, "%253A") || starts_with(rest, ":%2F%2F");
    if !is_escaped || !is_known(&text[..name]) {
        return None;
    }
    let mut decoded = str::from_utf8(text).ok()?.to_string();
    for _ in 0..MOST_ROUNDS {
        decoded = String::from_utf8(encoded::decode(decoded.as_bytes()).into_owned()).ok()?;
        let rest = &decoded.as_bytes()[name..];
        if rest.starts_with(b":") && !starts_with(rest, ":%2F") {
            return Some(decoded);
        }
    }
    None
}

/// How people write the delimiters so that the URL is not opened by mistake.
const DISARMED_MARKS: [(&str, &str); 13] = [
    ("[://]", "://"),
    ("[:]", ":"),
    ("(:)", ":"),
    ("[/]", "/"),
    ("[.]", "."),
    ("(.)", "."),
    ("{.}", "."),
    ("[dot]", "."),
    ("(dot)", "."),
    ("{dot}", "."),
    ("[at]", "@"),
    ("(at)", "@"),
    ("[@]", "@"),
];

/// A text with what the marks that begin so stand for.
fn undone<'t>(text: &'t str, open: &str) -> Cow<'t, str> {
    let marks = DISARMED_MARKS.iter().filter(|(mark, _)| mark.starts_with(open));
    marks.fold(Cow::Borrowed(text), |text, (mark, stands_for)| match text.contains(mark) {
        true => text.replace(mark, stands_for).into(),
        false => text,
    })
}

/// Whether a text is defanged twice, in its scheme and behind it: nothing else can be meant, whatever it stands for.
pub(super) fn is_defanged(text: &[u8]) -> bool {
    let is_mark = |(at, octet): (usize, &u8)| {
        b"[({".contains(octet) && DISARMED_MARKS.iter().any(|(mark, _)| text[at..].starts_with(mark.as_bytes()))
    };
    disarmed(text).is_some() && text.iter().enumerate().any(is_mark)
}

fn refanged(text: &[u8]) -> Option<String> {
    let disarmed = disarmed(text);
    let rest = &text[disarmed.map_or(0, |(name, _)| name.len())..];
    // A path may hold such marks, but none with square brackets behind a host or scheme that was defanged.
    let slashes = rest.windows(2).position(|pair| pair == b"//").map_or(0, |at| at + 2);
    let path = word::position_of(&rest[slashes..], *b"/?#").map_or(rest.len(), |at| slashes + at);
    let path = match rest[..path].ends_with(b"[") {
        true => word::position(&rest[path..], b']').map_or(path, |at| path + at + 1),
        false => path,
    };
    let (login, path) = rest.split_at(path);
    // Each mark begins with a bracket, and most texts have none.
    let has_marks = word::position_of(login, *b"[({").is_some() || disarmed.is_some() && path.contains(&b'[');
    let is_starred = text.starts_with(b"h**p");
    if !has_marks && !is_starred {
        return None;
    }
    let (login, path) = (str::from_utf8(login).ok()?, str::from_utf8(path).ok()?);
    let mut meant = disarmed.map_or("", |(_, scheme)| scheme).to_string();
    let plain = undone(login, "");
    let plain_path = if disarmed.is_some() || plain != login { undone(path, "[") } else { path.into() };
    if plain == login && plain_path == path && !is_starred {
        return None;
    }
    meant.push_str(&plain.replace("// ", "//"));
    meant.push_str(&plain_path);
    match scheme_length(meant.as_bytes()) {
        Some(_) => Some(meant),
        None => suggest::with_scheme(&meant),
    }
}

/// `C:\Users\x`.
fn windows(text: &[u8]) -> Option<String> {
    match text {
        [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic() => {
            Some(format!("file:///{}", str::from_utf8(text).ok()?.replace('\\', "/")))
        }
        _ => None,
    }
}

/// `\\server\share`, also behind `file:`.
fn unc(text: &[u8]) -> Option<String> {
    let is_file = starts_with(text, "file:");
    let path = if is_file { &text[5..] } else { text };
    let marks = path.iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
    let (marks, server) = path.split_at(marks);
    let is_unc = if is_file { marks.len() >= 2 && !marks.starts_with(b"///") } else { marks == b"\\\\" };
    // A name stands before the share, for all marks are gone.
    let has_share = || word::position_of(server, *b"\\/:|").is_some_and(|end| server[end] == b'\\');
    match is_unc && has_share() {
        true => Some(format!("file://{}", str::from_utf8(server).ok()?.replace('\\', "/"))),
        false => None,
    }
}

/// What people type between a scheme and the rest.
const SEPARATORS: [char; 10] = [' ', ';', ':', '/', '.', ',', '"', '\'', '-', '|'];

fn mistyped(text: &[u8]) -> Option<String> {
    if is_typed(text) {
        return None;
    }
    let text = str::from_utf8(text).ok()?;
    let plain: Cow<'_, str> = match text.is_ascii() {
        true => text.into(),
        false => text.chars().map(plain).collect(),
    };
    let name = plain.bytes().take_while(u8::is_ascii_alphabetic).count();
    let separator = plain[name..].chars().take_while(|c| SEPARATORS.contains(c)).count();
    let (word, separator, rest) = (&plain[..name], &plain[name..name + separator], &plain[name + separator..]);
    let is_right = text.starts_with(&plain[..name + separator.len()])
        && (separator.starts_with("://")
            || separator.strip_prefix(':').is_some_and(|slashes| slashes.trim_start_matches('/').is_empty()));
    if is_known(word.as_bytes()) {
        return if is_right { None } else { separated(word, separator, rest) };
    }
    let (word, rest) = plain.split_once("://")?;
    let octets: alloc::vec::Vec<u8> =
        word.chars().map(|c| u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b'?')).collect();
    let scheme = trap::slip_of(&octets)?;
    Some(format!("{scheme}://{rest}"))
}

/// Whether a text begins with a known scheme and nothing but `:` or `://` behind it, as most do.
fn is_typed(text: &[u8]) -> bool {
    let (name, rest) = text.split_at(letters(text));
    let behind = rest.strip_prefix(b"://").or_else(|| rest.strip_prefix(b":"));
    let is_end = |behind: &[u8]| character::first_character(behind).is_none_or(|c| !SEPARATORS.contains(&plain(c)));
    behind.is_some_and(is_end) && is_known(name)
}

/// How many letters of US-ASCII a text begins with.
fn letters(text: &[u8]) -> usize {
    text.iter().take_while(|octet| octet.is_ascii_alphabetic()).count()
}

/// The character of US-ASCII that another one looks like, or the same one.
fn plain(c: char) -> char {
    character::lookalike(c).unwrap_or(c)
}

/// A known scheme, behind which something else than `:` or `://` stands.
fn separated(word: &str, separator: &str, rest: &str) -> Option<String> {
    let (_, needs) = Scheme::from_name(word.as_bytes(), Profile::Current).name_and_needs();
    match needs {
        Needs::Host if separator == " " => {
            // A command line: `telnet host.dom 23`.
            let (host, port) = rest.split_once(' ')?;
            let is_port = !port.is_empty() && port.bytes().all(|octet| octet.is_ascii_digit());
            is_port.then(|| format!("{word}://{host}:{port}"))
        }
        Needs::Host | Needs::Path => {
            let slashes = if needs == Needs::Path && separator.contains("///") { ":///" } else { "://" };
            separator.contains("//").then(|| format!("{word}{slashes}{rest}"))
        }
        Needs::Address | Needs::Group => {
            let is_mark = separator.starts_with([' ', ';', ',']);
            is_mark.then(|| format!("{word}:{rest}"))
        }
        Needs::Something | Needs::Prefix => None,
    }
}
