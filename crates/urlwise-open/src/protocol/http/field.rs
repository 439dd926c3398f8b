//! A header field that somebody adds to requests (S-56).

use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind};
use std::fmt;
use std::str::FromStr;
use ureq_proto::http::HeaderName;
use urlwise::{Message, escape_for_display};

/// Fields that say where the request goes, where it ends, or what of the connection is kept: another value would smuggle a request
/// or break the dialogue.
const FRAMING: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Fields that have an option of their own, because the answer is read by it.
const OPTIONS: &[&str] = &["accept-encoding", "if-range", "range"];

/// Fields that hold credentials.
const CREDENTIALS: &[&str] = &["authorization", "cookie"];

/// A header field to send with requests for the URL that was given, and with those for the same scheme, host and port. `Debug` and
/// dialogues mask its value, which may be a secret.
///
/// ```
/// use urlwise_open::protocol::http::RequestField;
///
/// let field: RequestField = "Accept-Language: de".parse()?;
/// assert_eq!((field.name(), field.value()), ("accept-language", "de"));
/// assert!("Accept: a\r\nHost: evil.example".parse::<RequestField>().is_err());
/// assert!("Transfer-Encoding: chunked".parse::<RequestField>().is_err());
/// # Ok::<(), urlwise_open::protocol::Fault>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RequestField {
    name: HeaderName,
    value: String,
}

impl RequestField {
    /// Its name, in lower case.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Its value, maybe empty, without blanks around it.
    pub fn value(&self) -> &str {
        &self.value
    }

    pub(super) fn header(&self) -> (HeaderName, String) {
        (self.name.clone(), self.value.clone())
    }

    /// Whether it logs somebody in.
    pub(crate) fn is_credential(&self) -> bool {
        CREDENTIALS.contains(&self.name())
    }
}

impl FromStr for RequestField {
    type Err = Fault;

    /// Reads `Name: value`, the value maybe empty.
    fn from_str(text: &str) -> Result<RequestField, Fault> {
        let refuse = |what: Message| Fault::new(FaultKind::Refused, "RFC 9110 section 5, S-56", what);
        let (name, value) = text.split_once(':').ok_or_else(|| {
            // The text may be a secret.
            refuse(words!("a header field is a name, a colon and a value").into())
                .with_help(words!("as in `Accept-Language: de`"))
        })?;
        let shown = escape_for_display(name.as_bytes()).to_string();
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| refuse(message!("`{name}` is not the name of a header field", name = shown)))?;
        let value = value.trim_matches([' ', '\t']);
        if let Some(octet) = value.bytes().find(|octet| octet.is_ascii_control() && *octet != b'\t') {
            return Err(refuse(message!(
                "the value of `{name}` contains the control character {octet}",
                name = name.as_str(),
                octet = format!("%{octet:02X}"),
            )));
        }
        if !value.is_ascii() {
            return Err(refuse(message!(
                "the value of `{name}` contains characters outside US-ASCII, which servers read differently",
                name = name.as_str(),
            )));
        }
        if FRAMING.contains(&name.as_str()) {
            return Err(refuse(message!(
                "`{name}` says how the request is sent, and cannot be changed",
                name = name.as_str(),
            )));
        }
        if OPTIONS.contains(&name.as_str()) {
            let what = message!("`{name}` would change how the answer is to be read", name = name.as_str());
            return Err(refuse(what).with_help(words!("use the options for compression and for resuming")));
        }
        Ok(RequestField { name, value: value.to_owned() })
    }
}

impl fmt::Debug for RequestField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestField").field("name", &self.name()).field("value", &"***").finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{FRAMING, OPTIONS, RequestField};

    #[test]
    fn a_field_is_a_name_and_a_value() {
        for (text, name, value) in [
            ("Accept-Language: de", "accept-language", "de"),
            ("X-A:b:c", "x-a", "b:c"),
            ("x-a: \t a\tb ", "x-a", "a\tb"),
            ("Cookie:", "cookie", ""),
        ] {
            let field: RequestField = text.parse().expect(text);
            assert_eq!((field.name(), field.value()), (name, value));
            assert_eq!(field.is_credential(), name == "cookie");
        }
    }

    #[test]
    fn security_56_what_would_smuggle_is_refused() {
        for text in [
            "",
            "x",
            ": x",
            "a b: x",
            "x : y",
            "X\r\nHost: y",
            "caf\u{e9}: x",
            "x: caf\u{e9}",
            "x: a\rb",
            "x: a\nb",
            "x: a\0b",
            "x: \u{7f}",
        ] {
            let fault = text.parse::<RequestField>().expect_err(text).to_string();
            assert!(!fault.contains(char::is_control), "{fault}");
        }
        for name in FRAMING.iter().chain(OPTIONS) {
            assert!(format!("{}: x", name.to_ascii_uppercase()).parse::<RequestField>().is_err(), "{name}");
        }
    }

    #[test]
    fn security_14_a_value_is_not_shown() {
        let field: RequestField = "Authorization: Bearer s3cret".parse().expect("a field");
        assert!(!format!("{field:?}").contains("s3cret") && field.is_credential());
        assert!(!"s3cret".parse::<RequestField>().expect_err("no colon").to_string().contains("s3cret"));
    }
}
