//! Pages and menus whose links are followed, by `get --recursive` and `check --open`.

use urlwise::{Locator, Typecode, Url};
use urlwise_links::Format;
use urlwise_open::EntryKind;

/// How much of a page is read for its links, in octets.
pub(crate) const LONGEST_PAGE: usize = 8 << 20;

/// How many links of a page are followed.
pub(crate) const MOST_LINKS: usize = 50_000;

/// Whether the form of a URL says that it names a menu.
pub(crate) fn names_menu(url: &Url<&str>) -> bool {
    match url.locator() {
        Locator::Ftp(ftp) => {
            ftp.typecode() == Some(Typecode::Directory) || ftp.name().is_none_or(|name| name.as_str().is_empty())
        }
        Locator::Gopher(gopher) => matches!(gopher.gtype(), None | Some(b'1' | b'7')),
        Locator::File(_) => url.as_str().ends_with('/'),
        _ => false,
    }
}

/// Whether an entry of a menu can be opened without input: no search, form or session.
pub(crate) fn is_followed(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Document | EntryKind::Menu | EntryKind::Unknown)
}

/// The format of a page whose links can be read, by its media type.
pub(crate) fn format(media_type: &str) -> Option<Format> {
    let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match name.as_str() {
        "text/html" | "application/xhtml+xml" => Some(Format::Html),
        "text/markdown" => Some(Format::Markdown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlwise::Profile;

    #[test]
    fn the_format_of_a_page_is_that_of_its_media_type() {
        for (media_type, expected) in [
            ("text/html", Some(Format::Html)),
            ("Text/HTML ; charset=utf-8", Some(Format::Html)),
            ("application/xhtml+xml", Some(Format::Html)),
            ("text/markdown; variant=GFM", Some(Format::Markdown)),
            ("text/plain", None),
            ("text/htmlx", None),
            ("", None),
        ] {
            assert_eq!(format(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn a_menu_is_known_by_the_form_of_its_url() {
        for (url, is_menu) in [
            ("ftp://h.dom", true),
            ("ftp://h.dom/a/", true),
            ("ftp://h.dom/a;type=d", true),
            ("ftp://h.dom/a", false),
            ("gopher://h.dom", true),
            ("gopher://h.dom/1/a", true),
            ("gopher://h.dom/7/a", true),
            ("gopher://h.dom/0/a", false),
            ("file:///a/", true),
            ("file:///a", false),
            ("http://h.dom/", false),
        ] {
            assert_eq!(names_menu(&Url::parse_with(url, Profile::Current).unwrap()), is_menu, "{url}");
        }
    }
}
