//! Every problem code: one table row each.
//!
//! A row contains the code as users see it, its level in each profile, the section of RFC 1738, the decision that
//! settles what the RFC leaves open, the message and the help, here in English (see [`language`](crate::language)). `{...}` is filled
//! in from the problem (see [`Problem::message`](crate::Problem::message)).

use crate::language::{Words, problem};
use crate::level::Level;
use crate::profile::Profile;
use crate::translated;

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) levels: [Level; 2],
    pub(crate) section: &'static str,
    /// Empty if the RFC is clear.
    pub(crate) decision: &'static str,
    pub(crate) message: Words,
    pub(crate) help: Words,
}

macro_rules! codes {
    ($($id:ident: $name:literal, [$strict:ident, $current:ident], $section:literal, $decision:literal,
        $message:literal, $help:literal;)*) => {
        /// A problem code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)] // as for `Level`
        pub(crate) enum Code { $($id),* }

        static ROWS: &[Row] = &[$({
            const TRANSLATED: [(&str, &str, &str); 2] = problem($name);
            let message = translated!($message, TRANSLATED[0].1, TRANSLATED[1].1);
            let help = translated!($help, TRANSLATED[0].2, TRANSLATED[1].2);
            Row { name: $name, levels: [Level::$strict, Level::$current], section: $section, decision: $decision, message, help }
        }),*];
    };
}

impl Code {
    #[inline]
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The level in a profile.
    #[inline]
    pub(crate) fn level(self, profile: Profile) -> Level {
        self.row().level(profile)
    }
}

impl Row {
    /// The level in a profile.
    #[inline]
    pub(crate) fn level(&self, profile: Profile) -> Level {
        // Reading both levels lets the compiler see where they are equal.
        let [strict, current] = self.levels;
        match profile {
            Profile::Rfc1738 => strict,
            Profile::Current => current,
        }
    }
}

/// All rows, for listing and for tests of the table.
pub(crate) fn rows() -> &'static [Row] {
    ROWS
}

codes! {
    UrlLength: "url-length", [Error, Error], "2.2", "D-15",
        "the URL is longer than 4,294,967,295 octets",
        "check the input: no protocol uses URLs this long";
    SchemeMissing: "scheme-missing", [Error, Error], "2.1", "D-09",
        "the URL has no scheme: there is no `:`",
        "start with a scheme and a colon, as in `http://host.dom/`, or resolve a relative URL against a base";
    SchemeEmpty: "scheme-empty", [Error, Error], "2.1", "",
        "the scheme before the `:` is empty",
        "write a scheme before the colon, as in `http:`";
    SchemeChar: "scheme-char", [Error, Error], "2.1", "D-02",
        "{octets} is not allowed in a scheme name",
        "use only letters, digits, `+`, `-` and `.`";
    SchemeCase: "scheme-case", [Warning, Warning], "2.1", "D-02",
        "the scheme `{text}` is not lowercase",
        "write `{lower}`; case does not matter in a scheme";
    SchemeFirst: "scheme-first", [Warning, Error], "5", "D-04",
        "the scheme starts with {octets}, not with a letter",
        "start with a letter: RFC 1738 does not require it, but every later RFC does";
    SchemeExperimental: "scheme-experimental", [Warning, Warning], "4", "D-05",
        "`{text}` is an experimental scheme",
        "`x-` schemes are private agreements, so only the generic syntax is checked";
    SchemeProposed: "scheme-proposed", [Warning, Warning], "4", "D-05",
        "`{text}` is a proposed scheme: RFC 1738 reserves its name but defines no syntax",
        "only the generic syntax is checked";
    SchemeUrlPrefix: "scheme-url-prefix", [Warning, Error], "Appendix", "D-07",
        "`{text}` is read as the scheme `url`",
        "remove `URL:`: the prefix introduces a URL and is not part of it";
    SchemeTrap: "scheme-trap", [Note, Note], "2.1", "D-04",
        "this parses as a URL with the unknown scheme `{scheme}`",
        "did you mean `{suggestion}`?";
    SchemeSibling: "scheme-sibling", [Note, Note], "4", "D-71",
        "`{text}` is not an RFC 1738 scheme",
        "the profile `current` reads it like `{base}`, `rfc1738` as an unknown scheme";
    SchemeCurrent: "scheme-current", [Note, Note], "4", "D-71",
        "`{text}` is not an RFC 1738 scheme",
        "the profile `current` reads it by {document}, `rfc1738` as an unknown scheme";
    SchemeCheck: "scheme-check", [Error, Error], "4", "",
        "{detail}",
        "{help}";
    GenericIp: "generic-ip", [Warning, Warning], "3.1", "D-06",
        r#"what follows `//` is not `login [ "/" urlpath ]`, so the URL has no host"#,
        "after `//` use the common Internet syntax, `//user:password@host:port/url-path`";
    BnfChar: "bnf-char", [Error, Error], "2.2", "D-10",
        "{octets} is not allowed in {part}",
        "write {encoded}";
    BnfEscape: "bnf-escape", [Error, Error], "2.2", "D-10",
        "`%` is not followed by two hex digits",
        "write `%25` for a percent sign";
    Tilde: "tilde", [Note, Note], "2.2", "D-11",
        "`~` is unsafe in RFC 1738",
        "write `%7E`, which means the same to every program";
    SlashesMissing: "slashes-missing", [Error, Error], "3.1", "",
        "`//` must follow `{scheme}:`",
        "write `{scheme}://` before the host";
    UserForbidden: "user-forbidden", [Error, Error], "3.1", "D-26",
        "{scheme} URLs cannot contain a user name or password",
        "remove everything up to the `@`; clients ask for credentials when they need them";
    HttpUserinfo: "http-userinfo", [Error, Warning], "3.3", "D-26",
        "a user name or password is not allowed in an http URL",
        "remove it: it is not sent unless you ask for it, and it is often made to look like the host";
    AtTwice: "at-twice", [Error, Error], "3.1", "D-25",
        "there is a second `@` before the first `/`",
        "write `%40` in a user name or password; programs disagree on which `@` ends the login";
    UserQuestion: "user-question", [Warning, Warning], "3.1", "D-25",
        "unencoded `?` in the login",
        "write `%3F`: later RFCs end the host at a `?`";
    HostEmpty: "host-empty", [Error, Error], "3.1", "",
        "the host is missing",
        "write a host name or IP address";
    HostChar: "host-char", [Error, Error], "3.1", "D-19",
        "{octets} is not allowed in a host",
        "use only letters, digits, `-` and `.`";
    HostEscape: "host-escape", [Error, Error], "3.1", "D-19",
        "escapes are not allowed in a host",
        "write the name itself: hosts are never decoded";
    HostUnderscore: "host-underscore", [Error, Note], "3.1", "D-19",
        "`_` is not allowed in a host name",
        "use only letters, digits and `-` in the labels of a host name";
    HostLabel: "host-label", [Error, Error], "3.1", "D-19",
        "{detail}",
        "start and end each label with a letter or digit";
    HostDot: "host-dot", [Error, Note], "3.1", "D-20",
        "the host ends with a dot",
        "remove the dot";
    HostToplabel: "host-toplabel", [Error, Error], "3.1", "D-21",
        "the last label of `{text}` starts with a digit, but the host is not an IPv4 address",
        "write an IP address as four decimal numbers; some programs read this as an address, others as a name";
    HostnumberRange: "hostnumber-range", [Error, Error], "3.1", "D-21",
        "`{text}` is greater than 255",
        "write an IP address as four numbers from 0 to 255";
    HostnumberLeadingZero: "hostnumber-leading-zero", [Warning, Warning], "3.1", "D-21",
        "`{text}` has leading zeros",
        "remove the zeros: some programs read such a number as octal";
    HostIpv6: "host-ipv6", [Error, Note], "3.1", "D-21",
        "RFC 1738 does not allow an IPv6 address as a host",
        "write the name of the host; the profile `current` reads an address in brackets, as RFC 3986 does";
    HostIpv6Form: "host-ipv6-form", [Error, Error], "3.1", "D-21",
        "`{text}` is not an IPv6 address in brackets",
        "write `[` and `]` around eight groups of hex digits, with `::` for one run of zeros and without a zone";
    LabelLength: "label-length", [Error, Error], "3.1", "D-18",
        "the label is {length} octets long",
        "RFC 1034 allows at most 63";
    HostLength: "host-length", [Error, Error], "3.1", "D-18",
        "the host is {length} octets long",
        "RFC 1123 allows at most 255";
    HostWireLength: "host-wire-length", [Warning, Warning], "3.1", "D-18",
        "a host of {length} octets does not fit in a DNS message",
        "use at most 253";
    HostNotFqdn: "host-not-fqdn", [Note, Note], "3.1", "D-16",
        "`{text}` is not a fully qualified domain name",
        "add the domain; without it the name depends on the local network";
    HostScheme: "host-scheme", [Note, Note], "3.1", "D-83",
        "`{text}` is read as a host, but is also the name of a scheme",
        "write the scheme once, then `://` and the host; after a host that really has this name, write a single `/`";
    PortEmpty: "port-empty", [Error, Note], "3.1", "D-22",
        "the port after the `:` is empty",
        "remove the colon or write a port";
    PortChar: "port-char", [Error, Error], "3.1", "D-23",
        "{octets} is not allowed in a port",
        "use decimal digits";
    PortRange: "port-range", [Error, Error], "3.1", "D-23",
        "the port is greater than 65535",
        "write a number from 1 to 65535";
    PortZero: "port-zero", [Warning, Warning], "3.1", "D-23",
        "no server can listen on port 0",
        "write the right port, or leave it out for the default";
    PortLeadingZero: "port-leading-zero", [Warning, Warning], "3.1", "D-23",
        "the port `{text}` has leading zeros",
        "remove the zeros";
    PortForbidden: "port-forbidden", [Error, Error], "3.10", "D-63",
        "a file URL cannot have a port",
        "remove it: `file:` uses no network protocol";
    PathMissing: "path-missing", [Error, Error], "5", "",
        "no `/` follows the host: {detail}",
        "write `/` and the rest of the URL after the host";
    FtpTypecode: "ftp-typecode", [Error, Error], "3.2.2", "D-28",
        "`{text}` does not end with a typecode",
        "write `a`, `i` or `d` after `;type=`, or `%3B` for a `;` in a name";
    FtpTypeCase: "ftp-type-case", [Error, Warning], "3.2.2", "D-03",
        "`{text}` is not lowercase",
        "write `{lower}`: RFC 1738 ignores case only in the scheme";
    FtpSemicolon: "ftp-semicolon", [Error, Warning], "3.2.2", "D-29",
        "`;` is reserved in {part}",
        "write `%3B` in a name; `;` is only for a final `;type=`";
    FtpEmptyCwd: "ftp-empty-cwd", [Warning, Warning], "3.2.2", "D-31",
        "an empty segment: `CWD` is sent with a null argument",
        "for an absolute path write `%2F` before the first name, not a second `/`";
    PathQuestion: "path-question", [Warning, Warning], "3.2.2", "D-33",
        "unencoded `?` in a path",
        "write `%3F`: it is data here, but later RFCs start a query at it";
    HttpQuerySlash: "http-query-slash", [Error, Note], "3.3", "D-37",
        "`?` follows the host without a `/`",
        "write `/?`; the `/` may be left out only if there is neither a path nor a search";
    HttpSearchChar: "http-search-char", [Error, Note], "3.3", "D-38",
        "{octets} is reserved in an http search",
        "write {encoded}";
    GopherGtypeEscaped: "gopher-gtype-escaped", [Warning, Warning], "3.4.1", "D-42",
        "the gopher type is percent-encoded",
        "write the character itself";
    GopherGtypeCtl: "gopher-gtype-ctl", [Error, Error], "3.4.1", "D-42",
        "the gopher type is {decoded}",
        "write the type of the item, or `1` for a menu; HT, LF and CR cannot be types";
    GopherGtypeSlash: "gopher-gtype-slash", [Note, Note], "3.4.1", "D-48",
        "the gopher type is `/`",
        "the type comes right after the first `/`: did you mean `/1/`?";
    GopherSelectorCtl: "gopher-selector-ctl", [Error, Error], "3.4.1", "D-44",
        "{decoded} is not allowed in {part}",
        "remove it: HT, LF and CR are the only octets that a selector cannot contain";
    GopherSearchCtl: "gopher-search-ctl", [Warning, Warning], "3.4.2", "D-44",
        "{decoded} in a gopher search",
        "remove it: it would start a second request, so clients refuse it";
    GopherSearchBnf: "gopher-search-bnf", [Warning, Warning], "3.4.2", "D-45",
        "unencoded `{text}` in a gopher search",
        "write {encoded}: the BNF of `search` does not allow it raw";
    GopherplusForm: "gopherplus-form", [Warning, Warning], "3.4.3", "D-46",
        "this Gopher+ string matches none of the forms in sections 3.4.4 to 3.4.9",
        "use `+`, `?`, `!`, `$`, attribute names, a view with its language, or a filled-in form";
    MailtoAddrspec: "mailto-addrspec", [Error, Error], "3.5", "D-53",
        "{detail}",
        "write `local@domain` as in RFC 822: words joined by dots, without comments, spaces, names or lists";
    MailtoHfields: "mailto-hfields", [Warning, Note], "3.5", "D-54",
        "RFC 1738 does not define header fields after a `?`",
        "RFC 1738 reads `?` as part of the domain; RFC 6068 starts header fields there, of which only `subject` and `body` are used";
    MailtoDomain: "mailto-domain", [Warning, Warning], "3.5", "D-54",
        "the domain `{text}` is not an Internet host",
        "write the address as `local@host.dom`";
    MailtoCtl: "mailto-ctl", [Warning, Error], "3.5", "D-57",
        "the address contains {decoded}",
        "remove it: RFC 822 allows it in a quoted string, but mailers refuse it";
    NewsEmpty: "news-empty", [Error, Error], "3.6", "D-58",
        "nothing follows `{scheme}:`",
        "write `*`, a newsgroup name or a Message-ID";
    NewsGroup: "news-group", [Error, Error], "3.6", "D-58",
        "a newsgroup name cannot start with {octets}",
        "start it with a letter; for all groups write `news:*`, and for an article a Message-ID with its `@`";
    NewsAllEscaped: "news-all-escaped", [Error, Note], "3.6", "D-58",
        "`%2A` is not the `*` that means all newsgroups",
        "write `*`: newsgroup names have no escapes";
    NewsGroupForm: "news-group-form", [Warning, Warning], "3.6", "D-58",
        "the newsgroup name has an empty component",
        "join the components with single dots";
    NewsMsgid: "news-msgid", [Error, Error], "3.6", "D-59",
        "{decoded} is not allowed before the `@` of a Message-ID",
        "write `unique@full.domain.name`, without `<` and `>`";
    NewsAuthority: "news-authority", [Warning, Note], "3.6", "D-60",
        "RFC 1738 does not define a server name in a news URL",
        "RFC 1738 reads `//` as part of the Message-ID, RFC 5538 as the start of a server name";
    NntpNoArticle: "nntp-no-article", [Warning, Warning], "3.7", "D-61",
        "the URL has no article number",
        "write `/group/number` for one article; without the number the URL names the whole group";
    NntpArticle: "nntp-article", [Error, Error], "3.7", "D-61",
        "{detail}",
        "write the article number in decimal digits";
    NntpArticleRange: "nntp-article-range", [Warning, Warning], "3.7", "D-61",
        "the article number is greater than 2147483647",
        "RFC 3977 does not allow larger numbers";
    TelnetPath: "telnet-path", [Error, Warning], "3.8", "D-52",
        "only a single `/` may follow the host of a telnet URL",
        "remove the rest: a session has no path";
    WaisEmptyPart: "wais-empty-part", [Warning, Warning], "3.9", "D-62",
        "{part} is empty",
        "the grammar allows it, but servers do not accept it";
    WaisForm: "wais-form", [Error, Error], "3.9", "D-62",
        "this is not one of the three forms of a WAIS URL",
        "write `/database`, `/database?search` or `/database/wtype/wpath`";
    WaisRaw: "wais-raw", [Note, Note], "3.9", "D-62",
        "unencoded {octets} in {part}",
        "write {encoded}";
    FileShort: "file-short", [Error, Note], "3.10", "D-64",
        "`//` must follow `file:`",
        "write `{suggestion}`";
    FileHostNumber: "file-host-number", [Warning, Warning], "3.10", "D-63",
        "the host of a file URL is an IP address",
        "write a fully qualified domain name, `localhost` or nothing";
    ProsperoEmptyName: "prospero-empty-name", [Warning, Warning], "3.11", "D-66",
        "the hsoname is empty",
        "write the name of an object";
    ProsperoField: "prospero-field", [Error, Error], "3.11", "D-66",
        "{detail}",
        "write each field as `;name=value`, with `%3B` and `%3D` for `;` and `=` inside it";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    #[test]
    fn codes_are_unique_and_texts_are_one_line_without_a_full_stop() {
        for (i, row) in rows().iter().enumerate() {
            assert!(rows()[i + 1..].iter().all(|other| other.name != row.name), "{}", row.name);
            for text in [row.message, row.help].map(Words::en) {
                assert!(!text.is_empty() && !text.contains('\n') && !text.ends_with('.'), "{}: {text}", row.name);
            }
        }
    }

    #[test]
    fn every_row_names_a_section_and_decisions_have_their_form() {
        for row in rows() {
            assert!(row.section == "Appendix" || row.section.starts_with(|c: char| c.is_ascii_digit()), "{}", row.name);
            let form = row.decision.is_empty() || (row.decision.starts_with("D-") && row.decision.len() == 4);
            assert!(form, "{}", row.name);
        }
    }

    #[test]
    fn no_problem_is_a_lesser_one_under_rfc1738_than_under_current_but_for_three() {
        // Allowed by RFC 1738 but not by its successors.
        let stricter = rows().iter().filter(|row| row.levels[1] == Level::Error && row.levels[0] != Level::Error);
        let names: alloc::vec::Vec<_> = stricter.map(|row| row.name).collect();
        assert_eq!(names, ["scheme-first", "scheme-url-prefix", "mailto-ctl"]);
    }
}
