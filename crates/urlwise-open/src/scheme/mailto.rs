//! mailto: a draft of a mail, without a connection (RFC 1738 section 3.5). Only a probe may ask DNS about the domain (D-107).

use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::{Plan, PlanLine};
use crate::error::Error;
use crate::probe::{Probe, ProbeVerdict};
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
        let mut probe = Probe::alive();
        if let Some(domains) = &call.context.mail_domains {
            for address in draft.to() {
                probe = domains.probe(address.domain(), call.clock)?;
                if probe.verdict != ProbeVerdict::Alive {
                    break;
                }
            }
        }
        Ok(Outcome::Here(probe))
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
