//! Fields of queries and forms (`application/x-www-form-urlencoded`): split first, decoded after, once.

/// The fields of a query or a form, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(Vec<(Vec<u8>, Vec<u8>)>);

impl Form {
    /// Reads a query or the body of a form.
    pub(crate) fn read(octets: &[u8]) -> Form {
        let pairs = octets.split(|octet| *octet == b'&').filter(|pair| !pair.is_empty());
        Form(pairs.map(pair).collect())
    }

    /// The value of the first field of this name; `None` without one.
    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(known, _)| known == name.as_bytes()).map(|(_, value)| value.as_slice())
    }

    /// The same as text; `None` also if it is not UTF-8.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        str::from_utf8(self.get(name)?).ok()
    }
}

fn pair(pair: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let equals = pair.iter().position(|octet| *octet == b'=');
    let (name, value) = equals.map_or((pair, &b""[..]), |at| (&pair[..at], &pair[at + 1..]));
    let decoded = |octets: &[u8]| {
        let spaced: Vec<u8> = octets.iter().map(|octet| if *octet == b'+' { b' ' } else { *octet }).collect();
        urlwise::decode(&spaced).into_owned()
    };
    (decoded(name), decoded(value))
}

/// A path of ours with a URL as one encoded value: `/open?url=gopher%3A%2F%2Fh%2F`.
pub(crate) fn link(path: &str, url: &str) -> String {
    let mut link = String::with_capacity(path.len() + url.len() * 2);
    link.push_str(path);
    link.push_str("?url=");
    push(&mut link, url);
    link
}

/// The path of the answer to a form that is kept under this key.
pub(crate) fn answer_link(path: &str, key: &str) -> String {
    let mut link = [path, "?key="].concat();
    push(&mut link, key);
    link
}

/// The same with another field.
pub(crate) fn link_with(path: &str, url: &str, name: &'static str, value: &str) -> String {
    let mut link = link(path, url);
    link.extend(["&", name, "="]);
    push(&mut link, value);
    link
}

fn push(text: &mut String, value: &str) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for octet in value.bytes() {
        if octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~') {
            text.push(char::from(octet));
        } else {
            let digits = [HEX[usize::from(octet >> 4)], HEX[usize::from(octet & 15)]];
            text.push('%');
            text.extend(digits.map(char::from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, link_with};

    #[test]
    fn fields_are_split_before_they_are_decoded() {
        let form = Form::read(b"url=gopher%3A%2F%2Fh%2F%26a%3Db&q=a+b%2B%25&q=second&&empty=&none&=x&bad=%zz%ff");
        assert_eq!(form.text("url"), Some("gopher://h/&a=b"));
        assert_eq!(form.text("q"), Some("a b+%"));
        assert_eq!((form.get("empty"), form.get("none"), form.get("other")), (Some(&b""[..]), Some(&b""[..]), None));
        assert_eq!((form.get("bad"), form.text("bad")), (Some(&b"%zz\xff"[..]), None));
    }

    #[test]
    fn a_link_holds_its_url_as_one_value() {
        let url = "gopher://h/7a%09b?c&d=e#f+g\"'<>\u{e9}";
        let link = link_with("/open", url, "list", "a b&c");
        let query = link.split_once('?').expect("a query").1;
        let form = Form::read(query.as_bytes());
        assert_eq!((form.text("url"), form.text("list")), (Some(url), Some("a b&c")));
        assert!(link.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"/?=&%-._~".contains(&octet)), "{link}");
        assert_eq!(super::link("/open", "a:b"), "/open?url=a%3Ab");
    }
}
