//! There is one way in: URLs are judged in one place, and openers know nothing of the client.

use std::fs;
use std::path::{Path, PathBuf};

/// The source files, by their paths below `src`.
fn sources() -> Vec<(PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (Vec::new(), vec![source.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("it is our source") {
            let path = entry.expect("it is our source").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("it is our source");
                found.push((path.strip_prefix(&source).expect("it is below").to_owned(), text));
            }
        }
    }
    found
}

#[test]
fn urls_are_admitted_in_one_place() {
    let asks = |(path, text): &(PathBuf, String)| {
        let is_own = path.starts_with("policy");
        let count = text.matches("policy.admit(").count();
        (!is_own && count > 0).then(|| (path.display().to_string(), count))
    };
    let callers: Vec<_> = sources().iter().filter_map(asks).collect();
    assert_eq!(callers, [(Path::new("client").join("route.rs").display().to_string(), 1)]);
}

/// Options are the program's: it words the hints of errors.
#[test]
fn no_text_names_an_option_of_the_command_line() {
    for (path, text) in sources() {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            let is_option = |word: &str| {
                let name = word.trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                name.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
            };
            assert!(!line.split_whitespace().any(is_option), "{}: {line}", path.display());
        }
    }
}

#[test]
fn arrows_lead_from_the_client_to_the_schemes_and_on_and_never_back() {
    for (path, text) in sources() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        let above: &[&str] = match path.components().next().and_then(|room| room.as_os_str().to_str()) {
            Some("scheme") => &["crate::client"],
            Some("resource") => &["crate::client", "crate::scheme"],
            Some("net") if path.file_stem().is_none_or(|name| name != "tests") => {
                &["crate::client", "crate::scheme", "crate::resource"]
            }
            Some("policy" | "gateway" | "credentials" | "error") => {
                &["crate::client", "crate::scheme", "crate::resource", "crate::net"]
            }
            _ => &[],
        };
        for room in above {
            assert!(!code.contains(room), "{} imports {room}", path.display());
        }
    }
}
