//! What is known of a control connection that can serve another URL (RFC 1738 section 3.2.5).

use super::request::FtpRequest;
use super::settings::{FileMethod, FtpSettings};
use super::types::Type;

/// The state that a server keeps for a logged-in user, as far as we brought it about.
///
/// There is no way to know how to leave a directory, so a session serves only URLs whose directories begin with those
/// already entered: what is then sent is, all in all, what a fresh login would have been sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FtpSession {
    /// The arguments of every `CWD` since the login.
    pub(super) entered: Vec<Vec<u8>>,
    /// What the last `TYPE` said.
    pub(super) transfer_type: Option<Type>,
    /// Whether `FEAT` names `MLST`; `None` if it was not asked.
    pub(super) has_mlsd: Option<bool>,
    /// `EPSV` was refused, so `PASV` is used.
    pub(super) no_epsv: bool,
    /// The control connection has TLS, and data connections will.
    pub(super) secure: bool,
    /// What the server said of the length of the last file; `None` before the first, and if it did not say.
    pub(super) last_size: Option<u64>,
}

impl FtpSession {
    /// How many directories are entered already that `request` needs; `None` if only a fresh login leads there. Of several
    /// sessions the one with the most is the best.
    pub fn leads_to(&self, request: &FtpRequest, settings: &FtpSettings) -> Option<usize> {
        let cwds = request.path(settings).cwds;
        // A joined path is relative to where the login led.
        let begun = settings.method == FileMethod::Multi || self.entered.is_empty() || self.entered == cwds;
        (begun && cwds.starts_with(&self.entered)).then_some(self.entered.len())
    }

    /// Whether it is worth while to ask for what a transfer that breaks could be resumed by: two round trips, of the four that
    /// a file costs. Files of one directory are alike, and a small one is soon sent again.
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
