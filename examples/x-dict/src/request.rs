//! URLs of the scheme: `x-dict://host:port/dictionary/word`, and what each asks for.

use urlwise::grammar::FSEGMENT;
use urlwise::registry::{NewScheme, Objection, Registry, Syntax};
use urlwise::{Locator, Url};

/// The name of the scheme: `x-`, because it is an experiment.
pub const SCHEME: &str = "x-dict";

/// The port of DICT (RFC 2229 section 3).
const PORT: u16 = 2628;

/// A registry that knows the scheme: its URLs have a host, the port 2628 unless they name another, and one or two segments.
pub fn scheme() -> Registry {
    let mut registry = Registry::new();
    let dict = NewScheme::new(SCHEME, Syntax::Internet)
        .with_default_port(PORT)
        .with_title("Words in dictionaries (RFC 2229)")
        .with_check(check);
    // The name is in lower case, begins with `x-`, and is registered once.
    let registered = registry.register(dict);
    debug_assert!(registered.is_ok());
    registry
}

/// What the common Internet syntax does not say: how many segments there are, and that a word has a dictionary.
fn check(url: &Url<&str>) -> Result<(), Objection> {
    if let Some(user) = url.parts().find(|part| part.name() == "user") {
        return Err(Objection::new(user.span(), "there is no login in the scheme, and this one would not be sent")
            .with_help("leave it out"));
    }
    let Some(path) = url.parts().find(|part| part.name() == "urlpath") else { return Ok(()) };
    let segments: Vec<_> = path.octets().split(|octet| *octet == b'/').collect();
    match segments.as_slice() {
        [[]] | [[_, ..], _] => Ok(()),
        [[], _] => Err(Objection::new(path.span(), "no dictionary is named before the word")
            .with_help("write `*` for all of them")),
        [_] => Err(Objection::new(path.span(), "a dictionary ends with a slash")
            .with_help("add the slash, or a slash and a word behind it")),
        _ => Err(Objection::new(path.span(), "there is a dictionary and a word, and no third segment")
            .with_help("write a slash in a word as `%2F`")),
    }
}

/// What a URL asks for, in octets: nothing is percent-encoded here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DictRequest {
    /// Which dictionaries there are.
    Dictionaries,
    /// What a dictionary says of itself.
    About {
        /// Its name.
        dictionary: Vec<u8>,
    },
    /// What a dictionary says of a word.
    Define {
        /// Its name; `*` stands for all.
        dictionary: Vec<u8>,
        /// The word.
        word: Vec<u8>,
    },
    /// The words that begin so.
    Begin {
        /// As in [`Define`](DictRequest::Define).
        dictionary: Vec<u8>,
        /// What they begin with.
        word: Vec<u8>,
    },
}

impl DictRequest {
    /// What opening a URL asks for. Split first, decode after: a `%2F` is part of a word.
    pub fn from_url(url: &Url<&str>) -> DictRequest {
        let path = match url.locator() {
            Locator::Other(other) => other.urlpath().map(|path| path.as_str().to_owned()).unwrap_or_default(),
            _ => String::new(),
        };
        let (dictionary, word) = path.split_once('/').unwrap_or((&path, ""));
        let [dictionary, word] = [dictionary, word].map(|segment| urlwise::decode(segment.as_bytes()).into_owned());
        match (dictionary.is_empty(), word.is_empty()) {
            (true, _) => DictRequest::Dictionaries,
            (false, true) => DictRequest::About { dictionary },
            (false, false) => DictRequest::Define { dictionary, word },
        }
    }

    /// What listing a URL asks for: of a word, those that begin like it.
    pub fn to_list(url: &Url<&str>) -> DictRequest {
        match DictRequest::from_url(url) {
            DictRequest::Define { dictionary, word } => DictRequest::Begin { dictionary, word },
            other => other,
        }
    }

    /// The URL of a word, or of a dictionary if the word is empty, at the host and port of `base`; `None` where `base` is no URL of
    /// the scheme.
    pub fn url(base: &Url<&str>, dictionary: &[u8], word: &[u8]) -> Option<Url<String>> {
        let part = |name| base.parts().find(|part| part.name() == name).map(|part| part.span());
        let end = part("port").or_else(|| part("host"))?.end;
        let [dictionary, word] = [dictionary, word].map(|octets| FSEGMENT.encode(octets));
        scheme().parse(format!("{}/{dictionary}/{word}", &base.as_str()[..end])).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{DictRequest, scheme};

    fn opened(text: &str) -> DictRequest {
        DictRequest::from_url(&scheme().parse(text).expect(text))
    }

    fn define(dictionary: &[u8], word: &[u8]) -> DictRequest {
        DictRequest::Define { dictionary: dictionary.to_vec(), word: word.to_vec() }
    }

    #[test]
    fn a_url_asks_for_one_of_three_things() {
        for text in ["x-dict://h.example", "x-dict://h.example/", "X-DICT://h.example:99/"] {
            assert_eq!(opened(text), DictRequest::Dictionaries, "{text}");
        }
        assert_eq!(opened("x-dict://h.example/wn/"), DictRequest::About { dictionary: b"wn".to_vec() });
        assert_eq!(opened("x-dict://h.example/wn/a%2Fb%20c"), define(b"wn", b"a/b c"));
        assert_eq!(opened("x-dict://h.example/*/%C3%A9"), define(b"*", "\u{e9}".as_bytes()));
    }

    #[test]
    fn an_invalid_url_of_the_scheme_says_why() {
        for (text, why) in [
            ("x-dict:wn/a", "slashes"),
            ("x-dict://h.example/wn", "a dictionary ends with a slash"),
            ("x-dict://h.example//a", "no dictionary is named"),
            ("x-dict://h.example/wn/a/b", "no third segment"),
            ("x-dict://joe@h.example/wn/a", "no login in the scheme"),
            ("x-dict://joe:secret@h.example", "no login in the scheme"),
        ] {
            let error = scheme().parse(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_built_is_read_again() {
        for base in ["x-dict://h.example:99/x/y", "x-dict://h.example"] {
            let base = scheme().parse(base).expect(base);
            for word in [&b"a"[..], b"a/b", b"100%", b"..", b"\xff\x00\r\n"] {
                let url = DictRequest::url(&base, b"w/n", word).expect("a URL");
                assert_eq!(DictRequest::from_url(&url.borrow()), define(b"w/n", word), "{url:?}");
                assert_eq!((url.host(), url.port_or_default()), (base.host(), base.port_or_default()));
            }
        }
    }
}
