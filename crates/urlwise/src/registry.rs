//! Section 4: new schemes, and the names that the RFC keeps for them.
//!
//! RFC 1738 is made to grow: "a new scheme may be introduced by defining a mapping onto a conforming URL syntax". A [`Registry`]
//! holds the schemes that a program adds to the ten. It reads like [`Url::parse`] and [`diagnose`](crate::diagnose()), and what it
//! adds touches no other scheme: see [`Registry`] for an example.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use crate::build::Draft;
use crate::class;
use crate::diagnosis::{Diagnosis, diagnose};
use crate::display::{escape_for_display, padded};
use crate::profile::Profile;
pub use crate::scheme::Reserved;
use crate::scheme::{Scheme, is_experimental};
pub use crate::url::Check;
use crate::url::Url;
pub use crate::url::objection::Objection;
use crate::url::parse_error::ParseError;
use crate::url::rules::SchemeRules;
pub use crate::url::rules::Syntax;

/// What section 4 says of the name of a new scheme. `Display` gives it as a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// Nothing: a name like any other.
    New,
    /// It begins with `x-`: for experiments, by agreement.
    Experimental,
    /// It is set aside.
    Reserved(&'static Reserved),
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| match self {
            Standing::New => f.write_str("a new scheme: IANA maintains the registry (section 4)"),
            Standing::Experimental => f.write_str("an experimental scheme: used by mutual agreement (section 4)"),
            Standing::Reserved(reserved) => {
                write!(f, "a name reserved for {} (section 4, D-05)", reserved.title)?;
                reserved.later.map_or(Ok(()), |later| write!(f, "; {later} defines its later use"))
            }
        })
    }
}

/// A scheme to [register](Registry::register).
#[must_use]
#[derive(Clone)]
pub struct NewScheme {
    name: String,
    title: Option<String>,
    rules: SchemeRules,
}

impl NewScheme {
    /// A scheme of this syntax, without a default port, title and check. The name is looked at when it is registered.
    pub fn new(name: impl Into<String>, syntax: Syntax) -> Self {
        NewScheme {
            name: name.into(),
            title: None,
            rules: SchemeRules { check: None, default_port: None, syntax, has_references: false },
        }
    }

    /// The port in force where a URL names none: from 1 to 65535, and only with [`Syntax::Internet`].
    pub fn with_default_port(mut self, port: u16) -> Self {
        self.rules.default_port = Some(port);
        self
    }

    /// Relative references are resolved against its URLs by the generic syntax of RFC 1808 section 2.1, as in http. Without this
    /// they are refused (D-09), because "a description of the allowed relative forms should be included when a new scheme is
    /// registered" (section 2.3 there). The profile `current` follows RFC 3986, which has them in every scheme.
    ///
    /// ```
    /// use urlwise::registry::{NewScheme, Registry, Syntax};
    ///
    /// let mut registry = Registry::new();
    /// registry.register(NewScheme::new("x-chat", Syntax::Internet).with_relative_references())?;
    /// registry.register(NewScheme::new("x-note", Syntax::Internet))?;
    /// let base = registry.parse("x-chat://host.dom/rooms/lobby")?;
    /// assert_eq!(base.resolve("../halls/blue")?.as_str(), "x-chat://host.dom/halls/blue");
    /// assert!(registry.parse("x-note://host.dom/a/b")?.resolve("c").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_relative_references(mut self) -> Self {
        self.rules.has_references = true;
        self
    }

    /// What the scheme is for, in one line.
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Its own check. It sees every URL of the scheme whose syntax is in order, with the profile it was read by; what it
    /// objects to is not a URL of the scheme: the error `scheme-check`. It should take time linear in the text.
    pub fn with_check(mut self, check: Check) -> Self {
        self.rules.check = Some(check);
        self
    }

    /// The name, in lower case once it is registered.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its URLs are built.
    pub fn syntax(&self) -> Syntax {
        self.rules.syntax
    }

    /// The default port, if any.
    pub fn default_port(&self) -> Option<u16> {
        self.rules.default_port
    }

    /// Whether RFC 1808 lets relative references be resolved against its URLs.
    pub fn has_relative_references(&self) -> bool {
        self.rules.has_references
    }

    /// What it is for; `None` if not given.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Its own check; `None` if it has none.
    pub fn check(&self) -> Option<Check> {
        self.rules.check
    }

    /// What section 4 says of its name.
    pub fn standing(&self) -> Standing {
        match Reserved::of(self.name.as_bytes()) {
            Some(reserved) => Standing::Reserved(reserved),
            None if is_experimental(self.name.as_bytes()) => Standing::Experimental,
            None => Standing::New,
        }
    }

    /// What keeps it from being registered anywhere.
    fn fault(&self) -> Option<RegisterErrorKind> {
        let name = self.name.as_bytes();
        Some(match name {
            [] => RegisterErrorKind::Empty,
            _ if Scheme::from_name(name, Profile::Current) != Scheme::Other => RegisterErrorKind::Known,
            _ if name.eq_ignore_ascii_case(b"url") => RegisterErrorKind::Prefix,
            _ if class::skip(name, 0, class::SCHEME) < name.len() => RegisterErrorKind::Character,
            [first, ..] if !first.is_ascii_alphabetic() => RegisterErrorKind::First,
            _ if name.iter().any(u8::is_ascii_uppercase) => RegisterErrorKind::UpperCase,
            _ if self.rules.default_port == Some(0) => RegisterErrorKind::PortZero,
            _ if self.rules.default_port.is_some() && self.rules.syntax == Syntax::Opaque => {
                RegisterErrorKind::PortWithoutHost
            }
            _ => return None,
        })
    }
}

impl fmt::Debug for NewScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewScheme")
            .field("name", &self.name)
            .field("syntax", &self.rules.syntax)
            .field("default_port", &self.rules.default_port)
            .field("has_relative_references", &self.rules.has_references)
            .field("title", &self.title)
            .field("check", &self.rules.check.is_some())
            .finish()
    }
}

/// The schemes that a program adds to those of RFC 1738 (section 4).
///
/// A URL of a registered scheme is a URL of [`Scheme::Other`] with [`Locator::Other`](crate::Locator::Other) as its view: its
/// name stands in the URL, its host, port and url-path are there whenever the syntax promises them, and its default port is in
/// force. The rules go with the URL: what is made of it by [`edit`](Url::edit), [`with`](Url::with) and the like, by
/// [`normalize`](Url::normalize) and by [`resolve`](Url::resolve) is read by them again. Policies and audits see it as they see every other scheme. Nothing changes for the ten and their siblings, and an
/// empty registry reads as [`Url::parse`] does.
///
/// ```
/// use urlwise::registry::{NewScheme, Objection, Registry, Syntax};
/// use urlwise::{Locator, Profile, Url};
///
/// /// Every URL of x-chat names a room.
/// fn names_a_room(url: &Url<&str>) -> Result<(), Objection> {
///     match url.parts().find(|part| part.name() == "urlpath") {
///         Some(room) if !room.octets().is_empty() => Ok(()),
///         _ => {
///             let end = url.as_str().len();
///             Err(Objection::new(end..end, "no room is named").with_help("write its name after the host, as in `/lobby`"))
///         }
///     }
/// }
///
/// let mut registry = Registry::new();
/// let standing = registry.register(
///     NewScheme::new("x-chat", Syntax::Internet)
///         .with_default_port(7070)
///         .with_title("Rooms to talk in")
///         .with_check(names_a_room),
/// )?;
/// assert_eq!(standing.to_string(), "an experimental scheme: used by mutual agreement (section 4)");
///
/// let url = registry.parse("x-chat://guest@host.dom/lobby")?;
/// assert_eq!(url.port_or_default(), Some(7070));
/// let Locator::Other(chat) = url.locator() else { unreachable!() };
/// assert_eq!(chat.urlpath().unwrap(), "lobby");
///
/// let error = registry.parse("x-chat://host.dom/").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "error[scheme-check] at 18..18: no room is named (section 4); write its name after the host, as in `/lobby`",
/// );
/// assert_eq!(registry.parse("x-chat:lobby").unwrap_err().problem().code(), "slashes-missing");
///
/// // Without the registry the scheme is unknown, which is a warning; with it there is none.
/// let text = "x-chat://host.dom/lobby";
/// assert_eq!(urlwise::diagnose(text, Profile::Rfc1738).problems()[0].code(), "scheme-experimental");
/// assert!(registry.diagnose(text, Profile::Rfc1738).problems().is_empty());
///
/// // Its rules hold for what is built and changed; its default port goes from the normal form, and two texts are
/// // compared by it.
/// assert_eq!(url.with("urlpath", "").unwrap_err().to_string(), "error[scheme-check] at 24..24: no room is named \
///     (section 4); write its name after the host, as in `/lobby`");
/// let draft = registry.draft("x-chat", Profile::Rfc1738).with("host", "host.dom").with("port", "7070");
/// let built = draft.with("urlpath", "lobby room").build()?;
/// assert_eq!(built.as_str(), "x-chat://host.dom:7070/lobby%20room");
/// assert_eq!(built.normalize(urlwise::NormalForm::Scheme).as_str(), "x-chat://host.dom/lobby%20room");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// By name.
    schemes: Vec<NewScheme>,
}

impl Registry {
    /// A registry without schemes.
    pub const fn new() -> Self {
        Registry { schemes: Vec::new() }
    }

    /// Adds a scheme. Its name is in lower case, begins with a letter and holds letters, digits, `+`, `-` and `.` only
    /// (section 2.1, D-04); it must not be one of the ten, one of their siblings or `url` (D-07). The names that section 4 sets
    /// aside can be registered: the answer says what they are meant for.
    ///
    /// # Errors
    /// The name or the port may not be, or the name is taken; the registry is as it was.
    pub fn register(&mut self, scheme: NewScheme) -> Result<Standing, RegisterError> {
        match (scheme.fault(), self.find(scheme.name.as_bytes())) {
            (None, Err(place)) => {
                let standing = scheme.standing();
                self.schemes.insert(place, scheme);
                Ok(standing)
            }
            // Where the name is not free, it is in the registry.
            (fault, _) => Err(RegisterError { name: scheme.name, kind: fault.unwrap_or(RegisterErrorKind::Twice) }),
        }
    }

    /// The registered scheme of this name, in any case (D-02).
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&NewScheme> {
        self.find(name.as_ref()).ok().and_then(|place| self.schemes.get(place))
    }

    /// The default port of the registered scheme of this name, in any case; `None` where it has none or is not registered.
    /// Those of the ten and their siblings are known to [`Scheme::default_port`], that of a URL to [`Url::default_port`].
    pub fn default_port(&self, name: impl AsRef<[u8]>) -> Option<u16> {
        self.get(name)?.default_port()
    }

    /// The registered schemes, by name.
    pub fn schemes(&self) -> impl ExactSizeIterator<Item = &NewScheme> {
        self.schemes.iter()
    }

    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        let order =
            |scheme: &NewScheme| -> Ordering { scheme.name.bytes().cmp(name.iter().map(u8::to_ascii_lowercase)) };
        self.schemes.binary_search_by(order)
    }

    /// Reads a URL strictly by RFC 1738, as [`Url::parse`] does, and those of registered schemes by their syntax and check.
    ///
    /// # Errors
    /// As for [`Url::parse`], and `scheme-check` where a check objects.
    pub fn parse<T: AsRef<str>>(&self, text: T) -> Result<Url<T>, ParseError> {
        self.parse_with(text, Profile::Rfc1738)
    }

    /// Reads a URL by the grammar of the profile `current`, as [`Url::parse_current`] does, and those of registered schemes by
    /// their syntax and check.
    ///
    /// ```
    /// use urlwise::registry::{NewScheme, Registry, Syntax};
    ///
    /// let mut registry = Registry::new();
    /// registry.register(NewScheme::new("x-chat", Syntax::Internet))?;
    /// assert!(registry.parse("x-chat://host.dom/~jim").is_err()); // `~` is written `%7E` in RFC 1738
    /// assert!(registry.parse_current("x-chat://host.dom/~jim").is_ok());
    /// # Ok::<(), urlwise::registry::RegisterError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`parse`](Registry::parse).
    pub fn parse_current<T: AsRef<str>>(&self, text: T) -> Result<Url<T>, ParseError> {
        self.parse_with(text, Profile::Current)
    }

    /// Reads a URL by the grammar of a profile.
    ///
    /// # Errors
    /// As for [`parse`](Registry::parse).
    pub fn parse_with<T: AsRef<str>>(&self, text: T, profile: Profile) -> Result<Url<T>, ParseError> {
        let octets = text.as_ref().as_bytes();
        let Some(rules) = self.rules(octets) else {
            return Url::parse_with(text, profile);
        };
        match rules.accept(octets, profile) {
            Some(layout) => Ok(Url::from_layout(text, layout).checked_by(rules.check)),
            None => Err(ParseError::by(rules, octets, profile)),
        }
    }

    /// Reads any octets as a URL and reports everything that is wrong or worth knowing, as [`diagnose`](crate::diagnose()) does. Agrees
    /// with [`parse_with`](Registry::parse_with) on what is valid.
    pub fn diagnose<'a, I: AsRef<[u8]> + ?Sized>(&self, input: &'a I, profile: Profile) -> Diagnosis<'a> {
        match self.rules(input.as_ref()) {
            Some(rules) => Diagnosis::by(rules, input.as_ref(), profile),
            None => diagnose(input, profile),
        }
    }

    /// A draft of a URL by the rules of the registered scheme of this name, in any case; of any other as by [`Draft::new`].
    pub fn draft(&self, scheme: &str, profile: Profile) -> Draft {
        let draft = Draft::new(scheme, profile);
        match self.get(scheme) {
            Some(scheme) => draft.by(scheme.rules),
            None => draft,
        }
    }

    /// The rules of the registered scheme that a text begins with.
    fn rules(&self, octets: &[u8]) -> Option<SchemeRules> {
        let end = class::skip(octets, 0, class::SCHEME);
        let is_named = octets.get(end) == Some(&b':') && u32::try_from(octets.len()).is_ok();
        is_named.then(|| self.get(&octets[..end])).flatten().map(|scheme| scheme.rules)
    }
}

/// Why a scheme cannot be registered. `Display` gives the rule and a help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterError {
    name: String,
    kind: RegisterErrorKind,
}

/// The rule that a new scheme breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegisterErrorKind {
    /// The name is empty.
    Empty,
    /// The name is one of the ten of RFC 1738, or a sibling of one.
    Known,
    /// The name is `url`, which the wrapper of the Appendix begins with.
    Prefix,
    /// The name holds what no scheme may.
    Character,
    /// The name does not begin with a letter.
    First,
    /// The name is not in lower case.
    UpperCase,
    /// The name is registered already.
    Twice,
    /// The default port is 0.
    PortZero,
    /// An opaque scheme has a default port.
    PortWithoutHost,
}

impl RegisterErrorKind {
    /// What is wrong, by which rule, and a help.
    const fn texts(self) -> [&'static str; 3] {
        match self {
            RegisterErrorKind::Empty => ["the name is empty", "section 2.1", "give it a name"],
            RegisterErrorKind::Known => [
                "the name belongs to a built-in scheme",
                "section 3",
                "choose another name; experimental schemes start with `x-`",
            ],
            RegisterErrorKind::Prefix => [
                "`URL:` is the prefix of a wrapped URL, so the name would be ambiguous",
                "Appendix, D-07",
                "choose another name; experimental schemes start with `x-`",
            ],
            RegisterErrorKind::Character => [
                "the name contains a character that is not allowed",
                "section 2.1",
                "use only letters, digits, `+`, `-` and `.`",
            ],
            RegisterErrorKind::First => [
                "the name does not start with a letter",
                "section 2.1, D-04",
                "start it with a letter, as every later RFC requires",
            ],
            RegisterErrorKind::UpperCase => ["the name is not lowercase", "section 2.1", "write it in lowercase"],
            RegisterErrorKind::Twice => ["it is already registered", "section 4", "register each scheme once"],
            RegisterErrorKind::PortZero => {
                ["port 0 cannot be a default port", "section 3.1, D-23", "leave out the default port"]
            }
            RegisterErrorKind::PortWithoutHost => [
                "a scheme with opaque syntax has no port",
                "section 3.1",
                "leave out the default port, or use the common Internet syntax",
            ],
        }
    }
}

impl RegisterError {
    /// The name that was to be registered.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rule it breaks.
    pub fn kind(&self) -> RegisterErrorKind {
        self.kind
    }
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            let [what, rule, help] = self.kind.texts();
            let name = escape_for_display(self.name.as_bytes());
            write!(f, "the scheme `{name}` cannot be registered: {what} ({rule}); {help}")
        })
    }
}

impl core::error::Error for RegisterError {}
