//! Gateways: schemes whose URLs are opened through other URLs (RFC 1738 section 4).
//!
//! A template is a URL with variables in braces: the parts of the given URL, by their names in [`build::parts`]:
//!
//! | variable | stands for |
//! |---|---|
//! | `{url}` | the whole URL, without user and password |
//! | `{scheme}` | its scheme, in lower case |
//! | `{schemepart}` | what follows the colon, without user and password |
//! | `{path}` | what follows the host and its slash, as it is written; without the search of http and the type of ftp |
//! | `{port}` | the port in force, the scheme's own if none is written |
//! | `{gtype}` | the gopher type in force: `1` if none is written |
//! | all other parts, as `{host}`, `{database}` | the octets that the part stands for; nothing where it is absent |
//!
//! A value cannot leave its part: all octets but letters, digits and `-_.` are encoded. `{+path}` keeps a
//! value as it is written, including slashes, and encodes only what that part cannot contain. The resulting URL is then parsed,
//! and every part must be where the template has it; a value that would become a `.` or `..` segment is refused.
//!
//! User and password are not variables, and are cut out of `{url}`: they are for the host of the URL, not for the gateway (S-10).
//!
//! ```
//! use urlwise::Url;
//! use urlwise_open::Gateways;
//!
//! let mut gateways = Gateways::default();
//! gateways.route("wais", "http://gateway.example/wais?{url}")?;
//! gateways.route("prospero", "http://gateway.example/{host}:{port}/{+hsoname}")?;
//!
//! let url = Url::parse("wais://host.dom/jobs?chief%20cook")?;
//! let target = gateways.lead(&url)?.expect("wais is routed");
//! assert_eq!(target.as_str(), "http://gateway.example/wais?wais%3A%2F%2Fhost.dom%2Fjobs%3Fchief%2520cook");
//!
//! let url = Url::parse("prospero://host.dom/pros/name")?;
//! let target = gateways.lead(&url)?.expect("prospero is routed");
//! assert_eq!(target.as_str(), "http://gateway.example/host.dom:1525/pros/name");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod template;

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{cited, message, words};
use crate::protocol::{Note, setting_shown, shown};
use core::fmt;
use template::Template;
use urlwise::build::nearest;
use urlwise::registry::{NewScheme, Standing, Syntax};
use urlwise::{Language, Message};
use urlwise::{Profile, Scheme, Url};

#[cfg(doc)]
use urlwise::build;

/// The rule behind gateways.
const REFERENCE: &str = "RFC 1738 section 4";

/// Adds a note to every answer that came through a gateway.
pub(crate) const THROUGH_GATEWAY: Note = Note::new(
    "gateway",
    REFERENCE,
    words!("the answer comes from the gateway for this scheme, not from the host in the URL"),
);

/// The schemes that are opened through other URLs, with their templates. Empty by default.
#[derive(Clone, Debug, Default)]
pub struct Gateways {
    /// By scheme.
    gateways: Vec<Gateway>,
}

/// One scheme and the template of the URLs through which it is opened.
#[derive(Clone, Debug)]
pub struct Gateway {
    scheme: String,
    known: Scheme,
    text: String,
    template: Template,
}

/// Why a gateway cannot be used. `Display` says what is wrong, and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayError {
    what: Message,
    help: Message,
}

impl Gateways {
    /// Sets the gateway of a scheme, replacing an earlier one. Each sibling over TLS counts as another scheme.
    ///
    /// # Errors
    /// The name, or the scheme of the template, is not that of a scheme of this library, of one that section 4 reserves or of an
    /// experiment (`x-`); or the template is not a URL under the profile `current`; or a variable is not known or stands where it must not.
    pub fn route(&mut self, scheme: &str, template: &str) -> Result<(), GatewayError> {
        let scheme = scheme.to_ascii_lowercase();
        let known = known(&scheme)?;
        let gateway = Gateway { template: Template::parse(template, known)?, known, text: template.to_owned(), scheme };
        match self.find(&gateway.scheme) {
            Ok(place) => self.gateways[place] = gateway,
            Err(place) => self.gateways.insert(place, gateway),
        }
        Ok(())
    }

    /// All gateways, by the names of their schemes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Gateway> {
        self.gateways.iter()
    }

    /// The gateway of this scheme, in any case; `None` if it has none.
    pub fn get(&self, scheme: &str) -> Option<&Gateway> {
        if self.gateways.is_empty() {
            return None;
        }
        self.find(&scheme.to_ascii_lowercase()).ok().map(|place| &self.gateways[place])
    }

    /// The URL through which another one is opened; `None` if its scheme has no gateway. The policy has not judged it yet.
    ///
    /// The gateway's URL is opened directly, so there are no loops: a gateway may have the scheme it is for. It must not have
    /// another scheme with a gateway, because that gateway would be bypassed.
    ///
    /// # Errors
    /// The template does not make a valid URL of this one, or makes one that must not be opened.
    pub fn lead<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Option<Url<String>>, Error> {
        let url = url.borrow();
        let Some(gateway) = self.get(url.scheme_name()).filter(|gateway| gateway.known == url.scheme()) else {
            return Ok(None);
        };
        let target = gateway.url(&url)?;
        let next = target.scheme_name();
        if !next.eq_ignore_ascii_case(&gateway.scheme) && self.get(next).is_some() {
            let (scheme, next) = (gateway.scheme.as_str(), next.to_string());
            let what = message!(
                "the gateway for {scheme} has the scheme {next}, which has a gateway itself",
                scheme = scheme,
                next = next.as_str()
            );
            let help = message!(
                "use the gateway for {next} directly as the gateway for {scheme}",
                next = next,
                scheme = scheme
            );
            return Err(Error::new(ErrorKind::NoAccess, what).with_reference(REFERENCE).with_help(help));
        }
        Ok(Some(target))
    }

    fn find(&self, scheme: &str) -> Result<usize, usize> {
        self.gateways.binary_search_by(|gateway| gateway.scheme.as_str().cmp(scheme))
    }
}

/// The scheme of this name in lower case, if a gateway may be for it or lead to it.
fn known(name: &str) -> Result<Scheme, GatewayError> {
    let known = Scheme::from_name(name.as_bytes(), Profile::Current);
    if known != Scheme::Other {
        return Ok(known);
    }
    if !Url::parse(format!("{name}:x")).is_ok_and(|url| url.scheme_name() == name) {
        let what = message!("`{name}` is not a valid scheme name", name = setting_shown(name));
        return Err(GatewayError::new(what, words!("use only letters, digits, `+`, `-` and `.`")));
    }
    if NewScheme::new(name, Syntax::Opaque).standing() == Standing::New {
        let names = || Scheme::ALL.iter().filter_map(|scheme| scheme.name());
        let help = match nearest(name, names()) {
            Some(near) => message!("did you mean `{near}`?", near = near),
            None => words!("use a scheme of `urlwise schemes`, or one that begins with `x-`").into(),
        };
        return Err(GatewayError::new(message!("the scheme `{scheme}` is not known", scheme = name), help));
    }
    Ok(known)
}

impl Gateway {
    /// The scheme it is for, in lower case.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The template as given.
    pub fn template(&self) -> &str {
        &self.text
    }

    /// The URL that the template makes from this one.
    fn url(&self, url: &Url<&str>) -> Result<Url<String>, Error> {
        self.template.fill(url).map_err(|fault| {
            let class = if fault.refused { ErrorKind::Refused } else { ErrorKind::NoAccess };
            let error = Error::new(
                class,
                message!(
                    "the gateway for {scheme} cannot be used: {cause}",
                    scheme = self.scheme.as_str(),
                    cause = fault.what
                ),
            );
            error.with_reference(fault.reference).with_help(fault.help)
        })
    }
}

/// The template with each password replaced by `***`.
impl fmt::Display for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&shown(&self.text))
    }
}

impl GatewayError {
    fn new(what: impl Into<Message>, help: impl Into<Message>) -> GatewayError {
        GatewayError { what: what.into(), help: help.into() }
    }

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = cited(self.what.clone(), None, REFERENCE, Some(self.help.clone()));
        message.into_text(language)
    }
}

impl fmt::Display for GatewayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl std::error::Error for GatewayError {}

#[cfg(test)]
mod tests;
