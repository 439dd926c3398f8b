//! The JSON object of one URL (docs/json.md).

use std::time::Instant;

use urlwise::{Language, Url};
use urlwise_explain::secret::Secrets;
use urlwise_explain::wrap;
use urlwise_open::Error;

use crate::console::LONGEST_URL;
use crate::exit::{self, Status};
use crate::input::Record;
use crate::json;
use crate::language::language;

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
    show_secrets: bool,
}

impl Report {
    pub(super) fn new(record: &Record<'_>, show_secrets: bool) -> Report {
        Report {
            started: Instant::now(),
            url: masked(record.octets, show_secrets),
            final_url: None,
            kind: "document",
            bytes: 0,
            media_type: None,
            saved_as: None,
            error: None,
            show_secrets,
        }
    }

    /// The URL as messages show it: masked, escaped, and elided if it is long.
    pub(super) fn shown(&self) -> String {
        wrap::elide_in(&self.url, LONGEST_URL, language())
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
        /// What the other fields take at most, as a rule.
        const REST: usize = 512;
        let final_url = self.final_url.as_deref().unwrap_or(&self.url);
        let mut line = Vec::with_capacity(self.url.len() + final_url.len() + REST);
        json::line(&mut line, |object| {
            object.field("url", self.url.as_str());
            object.field("final_url", final_url);
            object.field("kind", self.kind);
            object.field("bytes", &self.bytes);
            // The words of a server, which may hold a URL with a password.
            let media_type = self.media_type.as_deref().map(|said| masked(said.as_bytes(), self.show_secrets));
            object.string("media_type", media_type.as_deref());
            object.string("saved_as", self.saved_as.as_deref());
            object.field("seconds", &self.started.elapsed().as_secs_f64());
            object.field("ok", end == Status::Ok);
            object.string("error", self.error.as_deref());
            object.field("exit", &exit::code(end));
        });
        line
    }
}

/// A text, masked and escaped; one that is no URL is elided if it is long.
fn masked(octets: &[u8], show_secrets: bool) -> String {
    let secrets = Secrets::of_url(octets, show_secrets);
    // A backslash is escaped too, and JSON escapes a quotation mark.
    let is_escaped = octets.iter().any(|octet| matches!(octet, b'\\' | b'"'));
    let plain = if is_escaped { None } else { secrets.plain(octets, 0..octets.len()) };
    plain.unwrap_or_else(|| secrets.elided_in(octets, 0..octets.len(), ESCAPED, Language::En))
}
