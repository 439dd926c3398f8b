//! The rooms of the language, a file or folder of `src` each, import one another one way: there is no circle among them, nor
//! among the files of one room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// For each room, the rooms that its code names after `crate::`. Tests may look anywhere.
fn arrows() -> Arrows {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut arrows = Arrows::new();
    for entry in fs::read_dir(source).expect("it is our source") {
        let path = entry.expect("it is our source").path();
        let room = path.file_stem().and_then(|name| name.to_str()).expect("rooms have names").to_owned();
        if room == "lib" {
            continue;
        }
        // A room may be a file and a folder.
        let found: &mut BTreeSet<String> = arrows.entry(room.clone()).or_default();
        // What an exported macro names stands at the root of the crate.
        for code in files(path).iter().map(|path| code_of(path)) {
            let exported = ["FilledWords", "Message", "Phrases", "Words"];
            let code = exported.iter().fold(code, |code, name| code.replace(&format!("$crate::{name}"), name));
            let names = code.split("crate::").skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                // An exported macro stands at the root too, wherever it is defined.
                if ["translated", "define_words"].contains(&&rest[..end]) { "language" } else { &rest[..end] }
                    .to_owned()
            });
            found.extend(names.filter(|name| *name != room));
        }
    }
    arrows
}

/// A file itself, or all files in a folder, but for tests.
fn files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return if path.ends_with("tests.rs") { Vec::new() } else { vec![path] };
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
    let arrows = arrows();
    assert!(
        arrows["url"].contains("scheme") && arrows["scheme"].contains("reader") && arrows["reader"].contains("grammar")
    );
    let left = circles(arrows);
    assert!(left.is_empty(), "rooms in circles, and above them: {left:#?}");
}

/// What stands in a circle or above one.
fn circles(mut left: Arrows) -> Arrows {
    // A room that imports nothing that is left is not in a circle.
    while let Some(lowest) = left.iter().find(|(_, imported)| !imported.iter().any(|name| left.contains_key(name))) {
        let lowest = lowest.0.clone();
        left.remove(&lowest);
    }
    left
}

/// For each file of a room, by its path as a module, the files of the room that its code names.
fn arrows_inside(room: &str) -> Arrows {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files(source.join(room));
    let module = |path: &Path| {
        let path = path.strip_prefix(&source).expect("it is in the source").with_extension("");
        let names = path.iter().map(|name| name.to_str().expect("files have plain names"));
        names.filter(|name| *name != "mod").collect::<Vec<_>>().join("::")
    };
    let modules: BTreeSet<String> = files.iter().map(|path| module(path)).collect();
    let arrows = files.iter().map(|path| {
        let from = module(path);
        let named = paths(&code_of(path)).into_iter().filter_map(|path| file_of(&path, &from, &modules));
        let named = named.filter(|to| *to != from).collect();
        (from, named)
    });
    arrows.collect()
}

/// The paths in a code, those of `a::{b, c}` one by one.
fn paths(code: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_part) {
        let tail = &rest[start..];
        let (path, behind) = tail.split_at(tail.find(|c| !is_part(c)).unwrap_or(tail.len()));
        rest = behind;
        match behind.strip_prefix('{').filter(|_| path.ends_with("::")).and_then(|list| list.split_once('}')) {
            Some((list, behind)) => {
                assert!(!list.contains('{'), "a list in a list of imports: {path}{{{list}");
                paths.extend(list.split(',').map(|name| format!("{path}{}", name.trim())));
                rest = behind;
            }
            None => paths.push(path.to_owned()),
        }
    }
    paths
}

/// The file that a path in the module `from` names; `None` for one outside the room.
fn file_of(path: &str, from: &str, modules: &BTreeSet<String>) -> Option<String> {
    let mut base: Vec<&str> = from.split("::").collect();
    let mut names = path.split("::").peekable();
    match *names.peek()? {
        "crate" => {
            names.next();
            base.clear();
        }
        "super" => {
            while names.next_if_eq(&"super").is_some() {
                base.pop();
            }
        }
        // A child of this module, or something that is not a file.
        child if modules.contains(&format!("{from}::{child}")) && path.contains("::") => {}
        _ => return None,
    }
    // `pub(super)` and `pub(in super::super)` name no code.
    names.peek()?;
    for name in names {
        base.push(name);
        if !modules.contains(&base.join("::")) {
            base.pop();
            break;
        }
    }
    modules.get(&base.join("::")).cloned()
}

#[test]
fn a_path_is_traced_to_the_file_that_it_names() {
    let modules = ["a", "a::b", "a::c", "a::c::d"].map(str::to_owned).into();
    let code = "use super::{b, c::d, X};\nuse crate::a::c::Y; d::e(); d; use z::super_::W; super::super::b::f(); pub(super) fn g() pub(in super::super) fn h()";
    let found = |from| paths(code).iter().filter_map(|path| file_of(path, from, &modules)).collect::<Vec<_>>();
    assert_eq!(found("a::c"), ["a::b", "a::c::d", "a", "a::c", "a::c::d"]);
    assert_eq!(found("a::c::d"), ["a::c", "a::c", "a::c", "a::c", "a::b"]);
}

/// Rooms whose files need one another: the table of `scheme` is generated from the definitions of the schemes, which use its
/// types; and `start` reads what a trap suggests in the same way as any text.
const CIRCULAR: [&str; 2] = ["scheme", "start"];

#[test]
fn no_files_of_a_room_import_one_another_in_a_circle() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = fs::read_dir(source).expect("it is our source").map(|entry| entry.expect("it is our source").path());
    let mut left = Arrows::new();
    for folder in folders.filter(|path| path.is_dir()) {
        let room = folder.file_name().and_then(|name| name.to_str()).expect("rooms have names");
        let in_circles = circles(arrows_inside(room));
        assert!(
            !CIRCULAR.contains(&room) || !in_circles.is_empty(),
            "{room} has no circle any more: take it off the list"
        );
        if !CIRCULAR.contains(&room) {
            left.extend(in_circles);
        }
    }
    assert!(left.is_empty(), "files in circles, and above them: {left:#?}");
}

#[test]
fn imports_of_the_files_of_a_room_are_found() {
    let arrows = arrows_inside("repair");
    assert!(arrows["repair"].contains("repair::reading") && arrows["repair::reading"].contains("repair::pasted"));
    assert!(arrows["repair::suggest"].contains("repair::suggest::path"));
    assert!(arrows["repair::suggest::scheme"].contains("repair::disarmed"));
    assert!(arrows_inside("audit")["audit::ports"].contains("audit::rules"));
}
