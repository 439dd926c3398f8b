//! The rooms of the language, a file or folder of `src` each, import one another one way: there is no circle among them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// For each room, the rooms that its code names after `crate::`. Tests inside of files may look anywhere.
fn arrows() -> Arrows {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut arrows = Arrows::new();
    for entry in fs::read_dir(source).expect("it is our source") {
        let path = entry.expect("it is our source").path();
        let room = path.file_stem().and_then(|name| name.to_str()).expect("rooms have names").to_owned();
        if room == "lib" {
            continue;
        }
        let mut found = BTreeSet::new();
        for code in files(path).iter().map(|path| code_of(path)) {
            let names = code.split("crate::").skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                rest[..end].to_owned()
            });
            found.extend(names.filter(|name| *name != room));
        }
        arrows.insert(room, found);
    }
    arrows
}

/// A file itself, or all files in a folder.
fn files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path];
    }
    let entries = fs::read_dir(path).expect("it is our source");
    entries.flat_map(|entry| files(entry.expect("it is our source").path())).collect()
}

fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("it is our source");
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("#[doc"));
    lines.filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n")
}

#[test]
fn rooms_are_imported_by_their_own_names() {
    let arrows = arrows();
    for (room, imported) in &arrows {
        for name in imported {
            assert!(arrows.contains_key(name), "{room} imports `crate::{name}`, which names no room");
        }
    }
}

#[test]
fn no_rooms_import_one_another_in_a_circle() {
    let mut left = arrows();
    assert!(left["url"].contains("scheme") && left["scheme"].contains("reader") && left["reader"].contains("grammar"));
    // Whoever imports no room that is left stands in no circle.
    while let Some(lowest) = left.iter().find(|(_, imported)| !imported.iter().any(|name| left.contains_key(name))) {
        let lowest = lowest.0.clone();
        left.remove(&lowest);
    }
    assert!(left.is_empty(), "rooms in circles, and above them: {left:#?}");
}
