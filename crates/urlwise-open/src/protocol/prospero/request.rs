//! What a prospero URL asks for, and the lines of its request (RFC 1738 section 3.11).

use super::object::{Object, VERSION_FIELD};
use super::settings::ProsperoSettings;
use super::token;
use crate::language::words;
use crate::protocol::digits::number;
use crate::protocol::{Command, Fault, FaultKind};
use std::fmt;
use urlwise::{Words, escape_for_display};

changeable!(ProsperoRequest);

/// What a prospero URL asks for. Octets are not encoded.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProsperoRequest {
    /// The object.
    pub object: Object,
    /// What to retrieve of it.
    pub goal: ProsperoGoal,
    /// Whether the URL has fields that are not sent.
    pub has_other_fields: bool,
}

/// What to retrieve of an object. There will be no others: an object is opened, or its ways are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProsperoGoal {
    /// Its contents: a document, or the entries of a directory.
    Open,
    /// Its access methods, or the entries of a directory.
    List,
}

/// What one request asks about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectQuery {
    /// Its access methods.
    Methods,
    /// All its attributes: some servers return the access methods of a file only with them.
    All,
    /// Its contents.
    Contents,
    /// Its links.
    Links,
}

impl ProsperoRequest {
    /// What a prospero URL asks for.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::prospero::{ProsperoRequest, ProsperoGoal};
    ///
    /// let url = Url::parse("prospero://host.dom//pros/name;OBJECT-VERSION=3").expect("a prospero URL");
    /// let Locator::Prospero(prospero) = url.locator() else { unreachable!() };
    /// let request = ProsperoRequest::from_url(prospero, ProsperoGoal::Open).expect("a number");
    /// assert_eq!((request.object.hsoname.as_slice(), request.object.version), (&b"/pros/name"[..], 3));
    /// ```
    ///
    /// # Errors
    /// The field `OBJECT-VERSION` is not a number, or occurs twice with different values.
    pub fn from_url(url: urlwise::Prospero<'_>, goal: ProsperoGoal) -> Result<ProsperoRequest, Fault> {
        let refused = |what: Words| Fault::new(FaultKind::Refused, "RFC 1738 section 3.11", what);
        let mut version = None;
        let mut has_other_fields = false;
        for (name, value) in url.fields() {
            if name.decode() != VERSION_FIELD.as_bytes() {
                has_other_fields = true;
                continue;
            }
            let value = value.map(urlwise::Encoded::decode).unwrap_or_default();
            let number = number(&value).ok_or_else(|| {
                refused(words!("the field OBJECT-VERSION is not a decimal number"))
                    .octets(&value)
                    .with_help(words!("remove the field for the current version"))
            })?;
            if version.is_some_and(|other| other != number) {
                return Err(
                    refused(words!("the URL names two versions of the object")).with_help(words!("keep one of them"))
                );
            }
            version = Some(number);
        }
        let object = Object { version: version.unwrap_or(0), ..Object::of(url) };
        Ok(ProsperoRequest { object, goal, has_other_fields })
    }
}

/// The lines of a request about `object`.
///
/// # Errors
/// The object's name contains NUL, which a line cannot hold.
pub(super) fn command(ask: ObjectQuery, object: &Object, settings: &ProsperoSettings) -> Result<Command, Fault> {
    let mut lines = Vec::new();
    let mut line = |words: &str, tokens: &[&[u8]]| {
        lines.extend_from_slice(words.as_bytes());
        tokens.iter().try_for_each(|token| token::write(token, &mut lines))?;
        lines.push(b'\n');
        Ok::<(), Fault>(())
    };
    line("VERSION 5", &[&settings.software])?;
    line("AUTHENTICATE '' UNAUTHENTICATED", &[&settings.user])?;
    let version = object.version.to_string();
    let named = [object.hsoname.as_slice(), version.as_bytes()];
    match ask {
        ObjectQuery::Links => {
            // Like the real client, name the version of a directory only if it is not the current one.
            line("DIRECTORY ASCII", if object.version == 0 { &named[..1] } else { &named })?;
            line("LIST ATTRIBUTES COMPONENTS", &[])?;
        }
        ObjectQuery::Methods => line("GET-OBJECT-INFO ACCESS-METHOD ASCII", &named)?,
        ObjectQuery::All => line("GET-OBJECT-INFO #ALL ASCII", &named)?,
        ObjectQuery::Contents => line("GET-OBJECT-INFO CONTENTS ASCII", &named)?,
    }
    Ok(Command::new(lines))
}

impl fmt::Debug for ProsperoRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Object { host, port, hsoname, version } = &self.object;
        let object =
            format_args!("{}({port}) {} {version}", escape_for_display(host.as_bytes()), escape_for_display(hsoname));
        f.debug_struct("ProsperoRequest").field("object", &object).field("goal", &self.goal).finish_non_exhaustive()
    }
}
