//! ftp, section 3.2: `ftp://login/cwd/.../name;type=typecode`.

use super::state::{Before, End, Ftp, Name, Path, Start};
use super::{Builder, Draft};
use crate::scheme::{Scheme, ftp::Typecode};

/// Begins an ftp URL.
///
/// ```
/// use urlwise::{Typecode, build};
///
/// let url = build::ftp().host("host.dom").cwd("pub").name("a;b?").typecode(Typecode::Image).build()?;
/// assert_eq!(url.as_str(), "ftp://host.dom/pub/a%3Bb%3F;type=i");
/// let url = build::ftp().user("").host("host.dom").name("").build()?;
/// assert_eq!(url.as_str(), "ftp://@host.dom/"); // an empty user: section 3.1
/// # Ok::<(), build::Refused>(())
/// ```
pub fn ftp() -> Builder<Ftp, Start> {
    Builder::new(Draft::of_scheme(Scheme::Ftp))
}

/// Begins an ftps URL, which the profile `current` knows.
pub fn ftps() -> Builder<Ftp, Start> {
    Builder::new(Draft::of_scheme(Scheme::Ftps))
}

impl<S: Before<Path>> Builder<Ftp, S> {
    /// The argument of one `CWD` command. A `/` in it is data: `/etc` is one directory, `%2Fetc` (section 3.2.2).
    pub fn cwd(self, cwd: impl AsRef<[u8]>) -> Builder<Ftp, Path> {
        self.octets("cwd", cwd)
    }

    /// The arguments of the `CWD` commands that come next, in order; there may be none.
    pub fn cwds<O: AsRef<[u8]>>(mut self, cwds: impl IntoIterator<Item = O>) -> Builder<Ftp, Path> {
        cwds.into_iter().for_each(|cwd| self.draft.push_octets("cwd", cwd.as_ref()));
        Builder::new(self.draft)
    }
}

impl<S: Before<Name>> Builder<Ftp, S> {
    /// The name of the file, or of the directory for [`Typecode::Directory`]; empty for the directory the cwds lead to.
    pub fn name(self, name: impl AsRef<[u8]>) -> Builder<Ftp, Name> {
        self.octets("name", name)
    }
}

impl Builder<Ftp, Name> {
    /// How the file is sent; without it, clients guess (section 3.2.3).
    pub fn typecode(self, typecode: Typecode) -> Builder<Ftp, End> {
        let code = match typecode {
            Typecode::Ascii => "a",
            Typecode::Image => "i",
            Typecode::Directory => "d",
        };
        self.plain("typecode", code)
    }
}
