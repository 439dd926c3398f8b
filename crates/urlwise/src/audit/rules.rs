//! The rules of the audit, one row each: the texts of a finding and the page of the rule.
//!
//! `{...}` in a message or help is filled in from the finding (see [`Finding`](super::finding::Finding)).

use alloc::borrow::Cow;
use core::fmt;

use super::severity::Severity;
use crate::display::padded;
use crate::language::{self, Language, RuleTexts, words};
use crate::scheme::{Scheme, schemes_where};
use crate::section::Section;
use crate::translated;

/// A rule of the audit: a risk of a valid URL.
///
/// `Display` prints the page of the rule.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The stable name, for example `port-foreign`.
    pub id: &'static str,
    /// The number, for example `E-03`.
    pub number: &'static str,
    /// The severity in schemes without an [exception](Rule::exceptions).
    pub severity: Severity,
    /// The schemes with a different severity. A sibling counts as its base.
    pub exceptions: &'static [(Scheme, Severity)],
    /// The schemes it applies to; siblings count as their base, registered ones as [`Scheme::Other`].
    pub schemes: &'static [Scheme],
    /// What reports violations.
    pub source: Source,
    /// The section of RFC 1738 that it comes from or extends: `6`, `3.4.1`, `Appendix`.
    pub section: &'static str,
    /// When it applies, in words.
    pub when: &'static str,
    /// A URL that violates it, or for rules that need more than a URL, a URL it may apply to.
    pub example: &'static str,
    /// What the risk is, why it matters and what to do: one paragraph of plain text.
    pub page: &'static str,
    pub(super) texts: RuleTexts,
    pub(super) index: usize,
    /// A bit for each of its schemes.
    bits: u64,
}

/// What reports violations of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// [`Audit::check`](super::settings::Audit::check), from the URL alone.
    Url,
    /// The program that extracted the URL from a text.
    Text,
    /// The client that opens the URL.
    Client,
    /// A comparison of the readings by different standards.
    Readers,
    /// Code that asks for the [suggestions](crate::Verdict::suggestions) of the verdict.
    Verdict,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        // Rules are rows of one table.
        self.index == other.index
    }
}

impl Eq for Rule {}

impl Rule {
    /// The severity in URLs of this scheme.
    pub fn severity_in(&self, scheme: Scheme) -> Severity {
        let exception = self.exceptions.iter().find(|(base, _)| *base == scheme.base());
        exception.map_or(self.severity, |(_, severity)| *severity)
    }

    /// Whether it applies to URLs of this scheme, which is no sibling.
    pub(super) fn applies_to(&self, base: Scheme) -> bool {
        self.bits >> base as u32 & 1 == 1
    }

    /// When it applies, in the words of a language: its title.
    pub fn when_in(&self, language: Language) -> Cow<'static, str> {
        self.texts.when.get(language)
    }

    /// [`page`](Rule::page) in a language.
    pub fn page_in(&self, language: Language) -> Cow<'static, str> {
        self.texts.page.get(language)
    }

    /// The templates of message and help in a language, with `{...}` for details of the URL.
    pub fn templates_in(&self, language: Language) -> [Cow<'static, str>; 2] {
        [self.texts.message.get(language), self.texts.help.get(language)]
    }

    /// The page of the rule in a language, as `Display` prints it in English.
    pub fn display_in(&self, language: Language) -> impl fmt::Display + use<'_> {
        Page { rule: self, language }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(Language::En).fmt(f)
    }
}

struct Page<'a> {
    rule: &'a Rule,
    language: Language,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, language) = (self.rule, self.language);
        let head =
            words!("{number} {id}: {severity} risk (RFC 1738 {section})").filled(language, |name, f| match name {
                "number" => f.write_str(rule.number),
                "id" => f.write_str(rule.id),
                "severity" => f.write_str(&rule.severity.name_in(language)),
                _ => write!(f, "{}", Section(rule.section).display_in(language)),
            });
        let when = words!("Fires when {when}.").filled(language, |_, f| rule.texts.when.write(language, f));
        let example = words!("Example: {example}").filled(language, |_, f| f.write_str(rule.example));
        padded(f, |f| {
            writeln!(f, "{head}")?;
            for (scheme, severity) in rule.exceptions {
                let scheme = scheme.name().map_or_else(|| words!("other").get(language), Cow::Borrowed);
                let exception = words!("{severity} in {scheme} URLs").filled(language, |name, f| match name {
                    "severity" => f.write_str(&severity.name_in(language)),
                    _ => f.write_str(&scheme),
                });
                writeln!(f, "{exception}")?;
            }
            writeln!(f, "\n{when}\n\n{}\n\n{example}", rule.page_in(language))
        })
    }
}

/// No sibling: they count as their base.
macro_rules! bases_where {
    ($condition:ident) => {
        schemes_where!(|scheme, definition| !scheme.is_sibling() && definition.$condition())
    };
}

const ALL: &[Scheme] = schemes_where!(|scheme, _definition| !scheme.is_sibling());
const WITH_HOST: &[Scheme] = bases_where!(has_host);
/// A file URL has a host but no port, and it is meant to name this machine.
const WITH_PORT: &[Scheme] = bases_where!(has_port);
/// http URLs have a login only in the profile `current`.
const WITH_LOGIN: &[Scheme] = bases_where!(has_login);
const WITH_PATH: &[Scheme] = schemes_where!(|scheme, definition| !scheme.is_sibling() && definition.has_path());
const FTP_TELNET: &[Scheme] = &[Scheme::Ftp, Scheme::Telnet];
const FTP: &[Scheme] = &[Scheme::Ftp];
const GOPHER: &[Scheme] = &[Scheme::Gopher];
const TELNET: &[Scheme] = &[Scheme::Telnet];
const FILE: &[Scheme] = &[Scheme::File];
const MAILTO: &[Scheme] = &[Scheme::Mailto];
const WAIS: &[Scheme] = &[Scheme::Wais];
const FINGER: &[Scheme] = &[Scheme::Finger];
const OTHER: &[Scheme] = &[Scheme::Other];

const fn bits(mut schemes: &[Scheme]) -> u64 {
    let mut bits = 0;
    while let [scheme, rest @ ..] = schemes {
        bits |= 1 << *scheme as u32;
        schemes = rest;
    }
    bits
}

macro_rules! rules {
    ($($name:ident $number:literal $id:literal $severity:ident [$($scheme:ident $exception:ident),*] $schemes:ident
        $source:ident $section:literal
        when $when:literal message $message:literal help $help:literal example $example:literal page $page:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "one name for a rule and its place in the table")]
        enum Index { $($name),* }

        static TABLE: [Rule; COUNT] = [$(Rule {
            id: $id,
            number: $number,
            severity: Severity::$severity,
            exceptions: &[$((Scheme::$scheme, Severity::$exception)),*],
            schemes: $schemes,
            source: Source::$source,
            section: $section,
            when: $when,
            example: $example,
            page: $page,
            texts: {
                const TRANSLATED: [[&str; 4]; 2] = language::rule($id);
                RuleTexts {
                    when: translated!($when, TRANSLATED[0][0], TRANSLATED[1][0]),
                    message: translated!($message, TRANSLATED[0][1], TRANSLATED[1][1]),
                    help: translated!($help, TRANSLATED[0][2], TRANSLATED[1][2]),
                    page: translated!($page, TRANSLATED[0][3], TRANSLATED[1][3]),
                }
            },
            index: Index::$name as usize,
            bits: bits($schemes),
        }),*];

        /// How many rules there are.
        pub(super) const COUNT: usize = [$($id),*].len();

        $(#[doc = concat!("`", $id, "`, ", $number, ": when ", $when, ".")]
        pub static $name: &Rule = &TABLE[Index::$name as usize];)*
    };
}

/// Every rule, by number.
pub static RULES: &[Rule] = &TABLE;

rules! {
    PORT_NONDEFAULT "E-01" "port-nondefault" Medium [] WITH_PORT Url "6"
        when "the URL has a port other than the default port of its scheme"
        message "port {text} is not the default port of {scheme}, {detail}"
        help "remove the port unless you know what listens there"
        example "http://host.dom:8080/"
        page "RFC 1738 asks for caution with any URL that has a port other than the default. The server on that port may speak a \
            different protocol and read the request as its own commands. Many servers do use such ports; find out whether \
            this is one of them. The default port of a registered scheme is the one it was registered with. If no default \
            port is known, this rule does not apply."
    PORT_RESERVED "E-02" "port-reserved" High [] WITH_PORT Url "6"
        when "the port is below 1024 and is not the default port of the scheme"
        message "port {text} is reserved like all below 1024, and what listens there may read the {scheme} request as its own \
            commands; the default port of {scheme} is {detail}"
        help "remove the port, or find out what listens there"
        example "gopher://host.dom:443/"
        page "Ports below 1024 are assigned to well-known services, and on many systems only privileged programs can listen on \
            them. RFC 1738 singles out this range because a URL is most likely to reach a server of another protocol there, \
            which would read the request as its own commands. Port 0, on which no server can listen, counts as reserved."
    PORT_FOREIGN "E-03" "port-foreign" High [] WITH_PORT Url "6"
        when "the port belongs to another well-known text protocol"
        message "port {text} belongs to {detail}, which would read the {scheme} request as its own commands"
        help "remove the port, or find out what listens there"
        example "http://host.dom:6379/"
        page "Servers for mail, news, databases, printers and many other services read lines and execute them. The path of a URL \
            can contain such lines, and the client that sends them issues an attacker's commands in its user's name. This is \
            the attack that RFC 1738 describes. If you run another protocol on such a port, tell people about it by other \
            means than a URL."
    SECRET_PASSWORD "E-04" "secret-password" Medium [] WITH_LOGIN Url "6"
        when "the URL contains a password that is not empty"
        message "the URL contains a password that anybody can read"
        help "remove it; let the client ask for it, or store it in a safe place"
        example "ftp://jim:secret@host.dom/"
        page "\"The use of URLs containing passwords that should be secret is clearly unwise\", says RFC 1738. URLs end up in \
            histories, logs, process lists and mail. A password that is not secret, such as that of an anonymous login, does \
            no harm. The programs of this project print every password as ***."
    CTL_CRLF "E-05" "ctl-crlf" High [Http Low, File Low, Other Medium] ALL Url "6"
        when "a part contains CR or LF when decoded"
        message "the {part} contains `{text}`: decoded, it ends the line, and the rest is read as another command"
        help "remove it: no name needs a line end"
        example "ftp://host.dom/a%0D%0ADELE%20b"
        page "In line-based protocols a line end ends the command, and the octets after it are the next command. Such a URL can \
            do anything that the server lets the user do. RFC 1738 warns of this in section 6. The severity is low where \
            nothing can happen: an http path is sent without being decoded, a file path is not sent at all, and the body of a \
            mail message consists of lines. It is medium for unknown schemes, since it is not known what they send."
    CTL_NUL "E-06" "ctl-nul" Medium [File High] ALL Url "2.2"
        when "a part contains NUL when decoded"
        message "the {part} contains `{text}`: many programs treat NUL as the end of the text"
        help "remove it: no name contains NUL"
        example "ftp://host.dom/a.txt%00.exe"
        page "In programs written in C a string ends at its first NUL. One program may check the whole name while another opens \
            only the part before the NUL. No file name can contain NUL."
    CTL_OTHER "E-07" "ctl-other" Low [] ALL Url "2.2"
        when "a part contains another control character (01 to 1F or 7F) when decoded"
        message "the {part} contains `{text}`, a control character when decoded"
        help "display it only as an escape"
        example "gopher://host.dom/0%1B%5B31mred"
        page "Control characters move the cursor of a terminal, change its colors or title, and on some terminals redefine keys. \
            A program that displays a decoded name without escaping it lets the URL control the terminal."
    IAC "E-08" "iac" Medium [] FTP_TELNET Url "6"
        when "a part of an ftp or telnet URL contains the octet FF when decoded"
        message "the {part} contains `{text}`, which starts a Telnet command (IAC)"
        help "use a client that doubles the octet or refuses it"
        example "ftp://host.dom/%FF%F4"
        page "The octet FF starts a Telnet command, and the control connection of FTP is a Telnet connection. A client that does \
            not double the octet lets the URL send Telnet commands. FF also occurs in names in older character sets; a client \
            that doubles it handles them correctly."
    GOPHER_CRLF "E-09" "gopher-crlf" High [] GOPHER Url "3.4.1"
        when "a selector or a search contains CR or LF when decoded, or a Gopher+ string does and does not have exactly the form of section 3.4.9"
        message "the {part} contains `{text}`: a gopher request is one line, and this would start a second one"
        help "remove it: only the answers of a Gopher+ form contain line ends (section 3.4.9)"
        example "gopher://host.dom/7find%09cats%0D%0Adogs"
        page "A gopher client sends one line; the server answers and closes the connection. Anything after a line end is sent as \
            a separate line, which is how section 6 describes rude messages being sent to mail servers. The answers of a \
            Gopher+ form do consist of lines; they must end with a line that contains a single dot, and nothing may follow it."
    GOPHER_SMTP "E-10" "gopher-smtp" High [] GOPHER Url "6"
        when "a gopher URL uses a mail port (25, 465, 587 or 2525), or a line of its decoded path starts with an SMTP command"
        message "this gopher URL {detail}"
        help "do not open it unless you know why it is there: no gopher server needs this"
        example "gopher://host.dom:25/0HELO%20me"
        page "RFC 1738 reports that this has happened: gopher URLs were used to send rude messages through mail servers. The \
            selector is decoded before it is sent, so it can be any command. This rule looks for HELO, EHLO, MAIL FROM, RCPT TO \
            and DATA at the start of each line. An ordinary word like DATA counts in the first line only if it is uppercase \
            or the port is not the gopher port."
    GOPHER_VERB "E-11" "gopher-verb" High [] GOPHER Url "6"
        when "a line of the decoded path of a gopher URL starts with a command of another line-based protocol"
        message "this gopher URL {detail}"
        help "do not open it unless you know what listens there: no gopher server needs this"
        example "gopher://host.dom/0GET%20/%20HTTP/1.0"
        page "A gopher client sends the selector and a line end, so a selector can be a command of HTTP, FTP, POP3, NNTP, Redis, \
            memcached and others. Words that are only ever commands (flushall) always count. Words that are also ordinary \
            English (get, set, user, group) count in the first line only if they are uppercase or the port is not the gopher \
            port. Old menus link to web pages with the selector `GET /path`; use the http URL of such a page instead."
    TELNET_CRLF "E-12" "telnet-crlf" High [] TELNET Url "6"
        when "the user or password of a telnet URL contains CR, LF, NUL or FF when decoded"
        message "the {part} contains `{text}`, which a telnet server reads as the end of a line or as a command"
        help "remove it, and never send the login of a telnet URL automatically (section 3.8)"
        example "telnet://guest%0D%0Arm:x@host.dom/"
        page "This is the example given in section 6 of RFC 1738. A telnet server reads keystrokes: a line end inside the user \
            name answers the login prompt, and the rest is typed into whatever prompts next. The login of a telnet URL is \
            advice for the user, and a program never sends it."
    FTP_OPTION "E-13" "ftp-option" Medium [] FTP Url "3.2.2"
        when "the name or a cwd of an ftp URL starts with `-`"
        message "the {part} `{text}` starts with `-`, which many servers read as an option"
        help "use another path to it, or list its parent directory"
        example "ftp://host.dom/pub/-R;type=d"
        page "Many FTP servers pass the argument of NLST and LIST to a program like ls, which reads a name that starts with a \
            hyphen as an option: -R lists the whole tree below the directory, which can be very large. RETR is not affected."
    FTP_ABSOLUTE "E-14" "ftp-absolute" Low [] FTP Url "3.2.2"
        when "a segment of an ftp path contains `/` when decoded"
        message "the {part} contains `{text}`, a slash: the path may leave the login directory"
        help "write a plain slash between directories"
        example "ftp://host.dom/%2Fetc/motd"
        page "Each segment of an ftp path is decoded and sent as one CWD: ftp://host/etc/motd changes to etc below the login \
            directory, and ftp://host/%2Fetc/motd changes to /etc. RFC 1738 itself gives this example, and it is fine where it \
            is intended. A program that treats the two as the same path is wrong."
    DOT_SEGMENT "E-15" "dot-segment" Low [File Medium] WITH_PATH Url "3.1"
        when "a segment of an ftp, file or http path is `.` or `..` when decoded"
        message "the {part} `{text}` names the current or the parent directory"
        help "write the path without it"
        example "http://host.dom/a/../b"
        page "RFC 1738 gives `.` and `..` no special meaning, so they reach servers and file systems unchanged; later RFCs remove \
            them before anything is sent. So one program may check a different path than another opens, and a local file name \
            made from such a segment may escape its directory."
    FILE_REMOTE "E-16" "file-remote" Medium [] FILE Url "3.10"
        when "the host of a file URL is neither empty nor `localhost`, or its path starts with two slashes or backslashes"
        message "`{text}` {detail}"
        help "write `file:///path` for a local file, or an ftp or http URL for one on another host"
        example "file://other.host.dom/etc/motd"
        page "A file URL with another host does not say which protocol to fetch the file with (section 3.10). Some systems treat \
            the host, or a path that starts with two slashes or backslashes, as a file server: they connect to it and send the \
            user's credentials."
    FILE_ESCAPE "E-17" "file-escape" High [] FILE Url "3.10"
        when "a segment of a file URL contains `/`, `\\` or NUL when decoded, or names a device (`CON`, `COM1`, `/dev/...`)"
        message "`{text}` {detail}"
        help "write a plain slash between directories, and name only regular files"
        example "file:///pub/..%2F..%2Fetc/passwd"
        page "No file name contains a slash or NUL, and on Windows none contains a backslash: a segment that decodes to one turns \
            into several after it was checked as one. On Windows, CON, NUL, COM1 and similar names are devices in every \
            directory and with any extension; on other systems everything below /dev is one. Reading a device may never end, \
            or may have side effects."
    USER_LOOKALIKE "E-18" "user-lookalike" Medium [] WITH_LOGIN Url "3.1"
        when "the user or password looks like a host (it contains a dot that is followed by a letter) or contains `%40`, `%2F` or `%3A`"
        message "the {part} {detail}"
        help "check the host, which comes after the `@`"
        example "ftp://www.host.dom@other.dom/"
        page "The text before the @ is the login, and the host comes after it. People and programs easily mistake a login for the \
            host if it looks like one or contains the escape of a character that would end it. Mail addresses used as \
            passwords for anonymous FTP look the same and are harmless."
    HOST_LOCAL "E-19" "host-local" Medium [] WITH_PORT Url "3.1"
        when "a URL from an untrusted source names this machine or a private network: localhost, 0/8, 10/8, 100.64/10, 127/8, 169.254/16, \
            172.16/12, 192.168/16, 224/4, 255.255.255.255 and the corresponding ranges of IPv6"
        message "the host `{text}` is this machine or in a private network, and the URL comes from an untrusted source"
        help "open it only if its author may reach your network through you"
        example "http://192.168.0.1/reboot"
        page "A program that opens URLs written by others does so from inside a network in which printers, routers and cloud \
            metadata services trust everybody who can reach them. URLs that you type yourself are not reported. A host name \
            may resolve to such an address too; only the client that resolves it can tell."
    HOST_NUMBER_FORM "E-20" "host-number-form" Medium [] WITH_HOST Url "3.1"
        when "a group of an IP address has leading zeros"
        message "the group `{text}` of the IP address has a leading zero: RFC 1738 reads it as decimal, other programs as octal"
        help "write the number without leading zeros"
        example "http://192.0.2.010/"
        page "RFC 1738 defines the groups as decimal and does not mention leading zeros. Many programs read a group with a leading \
            zero as octal, as C does: 010 is ten for some and eight for others, so one program may check a different address \
            than another connects to."
    HOST_PUNY "E-21" "host-puny" Low [] WITH_HOST Url "3.1"
        when "a label of the host starts with `xn--`"
        message "the label `{text}` encodes {detail}"
        help "compare both forms: letters of different scripts may look alike"
        example "http://xn--bcher-kva.dom/"
        page "Host names outside US-ASCII are encoded with the prefix xn--. This is the correct way to write them in an RFC 1738 \
            URL, but letters of different scripts look alike, so a decoded name may be mistaken for another one."
    ENC_DELIMITER "E-22" "enc-delimiter" Low [] ALL Url "2.2"
        when "a part contains the escape of a character that is reserved in it"
        message "`{text}` in the {part} does not mean the character itself, which is reserved there"
        help "make sure that it is intended: a program that decodes the URL too early sees a different one"
        example "http://host.dom/a%2Fb"
        page "A reserved character is a delimiter and its escape is data: a/b is two segments, a%2Fb is one (section 2.2). Programs \
            that decode before they split confuse the two, so a filter and a server may disagree about the same URL."
    ENC_DOUBLE "E-23" "enc-double" Low [] ALL Url "2.2"
        when "`%25` is followed by two hex digits"
        message "`{text}` in the {part} decodes to an escape, which must not be decoded again"
        help "write a single escape if that is what you mean"
        example "http://host.dom/%252e%252e/"
        page "A URL is decoded once. Text that was encoded twice, by mistake or on purpose, changes again if a program decodes it a \
            second time, so what was checked is not what is used."
    ENC_NEEDLESS "E-24" "enc-needless" Low [] ALL Url "2.2"
        when "a letter, a digit or one of `$-_.+!*'(),` is escaped (medium risk if that makes up over half of a part)"
        message "`{text}` in the {part} escapes characters that need no escape"
        help "write the characters themselves, as `urlwise normalize` does"
        example "http://host.dom/%61dmin"
        page "Such an escape means the same as the character itself (section 2.2). It hides words from people and from filters that \
            match the text as written. If most of a part is escaped, that is rarely an accident."
    ENC_NON_UTF8 "E-25" "enc-non-utf8" Low [] ALL Url "2.2"
        when "a part contains octets from 80 to FF when decoded that are not valid UTF-8"
        message "`{text}` in the {part} is not valid UTF-8, so its characters are unknown"
        help "display the octets as escapes"
        example "ftp://host.dom/caf%E9"
        page "A URL does not specify a character set. Octets that are valid UTF-8 are most likely UTF-8; others are in whatever \
            character set the author used. The server understands them, but they cannot be displayed reliably."
    MAILTO_INJECT "E-26" "mailto-inject" High [] MAILTO Url "3.5"
        when "the address or a header other than the body contains CR or LF when decoded, or there is a header other than subject and body"
        message "the {part} {detail}"
        help "remove it: an address is a single line, and only the headers `subject` and `body` are safe"
        example "mailto:%22a%0D%0A%20Bcc:b%22@host.dom"
        page "A line end in an address or a header ends that header, and the rest is read as another one, such as more recipients \
            or a different sender. Later RFCs allow headers in a mailto URL, but a URL must not be able to add recipients or \
            attach files. The body of a message does consist of lines, so line ends in it are reported by `ctl-crlf`, as a \
            low risk."
    MAILTO_RELAY "E-27" "mailto-relay" Low [] MAILTO Url "3.5"
        when "the local part of a mail address contains `%`, `!` or a quoted `@`"
        message "the {part} contains `{text}`, which routes the mail through another host"
        help "write the address of the final recipient"
        example "mailto:joe%25inner.dom@relay.dom"
        page "Before every host could reach every other, addresses included the route: joe%inner@relay, relay!inner!joe. Hosts \
            that still honor such routes are abused to relay mail that would otherwise be rejected."
    SCHEME_TRAP "E-28" "scheme-trap" Low [] OTHER Url "5"
        when "an unknown scheme is followed by `//` without the common Internet syntax, or looks like a host before its port"
        message "`{text}` {detail}"
        help "write a known scheme before it if you mean a host"
        example "host.dom:8080/index.html"
        page "A text such as host.dom:80/x is a valid URL with the scheme host.dom (section 5). And where `//` is not followed by the \
            common Internet syntax, RFC 1738 sees no host while other standards do. Programs disagree about both."
    HYPHEN_AMBIGUOUS "E-29" "hyphen-ambiguous" Medium [] ALL Text "Appendix"
        when "a URL was extracted from text in which a line ends with a hyphen"
        message "a line of the text ends with a hyphen here, which may or may not belong to the URL"
        help "check the URL with and without the hyphen before opening either"
        example "http://host.dom/a-b"
        page "People and programs insert a hyphen when they break a line, and URLs contain hyphens of their own. The Appendix of \
            RFC 1738 warns of this, and nothing in the text tells the two apart. This finding is reported by programs that \
            extract URLs from text; the URL alone does not show it."
    OP_HARMLESS "E-30" "op-harmless" High [] ALL Client "6"
        when "opening the URL would do anything but a harmless retrieval"
        message "opening this URL would do more than retrieve something: {detail}"
        help "use a program made for that purpose"
        example "mailto:joe@host.dom"
        page "Section 6 speaks of \"an attempt to perform a harmless idempotent operation such as the retrieval of the object\". \
            Opening a URL means RETR and NLST for ftp, GET for http, GROUP, LIST and ARTICLE for news, a single request for \
            gopher, and search and fetch for WAIS; a mail address is opened as a draft. The client enforces this rule: the \
            protocol machines of urlwise-open have no other commands to send, so the rule cannot be turned off."
    REDIRECT "E-31" "redirect" Medium [] ALL Client "6"
        when "the answer of a server (http, prospero, a gopher item) points to another URL"
        message "the server's answer points here{detail}"
        help "treat the new URL like one from a stranger"
        example "http://host.dom/moved"
        page "The URL that was checked is not the one that is opened, so the new URL is audited again, as one from an untrusted \
            source. The policy of urlwise-open lets http redirect only to http and https, never from https to http, and lets \
            no answer from the network point to a file."
    READ_DIFFERENTLY "E-32" "read-differently" High [] ALL Readers "3.1"
        when "RFC 1738, RFC 3986 and WHATWG see different hosts, ports or users in the text (medium risk if one of them only rejects it)"
        message "{detail}"
        help "write it so that all of them agree"
        example "ftp://user?@host.dom/"
        page "Programs read URLs by different standards. If these yield different hosts, one program may check a different host \
            than another connects to. This finding is reported by programs that compare the standards, such as `urlwise \
            compare`; `urlwise check --readers urlsplit,requests` compares the programs that it names."
    HOST_OPTION "E-33" "host-option" High [] ALL Url "3.1"
        when "the host or user starts with `-`"
        message "the {part} `{text}` starts with `-`, which a helper program may read as an option"
        help "do not pass it to another program: no host and hardly any user name starts with a hyphen"
        example "telnet://-oProxyCommand@host.dom/"
        page "Telnet clients, mailers and remote shells take the host or user as an argument. They read one that starts with a \
            hyphen as an option, and some options run a command."
    WAIS_FORWARD "E-34" "wais-forward" High [] WAIS Url "6"
        when "the database of a wais URL contains `@` when decoded"
        message "the {part} contains `{text}`, an `@`: some servers forward the request to the host after it"
        help "ask that host directly: write it as the host of the URL"
        example "wais://host.dom/jobs%40inner.dom"
        page "freeWAIS servers treat the text after an `@` in a database name as another host, with an optional port, query that \
            host and return its answer. So a URL can make a server reach into a network that its client has no access to, and \
            present the answer of one host as that of another."
    FINGER_FORWARD "E-35" "finger-forward" High [] FINGER Url "6"
        when "the user name of a finger URL contains `@` when decoded"
        message "the {part} asks the server to forward the query to the host after `{text}`"
        help "ask that host directly: write it as the host of the URL"
        example "finger://host.dom/joe@inner.dom"
        page "RFC 1288 lets a server forward a query for joe@inner.dom to inner.dom and pass the answer on. So a URL can reach a network \
            that is closed to the client, and one host's answer looks like another's. RFC 1288 itself advises servers against it \
            (section 3.2.1)."
    OTHER_URL_MEANT "E-36" "other-url-meant" Low [] ALL Verdict "2.2"
        when "the URL is valid but looks mistyped: punctuation at its end, `&amp;` in its search, two schemes, `hxxp`"
        message "the URL is valid, but another one was probably meant: {detail}"
        help "compare it with the URL that is suggested"
        example "http://host.dom/a."
        page "Nothing in the URL is wrong, so it is not repaired, and opening it opens what it says. But a full stop or a comma \
            usually belongs to the sentence around the URL, `&amp;` is how HTML writes `&`, and the host of `https://http//h.dom/` \
            is called `http`. What was probably meant is suggested, and only a person can tell."
}

/// The rule with this id or number, ignoring case; `None` if there is none.
///
/// ```
/// use urlwise::audit::rule;
///
/// assert_eq!(rule("port-foreign"), rule("e-03"));
/// assert_eq!(rule("port-foreign").unwrap().section, "6");
/// assert!(rule("nonsense").is_none());
/// ```
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id.eq_ignore_ascii_case(name) || rule.number.eq_ignore_ascii_case(name))
}
