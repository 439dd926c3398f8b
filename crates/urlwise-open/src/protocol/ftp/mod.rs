//! FTP: RFC 1738 section 3.2 over RFC 959, with passive ports of RFC 2428, facts of RFC 3659 and TLS of RFC 4217.
//!
//! A URL is a series of commands: log in, one `CWD` for each segment with its octets exactly, then `NLST` for `;type=d`,
//! otherwise `TYPE` and `RETR`. Only what these need is sent: no `PWD`, no `SYST`, no `SIZE` unless asked for.
//!
//! ```text
//! Connect -> greeting -> [AUTH TLS -> StartTls] -> USER -> [PASS] -> [ACCT] -> [PBSZ 0 -> PROT P]
//!                                                    |  Ask, where the URL names a user and no password
//!    a kept FtpSession begins here ---------------------+
//!                                                    v
//!         CWD, each segment -> list: [FEAT] ------------------------.
//!                           -> file: [TYPE] -> [SIZE -> MDTM] -> EPSV or PASV -> OpenData -> [REST]
//!                                                                                      |
//!   Done <- [QUIT] <- 226 <- CloseData <- ReceiveData ... <- Begin <- [SecureData] <- RETR, MLSD, LIST or NLST: 150
//! ```
//!
//! A [`FtpRequest`] is what a URL asks for, in plain octets; [`FtpMachine`] is the machine; an [`FtpItem`] is one entry of a directory;
//! a [`FtpSession`] is a connection kept for the next URL.
//!
//! | URL | what is asked for |
//! |---|---|
//! | `ftp://h/a/b` | the file `b` in `a`; `TYPE A` or `TYPE I` by its [suffix](TEXT_SUFFIXES) |
//! | `ftp://h/a/b;type=i` | the same, as octets |
//! | `ftp://h/a/b;type=d` | the list of names that the server gives for `b` in `a`: `NLST b` |
//! | `ftp://h/a/` | the list of `a`: `MLSD` if the server supports it, otherwise `LIST`, or `NLST` if that cannot be read (D-97) |
//! | `ftp://h`, `ftp://h/` | the list of the directory after the login (D-30) |

mod command;
mod exists;
mod list_line;
mod listing;
mod machine;
mod names;
mod note;
mod passive;
mod phase;
mod request;
mod session;
mod settings;
mod types;

pub use listing::{FtpItem, ItemKind};
pub use machine::FtpMachine;
pub(crate) use machine::QUIT;
pub use request::{FileMetadata, FtpGoal, FtpLogin, FtpRequest, Rest};
pub use session::FtpSession;
pub use settings::{ExplicitTls, FileMethod, FtpLimits, FtpSettings};
pub use types::{TEXT_SUFFIXES, Type};
