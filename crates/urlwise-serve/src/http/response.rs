//! Heads of answers. The value of a field is a [`Value`], and none can be made of octets that others wrote without their being
//! escaped or checked.

use core::fmt::Write as _;

use super::request::Method;

macro_rules! statuses {
    ($($name:ident $code:literal $reason:literal)*) => {
        /// A status of RFC 9110.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Status { $($name,)* }

        impl Status {
            /// Its number and its reason.
            pub(crate) const fn line(self) -> &'static str {
                match self { $(Status::$name => concat!($code, " ", $reason),)* }
            }
        }
    };
}

statuses! {
    Ok 200 "OK"
    SeeOther 303 "See Other"
    BadRequest 400 "Bad Request"
    Forbidden 403 "Forbidden"
    NotFound 404 "Not Found"
    MethodNotAllowed 405 "Method Not Allowed"
    RequestTimeout 408 "Request Timeout"
    LengthRequired 411 "Length Required"
    BodyTooLarge 413 "Content Too Large"
    UnsupportedType 415 "Unsupported Media Type"
    ExpectationFailed 417 "Expectation Failed"
    Misdirected 421 "Misdirected Request"
    HeadTooLarge 431 "Request Header Fields Too Large"
    NotImplemented 501 "Not Implemented"
    BadGateway 502 "Bad Gateway"
    Busy 503 "Service Unavailable"
    GatewayTimeout 504 "Gateway Timeout"
    Version 505 "HTTP Version Not Supported"
}

/// The value of a field: visible US-ASCII and blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value(String);

impl Value {
    /// One of ours.
    pub(crate) fn fixed(text: &'static str) -> Value {
        Value(text.to_owned())
    }

    /// Text, if a field may hold it.
    pub(crate) fn checked(text: String) -> Option<Value> {
        let is_plain = text.bytes().all(|octet| matches!(octet, b' '..=b'~'));
        is_plain.then_some(Value(text))
    }

    pub(crate) fn number(number: u64) -> Value {
        Value(number.to_string())
    }

    /// The path of a page of ours that is about this URL: `/open?url=...`.
    pub(crate) fn path(path: &'static str, url: &str) -> Value {
        Value(super::fields::link(path, url))
    }

    /// The path of an answer to a form, by its key, which is one of ours.
    pub(crate) fn answer(key: &str) -> Value {
        Value(super::fields::answer_link("/answer", key))
    }

    /// A list of methods.
    pub(crate) fn methods(methods: &[Method]) -> Value {
        Value(list(methods))
    }

    /// What makes a browser save the document under this name (RFC 6266). Everything but letters, digits, `.`, `-` and `_` is escaped.
    pub(crate) fn attachment(name: &str) -> Value {
        let plain = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-' | b'_');
        let simple: String = name.chars().map(|c| if c.is_ascii() && plain(c as u8) { c } else { '_' }).collect();
        let mut text = ["attachment; filename=\"", &simple, "\"; filename*=UTF-8''"].concat();
        for octet in name.bytes() {
            match plain(octet) {
                true => text.push(char::from(octet)),
                // Writing to a String cannot fail.
                false => drop(write!(text, "%{octet:02X}")),
            }
        }
        Value(text)
    }
}

/// The names of methods.
pub(crate) fn list(methods: &[Method]) -> String {
    methods.iter().map(|method| method.name()).collect::<Vec<_>>().join(", ")
}

/// What the page of an answer may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rights {
    /// A page of ours: its style, its pictures and its forms.
    Page,
    /// The same, with a frame for a document of the second origin, on this port.
    Framing(u16),
    /// The same, with the one script that has this nonce. Only for a page that holds nothing that others wrote.
    Scripted(u128),
    /// Octets of others in our origin: nothing at all.
    Octets,
    /// A document of others in the second origin, for a frame of the first, on this port.
    Foreign(u16),
}

impl Rights {
    /// Whether the browser may connect to others for it. A policy of contents does not keep a page from naming hosts that browsers
    /// look up or connect to beforehand (`dns-prefetch`, `preconnect`); this field does, where it is known.
    fn connections(self) -> Option<(&'static str, &'static str)> {
        match self {
            Rights::Page | Rights::Framing(_) | Rights::Scripted(_) => None,
            Rights::Octets | Rights::Foreign(_) => Some(("Connection-Allowlist", "(response-origin)")),
        }
    }

    fn policy(self) -> String {
        const PAGE: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'";
        match self {
            Rights::Page => [PAGE, "; frame-ancestors 'none'"].concat(),
            Rights::Framing(port) => format!("{PAGE}; frame-ancestors 'none'; frame-src http://127.0.0.1:{port}"),
            Rights::Scripted(nonce) => format!("{PAGE}; frame-ancestors 'none'; script-src 'nonce-{nonce:032x}'"),
            Rights::Octets => {
                "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'".into()
            }
            Rights::Foreign(port) => format!(
                "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                 frame-ancestors http://127.0.0.1:{port}"
            ),
        }
    }
}

/// The head of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    status: Status,
    rights: Rights,
    fields: Vec<(&'static str, Value)>,
    is_kept: bool,
}

impl Head {
    pub(crate) fn new(status: Status, rights: Rights, media_type: &'static str) -> Head {
        Head { status, rights, fields: vec![("Content-Type", Value::fixed(media_type))], is_kept: false }
    }

    /// A page of ours.
    pub(crate) fn page(status: Status) -> Head {
        Head::new(status, Rights::Page, "text/html; charset=utf-8")
    }

    pub(crate) fn with(mut self, name: &'static str, value: Value) -> Head {
        self.fields.push((name, value));
        self
    }

    pub(crate) fn allowing(self, rights: Rights) -> Head {
        Head { rights, ..self }
    }

    /// The browser may keep it for an hour: something of ours that is the same for everybody.
    pub(crate) fn kept(self) -> Head {
        Head { is_kept: true, ..self }
    }

    /// The octets of the head.
    pub(crate) fn octets(&self) -> Vec<u8> {
        let mut text = ["HTTP/1.1 ", self.status.line(), "\r\n"].concat();
        let policy = self.rights.policy();
        let cache = if self.is_kept { "private, max-age=3600" } else { "no-store" };
        let ours = [
            ("Content-Security-Policy", policy.as_str()),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("X-DNS-Prefetch-Control", "off"),
            ("Cache-Control", cache),
            ("Connection", "close"),
        ];
        let theirs = self.fields.iter().map(|(name, value)| (*name, value.0.as_str()));
        for (name, value) in theirs.chain(ours).chain(self.rights.connections()) {
            text.extend([name, ": ", value, "\r\n"]);
        }
        text.push_str("\r\n");
        text.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_62_no_field_holds_what_others_wrote_unchecked() {
        for text in ["a\r\nSet-Cookie: x=y", "a\nb", "caf\u{e9}", "a\0", "a\u{7f}"] {
            assert_eq!(Value::checked(text.to_owned()), None, "{text:?}");
            let name = Value::attachment(text).0;
            assert!(name.bytes().all(|octet| matches!(octet, b' '..=b'~')), "{name}");
            assert_eq!(name.matches('"').count(), 2, "{name}");
            let path = Value::path("/open", text).0;
            assert!(path.bytes().all(|octet| matches!(octet, b'!'..=b'~')), "{path}");
        }
        assert_eq!(
            Value::attachment("a \"b\".txt").0,
            "attachment; filename=\"a__b_.txt\"; filename*=UTF-8''a%20%22b%22.txt"
        );
        assert!(Value::checked("text/plain".to_owned()).is_some());
    }

    #[test]
    fn security_65_every_answer_forbids_what_it_does_not_need() {
        for rights in [Rights::Page, Rights::Framing(9), Rights::Scripted(9), Rights::Octets, Rights::Foreign(9)] {
            let head = String::from_utf8(Head::page(Status::Ok).allowing(rights).octets()).expect("US-ASCII");
            let policy = rights.policy();
            assert!(policy.contains("default-src 'none'") && policy.contains("base-uri 'none'"), "{policy}");
            assert!(policy.contains("frame-ancestors") && policy.contains("form-action"), "{policy}");
            assert!(!policy.contains("unsafe-eval") && !policy.contains('*'), "{policy}");
            let script = policy.split("; ").find(|part| part.starts_with("script-src"));
            let expected =
                (rights == Rights::Scripted(9)).then_some("script-src 'nonce-00000000000000000000000000000009'");
            assert_eq!(script, expected, "{policy}");
            for field in [
                "X-Content-Type-Options: nosniff",
                "Referrer-Policy: no-referrer",
                "Cross-Origin-Opener-Policy: same-origin",
                "Cross-Origin-Resource-Policy: same-origin",
                "X-DNS-Prefetch-Control: off",
                "Cache-Control: no-store",
                "Connection: close",
            ] {
                assert!(head.contains(field), "{head}");
            }
        }
        for rights in [Rights::Octets, Rights::Foreign(9)] {
            assert!(rights.policy().starts_with("sandbox;"));
            let head = String::from_utf8(Head::page(Status::Ok).allowing(rights).octets()).expect("US-ASCII");
            assert!(head.contains("\r\nConnection-Allowlist: (response-origin)\r\n"), "{head}");
        }
    }
}
