//! Requests that a machine sends in datagrams in the middle of a dialogue, by [`Io::Inquire`](crate::protocol::Io::Inquire).

use super::arrivals::Arrivals;
use super::shared::{Shared, unconnected};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::deadlines::Clock;
use crate::net::endpoint::Endpoint;
use crate::net::exchange::Exchange;
use crate::protocol::ardp::ArdpSettings;
use crate::protocol::{End, Inquiry};
use std::sync::Arc;
use std::time::Instant;
use urlwise::{Locator, Url};

/// The requests of one dialogue, one at a time.
#[derive(Default)]
pub(crate) struct Inquiries {
    pub(crate) settings: ArdpSettings,
    /// When the first one was sent.
    began: Option<Instant>,
    exchange: Option<Box<Exchange>>,
    /// The dialogue can go on without the answer that is being read.
    is_optional: bool,
    /// The URLs asked about on the way to the answer: the one given, then those that servers named.
    via: Vec<Url<String>>,
}

impl Inquiries {
    /// The URLs that servers forwarded us to, the last one being that of the answer; empty if the first server answered itself.
    pub(crate) fn hops(&self) -> &[Url<String>] {
        self.via.get(1..).unwrap_or_default()
    }

    /// Whether an answer is being read.
    pub(crate) fn are_under_way(&self) -> bool {
        self.exchange.is_some()
    }

    /// Sends a request; what arrives next is its answer.
    pub(crate) fn ask(
        &mut self,
        inquiry: Inquiry,
        arrivals: &mut Arrivals,
        clock: &Clock,
        shared: &Arc<Shared>,
    ) -> Result<(), Error> {
        let Inquiry { url, command, is_optional } = inquiry;
        arrivals.restart();
        self.exchange = None;
        self.is_optional = is_optional;
        let exchange = self.open(&url, command.octets(), clock, shared);
        if !is_optional && self.via.last() != Some(&url) {
            self.via.push(url);
        }
        match exchange {
            Ok(exchange) => self.exchange = Some(Box::new(exchange)),
            Err(error) => self.do_without(error, arrivals)?,
        }
        Ok(())
    }

    /// The first URL has been admitted; each further one comes from a server.
    fn open(
        &mut self,
        url: &Url<String>,
        request: &[u8],
        clock: &Clock,
        shared: &Arc<Shared>,
    ) -> Result<Exchange, Error> {
        if let Some(from) = self.via.last() {
            (shared.admit_hop)(url, from)?;
        }
        let Locator::Prospero(_) = url.locator() else { return Err(unconnected()) };
        let endpoint = Endpoint::of(url)?;
        // The limit is for all requests together: a server chooses how many there are.
        let began = *self.began.get_or_insert_with(Instant::now);
        let mut settings = self.settings;
        settings.limits.total = settings.limits.total.saturating_sub(began.elapsed());
        Exchange::open(endpoint, request.to_vec(), settings, clock.clone(), Arc::clone(shared))
            .map_err(|error| error.at(url.masked()))
    }

    /// Reads more of the answer.
    pub(crate) fn hear(&mut self, arrivals: &mut Arrivals) -> Result<(), Error> {
        let Some(exchange) = &mut self.exchange else { return Err(unconnected()) };
        match exchange.data() {
            Ok(Some(octets)) => {
                arrivals.put(octets);
                return Ok(());
            }
            Ok(None) => arrivals.close(End::Closed),
            Err(error) => self.do_without(error, arrivals)?,
        }
        self.exchange = None;
        Ok(())
    }

    /// Continues after an error, unless the answer is needed or the call was cancelled.
    fn do_without(&self, error: Error, arrivals: &mut Arrivals) -> Result<(), Error> {
        if !self.is_optional || error.kind() == ErrorKind::Cancelled {
            return Err(error);
        }
        arrivals.close(End::Broken);
        Ok(())
    }
}
