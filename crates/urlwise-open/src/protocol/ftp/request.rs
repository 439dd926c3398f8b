//! The request of an ftp URL, in plain octets.

use super::settings::{FileMethod, FtpSettings};
use super::types::Type;
use std::fmt;
use std::time::SystemTime;
use urlwise::{Encoded, Typecode, escape_for_display};

changeable!(FtpLogin FtpRequest);

/// The login.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FtpLogin {
    /// The argument of `USER`, maybe empty; `None` is the anonymous login of RFC 1738 section 3.2.1.
    pub user: Option<Vec<u8>>,
    /// The argument of `PASS`, maybe empty; `None` asks a person if the server requires it (D-35).
    pub password: Option<Vec<u8>>,
    /// The argument of `ACCT`; `None` asks a person if the server requires it. URLs do not contain one.
    pub account: Option<Vec<u8>>,
}

impl fmt::Debug for FtpLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = |secret: &Option<Vec<u8>>| secret.as_ref().map(|_| "***");
        f.debug_struct("FtpLogin")
            .field("user", &self.user.as_deref().map(|user| escape_for_display(user).to_string()))
            .field("password", &masked(&self.password))
            .field("account", &masked(&self.account))
            .finish()
    }
}

/// What the dialogue is for. There may be others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FtpGoal {
    /// What the URL names: a file, or a list for `;type=d` and for an empty name.
    #[default]
    Open,
    /// A list, even where the URL names a directory, not a file.
    List,
    /// The metadata of a file without the file.
    Metadata,
    /// Whether what the URL names exists, without a data connection.
    Exists,
}

/// The metadata of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileMetadata {
    /// The size in octets (in `TYPE I`); `None` if the server does not say.
    pub size: Option<u64>,
    /// The last change; `None` if the server does not say.
    pub modified: Option<SystemTime>,
}

/// The rest of a file whose beginning was already transferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rest {
    /// The number of octets already transferred.
    pub offset: u64,
    /// The metadata of the file at that time.
    pub metadata: FileMetadata,
}

impl FileMetadata {
    /// The size in octets and the last change, each as far as it is known.
    pub fn new(size: Option<u64>, modified: Option<SystemTime>) -> FileMetadata {
        FileMetadata { size, modified }
    }
}

impl Rest {
    /// What follows the first `offset` octets of a file that had this metadata.
    pub fn new(offset: u64, metadata: FileMetadata) -> Rest {
        Rest { offset, metadata }
    }
}

/// The request of one URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FtpRequest {
    /// The login.
    pub login: FtpLogin,
    /// The arguments of `CWD`, in order, each maybe empty.
    pub cwds: Vec<Vec<u8>>,
    /// The argument of `RETR` or of a list; empty for the directory itself (D-30).
    pub name: Vec<u8>,
    /// `;type=`, if the URL has it.
    pub typecode: Option<Typecode>,
    /// What the dialogue is for.
    pub goal: FtpGoal,
    /// Resume, if the file is the same (S-31).
    pub rest: Option<Rest>,
    /// Ask for [`FileMetadata`] before the file is sent, so that a broken transfer can be resumed. Takes two more commands, which
    /// are not sent in a session whose last file had less than 1 MiB.
    pub metadata: bool,
    /// Ask for the date of the last change before the file is sent, which takes one more command.
    pub date: bool,
    /// The present, which completes dates of `LIST` that lack the year; `None` leaves them out.
    pub now: Option<SystemTime>,
}

impl FtpRequest {
    /// The request of a URL.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::ftp::FtpRequest;
    ///
    /// let url = Url::parse("ftp://myname@host.dom/%2Fetc/motd")?;
    /// let Locator::Ftp(ftp) = url.locator() else { unreachable!() };
    /// let request = FtpRequest::from_url(ftp);
    /// assert_eq!((request.cwds, request.name), (vec![b"/etc".to_vec()], b"motd".to_vec()));
    /// assert_eq!(request.login.user.as_deref(), Some(&b"myname"[..]));
    /// assert_eq!(request.login.password, None);
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn from_url(url: urlwise::Ftp<'_>) -> FtpRequest {
        FtpRequest::beginning(url, usize::MAX)
    }

    /// The request with only so many directories, for a dialogue of which the beginning is wanted.
    pub(crate) fn beginning(url: urlwise::Ftp<'_>, most: usize) -> FtpRequest {
        let decode = |part: Encoded<'_>| part.decode().into_owned();
        FtpRequest {
            login: FtpLogin {
                user: url.login().user().map(decode),
                password: url.login().password().map(decode),
                account: None,
            },
            cwds: url.cwds().take(most).map(decode).collect(),
            name: url.name().map(decode).unwrap_or_default(),
            typecode: url.typecode(),
            ..FtpRequest::default()
        }
    }

    /// Whether the answer is a list.
    pub fn is_list(&self) -> bool {
        match self.goal {
            FtpGoal::Open | FtpGoal::Exists => self.typecode == Some(Typecode::Directory) || self.name.is_empty(),
            FtpGoal::List => true,
            FtpGoal::Metadata => false,
        }
    }

    /// Directories to enter one by one, and the argument of the transfer; without an argument, the directory entered last.
    pub(super) fn path(&self, settings: &FtpSettings) -> Path {
        let mut name = Some(self.name.clone());
        // RFC 1738 gives the name to NLST for `;type=d` alone; any other directory to list is entered first.
        let enters_name = self.is_list() && self.typecode != Some(Typecode::Directory) && !self.name.is_empty();
        let skips_empty = settings.skip_empty_cwd || settings.method != FileMethod::Multi;
        if !enters_name && !skips_empty {
            return Path { cwds: None, name: name.filter(|name| !name.is_empty()) };
        }
        let mut cwds = self.cwds.clone();
        if enters_name {
            cwds.extend(name.take());
        }
        if skips_empty {
            cwds.retain(|cwd| !cwd.is_empty());
        }
        match settings.method {
            FileMethod::Multi => {}
            FileMethod::Single if cwds.is_empty() => {}
            FileMethod::Single => cwds = vec![cwds.join(&b'/')],
            FileMethod::None => {
                cwds.extend(name.take().filter(|name| !name.is_empty()));
                name = Some(std::mem::take(&mut cwds).join(&b'/'));
            }
        }
        // A list without a name is requested without an argument.
        Path { cwds: Some(cwds), name: name.filter(|name| !name.is_empty()) }
    }

    /// The type of the transfer.
    pub(super) fn transfer_type(&self, settings: &FtpSettings) -> Type {
        match self.typecode {
            None if settings.binary => Type::Image,
            typecode => Type::of(typecode, &self.name),
        }
    }

    /// Whether the login has a secret password. That of anonymous users is not secret.
    pub(crate) fn has_secret(&self) -> bool {
        let is_anonymous =
            |user: &Vec<u8>| [&b"anonymous"[..], b"ftp"].iter().any(|name| user.eq_ignore_ascii_case(name));
        let is_empty = self.login.password.as_ref().is_some_and(Vec::is_empty);
        self.login.user.as_ref().is_some_and(|user| !is_anonymous(user)) && !is_empty
    }
}

/// A location, in the arguments of commands.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// `None` if they are those of the request, of which there may be a thousand.
    cwds: Option<Vec<Vec<u8>>>,
    pub(super) name: Option<Vec<u8>>,
}

impl Path {
    /// The directories to enter; `request` is the one whose path this is.
    pub(super) fn cwds<'p>(&'p self, request: &'p FtpRequest) -> &'p [Vec<u8>] {
        self.cwds.as_deref().unwrap_or(&request.cwds)
    }
}
