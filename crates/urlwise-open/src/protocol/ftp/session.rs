//! The state of a control connection that can serve another URL (RFC 1738 section 3.2.5).

use super::request::FtpRequest;
use super::settings::{FileMethod, FtpSettings};
use super::types::Type;

/// The server's state for a logged-in user, as our commands have set it.
///
/// There is no reliable way to leave a directory, so a session serves only URLs whose directories begin with those already
/// entered: all in all, the server is then sent what a new login would have sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FtpSession {
    /// The arguments of every `CWD` since the login.
    pub(super) entered: Vec<Vec<u8>>,
    /// The argument of the last `TYPE`.
    pub(super) transfer_type: Option<Type>,
    /// Whether the server knows `MLST`, as `FEAT` or `MLST` itself showed; `None` if neither has been sent.
    pub(super) has_mlsd: Option<bool>,
    /// `LIST` was refused or answered in an unknown form, so `NLST` is used.
    pub(super) no_list: bool,
    /// `EPSV` was refused, so `PASV` is used.
    pub(super) no_epsv: bool,
    /// The control connection has TLS, and data connections will too.
    pub(super) secure: bool,
    /// The size of the last file; `None` before the first, and if the server did not say.
    pub(super) last_size: Option<u64>,
}

impl FtpSession {
    /// How many of the directories that `request` needs are already entered; `None` if it needs a new login. Of several
    /// sessions the one with the most is the best.
    pub fn leads_to(&self, request: &FtpRequest, settings: &FtpSettings) -> Option<usize> {
        let path = request.path(settings);
        let cwds = path.cwds(request);
        // A joined path is relative to the directory after the login.
        let begun = settings.method == FileMethod::Multi || self.entered.is_empty() || self.entered == cwds;
        (begun && cwds.starts_with(&self.entered)).then_some(self.entered.len())
    }

    /// Whether to ask for the metadata that resuming a broken transfer needs, at the cost of two round trips besides the two of
    /// the file. Files of one directory tend to be alike, and a small one is quickly sent again.
    pub(super) fn expects_large(&self) -> bool {
        const SMALL: u64 = 1 << 20;
        self.last_size.is_none_or(|size| size >= SMALL)
    }
}

#[cfg(test)]
mod tests {
    use super::{FileMethod, FtpRequest, FtpSession, FtpSettings};

    fn request(cwds: &[&str]) -> FtpRequest {
        let cwds = cwds.iter().map(|cwd| cwd.as_bytes().to_vec()).collect();
        FtpRequest { cwds, name: b"x".to_vec(), ..FtpRequest::default() }
    }

    #[test]
    fn a_session_serves_what_lies_below_the_directory_it_is_in() {
        let session = |cwds| FtpSession { entered: request(cwds).cwds, ..FtpSession::default() };
        let multi = FtpSettings::default();
        assert_eq!(session(&[]).leads_to(&request(&[]), &multi), Some(0));
        assert_eq!(session(&["a"]).leads_to(&request(&["a"]), &multi), Some(1));
        assert_eq!(session(&["a"]).leads_to(&request(&["a", "b"]), &multi), Some(1));
        assert_eq!(session(&["a"]).leads_to(&request(&[]), &multi), None);
        assert_eq!(session(&["a"]).leads_to(&request(&["b"]), &multi), None);
        assert_eq!(session(&["a", ""]).leads_to(&request(&["a"]), &multi), None);
        let single = FtpSettings { method: FileMethod::Single, ..FtpSettings::default() };
        assert_eq!(session(&["a/b"]).leads_to(&request(&["a", "b"]), &single), Some(1));
        assert_eq!(session(&["a"]).leads_to(&request(&["a", "b"]), &single), None);
        let none = FtpSettings { method: FileMethod::None, ..FtpSettings::default() };
        assert_eq!(session(&[]).leads_to(&request(&["a", "b"]), &none), Some(0));
    }
}
