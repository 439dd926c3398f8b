//! What pages of codes say instead of messages and helps that are about the URL at hand.

use urlwise::Words;

use crate::language::words;

/// When a code is reported.
pub(super) fn message(code: &str) -> Option<Words> {
    Some(match code {
        "scheme-check" => words!("the check of a registered scheme objects to the URL"),
        "host-label" => words!("a label of the host is empty, or starts or ends with `-`"),
        "path-missing" => words!("no `/` follows the host"),
        "mailto-addrspec" => words!("what follows `mailto:` is not a mail address by RFC 822"),
        "nntp-article" => words!("the article number is missing or contains characters other than digits"),
        "prospero-field" => words!("a field is not of the form `;name=value`"),
        "scheme-char" => words!("the scheme has a character that is not allowed there"),
        "scheme-first" => words!("the scheme does not start with a letter"),
        "bnf-char" => words!("a part of the URL has a character that is not allowed there"),
        "user-forbidden" => words!("URLs of this scheme cannot contain a user name or password"),
        "host-char" => words!("the host has a character that is not allowed there"),
        "label-length" => words!("a label of the host is too long"),
        "host-length" => words!("the host is too long"),
        "host-wire-length" => words!("the host does not fit in a DNS message"),
        "port-char" => words!("the port has a character that is not allowed there"),
        "ftp-semicolon" => words!("`;` is reserved in the path of an ftp URL"),
        "http-search-char" => words!("an http search has a character that is reserved there"),
        "gopher-gtype-ctl" => words!("the gopher type is a tab or a line end"),
        "gopher-selector-ctl" => words!("a gopher selector contains a tab or a line end, or a search a tab"),
        "gopher-search-ctl" => words!("a gopher search contains a line end"),
        "mailto-ctl" => words!("the address contains a control character"),
        "news-group" => words!("a newsgroup name must start with a letter"),
        "news-msgid" => words!("a Message-ID has a character that is not allowed before its `@`"),
        "wais-empty-part" => words!("a part of a WAIS URL is empty"),
        "wais-raw" => words!("a part of a WAIS URL has an unencoded character"),
        _ => return None,
    })
}

/// What to do about it.
pub(super) fn help(code: &str) -> Option<Words> {
    Some(match code {
        "bnf-char" | "http-search-char" | "wais-raw" => words!("write its escape"),
        "gopher-search-bnf" => words!("write its escape: the BNF of `search` does not allow it raw"),
        "scheme-current" => {
            words!("the profile `current` reads it by a later document, `rfc1738` as an unknown scheme")
        }
        _ => return None,
    })
}
