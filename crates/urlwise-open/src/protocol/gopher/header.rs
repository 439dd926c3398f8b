//! The first line of a Gopher+ answer, and the error that may follow it: Gopher+ section 2.3.

use super::menu::MenuItem;
use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind};
use urlwise::escape_for_display;

/// A header line must end within this many octets; the longest meaningful one has 23.
pub(super) const LONGEST: usize = 32;

/// How much of an error message is read; the paper calls it short.
pub(super) const LONGEST_ERROR: usize = 8 * 1024;

/// How the end of the data is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// By a length in octets: `+N`.
    Counted(u64),
    /// By a line with a single dot: `+-1`.
    Dot,
    /// By the close: `+-2`, and every classic answer.
    Close,
}

/// A Gopher+ header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlusHeader {
    pub(super) is_error: bool,
    pub(super) frame: Frame,
}

impl PlusHeader {
    /// Parses a line without its line end; `None` if it is not a header, so the server does not support Gopher+.
    ///
    /// # Errors
    /// A length that is out of range.
    pub(super) fn parse(line: &[u8]) -> Option<Result<PlusHeader, Fault>> {
        let (sign, length) = line.split_first()?;
        let is_error = match sign {
            b'+' => false,
            b'-' => true,
            _ => return None,
        };
        let frame = match length {
            b"-1" => Frame::Dot,
            b"-2" => Frame::Close,
            b"" => return None,
            digits => {
                let mut count = Some(0_u64);
                for digit in digits {
                    if !digit.is_ascii_digit() {
                        return None;
                    }
                    count = count.and_then(|count| count.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
                }
                let Some(count) = count else {
                    let what = words!("the announced length is too large");
                    return Some(Err(Fault::new(FaultKind::Malformed, "Gopher+ section 2.3", what).octets(line)));
                };
                Frame::Counted(count)
            }
        };
        Some(Ok(PlusHeader { is_error, frame }))
    }
}

/// Whether a line that was cut may have been a header.
pub(super) fn may_be_cut(line: &[u8]) -> bool {
    let Some((b'+' | b'-', rest)) = line.split_first() else { return false };
    let digits = rest.strip_prefix(b"-").unwrap_or(rest);
    digits.strip_suffix(b"\r").unwrap_or(digits).iter().all(u8::is_ascii_digit)
}

/// A Gopher+ error that answers a classic request, as the reference server sends it: where its header ends in what is here of
/// the answer, and how it is framed.
pub(super) enum UnaskedError {
    No,
    /// More octets are needed to tell.
    Unknown,
    Yes {
        header: usize,
        frame: Frame,
    },
}

impl UnaskedError {
    /// Looks at the beginning of an answer; `is_all` means that no more will come.
    pub(super) fn in_answer(begin: &[u8], is_all: bool) -> UnaskedError {
        let unknown = if is_all { UnaskedError::No } else { UnaskedError::Unknown };
        let Some(end) = begin.iter().position(|octet| *octet == b'\n') else {
            let is_possible = [&b"--1\r"[..], b"--2\r"].iter().any(|header| header.starts_with(begin));
            return if is_possible { unknown } else { UnaskedError::No };
        };
        let frame = match begin[..end].strip_suffix(b"\r").unwrap_or(&begin[..end]) {
            b"--1" => Frame::Dot,
            b"--2" => Frame::Close,
            _ => return UnaskedError::No,
        };
        // A mail in parts may begin with such a line too, but its next line never with a code.
        let code = &begin[end + 1..];
        let digits = code.iter().take_while(|octet| octet.is_ascii_digit()).count();
        match (digits, code.get(digits)) {
            (1..=3, Some(b' ' | b'\r' | b'\n')) => UnaskedError::Yes { header: end + 1, frame },
            (1..=3, None) if is_all => UnaskedError::Yes { header: end + 1, frame },
            (0..=3, None) => unknown,
            _ => UnaskedError::No,
        }
    }
}

/// The data of an error answer: `code SP administrator` and the message.
pub(super) fn server_error(body: &[u8]) -> Fault {
    let mut lines = body.split(|octet| *octet == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.next().unwrap_or_default();
    let digits = first.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let (code, rest) = first.split_at(digits);
    let rest = rest.trim_ascii();
    let code = std::str::from_utf8(code).ok().and_then(|code| code.parse::<u16>().ok());
    let lines: Vec<&[u8]> = lines.filter(|line| !matches!(*line, b"" | b".")).collect();

    let (kind, what) = match code {
        Some(1) => (FaultKind::NotFound, words!("the item is not available")),
        Some(2) => (FaultKind::Server, words!("the server is busy; try again later")),
        Some(3) => (FaultKind::Server, words!("the item has moved")),
        _ => (FaultKind::Server, words!("the server reports an error")),
    };
    let said = if lines.is_empty() { rest.to_vec() } else { lines.join(&b' ') };
    let mut fault = Fault::new(kind, "Gopher+ section 2.3", what).octets(&said);
    if let Some(code) = code {
        fault = fault.code(code);
    }
    if code == Some(3) {
        let places = std::iter::once(rest).chain(lines);
        if let Some(place) = places.map(MenuItem::parse).find(|item| !item.host.is_empty()) {
            let text = |octets: &[u8]| escape_for_display(octets).to_string();
            return fault.with_help(message!(
                "ask host {host}, port {port} for the selector \"{selector}\", type {gtype}",
                host = text(&place.host),
                port = text(&place.port),
                selector = text(&place.selector),
                gtype = text(std::slice::from_ref(&place.gtype)),
            ));
        }
    }
    if message_names_administrator(rest) {
        let who = escape_for_display(rest).to_string();
        return fault.with_help(message!("contact the administrator, {who}", who = who));
    }
    fault
}

fn message_names_administrator(rest: &[u8]) -> bool {
    rest.contains(&b'<') && rest.ends_with(b">")
}
