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
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use urlwise::{Locator, Url};

/// The requests of one dialogue, one at a time.
#[derive(Default)]
pub(crate) struct Inquiries {
    pub(crate) settings: ArdpSettings,
    /// How long the earlier ones took.
    spent: Duration,
    exchange: Option<Box<Exchange>>,
    /// The server of the last one.
    endpoint: Option<Endpoint>,
    /// The dialogue can continue without the answer that is being read.
    is_optional: bool,
    /// The URLs requested on the way to the answer: the given one, then those that servers named.
    via: Vec<Url<String>>,
}

impl Inquiries {
    /// The URLs that servers forwarded us to, the last one being that of the answer; empty if the first server answered itself.
    pub(crate) fn hops(&self) -> &[Url<String>] {
        self.via.get(1..).unwrap_or_default()
    }

    /// The server that was asked last.
    pub(crate) fn endpoint(&self) -> Option<&Endpoint> {
        self.endpoint.as_ref()
    }

    /// The error, with the URL that servers forwarded us to and those before it.
    pub(crate) fn explain(&self, error: Error) -> Error {
        match self.via.split_last() {
            Some((last, before)) if !before.is_empty() => {
                error.at_url(last).after(before.iter().map(|url| url.masked().to_string()))
            }
            _ => error,
        }
    }

    /// Whether an answer is being read.
    pub(crate) fn are_under_way(&self) -> bool {
        self.exchange.is_some()
    }

    /// Sends a request and returns the address of its server; what arrives next is its answer. `None` if the server cannot be
    /// reached and the dialogue can continue without it.
    pub(crate) fn ask(
        &mut self,
        inquiry: Inquiry,
        arrivals: &mut Arrivals,
        clock: &Clock,
        shared: &Arc<Shared>,
    ) -> Result<Option<SocketAddr>, Error> {
        let Inquiry { url, command, is_optional } = inquiry;
        arrivals.restart();
        self.close();
        self.is_optional = is_optional;
        let exchange = self.open(&url, command.octets(), clock, shared);
        if !is_optional && self.via.last() != Some(&url) {
            self.via.push(url);
        }
        match exchange {
            Ok(exchange) => {
                let address = exchange.address();
                self.exchange = Some(Box::new(exchange));
                Ok(Some(address))
            }
            Err(error) => self.do_without(error, arrivals).map(|()| None),
        }
    }

    fn close(&mut self) {
        self.spent += self.exchange.take().map_or(Duration::ZERO, |exchange| exchange.elapsed());
    }

    /// The first URL has been admitted; each further one comes from a server.
    fn open(
        &mut self,
        url: &Url<String>,
        request: &[u8],
        clock: &Clock,
        shared: &Arc<Shared>,
    ) -> Result<Exchange, Error> {
        let mut clock = clock.clone();
        if let Some(from) = self.via.last() {
            (shared.admit_hop)(url, from)?;
            clock = clock.sent_from(from.host().map(|host| shared.peers.sending(host.as_str())));
        }
        let Locator::Prospero(_) = url.locator() else { return Err(unconnected()) };
        let endpoint = Endpoint::of(url)?;
        self.endpoint = Some(endpoint.clone());
        // The limit is for all requests together: a server chooses how many there are.
        let mut settings = self.settings;
        settings.limits.total = settings.limits.total.saturating_sub(self.spent);
        Exchange::open(endpoint, request.to_vec(), settings, clock, Arc::clone(shared))
            .map_err(|error| error.at_url(url))
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
        self.close();
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

#[cfg(test)]
mod tests {
    use super::Inquiries;
    use crate::error::Error;
    use crate::error::kind::ErrorKind;
    use crate::language::words;
    use urlwise::Url;

    #[test]
    fn an_error_has_the_url_that_servers_forwarded_to_and_none_if_they_did_not() {
        let explained = |via: &[&str]| {
            let via = via.iter().map(|text| Url::parse((*text).to_owned()).expect("a URL")).collect();
            let error = Error::new(ErrorKind::Protocol, words!("the server sent no answer"));
            let error = Inquiries { via, ..Inquiries::default() }.explain(error);
            (error.url().map(str::to_owned), error.redirects().to_vec())
        };
        let [first, second] = ["prospero://h.example//x", "prospero://i.example//y"];
        assert_eq!(explained(&[]), (None, vec![]));
        assert_eq!(explained(&[first]), (None, vec![]));
        assert_eq!(explained(&[first, second]), (Some(second.to_owned()), vec![first.to_owned()]));
    }
}
