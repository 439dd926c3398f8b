//! How ftp is spoken, and what replies and lists may cost.

use crate::protocol::reply;

changeable!(FtpSettings FtpLimits);

/// How an ftp URL is opened. The default is RFC 1738 to the letter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FtpSettings {
    /// What is sent as the password of an anonymous login: `urlwise@example.com` by default, so that nothing is told about
    /// who asks (S-18).
    pub anonymous: String,
    /// Send the octet 0xFF twice in commands, as the Telnet protocol below FTP has it. Of three servers in wide use two do
    /// not find a file whose name is sent so.
    pub iac_doubling: bool,
    /// Give texts as they come, each line ended by CRLF, instead of with the line ends of this system.
    pub raw: bool,
    /// How directories are entered.
    pub method: FileMethod,
    /// What is done about TLS where the URL's scheme does not ask for it.
    pub explicit_tls: ExplicitTls,
    /// Leave out the `CWD` with a null argument that an empty segment stands for (D-31). Many servers refuse it; some go
    /// back to the directory that the login leads to.
    pub skip_empty_cwd: bool,
    /// Ask for data connections by `EPSV` first; otherwise by `PASV` alone.
    pub epsv: bool,
    /// Let control octets other than CR, LF and NUL pass in commands.
    pub controls: bool,
    /// What replies and lists may cost.
    pub limits: FtpLimits,
}

impl Default for FtpSettings {
    fn default() -> FtpSettings {
        FtpSettings {
            anonymous: "urlwise@example.com".to_owned(),
            iac_doubling: false,
            raw: false,
            method: FileMethod::Multi,
            explicit_tls: ExplicitTls::Never,
            skip_empty_cwd: false,
            epsv: true,
            controls: false,
            limits: FtpLimits::default(),
        }
    }
}

/// How directories are entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileMethod {
    /// One `CWD` for each segment: what RFC 1738 section 3.2.2 says, and the only way that needs to know nothing about the
    /// server's file system.
    #[default]
    Multi,
    /// One `CWD` with all segments, joined by `/`; empty ones are left out. For servers where only the last directory may
    /// be entered.
    Single,
    /// No `CWD`: the joined path is the argument of the transfer, and one login serves all URLs of a server.
    None,
}

/// What is done about TLS on the port of plain ftp (RFC 4217). `ftps` URLs have TLS from the first octet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExplicitTls {
    /// `AUTH TLS` is not sent.
    #[default]
    Never,
    /// `AUTH TLS` is sent; if the server refuses, the dialogue goes on in clear and a note says so.
    Offered,
    /// `AUTH TLS` is sent before anything else; if the server refuses, nothing more is.
    Required,
}

/// Bounds on replies and lists.
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
    /// Those of replies.
    pub(super) fn of_replies(self) -> reply::ReplyLimits {
        reply::ReplyLimits { line: self.line, reply: self.reply, lines: self.reply_lines }
    }
}

impl Default for FtpLimits {
    fn default() -> FtpLimits {
        FtpLimits { line: 8 * 1024, reply: 256 * 1024, reply_lines: 1_000, list_lines: 10_000_000 }
    }
}
