//! Every problem code: one table row each.
//!
//! A row holds the code as users see it, its level under each profile, the section of RFC 1738, the decision that
//! settles what the RFC leaves open, how to mend it, the message and the help. `{...}` in a text is filled in from the
//! problem at hand (see [`Problem::message`](crate::Problem::message)).

use crate::problem::Level;
use crate::profile::Profile;

/// How a problem can be mended by rewriting octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mend {
    /// Only a person can tell.
    None,
    /// Take the octets away.
    Delete,
    /// Write each octet as an escape.
    Encode,
    /// Write `%25` for the `%`.
    Percent,
    /// Write the octets that the escapes stand for.
    Decode,
    /// Write in lower case.
    Lower,
    /// Take leading zeros away.
    Zeros,
    /// Put `//` here.
    Slashes,
    /// Put `/` here.
    Slash,
    /// Put `/` before the octets.
    SlashBefore,
    /// Take the login and its `@` away.
    Userinfo,
    /// Replace the whole text by what was probably meant.
    Suggest,
}

/// One row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) levels: [Level; 2],
    pub(crate) section: &'static str,
    /// Empty where the RFC itself is plain.
    pub(crate) decision: &'static str,
    pub(crate) mend: Mend,
    pub(crate) message: &'static str,
    pub(crate) help: &'static str,
}

macro_rules! codes {
    ($($id:ident: $name:literal, [$strict:ident, $current:ident], $section:literal, $decision:literal, $mend:ident,
        $message:literal, $help:literal;)*) => {
        /// What is wrong, as a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)] // as for `Level`
        pub(crate) enum Code { $($id),* }

        static ROWS: &[Row] = &[$(Row {
            name: $name,
            levels: [Level::$strict, Level::$current],
            section: $section,
            decision: $decision,
            mend: Mend::$mend,
            message: $message,
            help: $help,
        }),*];
    };
}

impl Code {
    #[inline]
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// How much it matters under a profile.
    #[inline]
    pub(crate) fn level(self, profile: Profile) -> Level {
        // Both levels are looked at, so that the compiler sees where they are the same.
        let [strict, current] = self.row().levels;
        match profile {
            Profile::Rfc1738 => strict,
            Profile::Current => current,
        }
    }
}

/// All rows, for listing and for the tests that hold the table to its form.
pub(crate) fn rows() -> &'static [Row] {
    ROWS
}

codes! {
    UrlLength: "url-length", [Error, Error], "2.2", "D-15", None,
        "the URL is longer than 4,294,967,295 octets",
        "split the input: this is not a URL of any protocol";
    SchemeMissing: "scheme-missing", [Error, Error], "2.1", "D-09", None,
        "there is no `:`, so no scheme",
        "a URL begins with a scheme and a colon, as in `http://host.dom/`; a relative link needs a base";
    SchemeEmpty: "scheme-empty", [Error, Error], "2.1", "", None,
        "the scheme before the `:` is empty",
        "write the scheme before the colon, as in `http:`";
    SchemeChar: "scheme-char", [Error, Error], "2.1", "D-02", None,
        "{octets} may not stand in a scheme name",
        "a scheme holds letters, digits, `+`, `-` and `.` only";
    SchemeCase: "scheme-case", [Warning, Warning], "2.1", "D-02", Lower,
        "the scheme `{text}` is not in lower case",
        "readers take upper case as lower; write `{lower}`";
    SchemeFirst: "scheme-first", [Warning, Error], "5", "D-04", None,
        "the scheme begins with {octets}, not with a letter",
        "RFC 1738 allows it, every later RFC demands a letter";
    SchemeExperimental: "scheme-experimental", [Warning, Warning], "4", "D-05", None,
        "`{text}` is an experimental scheme",
        "`x-` schemes mean what the parties agreed, nothing is known of their parts";
    SchemeProposed: "scheme-proposed", [Warning, Warning], "4", "D-05", None,
        "`{text}` is a proposed scheme: RFC 1738 sets its name aside and gives it no syntax",
        "only the generic syntax can be read";
    SchemeUrlPrefix: "scheme-url-prefix", [Warning, Error], "Appendix", "D-07", Delete,
        "`{text}` is read as the scheme `url`",
        "the prefix `URL:` belongs around a URL, not in it: take it away";
    SchemeTrap: "scheme-trap", [Note, Note], "2.1", "D-04", Suggest,
        "this is a URL of the scheme `{scheme}`, which nobody knows",
        "perhaps `{suggestion}` was meant";
    SchemeSibling: "scheme-sibling", [Note, Note], "4", "D-71", None,
        "`{text}` is not a scheme of RFC 1738",
        "it is read like `{base}` under the profile `current`, and as an unknown scheme under `rfc1738`";
    SchemeCheck: "scheme-check", [Error, Error], "4", "", None,
        "{detail}",
        "{help}";
    GenericIp: "generic-ip", [Warning, Warning], "3.1", "D-06", None,
        r#"after `//` there is no `login [ "/" urlpath ]`, so no host is read"#,
        "a leading `//` promises the common Internet syntax `//user:password@host:port/url-path`";
    BnfChar: "bnf-char", [Error, Error], "2.2", "D-10", Encode,
        "{octets} may not stand in {part}",
        "write {encoded}";
    BnfEscape: "bnf-escape", [Error, Error], "2.2", "D-10", Percent,
        "`%` is not followed by two hex digits",
        "a percent sign itself is written `%25`";
    Tilde: "tilde", [Note, Note], "2.2", "D-11", Encode,
        "`~` is unsafe in RFC 1738",
        "write `%7E`, which every reader takes for the same";
    SlashesMissing: "slashes-missing", [Error, Error], "3.1", "", Slashes,
        "`//` must follow `{scheme}:`",
        "write `{scheme}://` before the host";
    UserForbidden: "user-forbidden", [Error, Error], "3.1", "D-26", Userinfo,
        "{scheme} URLs have no user name and no password",
        "take the part before the `@` away; programs ask for credentials themselves";
    HttpUserinfo: "http-userinfo", [Error, Warning], "3.3", "D-26", Userinfo,
        "no user name or password is allowed in an http URL",
        "it is never sent unasked; take it away: what stands before the `@` is often meant to look like the host";
    AtTwice: "at-twice", [Error, Error], "3.1", "D-25", None,
        "a second `@` stands before the first `/`",
        "only one `@` may end the login; programs disagree which one. In a user name or password write `%40`";
    UserQuestion: "user-question", [Warning, Warning], "3.1", "D-25", Encode,
        "`?` stands raw in the login",
        "later RFCs end the host at a `?`; write `%3F`";
    HostEmpty: "host-empty", [Error, Error], "3.1", "", None,
        "the host is missing",
        "write a host name or IP address after the `//`";
    HostChar: "host-char", [Error, Error], "3.1", "D-19", None,
        "{octets} may not stand in a host",
        "a host holds letters, digits, `-` and `.` only";
    HostEscape: "host-escape", [Error, Error], "3.1", "D-19", None,
        "an escape may not stand in a host",
        "hosts are never decoded: write the name itself";
    HostUnderscore: "host-underscore", [Error, Note], "3.1", "D-19", None,
        "`_` may not stand in a host name",
        "DNS labels of hosts hold letters, digits and `-` only";
    HostLabel: "host-label", [Error, Error], "3.1", "D-19", None,
        "{detail}",
        "each label begins and ends with a letter or digit";
    HostDot: "host-dot", [Error, Note], "3.1", "D-20", Delete,
        "the host ends with a dot",
        "take the dot away";
    HostToplabel: "host-toplabel", [Error, Error], "3.1", "D-21", None,
        "the last label of `{text}` begins with a digit, and the host is not four digit groups",
        "write an IP address as four decimal groups; some programs would read this as an address, others as a name";
    HostnumberRange: "hostnumber-range", [Error, Error], "3.1", "D-21", None,
        "`{text}` is above 255",
        "each of the four groups of an IP address is 0 to 255";
    HostnumberLeadingZero: "hostnumber-leading-zero", [Warning, Warning], "3.1", "D-21", Zeros,
        "`{text}` has leading zeros",
        "it is read as decimal here, as octal elsewhere: write it without them";
    HostIpv6: "host-ipv6", [Error, Note], "3.1", "D-21", None,
        "an IPv6 address in brackets is no host of RFC 1738",
        "RFC 3986 brought them: read the URL under the profile `current`";
    HostIpv6Form: "host-ipv6-form", [Error, Error], "3.1", "D-21", None,
        "`{text}` is no IPv6 address",
        "RFC 3986 allows `[` eight hex groups, `::` for zeros `]`, without a zone";
    LabelLength: "label-length", [Error, Error], "3.1", "D-18", None,
        "a label of {length} octets",
        "RFC 1034 allows at most 63";
    HostLength: "host-length", [Error, Error], "3.1", "D-18", None,
        "a host of {length} octets",
        "RFC 1123 allows at most 255";
    HostWireLength: "host-wire-length", [Warning, Warning], "3.1", "D-18", None,
        "a host of {length} octets fits no DNS message",
        "at most 253 can be asked for";
    HostNotFqdn: "host-not-fqdn", [Note, Note], "3.1", "D-16", None,
        "`{text}` is no fully qualified domain name",
        "it means whatever the local network takes it for";
    PortEmpty: "port-empty", [Error, Note], "3.1", "D-22", Delete,
        "the port after the `:` is empty",
        "without a port the colon goes as well";
    PortChar: "port-char", [Error, Error], "3.1", "D-23", None,
        "{octets} may not stand in a port",
        "a port is decimal digits";
    PortRange: "port-range", [Error, Error], "3.1", "D-23", None,
        "the port is above 65535",
        "a port is a number from 1 to 65535";
    PortZero: "port-zero", [Warning, Warning], "3.1", "D-23", None,
        "port 0 cannot be connected to",
        "leave the port out for the default, or give the right one";
    PortLeadingZero: "port-leading-zero", [Warning, Warning], "3.1", "D-23", Zeros,
        "the port `{text}` has leading zeros",
        "write it without them";
    PortForbidden: "port-forbidden", [Error, Error], "3.10", "D-63", Delete,
        "a file URL has no port",
        "`file:` names no protocol that a port could belong to: take it away";
    PathMissing: "path-missing", [Error, Error], "5", "", Slash,
        "no `/` follows the host: {detail}",
        "a `/` and what it introduces must follow the host";
    FtpTypecode: "ftp-typecode", [Error, Error], "3.2.2", "D-28", None,
        "`{text}` does not end with a typecode",
        "after `;type=` comes one of `a`, `i`, `d`; a `;` in a name is written `%3B`";
    FtpTypeCase: "ftp-type-case", [Error, Warning], "3.2.2", "D-03", Lower,
        "`{text}` is not written `;type=`",
        "only the scheme is free of case: write `{lower}`";
    FtpSemicolon: "ftp-semicolon", [Error, Warning], "3.2.2", "D-29", Encode,
        "`;` is reserved in {part}",
        "only a final `;type=` may use it; in a name write `%3B`";
    FtpEmptyCwd: "ftp-empty-cwd", [Warning, Warning], "3.2.2", "D-31", None,
        "an empty segment: `CWD` is sent with a null argument",
        "for a directory from the root write `%2F` before its name, not a second `/`";
    PathQuestion: "path-question", [Warning, Warning], "3.2.2", "D-33", Encode,
        "`?` stands raw in a path",
        "it is data here; later RFCs begin a query there: write `%3F`";
    HttpQuerySlash: "http-query-slash", [Error, Note], "3.3", "D-37", SlashBefore,
        "`?` follows the host without a `/`",
        "only a URL with neither path nor search may leave the `/` out";
    HttpSearchChar: "http-search-char", [Error, Note], "3.3", "D-38", Encode,
        "{octets} is reserved in an http search",
        "write {encoded}";
    GopherGtypeEscaped: "gopher-gtype-escaped", [Warning, Warning], "3.4.1", "D-42", Decode,
        "the gopher type is written as an escape",
        "write the character itself";
    GopherGtypeCtl: "gopher-gtype-ctl", [Error, Error], "3.4.1", "D-42", None,
        "the gopher type is {decoded}",
        "no menu line can hold HT, LF or CR as its type; without a type write `1`";
    GopherGtypeSlash: "gopher-gtype-slash", [Note, Note], "3.4.1", "D-48", None,
        "the gopher type is `/`",
        "the type comes right after the first `/`: perhaps `/1/` was meant";
    GopherSelectorCtl: "gopher-selector-ctl", [Error, Error], "3.4.1", "D-44", None,
        "{decoded} may not stand in {part}",
        "a selector holds any octets but HT, LF and CR: they would begin a second request";
    GopherSearchCtl: "gopher-search-ctl", [Warning, Warning], "3.4.2", "D-44", None,
        "{decoded} in a gopher search",
        "it would begin a second request: a client refuses it";
    GopherSearchBnf: "gopher-search-bnf", [Warning, Warning], "3.4.2", "D-45", Encode,
        "`{text}` stands raw in a gopher search",
        "the BNF's `search` leaves it out: write {encoded}";
    GopherplusForm: "gopherplus-form", [Warning, Warning], "3.4.3", "D-46", None,
        "this Gopher+ string has none of the forms of sections 3.4.4 to 3.4.9",
        "known are `+`, `?`, `!`, `$`, attribute names, a view with its language, and a filled form";
    MailtoAddrspec: "mailto-addrspec", [Error, Error], "3.5", "D-53", None,
        "{detail}",
        "an address is `local@domain` as in RFC 822: words joined by dots, without comments, blanks, names or lists";
    MailtoHfields: "mailto-hfields", [Warning, Note], "3.5", "D-54", None,
        "`?` does not begin header fields in RFC 1738",
        "there it belongs to the domain; RFC 6068 reads header fields, of which only `subject` and `body` are honoured";
    MailtoDomain: "mailto-domain", [Warning, Warning], "3.5", "D-54", None,
        "the domain `{text}` is no Internet host",
        "mail is sent to `local@host.dom`";
    MailtoCtl: "mailto-ctl", [Warning, Error], "3.5", "D-57", None,
        "the address holds {decoded}",
        "RFC 822 allows it in a quoted string; every mailer refuses it";
    NewsEmpty: "news-empty", [Error, Error], "3.6", "D-58", None,
        "nothing follows `news:`",
        "write `*`, a newsgroup name or a Message-ID";
    NewsGroup: "news-group", [Error, Error], "3.6", "D-58", None,
        "a newsgroup name begins with a letter, not with {octets}",
        "for all groups write `news:*`; a Message-ID holds an `@`";
    NewsAllEscaped: "news-all-escaped", [Error, Note], "3.6", "D-58", Decode,
        "`%2A` is not the `*` that means all newsgroups",
        "write `*` itself: newsgroup names have no escapes";
    NewsGroupForm: "news-group-form", [Warning, Warning], "3.6", "D-58", None,
        "the newsgroup name has an empty component",
        "names are words joined by single dots";
    NewsMsgid: "news-msgid", [Error, Error], "3.6", "D-59", None,
        "a Message-ID cannot have {decoded} before its `@`",
        "a Message-ID is `unique@full.domain.name`, without `<` and `>`";
    NewsAuthority: "news-authority", [Warning, Note], "3.6", "D-60", None,
        "`//` does not begin a server name in a news URL of RFC 1738",
        "there it is part of the Message-ID; RFC 5538 reads a server";
    NntpNoArticle: "nntp-no-article", [Warning, Warning], "3.7", "D-61", None,
        "there is no article number",
        "the URL names the whole group; an article is `/group/number`";
    NntpArticle: "nntp-article", [Error, Error], "3.7", "D-61", None,
        "{detail}",
        "an article number is decimal digits";
    NntpArticleRange: "nntp-article-range", [Warning, Warning], "3.7", "D-61", None,
        "the article number is above 2147483647",
        "RFC 3977 allows no greater one";
    TelnetPath: "telnet-path", [Error, Warning], "3.8", "D-52", Delete,
        "only one `/` may follow the host of a telnet URL",
        "a session has no path: take the rest away";
    WaisEmptyPart: "wais-empty-part", [Warning, Warning], "3.9", "D-62", None,
        "{part} is empty",
        "the grammar allows it, no server knows it";
    WaisForm: "wais-form", [Error, Error], "3.9", "D-62", None,
        "this is none of the three forms of a WAIS URL",
        "a WAIS URL is `/database`, `/database?search` or `/database/wtype/wpath`";
    WaisRaw: "wais-raw", [Note, Note], "3.9", "D-62", Encode,
        "{octets} stands raw in {part}",
        "write {encoded}";
    FileShort: "file-short", [Error, Note], "3.10", "D-64", Slashes,
        "`//` must follow `file:`",
        "write `{suggestion}`";
    FileHostNumber: "file-host-number", [Warning, Warning], "3.10", "D-63", None,
        "the host of a file URL is an IP address",
        "a fully qualified domain name, `localhost` or nothing is meant to stand there";
    ProsperoEmptyName: "prospero-empty-name", [Warning, Warning], "3.11", "D-66", None,
        "the hsoname is empty",
        "no object is named";
    ProsperoField: "prospero-field", [Error, Error], "3.11", "D-66", None,
        "{detail}",
        "each field is `;name=value`; `;` and `=` inside them are written `%3B` and `%3D`";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Level;

    #[test]
    fn codes_are_unique_and_texts_are_one_line_without_a_full_stop() {
        for (i, row) in rows().iter().enumerate() {
            assert!(rows()[i + 1..].iter().all(|other| other.name != row.name), "{}", row.name);
            for text in [row.message, row.help] {
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
        // What RFC 1738 lets pass and its successors do not.
        let stricter = rows().iter().filter(|row| row.levels[1] == Level::Error && row.levels[0] != Level::Error);
        let names: alloc::vec::Vec<_> = stricter.map(|row| row.name).collect();
        assert_eq!(names, ["scheme-first", "scheme-url-prefix", "mailto-ctl"]);
    }
}
