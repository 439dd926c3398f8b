//! Settings that would help, as data: the program that has an option for one provides the words.

/// A setting that would let the URL be opened, or be opened as intended. There may be others, as there are more settings.
///
/// Messages of this crate do not name options of a program. A program that has an option for the setting can name it:
///
/// ```
/// use urlwise::Url;
/// use urlwise_open::{Client, Hint, Options};
///
/// let url = Url::parse("gopher://h.example:6379/0x").expect("a valid URL");
/// let error = Client::new(Options::default()).open(&url).expect_err("port 6379 is for Redis");
/// assert_eq!(error.hint(), Some(Hint::AllowRule("port-foreign")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hint {
    /// Allow the rule with this id: [`Policy::allow`](crate::policy::Policy::allow).
    AllowRule(&'static str),
    /// Name a news server: `NewsOptions::server`.
    NewsServer,
    /// Give a login: [`Credentials`](crate::Credentials).
    Login,
    /// Take logins from a netrc file: [`Credentials`](crate::Credentials).
    Netrc,
    /// Trust other certificates: [`Options::roots`](crate::Options::roots).
    Roots,
    /// Skip empty segments of an ftp path: `ftp::FtpSettings::skip_empty_cwd`.
    SkipEmptyCwd,
    /// Change to the directory of an ftp URL with one command: `ftp::FileMethod::Single`.
    SingleCwd,
    /// Read devices, pipes and sockets: [`Options::special_files`](crate::Options::special_files).
    SpecialFiles,
    /// Get octets as they were sent, not decoded: [`Options::raw`](crate::Options::raw).
    Raw,
    /// Allow longer documents: [`Options::max_size`](crate::Options::max_size).
    MaxSize,
    /// Allow more time to connect: [`Deadlines::connect`](crate::Deadlines::connect).
    ConnectTimeout,
    /// Allow more time for the answer to begin: [`Deadlines::first_byte`](crate::Deadlines::first_byte).
    FirstByteTimeout,
    /// Allow more time without data: [`Deadlines::idle`](crate::Deadlines::idle).
    IdleTimeout,
    /// Allow slower transfers: [`Deadlines::min_rate`](crate::Deadlines::min_rate).
    MinRate,
    /// Allow more time as a whole: [`Options::timeout`](crate::Options::timeout).
    Timeout,
}
