//! The request of a gopher URL, and its one line: RFC 1738 section 3.4, D-47.
//!
//! The writer is the last check before the wire. It refuses everything that would turn one request into two (S-4 and S-5), wherever
//! the octets came from: a URL, a menu, a person.

use super::settings::GopherSettings;
use crate::language::{message, words};
use crate::protocol::{Command, Fault, FaultKind};
use std::fmt;
use urlwise::escape_for_display;
use urlwise::{Encoded, GopherPlus, Words};

changeable!(GopherRequest);

/// A gopher path in plain octets: nothing is percent-encoded here.
///
/// ```
/// use urlwise_open::protocol::gopher::{GopherRequest, GopherSettings};
///
/// let request = GopherRequest::new(b'0').with(|request| {
///     request.selector = b"0/about.txt".to_vec();
///     request.search = Some(Vec::new());
///     request.plus = Some(b"+".to_vec());
/// });
/// let line = request.command(&GopherSettings::default()).expect("a harmless request");
/// assert_eq!(line.octets(), b"0/about.txt\t+\r\n");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GopherRequest {
    /// The item type. It is never sent: it says how to read the answer.
    pub gtype: u8,
    /// The selector; empty names the root menu.
    pub selector: Vec<u8>,
    /// The words to search for; `None` without a first `%09` in the URL, empty with nothing after it.
    pub search: Option<Vec<u8>>,
    /// The Gopher+ string; `None` without a second `%09` in the URL, empty with nothing after it.
    pub plus: Option<Vec<u8>>,
}

impl GopherRequest {
    /// A request for an item of type `gtype` at the root: empty selector, no search, no Gopher+ string.
    pub fn new(gtype: u8) -> GopherRequest {
        GopherRequest { gtype, selector: Vec::new(), search: None, plus: None }
    }

    /// The request of a gopher URL.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::gopher::GopherRequest;
    ///
    /// let url = Url::parse("gopher://host.dom/7find%09cats%20dogs").expect("a gopher URL");
    /// let Locator::Gopher(gopher) = url.locator() else { unreachable!() };
    /// let request = GopherRequest::from_url(gopher);
    /// assert_eq!((request.gtype, &request.selector[..]), (b'7', &b"find"[..]));
    /// assert_eq!(request.search.as_deref(), Some(&b"cats dogs"[..]));
    /// ```
    pub fn from_url(url: urlwise::Gopher<'_>) -> GopherRequest {
        let decode = |part: Encoded<'_>| part.decode().into_owned();
        GopherRequest {
            gtype: url.gtype().unwrap_or(b'1'),
            selector: url.selector().map(decode).unwrap_or_default(),
            search: url.search().map(decode),
            plus: url.gopherplus().map(decode),
        }
    }

    /// The Gopher+ string to send; `None` for a classic request. `?` is never sent: `!` requests the description of a form.
    pub(super) fn sent_plus(&self) -> Option<&[u8]> {
        match self.plus.as_deref() {
            None | Some(b"") => None,
            Some(b"?") => Some(b"!"),
            Some(plus) => Some(plus),
        }
    }

    /// Whether the answer consists of attributes: those that `!` and `$` ask for, and the view in which a menu gives those of
    /// its items (Gopher+ section 2.7).
    pub(crate) fn asks_attributes(&self) -> bool {
        match (self.sent_plus(), self.view()) {
            (_, Some(view)) => view.eq_ignore_ascii_case(b"application/gopher+-menu"),
            (Some(plus), None) => !plus.starts_with(b"+"),
            (None, None) => false,
        }
    }

    /// The view that is named: `text/plain` of `+text/plain En_US`; `None` for the default view.
    pub(super) fn view(&self) -> Option<&[u8]> {
        let name = self.sent_plus()?.strip_prefix(b"+")?;
        let end = name.iter().position(|octet| matches!(octet, b' ' | b'\t')).unwrap_or(name.len());
        Some(&name[..end]).filter(|name| !name.is_empty())
    }

    /// The octets to send: a request line, and the answers of a filled form after it.
    ///
    /// An empty search before a Gopher+ string is left out, since the reference server refuses it, unless the item is a search
    /// or [`GopherSettings::literal`] asks for RFC 1738 section 3.4.3 strictly (D-47).
    ///
    /// # Errors
    /// [`FaultKind::Refused`] for CR, LF, TAB or NUL in selector or search, for any other control octet there unless
    /// [`GopherSettings::controls`] allows it, and for a Gopher+ string with such octets that is not a filled-in form (RFC 1738
    /// section 3.4.9).
    pub fn command(&self, settings: &GopherSettings) -> Result<Command, Fault> {
        let search = self.search.as_deref();
        check_field(words!("selector"), "RFC 1738 section 3.4.1", &self.selector, settings)?;
        check_field(words!("search"), "D-44", search.unwrap_or_default(), settings)?;
        let mut line = self.selector.clone();
        let mut field = |octets: &[u8]| {
            line.push(b'\t');
            line.extend_from_slice(octets);
        };
        let Some(plus) = self.sent_plus() else {
            if let Some(search) = search {
                field(search);
            }
            line.extend_from_slice(b"\r\n");
            return Ok(Command::new(line));
        };
        let is_form = check_plus(plus, settings)?;
        let search = search.unwrap_or_default();
        if !search.is_empty() || self.gtype == b'7' || (settings.literal && !is_form) {
            field(search);
        }
        field(plus);
        if !is_form {
            line.extend_from_slice(b"\r\n");
        }
        Ok(Command::new(line))
    }
}

impl fmt::Debug for GopherRequest {
    /// Shows octets escaped, and a filled-in form without its answers, which may be secret (`AskP`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |octets: &[u8]| escape_for_display(octets).to_string();
        let plus = self.plus.as_deref().map(|plus| match plus.iter().position(|octet| *octet == b'\r') {
            Some(end) => text(&plus[..end]) + "\\r\\n***",
            None => text(plus),
        });
        f.debug_struct("GopherRequest")
            .field("gtype", &text(&[self.gtype]))
            .field("selector", &text(&self.selector))
            .field("search", &self.search.as_deref().map(text))
            .field("plus", &plus)
            .finish()
    }
}

/// Refuses what is not allowed in a field of the request line.
fn check_field(name: Words, rule: &'static str, octets: &[u8], settings: &GopherSettings) -> Result<(), Fault> {
    let is_refused = |octet: &u8| octet.is_ascii_control() && !(settings.controls && is_harmless(*octet));
    let Some(at) = octets.iter().position(is_refused) else {
        return Ok(());
    };
    let remove = words!("remove it from the URL");
    let (what, rule, help) = match octets[at] {
        b'\r' | b'\n' => (words!("a line end, which would start a second request"), rule, remove),
        b'\t' => (words!("a tab, which would start another field"), rule, remove),
        0 => (words!("NUL, which is not allowed in a selector or search"), "RFC 1436 appendix", remove),
        _ => (words!("a control character"), "S-4", words!("allow control characters if the server needs them")),
    };
    let what = message!("refused to send: the {part} contains {octet},", part = name, octet = what);
    Err(Fault::new(FaultKind::Refused, rule, what).octets(octets).at(at).with_help(help))
}

/// Whether a control octet changes nothing about where a request line and its fields end.
fn is_harmless(octet: u8) -> bool {
    !matches!(octet, b'\r' | b'\n' | b'\t' | 0)
}

/// Whether a Gopher+ string is a filled-in form, which has its own line ends. Refuses any other one with control octets.
fn check_plus(plus: &[u8], settings: &GopherSettings) -> Result<bool, Fault> {
    const RULE: &str = "RFC 1738 section 3.4.9";
    let Err(fault) = check_field(words!("Gopher+ string"), RULE, plus, settings) else {
        return Ok(false);
    };
    // The answers of a form are sent as data, in which only line ends and NUL have a meaning.
    match GopherPlus::from_octets(plus) {
        GopherPlus::FilledForm { .. } if !plus.contains(&0) => Ok(true),
        // What follows the first such octet may be a secret answer.
        _ => Err(fault.octets(plus.split_inclusive(u8::is_ascii_control).next().unwrap_or_default()).with_help(words!(
            "only a filled-in form may contain tabs and line ends: `+`, TAB, `1`, CRLF, `+-1`, CRLF, each answer with CRLF, `.`, CRLF"
        ))),
    }
}
