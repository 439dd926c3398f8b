//! The error of everything that can keep a URL from being opened.
//!
//! An [`Error`] says in a sentence what happened (naming host, octets or rule), with a reference (an RFC section or a decision
//! of this project) and, where there is one, the help. What programs need is separate from the sentence: the [`ErrorKind`], the
//! policy rule, the masked URL, the redirects before it.

pub(crate) mod kind;

pub use kind::ErrorKind;

use crate::language::{cited, helped, message, of_reference, words};
use crate::protocol::{Fault, FaultKind, Hint, Note, hidden};
use core::fmt::{self, Write as _};
use std::io;
use urlwise::{Language, Message, MessageValue, NestedSecrets, Secrets, Url, padded};
use urlwise_readings::Reader;

type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// Why a URL was not opened, or not read to its end.
///
/// `Display` is the sentence, its reference and the help, on one line; everything in it from outside is already escaped, and
/// passwords are masked. It does not repeat the URL. With `{:#}` the messages of the errors that caused it follow the sentence,
/// such as the system's.
///
/// ```
/// use urlwise_open::{Error, ErrorKind};
///
/// let system = std::io::Error::other("Name or service not known");
/// let error = Error::new(ErrorKind::Resolve, "cannot resolve host `h.dom`").with_reference("S-1").with_source(system);
/// assert_eq!(format!("{error}"), "cannot resolve host `h.dom` (S-1)");
/// assert_eq!(format!("{error:#}"), "cannot resolve host `h.dom`: Name or service not known (S-1)");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    what: Message,
    lasting: bool,
    code: Option<u16>,
    help: Option<Message>,
    hint: Option<Hint>,
    directory: Option<usize>,
    reference: Option<&'static str>,
    rule: Option<&'static str>,
    url: Option<String>,
    redirects: Vec<String>,
    notes: Vec<Note>,
    source: Option<BoxError>,
}

/// A value as it is displayed, in memory that is asked for once: a URL may have millions of octets.
fn written(value: &impl fmt::Display) -> String {
    struct Length(usize);

    impl fmt::Write for Length {
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            self.0 += piece.len();
            Ok(())
        }
    }

    let mut length = Length(0);
    // Neither can fail.
    let _ = write!(length, "{value}");
    let mut text = String::with_capacity(length.0);
    let _ = write!(text, "{value}");
    text
}

impl Error {
    /// An error of `kind`, from this crate or an [opener](crate::Opener); `what` is a sentence without a capital and a full
    /// stop. It must not contain passwords, and octets from outside only [escaped](urlwise::escape_for_display); what could
    /// [harm](urlwise::is_harmful) a terminal is escaped in any case.
    ///
    /// ```
    /// use urlwise_open::{ErrorKind, Error};
    ///
    /// let error = Error::new(ErrorKind::NotFound, "the dictionary has no word `\u{1b}[m`").with_help("look for another");
    /// assert_eq!(error.to_string(), "the dictionary has no word `\\x1b[m`; look for another");
    /// ```
    pub fn new(kind: ErrorKind, what: impl Into<Message>) -> Error {
        Error(Box::new(Inner {
            kind,
            what: what.into(),
            lasting: false,
            code: None,
            help: None,
            hint: None,
            directory: None,
            reference: None,
            rule: None,
            url: None,
            redirects: Vec::new(),
            notes: Vec::new(),
            source: None,
        }))
    }

    /// With a help: what to do about it, as an imperative.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Message>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// With the reference: a document and its section.
    #[must_use]
    pub fn with_reference(mut self, reference: &'static str) -> Error {
        self.0.reference = Some(reference);
        self
    }

    /// With the setting that would help.
    #[must_use]
    pub fn with_hint(mut self, hint: Hint) -> Error {
        self.0.hint = Some(hint);
        self
    }

    pub(crate) fn rule(mut self, rule: &'static str) -> Error {
        self.0.rule = Some(rule);
        self
    }

    /// With the error that caused it, which [`std::error::Error::source`] gives.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Error {
        self.0.source = Some(source.into());
        self
    }

    /// With `context` and a colon before the sentence, such as the server.
    pub(crate) fn prefixed(mut self, context: impl Into<MessageValue>) -> Error {
        self.0.what = message!("{context}: {sentence}", context = context, sentence = self.0.what);
        self
    }

    /// With the URL at fault, unless the error already has one.
    pub(crate) fn at(mut self, url: impl fmt::Display) -> Error {
        if self.0.url.is_none() {
            self.0.url = Some(written(&url));
        }
        self
    }

    /// With the URL at fault, unless the error already has one, and without its passwords, those that only a standard sees, and those of
    /// URLs inside it.
    pub(crate) fn at_url<T: AsRef<str>>(self, url: &Url<T>) -> Error {
        let text = url.as_str();
        let seen = urlwise_readings::passwords(text.as_bytes(), url.profile(), Reader::STANDARDS);
        let error = match seen.is_empty() {
            true => self.at(url.masked()),
            false => self.at(urlwise::masked(text, Secrets::of(text.as_bytes()).and(seen).behind(0))),
        };
        error.hiding(text)
    }

    /// Without the passwords of URLs inside a URL: a message may have a part of it, such as a path.
    pub(crate) fn hiding(mut self, url: &str) -> Error {
        let nested = NestedSecrets::of(url.as_bytes());
        if !nested.is_empty() {
            let Inner { what, help, .. } = &mut *self.0;
            *what = hidden(what.clone(), &nested);
            *help = help.take().map(|help| hidden(help, &nested));
        }
        self
    }

    /// With the URLs before it, unless the error already has them.
    pub(crate) fn after(mut self, redirects: impl IntoIterator<Item = String>) -> Error {
        if self.0.redirects.is_empty() {
            self.0.redirects = redirects.into_iter().collect();
        }
        self
    }

    /// With notes about what was done before it failed, before those that the error has; each is there once.
    pub(crate) fn noting(mut self, mut notes: Vec<Note>) -> Error {
        self.0.notes.retain(|note| !notes.contains(note));
        notes.append(&mut self.0.notes);
        self.0.notes = notes;
        self
    }

    /// What failed.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Whether another attempt may succeed: nothing connected, the transfer broke, a deadline passed, or the server failed and
    /// did not send a code for a permanent failure.
    pub fn is_transient(&self) -> bool {
        ErrorKind::TRANSIENT.contains(&self.0.kind) && !self.0.lasting
    }

    /// The server's own code, such as 404 in http, 550 in ftp or 1 in Gopher+; `None` if no answer of a server with such a code
    /// is the reason.
    pub fn server_code(&self) -> Option<u16> {
        self.0.code
    }

    /// The sentence alone, without reference and help.
    pub fn what(&self) -> &Message {
        &self.0.what
    }

    /// The sentence and what caused it, such as the system's own words, without reference and help.
    pub fn sentence(&self) -> String {
        self.sentence_in(Language::En)
    }

    /// [`sentence`](Error::sentence) in a language.
    pub fn sentence_in(&self, language: Language) -> String {
        let mut sentence = self.0.what.in_language(language).to_string();
        for cause in self.causes(language) {
            sentence += &words!(": ").get(language);
            sentence += &cause;
        }
        sentence
    }

    /// What `Display` writes, in a language; with `{:#}` the messages of the errors that caused it follow the sentence.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + '_ {
        MessageOf { error: self, language }
    }

    /// The help: what to do about it; `None` if nothing helps.
    pub fn help(&self) -> Option<&Message> {
        self.0.help.as_ref()
    }

    /// The setting that would help, if there is one. Programs name their own option for it; `Display` does not.
    pub fn hint(&self) -> Option<Hint> {
        self.0.hint
    }

    /// The number of the directory that an ftp server refused to change to, from 0: `1` if it refuses the second `CWD`
    /// of `ftp://host.dom/a/b/c` (RFC 1738 section 3.2.2). `None` if anything else failed, or no directory was changed to.
    pub fn refused_directory(&self) -> Option<usize> {
        self.0.directory
    }

    /// The reference: an RFC section or a decision number.
    pub fn reference(&self) -> Option<&'static str> {
        self.0.reference
    }

    /// [`reference`](Error::reference) in a language: `RFC 1738の3.2節` in Japanese.
    pub fn reference_in(&self, language: Language) -> Option<String> {
        self.0.reference.map(|reference| of_reference(reference).into_text(language))
    }

    /// The policy rule that refused, by its id; present only when the kind is [`ErrorKind::Refused`] or
    /// [`ErrorKind::Limit`] by a rule of [`policy::RULES`](crate::policy::RULES).
    pub fn refused_by(&self) -> Option<&'static str> {
        self.0.rule
    }

    /// The URL at fault, its password masked: the one given, or the redirect that failed.
    pub fn url(&self) -> Option<&str> {
        self.0.url.as_deref()
    }

    /// The URLs before it, masked, oldest first; empty without redirects and gateways.
    pub fn redirects(&self) -> &[String] {
        &self.0.redirects
    }

    /// Notes about what was done before it failed, such as a password that was sent without encryption (S-16); often none.
    pub fn notes(&self) -> &[Note] {
        &self.0.notes
    }

    /// The error of this crate inside an [`io::Error`] from reading a [`Document`](crate::Document).
    pub fn of(error: &io::Error) -> Option<&Error> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MessageOf { error: self, language: Language::En }.fmt(f)
    }
}

struct MessageOf<'a> {
    error: &'a Error,
    language: Language,
}

impl fmt::Display for MessageOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (error, language) = (&self.error.0, self.language);
        let sentence = match f.alternate() {
            true => self.error.sentence_in(language),
            false => error.what.in_language(language).to_string(),
        };
        let message = match error.reference {
            Some(reference) => cited(sentence.into(), error.rule, reference, error.help.clone()),
            None => helped(sentence.into(), error.help.clone()),
        };
        padded(f, |f| write!(f, "{}", message.in_language(language)))
    }
}

impl Error {
    /// What each source adds, the nearest first. Leaves out what the sentence or an earlier source already says.
    fn causes(&self, language: Language) -> Vec<String> {
        let (mut said, mut causes) = (self.0.what.in_language(language).to_string(), Vec::new());
        let mut next = std::error::Error::source(self);
        while let Some(source) = next {
            let cause = match source.downcast_ref::<Error>() {
                Some(error) => error.what().in_language(language).to_string(),
                None => Message::from(plain(&source.to_string())).to_string(),
            };
            if !said.contains(&cause) {
                said.push_str(&cause);
                causes.push(cause);
            }
            next = source.source();
        }
        causes
    }
}

impl fmt::Debug for Error {
    /// Like `Display`: people also read what `unwrap` and a failing `main` print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

impl Error {
    /// The kind of the system's errors that is nearest.
    fn io_kind(&self) -> io::ErrorKind {
        match self.kind() {
            ErrorKind::Timeout => io::ErrorKind::TimedOut,
            ErrorKind::NotFound => io::ErrorKind::NotFound,
            ErrorKind::Partial => io::ErrorKind::UnexpectedEof,
            ErrorKind::Protocol => io::ErrorKind::InvalidData,
            ErrorKind::InvalidUrl | ErrorKind::Setting => io::ErrorKind::InvalidInput,
            ErrorKind::Refused | ErrorKind::Login => io::ErrorKind::PermissionDenied,
            ErrorKind::NoAccess => io::ErrorKind::Unsupported,
            ErrorKind::Limit => io::ErrorKind::FileTooLarge,
            // What the system said of it, such as a full disk or a port that is closed.
            ErrorKind::Connect | ErrorKind::Write | ErrorKind::Read => self.of_system().unwrap_or(io::ErrorKind::Other),
            // Not `Interrupted`, after which `read_to_end` and its like would go on.
            ErrorKind::Cancelled => io::ErrorKind::ConnectionAborted,
            ErrorKind::Resolve | ErrorKind::Tls | ErrorKind::Server | ErrorKind::Redirects => io::ErrorKind::Other,
        }
    }

    /// The kind of the first error of the system among those that caused it.
    fn of_system(&self) -> Option<io::ErrorKind> {
        let first = std::error::Error::source(self);
        let mut causes = std::iter::successors(first, |cause| cause.source());
        let kind = causes.find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
        kind.filter(|kind| *kind != io::ErrorKind::Interrupted)
    }
}

/// With the kind that is nearest: what the system said if it said something, `InvalidInput` for a URL or setting that cannot be used,
/// `PermissionDenied` where the policy or the server refuses, `FileTooLarge` beyond a limit, `ConnectionAborted` if the caller
/// cancelled it, `Other` where the system has no such kind. [`Error::of`] gives the error back.
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = error.io_kind();
        io::Error::new(kind, error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        let kind = match fault.kind() {
            FaultKind::Refused => ErrorKind::Refused,
            FaultKind::Elsewhere => ErrorKind::NoAccess,
            FaultKind::Login => ErrorKind::Login,
            FaultKind::NotFound => ErrorKind::NotFound,
            FaultKind::Server => ErrorKind::Server,
            FaultKind::Malformed => ErrorKind::Protocol,
            FaultKind::Partial => ErrorKind::Partial,
            FaultKind::Silent => ErrorKind::Timeout,
            FaultKind::Redirects => ErrorKind::Redirects,
            FaultKind::Limit => ErrorKind::Limit,
        };
        let mut error = Error::new(kind, fault.sentence()).with_reference(fault.rule());
        error.0.lasting = fault.is_lasting();
        error.0.code = fault.server_code();
        error.0.hint = fault.hint();
        error.0.directory = fault.refused_directory();
        match fault.help() {
            Some(help) => error.with_help(help.clone()),
            None => error,
        }
    }
}

/// The operating system's message, without its number and without the prefix of the standard library.
pub(crate) fn system_words(error: &io::Error) -> String {
    plain(&error.to_string()).to_owned()
}

fn plain(text: &str) -> &str {
    let text = text.strip_prefix("failed to lookup address information: ").unwrap_or(text);
    text.split_once(" (os error ").map_or(text, |(words, _)| words)
}

#[cfg(test)]
mod tests {
    use super::{Error, ErrorKind};
    use crate::protocol::{Fault, FaultKind, Hint};
    use std::io;
    #[cfg(feature = "ja")]
    use urlwise::Language;

    fn resolve() -> Error {
        Error::new(ErrorKind::Resolve, "cannot resolve host `h`").with_help("check the spelling")
    }

    #[test]
    fn sources_follow_the_sentence_in_their_order_and_only_if_they_add_something() {
        let system = io::Error::other("failed to lookup address information: Name or service not known");
        let error = resolve().with_source(system);
        assert_eq!(format!("{error:#}"), "cannot resolve host `h`: Name or service not known; check the spelling");
        assert_eq!(error.to_string(), "cannot resolve host `h`; check the spelling");

        let inner = Error::new(ErrorKind::Connect, "nobody answers")
            .with_help("wait")
            .with_source(io::Error::other("no route"));
        let outer = Error::new(ErrorKind::Server, "no answer").with_source(inner);
        assert_eq!(format!("{outer:#}"), "no answer: nobody answers: no route");

        let refused = io::Error::from_raw_os_error(111);
        let said = Error::new(ErrorKind::Connect, format!("no connection: {}", super::system_words(&refused)))
            .with_source(refused);
        assert_eq!(format!("{said:#}"), said.to_string());
        assert_eq!(format!("{:#}", resolve()), resolve().to_string());
    }

    #[test]
    fn an_error_tells_what_the_fault_of_a_dialogue_told() {
        for (fault, kind) in [
            (FaultKind::Refused, ErrorKind::Refused),
            (FaultKind::Elsewhere, ErrorKind::NoAccess),
            (FaultKind::Login, ErrorKind::Login),
            (FaultKind::NotFound, ErrorKind::NotFound),
            (FaultKind::Server, ErrorKind::Server),
            (FaultKind::Malformed, ErrorKind::Protocol),
            (FaultKind::Partial, ErrorKind::Partial),
            (FaultKind::Silent, ErrorKind::Timeout),
            (FaultKind::Redirects, ErrorKind::Redirects),
            (FaultKind::Limit, ErrorKind::Limit),
        ] {
            let error = Error::from(Fault::new(fault, "RFC 959 section 4.2", "no"));
            assert_eq!((error.kind(), error.reference()), (kind, Some("RFC 959 section 4.2")));
            assert_eq!((error.server_code(), error.hint(), error.refused_directory()), (None, None, None));
            assert!(error.help().is_none() && error.is_transient() == ErrorKind::TRANSIENT.contains(&kind), "{kind}");
        }
        let fault =
            Fault::new(FaultKind::Server, "RFC 959 section 4.2", "no").octets(b"550 no").code(550).lasting(true);
        let error = Error::from(fault.directory(2).with_hint(Hint::Timeout).with_help("wait"));
        assert_eq!(
            (error.server_code(), error.hint(), error.refused_directory()),
            (Some(550), Some(Hint::Timeout), Some(2))
        );
        assert_eq!(error.to_string(), "no: \"550 no\" (RFC 959 section 4.2); wait");
        assert!(!error.is_transient(), "the server says that it lasts");
    }

    #[test]
    fn a_reader_gets_the_error_inside_one_of_the_system_of_the_nearest_kind() {
        for (kind, of_the_system) in [
            (ErrorKind::Timeout, io::ErrorKind::TimedOut),
            (ErrorKind::NotFound, io::ErrorKind::NotFound),
            (ErrorKind::Partial, io::ErrorKind::UnexpectedEof),
            (ErrorKind::Protocol, io::ErrorKind::InvalidData),
            (ErrorKind::Server, io::ErrorKind::Other),
            (ErrorKind::Setting, io::ErrorKind::InvalidInput),
            (ErrorKind::Refused, io::ErrorKind::PermissionDenied),
            (ErrorKind::Limit, io::ErrorKind::FileTooLarge),
            (ErrorKind::Cancelled, io::ErrorKind::ConnectionAborted),
            (ErrorKind::Write, io::ErrorKind::Other),
        ] {
            let error = io::Error::from(Error::new(kind, "no"));
            assert_eq!(error.kind(), of_the_system);
            assert_eq!(Error::of(&error).map(Error::kind), Some(kind));
        }
        assert!(Error::of(&io::Error::other("the system's own")).is_none());
    }

    #[test]
    fn what_the_system_said_is_the_kind_for_a_reader_unless_it_would_read_on() {
        let of = |kind, cause| {
            let system = io::Error::from(cause);
            let inner = Error::new(ErrorKind::Connect, "no").with_source(system);
            io::Error::from(Error::new(kind, "no").with_source(inner)).kind()
        };
        assert_eq!(of(ErrorKind::Write, io::ErrorKind::StorageFull), io::ErrorKind::StorageFull);
        assert_eq!(of(ErrorKind::Connect, io::ErrorKind::ConnectionRefused), io::ErrorKind::ConnectionRefused);
        assert_eq!(of(ErrorKind::Read, io::ErrorKind::Interrupted), io::ErrorKind::Other);
        assert_eq!(of(ErrorKind::Timeout, io::ErrorKind::ConnectionRefused), io::ErrorKind::TimedOut);
    }

    #[test]
    fn the_source_of_an_error_is_asked_for_as_of_any_other() {
        use std::error::Error as _;
        let error = resolve().with_source(io::Error::other("why"));
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("why"));
        assert!(resolve().source().is_none());
    }

    #[test]
    fn the_first_url_at_fault_and_the_first_way_to_it_are_kept() {
        let error = resolve().at("http://a/").at("http://b/").after(["x-a:1".to_owned()]).after(["x-b:2".to_owned()]);
        assert_eq!((error.url(), error.redirects()), (Some("http://a/"), &["x-a:1".to_owned()][..]));
        assert_eq!((resolve().url(), resolve().redirects()), (None, &[][..]));
        let note = crate::protocol::Note::new("a", "S-1", urlwise::Words::same("b"));
        let error = resolve().noting(vec![note]).noting(vec![note]);
        assert_eq!((error.notes(), resolve().notes()), (&[note][..], &[][..]), "each once");
    }

    #[test]
    fn the_rule_stands_beside_the_reference_and_every_text_has_a_width() {
        let error = Error::new(ErrorKind::Refused, "no").with_reference("S-9").rule("local-from-public");
        assert_eq!(error.to_string(), "no (rule `local-from-public`, S-9)");
        assert_eq!((error.refused_by(), resolve().refused_by()), (Some("local-from-public"), None));
        assert_eq!(format!("{error:>36}|"), "  no (rule `local-from-public`, S-9)|");
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(error.prefixed("h port 1").what().to_string(), "h port 1: no");
    }

    #[cfg(feature = "ja")]
    #[test]
    fn references_and_sentences_are_written_in_the_language_of_the_reader() {
        let error = Error::new(ErrorKind::Server, "no").with_reference("RFC 1738 section 3.2");
        let error = error.with_source(io::Error::other("why"));
        assert_eq!(error.reference_in(Language::Ja).as_deref(), Some("RFC 1738\u{306e}3.2\u{7bc0}"));
        assert_eq!((error.sentence_in(Language::En), error.sentence()), ("no: why".to_owned(), "no: why".to_owned()));
        assert_eq!(error.sentence_in(Language::Ja), "no\u{ff1a}why");
        assert_eq!(resolve().reference_in(Language::Ja), None);
    }

    #[test]
    fn what_a_source_says_stays_on_one_line_and_harms_no_terminal() {
        let error = resolve().with_source(io::Error::other("a\r\nb\u{1b}[31m"));
        let line = format!("{error:#}");
        assert!(line.starts_with("cannot resolve host `h`: a\\r\\nb\\x1b[31m;"), "{line}");
        assert!(!line.contains(char::is_control), "{line}");
    }
}
