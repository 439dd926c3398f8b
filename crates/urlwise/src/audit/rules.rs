//! The rules of the audit, a row each: what a finding says, and what the page of a rule tells.
//!
//! `{...}` in a message or a help is filled in from the finding at hand (see [`Finding`](super::Finding)).

use core::fmt;

use super::Severity;
use crate::scheme::{Scheme, schemes_where};

/// One rule of the audit: what may be wrong with a valid URL.
///
/// `Display` is the rule's page: all that a person needs to know about it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The stable name, for example `port-foreign`.
    pub id: &'static str,
    /// The number, for example `E-03`.
    pub number: &'static str,
    /// How much a finding matters where [`exceptions`](Rule::exceptions) does not say otherwise.
    pub severity: Severity,
    /// The schemes in which it matters more or less. A sibling counts as its base.
    pub exceptions: &'static [(Scheme, Severity)],
    /// The schemes it is for; siblings count as their base, registered ones as [`Scheme::Other`].
    pub schemes: &'static [Scheme],
    /// Who finds it.
    pub source: Source,
    /// The section of RFC 1738 it comes from or whose idea it carries on: `6`, `3.4.1`, `Appendix`.
    pub section: &'static str,
    /// When it fires, in words.
    pub when: &'static str,
    /// A URL that fires it. For a rule that no URL fires by itself, one that it is about.
    pub example: &'static str,
    /// What it is, why it matters and what to do: plain text in sentences, one paragraph.
    pub page: &'static str,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
    pub(super) index: usize,
}

/// Who finds what a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// [`Audit::check`](super::Audit::check), from the URL alone.
    Url,
    /// Whoever took the URL out of a text.
    Text,
    /// The client that opens URLs, from what it is about to do.
    Client,
    /// Whoever compares how different readers see the text.
    Readers,
}

impl Rule {
    /// How much a finding in a URL of this scheme matters.
    pub fn severity_in(&self, scheme: Scheme) -> Severity {
        let exception = self.exceptions.iter().find(|(base, _)| *base == scheme.base());
        exception.map_or(self.severity, |(_, severity)| *severity)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}: {} risk (RFC 1738 section {})", self.number, self.id, self.severity, self.section)?;
        for (scheme, severity) in self.exceptions {
            writeln!(f, "{severity} in {} URLs", scheme.name().unwrap_or("other"))?;
        }
        writeln!(f, "\nFires when {}.\n\n{}\n\nExample: {}", self.when, self.page, self.example)
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
/// A file URL has a host and no port; that it names this machine is what it is for.
const WITH_PORT: &[Scheme] = bases_where!(has_port);
/// http has a login only under the profile `current`.
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
            message: $message,
            help: $help,
            index: Index::$name as usize,
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
        when "a port is written that is not the default of the scheme"
        message "port {text} is not the default of {scheme}, which is {detail}"
        help "leave the port out unless you know what listens there"
        example "http://host.dom:8080/"
        page "RFC 1738 asks for caution with every URL that names a port other than the default: whatever listens there \
            need not speak the protocol of the scheme, and then the URL is read as commands of another one. Many \
            servers do have such ports; find out whether this one does. The default port of a registered scheme is the \
            one it was registered with; where no default is known, nothing is compared."
    PORT_RESERVED "E-02" "port-reserved" High [] WITH_PORT Url "6"
        when "the port is not the scheme's default and lies below 1024"
        message "port {text} is in the reserved space and not the port of {scheme}, which is {detail}"
        help "leave the port out, or find out what listens there"
        example "gopher://host.dom:443/"
        page "Ports below 1024 are given to well-known services, and on many systems only they can listen there. RFC 1738 \
            names the reserved space as the place where a URL is most likely to meet a server of another protocol, \
            which takes the URL for commands of its own. Port 0, which no server has, is reserved too."
    PORT_FOREIGN "E-03" "port-foreign" High [] WITH_PORT Url "6"
        when "the port belongs to another well-known text protocol"
        message "port {text} belongs to {detail}, which reads what a client of {scheme} sends as its own commands"
        help "leave the port out, or find out what listens there"
        example "http://host.dom:6379/"
        page "Servers for mail, news, databases, printers and many more read lines and do what they say. A URL can carry such \
            lines in its path, and a client that sends it there gives the commands of somebody else in its own name. \
            This is the attack that RFC 1738 describes. Who runs another protocol on such a port should say so by other means than a URL."
    SECRET_PASSWORD "E-04" "secret-password" Medium [] WITH_LOGIN Url "6"
        when "a password that is not empty stands in the URL"
        message "a password stands in the URL, for anybody to read"
        help "take it away: programs ask for it, or read it from a place that is safe"
        example "ftp://jim:secret@host.dom/"
        page "\"The use of URLs containing passwords that should be secret is clearly unwise\", says RFC 1738. URLs are kept in \
            histories, logs, lists of processes and mails. A password that everybody may know, as that of an anonymous \
            login, does no harm. Programs of this project show every password as ***."
    CTL_CRLF "E-05" "ctl-crlf" High [Http Low, File Low, Other Medium] ALL Url "6"
        when "CR or LF stands in a part once it is decoded"
        message "the {part} holds `{text}`: sent decoded, the line ends there and what follows begins another command"
        help "no part that names something needs a line end: take it away"
        example "ftp://host.dom/a%0D%0ADELE%20b"
        page "In protocols of lines a line end ends the command, and the next octets are the next command: the URL \
            does what the server lets it do, in the name of who opens it. RFC 1738 warns of this in section 6. An http path \
            is sent as it is written, encoded, and a file path is sent to nobody, so there it is only worth knowing; so are the lines of \
            the body of a mail. Of other schemes nobody here knows what is sent."
    CTL_NUL "E-06" "ctl-nul" Medium [File High] ALL Url "2.2"
        when "NUL stands in a part once it is decoded"
        message "the {part} holds `{text}`: many programs take a NUL for the end of the text"
        help "no name holds a NUL: take it away"
        example "ftp://host.dom/a.txt%00.exe"
        page "For programs written in C a text ends at its first NUL. One program then checks the whole name and another opens the \
            beginning of it. No file name can hold a NUL."
    CTL_OTHER "E-07" "ctl-other" Low [] ALL Url "2.2"
        when "another control octet (01 to 1F or 7F) stands in a part once it is decoded"
        message "the {part} holds `{text}`, a control octet once it is decoded"
        help "show it only as an escape"
        example "gopher://host.dom/0%1B%5B31mred"
        page "Control octets move the cursor of a terminal, change its colours, its title, and on some terminals its \
            keyboard. Who shows a decoded name as it is lets the URL write on the screen."
    IAC "E-08" "iac" Medium [] FTP_TELNET Url "6"
        when "octet FF stands in a part of an ftp or telnet URL once it is decoded"
        message "the {part} holds `{text}`, with which Telnet begins a command (IAC)"
        help "a client must double the octet or refuse it: be sure that yours does"
        example "ftp://host.dom/%FF%F4"
        page "Telnet begins its own commands with the octet FF, and the control connection of FTP is a Telnet connection. \
            A client that sends the octet once gives the URL a way to send such commands. FF also stands in names \
            of old character sets; then a client that doubles it does the right thing."
    GOPHER_CRLF "E-09" "gopher-crlf" High [] GOPHER Url "3.4.1"
        when "CR or LF stands in a selector or a search, or in a Gopher+ string that is not exactly the form of section 3.4.9"
        message "the {part} holds `{text}`: a gopher request is one line, and this would begin a second one"
        help "only the answers of a Gopher+ form have line ends (section 3.4.9): take them away"
        example "gopher://host.dom/7find%09cats%0D%0Adogs"
        page "A gopher client sends one line, and the server answers and closes. With a line end inside, what follows is sent as \
            a line of its own: to a mail server that is the rude message of section 6. The answers of a Gopher+ form are lines by design; \
            they must end with one line that holds a dot, and nothing may follow it."
    GOPHER_SMTP "E-10" "gopher-smtp" High [] GOPHER Url "6"
        when "a gopher URL has a port of mail (25, 465, 587 or 2525), or a line of its decoded path begins with a command of SMTP"
        message "this gopher URL {detail}"
        help "no gopher server needs that: do not open it unless you know why it is there"
        example "gopher://host.dom:25/0HELO%20me"
        page "RFC 1738 tells of it as something that has happened: gopher URLs were used to send rude messages by way of \
            mail servers. The selector is sent as it is decoded, so it can be any command. HELO, EHLO, MAIL FROM, RCPT TO and DATA are looked \
            for at the beginning of each line; a plain word like DATA counts in the first line only if it is in upper case or the port \
            is not that of gopher."
    GOPHER_VERB "E-11" "gopher-verb" High [] GOPHER Url "6"
        when "a line of the decoded path of a gopher URL begins with a command of another line protocol"
        message "this gopher URL {detail}"
        help "no gopher server needs that: do not open it unless you know what listens there"
        example "gopher://host.dom/0GET%20/%20HTTP/1.0"
        page "What a gopher client sends is the selector and a line end, so a selector can be a command for http, ftp, POP, news, \
            Redis, memcached and others. Words that are commands and nothing else (flushall) count always; words that people also \
            use (get, set, user, group) count in the first line only if they are in upper case or the port is not that of gopher. Old \
            menus link to web pages by the selector `GET /path`; such a page has an http URL."
    TELNET_CRLF "E-12" "telnet-crlf" High [] TELNET Url "6"
        when "CR, LF, NUL or FF stands in the user or password of a telnet URL once it is decoded"
        message "the {part} holds `{text}`, which a telnet server takes for the end of a line or a command"
        help "take it away; and never send the login of a telnet URL unasked (section 3.8)"
        example "telnet://guest%0D%0Arm:x@host.dom/"
        page "This is the example that section 6 of RFC 1738 gives by name. A telnet server reads keys: a line end inside the user \
            name answers the question for the name, and what follows is typed into whatever asks next. The login of a telnet URL is advice to \
            the person, and never sent by a program."
    FTP_OPTION "E-13" "ftp-option" Medium [] FTP Url "3.2.2"
        when "the name or a cwd of an ftp URL begins with `-`"
        message "the {part} `{text}` begins with `-`, which many servers take for an option"
        help "reach it by another path, or list the directory above it"
        example "ftp://host.dom/pub/-R;type=d"
        page "Many FTP servers hand the argument of NLST and LIST to a program like ls. A name that begins with a hyphen is an option \
            there: -R lists all that lies below, which can be much. RETR takes the name as it is."
    FTP_ABSOLUTE "E-14" "ftp-absolute" Low [] FTP Url "3.2.2"
        when "a component of an ftp path decodes to a text with `/`"
        message "the {part} holds `{text}`, a slash: the path leaves the directory of the login"
        help "write a plain slash where only directories are to be separated"
        example "ftp://host.dom/%2Fetc/motd"
        page "Each component of an ftp path is one CWD, after it was decoded: ftp://host/etc/motd changes to etc below the directory of \
            the login, ftp://host/%2Fetc/motd changes to /etc. RFC 1738 has it as an example, and it is right where it is meant; who reads it as \
            the same path is wrong."
    DOT_SEGMENT "E-15" "dot-segment" Low [File Medium] WITH_PATH Url "3.1"
        when "a segment of an ftp, file or http path decodes to `.` or `..`"
        message "the {part} `{text}` stands for this directory or the one above it"
        help "write the path without it"
        example "http://host.dom/a/../b"
        page "RFC 1738 gives `.` and `..` no meaning, so servers and files see them as they are; later RFCs take them away before anything \
            is sent. What one program checks is not what another opens, and a name made of such a segment may lead out of a folder."
    FILE_REMOTE "E-16" "file-remote" Medium [] FILE Url "3.10"
        when "the host of a file URL is neither empty nor `localhost`, or its path begins with two slashes or backslashes"
        message "`{text}` {detail}"
        help "a file of this machine is `file:///path`; for another machine use ftp or http"
        example "file://other.host.dom/etc/motd"
        page "A file URL with another host names no protocol to get the file with (section 3.10). Some systems take the host, or a path that \
            begins with two slashes or backslashes, for a server of shared files, connect to it, and send it the user's login."
    FILE_ESCAPE "E-17" "file-escape" High [] FILE Url "3.10"
        when "a segment of a file URL decodes to a text with `/`, `\\` or NUL, or names a device (`CON`, `COM1`, `/dev/...`)"
        message "`{text}` {detail}"
        help "separate directories by a plain slash, and name files only"
        example "file:///pub/..%2F..%2Fetc/passwd"
        page "No file name holds a slash or NUL, and on Windows none holds a backslash: a segment that decodes to one becomes \
            several, after it was checked as one. CON, NUL, COM1 and their like are devices on Windows in every folder and with every \
            ending, and what lies below /dev is one elsewhere: reading it may never end, or do something."
    USER_LOOKALIKE "E-18" "user-lookalike" Medium [] WITH_LOGIN Url "3.1"
        when "the user or password looks like a host (it has a dot, and a letter behind the last one) or holds `%40`, `%2F` or `%3A`"
        message "the {part} {detail}"
        help "the host stands after the `@`: look there"
        example "ftp://www.host.dom@other.dom/"
        page "What stands before the @ is the login, and the host stands behind it. A login that looks like a host, or that holds the escape of a \
            character that ends a login, is easily read as the place the URL leads to, by people and by programs. Mail addresses \
            as passwords of anonymous ftp look the same and are meant well."
    HOST_LOCAL "E-19" "host-local" Medium [] WITH_PORT Url "3.1"
        when "a URL that came from elsewhere names this machine or a private network: localhost, 0/8, 10/8, 100.64/10, 127/8, 169.254/16, \
            172.16/12, 192.168/16, 224/4, 255.255.255.255, and what is their like in IPv6"
        message "the host `{text}` is this machine or in a private network, and the URL came from elsewhere"
        help "open it only if whoever wrote it may reach your network through you"
        example "http://192.168.0.1/reboot"
        page "Who opens URLs that others wrote does so from inside a network, where printers, routers and services for the machines of a \
            cloud trust everybody who can reach them. A URL that one types oneself is not told of. A name may have such an \
            address too, which only who looks it up can see."
    HOST_NUMBER_FORM "E-20" "host-number-form" Medium [] WITH_HOST Url "3.1"
        when "a group of an IP address has leading zeros"
        message "the group `{text}` of the address has a leading zero: decimal by RFC 1738, octal to others"
        help "write the number without zeros before it"
        example "http://192.0.2.010/"
        page "RFC 1738 has decimal groups and says nothing of zeros before them. Many programs read such a group as octal, as C does: \
            010 is ten for some and eight for others, so one checks one address and another connects to a second one."
    HOST_PUNY "E-21" "host-puny" Low [] WITH_HOST Url "3.1"
        when "a label of the host begins with `xn--`"
        message "the label `{text}` is written for {detail}"
        help "look at both forms: letters of several scripts look alike"
        example "http://xn--bcher-kva.dom/"
        page "Names outside US-ASCII are written with the prefix xn-- and an encoding. It is the right way to have them in a URL of RFC 1738; \
            but letters of different scripts look alike, so a name that is shown decoded may be taken for another."
    ENC_DELIMITER "E-22" "enc-delimiter" Low [] ALL Url "2.2"
        when "the escape of a character that is reserved in that part is written"
        message "`{text}` in the {part} is not the character it stands for: that one is reserved here"
        help "be sure that it is meant; who decodes it too early reads another URL"
        example "http://host.dom/a%2Fb"
        page "A reserved character separates, its escape is data: a/b are two segments, a%2Fb is one (section 2.2). Programs that decode before \
            they split see the other meaning, so a filter and a server may disagree about the same URL."
    ENC_DOUBLE "E-23" "enc-double" Low [] ALL Url "2.2"
        when "`%25` is followed by two hex digits"
        message "`{text}` in the {part} decodes to an escape, which must not be decoded again"
        help "if one escape was meant, write it once"
        example "http://host.dom/%252e%252e/"
        page "Decoding is done once. A text that was encoded twice, or made to look so, changes again where a program decodes it a second \
            time: what was checked is not what is used."
    ENC_NEEDLESS "E-24" "enc-needless" Low [] ALL Url "2.2"
        when "a letter, a digit or one of `$-_.+!*'(),` is written as an escape (a medium risk where that is over half of a part)"
        message "`{text}` in the {part} stands for what needs no escape"
        help "write the characters themselves; `urlwise normalize` does"
        example "http://host.dom/%61dmin"
        page "Such an escape means the same as its character (section 2.2). It hides words from people and from filters that look at the text \
            as it is written. Where most of a part is written so, that is hardly an accident."
    ENC_NON_UTF8 "E-25" "enc-non-utf8" Low [] ALL Url "2.2"
        when "octets from 80 to FF stand in a part once it is decoded, and are no UTF-8"
        message "`{text}` in the {part} is no UTF-8: nobody can tell which characters it stands for"
        help "show the octets as escapes"
        example "ftp://host.dom/caf%E9"
        page "A URL carries no character set. Octets that are UTF-8 are most likely that; others are the character set of whoever made the \
            name, which is right for the server and cannot be shown with certainty."
    MAILTO_INJECT "E-26" "mailto-inject" High [] MAILTO Url "3.5"
        when "CR or LF stands in the decoded address or in a header that is not the body, or there is a header other than subject and body"
        message "the {part} {detail}"
        help "take it away: an address is one line, and only `subject` and `body` are to be honoured"
        example "mailto:%22a%0D%0A%20Bcc:b%22@host.dom"
        page "A line end in an address or a header ends that header, and what follows is another one: more recipients, another \
            sender. Later RFCs let a mailto URL bring headers along; those that add recipients or files are not for a URL to choose. \
            The body of a mail has lines, so line ends there are told of by `ctl-crlf`, as a low risk."
    MAILTO_RELAY "E-27" "mailto-relay" Low [] MAILTO Url "3.5"
        when "the local part of a mail address holds `%`, `!` or a quoted `@`"
        message "the {part} holds `{text}`, by which mail is sent on through another host"
        help "write the address that the mail is for"
        example "mailto:joe%25inner.dom@relay.dom"
        page "Before all hosts could reach each other, the way was written into the address: joe%inner@relay, relay!inner!joe. Hosts that \
            still follow such ways are used to send mail that others would not take."
    SCHEME_TRAP "E-28" "scheme-trap" Low [] OTHER Url "5"
        when "an unknown scheme is followed by `//` without the common Internet syntax, or looks like a host before its port"
        message "`{text}` {detail}"
        help "write a known scheme before it if a host was meant"
        example "host.dom:8080/index.html"
        page "A text such as host.dom:80/x is a valid URL whose scheme is host.dom (section 5). And `//` promises a host that RFC 1738 does \
            not find there, while other readers do. Both are read differently by different programs."
    HYPHEN_AMBIGUOUS "E-29" "hyphen-ambiguous" Medium [] ALL Text "Appendix"
        when "a URL was taken out of a text where a line ends with a hyphen"
        message "a line of the text ends with a hyphen here: nobody can tell whether it belongs to the URL"
        help "try both readings, with the hyphen and without it; open neither unseen"
        example "http://host.dom/a-b"
        page "People and programs that break lines add a hyphen; URLs have hyphens of their own. The Appendix of RFC 1738 warns of it, and \
            nothing in the text tells which it is. Who finds URLs in text makes this finding; the URL alone does not show it."
    OP_HARMLESS "E-30" "op-harmless" High [] ALL Client "6"
        when "a client would send anything but a harmless retrieval to open the URL"
        message "to open this URL would do more than fetch something: {detail}"
        help "do it with a program that is made for it"
        example "mailto:joe@host.dom"
        page "Section 6 speaks of \"an attempt to perform a harmless idempotent operation such as the retrieval of the object\". Opening is \
            RETR and NLST for ftp, GET for http, GROUP, LIST and ARTICLE for news, one request for gopher, search and fetch for WAIS; a mail address is opened as a draft. It is the \
            client that keeps this rule: the protocol machines of urlwise-open have no other commands to send, so it is held by what they are, and never lifted."
    REDIRECT "E-31" "redirect" Medium [] ALL Client "6"
        when "the answer of a server (http, prospero, a gopher item) leads to another URL"
        message "the answer of a server leads here{detail}"
        help "look at the new URL as at one that a stranger gave you"
        example "http://host.dom/moved"
        page "What was checked is the first URL; what is opened is the second. So the new URL is audited afresh, as one that came from elsewhere. The \
            policy of urlwise-open lets redirects of http lead to http and https only, never from https to http, and no answer from the \
            network lead to a file."
    READ_DIFFERENTLY "E-32" "read-differently" High [] ALL Readers "3.1"
        when "readers by RFC 1738, RFC 3986 and WHATWG see different hosts, ports or users (a medium risk where one of them only refuses)"
        message "readers disagree about this text: {detail}"
        help "write it so that all of them read the same"
        example "ftp://user?@host.dom/"
        page "Programs read URLs by different rules. Where they find different hosts, what one of them checks is not what another opens. \
            The finding is made by who compares the readers, as `urlwise compare` does."
    HOST_OPTION "E-33" "host-option" High [] ALL Url "3.1"
        when "the host or user begins with `-`"
        message "the {part} `{text}` begins with `-`, which a helper program may take for an option"
        help "no host begins with a hyphen, and hardly a user: do not hand it to another program"
        example "telnet://-oProxyCommand@host.dom/"
        page "Telnet programs, mailers and remote shells are given the host or user as an argument. One that begins with a hyphen is \
            an option to them, and some options run a command."
    WAIS_FORWARD "E-34" "wais-forward" High [] WAIS Url "6"
        when "the database of a wais URL decodes to a text with `@`"
        message "the {part} holds `{text}`, an `@`: some servers then ask the host behind it, in our name"
        help "ask that host itself: it belongs before the database, as the host of the URL"
        example "wais://host.dom/jobs%40inner.dom"
        page "The servers of freeWAIS take what follows an `@` in the name of a database for another host, with a port or without one, ask it and \
            pass its answer on. So a URL can make a server reach into a network that is closed to whoever follows the URL, and what is read \
            and shown as one host's answer is another's."
    FINGER_FORWARD "E-35" "finger-forward" High [] FINGER Url "6"
        when "the user name of a finger URL decodes to a text with `@`"
        message "the {part} holds `{text}`, an `@`: the server is to ask the host behind it, in our name"
        help "ask that host itself: write it before the user name, as the host of the URL"
        example "finger://host.dom/joe@inner.dom"
        page "RFC 1288 lets a server forward a query for joe@inner.dom to inner.dom and pass the answer on. So a URL can reach a network \
            that is closed to the client, and one host's answer looks like another's. RFC 1288 itself advises servers against it \
            (section 3.2.1)."
}

/// The rule of this id or number, in any case; `None` where there is none.
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
