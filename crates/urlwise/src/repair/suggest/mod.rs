//! What may have been meant by a text that is not repaired: for each refusal the guesses worth showing (D-81).
//!
//! A guess becomes a suggestion only if it is a valid URL, so each of them may be careless.

mod host;
mod login;
mod path;
mod scheme;
mod text;

use crate::language::{Words, words};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::halt::Candidate;
use super::octets::LONGEST;
use text::Text;

pub(super) use path::is_entity;
pub(super) use scheme::{of_valid, with_scheme};

/// One guess.
struct Guess {
    code: &'static str,
    make: fn(&Text<'_>) -> Option<String>,
    why: Words,
    /// Whether nothing else may have to be repaired.
    is_exact: bool,
}

const fn guess(code: &'static str, make: fn(&Text<'_>) -> Option<String>, why: Words) -> Guess {
    Guess { code, make, why, is_exact: false }
}

const fn exact(code: &'static str, make: fn(&Text<'_>) -> Option<String>, why: Words) -> Guess {
    Guess { code, make, why, is_exact: true }
}

/// In the order in which they are shown.
static GUESSES: &[Guess] = &[
    guess("scheme-missing", scheme::missing, words!("with the scheme that is most likely missing")),
    guess("scheme-empty", scheme::empty, words!("with the scheme that is most likely missing")),
    guess("scheme-first", scheme::trapped, words!("read as a host and a port instead of a scheme")),
    guess("slashes-missing", login::finger, words!("with the user name in the path")),
    guess("backslash", path::shell, words!("the backslash escapes a character for a shell")),
    guess("backslash", path::slash, words!("WHATWG parsers read `\\` as `/`")),
    exact("backslash", path::escaped_backslash, words!("RFC 1738 and RFC 3986 see data")),
    guess("fragment-ambiguous", path::number_sign, words!("`#` as part of the name")),
    guess("fragment-ambiguous", path::without_fragment, words!("`#` as the start of a fragment")),
    exact("bnf-escape", path::percent, words!("`%` as a percent sign")),
    guess(
        "invisible-character",
        path::visible,
        words!("without the invisible characters, and with plain spaces for special ones"),
    ),
    guess("invisible-character", path::escaped_invisible, words!("with what cannot be seen as data")),
    guess("curly-quote", path::straight, words!("with ASCII quotation marks")),
    guess("curly-quote", path::escaped_quotes, words!("with the quotation marks as data")),
    guess("hyphen-ambiguous", path::with_hyphen, words!("the hyphen as part of the URL")),
    guess("hyphen-ambiguous", path::without_hyphen, words!("the hyphen as a mark of the line break")),
    guess("html-entity", path::entity_decoded, words!("with the HTML character reference decoded")),
    exact("html-entity", path::entity_kept, words!("with the characters taken literally")),
    guess("at-twice", login::first_at_escaped, words!("the first `@` as part of the user name or password")),
    guess("http-userinfo", login::removed, words!("without the login")),
    guess("user-forbidden", login::finger_user, words!("with the user name in the path")),
    guess("user-forbidden", login::removed, words!("without the login")),
    guess("port-forbidden", path::cut, words!("without the port")),
    guess("telnet-path", path::without_path, words!("without the path")),
    guess("host-empty", host::fewer_slashes, words!("WHATWG parsers ignore extra slashes")),
    guess("host-char", host::trimmed, words!("without the space or punctuation")),
    guess("host-char", host::dotted, words!("a dot for the comma")),
    guess("host-char", host::bare_address, words!("the address without brackets")),
    guess("host-char", host::typecode, words!("the typecode behind a `/`")),
    guess("host-char", host::with_port, words!("the number as the port")),
    guess("host-char", path::cut, words!("without the port")),
    guess("host-label", host::one_dot, words!("one dot for two")),
    guess("host-toplabel", host::without_last_dot, words!("without the dot")),
    guess("host-ipv6", host::bracketed, words!("the address in brackets")),
    guess("host-ipv6-form", host::bracketed, words!("the address in brackets")),
    guess("host-ipv6-form", host::unbracketed, words!("without the brackets")),
    guess("port-char", login::swapped, words!("the password before the `@`")),
    guess("port-char", login::slash_in_password, words!("the `/` as part of the password")),
    guess("port-char", host::port_digits, words!("the digits alone")),
    guess("ftp-typecode", path::without_typecode, words!("without the empty typecode")),
    guess("ftp-typecode", path::typecode, words!("with the typecode decoded")),
    guess("mailto-addrspec", login::mailbox, words!("the address alone")),
    guess("mailto-addrspec", login::first_mailbox, words!("the first address")),
    guess("mailto-addrspec", login::second_mailbox, words!("the second address")),
    guess("mailto-addrspec", login::quoted, words!("with the words in quotation marks")),
    guess("news-group", scheme::nntp, words!("the scheme for a newsgroup on a server")),
    guess("bnf-char", scheme::news, words!("the scheme for a Message-ID")),
    guess("nntp-article", path::without_last, words!("the whole group")),
    guess("wais-form", path::without_last, words!("the whole database")),
    guess("prospero-field", path::without_last, words!("without the field")),
];

/// What may have been meant by a refused text.
pub(super) fn candidates(code: &str, octets: &[u8], span: Range<usize>) -> Vec<Candidate> {
    let Some(text) = core::str::from_utf8(octets).ok().filter(|text| text.len() <= LONGEST) else {
        return Vec::new();
    };
    let text = Text { text, span };
    let of_code = GUESSES.iter().filter(|guess| guess.code == code);
    let made = |guess: &'static Guess| {
        Some(Candidate { text: (guess.make)(&text)?, why: guess.why, is_exact: guess.is_exact })
    };
    of_code.filter_map(made).collect()
}
