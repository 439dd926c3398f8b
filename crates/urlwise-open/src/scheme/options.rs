//! The options of one call.

use crate::net::deadlines::Cancel;
use crate::probe::ProbeOptions;
use crate::protocol::Resume;
use crate::resource::draft::Recipients;
#[cfg(feature = "gopher")]
use crate::resource::form::FilledForm;
use std::time::Duration;
use urlwise::Url;

/// Options of one call, such as [`Client::open_with`](crate::Client::open_with) or [`Client::list_with`](crate::Client::list_with).
///
/// Options that do not apply to the scheme of the URL are ignored, except for [`view`](OpenOptions::view).
///
/// ```
/// use urlwise_open::{Metadata, OpenOptions, Resume};
///
/// let mut options = OpenOptions::default();
/// options.metadata = true;
/// options.resume = Some(Resume::new(1_000, Metadata::default()));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Resume a transfer. Only done if the document is provably the same; otherwise it is sent from its beginning, and
    /// [`Document::offset`](crate::Document::offset) is 0.
    pub resume: Option<Resume>,
    /// Get enough metadata to [resume](OpenOptions::resume) the transfer if it breaks. http and file always have it; ftp needs
    /// two more commands, `SIZE` and `MDTM`, which are not sent after a file of less than 1 MiB.
    pub metadata: bool,
    /// Get the date of the last change in [`Document::metadata`](crate::Document::metadata). ftp needs one more command for it,
    /// `MDTM`; other schemes have it without asking or not at all.
    pub date: bool,
    /// Get a gopher item in this view instead of the default one. The server is asked first which views it has (Gopher+).
    /// URLs of other schemes are refused.
    pub view: Option<ViewChoice>,
    /// List a gopher menu with the size, date and abstract of each entry. Only Gopher+ servers have them; others send the plain
    /// menu.
    pub details: bool,
    /// Return the status line and the headers of an http answer as the document, without its body, whatever the status. Other
    /// schemes ignore it.
    pub head: bool,
    /// Return the body of an http answer that is an error as a document; [`Document::failure`](crate::Document::failure) then has
    /// the error.
    pub error_body: bool,
    /// The URL of the page or menu that links to this URL. The policy judges it as a link, and logins and header fields are sent
    /// only if both have the same scheme, host and port. `None`: somebody gave the URL.
    pub linked_from: Option<Url<String>>,
    /// Somebody else may have chosen the URL, as a page in a browser can: it leads to no local address unless the rule
    /// `local-from-public` is lifted, and gets no login but that of the netrc file (S-58).
    pub untrusted: bool,
    /// Cancels the waits of this call when requested, in place of [`Options::cancel`](crate::Options::cancel).
    pub cancel: Option<Cancel>,
    /// The longest time that this call and all reads of its answer may take, in place of [`Options::timeout`](crate::Options::timeout).
    pub timeout: Option<Duration>,
    /// List at most this many articles of a newsgroup, the newest. `None` lists all.
    pub last: Option<u64>,
    /// List only the newsgroups whose names match this wildmat (RFC 3977 section 4), such as `comp.*,!comp.os.*`. `None` lists
    /// all.
    pub groups: Option<String>,
    /// More recipients of the draft of a mailto URL. None by default.
    pub recipients: Recipients,
    /// Work out at most this many steps of a dry run, and say in one more that others [follow](crate::Plan::is_cut): a path may have a
    /// thousand directories. `None` works out all of them, up to 4096.
    pub steps: Option<usize>,
    /// The most octets of a document that a probe gets; `None` for none.
    pub(crate) body_limit: Option<usize>,
    /// The form whose answers are submitted.
    #[cfg(feature = "gopher")]
    pub(crate) filled: Option<FilledForm>,
}

/// A view of a gopher item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewChoice {
    /// The media type, in any case. `None` takes the first view in that language.
    pub media_type: Option<String>,
    /// The language, such as `de` or `De_DE`, in any case. `None` takes the first view of that media type.
    pub language: Option<String>,
}

impl ViewChoice {
    /// The first view of this media type.
    pub fn new(media_type: impl Into<String>) -> ViewChoice {
        ViewChoice { media_type: Some(media_type.into()), language: None }
    }

    /// The first view in this language, of any media type.
    pub fn in_language(language: impl Into<String>) -> ViewChoice {
        ViewChoice { media_type: None, language: Some(language.into()) }
    }

    /// The view in this language; `None` takes the first.
    #[must_use]
    pub fn with_language(self, language: Option<impl Into<String>>) -> ViewChoice {
        ViewChoice { language: language.map(Into::into), ..self }
    }
}

#[cfg(feature = "gopher")]
impl ViewChoice {
    /// The Gopher+ string for a server that gives its views these names (RFC 1738 section 3.4.8); `None` without a media type.
    pub(crate) fn gopher_plus(&self) -> Option<Vec<u8>> {
        let language = self.language.as_ref().map(|language| format!(" {language}")).unwrap_or_default();
        Some(format!("+{}{language}", self.media_type.as_ref()?).into_bytes())
    }
}

impl OpenOptions {
    /// The options of the call that submits a form.
    #[cfg(feature = "gopher")]
    pub(crate) fn submitting(self, filled: &FilledForm) -> OpenOptions {
        OpenOptions { filled: Some(filled.clone()), ..self }
    }

    /// The options of a probe.
    pub(crate) fn probing(options: &ProbeOptions) -> OpenOptions {
        let ProbeOptions { linked_from, timeout: _, body_limit } = options;
        OpenOptions { linked_from: linked_from.clone(), body_limit: *body_limit, ..OpenOptions::default() }
    }

    /// The URL of the form to submit, with secrets masked; `None` if this call submits none.
    pub(crate) fn form(&self) -> Option<String> {
        #[cfg(feature = "gopher")]
        return self.filled.as_ref().map(ToString::to_string);
        #[cfg(not(feature = "gopher"))]
        None
    }
}

#[cfg(test)]
mod tests {
    use super::OpenOptions;
    #[cfg(feature = "gopher")]
    use super::ViewChoice;
    use crate::probe::ProbeOptions;
    use urlwise::Url;

    #[test]
    fn a_probe_asks_as_its_options_say() {
        let mut options = ProbeOptions::default();
        let plain = OpenOptions::probing(&options);
        assert_eq!((plain.form(), plain.linked_from, plain.body_limit), (None, None, None));
        options.linked_from = Some(Url::parse("http://h.example/").expect("a URL").to_owned());
        options.body_limit = Some(9);
        let asked = OpenOptions::probing(&options);
        assert_eq!((asked.linked_from, asked.body_limit), (options.linked_from, Some(9)));
    }

    #[cfg(feature = "gopher")]
    #[test]
    fn a_view_is_asked_for_by_its_media_type() {
        let view = ViewChoice::new("text/plain");
        assert_eq!(view.gopher_plus().as_deref(), Some(&b"+text/plain"[..]));
        let view = view.with_language(Some("De_DE"));
        assert_eq!(view.gopher_plus().as_deref(), Some(&b"+text/plain De_DE"[..]));
        assert_eq!(ViewChoice::in_language("de").gopher_plus(), None);
    }
}
