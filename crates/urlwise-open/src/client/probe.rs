//! Probing: one URL, one verdict.

use super::Client;
use super::route::Stop;
use crate::policy::Sender;
use crate::probe::{Probe, ProbeOptions};
use crate::scheme::options::OpenOptions;
use std::cell::RefCell;
use std::time::{Duration, Instant};
use urlwise::Url;

/// The time limit of a probe for which none is set: a server that sends an octet now and then meets every other deadline.
const TIMEOUT: Duration = Duration::from_secs(60);

impl Client {
    /// Finds out whether a URL can be opened, as cheaply as its protocol allows, and as far as its policy does.
    ///
    /// Blocks until there is a verdict. Nothing fails: an error is a part of the [`Probe`]. Connections and logins are kept for
    /// the next URL of the same server.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise_open::{Cause, Client, Options, ProbeOptions, ProbeVerdict};
    ///
    /// let client = Client::new(Options::default());
    /// let missing = Url::parse("file:///no/such/file")?;
    /// let probe = client.probe(&missing, &ProbeOptions::default());
    /// assert_eq!(probe.verdict, ProbeVerdict::Dead(Cause::NotFound));
    /// assert_eq!(probe.error.unwrap().what().to_string(), "cannot read /no/such/file: No such file or directory");
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn probe<T: AsRef<str>>(&self, url: &Url<T>, options: &ProbeOptions) -> Probe {
        let start = Instant::now();
        let url = url.borrow();
        let open_options = OpenOptions::probing(options);
        let timeout = options.timeout.or(self.timeout).unwrap_or(TIMEOUT);
        let sender = options.linked_from.as_ref().map(|_| Sender::Document);
        let clock = self.clock().within(Some(timeout)).sent_by(sender);
        let last: RefCell<Option<Url<String>>> = RefCell::new(None);
        let found = self.route(Stop::probed(&url, &open_options), &open_options, &clock, |opener, call| {
            *last.borrow_mut() = Some(call.url().to_owned());
            opener.probe(call)
        });
        let probe = found.unwrap_or_else(Probe::from);
        let final_url = last.into_inner().filter(|last| last.as_str() != url.as_str());
        Probe { final_url, elapsed: start.elapsed(), ..probe }
    }
}
