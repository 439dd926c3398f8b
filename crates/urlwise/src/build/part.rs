//! The parts that URLs are built of, as data: one table for each scheme, in the order the parts stand.
//!
//! A row says how octets become the part, what stands before it, and which other parts it cannot be without. The typed
//! builders, [`Draft`](super::Draft) and the command line all work by these tables.

use core::fmt;

use crate::grammar::{
    ADDR_SPEC, ARTICLE, ARTICLE_NUMBER, DATABASE, FIELD_NAME, FIELD_VALUE, FSEGMENT, GOPHER_SEARCH, GOPHERPLUS, GROUP,
    GROUPPART, GTYPE, HFIELD, HOST, HSEGMENT, HSONAME, PASSWORD, PORT, Rule, SCHEMEPART, SEARCH, SELECTOR, TYPECODE,
    URLPATH, USER, WAIS_SEARCH, WPATH, WTYPE,
};
use crate::profile::Profile;
use crate::scheme::Scheme;

/// How octets become a part.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// They stand as they are: the part takes no escapes.
    Plain(&'static Rule),
    /// They are encoded by the rule.
    Encoded(&'static Rule),
    /// One octet, encoded by the rule.
    Character(&'static Rule),
    /// A list of parts, each encoded by the rule.
    List(&'static Rule),
    /// A list of names and values, each encoded by its own rule.
    Fields(&'static Rule, &'static Rule),
}

/// What stands before a part.
#[derive(Clone, Copy)]
pub(crate) enum Lead {
    /// Always this.
    Text(&'static str),
    /// `@` behind a login, else `//`.
    Host,
    /// `/` where the named part is present, else nothing.
    Behind(&'static str),
    /// The one before the first of a list, the other before all others.
    First(&'static str, &'static str),
}

use Form::{Character, Encoded, Fields, List, Plain};
use Lead::Text;

/// A part that URLs of some scheme are built of.
pub struct PartKind {
    name: &'static str,
    many: &'static str,
    short: &'static str,
    pub(crate) form: Form,
    pub(crate) lead: Lead,
    /// Without these parts it cannot stand.
    pub(crate) needs: &'static [&'static str],
    /// These are written too where it is, empty if need be.
    pub(crate) brings: &'static [&'static str],
    /// It cannot stand beside these.
    pub(crate) excludes: &'static [&'static str],
    pub(crate) profile: Profile,
}

impl PartKind {
    /// The name, in the singular: `cwd`, `search`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name that [`Part::name`](crate::Part::name) and the machine-readable contract give it: `cwds`, `search`.
    pub fn contract_name(&self) -> &'static str {
        self.many
    }

    /// Whether a URL may have several.
    pub fn is_list(&self) -> bool {
        matches!(self.form, List(_) | Fields(..))
    }

    /// The rule that the part is read by and encoded with; for a field, that of its name.
    pub fn rule(&self) -> &'static Rule {
        match self.form {
            Plain(rule) | Encoded(rule) | Character(rule) | List(rule) => rule,
            Fields(name, _) => name,
        }
    }

    /// The rule of a field's value; `None` for parts that are no fields.
    pub fn value_rule(&self) -> Option<&'static Rule> {
        match self.form {
            Fields(_, value) => Some(value),
            _ => None,
        }
    }

    /// The first profile that knows the part: `rfc1738`, or `current` for what only later RFCs have.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Whether the part goes by this name: either of the above, or `type` for the typecode and the gopher type.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.many == name || self.short == name
    }
}

impl fmt::Debug for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartKind({})", self.name)
    }
}

/// The parts of a scheme, in the order they stand.
///
/// ```
/// use urlwise::{Scheme, build};
///
/// let names: Vec<_> = build::parts(Scheme::Ftp).iter().map(|part| part.name()).collect();
/// assert_eq!(names, ["user", "password", "host", "port", "cwd", "name", "typecode"]);
/// ```
pub fn parts(scheme: Scheme) -> &'static [PartKind] {
    match scheme.base() {
        Scheme::Ftp => &FTP,
        Scheme::Http => &HTTP,
        Scheme::Gopher => &GOPHER,
        Scheme::Mailto => &MAILTO,
        Scheme::News => &NEWS,
        Scheme::Nntp => &NNTP,
        Scheme::Telnet => &TELNET,
        Scheme::Wais => &WAIS,
        Scheme::File => &FILE,
        Scheme::Prospero => &PROSPERO,
        _ => &OTHER,
    }
}

const fn part(name: &'static str, form: Form, lead: Lead) -> PartKind {
    PartKind {
        name,
        many: name,
        short: name,
        form,
        lead,
        needs: &[],
        brings: &[],
        excludes: &[],
        profile: Profile::Rfc1738,
    }
}

impl PartKind {
    const fn many(mut self, many: &'static str) -> Self {
        self.many = many;
        self
    }

    const fn short(mut self, short: &'static str) -> Self {
        self.short = short;
        self
    }

    const fn needs(mut self, parts: &'static [&'static str]) -> Self {
        self.needs = parts;
        self
    }

    const fn brings(mut self, parts: &'static [&'static str]) -> Self {
        self.brings = parts;
        self
    }

    const fn excludes(mut self, parts: &'static [&'static str]) -> Self {
        self.excludes = parts;
        self
    }

    const fn current(mut self) -> Self {
        self.profile = Profile::Current;
        self
    }
}

const fn user() -> PartKind {
    part("user", Encoded(&USER), Text("//")).needs(&["host"])
}

/// There is no password without a user: who wants an empty one says so (D-24).
const fn password() -> PartKind {
    part("password", Encoded(&PASSWORD), Text(":")).needs(&["user"])
}

const fn host() -> PartKind {
    part("host", Plain(&HOST), Lead::Host)
}

const fn port() -> PartKind {
    part("port", Plain(&PORT), Text(":")).needs(&["host"])
}

static FTP: [PartKind; 7] = [
    user(),
    password(),
    host(),
    port(),
    part("cwd", List(&FSEGMENT), Text("/")).many("cwds").brings(&["name"]),
    part("name", Encoded(&FSEGMENT), Text("/")),
    part("typecode", Plain(&TYPECODE), Text(";type=")).short("type").brings(&["name"]),
];

static HTTP: [PartKind; 6] = [
    user().current(),
    password().current(),
    host(),
    port(),
    part("segment", List(&HSEGMENT), Text("/")).many("segments"),
    // Only a URL with neither path nor search may leave the `/` out (D-37).
    part("search", Encoded(&SEARCH), Text("?")).brings(&["segment"]),
];

static GOPHER: [PartKind; 6] = [
    host(),
    port(),
    part("gtype", Character(&GTYPE), Text("/")).short("type").brings(&["selector"]),
    part("selector", Encoded(&SELECTOR), Text("")).needs(&["gtype"]),
    part("search", Encoded(&GOPHER_SEARCH), Text("%09")).needs(&["gtype"]).brings(&["selector"]),
    part("gopherplus", Encoded(&GOPHERPLUS), Text("%09")).needs(&["gtype"]).brings(&["selector", "search"]),
];

static MAILTO: [PartKind; 2] = [
    part("address", Encoded(&ADDR_SPEC), Text("")),
    part("header", Fields(&HFIELD, &HFIELD), Lead::First("?", "&")).many("headers").current(),
];

static NEWS: [PartKind; 6] = [
    part("server", Plain(&HOST), Text("//")).current(),
    part("port", Plain(&PORT), Text(":")).needs(&["server"]).current(),
    part("all", Plain(&GROUPPART), Lead::Behind("server")).excludes(&["group", "unique"]),
    part("group", Plain(&GROUP), Lead::Behind("server")).excludes(&["all", "unique"]),
    part("unique", Encoded(&ARTICLE), Lead::Behind("server")).needs(&["host"]).excludes(&["all", "group"]),
    part("host", Plain(&HOST), Text("@")).needs(&["unique"]),
];

static NNTP: [PartKind; 4] = [
    host(),
    port(),
    part("group", Plain(&GROUP), Text("/")),
    part("article", Plain(&ARTICLE_NUMBER), Text("/")).needs(&["group"]),
];

static TELNET: [PartKind; 4] = [user(), password(), host(), port()];

static WAIS: [PartKind; 6] = [
    host(),
    port(),
    part("database", Encoded(&DATABASE), Text("/")),
    part("search", Encoded(&WAIS_SEARCH), Text("?")).needs(&["database"]).excludes(&["wtype", "wpath"]),
    part("wtype", Encoded(&WTYPE), Text("/")).needs(&["database", "wpath"]),
    part("wpath", Encoded(&WPATH), Text("/")).needs(&["wtype"]),
];

static FILE: [PartKind; 2] = [host(), part("segment", List(&FSEGMENT), Text("/")).many("segments")];

static PROSPERO: [PartKind; 4] = [
    host(),
    port(),
    part("hsoname", Encoded(&HSONAME), Text("/")),
    part("field", Fields(&FIELD_NAME, &FIELD_VALUE), Text(";")).many("fields").needs(&["hsoname"]),
];

static OTHER: [PartKind; 7] = [
    part("schemepart", Encoded(&SCHEMEPART), Text("")).excludes(&["host", "urlpath", "query"]),
    user(),
    password(),
    host(),
    port(),
    part("urlpath", Encoded(&URLPATH), Lead::Behind("host")).needs(&["host"]),
    part("query", Encoded(&URLPATH), Text("?")).needs(&["host"]).current(),
];
