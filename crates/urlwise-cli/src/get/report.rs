//! The JSON object of one URL (docs/json.md).

use std::time::Instant;

use urlwise::{Language, Url};
use urlwise_open::Error;

use crate::exit::{self, Status};
use crate::input::Record;
use crate::json::{self, Object};
use crate::secret::Secrets;

/// The most octets of a text that is shown where it needs escapes, and so is no URL.
const ESCAPED: usize = 16 << 10;

/// The result of one URL, filled in step by step.
#[derive(Debug)]
pub(super) struct Report {
    started: Instant,
    /// Masked and escaped.
    url: String,
    pub(super) final_url: Option<String>,
    pub(super) kind: &'static str,
    /// Octets that arrived in this run.
    pub(super) bytes: u64,
    pub(super) media_type: Option<String>,
    pub(super) saved_as: Option<String>,
    pub(super) error: Option<String>,
}

impl Report {
    pub(super) fn new(record: &Record<'_>, show_secrets: bool) -> Report {
        Report {
            started: Instant::now(),
            url: shown(record.octets, show_secrets),
            final_url: None,
            kind: "document",
            bytes: 0,
            media_type: None,
            saved_as: None,
            error: None,
        }
    }

    /// The URL, masked and escaped.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Sets the final URL, which differs after redirects, and the kind of resource.
    pub(super) fn found(&mut self, url: &Url<String>, kind: &'static str) {
        self.final_url = Some(url.masked().to_string());
        self.kind = kind;
    }

    /// Sets the final URL of a failure after redirects.
    pub(super) fn failed_at(&mut self, error: &Error) {
        if let Some(url) = error.url().filter(|_| !error.redirects().is_empty()) {
            self.final_url = Some(urlwise::escape_for_display(url.as_bytes()).to_string());
        }
    }

    /// The line of JSON.
    pub(super) fn line(self, end: Status) -> Vec<u8> {
        let mut object = Object::new();
        let final_url = self.final_url.unwrap_or_else(|| self.url.clone());
        object.insert("url".into(), self.url.into());
        object.insert("final_url".into(), final_url.into());
        object.insert("kind".into(), self.kind.into());
        object.insert("bytes".into(), self.bytes.into());
        object.insert("media_type".into(), self.media_type.into());
        object.insert("saved_as".into(), self.saved_as.into());
        object.insert("seconds".into(), self.started.elapsed().as_secs_f64().into());
        object.insert("ok".into(), (end == Status::Ok).into());
        object.insert("error".into(), self.error.into());
        object.insert("exit".into(), exit::code(end).into());
        let mut line = Vec::new();
        // Writing to memory cannot fail.
        let _ = json::write_line(&mut line, &object);
        line
    }
}

/// A text, masked and escaped.
fn shown(octets: &[u8], show_secrets: bool) -> String {
    let secrets = Secrets::of(octets, show_secrets);
    // A backslash is escaped too.
    let plain = if octets.contains(&b'\\') { None } else { secrets.plain(octets, 0..octets.len()) };
    plain.unwrap_or_else(|| secrets.elided_in(octets, 0..octets.len(), ESCAPED, Language::En))
}
