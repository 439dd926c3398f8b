//! JSON output (docs/json.md): JSON Lines, fields in a fixed order, no raw controls.
//!
//! An encoded part is `{"raw", "decoded"}`; absent is `null`, empty is `{"raw": "", "decoded": ""}`. Octets that are not UTF-8
//! are never lost: a text that is not UTF-8 is `null`, and its octets are given in hex (`url_octets`,
//! `raw_octets`, `octets`). Everything is as written, including passwords: the reader has the text anyway.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::str;

use serde_json::{Map, Serializer, Value};
use urlwise::audit::Finding;
use urlwise::{Diagnosis, Part, Problem, Scheme, WaisForm};

use crate::explain::snippets;

/// One line of output.
pub(crate) type Object = Map<String, Value>;

/// Writes one object and a line end.
pub(crate) fn write_line(out: &mut dyn Write, object: &Object) -> io::Result<()> {
    write(out, object)?;
    out.write_all(b"\n")
}

/// Writes a value on one line, without a line end.
pub(crate) fn write(out: &mut dyn Write, value: &impl serde::Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(&mut *out, NoControls))?)
}

/// Like [`write_line`], to memory.
pub(crate) fn push_line(out: &mut Vec<u8>, object: &Object) {
    // Writing to memory cannot fail.
    let _ = write_line(out, object);
}

/// The path of a file; `null` for standard input.
pub(crate) fn path(object: &mut Object, path: Option<&Path>) {
    text(object, "path", path.map(|path| path.as_os_str().as_encoded_bytes()));
}

/// What `parse --json` prints about a text, with a limit on the number of problems.
///
/// Never longer than three times the text and 64 KiB: of a long text, parts are named in `omitted` instead of written.
pub(crate) fn url(diagnosis: &Diagnosis<'_>, most: usize) -> Object {
    let mut object = Object::new();
    text(&mut object, "url", Some(diagnosis.octets()));
    object.insert("profile".into(), diagnosis.profile().name().into());
    object.insert("valid".into(), diagnosis.is_valid().into());
    // A scheme name consists of letters, digits, `+`, `-` and `.`, so this is UTF-8.
    let scheme = diagnosis.scheme_name().and_then(|name| str::from_utf8(name).ok()).map(str::to_ascii_lowercase);
    let mut room = Room { left: PARTS + diagnosis.octets().len(), omitted: Vec::new() };
    let scheme = scheme.filter(|scheme| room.holds("scheme", scheme.len(), || diagnosis.scheme_span().unwrap_or(0..0)));
    object.insert("scheme".into(), scheme.into());
    object.insert("parts".into(), parts_in(diagnosis, &mut room).into());
    if !room.omitted.is_empty() {
        object.insert("omitted".into(), room.omitted.into());
    }
    problems(&mut object, diagnosis, most);
    object
}

/// The problems of a text, the worst if there are more than `most`, and how many are left out.
pub(crate) fn problems(object: &mut Object, diagnosis: &Diagnosis<'_>, most: usize) {
    let (chosen, more) = snippets::worst(diagnosis.problems().iter(), most);
    object.insert("problems".into(), chosen.into_iter().map(problem).collect());
    object.insert("more_problems".into(), more.into());
}

/// Of a mistake that is made at more places than this, the first places are listed.
pub(crate) const PLACES: usize = 20;

pub(crate) fn problem(problem: &Problem<'_>) -> Value {
    let span = problem.span();
    let mut object = Object::new();
    object.insert("code".into(), problem.code().into());
    object.insert("level".into(), problem.level().name().into());
    object.insert("span".into(), vec![span.start, span.end].into());
    object.insert("section".into(), problem.section().into());
    object.insert("decision".into(), problem.decision().into());
    object.insert("message".into(), problem.message().to_string().into());
    object.insert("help".into(), problem.help().map(|help| help.to_string()).into());
    places(&mut object, problem.spans(), problem.spans().count());
    object.into()
}

/// Where a mistake is made: the first places, and their number.
pub(crate) fn places(object: &mut Object, spans: impl Iterator<Item = Range<usize>>, count: usize) {
    let spans: Vec<_> = spans.take(PLACES).map(|span| Value::from(vec![span.start, span.end])).collect();
    object.insert("spans".into(), spans.into());
    object.insert("places".into(), count.into());
}

/// What the parts of a text may take beyond its own length, in octets of JSON.
const PARTS: usize = 40 << 10;

/// How much may still be written of a text, and which of its parts could not.
struct Room {
    left: usize,
    omitted: Vec<Value>,
}

impl Room {
    /// Takes the room for a part of this length, or notes that the part is omitted.
    fn holds(&mut self, name: &str, length: usize, span: impl FnOnce() -> Range<usize>) -> bool {
        /// The name of a field, quotes and brackets.
        const FRAME: usize = 32;
        match self.left.checked_sub(length + FRAME) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.omit(name, span());
                false
            }
        }
    }

    fn omit(&mut self, name: &str, span: Range<usize>) {
        self.omitted.push(omitted_part(name, &span));
    }
}

fn omitted_part(name: &str, span: &Range<usize>) -> Value {
    let mut object = Object::new();
    object.insert("name".into(), name.into());
    object.insert("span".into(), vec![span.start, span.end].into());
    object.into()
}

/// The list of what is omitted, where that is one field.
pub(crate) fn omitted(name: &str, span: Range<usize>) -> Value {
    vec![omitted_part(name, &span)].into()
}

/// How long octets are in JSON, as text or in hex.
pub(crate) fn length(octets: &[u8]) -> usize {
    match str::from_utf8(octets) {
        Ok(text) => text
            .chars()
            .map(|c| {
                if urlwise::is_harmful(c) {
                    6 * c.len_utf16()
                } else {
                    c.len_utf8() + usize::from(matches!(c, '"' | '\\'))
                }
            })
            .sum(),
        Err(_) => 2 * octets.len(),
    }
}

/// A finding of the audit, in the shape of a problem.
pub(crate) fn finding(finding: &Finding<'_>) -> Object {
    let span = finding.span();
    let mut object = Object::new();
    object.insert("code".into(), finding.code().into());
    object.insert("level".into(), finding.level().name().into());
    object.insert("span".into(), vec![span.start, span.end].into());
    object.insert("section".into(), finding.section().into());
    object.insert("decision".into(), finding.decision().into());
    object.insert("message".into(), finding.message().to_string().into());
    object.insert("help".into(), finding.help().to_string().into());
    object
}

/// The parts of the scheme by name, for callers that take the values from the diagnosis: long ones are null.
pub(crate) fn outline(diagnosis: &Diagnosis<'_>) -> Object {
    /// Lists as long as most are, and no memory for others.
    const SHORT: usize = 4 << 10;
    parts_in(diagnosis, &mut Room { left: SHORT, omitted: Vec::new() })
}

/// All parts of the scheme in their fixed order, then those that only some texts have. Empty if the scheme could not be read.
/// What does not fit in the room is null.
fn parts_in(diagnosis: &Diagnosis<'_>, room: &mut Room) -> Object {
    let mut o = Parts { diagnosis, room, object: Object::new() };
    let Some(scheme) = diagnosis.scheme() else {
        return o.object;
    };
    match scheme.base() {
        Scheme::Mailto => {
            o.encoded("address");
            o.decoded("local");
            o.decoded("domain");
        }
        Scheme::News => {
            let kinds = [("group", "group"), ("unique", "article"), ("all", "all")];
            let kind = kinds.iter().find(|(part, _)| o.part(part).is_some());
            o.insert("kind", kind.map(|(_, kind)| *kind));
            o.plain("group");
            o.encoded("unique");
            o.plain("host");
        }
        Scheme::Wais => {
            let forms = [("search", WaisForm::Index), ("wtype", WaisForm::Doc), ("database", WaisForm::Database)];
            let form = forms.iter().find(|(part, _)| o.part(part).is_some());
            o.insert("form", form.map(|(_, form)| form.name()));
            o.all(scheme);
        }
        Scheme::File => {
            o.plain("host");
            let host = o.part("host").map(|host| host.octets()).unwrap_or_default();
            o.insert("local", host.is_empty() || host.eq_ignore_ascii_case(b"localhost"));
            o.list("segments", encoded);
        }
        Scheme::Other => {
            o.encoded("schemepart");
            let ip = o.part("host").map(|_| {
                let mut ip = Parts { diagnosis, room: &mut *o.room, object: Object::new() };
                ip.login();
                ip.encoded("urlpath");
                ip.object
            });
            o.insert("ip", ip);
        }
        // The definition of the scheme has everything.
        scheme => o.all(scheme),
    }
    o.extras();
    o.object
}

/// The object of the parts while it grows.
struct Parts<'d, 'a, 'r> {
    diagnosis: &'d Diagnosis<'a>,
    room: &'r mut Room,
    object: Object,
}

impl<'d> Parts<'d, '_, '_> {
    fn part(&self, name: &str) -> Option<Part<'d>> {
        self.diagnosis.parts().find(|part| part.name() == name)
    }

    fn insert(&mut self, name: &str, value: impl Into<Value>) {
        self.object.insert(name.into(), value.into());
    }

    /// The parts in the scheme's definition; those of the profile `current` only are left to [`Parts::extras`].
    fn all(&mut self, scheme: Scheme) {
        let first = scheme.base().since();
        for part in scheme.parts().iter().filter(|part| part.is_allowed() && part.profile() <= first) {
            match part.contract_name() {
                "host" => self.hostport(),
                "port" => {}
                name if part.value_rule().is_some() => self.list(name, field),
                name if part.is_list() => self.list(name, encoded),
                name if part.is_encoded() => self.encoded(name),
                name => self.plain(name),
            }
        }
    }

    /// The part, if it is there and fits; `length` is that of its JSON.
    fn fitting(&mut self, name: &str, length: impl FnOnce(&Part<'d>) -> usize) -> Option<Part<'d>> {
        let part = self.part(name)?;
        let length = length(&part);
        self.room.holds(name, length, || part.span()).then_some(part)
    }

    fn plain(&mut self, name: &str) {
        let part = self.fitting(name, |part| length(part.octets()));
        text(&mut self.object, name, part.map(|part| part.octets()));
    }

    fn encoded(&mut self, name: &str) {
        let part = self.fitting(name, encoded_length).map(|part| encoded(&part));
        self.insert(name, part);
    }

    fn decoded(&mut self, name: &str) {
        let part = self.fitting(name, |part| length(&part.decode()));
        text(&mut self.object, name, part.map(|part| part.decode()).as_deref());
    }

    fn list(&mut self, name: &str, element: impl Fn(&Part<'_>) -> Value) {
        let elements = || self.diagnosis.parts().filter(|part| part.name() == name);
        let mut list = Vec::new();
        let mut left = self.room.left;
        for part in elements() {
            /// Names, quotes, brackets and a comma.
            const FRAME: usize = 64;
            match left.checked_sub(encoded_length(&part) + FRAME) {
                Some(rest) => left = rest,
                None => {
                    let end = elements().last().map_or(part.span().end, |last| last.span().end);
                    let start = elements().next().map_or(part.span().start, |first| first.span().start);
                    self.room.omit(name, start..end);
                    return self.insert(name, Value::Null);
                }
            }
            list.push(element(&part));
        }
        self.room.left = left;
        self.insert(name, list);
    }

    fn login(&mut self) {
        self.encoded("user");
        self.encoded("password");
        self.hostport();
    }

    fn hostport(&mut self) {
        self.plain("host");
        let kind = self.part("host").map(|_| self.diagnosis.host_kind().name());
        self.insert("host_kind", kind);
        self.plain("port");
        let number = port_or_default(self.diagnosis);
        self.insert("port_number", number);
    }

    /// Parts of this text that the scheme does not have in RFC 1738: a forbidden login, and parts that only the profile `current`
    /// has.
    fn extras(&mut self) {
        let in_ip = self.object.get("ip").is_some_and(Value::is_object);
        let is_extra = |o: &Self, name: &str| !in_ip && !o.object.contains_key(name) && o.part(name).is_some();
        if is_extra(self, "user") {
            self.encoded("user");
            self.encoded("password");
        }
        for name in ["server", "port"] {
            if is_extra(self, name) {
                self.plain(name);
            }
        }
        if self.part("headers").is_some() {
            self.list("headers", field);
        }
        if self.part("query").is_some() {
            self.encoded("query");
        }
    }
}

/// The port, or the default of the scheme; `None` if the text is not a valid port.
pub(crate) fn port_or_default(diagnosis: &Diagnosis<'_>) -> Option<u16> {
    let written = diagnosis.parts().find(|part| part.name() == "port");
    let is_port = |digits: &[u8]| {
        let text = str::from_utf8(digits).unwrap_or_default();
        digits.is_empty() || digits.iter().all(u8::is_ascii_digit) && text.parse::<u16>().is_ok()
    };
    diagnosis.port_or_default().filter(|_| written.is_none_or(|port| is_port(port.octets())))
}

fn encoded_length(part: &Part<'_>) -> usize {
    length(part.octets()) + length(&part.decode())
}

fn encoded(part: &Part<'_>) -> Value {
    encoded_octets(part.octets(), &part.decode()).into()
}

pub(crate) fn encoded_octets(raw: &[u8], decoded: &[u8]) -> Object {
    let mut object = Object::new();
    text(&mut object, "raw", Some(raw));
    match str::from_utf8(decoded) {
        Ok(decoded) => {
            object.insert("decoded".into(), decoded.into());
        }
        Err(_) => {
            object.insert("decoded".into(), Value::Null);
            object.insert("octets".into(), hex(decoded).into());
        }
    }
    object
}

/// `{"name", "value"}`; a field without `=` has no value.
fn field(part: &Part<'_>) -> Value {
    let written = |span: Range<usize>| {
        let start = part.span().start;
        part.octets().get(span.start - start..span.end - start).unwrap_or_default()
    };
    let value = |raw: &[u8]| Value::from(encoded_octets(raw, &urlwise::decode(raw)));
    let (name, field_value) = part.field().unwrap_or((part.span(), None));
    let mut object = Object::new();
    object.insert("name".into(), value(written(name)));
    object.insert("value".into(), field_value.map(|span| value(written(span))).into());
    object.into()
}

/// A string; if it is not UTF-8, `null`, and its octets in hex in the field `NAME_octets`.
pub(crate) fn text(object: &mut Object, name: &str, octets: Option<&[u8]>) {
    /// Shorter texts are written as text.
    const LONG: usize = 4 << 10;
    let is_text = |octets: &&[u8]| octets.len() <= LONG || length(octets) <= 2 * octets.len();
    let written = octets.filter(is_text).map(str::from_utf8).and_then(Result::ok);
    object.insert(name.into(), written.into());
    if let (Some(octets), None) = (octets, written) {
        object.insert(format!("{name}_octets"), hex(octets).into());
    }
}

/// Two lower-case digits per octet.
pub(crate) fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::with_capacity(octets.len() * 2), |mut text, octet| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{octet:02x}");
        text
    })
}

/// Escapes everything that could harm a terminal; JSON itself only requires C0.
struct NoControls;

impl serde_json::ser::Formatter for NoControls {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain = 0;
        for (at, harmful) in fragment.char_indices().filter(|(_, c)| urlwise::is_harmful(*c)) {
            out.write_all(&fragment.as_bytes()[plain..at])?;
            for unit in harmful.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            plain = at + harmful.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[plain..])
    }
}
