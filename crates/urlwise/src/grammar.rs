//! The rules of section 5 that parts of URLs are read by, as data.
//!
//! One [`Production`] per part: its name in the BNF, its text, which octets may stand in it unencoded under each profile,
//! which octets stay as they are when a part is written, and which are reserved there. The parser, the problems (as the
//! expected set), the encoder and the normal forms all read this one table.
//!
//! ```
//! use urlwise::{Profile, grammar};
//!
//! assert_eq!(grammar::FSEGMENT.encode(b"a b;c?~/"), "a%20b%3Bc%3F%7E%2F");
//! assert_eq!(grammar::HPATH.name(), "hpath");
//! assert!(grammar::HPATH.allows(b'~', Profile::Current));
//! assert!(!grammar::HPATH.allows(b'~', Profile::Rfc1738)); // D-11
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::class::{self, Class};
use crate::code::Code;
use crate::encoded::push_escape;
use crate::language::{Language, Words, words};
use crate::profile::Profile;

/// One rule of the BNF of section 5: what may stand in a part.
pub struct Production {
    name: &'static str,
    what: Words,
    bnf: &'static str,
    section: &'static str,
    /// The octets that may stand raw, by profile.
    pub(crate) class: [Class; 2],
    /// What an encoder leaves raw besides letters, digits and ``$-_.+!*'(),``.
    raw: &'static [u8],
    /// The octets whose escapes mean something else than they do themselves, by profile (section 2.2).
    reserved: [&'static [u8]; 2],
    /// The octets that section 5 lets stand raw, where the parser takes more (D-45).
    pub(crate) written: Class,
    /// Whether escapes may stand in the part.
    pub(crate) escapes: bool,
    /// Octets outside the class of RFC 1738 that have problem codes of their own, one for each profile.
    exceptions: &'static [(u8, [Code; 2])],
    /// What a decoded octet must not be; most parts take every octet once it is encoded (D-13).
    pub(crate) decoded: Option<fn(u8) -> Option<Code>>,
}

impl Production {
    /// A rule for a part that takes escapes. Those of RFC 1738 are in the table below; that of a later scheme is in the file of
    /// the scheme.
    pub(crate) const fn new(
        name: &'static str,
        what: Words,
        section: &'static str,
        bnf: &'static str,
        class: [Class; 2],
        raw: &'static [u8],
        reserved: &'static [u8],
    ) -> Production {
        let reserved = [reserved, reserved];
        Production {
            name,
            what,
            bnf,
            section,
            class,
            raw,
            reserved,
            written: class[0],
            escapes: true,
            exceptions: &[],
            decoded: None,
        }
    }

    /// The rule's name in section 5, for example `hsegment`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What the rule describes, in words that follow "in": "an http path".
    pub fn what(&self) -> &'static str {
        self.what.en()
    }

    /// [`what`](Production::what) in a language.
    pub fn what_in(&self, language: Language) -> Cow<'static, str> {
        self.what.get(language)
    }

    /// The right side of the rule as section 5 prints it.
    pub const fn bnf(&self) -> &'static str {
        self.bnf
    }

    /// The section of RFC 1738 that says what the part means; of a scheme that a later document defines, that document.
    pub const fn section(&self) -> &'static str {
        self.section
    }

    /// Whether the octet may stand in the part unencoded. Escapes are not an octet's business: `%` is never allowed.
    pub fn allows(&self, octet: u8, profile: Profile) -> bool {
        class::is(octet, self.class[profile as usize])
    }

    /// Whether the octet is reserved in the part: whether it and its escape mean different things there (section 2.2). A normal
    /// form leaves both as they are. What a scheme of the profile `current` divides by is reserved under it alone.
    ///
    /// ```
    /// use urlwise::{Profile, grammar};
    ///
    /// assert!(grammar::HPATH.reserves(b'/', Profile::Rfc1738)); // `%2F` in an http path is not a slash
    /// assert!(!grammar::HPATH.reserves(b'@', Profile::Rfc1738));
    /// assert!(!grammar::SELECTOR.reserves(b'/', Profile::Rfc1738)); // nothing is reserved in a gopher path: section 3.4
    /// ```
    pub fn reserves(&self, octet: u8, profile: Profile) -> bool {
        self.reserved[profile as usize].contains(&octet)
    }

    /// The octets as this part, encoded as section 2.2 demands.
    ///
    /// Letters, digits and ``$-_.+!*'(),`` stay as they are, and so do characters that mean nothing in this part under any
    /// reading; all others become `%` and two upper-case hex digits: `~` always, `?` wherever a later RFC would split there
    /// (D-11, D-33).
    pub fn encode(&self, octets: &[u8]) -> String {
        let mut text = String::with_capacity(octets.len());
        for &octet in octets {
            if class::is(octet, class::UCHAR) || self.raw.contains(&octet) {
                text.push(char::from(octet));
            } else {
                push_escape(&mut text, octet);
            }
        }
        text
    }

    /// Whether escapes may stand in the part; without them it holds nothing but what [`allows`](Production::allows) allows.
    pub const fn has_escapes(&self) -> bool {
        self.escapes
    }

    /// The code for an octet the rule does not allow.
    pub(crate) fn code_of(&self, octet: u8, profile: Profile) -> Code {
        let exception = self.exceptions.iter().find(|row| row.0 == octet);
        match exception {
            Some((_, codes)) => codes[profile as usize],
            None if octet == b'~' && self.allows(octet, profile) => Code::Tilde,
            None => Code::BnfChar,
        }
    }
}

impl fmt::Debug for Production {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.bnf)
    }
}

impl PartialEq for Production {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.what == other.what
    }
}

impl Eq for Production {}

macro_rules! rules {
    ($($(#[$doc:meta])* $id:ident: $name:literal, $what:literal, $section:literal, $bnf:literal,
        [$strict:ident, $current:ident], raw $raw:literal
        $(, reserved $reserved:literal $(/ $reserved_current:literal)?)? $(, written $written:ident)?
        $(, except [$($octet:literal => $code:ident / $code_current:ident),*])? $(, decoded $decoded:ident)?;)*) => {
        $($(#[$doc])*
        pub static $id: Production = Production {
            reserved: rules!(@reserved $($reserved $(, $reserved_current)?)?),
            written: rules!(@written $strict $($written)?),
            escapes: class::TABLE[b'!' as usize] & class::$strict != 0,
            exceptions: &[$($(($octet, [Code::$code, Code::$code_current])),*)?],
            decoded: rules!(@decoded $($decoded)?),
            ..Production::new($name, words!($what), $section, $bnf, [class::$strict, class::$current], $raw, b"")
        };)*

        /// Every rule, in the order of section 5.
        pub static ALL: &[&Production] = &[$(&$id),*];
    };
    (@reserved) => { [b"", b""] };
    (@reserved $reserved:literal) => { [$reserved, $reserved] };
    (@reserved $reserved:literal, $current:literal) => { [$reserved, $current] };
    (@written $strict:ident) => { class::$strict };
    (@written $strict:ident $written:ident) => { class::$written };
    (@decoded) => { None };
    (@decoded $decoded:ident) => { Some($decoded) };
}

/// A selector holds no HT, LF and CR (section 3.4.1, D-44). In a URL `%09` ends the part; an HT comes here from a part alone.
fn selector(octet: u8) -> Option<Code> {
    matches!(octet, b'\t' | b'\n' | b'\r').then_some(Code::GopherSelectorCtl)
}

/// A client refuses what would begin a second request (D-44), and HT ends the search as it ends the selector (D-43).
fn gopher_search(octet: u8) -> Option<Code> {
    match octet {
        b'\t' => Some(Code::GopherSelectorCtl),
        b'\n' | b'\r' => Some(Code::GopherSearchCtl),
        _ => None,
    }
}

/// The unique part of a Message-ID is printing ASCII without `<`, `>` and `@` (RFC 1036 section 2.1.5, D-59).
pub(crate) fn unique(octet: u8) -> Option<Code> {
    (!octet.is_ascii_graphic() || matches!(octet, b'<' | b'>' | b'@')).then_some(Code::NewsMsgid)
}

rules! {
    /// The name before the first colon.
    SCHEME: "scheme", "a scheme name", "2.1", r#"1*[ lowalpha | digit | "+" | "-" | "." ]"#, [SCHEME, SCHEME], raw b"";
    /// What follows the colon of an unknown scheme.
    SCHEMEPART: "schemepart", "a scheme-specific part", "2.1", "*xchar | ip-schemepart", [XCHAR, XCHAR_CURRENT], raw b"", reserved b";/?:@&=";
    /// The two slashes of the common Internet syntax.
    IP_SCHEMEPART: "ip-schemepart", "the common Internet syntax", "3.1", r#""//" login [ "/" urlpath ]"#, [SLASH, SLASH], raw b"";
    /// The whole of what stands between `//` and the next `/`.
    LOGIN: "login", "a login", "3.1", r#"[ user [ ":" password ] "@" ] hostport"#, [NONE, NONE], raw b"";
    /// The user name.
    USER: "user", "a user name", "3.1", r#"*[ uchar | ";" | "?" | "&" | "=" ]"#, [USER, USER_CURRENT], raw b";&=", reserved b":@/" / b":@/?";
    /// The password.
    PASSWORD: "password", "a password", "3.1", r#"*[ uchar | ";" | "?" | "&" | "=" ]"#, [USER, USER_CURRENT], raw b";&=", reserved b":@/" / b":@/?";
    /// The host and the port, where no user is allowed.
    HOSTPORT: "hostport", "a host and port", "3.1", r#"host [ ":" port ]"#, [NONE, NONE], raw b"";
    /// The host: a domain name or four digit groups.
    HOST: "host", "a host", "3.1", "hostname | hostnumber", [HOST, HOST_CURRENT], raw b"";
    /// The labels of a domain name.
    HOSTNAME: "hostname", "a host name", "3.1", r#"*[ domainlabel "." ] toplabel"#, [HOST, HOST_CURRENT], raw b"";
    /// The four digit groups of an IP address.
    HOSTNUMBER: "hostnumber", "an IP address", "3.1", r#"digits "." digits "." digits "." digits"#, [DIGIT, DIGIT], raw b"";
    /// The port number.
    PORT: "port", "a port", "3.1", "digits", [DIGIT, DIGIT], raw b"";
    /// What follows the slash after the host in an unknown scheme.
    URLPATH: "urlpath", "a url-path", "3.1", "*xchar", [XCHAR, XCHAR_CURRENT], raw b"", reserved b";/?:@&=";
    /// A whole ftp path: the cwd segments and the name.
    FTP_PATH: "fpath", "an ftp path", "3.2.2", r#"fsegment *[ "/" fsegment ]"#, [FPATH, FTP_PATH_CURRENT], raw b"", reserved b"/;",
        except [b';' => FtpSemicolon / FtpSemicolon];
    /// A whole file path.
    FILE_PATH: "fpath", "a file path", "3.10", r#"fsegment *[ "/" fsegment ]"#, [FPATH, FPATH_CURRENT], raw b"", reserved b"/";
    /// One segment of an ftp or file path.
    FSEGMENT: "fsegment", "a path segment", "3.2.2", r#"*[ uchar | "?" | ":" | "@" | "&" | "=" ]"#, [FPATH, FPATH_CURRENT], raw b":@&=", reserved b"/;";
    /// The letter after `;type=`.
    TYPECODE: "ftptype", "a typecode", "3.2.2", r#""A" | "I" | "D" | "a" | "i" | "d""#, [TYPECODE, TYPECODE], raw b"";
    /// A whole http path.
    HPATH: "hpath", "an http path", "3.3", r#"hsegment *[ "/" hsegment ]"#, [HPATH, HPATH_CURRENT], raw b"", reserved b"/;?";
    /// One segment of an http path.
    HSEGMENT: "hsegment", "a path segment", "3.3", r#"*[ uchar | ";" | ":" | "@" | "&" | "=" ]"#, [HPATH, HPATH_CURRENT], raw b":@&=", reserved b"/;?";
    /// The query string of http.
    SEARCH: "search", "an http search", "3.3", r#"*[ uchar | ";" | ":" | "@" | "&" | "=" ]"#, [SEARCH, SEARCH_CURRENT], raw b":@&=", reserved b"/;?&=",
        except [b'/' => HttpSearchChar / HttpSearchChar, b'?' => HttpSearchChar / HttpSearchChar];
    /// The item type of gopher: one character.
    GTYPE: "gtype", "a gopher type", "3.4.1", "xchar", [XCHAR, XCHAR_CURRENT], raw b"/:@&=;";
    /// The selector of gopher.
    SELECTOR: "selector", "a gopher selector", "3.4.1", "*xchar", [XCHAR, XCHAR_CURRENT], raw b"/:@&=;", decoded selector;
    /// The search string of gopher.
    GOPHER_SEARCH: "search", "a gopher search", "3.4.2", r#"*[ uchar | ";" | ":" | "@" | "&" | "=" ]"#, [XCHAR, XCHAR_CURRENT], raw b":@&=;", written SEARCH, decoded gopher_search;
    /// The Gopher+ string.
    GOPHERPLUS: "gopher+_string", "a Gopher+ string", "3.4.3", "*xchar", [XCHAR, XCHAR_CURRENT], raw b"/:@&=;";
    /// The address of mailto.
    ADDR_SPEC: "encoded822addr", "a mail address", "3.5", "1*xchar", [XCHAR, XCHAR_CURRENT], raw b"/:@&=;", reserved b"" / b"?";
    /// A header field of mailto, which only the current profile knows (RFC 6068).
    HFIELD: "hfield", "a mail header field", "3.5", r#"hfname "=" hfvalue"#, [XCHAR, XCHAR_CURRENT], raw b"/:@;", reserved b"&=/?";
    /// What follows `news:`.
    GROUPPART: "grouppart", "a news URL", "3.6", r#""*" | group | article"#, [NONE, NONE], raw b"";
    /// A newsgroup name.
    GROUP: "group", "a newsgroup name", "3.6", r#"alpha *[ alpha | digit | "-" | "." | "+" | "_" ]"#, [GROUP, GROUP], raw b"";
    /// The unique part of a Message-ID, before its `@`.
    ARTICLE: "article", "a Message-ID", "3.6", r#"1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host"#, [ARTICLE, ARTICLE_CURRENT], raw b";:&=", reserved b"@" / b"@/", decoded unique;
    /// The number of an nntp article.
    ARTICLE_NUMBER: "digits", "an article number", "3.7", "1*digit", [DIGIT, DIGIT], raw b"";
    /// What may follow a telnet host.
    TELNET_SLASH: "telneturl", "a telnet URL", "3.8", r#""telnet://" login [ "/" ]"#, [SLASH, SLASH], raw b"";
    /// The name of a WAIS database.
    DATABASE: "database", "a WAIS database", "3.9", "*uchar", [UCHAR, UCHAR_CURRENT], raw b"", reserved b"/?";
    /// The words of a WAIS search.
    WAIS_SEARCH: "search", "a WAIS search", "3.9", r#"*[ uchar | ";" | ":" | "@" | "&" | "=" ]"#, [SEARCH, WAIS_SEARCH_CURRENT], raw b":@&=;", reserved b"/?";
    /// The type of a WAIS document.
    WTYPE: "wtype", "a WAIS type", "3.9", "*uchar", [UCHAR, UCHAR_CURRENT], raw b"", reserved b"/?";
    /// The document-id of WAIS.
    WPATH: "wpath", "a WAIS document-id", "3.9", "*uchar", [UCHAR, XCHAR_CURRENT], raw b"", reserved b";/?:@&=",
        except [b';' => BnfChar / WaisRaw, b'/' => BnfChar / WaisRaw, b'?' => WaisForm / WaisRaw, b':' => BnfChar / WaisRaw,
            b'@' => BnfChar / WaisRaw, b'&' => BnfChar / WaisRaw, b'=' => BnfChar / WaisRaw];
    /// The host-specific object name of Prospero.
    HSONAME: "ppath", "a Prospero hsoname", "3.11", r#"psegment *[ "/" psegment ]"#, [FPATH, FPATH_CURRENT], raw b"/:@&=", reserved b";";
    /// The name of a Prospero field.
    FIELD_NAME: "fieldname", "a Prospero field name", "3.11", r#"*[ uchar | "?" | ":" | "@" | "&" ]"#, [FIELD, FIELD_CURRENT], raw b":@&", reserved b";=/";
    /// The value of a Prospero field.
    FIELD_VALUE: "fieldvalue", "a Prospero field value", "3.11", r#"*[ uchar | "?" | ":" | "@" | "&" ]"#, [FIELD, FIELD_CURRENT], raw b":@&", reserved b";=/",
        except [b'=' => ProsperoField / ProsperoField];
    /// What follows `#` in a reference (RFC 1808, section 2.2).
    FRAGMENT: "fragment", "a fragment", "2.2", "*[ uchar | reserved ]", [XCHAR, XCHAR_CURRENT], raw b"/:@&=;?", reserved b";/?:@&=";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Scheme;

    /// The table, and the rules that stand in the files of schemes.
    fn every_rule() -> impl Iterator<Item = &'static Production> {
        let parts = Scheme::ALL.iter().flat_map(|scheme| scheme.parts());
        ALL.iter().copied().chain(parts.flat_map(|part| [Some(part.rule()), part.value_rule()]).flatten())
    }

    #[test]
    fn current_allows_all_that_rfc1738_allows() {
        for rule in every_rule() {
            for octet in 0..=255 {
                if rule.allows(octet, Profile::Rfc1738) {
                    assert!(rule.allows(octet, Profile::Current), "{rule:?} {octet:02X}");
                }
            }
        }
    }

    #[test]
    fn what_only_current_allows_has_a_code_that_is_not_an_error_there() {
        // The reader that reports looks closer at these octets than the one that is fast; both must come to one verdict.
        for rule in every_rule() {
            for octet in 0..=255 {
                if rule.allows(octet, Profile::Current) && !rule.allows(octet, Profile::Rfc1738) {
                    // Hosts name their octets themselves.
                    let code = if rule.class[0] == class::HOST {
                        Code::HostUnderscore
                    } else {
                        rule.code_of(octet, Profile::Current)
                    };
                    assert_ne!(code.row().levels[1], crate::Level::Error, "{rule:?} {octet:02X}");
                }
            }
        }
    }

    #[test]
    fn what_an_encoder_leaves_raw_is_allowed_under_both_profiles() {
        for rule in every_rule() {
            for &octet in rule.raw {
                assert!(rule.allows(octet, Profile::Rfc1738), "{rule:?} {octet:02X}");
            }
        }
    }

    #[test]
    fn what_only_current_allows_is_reserved_or_a_tilde() {
        // A normal form may then leave such octets as they are and encode the tilde, and stays valid.
        for rule in every_rule().filter(|rule| rule.escapes) {
            for octet in 0..=255 {
                if rule.allows(octet, Profile::Current) && !rule.allows(octet, Profile::Rfc1738) {
                    assert!(octet == b'~' || rule.reserves(octet, Profile::Current), "{rule:?} {octet:02X}");
                }
            }
        }
    }

    #[test]
    fn what_a_part_may_not_hold_is_an_error() {
        for rule in every_rule() {
            for &profile in Profile::ALL {
                for octet in (0..=255).filter(|octet| !rule.allows(*octet, profile)) {
                    let level = rule.code_of(octet, profile).level(profile);
                    assert_eq!(level, crate::Level::Error, "{rule:?} {octet:02X} {profile}");
                }
            }
        }
    }

    #[test]
    fn letters_digits_and_the_eleven_characters_are_reserved_nowhere() {
        for rule in every_rule() {
            for octet in (0..=255).filter(|&octet| class::is(octet, class::UCHAR)) {
                assert!(
                    !Profile::ALL.iter().copied().any(|profile| rule.reserves(octet, profile)),
                    "{rule:?} {octet:02X}"
                );
            }
        }
    }

    #[test]
    fn every_octet_encodes_to_uchar_raw_or_an_escape() {
        let all: alloc::vec::Vec<u8> = (0..=255).collect();
        let text = SELECTOR.encode(&all);
        assert!(text.contains("%00%01") && text.contains("%7E%7F%80") && text.ends_with("%FF"));
        assert!(text.contains("/0123456789:;%3C=%3E%3F@ABC"));
    }
}
