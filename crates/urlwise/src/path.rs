//! File paths and file URLs (section 3.10, D-63 to D-65).
//!
//! A path of an operating system and the segments of a file URL are two ways to write one thing. Here they are turned into each
//! other octet for octet, or refused: nothing is resolved, merged, guessed or looked up. The core works on octets, so that the
//! rules of one system can be used on another; with the feature `std` there are `Url::from_file_path` and
//! `Url::to_file_path` for the system that the program runs on.
//!
//! ```
//! use urlwise::Url;
//! use urlwise::path::{self, Style};
//!
//! let url = path::to_url(b"/pub/jim/a;b?.txt", Style::Unix)?;
//! assert_eq!(url.as_str(), "file:///pub/jim/a%3Bb%3F.txt");
//! let url = path::to_url(br"C:\Documents\a b.txt", Style::Windows)?;
//! assert_eq!(url.as_str(), "file:///C:/Documents/a%20b.txt");
//!
//! let url = Url::parse("file://localhost/etc/a%2Fb").unwrap();
//! let error = path::from_url(&url, Style::Unix).unwrap_err();
//! assert_eq!(error.to_string(), "segment 2 of the path, `a%2Fb`, decodes to a text with `/`, which no file name can hold \
//!     (section 3.10, D-65)");
//! # Ok::<(), path::PathError>(())
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::build::{BuildError, Draft};
use crate::display::escape_for_display;
use crate::encoded::Encoded;
use crate::host::Host;
use crate::language::{Language, Message, Words, message, words};
use crate::scheme::{Locator, Scheme};
use crate::url::Url;

/// Whose paths they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Octets between slashes; a path begins with a slash.
    Unix,
    /// Text between backslashes or slashes; a path begins with a drive (`C:\`) or with a server and its share (`\\server\share`).
    Windows,
}

impl Style {
    /// The style of the system that the program runs on.
    pub const NATIVE: Style = if cfg!(windows) { Style::Windows } else { Style::Unix };

    fn divides(self, octet: u8) -> bool {
        octet == b'/' || self == Style::Windows && octet == b'\\'
    }
}

/// Why a path has no file URL, or a URL no path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// The path is relative; a URL is absolute.
    Relative,
    /// The path begins with a drive or a slash and still depends on the current directory or drive: `C:a`, `\a`.
    DriveRelative,
    /// The path begins with `\\?\` or `\\.\`: it is for the system itself, or names a device.
    Verbatim,
    /// The server is `localhost`, which in a file URL means no server (D-63).
    LocalServer,
    /// The path holds a NUL, which ends it for the system.
    Nul,
    /// The path is not Unicode text, as on Windows it may not be.
    NotUnicode,
    /// The server in the path cannot be the host of a URL.
    Host(BuildError),
    /// The URL has another scheme; it is kept here as it may be shown.
    NotFile(String),
    /// The file is on another machine, whose name is kept here; RFC 1738 gives no way to get it.
    OtherHost(String),
    /// A segment decodes to what no file name can hold.
    Segment {
        /// Its place among the segments, from 1.
        number: usize,
        /// The segment as written.
        written: String,
        /// What it decodes to a text with, in words.
        holds: Words,
    },
    /// The path of the URL begins with no drive, as a path of Windows does.
    NoDrive,
}

impl PathError {
    /// What `Display` writes, in a language.
    ///
    /// ```
    /// use urlwise::Language;
    /// use urlwise::path::PathError;
    ///
    /// let message = PathError::Relative.message_in(Language::from_locale("zh_CN.UTF-8")).to_string();
    /// # #[cfg(feature = "zh")]
    /// assert_eq!(message, "相对路径没有URL；请先改为绝对路径（第2.3节）");
    /// # #[cfg(not(feature = "zh"))]
    /// # assert_eq!(message, PathError::Relative.to_string());
    /// ```
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = match self {
            PathError::Relative => message!("a relative path has no URL; make it absolute first (section 2.3)"),
            PathError::DriveRelative => {
                message!("the path depends on the current drive or directory; write the drive and a backslash, `C:\\`")
            }
            PathError::Verbatim => {
                message!("a path that starts with `\\\\?\\` or `\\\\.\\` names a system object; remove the prefix")
            }
            PathError::LocalServer => {
                message!(
                    "`localhost` is not a server in a file URL; write the path with its drive (section 3.10, D-63)"
                )
            }
            PathError::Nul => {
                message!("the path contains NUL, which is not allowed in file names (section 3.10, D-65)")
            }
            PathError::NotUnicode => {
                message!("the path is not valid Unicode, so programs do not agree on its octets")
            }
            PathError::Host(refused) => Message::from(refused.message_in(language).to_string()),
            PathError::NotFile(scheme) => message!(
                "only file URLs have a local path, and this one has the scheme `{scheme}`",
                scheme = scheme.as_str()
            ),
            PathError::OtherHost(host) => message!(
                "the file is on the host `{host}`, and a file URL does not say how to fetch it from there (section 3.10, D-63)",
                host = host.as_str()
            ),
            PathError::Segment { number, written, holds } => message!(
                "segment {number} of the path, `{written}`, decodes to a text with {holds}, which no file name can hold (section 3.10, D-65)",
                number = *number,
                written = written.as_str(),
                holds = *holds
            ),
            PathError::NoDrive => message!("the path begins with no drive; on Windows it is `file:///C:/...`"),
        };
        message.into_text(language)
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl core::error::Error for PathError {}

/// The file URL of an absolute path. Segments are kept as they are: empty ones, `.` and `..` too.
///
/// Under [`Style::Windows`], the server of `\\server\share\...` becomes the host.
///
/// # Errors
/// The path is relative, holds a NUL, or has no form that a URL can have.
pub fn to_url(path: &[u8], style: Style) -> Result<Url<String>, PathError> {
    if path.contains(&0) {
        return Err(PathError::Nul);
    }
    let (host, rest) = match style {
        Style::Unix => ("", path.strip_prefix(b"/").ok_or(PathError::Relative)?),
        Style::Windows => {
            let text = core::str::from_utf8(path).map_err(|_| PathError::NotUnicode)?;
            let (host, rest) = windows_root(text)?;
            (host, rest.as_bytes())
        }
    };
    let segments = rest.split(|&octet| style.divides(octet));
    let draft = Draft::of(Scheme::File).with("host", host).with_all("segment", segments);
    draft.build().map_err(PathError::Host)
}

/// The server, and the path after it: from the drive or the share on.
fn windows_root(path: &str) -> Result<(&str, &str), PathError> {
    let divides = |octet: u8| Style::Windows.divides(octet);
    match path.as_bytes() {
        [a, b, b'?' | b'.', c, ..] if divides(*a) && divides(*b) && divides(*c) => Err(PathError::Verbatim),
        [a, b, ..] if divides(*a) && divides(*b) => {
            let server = &path[2..];
            let end = server.bytes().position(divides).filter(|end| *end > 0).ok_or(PathError::Relative)?;
            match &server[..end] {
                host if host.eq_ignore_ascii_case("localhost") => Err(PathError::LocalServer),
                host => Ok((host, &server[end + 1..])),
            }
        }
        [letter, b':', slash, ..] if letter.is_ascii_alphabetic() && divides(*slash) => Ok(("", path)),
        [letter, b':', ..] if letter.is_ascii_alphabetic() => Err(PathError::DriveRelative),
        [slash, ..] if divides(*slash) => Err(PathError::DriveRelative),
        _ => Err(PathError::Relative),
    }
}

/// The path that a file URL names on this machine: the segments decoded, with the style's separator between them.
///
/// Under [`Style::Windows`], a host becomes the server of `\\server\share\...`.
///
/// # Errors
/// The URL is not a file URL, the file is on another machine, or a segment decodes to what no file name can hold: a NUL or a
/// separator, and on Windows also a `:` behind the drive.
pub fn from_url<T: AsRef<str>>(url: &Url<T>, style: Style) -> Result<Vec<u8>, PathError> {
    let url = url.borrow();
    let Locator::File(file) = url.locator() else {
        return Err(PathError::NotFile(url.scheme_name().into()));
    };
    let host = file.host().map(Host::as_str).filter(|_| !file.is_local());
    let mut path = Vec::new();
    match (style, host) {
        (Style::Unix, Some(host)) => return Err(PathError::OtherHost(host.into())),
        (Style::Windows, Some(host)) => path.extend_from_slice(&[b"\\\\", host.as_bytes()].concat()),
        (Style::Windows, None) if !begins_with_drive(file.segments()) => return Err(PathError::NoDrive),
        _ => {}
    }
    let is_drive = |number: usize| style == Style::Windows && host.is_none() && number == 1;
    for (segment, number) in file.segments().zip(1..) {
        let octets = segment.decode();
        if let Some(holds) = harm(&octets, style).filter(|_| !is_drive(number)) {
            return Err(PathError::Segment { number, written: excerpt(segment), holds });
        }
        match style {
            Style::Unix => path.push(b'/'),
            Style::Windows if is_drive(number) => {}
            Style::Windows => path.push(b'\\'),
        }
        path.extend_from_slice(&octets);
    }
    Ok(path)
}

/// Whether the first of several segments is a letter and a colon. A drive alone would mean its current directory.
fn begins_with_drive<'a>(mut segments: impl Iterator<Item = Encoded<'a>>) -> bool {
    let first = segments.next().map(Encoded::decode);
    matches!(first.as_deref(), Some([letter, b':']) if letter.is_ascii_alphabetic()) && segments.next().is_some()
}

/// What no file name of the system can hold.
fn harm(octets: &[u8], style: Style) -> Option<Words> {
    let held = octets.iter().find_map(|octet| match (octet, style) {
        (0, _) => Some(Words::same("NUL")),
        (b'/', _) => Some(Words::same("`/`")),
        (b'\\', Style::Windows) => Some(Words::same("`\\`")),
        (b':', Style::Windows) => Some(Words::same("`:`")),
        _ => None,
    });
    let is_text = style == Style::Unix || core::str::from_utf8(octets).is_ok();
    held.or((!is_text).then_some(words!("octets that are not UTF-8")))
}

/// A segment in a message is no longer than a line.
fn excerpt(segment: Encoded<'_>) -> String {
    const SHOWN: usize = 40;
    let text = segment.as_str();
    match text.get(..SHOWN) {
        Some(begin) if text.len() > SHOWN => alloc::format!("{begin}..."),
        _ => escape_for_display(text.as_bytes()).to_string(),
    }
}

#[cfg(all(feature = "std", any(unix, windows)))]
mod native {
    use alloc::string::String;
    use std::path::{Path, PathBuf};

    use super::{PathError, Style, from_url, to_url};
    use crate::url::Url;

    impl Url<String> {
        /// The file URL of an absolute path of this system: octet for octet on Unix. Needs the feature `std`.
        ///
        /// # Errors
        /// As for [`path::to_url`](crate::path::to_url).
        pub fn from_file_path(path: impl AsRef<Path>) -> Result<Self, PathError> {
            to_url(octets(path.as_ref())?, Style::NATIVE)
        }
    }

    impl<T: AsRef<str>> Url<T> {
        /// The path of this system that a file URL names. Needs the feature `std`.
        ///
        /// # Errors
        /// As for [`path::from_url`](crate::path::from_url).
        pub fn to_file_path(&self) -> Result<PathBuf, PathError> {
            path(from_url(self, Style::NATIVE)?)
        }
    }

    #[cfg(unix)]
    fn octets(path: &Path) -> Result<&[u8], PathError> {
        use std::os::unix::ffi::OsStrExt;
        Ok(path.as_os_str().as_bytes())
    }

    #[cfg(unix)]
    fn path(octets: alloc::vec::Vec<u8>) -> Result<PathBuf, PathError> {
        use std::os::unix::ffi::OsStringExt;
        Ok(std::ffi::OsString::from_vec(octets).into())
    }

    #[cfg(windows)]
    fn octets(path: &Path) -> Result<&[u8], PathError> {
        path.to_str().map(str::as_bytes).ok_or(PathError::NotUnicode)
    }

    #[cfg(windows)]
    fn path(octets: alloc::vec::Vec<u8>) -> Result<PathBuf, PathError> {
        String::from_utf8(octets).map(PathBuf::from).map_err(|_| PathError::NotUnicode)
    }
}
