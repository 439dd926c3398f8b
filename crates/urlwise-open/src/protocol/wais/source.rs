//! Source descriptions, documents of type `WSRC`: which database, at which server, and what it is about.
//!
//! ```text
//! (:source
//!    :version 3
//!    :ip-name "wais.example.test"
//!    :tcp-port 210
//!    :database-name "sample"
//!    :description "Notes.")
//! ```

use urlwise::build::Draft;
use urlwise::{Scheme, Url};

/// Most lists within one another; descriptions have one.
const DEEPEST: usize = 16;

/// The database that a source description describes: octets as the server gave them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisSource {
    /// The host, by its name or, without one, by its address.
    pub host: Vec<u8>,
    /// The port; `None` where none is given.
    pub port: Option<u16>,
    /// The name of the database.
    pub database: Vec<u8>,
    /// What it is about; `None` where nothing is said.
    pub description: Option<Vec<u8>>,
}

impl WaisSource {
    /// Reads a source description; `None` if the text is not one, or names no database or no host.
    ///
    /// ```
    /// use urlwise_open::protocol::wais::WaisSource;
    ///
    /// let text = br#"(:source :version 3 :ip-name "wais.dom" :tcp-port 8000 :database-name "db")"#;
    /// let source = WaisSource::read(text).expect("a description");
    /// assert_eq!(source.url().expect("a URL").as_str(), "wais://wais.dom:8000/db");
    /// ```
    pub fn read(text: &[u8]) -> Option<WaisSource> {
        let mut words = Words { rest: text };
        if words.next() != Some(Word::Open) || words.next() != Some(Word::Other(b":source")) {
            return None;
        }
        let (mut name, mut address) = (Vec::new(), Vec::new());
        let mut source = WaisSource::default();
        loop {
            match words.next()? {
                Word::Close => break,
                Word::Other(key) if key.starts_with(b":") => match (key, words.value()?) {
                    (b":ip-name", Value::Text(text)) => name = text,
                    (b":ip-address", Value::Text(text)) => address = text,
                    (b":database-name", Value::Text(text)) => source.database = text,
                    (b":description", Value::Text(text)) => source.description = Some(text),
                    (b":tcp-port", Value::Text(text)) => source.port = std::str::from_utf8(&text).ok()?.parse().ok(),
                    _ => {}
                },
                Word::Open | Word::Text(_) | Word::Other(_) => return None,
            }
        }
        source.host = if name.is_empty() { address } else { name };
        (!source.host.is_empty() && !source.database.is_empty()).then_some(source)
    }

    /// The URL of the database; `None` where a URL cannot name its host or its port.
    pub fn url(&self) -> Option<Url<String>> {
        let host = std::str::from_utf8(&self.host).ok()?;
        let default = Scheme::Wais.default_port();
        let port = self.port.filter(|port| Some(*port) != default).map(|port| port.to_string());
        let draft = Draft::of(Scheme::Wais).with("host", host).with_optional("port", port);
        draft.with("database", &self.database).build().ok()
    }
}

/// One word of a description.
#[derive(Debug, PartialEq, Eq)]
enum Word<'a> {
    Open,
    Close,
    /// In quotation marks, which are taken off.
    Text(Vec<u8>),
    /// A keyword, a number, a symbol.
    Other(&'a [u8]),
}

/// What stands behind a keyword.
enum Value {
    /// A text, a number or a symbol.
    Text(Vec<u8>),
    List,
}

struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    /// The next word; `None` at the end, also in the middle of a text.
    fn next(&mut self) -> Option<Word<'a>> {
        self.rest = self.rest.trim_ascii_start();
        let (&first, behind) = self.rest.split_first()?;
        match first {
            b'(' | b')' => {
                self.rest = behind;
                Some(if first == b'(' { Word::Open } else { Word::Close })
            }
            b'"' => {
                self.rest = behind;
                self.text().map(Word::Text)
            }
            _ => {
                let ends = |octet: &u8| octet.is_ascii_whitespace() || b"()\"".contains(octet);
                let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                Some(Word::Other(word))
            }
        }
    }

    /// A text up to its closing quotation mark; a backslash takes the next octet as it is.
    fn text(&mut self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let (&octet, behind) = self.rest.split_first()?;
            self.rest = behind;
            match octet {
                b'"' => return Some(text),
                b'\\' => {
                    let (&escaped, behind) = self.rest.split_first()?;
                    self.rest = behind;
                    text.push(escaped);
                }
                octet => text.push(octet),
            }
        }
    }

    /// What stands behind a keyword. A list is skipped.
    fn value(&mut self) -> Option<Value> {
        match self.next()? {
            Word::Text(text) => Some(Value::Text(text)),
            Word::Other(word) => Some(Value::Text(word.to_vec())),
            Word::Close => None,
            Word::Open => {
                let mut depth = 1;
                while depth > 0 {
                    match self.next()? {
                        Word::Open => depth += 1,
                        Word::Close => depth -= 1,
                        Word::Text(_) | Word::Other(_) => {}
                    }
                    if depth > DEEPEST {
                        return None;
                    }
                }
                Some(Value::List)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WaisSource;

    fn url(text: &str) -> Option<String> {
        Some(WaisSource::read(text.as_bytes())?.url()?.to_string())
    }

    #[test]
    fn a_description_names_its_database() {
        let text = "\n(:source \n :version  3 \n :ip-address \"192.0.2.1\"\n :ip-name \"h.dom\"\n :tcp-port 210\n\
            :database-name \"a b\"\n :cost 0.00 \n :cost-unit :free \n :keyword-list (\n one\n (two \")\")\n )\n\
            :description \"Two \\\"words\\\".\n\"\n)\n";
        let source = WaisSource::read(text.as_bytes()).expect("it is one");
        assert_eq!(source.url().expect("a URL").as_str(), "wais://h.dom/a%20b");
        assert_eq!(source.description.as_deref(), Some(&b"Two \"words\".\n"[..]));
    }

    #[test]
    fn the_address_stands_in_for_a_name() {
        let text = r#"(:source :ip-address "192.0.2.1" :ip-name "" :tcp-port "8001" :database-name "db")"#;
        assert_eq!(url(text).as_deref(), Some("wais://192.0.2.1:8001/db"));
    }

    #[test]
    fn what_is_cut_or_something_else_is_not_read() {
        let whole = r#"(:source :ip-name "h.dom" :keyword-list (a) :database-name "db")"#;
        assert!(url(whole).is_some());
        for end in 0..whole.len() {
            assert_eq!(url(&whole[..end]), None, "cut at {end}");
        }
        for text in [
            r#"(:tree :ip-name "h.dom" :database-name "db")"#,
            r#"(:source :database-name "db")"#,
            r#"(:source :ip-name "h.dom")"#,
            r#"(:source "h.dom" :ip-name "h.dom" :database-name "db")"#,
            r#"(:source word :cost :ip-name "h.dom" :database-name "db")"#,
            r#"(:source word "h.dom" :ip-name "h.dom" :database-name "db")"#,
            r#"(:source :ip-name "h dom/" :database-name "db")"#,
        ] {
            assert_eq!(url(text), None, "{text}");
        }
        let lists = |count: usize| {
            let value = "(".repeat(count) + &")".repeat(count);
            url(&format!(r#"(:source :x {value} :ip-name "h.dom" :database-name "db")"#))
        };
        assert_eq!((lists(16).is_some(), lists(17).is_some()), (true, false));
        let deep = format!(r#"(:source :x {} :ip-name "h.dom" :database-name "db")"#, "(".repeat(100_000));
        assert_eq!(url(&deep), None);
    }
}
