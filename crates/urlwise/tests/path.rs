//! File paths and file URLs, by the rules of both families of systems, wherever the tests run.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use proptest::prelude::*;
use urlwise::path::{PathError, Style, from_url, to_url};
use urlwise::{Profile, Url};

#[track_caller]
fn are_one(style: Style, path: &[u8], url: &str) {
    assert_eq!(to_url(path, style).map(|url| url.to_string()), Ok(url.to_owned()));
    assert_eq!(from_url(&Url::parse(url).unwrap(), style), Ok(path.to_vec()));
}

#[track_caller]
fn path_error(style: Style, path: &[u8]) -> PathError {
    to_url(path, style).unwrap_err()
}

#[track_caller]
fn url_error(style: Style, url: &str) -> String {
    from_url(&Url::parse(url).unwrap(), style).unwrap_err().to_string()
}

#[test]
fn paths_of_unix_are_octets_between_slashes() {
    are_one(Style::Unix, b"/", "file:///");
    are_one(Style::Unix, b"/etc/motd", "file:///etc/motd");
    are_one(Style::Unix, b"/a//b/", "file:///a//b/");
    are_one(Style::Unix, b"/./../x", "file:///./../x");
    are_one(Style::Unix, b"/a\\b/c:d/~\xFF\n%41", "file:///a%5Cb/c:d/%7E%FF%0A%2541");
}

#[test]
fn paths_of_windows_begin_with_a_drive_or_a_server() {
    are_one(Style::Windows, br"C:\", "file:///C:/");
    are_one(Style::Windows, br"c:\a b\x.txt", "file:///c:/a%20b/x.txt");
    are_one(Style::Windows, "C:\\caf\u{e9}".as_bytes(), "file:///C:/caf%C3%A9");
    are_one(Style::Windows, br"\\server\share\a b", "file://server/share/a%20b");
    assert_eq!(to_url(b"C:/a/b", Style::Windows).unwrap().as_str(), "file:///C:/a/b");
}

#[test]
fn the_own_machine_may_be_called_localhost() {
    let url = Url::parse("file://LocalHost/etc/motd").unwrap();
    assert_eq!(from_url(&url, Style::Unix).unwrap(), b"/etc/motd");
    let url = Url::parse("file://localhost/C:/x").unwrap();
    assert_eq!(from_url(&url, Style::Windows).unwrap(), br"C:\x");
    let url = Url::parse_with("file:/etc/motd", Profile::Current).unwrap();
    assert_eq!(from_url(&url, Style::Unix).unwrap(), b"/etc/motd");
}

#[test]
fn what_depends_on_where_one_is_has_no_url() {
    assert_eq!(path_error(Style::Unix, b"a/b"), PathError::Relative);
    assert_eq!(path_error(Style::Unix, b""), PathError::Relative);
    assert_eq!(path_error(Style::Windows, b"a"), PathError::Relative);
    assert_eq!(path_error(Style::Windows, b""), PathError::Relative);
    assert_eq!(path_error(Style::Windows, br"\\server"), PathError::Relative);
    assert_eq!(path_error(Style::Windows, br"\\\share"), PathError::Relative);
    assert_eq!(path_error(Style::Windows, br"\\LocalHost\share"), PathError::LocalServer);
    for path in [&br"C:a"[..], b"C:", br"\a", b"/a", br"C:.\a", br"C:?\a", br"\a.\b"] {
        assert_eq!(path_error(Style::Windows, path), PathError::DriveRelative);
    }
    assert_eq!(path_error(Style::Windows, b"1:a"), PathError::Relative);
    assert_eq!(path_error(Style::Windows, br"\\?\C:\a"), PathError::Verbatim);
    assert_eq!(path_error(Style::Windows, br"\\.\COM1"), PathError::Verbatim);
}

#[test]
fn what_no_system_takes_is_refused_with_the_reason() {
    assert_eq!(path_error(Style::Unix, b"/a\0b"), PathError::Nul);
    assert_eq!(path_error(Style::Windows, b"C:\\\xFF"), PathError::NotUnicode);
    assert!(matches!(path_error(Style::Windows, br"\\my_server\share"), PathError::Host(_)));
    assert!(url_error(Style::Unix, "file:///a%00b").contains("NUL"));
    assert!(url_error(Style::Unix, "file:///x/a%2Fb").starts_with("segment 2 of the path, `a%2Fb`"));
    assert!(url_error(Style::Windows, "file:///C:/a%5Cb").contains("`\\`"));
    assert!(url_error(Style::Windows, "file:///C:/a:b").contains("`:`"));
    assert!(url_error(Style::Windows, "file:///C:/%FF").contains("not UTF-8"));
    assert!(url_error(Style::Windows, "file:///etc/motd").contains("no drive"));
    assert!(url_error(Style::Windows, "file:///C:").contains("no drive"));
    assert!(url_error(Style::Windows, "file:////server/share").contains("no drive"));
    assert!(url_error(Style::Unix, "file://h.dom/x").contains("on the host `h.dom`"));
    assert!(url_error(Style::Unix, "ftp://h.dom/x").contains("scheme `ftp`"));
    let long = format!("file:///{}%00", "a".repeat(10_000));
    assert!(url_error(Style::Unix, &long).len() < 200);
    for (length, is_whole) in [(40, true), (41, false)] {
        let segment = format!("{}%00", "a".repeat(length - 3));
        let said = url_error(Style::Unix, &format!("file:///{segment}"));
        assert_eq!((said.contains(&segment), said.contains("...")), (is_whole, !is_whole), "{said}");
    }
}

#[cfg(all(feature = "std", unix))]
#[test]
fn the_path_of_this_system_is_that_of_its_style() {
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    let path = Path::new(std::ffi::OsStr::from_bytes(b"/tmp/\xFF a"));
    let url = Url::from_file_path(path).unwrap();
    assert_eq!(url.as_str(), "file:///tmp/%FF%20a");
    assert_eq!(url.to_file_path().unwrap(), path);
    assert_eq!(Url::from_file_path("x"), Err(PathError::Relative));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_path_of_unix_comes_back_octet_for_octet(rest in prop::collection::vec(1u8.., 0..24)) {
        let path = [b"/", &rest[..]].concat();
        let url = to_url(&path, Style::Unix).unwrap();
        prop_assert_eq!(from_url(&url, Style::Unix).unwrap(), path);
    }

    #[test]
    fn a_path_of_windows_comes_back_with_backslashes_or_is_refused(text in r"([a-cA-C]:|\\\\[a-c.]{0,3}|)[\\/a-c:?. é]{0,12}") {
        if let Ok(url) = to_url(text.as_bytes(), Style::Windows)
            && let Ok(path) = from_url(&url, Style::Windows)
        {
            prop_assert_eq!(String::from_utf8(path).unwrap(), text.replace('/', "\\"));
        }
    }

    #[test]
    fn a_url_that_has_a_path_is_the_url_of_that_path(rest in "[a-cA-C:./%]{0,12}") {
        let text = format!("file:///{}", rest.replace('%', "%C3%A9"));
        let url = Url::parse(text).unwrap();
        for style in [Style::Unix, Style::Windows] {
            if let Ok(path) = from_url(&url, style) {
                prop_assert_eq!(to_url(&path, style).unwrap().to_string(), url.to_string());
            }
        }
    }
}
