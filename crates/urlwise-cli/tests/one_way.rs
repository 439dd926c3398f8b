//! The rooms of the program, a file or folder of `src` each, import one another one way: there is no circle among them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file itself, or all files in a folder.
fn files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path];
    }
    let entries = fs::read_dir(path).expect("it is our source");
    entries.flat_map(|entry| files(entry.expect("it is our source").path())).collect()
}

/// Files that are compiled into tests alone.
fn are_tests(path: &Path) -> bool {
    ["tests", "schema"].iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name))
}

/// The names that stand after `crate::`, or in the braces after it.
fn named(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::").skip(1).flat_map(|rest| {
        let inner = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(inner, _)| inner);
        let names = inner.map_or_else(|| vec![rest], |inner| inner.split(',').map(str::trim).collect());
        names.into_iter().map(|name| name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
    })
}

#[test]
fn no_rooms_import_one_another_in_a_circle() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut left: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(source.clone()).into_iter().filter(|path| !are_tests(path)) {
        let room = path.strip_prefix(&source).expect("it is below").iter().next().expect("a name");
        let room = Path::new(room).file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = fs::read_to_string(&path).expect("it is our source");
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code: Vec<_> = code.lines().filter_map(|line| line.split("//").next()).collect();
        let code = code.join("\n");
        let imported = named(&code).filter(|name| *name != room).map(str::to_owned);
        left.entry(room.clone()).or_default().extend(imported);
    }
    // It runs the commands.
    left.remove("main");
    assert!(left["check"].contains("console") && left["access"].contains("book"), "braces and single names are read");
    for (room, imported) in &left {
        let unknown = imported.iter().find(|name| !left.contains_key(*name));
        assert_eq!(unknown, None, "{room} imports it, and it is no room");
    }
    // What imports nothing that is left is in no circle.
    while let Some(free) =
        left.iter().find(|(_, imported)| !imported.iter().any(|other| left.contains_key(other))).map(|(room, _)| room)
    {
        let free = free.clone();
        left.remove(&free);
    }
    assert!(left.is_empty(), "rooms in circles, and above them: {left:#?}");
}
