//! What `parse --json` says of a text: its parts and its problems.

use std::borrow::Cow;
use std::ops::Range;
use std::str;

use urlwise::{Diagnosis, Level, Part, Problem};
use urlwise_explain::outline::{self, Element, Entry, Field};
use urlwise_explain::secret::Secrets;
use urlwise_explain::snippets;

use super::fields::{Displayed, Fields, Json, PIECE, are_plain, object};
use super::{PLACES, length};
use crate::input::{STDIN, TooLong};
use crate::language::language;

/// Writes the fields of a text, with at most so many problems, and with these passwords masked; spans stay those of the text.
///
/// Never longer than three times the text and 64 KiB: of a long text, parts are named in `omitted` instead of written.
pub(crate) fn url(object: &mut Fields<'_>, diagnosis: &Diagnosis<'_>, most: usize, secrets: &Secrets) {
    let octets = diagnosis.octets();
    object.text("url", Some(&secrets.covered(octets, 0..octets.len())));
    object.field("profile", diagnosis.profile().name());
    object.field("valid", diagnosis.is_valid());
    let text = Text { diagnosis, secrets };
    let mut room = Room::of(diagnosis);
    // A scheme name consists of letters, digits, `+`, `-` and `.`, so this is UTF-8.
    let scheme = diagnosis.scheme_name().and_then(|name| str::from_utf8(name).ok());
    let scheme =
        scheme.filter(|scheme| room.holds("scheme", || scheme.len(), || diagnosis.scheme_span().unwrap_or(0..0)));
    match scheme {
        Some(scheme) if scheme.bytes().any(|octet| octet.is_ascii_uppercase()) => {
            object.field("scheme", scheme.to_ascii_lowercase().as_str());
        }
        scheme => object.field("scheme", scheme),
    }
    object.object("parts", |object| parts(object, &text, outline::of(diagnosis), &mut room));
    if !room.omitted.is_empty() {
        object.objects("omitted", room.omitted, |object, (name, span)| {
            object.field("name", name);
            object.field("span", span);
        });
    }
    problems(object, diagnosis, most);
}

/// Writes the problems of a text, the worst if there are more than `most`, and how many are left out.
pub(crate) fn problems(object: &mut Fields<'_>, diagnosis: &Diagnosis<'_>, most: usize) {
    let (chosen, more) = snippets::worst(diagnosis.problems().iter(), most, Problem::level);
    object.objects("problems", chosen, problem);
    object.field("more_problems", more);
}

/// Writes the fields of a problem.
pub(crate) fn problem(object: &mut Fields<'_>, problem: &Problem<'_>) {
    let source = (problem.section(), problem.decision());
    let message = Displayed(problem.message_in(language()));
    let help = problem.help_in(language()).map(Displayed);
    super::said(object, problem.code(), problem.level(), problem.span(), source, message, help);
    object.array("spans", problem.spans().take(PLACES));
    object.field("places", problem.spans().count());
}

/// Writes all that is known of a line that was too long to be kept, in every command.
pub(crate) fn too_long(object: &mut Fields<'_>, line: &TooLong<'_>) {
    object.field("url", None::<bool>);
    object.field("valid", false);
    object.objects("problems", TooLong::code(), |object, row| {
        let message = line.text().into_text(language());
        let source = (row.section, Some(TooLong::DECISION));
        super::said(object, row.code, Level::Error, TooLong::SPAN, source, &*message, None::<bool>);
        object.array("spans", [TooLong::SPAN]);
        object.field("places", 1_usize);
    });
    object.field("more_problems", 0_usize);
    let place = line.place();
    object.string("path", Some(place.file).filter(|file| *file != STDIN));
    object.field("line", place.number);
}

/// What the parts of a text may take beyond its own length, in octets of JSON.
const PARTS: usize = 40 << 10;
/// The parts of a text of this length always have room, whatever they are.
const SHORT: usize = 256;
/// So many parts may share an octet.
const SHARED: usize = 5;
/// What an octet takes at most, raw and decoded, and what it takes if it is no control character.
const OCTET: usize = 12;
const PRINTED: usize = 6;
/// What each element of a list takes beside: names, quotes, brackets and a comma.
const ELEMENT: usize = 64;

/// How much may still be written of a text, and which of its parts could not.
struct Room {
    left: usize,
    /// Nothing has to be measured.
    is_ample: bool,
    omitted: Vec<(&'static str, Range<usize>)>,
}

impl Room {
    /// The name of a field, quotes and brackets.
    const FRAME: usize = 32;

    /// What the parts of a text have.
    fn of(diagnosis: &Diagnosis<'_>) -> Room {
        let octets = diagnosis.octets();
        let left = PARTS + octets.len();
        let rest = left.checked_sub(SHARED * PRINTED * octets.len());
        let has_control = || octets.iter().fold(false, |found, octet| found | octet.is_ascii_control());
        let has_few_parts = |rest: usize| diagnosis.parts().nth(rest / ELEMENT).is_none();
        let is_ample = octets.len() <= SHORT || rest.is_some_and(|rest| has_few_parts(rest) && !has_control());
        Room { left, is_ample, omitted: Vec::new() }
    }

    /// Takes the room for a part of this length, or notes that the part is omitted.
    fn holds(
        &mut self,
        name: &'static str,
        length: impl FnOnce() -> usize,
        span: impl FnOnce() -> Range<usize>,
    ) -> bool {
        if self.is_ample {
            return true;
        }
        match self.left.checked_sub(length() + Room::FRAME) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.omitted.push((name, span()));
                false
            }
        }
    }
}

/// A text and what is not shown of it.
struct Text<'t, 'a> {
    diagnosis: &'t Diagnosis<'a>,
    secrets: &'t Secrets,
}

impl<'a> Text<'_, 'a> {
    /// A span as written, masked.
    fn written(&self, span: Range<usize>) -> Cow<'a, [u8]> {
        self.secrets.covered(self.diagnosis.octets(), span)
    }

    /// A part as written and decoded, masked.
    fn encoded(&self, part: &Part<'a>) -> Encoded<'a> {
        match self.written(part.span()) {
            Cow::Borrowed(raw) => Encoded { raw: Cow::Borrowed(raw), other: other(part.decode()) },
            raw @ Cow::Owned(_) => Encoded::of(raw),
        }
    }
}

/// What does not fit in the room is null.
fn parts<'a>(object: &mut Fields<'_>, text: &Text<'_, 'a>, outline: Vec<Entry<'a>>, room: &mut Room) {
    for (name, field) in outline {
        match field {
            Field::Plain(part) => {
                let part = part.filter(|part| room.holds(name, || length(part.octets()), || part.span()));
                object.text(name, part.map(|part| text.written(part.span())).as_deref());
            }
            Field::Encoded(Some(part)) => {
                // What is too long as it is written need not be decoded. An octet takes six at most.
                let may_be_long = !room.is_ample && 6 * part.span().len() > room.left;
                let is_long = may_be_long && length(&text.written(part.span())) > room.left;
                let encoded = (!is_long).then(|| text.encoded(&part));
                let length = || encoded.as_ref().map_or(usize::MAX - Room::FRAME, Encoded::length);
                match room.holds(name, length, || part.span()) {
                    true => object.field(name, encoded),
                    false => object.field(name, None::<bool>),
                }
            }
            Field::Encoded(None) => object.field(name, None::<bool>),
            Field::Decoded(part) => {
                let part = part.map(|part| (part.span(), text.encoded(&part)));
                let part = part.filter(|(span, part)| room.holds(name, || length(part.decoded()), || span.clone()));
                object.text(name, part.as_ref().map(|(_, part)| part.decoded()));
            }
            Field::List(element) => list(object, name, element, text, room),
            Field::Kind(kind) | Field::HostKind(kind) => object.field(name, kind),
            Field::PortNumber(port) => object.field(name, port),
            Field::Local(is_local) => object.field(name, is_local),
            Field::Parts(Some(inner)) => object.object(name, |object| parts(object, text, inner, room)),
            Field::Parts(None) => object.field(name, None::<bool>),
        }
    }
}

fn list(object: &mut Fields<'_>, name: &'static str, element: Element, text: &Text<'_, '_>, room: &mut Room) {
    let elements = || text.diagnosis.parts().filter(|part| part.name() == name);
    let taken = |part: &Part<'_>| text.encoded(part).length() + ELEMENT;
    let (mut least, mut most) = (0, 0);
    let may_fit = room.is_ample
        || elements().all(|part| {
            least += ELEMENT;
            most += OCTET * part.span().len() + ELEMENT;
            least <= room.left
        });
    // Most have room whatever they take, and are measured while they are written, if that matters.
    let is_measured_later = !room.is_ample && most <= room.left;
    let left = match may_fit {
        true if room.is_ample || is_measured_later => Some(room.left),
        true => elements().try_fold(room.left, |left, part| left.checked_sub(taken(&part))),
        false => None,
    };
    let Some(mut left) = left else {
        let start = elements().next().map_or(0, |first| first.span().start);
        let end = elements().last().map_or(start, |last| last.span().end);
        room.omitted.push((name, start..end));
        return object.field(name, None::<bool>);
    };
    match element {
        Element::Encoded => object.array(
            name,
            elements().map(|part| {
                let encoded = text.encoded(&part);
                if is_measured_later {
                    left = left.saturating_sub(encoded.length() + ELEMENT);
                }
                encoded
            }),
        ),
        Element::Pair => object.objects(name, elements(), |object, part| {
            if is_measured_later {
                left = left.saturating_sub(taken(&part));
            }
            pair(object, text, &part);
        }),
    }
    room.left = left;
}

/// `{"name", "value"}`; a field without `=` has no value.
fn pair(object: &mut Fields<'_>, text: &Text<'_, '_>, part: &Part<'_>) {
    let written = |span: Range<usize>| Encoded::of(text.written(span));
    let (name, value) = part.field().unwrap_or((part.span(), None));
    object.field("name", written(name));
    object.field("value", value.map(written));
}

/// A part as written and decoded.
struct Encoded<'a> {
    raw: Cow<'a, [u8]>,
    /// The decoded octets if these are others.
    other: Option<Vec<u8>>,
}

impl<'a> Encoded<'a> {
    fn of(raw: Cow<'a, [u8]>) -> Self {
        let other = other(urlwise::decode(&raw));
        Encoded { raw, other }
    }

    fn decoded(&self) -> &[u8] {
        self.other.as_deref().unwrap_or(&self.raw)
    }

    fn length(&self) -> usize {
        match &self.other {
            Some(decoded) => length(&self.raw) + length(decoded),
            None => 2 * length(&self.raw),
        }
    }
}

/// What was decoded, if it is not borrowed as it is written.
fn other(decoded: Cow<'_, [u8]>) -> Option<Vec<u8>> {
    match decoded {
        Cow::Borrowed(_) => None,
        Cow::Owned(decoded) => Some(decoded),
    }
}

impl Json for Encoded<'_> {
    fn json(self, out: &mut Vec<u8>) {
        let (raw, decoded) = (&*self.raw, self.decoded());
        // What most parts are: both are written in one go.
        if are_plain(raw) && (std::ptr::eq(raw, decoded) || are_plain(decoded)) {
            out.reserve(raw.len() + decoded.len() + 24);
            out.extend_from_slice(b"{\"raw\":\"");
            out.extend_from_slice(raw);
            out.extend_from_slice(b"\",\"decoded\":\"");
            out.extend_from_slice(decoded);
            return out.extend_from_slice(b"\"}");
        }
        // What is decoded as it is written is escaped once.
        if let Some(text) = super::writable(raw).filter(|text| std::ptr::eq(raw, decoded) && text.len() <= PIECE) {
            out.extend_from_slice(b"{\"raw\":");
            let start = out.len();
            text.json(out);
            let written = start..out.len();
            out.extend_from_slice(b",\"decoded\":");
            out.extend_from_within(written);
            return out.push(b'}');
        }
        object(out, |object| encoded(object, raw, decoded));
    }
}

/// Writes the fields of octets as written and decoded.
pub(crate) fn encoded(object: &mut Fields<'_>, raw: &[u8], decoded: &[u8]) {
    object.text("raw", Some(raw));
    self::decoded(object, decoded);
}

/// Writes the field of the decoded octets; of those that are not UTF-8, two.
pub(crate) fn decoded(object: &mut Fields<'_>, decoded: &[u8]) {
    if are_plain(decoded) {
        return object.text("decoded", Some(decoded));
    }
    let text = str::from_utf8(decoded).ok();
    object.string("decoded", text);
    if text.is_none() {
        object.hex("octets", decoded);
    }
}

#[cfg(test)]
mod tests {
    use urlwise::{Profile, diagnose};

    use super::*;

    #[test]
    fn parts_that_are_not_measured_fit_in_their_room() {
        let starts =
            ["http://h/", "http://h/?", "ftp://h/", "gopher://h/1", "mailto:", "mailto:a@b?", "prospero://h/x;", "x:"];
        let units = [
            "a",
            "a/",
            "&a=b",
            ";a=b",
            ",a@b",
            "\"",
            "%00",
            "%22",
            "\u{1}",
            "\u{85}",
            "\u{200d}",
            "\u{e0001}",
            "u:p@h//",
        ];
        let mut ample = 0;
        for (start, unit) in starts.iter().flat_map(|start| units.map(|unit| (start, unit))) {
            for length in [257, 400, 700, 1024, 1390, 1420, 2000, 9000] {
                let text = format!("{start}{}", unit.repeat(length / unit.len()));
                let diagnosis = diagnose(&text, Profile::Current);
                let secrets = Secrets::of_url(text.as_bytes(), false);
                let mut out = Vec::new();
                let text = Text { diagnosis: &diagnosis, secrets: &secrets };
                let mut room = Room::of(&diagnosis);
                object(&mut out, |object| parts(object, &text, outline::of(&diagnosis), &mut room));
                if room.is_ample {
                    ample += 1;
                    // Besides, names of parts that are not there.
                    assert!(
                        out.len() <= room.left + 1024,
                        "{length} octets of {unit:?} behind {start} take {}",
                        out.len()
                    );
                    continue;
                }
                // What is left is what the parts that were written left, so a part that was omitted had no room.
                let taken = PARTS + diagnosis.octets().len() - room.left;
                assert!(out.len() <= taken + 1024, "{length} octets of {unit:?} behind {start}");
            }
        }
        assert!(ample > 100, "{ample}");
    }
}
