//! The parts of a scheme: how they are named, read, written and put together.

use alloc::borrow::Cow;
use core::fmt;

use crate::grammar::{self, Production};
use crate::language::{Language, Words, words};
use crate::layout;
use crate::profile::Profile;

/// A part, or a list of parts, that URLs of a scheme have.
pub struct PartKind {
    name: &'static str,
    list_name: &'static str,
    label: Words,
    short_name: &'static str,
    /// Where a layout keeps its place.
    pub(crate) slot: usize,
    pub(crate) shape: Shape,
    rule: &'static Production,
    value_rule: Option<&'static Production>,
    normal: Escapes,
    pub(crate) lead: Lead,
    /// Without these parts it cannot stand.
    pub(crate) needs: &'static [&'static str],
    /// These are written too where it is, empty if need be.
    pub(crate) brings: &'static [&'static str],
    /// It cannot stand beside these.
    pub(crate) excludes: &'static [&'static str],
    pub(crate) profile: Profile,
    /// Whether every URL of the scheme has it, empty if it is not given.
    pub(crate) is_required: bool,
    /// Whether it may stand without what it needs under [`Profile::Current`].
    pub(crate) is_free_in_current: bool,
    is_segment: bool,
    names_document: bool,
    /// Whether what follows an `@` in it, decoded, is a host that the server asks in turn.
    pub(crate) forwards: bool,
    /// All that it can be, in either case, for a part that is there or is not.
    pub(crate) only: Option<&'static str>,
}

/// How a slot is made up of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One part that takes no escapes.
    Plain,
    /// One encoded part.
    Encoded,
    /// One encoded octet.
    Character,
    /// One encoded part that the following definitions divide.
    Whole,
    /// Encoded parts between slashes.
    Segments,
    /// `name=value` pairs, each after the given octet (or, for the first, at the start).
    Fields(u8),
}

/// What is written before a part.
#[derive(Clone, Copy)]
pub(crate) enum Lead {
    /// Always this.
    Text(&'static str),
    /// `@` behind a login, else `//`.
    Host,
    /// The one where the named part is present, the other where it is absent.
    Behind(&'static str, &'static str, &'static str),
    /// The one before the first of a list, the other before all others.
    First(&'static str, &'static str),
    /// It is written as the list of this name, split at its slashes.
    Split(&'static str),
    /// It is one side of the address of this name.
    Side(&'static str),
    /// No profile allows it here; it is read so that it can be reported.
    Forbidden,
}

/// How a normal form writes the escapes of a part.
#[derive(Clone, Copy)]
pub(crate) enum Escapes {
    /// There are none, or another part on the same octets writes them.
    None,
    /// By what is reserved in this rule.
    By(&'static Production),
    /// Only their case changes, since it is unknown what is reserved.
    Opaque,
}

impl PartKind {
    /// The name, in the singular: `cwd`, `search`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name that [`Part::name`](crate::Part::name) and the machine-readable contract give it: `cwds`, `search`.
    pub fn contract_name(&self) -> &'static str {
        self.list_name
    }

    /// The name for people, in the singular: `cwd`, `Gopher+`.
    pub fn label(&self) -> &'static str {
        self.label.en()
    }

    /// [`label`](PartKind::label) in a language.
    pub fn label_in(&self, language: Language) -> Cow<'static, str> {
        self.label.get(language)
    }

    /// The label in every language.
    pub(crate) fn labels(&self) -> Words {
        self.label
    }

    /// Whether a URL may have several.
    pub fn is_list(&self) -> bool {
        matches!(self.shape, Shape::Segments | Shape::Fields(_))
    }

    /// Whether an octet stands between the parts of the list, or between the name and the value of one: an escape of it is data.
    ///
    /// ```
    /// use urlwise::Scheme;
    ///
    /// let dividing = |scheme: Scheme, name: &str| -> String {
    ///     let kind = scheme.parts().iter().find(|kind| kind.contract_name() == name).unwrap();
    ///     ('\0'..='\u{7f}').filter(|octet| kind.divides(*octet as u8)).collect()
    /// };
    /// assert_eq!(dividing(Scheme::Ftp, "cwds"), "/");
    /// assert_eq!(dividing(Scheme::Prospero, "fields"), ";=");
    /// assert_eq!(dividing(Scheme::Ftp, "user"), "");
    /// ```
    pub fn divides(&self, octet: u8) -> bool {
        match self.shape {
            Shape::Segments => octet == b'/',
            Shape::Fields(separator) => octet == separator || octet == b'=',
            Shape::Plain | Shape::Encoded | Shape::Character | Shape::Whole => false,
        }
    }

    /// Whether escapes may stand in it.
    pub fn is_encoded(&self) -> bool {
        self.shape != Shape::Plain
    }

    /// The rule that the part is read by and encoded with; for a field, that of its name.
    pub fn rule(&self) -> &'static Production {
        self.rule
    }

    /// The rule of a field's value; `None` for parts that are not fields.
    pub fn value_rule(&self) -> Option<&'static Production> {
        self.value_rule
    }

    /// The first profile that knows the part: `rfc1738`, or `current` for what only later RFCs have.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Whether some profile allows it. Parts that none allows, such as the user of a gopher URL, stand in no valid URL.
    pub fn is_allowed(&self) -> bool {
        !matches!(self.lead, Lead::Forbidden)
    }

    /// Whether the part goes by this name: either of the above, `type` for the typecode and the gopher type, or
    /// `query` for what [`Url::query`](crate::Url::query) gives.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.list_name == name || self.short_name == name
    }

    /// Whether the last segment of the part, or of all such parts together, names the document: `name` in ftp, `selector` in
    /// gopher.
    pub fn names_document(&self) -> bool {
        self.names_document
    }

    /// Whether it is a segment of a path, where `.` and `..` may mean more than a name.
    pub(crate) fn is_segment(&self) -> bool {
        self.is_segment || self.shape == Shape::Segments
    }

    /// Whether it is written by itself, so that a URL can be put together from it.
    pub(crate) fn is_written(&self) -> bool {
        match self.lead {
            Lead::Text(_) | Lead::Host | Lead::Behind(..) | Lead::First(..) => true,
            Lead::Split(_) | Lead::Side(_) | Lead::Forbidden => false,
        }
    }

    /// How a normal form writes its escapes.
    pub(crate) fn escapes(&self) -> Escapes {
        match self.lead {
            Lead::Split(_) | Lead::Side(_) => Escapes::None,
            Lead::Text(_) | Lead::Host | Lead::Behind(..) | Lead::First(..) | Lead::Forbidden => self.normal,
        }
    }

    /// The rule that says what is reserved in it.
    pub(crate) fn reserved_by(&self) -> &'static Production {
        match self.normal {
            Escapes::By(rule) => rule,
            Escapes::None | Escapes::Opaque => self.rule,
        }
    }

    /// Whether only the server knows what its octets mean.
    pub(crate) fn is_opaque(&self) -> bool {
        matches!(self.normal, Escapes::Opaque)
    }
}

impl fmt::Debug for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartKind({})", self.name)
    }
}

/// How definitions describe their parts.
impl PartKind {
    /// The user of a login.
    pub(crate) const USER: PartKind =
        PartKind::encoded(words!("user"), layout::USER, &grammar::USER, Lead::Text("//")).needs(&["host"]);
    /// The password of a login. There is none without a user; an empty user has to be given (D-24).
    pub(crate) const PASSWORD: PartKind =
        PartKind::encoded(words!("password"), layout::PASSWORD, &grammar::PASSWORD, Lead::Text(":")).needs(&["user"]);
    /// The host, which stands in every URL.
    pub(crate) const HOST: PartKind = {
        let mut host = PartKind::plain(words!("host"), layout::HOST, &grammar::HOST, Lead::Host);
        host.is_required = true;
        host
    };
    /// The port of the host.
    pub(crate) const PORT: PartKind =
        PartKind::plain(words!("port"), layout::PORT, &grammar::PORT, Lead::Text(":")).needs(&["host"]);

    const fn new(label: Words, slot: usize, shape: Shape, rule: &'static Production, lead: Lead) -> PartKind {
        let name = label.en();
        PartKind {
            name,
            list_name: name,
            label,
            short_name: name,
            slot,
            shape,
            rule,
            value_rule: None,
            normal: if matches!(shape, Shape::Plain) { Escapes::None } else { Escapes::By(rule) },
            lead,
            needs: &[],
            brings: &[],
            excludes: &[],
            profile: Profile::Rfc1738,
            is_required: false,
            is_free_in_current: false,
            is_segment: false,
            names_document: false,
            forwards: false,
            only: None,
        }
    }

    /// A part without escapes.
    pub(crate) const fn plain(name: Words, slot: usize, rule: &'static Production, lead: Lead) -> PartKind {
        PartKind::new(name, slot, Shape::Plain, rule, lead)
    }

    /// An encoded part.
    pub(crate) const fn encoded(name: Words, slot: usize, rule: &'static Production, lead: Lead) -> PartKind {
        PartKind::new(name, slot, Shape::Encoded, rule, lead)
    }

    /// An encoded part that is one octet.
    pub(crate) const fn character(name: Words, slot: usize, rule: &'static Production, lead: Lead) -> PartKind {
        PartKind::new(name, slot, Shape::Character, rule, lead)
    }

    /// An encoded part that the parts after it divide.
    pub(crate) const fn whole(name: Words, slot: usize, rule: &'static Production, lead: Lead) -> PartKind {
        PartKind::new(name, slot, Shape::Whole, rule, lead)
    }

    /// A list of encoded parts between slashes: the name of one, and of the list.
    pub(crate) const fn segments(
        name: Words,
        list_name: &'static str,
        slot: usize,
        rule: &'static Production,
        lead: Lead,
    ) -> PartKind {
        PartKind { list_name, ..PartKind::new(name, slot, Shape::Segments, rule, lead) }
    }

    /// A list of names and values, each encoded by its own rule.
    pub(crate) const fn fields(
        name: Words,
        list_name: &'static str,
        slot: usize,
        separator: u8,
        rules: [&'static Production; 2],
        lead: Lead,
    ) -> PartKind {
        PartKind {
            list_name,
            value_rule: Some(rules[1]),
            ..PartKind::new(name, slot, Shape::Fields(separator), rules[0], lead)
        }
    }

    pub(crate) const fn labelled(mut self, label: Words) -> Self {
        self.label = label;
        self
    }

    pub(crate) const fn short_name(mut self, name: &'static str) -> Self {
        self.short_name = name;
        self
    }

    pub(crate) const fn needs(mut self, parts: &'static [&'static str]) -> Self {
        self.needs = parts;
        self
    }

    pub(crate) const fn brings(mut self, parts: &'static [&'static str]) -> Self {
        self.brings = parts;
        self
    }

    pub(crate) const fn excludes(mut self, parts: &'static [&'static str]) -> Self {
        self.excludes = parts;
        self
    }

    /// Only [`Profile::Current`] knows it.
    pub(crate) const fn current(mut self) -> Self {
        self.profile = Profile::Current;
        self
    }

    /// No profile allows it.
    pub(crate) const fn forbidden(mut self) -> Self {
        self.lead = Lead::Forbidden;
        self
    }

    /// A URL may do without it.
    pub(crate) const fn optional(mut self) -> Self {
        self.is_required = false;
        self
    }

    /// RFC 3986 knows it without what it needs.
    pub(crate) const fn free_in_current(mut self) -> Self {
        self.is_free_in_current = true;
        self
    }

    /// It is a segment of a path, though not in a list.
    pub(crate) const fn segment(mut self) -> Self {
        self.is_segment = true;
        self
    }

    /// Its last segment names the document.
    pub(crate) const fn naming(mut self) -> Self {
        self.names_document = true;
        self
    }

    /// What follows an `@` in it, decoded, is a host that the server asks in turn.
    pub(crate) const fn forwarding(mut self) -> Self {
        self.forwards = true;
        self
    }

    /// It is these characters, in either case, or it is not there.
    pub(crate) const fn only(mut self, text: &'static str) -> Self {
        self.only = Some(text);
        self
    }

    /// Normal forms write its escapes by another rule than the one it is encoded with.
    pub(crate) const fn normal_by(mut self, rule: &'static Production) -> Self {
        self.normal = Escapes::By(rule);
        self
    }

    /// Only the server knows what its octets mean.
    pub(crate) const fn opaque(mut self) -> Self {
        self.normal = Escapes::Opaque;
        self
    }
}
