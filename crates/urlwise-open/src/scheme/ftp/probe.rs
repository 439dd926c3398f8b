//! Probing ftp: the login, the directories, and a question about the name; no data connection (D-102).

use super::{begin, refuse_own_login, request};
use crate::error::Error;
use crate::policy::UrlSource;
use crate::probe::{Cause, Probe};
use crate::protocol::ftp::{FtpGoal, FtpRequest};
use crate::scheme::opener::Call;

pub(super) fn probe(call: &Call<'_>) -> Result<Probe, Error> {
    let request = FtpRequest { goal: FtpGoal::Exists, ..request(call, usize::MAX)? };
    let is_link = !matches!(call.provenance(), UrlSource::Given);
    if is_link {
        refuse_own_login(call, &request)?;
    }
    match begin(call, request) {
        Ok((mut dialogue, _)) => Ok(Probe { notes: dialogue.take_notes(), ..Probe::alive() }),
        Err(error) => Ok(match (error.server_code(), says_denied(&error)) {
            // Most servers close new connections with it when they have too many.
            (Some(421), _) => Probe::failed(Cause::RateLimit, error),
            // The same code as for a file that does not exist.
            (Some(550), true) => Probe::failed(Cause::Forbidden, error),
            _ => Probe::from(error),
        }),
    }
}

/// Whether the server's words are about permission.
fn says_denied(error: &Error) -> bool {
    let words = error.what().to_string().to_ascii_lowercase();
    ["permission", "denied", "not allowed", "not permitted"].iter().any(|sign| words.contains(sign))
}
