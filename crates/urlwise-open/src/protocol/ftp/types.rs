//! The type of a transfer, and how it is guessed if the URL does not have one (RFC 1738 section 3.2.3).

use urlwise::Typecode;

/// The representation type of a file: RFC 959 section 3.1.1. There will be no others: RFC 1738 section 3.2.2 has these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `TYPE A`: text, with each line ended by CRLF during the transfer.
    Ascii,
    /// `TYPE I`: octets.
    Image,
}

/// Suffixes of names that are taken for text, in their order: texts for people to read. Everything else is sent as octets, also
/// what programs read or sign, such as `.csv`, `.log`, `.c` and `.asc`, because a text may arrive with other octets.
pub const TEXT_SUFFIXES: &[&str] = &["htm", "html", "md", "rst", "tex", "text", "txt"];

impl Type {
    /// The type of the typecode; without one, a guess from the suffix of the name.
    ///
    /// ```
    /// use urlwise_open::protocol::ftp::Type;
    ///
    /// assert_eq!(Type::of(None, b"README.TXT"), Type::Ascii);
    /// assert_eq!(Type::of(None, b"README"), Type::Image);
    /// assert_eq!(Type::of(Some(urlwise::Typecode::Image), b"README.txt"), Type::Image);
    /// ```
    pub fn of(typecode: Option<Typecode>, name: &[u8]) -> Type {
        match typecode {
            Some(Typecode::Ascii) => Type::Ascii,
            Some(_) => Type::Image,
            None if is_text(name) => Type::Ascii,
            None => Type::Image,
        }
    }

    /// The argument of `TYPE`.
    pub fn code(self) -> &'static str {
        match self {
            Type::Ascii => "A",
            Type::Image => "I",
        }
    }
}

fn is_text(name: &[u8]) -> bool {
    let Some(dot) = name.iter().rposition(|octet| *octet == b'.') else { return false };
    let suffix = name[dot + 1..].to_ascii_lowercase();
    TEXT_SUFFIXES.binary_search_by_key(&&suffix[..], |known| known.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{TEXT_SUFFIXES, Type};
    use urlwise::Typecode;

    #[test]
    fn every_text_suffix_is_found_in_any_case() {
        for suffix in TEXT_SUFFIXES {
            assert_eq!(Type::of(None, format!("a.gz.{suffix}").as_bytes()), Type::Ascii);
            assert_eq!(Type::of(None, format!("A.{}", suffix.to_uppercase()).as_bytes()), Type::Ascii);
        }
        for suffix in ["asc", "c", "cfg", "conf", "css", "csv", "h", "ini", "json", "log", "lsm", "sig", "xml"] {
            assert_eq!(Type::of(None, format!("a.{suffix}").as_bytes()), Type::Image, "{suffix}");
            assert_eq!(Type::of(Some(Typecode::Ascii), format!("a.{suffix}").as_bytes()), Type::Ascii, "{suffix}");
        }
        for name in ["txt", "a.txt.gz", "a.", "", "a.txt ", "a.t\u{e9}xt"] {
            assert_eq!(Type::of(None, name.as_bytes()), Type::Image, "{name}");
        }
    }
}
