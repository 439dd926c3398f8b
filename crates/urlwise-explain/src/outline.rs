//! The parts of a text in the order of the contract (docs/json.md), for the JSON and the table of `parse`.

use std::str;

use urlwise::{Diagnosis, HostKind, Part, Scheme, WaisForm};

/// The name of a field and what it holds.
pub type Entry<'a> = (&'static str, Field<'a>);

/// What a field holds. A part that the text does not have is `None`.
pub enum Field<'a> {
    /// A part that takes no escapes, as written.
    Plain(Option<Part<'a>>),
    /// A part as written and decoded.
    Encoded(Option<Part<'a>>),
    /// A part, decoded only.
    Decoded(Option<Part<'a>>),
    /// The parts of that name.
    List(Element),
    /// What kind of URL it is.
    Kind(Option<&'static str>),
    /// What kind of host it has.
    HostKind(Option<&'static str>),
    /// The port in force.
    PortNumber(Option<u16>),
    /// Whether a file is on the machine itself.
    Local(bool),
    /// The parts of another syntax that the text may have.
    Parts(Option<Vec<Entry<'a>>>),
}

/// The elements of a list.
#[derive(Clone, Copy)]
pub enum Element {
    /// Encoded parts.
    Encoded,
    /// `name=value`.
    Pair,
}

/// All parts of the scheme in their fixed order, then those that only some texts have. Empty if the scheme could not be read.
pub fn of<'a>(diagnosis: &Diagnosis<'a>) -> Vec<Entry<'a>> {
    let Some(scheme) = diagnosis.scheme() else {
        return Vec::new();
    };
    let mut parts = Vec::with_capacity(MOST);
    // Of a list, that there is one is all that matters here.
    parts.extend(diagnosis.parts().filter(|part| part.index().unwrap_or(0) == 0));
    let mut outline = Outline { diagnosis, parts, entries: Vec::with_capacity(MOST) };
    outline.scheme(scheme);
    outline.extras();
    outline.entries
}

/// Hardly a scheme has more parts.
const MOST: usize = 12;

struct Outline<'d, 'a> {
    diagnosis: &'d Diagnosis<'a>,
    /// The parts of the text, of a list the first.
    parts: Vec<Part<'a>>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Outline<'_, 'a> {
    fn part(&self, name: &str) -> Option<Part<'a>> {
        self.parts.iter().find(|part| part.name() == name).copied()
    }

    fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(known, _)| *known == name)
    }

    fn push(&mut self, name: &'static str, field: Field<'a>) {
        self.entries.push((name, field));
    }

    fn plain(&mut self, name: &'static str) {
        self.push(name, Field::Plain(self.part(name)));
    }

    fn encoded(&mut self, name: &'static str) {
        self.push(name, Field::Encoded(self.part(name)));
    }

    fn decoded(&mut self, name: &'static str) {
        self.push(name, Field::Decoded(self.part(name)));
    }

    fn scheme(&mut self, scheme: Scheme) {
        match scheme.base() {
            Scheme::Mailto => {
                self.encoded("address");
                self.decoded("local");
                self.decoded("domain");
            }
            Scheme::News => {
                let kinds = [("group", "group"), ("unique", "article"), ("all", "all")];
                let kind = kinds.iter().find(|(part, _)| self.part(part).is_some());
                self.push("kind", Field::Kind(kind.map(|(_, kind)| *kind)));
                self.plain("group");
                self.encoded("unique");
                self.plain("host");
            }
            Scheme::Wais => {
                let forms = [("search", WaisForm::Index), ("wtype", WaisForm::Doc), ("database", WaisForm::Database)];
                let form = forms.iter().find(|(part, _)| self.part(part).is_some());
                self.push("form", Field::Kind(form.map(|(_, form)| form.name())));
                self.all(scheme);
            }
            Scheme::File => {
                self.plain("host");
                let host = self.part("host").map(|host| host.octets()).unwrap_or_default();
                self.push("local", Field::Local(host.is_empty() || host.eq_ignore_ascii_case(b"localhost")));
                self.push("segments", Field::List(Element::Encoded));
            }
            Scheme::Other => {
                self.encoded("schemepart");
                let ip = self.part("host").map(|_| self.ip());
                self.push("ip", Field::Parts(ip));
            }
            // The definition of the scheme has everything.
            scheme => self.all(scheme),
        }
    }

    /// The parts in the scheme's definition; those of the profile `current` only are left to [`Outline::extras`].
    fn all(&mut self, scheme: Scheme) {
        let first = scheme.base().since();
        for part in scheme.parts().iter().filter(|part| part.is_allowed() && part.profile() <= first) {
            match part.contract_name() {
                "host" => self.hostport(),
                "port" => {}
                name if part.value_rule().is_some() => self.push(name, Field::List(Element::Pair)),
                name if part.is_list() => self.push(name, Field::List(Element::Encoded)),
                name if part.is_encoded() => self.encoded(name),
                name => self.plain(name),
            }
        }
    }

    /// The parts of the common syntax of Internet schemes.
    fn ip(&mut self) -> Vec<Entry<'a>> {
        let outer = std::mem::take(&mut self.entries);
        self.encoded("user");
        self.encoded("password");
        self.hostport();
        self.encoded("urlpath");
        std::mem::replace(&mut self.entries, outer)
    }

    fn hostport(&mut self) {
        self.plain("host");
        let kind = self.diagnosis.host_kind().map(HostKind::name);
        self.push("host_kind", Field::HostKind(kind));
        self.plain("port");
        self.push("port_number", Field::PortNumber(port_in_force(self.diagnosis, self.part("port"))));
    }

    /// Parts of this text that the scheme does not have in RFC 1738: a forbidden login, and parts that only the profile `current`
    /// has.
    fn extras(&mut self) {
        let in_ip = matches!(self.entries.last(), Some((_, Field::Parts(Some(_)))));
        let is_extra = |o: &Self, name: &str| !in_ip && !o.has(name) && o.part(name).is_some();
        if is_extra(self, "user") {
            self.encoded("user");
            self.encoded("password");
        }
        for name in ["server", "port"] {
            if is_extra(self, name) {
                self.plain(name);
            }
        }
        if self.part("headers").is_some() && !self.has("headers") {
            self.push("headers", Field::List(Element::Pair));
        }
        if self.part("query").is_some() && !self.has("query") {
            self.encoded("query");
        }
    }
}

/// The port, or the default of the scheme; `None` if the text is not a valid port.
pub fn port_or_default(diagnosis: &Diagnosis<'_>) -> Option<u16> {
    port_in_force(diagnosis, diagnosis.parts().find(|part| part.name() == "port"))
}

/// The same, where the part is known.
pub(crate) fn port_in_force(diagnosis: &Diagnosis<'_>, written: Option<Part<'_>>) -> Option<u16> {
    let is_port = |digits: &[u8]| {
        let text = str::from_utf8(digits).unwrap_or_default();
        digits.is_empty() || digits.iter().all(u8::is_ascii_digit) && text.parse::<u16>().is_ok()
    };
    diagnosis.port_or_default().filter(|_| written.is_none_or(|port| is_port(port.octets())))
}
