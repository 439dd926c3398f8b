//! What a probe of a URL finds out: whether it can be opened, without opening it (D-102).

mod judge;
mod verdict;

pub use verdict::{Cause, ProbeVerdict};

use crate::error::Error;
use crate::protocol::Note;
use std::time::Duration;
use urlwise::Url;

/// What [`Client::probe`](crate::Client::probe) found out.
#[derive(Debug)]
#[non_exhaustive]
pub struct Probe {
    /// Whether the URL can be opened.
    pub verdict: ProbeVerdict,
    /// The last URL that was asked, if that is another one: redirects and gateways lead there. `None` if none was followed.
    pub final_url: Option<Url<String>>,
    /// The fragment of the last redirect that has one, which replaces that of the link (RFC 9110 section 10.2.2). Empty if that location
    /// ends in `#`; `None` if no redirect has one, so that the link keeps its own.
    pub fragment: Option<String>,
    /// The status of the last answer in http; in other protocols the code by which the server refused, such as 550 in ftp, 430 in
    /// nntp, 1 in Gopher+. `None` without either.
    pub status: Option<u16>,
    /// How long it took, redirects included.
    pub elapsed: Duration,
    /// How long the server wants its clients to wait before the next request, a year at most. `None` if it did not say.
    pub retry_after: Option<Duration>,
    /// What else is worth knowing; nothing has failed. Without duplicates, in the order in which it was noticed.
    pub notes: Vec<Note>,
    /// What failed, in a sentence. `None` for a URL that can be opened.
    pub error: Option<Error>,
    /// The beginning of the document. `None` unless [`ProbeOptions::body_limit`] asks for it, the URL can be opened, and the
    /// answer is a document.
    pub body: Option<ProbeBody>,
}

/// The beginning of a document that was probed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProbeBody {
    /// The octets; maybe none.
    pub octets: Vec<u8>,
    /// The media type, as in [`Document::media_type`](crate::Document::media_type).
    pub media_type: Option<String>,
    /// Whether these are all octets of the document. What a part does not contain may follow.
    pub is_complete: bool,
    /// Whether the octets are in a content coding of http, such as `br`, that nobody asked for and that is not gzip, which is undone.
    /// What the document contains is not known then.
    pub is_coded: bool,
}

/// Options of one probe.
///
/// ```
/// use std::time::Duration;
/// use urlwise::Url;
/// use urlwise_open::ProbeOptions;
///
/// let mut options = ProbeOptions::default();
/// options.linked_from = Some(Url::parse("file:///srv/docs/index.html")?.to_owned());
/// options.timeout = Some(Duration::from_secs(20));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProbeOptions {
    /// The URL of the document that contains the URL. The policy then judges it as a link, its own login is not used, and it may
    /// not lead to local addresses (D-102). `None`: somebody gave the URL.
    pub linked_from: Option<Url<String>>,
    /// The time limit for the probe, including redirects. `None` takes that of the client's
    /// [options](crate::Options::timeout), or 60 s if they have none.
    pub timeout: Option<Duration>,
    /// Get this many octets of the document at most, such as to look for a fragment. `None`, the default, gets none, which is
    /// much cheaper.
    pub body_limit: Option<usize>,
}

impl Probe {
    /// The probe of a URL that can be opened, for [openers](crate::Opener).
    pub fn alive() -> Probe {
        Probe {
            verdict: ProbeVerdict::Alive,
            final_url: None,
            fragment: None,
            status: None,
            elapsed: Duration::ZERO,
            retry_after: None,
            notes: Vec::new(),
            error: None,
            body: None,
        }
    }

    /// The probe of a URL that cannot be opened, or not now, for this reason.
    pub fn failed(cause: Cause, error: Error) -> Probe {
        let status = error.server_code();
        Probe { verdict: cause.verdict(), status, error: Some(error), ..Probe::alive() }
    }
}

impl Probe {
    /// The same with another note, unless it has that already.
    pub(crate) fn noting(mut self, note: Note) -> Probe {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        self
    }
}

impl From<Error> for Probe {
    /// What an error proves: the verdict of a URL whose opening ended with it.
    ///
    /// ```
    /// use urlwise_open::{Error, ErrorKind, Probe};
    ///
    /// let probe = Probe::from(Error::new(ErrorKind::Timeout, "no answer within 60 s"));
    /// assert_eq!(probe.verdict.to_string(), "unknown (timeout)");
    /// ```
    fn from(error: Error) -> Probe {
        match judge::cause_of(&error) {
            Some(cause) => Probe::failed(cause, error),
            None => Probe { verdict: ProbeVerdict::Refused, error: Some(error), ..Probe::alive() },
        }
    }
}
