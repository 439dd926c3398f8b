//! The links of an HTML document, found by the tokens of WHATWG's standard: attributes are decoded, comments and scripts hold none.

use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, Token};

/// The attributes whose values are URLs, by the names of their tags.
const LINKS: &[(&str, &[&str])] = &[
    ("a", &["href"]),
    ("area", &["href"]),
    ("audio", &["src"]),
    ("body", &["background"]),
    ("embed", &["src"]),
    ("frame", &["src"]),
    ("iframe", &["src"]),
    ("img", &["src", "srcset"]),
    ("input", &["src"]),
    ("link", &["href"]),
    ("object", &["data"]),
    ("script", &["src"]),
    ("source", &["src", "srcset"]),
    ("track", &["src"]),
    ("video", &["src", "poster"]),
];

/// A reference in a document, decoded and without blanks around it; maybe relative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HtmlLink {
    /// The base of the references that follow: the first `<base href>`.
    Base(Vec<u8>),
    /// Anything that is linked to or embedded.
    Link(Vec<u8>),
}

/// The references of a document, in order.
pub(crate) fn links(document: &[u8]) -> Vec<HtmlLink> {
    let mut emitter = DefaultEmitter::default();
    // Scripts and styles hold text, whatever it looks like.
    emitter.naively_switch_states(true);
    let (mut found, mut has_base) = (Vec::new(), false);
    for token in Tokenizer::new_with_emitter(document, emitter) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        let attribute = |name: &str| tag.attributes.get(name.as_bytes()).map(|value| trimmed(value));
        match &tag.name[..] {
            b"base" => {
                let base = attribute("href").filter(|_| !has_base);
                has_base |= base.is_some();
                found.extend(base.map(HtmlLink::Base));
            }
            b"meta" => {
                let is_refresh = attribute("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case(b"refresh"));
                let content = attribute("content").filter(|_| is_refresh);
                found.extend(content.and_then(|content| refreshed(&content)).map(HtmlLink::Link));
            }
            name => {
                let row = LINKS.iter().find(|(tag, _)| tag.as_bytes() == name);
                for name in row.into_iter().flat_map(|(_, names)| *names) {
                    let Some(value) = attribute(name) else { continue };
                    match *name {
                        "srcset" => found.extend(candidates(&value).map(HtmlLink::Link)),
                        _ => found.push(HtmlLink::Link(value)),
                    }
                }
            }
        }
    }
    found
}

/// Without blanks around it, and without the tabs and line ends that browsers drop.
fn trimmed(value: &[u8]) -> Vec<u8> {
    let kept = value.trim_ascii().iter().filter(|octet| !matches!(octet, b'\t' | b'\n' | b'\r'));
    kept.copied().collect()
}

/// The URLs of a `srcset`: the first word of each candidate. A comma at the end of a word ends the candidate.
fn candidates(value: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    std::iter::from_fn(move || {
        let word = words.by_ref().map(|word| word.strip_prefix(b",").unwrap_or(word)).find(|word| !word.is_empty())?;
        if let Some(url) = word.strip_suffix(b",") {
            return Some(url.to_vec());
        }
        // A description follows, up to a comma.
        words.by_ref().find(|word| word.contains(&b','));
        Some(word.to_vec())
    })
}

/// The URL in `5; url=next.html`.
fn refreshed(content: &[u8]) -> Option<Vec<u8>> {
    let start = content.iter().position(|octet| matches!(octet, b';' | b','))? + 1;
    let rest = content[start..].trim_ascii_start();
    let rest = match rest.split_at_checked(3) {
        Some((word, after)) if word.eq_ignore_ascii_case(b"url") => after.trim_ascii_start().strip_prefix(b"=")?,
        _ => rest,
    };
    let rest = rest.trim_ascii();
    let quote = rest.first().copied().filter(|octet| matches!(octet, b'"' | b'\''));
    let url = match quote {
        Some(quote) => rest[1..].split(|octet| *octet == quote).next().unwrap_or_default(),
        None => rest,
    };
    (!url.is_empty()).then(|| url.to_vec())
}

#[cfg(test)]
mod tests {
    use super::{HtmlLink, links};
    use proptest::prelude::*;

    #[track_caller]
    fn has(document: &str, expected: &[&str]) {
        let found: Vec<_> = links(document.as_bytes())
            .into_iter()
            .map(|link| match link {
                HtmlLink::Base(url) => format!("base {}", String::from_utf8_lossy(&url)),
                HtmlLink::Link(url) => String::from_utf8_lossy(&url).into_owned(),
            })
            .collect();
        assert_eq!(found, expected, "{document}");
    }

    #[test]
    fn links_are_the_values_of_attributes_decoded() {
        has("<A HREF='a?b&amp;c=&#64;'>x</a> <img src=b.png><a name=x>", &["a?b&c=@", "b.png"]);
        has("<a href=\" \n a\tb \n\"><link href=c rel=stylesheet><script src=d></script>", &["ab", "c", "d"]);
        has("<video src=a poster=b><source src=c></video><object data=d><area href=e>", &["a", "b", "c", "d", "e"]);
        has("<a href=a href=b>", &["a"]);
        has("<a href>", &[""]);
    }

    #[test]
    fn comments_scripts_and_text_hold_none() {
        has("<!-- <a href=x> --><script>'<a href=x>'</script><style><a href=x></style>", &[]);
        has("<title><a href=x></title><textarea><a href=x></textarea>&lt;a href=x&gt;", &[]);
        has("<a href=x", &[]);
    }

    #[test]
    fn the_first_base_counts() {
        has("<base href=a/><base href=b/><a href=c>", &["base a/", "c"]);
        has("<base target=x><base href=b/>", &["base b/"]);
    }

    #[test]
    fn candidates_of_a_srcset_are_links() {
        has("<img srcset='a.png 1x, b.png 2x'>", &["a.png", "b.png"]);
        has("<img srcset='a.png, b.png 640w,c.png'>", &["a.png", "b.png"]);
        has("<img srcset=' , a.png 1x , b.png'>", &["a.png", "b.png"]);
        has("<img srcset=''>", &[]);
    }

    #[test]
    fn a_refresh_is_a_link() {
        for content in ["0; url=a", "5;URL='a'", "0,url = \"a\"", "0; a"] {
            has(&format!("<meta http-equiv=Refresh content='{}'>", content.replace('\'', "&apos;")), &["a"]);
        }
        has("<meta http-equiv=refresh content=5><meta name=x content='0; url=a'>", &[]);
    }

    proptest! {
        #[test]
        fn security_55_no_document_makes_it_panic(octets in any::<Vec<u8>>(), text in "[<>a-z =\"'&;!/-]{0,60}") {
            links(&octets);
            links(text.as_bytes());
            links(format!("<meta http-equiv=refresh content=\"{text}\"><img srcset=\"{text}\">").as_bytes());
        }
    }
}
