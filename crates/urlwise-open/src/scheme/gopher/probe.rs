//! Probing gopher: the beginning of the answer shows whether it is an error (D-102).

use super::GopherVisit;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::words;
use crate::probe::{Cause, Probe, ProbeBody, ProbeVerdict};
use crate::protocol::gopher::{GopherMachine, GopherRequest, ItemType, Opens, Transfer};
use crate::resource::Resource;
use urlwise::Words;

/// How much of an answer is read to judge it, in octets.
const JUDGED: usize = 512;

/// The type of an item that is read as octets.
const BINARY: u8 = b'9';

pub(super) fn probe(visit: &GopherVisit<'_, '_>) -> Result<Probe, Error> {
    let item_type = ItemType::of(visit.request.gtype);
    let needs_words =
        item_type.opens == Opens::Search && visit.request.search.as_deref().unwrap_or_default().is_empty();
    let probe = match asked(visit, item_type) {
        Ok(probe) => probe,
        // The server may fail, but it has no other way to say that there is no such item.
        Err(error) if is_error_item(&error) => Probe::failed(Cause::NotFound, error),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Server) => Probe::from(error),
        Err(error) => return Err(error),
    };
    Ok(match probe.error {
        // A search without words may well be refused.
        Some(error) if needs_words && probe.verdict != ProbeVerdict::Refused => Probe::failed(Cause::NeedsInput, error),
        error => Probe { error, ..probe },
    })
}

/// Whether the answer was an item of type 3 and nothing else.
fn is_error_item(error: &Error) -> bool {
    error.kind() == ErrorKind::Server && error.reference() == Some(ERROR_ITEM)
}

/// The rule about items of type 3.
const ERROR_ITEM: &str = "RFC 1436 section 3.8";

fn asked(visit: &GopherVisit<'_, '_>, item_type: &ItemType) -> Result<Probe, Error> {
    let is_menu = item_type.transfer == Transfer::Menu;
    let opened = match visit.plus {
        // The lines of a menu are judged as octets, as any other answer.
        None if is_menu => {
            let request = GopherRequest { gtype: BINARY, ..visit.request.clone() };
            visit.hold(GopherMachine::new(request, visit.call.context.gopher))?.resource(visit.url())?
        }
        _ => visit.open()?,
    };
    let Resource::Document(document) = opened else { return opened.probed(None) };
    let limit = visit.call.options().body_limit;
    let (body, notes) = document.beginning(limit.unwrap_or_default().max(JUDGED))?;
    let begin = &body.octets[..body.octets.len().min(JUDGED)];
    let is_whole = body.is_complete && begin.len() == body.octets.len();
    let judged = match fault(begin, is_menu, is_whole) {
        Some((cause, what)) => Probe::failed(cause, Error::new(ErrorKind::Server, what).with_reference(ERROR_ITEM)),
        None => Probe { body: limit.filter(|_| !is_menu).map(|limit| cut(body, limit)), ..Probe::alive() },
    };
    Ok(notes.into_iter().fold(judged, Probe::noting))
}

fn cut(mut body: ProbeBody, limit: usize) -> ProbeBody {
    body.is_complete &= body.octets.len() <= limit;
    body.octets.truncate(limit);
    body
}

/// What the beginning of an answer says against the item; `None` if nothing.
fn fault(begin: &[u8], is_menu: bool, is_whole: bool) -> Option<(Cause, Words)> {
    const WORDS: &[u8] = b"error:";
    const MISSING: &[&str] = &["not found", "does not exist", "doesn't exist", "no such"];
    let mut lines = begin.split(|octet| *octet == b'\n').map(<[u8]>::trim_ascii_end);
    let first = lines.next().unwrap_or_default();
    let is_error_item = |line: &[u8]| line.starts_with(b"3") && line.contains(&b'\t');
    let says_nothing = |line: &[u8]| matches!(line, b"" | b"." | [b'i', ..]) || is_error_item(line);
    if is_menu && is_whole && is_error_item(first) && lines.all(says_nothing) {
        return Some((Cause::NotFound, words!("the menu consists of an error")));
    }
    if !first.get(..WORDS.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORDS)) || first.contains(&b'\t') {
        return None;
    }
    let words = first.to_ascii_lowercase();
    let words = String::from_utf8_lossy(&words);
    Some(match MISSING.iter().any(|missing| words.contains(missing)) {
        true => (Cause::NotFound, words!("the answer is the message that there is no such item")),
        false => (Cause::Rejected, words!("the answer is an error message")),
    })
}

#[cfg(test)]
mod tests {
    use super::{JUDGED, fault};
    use crate::probe::Cause;

    #[test]
    fn an_error_is_known_by_its_first_line_and_only_if_nothing_else_is_there() {
        let missing = Some(Cause::NotFound);
        for (begin, in_menu, in_document) in [
            (&b"3Not here\tfake\t(NULL)\t0\r\n.\r\n"[..], missing, None),
            (b"3Not here\tfake\t(NULL)\t0\r\niSorry\t\t\t\r\n", missing, None),
            (b"3Not here\tfake\t(NULL)\t0\r\n0Other\t/x\th\t70\r\n.\r\n", None, None),
            (b"0Item\t/x\th\t70\r\n3Not here\tfake\t(NULL)\t0\r\n.\r\n", None, None),
            (b"3 ways to cook\r\n", None, None),
            (b"Error: File or directory not found! (null)\r\n____\r\n", missing, missing),
            (b"error: no such file\n", missing, missing),
            (b"Error: Access denied!\r\n", Some(Cause::Rejected), Some(Cause::Rejected)),
            (b"Error: a\tb\th\t70\r\n", None, None),
            (b"Errors\r\n", None, None),
            (b"", None, None),
        ] {
            let cause = |is_menu| fault(begin, is_menu, true).map(|(cause, _)| cause);
            assert_eq!((cause(true), cause(false)), (in_menu, in_document), "{}", begin.escape_ascii());
        }
        // More may follow.
        assert_eq!(fault(b"3Not here\tfake\t(NULL)\t0\r\n", true, false), None);
        assert_eq!(JUDGED, 512);
    }
}
