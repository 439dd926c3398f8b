//! [`repair`]: turns pasted text into a valid URL and lists the changes.
//!
//! Parsing never repairs: both profiles are exact grammars. Repair is explicit, rewrites only what is unambiguous and
//! reports what it did: each [`Change`] has the octets of the input, their replacement and the rule. Most changes are
//! the fixes of the problems that parsing reports. Repair adds the removal of text around a URL and the encoding of
//! hosts outside US-ASCII, and it decides which fixes are safe and which are guesses.

mod among;
mod around;
mod change;
mod disarmed;
mod draft;
mod error;
mod found;
mod halt;
mod host;
mod invisible;
mod mend;
mod octets;
mod pasted;
mod readers;
mod reading;
mod rules;
mod shape;
mod suggest;
mod verdict;

pub use change::{Change, ChangeKind, Repaired};
pub use error::{RepairError, Suggestion};
pub use verdict::{Verdict, verdict};

use crate::profile::Profile;

/// Turns pasted text into a valid URL of the profile if that is unambiguous.
///
/// ```
/// use urlwise::{Profile, repair};
///
/// let repaired = repair("<URL:http://host.dom/~jim/a\n    b?c d>", Profile::Rfc1738)?;
/// assert_eq!(repaired.url().as_str(), "http://host.dom/%7Ejim/ab?cd");
/// let tilde = &repaired.changes()[2];
/// assert_eq!((tilde.span(), tilde.was(), tilde.now()), (21..22, &b"~"[..], "%7E"));
/// assert_eq!((tilde.code(), tilde.decision()), ("bnf-char", Some("D-11")));
///
/// let refused = repair("http://host.dom\\@evil.dom/", Profile::Rfc1738).unwrap_err();
/// assert_eq!((refused.code(), refused.span()), ("backslash", 15..16));
/// # Ok::<(), urlwise::RepairError>(())
/// ```
///
/// Applying the changes to the input gives the result, repairing the result changes nothing, and a valid URL is
/// returned unchanged except for a prefix `URL:`. Runs in time and memory linear in the input.
///
/// It removes only what is not part of the URL and does not change what is valid: case, escapes and default ports are
/// handled by normal forms. A prefix `URL:` is removed even if RFC 1738 could read it as a scheme (D-07).
///
/// | change | why | decision |
/// |---|---|---|
/// | `blanks-around` | white space around a URL is not part of it | D-14 |
/// | `wrapper` | `<` and `>` delimit a URL and are not part of it | D-67 |
/// | `prefix` | `URL:` introduces a URL and is not part of it | D-07 |
/// | `wrapped-blanks` | white space inside `<` and `>` is not part of the URL | D-68 |
/// | `line-end` | line ends and the spaces around them are not part of a URL | D-68 |
/// | `fragment` | a fragment follows a URL and is not part of it | D-08 |
/// | `host-idna` | a host name outside US-ASCII is encoded with IDNA | D-72 |
/// | `bnf-char` | an octet that is not allowed unencoded is escaped | D-10 |
/// | `slashes-missing` | `//` must precede a host |  |
/// | `file-short` | `//` and an empty host must precede the path of a file | D-64 |
/// | `host-dot` | a host does not end with a dot | D-20 |
/// | `port-empty` | a colon without a port is removed | D-22 |
/// | `http-query-slash` | a `/` must precede the search | D-37 |
/// | `http-search-char` | a character that is reserved in a search is escaped | D-38 |
/// | `ftp-semicolon` | a `;` that does not start a typecode is escaped | D-29 |
/// | `ftp-type-case` | `;type=` is lowercase | D-03 |
/// | `invisible-around` | an invisible character at either end of the text is not part of the URL | D-79 |
/// | `quotes` | quotation marks and brackets around a URL are not part of it | D-76 |
/// | `markdown-link` | the label and the brackets of a Markdown link are not part of the URL | D-76 |
/// | `label` | a word and a colon before a URL are not part of it | D-76 |
/// | `list-mark` | the marker of a list item or a quoted line is not part of the URL | D-76 |
/// | `tag-end` | the end of a tag or quotation is not part of the URL | D-76 |
/// | `json-escape` | JSON may write a backslash before a slash; it is not part of the URL | D-84 |
/// | `drive-letter` | a drive letter and its `:` are the first segment of the path, and `/` separates names | D-85 |
/// | `address-brackets` | the `<` and `>` around an address are not part of it | D-76 |
/// | `message-id-brackets` | the `<` and `>` around a Message-ID are not part of it | D-76 |
/// | `port-char` | escaped digits of a port are written as digits | D-23 |
/// | `news-group` | an escaped letter of a newsgroup is written as the letter | D-58 |
/// | `nntp-article` | escaped digits of an article number are written as digits | D-61 |
/// | `wais-form` | a character that is reserved in a document-id is escaped | D-62 |
/// | `prospero-field` | a second `=` in a field is escaped | D-66 |
/// | `news-all-escaped` | the `*` for all newsgroups is not escaped | D-58 |
///
/// Non-ASCII octets are escaped as they are: as UTF-8 if the text is UTF-8. Slashes are inserted only before an obvious
/// host: a name with a dot, `localhost` or an address. `file://name` is not changed, since a slash may be missing
/// before or after the name.
///
/// Ambiguous text is refused, and so is text that is still not a valid URL, with its [`Problem`](crate::Problem):
///
/// | refused | the two readings |
/// |---|---|
/// | `backslash` | `/`, or a character to be escaped |
/// | `hyphen-ambiguous` | part of the URL, or a hyphen added at a line break |
/// | `empty-line` | a gap in the URL, or its end |
/// | `second-url` | each of the URLs |
/// | `text-around` | the URL alone, or with the words around it |
/// | `nested-scheme` | the URL behind the first scheme, or a host that is named like a scheme |
/// | `escaped-url` | a guess: the URL that the escapes stand for |
/// | `defanged` | a guess: the URL before it was defanged |
/// | `windows-path` | a guess: the file URL of the path |
/// | `unc-path` | a guess: the file URL of the share |
/// | `scheme-mistyped` | a guess: the scheme that was meant |
/// | `invisible-character` | with the character, or without it |
/// | `control-character` | with the character, or the text before it |
/// | `curly-quote` | a quotation mark of ASCII, or the character itself |
/// | `shortened` | none: a part is missing |
/// | `html-entity` | the character that HTML means, or the text as it is |
/// | `host-differs` | the hosts that readers by RFC 1738, RFC 3986 and WHATWG see |
/// | `too-many-changes` | none: a text that needs [thousands](crate::Problem::MOST_PLACES) of changes, or escapes for 256 KiB, was not meant as one URL |
/// | `wrapper-inside` | part of the URL, or another wrapper |
/// | `fragment-ambiguous` | a fragment, or a `#` in a name, user name or password |
/// | `host-not-utf8` | one character set, or another |
/// | `host-not-idna` | none: IDNA does not allow the name, or is not built in (feature `idna`) |
/// | `at-twice` | which `@` ends the login |
/// | `bnf-escape` | a percent sign, or an escape with a digit missing |
/// | any other problem | what it says |
///
/// # Errors
/// [`RepairError`] if the text is ambiguous or cannot be repaired.
pub fn repair<I: AsRef<[u8]> + ?Sized>(input: &I, profile: Profile) -> Result<Repaired<'_>, RepairError> {
    reading::read(input.as_ref(), profile, None)
}
