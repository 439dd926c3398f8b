//! mailto: a draft of a mail, without a connection (RFC 1738 section 3.5).

use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::{Plan, PlanLine};
use crate::error::Error;
use crate::resource::Resource;
use crate::resource::draft::MessageDraft;

/// Opens mailto URLs.
pub(crate) struct MailtoOpener;

impl Opens for MailtoOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        MessageDraft::of(call.url()).map(|draft| Outcome::Here(Resource::Draft(draft)))
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let draft = MessageDraft::of(call.url())?;
        Ok(Outcome::Here(Plan::new(vec![PlanLine::Compose {
            to: draft.to().to_owned(),
            subject: draft.subject().map(str::to_owned),
            lines: draft.body().map_or(0, |body| body.lines().count()),
        }])))
    }
}
