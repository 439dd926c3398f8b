//! The first line of a Gopher+ answer, and the error that may follow it: Gopher+ section 2.3.

use super::menu::MenuItem;
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
                    let what = "the announced length is too large";
                    return Some(Err(Fault::new(FaultKind::Malformed, "Gopher+ section 2.3", what).octets(line)));
                };
                Frame::Counted(count)
            }
        };
        Some(Ok(PlusHeader { is_error, frame }))
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
    let message: Vec<&[u8]> = lines.filter(|line| !matches!(*line, b"" | b".")).collect();

    let (kind, what) = match code {
        Some(1) => (FaultKind::NotFound, "the item is not available"),
        Some(2) => (FaultKind::Server, "the server is busy; try again later"),
        Some(3) => (FaultKind::Server, "the item has moved"),
        _ => (FaultKind::Server, "the server reports an error"),
    };
    let words = if message.is_empty() { rest.to_vec() } else { message.join(&b' ') };
    let mut fault = Fault::new(kind, "Gopher+ section 2.3", what).octets(&words);
    if let Some(code) = code {
        fault = fault.code(code);
    }
    if code == Some(3) {
        let places = std::iter::once(rest).chain(message);
        if let Some(place) = places.map(MenuItem::parse).find(|item| !item.host.is_empty()) {
            let (host, selector) = (escape_for_display(&place.host), escape_for_display(&place.selector));
            let (gtype, port) =
                (escape_for_display(std::slice::from_ref(&place.gtype)), escape_for_display(&place.port));
            return fault
                .with_help(format!("ask host {host}, port {port} for the selector \"{selector}\", type {gtype}"));
        }
    }
    if message_names_administrator(rest) {
        return fault.with_help(format!("contact the administrator, {}", escape_for_display(rest)));
    }
    fault
}

fn message_names_administrator(rest: &[u8]) -> bool {
    rest.contains(&b'<') && rest.ends_with(b">")
}
