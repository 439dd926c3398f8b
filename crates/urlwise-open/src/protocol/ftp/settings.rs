//! Settings of ftp, and limits on replies and lists.

use crate::protocol::reply;

changeable!(FtpSettings FtpLimits);

/// How an ftp URL is opened. The default follows RFC 1738 strictly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FtpSettings {
    /// The password of an anonymous login: `urlwise@example.com` by default, which reveals nothing about the user (S-18).
    pub anonymous: String,
    /// Send the octet 0xFF twice in commands, as the Telnet protocol below FTP requires. Of three widely used servers, two do
    /// not find a file whose name is sent that way.
    pub iac_doubling: bool,
    /// Keep the CRLF of texts instead of converting it to the line end of this system.
    pub raw: bool,
    /// How directories are entered.
    pub method: FileMethod,
    /// Transfer files as they are where the URL names no type; otherwise the name may [suggest](super::TEXT_SUFFIXES) text.
    pub binary: bool,
    /// Whether to use TLS if the URL's scheme does not ask for it.
    pub explicit_tls: ExplicitTls,
    /// Leave out the `CWD` with a null argument for an empty segment (D-31). Many servers refuse it; some return to the
    /// directory of the login.
    pub skip_empty_cwd: bool,
    /// Try `EPSV` first; otherwise only `PASV`.
    pub epsv: bool,
    /// Allow control octets other than CR, LF and NUL in commands.
    pub controls: bool,
    /// Limits on replies and lists.
    pub limits: FtpLimits,
}

impl Default for FtpSettings {
    fn default() -> FtpSettings {
        FtpSettings {
            anonymous: "urlwise@example.com".to_owned(),
            iac_doubling: false,
            raw: false,
            method: FileMethod::Multi,
            binary: false,
            explicit_tls: ExplicitTls::Never,
            skip_empty_cwd: false,
            epsv: true,
            controls: false,
            limits: FtpLimits::default(),
        }
    }
}

/// How directories are entered. There may be others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileMethod {
    /// One `CWD` for each segment, as RFC 1738 section 3.2.2 says: the only way that assumes nothing about the server's file
    /// system.
    #[default]
    Multi,
    /// One `CWD` with all segments, joined by `/`; empty ones are left out. For servers where only the last directory may
    /// be entered.
    Single,
    /// No `CWD`: the joined path is the argument of the transfer, and one login serves all URLs of a server.
    None,
}

/// Whether to use TLS on the port of plain ftp (RFC 4217). `ftps` URLs have TLS from the first octet. There may be other rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExplicitTls {
    /// `AUTH TLS` is not sent.
    #[default]
    Never,
    /// `AUTH TLS` is sent before a login with a password; if the server refuses, the password goes in clear and a note
    /// says so. Anonymous users log in without it.
    ForLogin,
    /// `AUTH TLS` is sent; if the server refuses, the dialogue continues without encryption and a note says so.
    Offered,
    /// `AUTH TLS` is sent before anything else; if the server refuses, nothing more is.
    Required,
}

/// Limits on replies and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FtpLimits {
    /// Octets of one line of a reply or a list, without its LF. Default 8 KiB.
    pub line: usize,
    /// Octets of one reply. Default 256 KiB.
    pub reply: usize,
    /// Lines of one reply. Default 1,000.
    pub reply_lines: usize,
    /// Lines of one list. Default 10,000,000.
    pub list_lines: u64,
}

impl FtpLimits {
    /// The limits on replies.
    pub(super) fn of_replies(self) -> reply::ReplyLimits {
        reply::ReplyLimits { line: self.line, reply: self.reply, lines: self.reply_lines }
    }
}

impl Default for FtpLimits {
    fn default() -> FtpLimits {
        FtpLimits { line: 8 * 1024, reply: 256 * 1024, reply_lines: 1_000, list_lines: 10_000_000 }
    }
}
