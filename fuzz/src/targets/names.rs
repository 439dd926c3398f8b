//! Any URL as the name of a saved file: the name is one component on every system, safe in shells and terminals, none that a device or a
//! partial file has, short enough or cut to be, and shows what the URL said; equal URLs have equal names.
//!
//! The input is: a scheme, then what follows its colon. The names are made by a file of the program, which is no library.

#[path = "../../../crates/urlwise-cli/src/get/name.rs"]
mod name;
#[path = "../../../crates/urlwise-cli/src/get/suffixes.rs"]
mod suffixes;

use urlwise::{Profile, Url, is_harmful};

const SCHEMES: &[&str] = &["http", "ftp", "gopher", "wais", "prospero", "nntp", "news", "file", "mailto", "telnet"];
/// On some system each means something else in a name.
const FORBIDDEN: &str = "/\\:*?\"<>|";

pub(crate) fn run(input: &[u8]) {
    let [scheme, rest @ ..] = input else { return };
    let of_octets = name::safe(rest);
    check(&of_octets);
    if !rest.is_empty() {
        assert_eq!(&*urlwise::decode(of_octets.as_bytes()), rest, "{of_octets:?}");
    }
    check(&name::numbered(&of_octets, 7));
    assert!(name::numbered(&of_octets, 7).len() <= name::LONGEST);
    let Ok(text) = str::from_utf8(rest) else { return };
    let text = format!("{}:{text}", SCHEMES[usize::from(*scheme) % SCHEMES.len()]);
    let Ok(url) = Url::parse_with(&text[..], Profile::Current) else { return };
    let name = name::of(&url);
    check(&name);
    assert!(name::is_of_state(&format!("{name}.part")) && name::is_of_state(&format!("{name}.PART.json")));
    if let Ok(again) = Url::parse_with(url.to_owned().as_str(), Profile::Current) {
        assert_eq!(name::of(&again), name);
    }
}

fn check(name: &str) {
    assert!(!name.is_empty() && !name.starts_with(['.', '-', '~', ' ']) && !name.ends_with(['.', ' ']), "{name:?}");
    assert!(!name.contains(|c: char| c.is_control() || is_harmful(c) || FORBIDDEN.contains(c)), "{name:?}");
    assert_eq!(std::path::Path::new(name).components().count(), 1, "{name:?}");
    assert!(!name::is_of_state(name), "{name:?}");
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    assert!(!["con", "prn", "aux", "nul", "com1", "lpt9"].contains(&&*stem), "{name:?}");
}
