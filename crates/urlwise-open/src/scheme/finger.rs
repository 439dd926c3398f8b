//! finger: the machine of [`protocol::finger`](crate::protocol::finger) over a connection (RFC 1288, D-73).

use super::opener::{Call, Opener as Opens, Outcome, Talk};
use super::plan::Plan;
use crate::error::Error;
use crate::protocol::Metadata;
use crate::protocol::finger::{FingerMachine, FingerRequest, FingerSettings};
use crate::resource::Resource;
use urlwise::Locator;

/// Opens finger URLs.
pub(crate) struct FingerOpener;

impl Opens for FingerOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        talk(call)?.open(|entry| match entry {})
    }

    /// Every answer is text, so the metadata is known without asking.
    fn metadata(&self, _: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
        Ok(Outcome::Here(Metadata { media_type: Some("text/plain".to_owned()), ..Metadata::default() }))
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        talk(call)?.plan()
    }
}

/// The dialogue about the URL of the call.
fn talk<'t, 'c>(call: &'t Call<'c>) -> Result<Talk<'t, 'c, FingerMachine>, Error> {
    let Locator::Finger(url) = call.url().locator() else { return Err(call.unfit()) };
    let settings =
        FingerSettings { forwarding: call.context.shared.policy.allows("finger-forward"), raw: call.context.raw };
    Ok(call.dialogue(FingerMachine::new(FingerRequest::from_url(url), settings)))
}
