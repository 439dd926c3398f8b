//! What a gopher URL asks for, and the one line that asks it: RFC 1738 section 3.4, D-47.
//!
//! The writer is the last gate before the wire. It refuses whatever would make two requests of one (client-security 4 and
//! 5), wherever the octets came from: a URL, a menu, a person.

use super::settings::Settings;
use crate::protocol::{Command, Fault, FaultKind};
use crate::text::escape;
use std::fmt;

/// A gopher path in plain octets: nothing is percent-encoded here.
///
/// ```
/// use urlwise_open::protocol::gopher::{Request, Settings};
///
/// let request = Request {
///     selector: b"0/about.txt".to_vec(),
///     search: Some(Vec::new()),
///     plus: Some(b"+".to_vec()),
///     ..Request::new(b'0')
/// };
/// let line = request.command(&Settings::default()).expect("a harmless request");
/// assert_eq!(line.octets(), b"0/about.txt\t+\r\n");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The item type. It is never sent: it says how to read the answer.
    pub gtype: u8,
    /// The selector; empty names the root menu.
    pub selector: Vec<u8>,
    /// The words to search for; `None` without a first `%09` in the URL, empty with nothing after it.
    pub search: Option<Vec<u8>>,
    /// The Gopher+ string; `None` without a second `%09` in the URL, empty with nothing after it.
    pub plus: Option<Vec<u8>>,
}

impl Request {
    /// Asks for the root menu's place, as an item of type `gtype`: empty selector, no search, no Gopher+ string.
    pub fn new(gtype: u8) -> Request {
        Request {
            gtype,
            selector: Vec::new(),
            search: None,
            plus: None,
        }
    }

    /// The Gopher+ string that is sent; `None` where a classic request is. `?` never is: a form is described by `!`.
    pub(super) fn sent_plus(&self) -> Option<&[u8]> {
        match self.plus.as_deref() {
            None | Some(b"") => None,
            Some(b"?") => Some(b"!"),
            Some(plus) => Some(plus),
        }
    }

    /// The octets to send: a request line, and the answers of a filled form after it.
    ///
    /// An empty search before a Gopher+ string is left out, since the reference server refuses it, unless the item is a
    /// search or [`Settings::literal`] asks for RFC 1738 section 3.4.3 to the letter (D-47).
    ///
    /// # Errors
    /// [`FaultKind::Refused`] for CR, LF, TAB or NUL in selector or search, for any other control octet there unless
    /// [`Settings::controls`] lets it pass, and for a Gopher+ string that holds such octets in any shape but that of a
    /// filled form (RFC 1738 section 3.4.9).
    pub fn command(&self, settings: &Settings) -> Result<Command, Fault> {
        let search = self.search.as_deref();
        check_field(
            "selector",
            "RFC 1738 section 3.4.1",
            &self.selector,
            settings,
        )?;
        check_field("search", "D-44", search.unwrap_or_default(), settings)?;
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

impl fmt::Debug for Request {
    /// Shows octets escaped, and of a filled form only that it is one: an answer may be a secret (`AskP`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |octets: &[u8]| escape(octets).to_string();
        let plus =
            self.plus
                .as_deref()
                .map(|plus| match plus.iter().position(|octet| *octet == b'\r') {
                    Some(end) => text(&plus[..end]) + "\\r\\n***",
                    None => text(plus),
                });
        f.debug_struct("Request")
            .field("gtype", &text(&[self.gtype]))
            .field("selector", &text(&self.selector))
            .field("search", &self.search.as_deref().map(text))
            .field("plus", &plus)
            .finish()
    }
}

/// Refuses what may not stand in a field of the request line.
fn check_field(
    name: &'static str,
    rule: &'static str,
    octets: &[u8],
    settings: &Settings,
) -> Result<(), Fault> {
    let is_refused =
        |octet: &u8| octet.is_ascii_control() && !(settings.controls && is_harmless(*octet));
    let Some(at) = octets.iter().position(is_refused) else {
        return Ok(());
    };
    let (what, rule, help) = match octets[at] {
        b'\r' | b'\n' => (
            "a line end, which would begin a second request",
            rule,
            NO_CURE,
        ),
        b'\t' => ("a tab, which would begin another field", rule, NO_CURE),
        0 => (
            "a NUL, which no selector or search may hold",
            "RFC 1436 appendix",
            NO_CURE,
        ),
        _ => (
            "a control octet",
            "client-security 4",
            "allow control octets if the server needs it",
        ),
    };
    let what = format!("refused to send: the {name} holds {what},");
    Err(Fault::new(FaultKind::Refused, rule, what)
        .octets(octets)
        .at(at)
        .help(help))
}

const NO_CURE: &str = "take it out of the URL";

/// Control octets that do not change where a request line and its fields end.
fn is_harmless(octet: u8) -> bool {
    !matches!(octet, b'\r' | b'\n' | b'\t' | 0)
}

/// Whether a Gopher+ string is a filled form (which then ends its own lines). Refuses one that holds control octets but is
/// none.
fn check_plus(plus: &[u8], settings: &Settings) -> Result<bool, Fault> {
    if check_field("Gopher+ string", "RFC 1738 section 3.4.9", plus, settings).is_ok() {
        return Ok(false);
    }
    match check_form(plus) {
        Ok(()) => Ok(true),
        Err(at) => {
            let what = "refused to send: the Gopher+ string holds control octets but is not a filled form, which breaks";
            let fault = Fault::new(FaultKind::Refused, "RFC 1738 section 3.4.9", what);
            Err(fault
                .octets(plus)
                .at(at)
                .help("a filled form is \"+\" TAB \"1\" CRLF \"+-1\" CRLF, the answers each with CRLF, \".\" CRLF"))
        }
    }
}

/// The shape of RFC 1738 section 3.4.9, with a view after the first `+` if there is one (as the UMN client sends it):
/// `+[view[ language]] TAB 1 CRLF +-1 CRLF {answer CRLF} . CRLF`, one lone dot, nothing after it. Gives the place where the
/// shape breaks.
fn check_form(plus: &[u8]) -> Result<(), usize> {
    let view = plus
        .iter()
        .position(u8::is_ascii_control)
        .unwrap_or(plus.len());
    if plus.first() != Some(&b'+') {
        return Err(0);
    }
    if !plus[view..].starts_with(b"\t1\r\n+-1\r\n") {
        return Err(view);
    }
    let mut at = view + b"\t1\r\n+-1\r\n".len();
    loop {
        let line = &plus[at..];
        let end = line
            .iter()
            .position(|octet| matches!(octet, b'\r' | b'\n' | 0))
            .unwrap_or(line.len());
        if !line[end..].starts_with(b"\r\n") {
            return Err(at + end);
        }
        let next = at + end + 2;
        if &line[..end] == b"." {
            return if next == plus.len() {
                Ok(())
            } else {
                Err(next)
            };
        }
        at = next;
    }
}
