//! mailto: a draft of a mail, without a connection (RFC 1738 section 3.5). Only a probe may ask DNS about the domain (D-107).

use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::{Plan, PlanLine};
use crate::error::Error;
use crate::probe::Probe;
use crate::resource::Resource;
use crate::resource::draft::{MailAddress, MessageDraft};

/// Opens mailto URLs.
pub(crate) struct MailtoOpener;

impl Opens for MailtoOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        Ok(Outcome::Here(Resource::Draft(draft(call)?)))
    }

    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        let draft = draft(call)?;
        // There is one: a URL has no list of them (D-53), and its header `to` is refused (E-26).
        let recipient = draft.to().first();
        Ok(Outcome::Here(match call.context.mail_domains.as_ref().zip(recipient) {
            Some((domains, recipient)) => domains.probe(recipient.domain(), call.clock)?,
            None => Probe::alive(),
        }))
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let draft = draft(call)?;
        let texts = |list: &[MailAddress]| list.iter().map(|address| address.as_str().to_owned()).collect();
        Ok(Outcome::Here(Plan::new(vec![PlanLine::Compose {
            to: texts(draft.to()),
            cc: texts(draft.cc()),
            subject: draft.subject().map(str::to_owned),
            lines: draft.body().map_or(0, |body| body.lines().count()),
        }])))
    }
}

fn draft(call: &Call<'_>) -> Result<MessageDraft, Error> {
    MessageDraft::of(call.url()).map(|draft| draft.with_recipients(&call.options().recipients))
}
