//! There is one way in: URLs are judged in one place, and openers know nothing of the client.

use std::collections::{BTreeMap, BTreeSet};
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

/// What of a file is compiled into the library, without comments.
fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n")
}

/// The module of a file: `net/tcp.rs` and `net/tcp/mod.rs` are `["net", "tcp"]`.
fn module(path: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        path.with_extension("").iter().map(|name| name.to_str().expect("a name").to_owned()).collect();
    if names.last().is_some_and(|name| name == "mod" || name == "lib") {
        names.pop();
    }
    // The stand-in for TLS is compiled instead of it.
    if names == ["net", "no_tls"] { vec!["net".to_owned(), "tls".to_owned()] } else { names }
}

/// The paths of a `use` tree: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`. Any other path is one.
fn paths(tree: &str) -> Vec<Vec<String>> {
    if tree.starts_with('{') {
        return branches(tree).into_iter().flat_map(paths).collect();
    }
    let end = tree.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(tree.len());
    let (name, rest) = tree.split_at(end);
    let below = match rest.strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '{') => paths(rest),
        _ => vec![Vec::new()],
    };
    below.into_iter().map(|path| std::iter::once(name.to_owned()).chain(path).collect()).collect()
}

/// The branches between the brace that `text` begins with and the one that closes it.
fn branches(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 1, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && c == ',' {
            found.push(text[start..at].trim());
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// The modules of the crate, each with the paths that its code names, from the root of the crate on.
fn named_paths() -> BTreeMap<Vec<String>, Vec<Vec<String>>> {
    let mut named: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (file, text) in sources() {
        let (own, code) = (module(&file), code_of(&text));
        let found = named.entry(own.clone()).or_default();
        found.extend(code.split("crate::").skip(1).flat_map(paths));
        for (before, rest) in code.match_indices("super::").map(|(at, word)| (&code[..at], &code[at + word.len()..])) {
            let ups =
                1 + std::iter::successors(before.strip_suffix("super::"), |left| left.strip_suffix("super::")).count();
            let above = own.get(..own.len().saturating_sub(ups)).unwrap_or_default();
            found.extend(paths(rest).into_iter().map(|path| [above, &path[..]].concat()));
        }
    }
    named
}

#[test]
fn protocols_import_nothing_from_outside_of_their_room() {
    for (module, named) in named_paths() {
        if module.first().is_some_and(|room| room == "protocol") {
            // Unit tests, and they alone, may use the public test driver.
            let is_tests = module.iter().any(|name| name == "tests");
            // Words are looked up in the tables of all rooms.
            let is_inside = |room: &String| room == "protocol" || room == "language" || is_tests && room == "testing";
            let outside = named.iter().find(|path| !path.first().is_some_and(is_inside));
            assert!(outside.is_none(), "{} names crate::{}", module.join("::"), outside.unwrap().join("::"));
        }
    }
}

/// Modules and their own children aside: those re-export what these define.
#[test]
fn no_files_import_one_another_in_a_circle() {
    let named = named_paths();
    // The module that defines what a path names: where a module has it from a child by `use`, that child.
    let children: BTreeMap<Vec<String>, Vec<String>> = sources()
        .iter()
        .flat_map(|(file, text)| {
            let (own, code) = (module(file), code_of(text));
            let uses: Vec<_> = code.split("use ").skip(1).flat_map(paths).collect();
            uses.into_iter().map(move |path| [own.clone(), path].concat()).collect::<Vec<_>>()
        })
        .filter_map(|path| {
            let (name, child) = path.split_last()?;
            let parent = child.split_last()?.1;
            named.contains_key(child).then(|| ([parent, std::slice::from_ref(name)].concat(), child.to_vec()))
        })
        .collect();
    let definer = |path: &[String]| {
        let longest = (0..=path.len()).rev().map(|length| &path[..length]).find(|path| named.contains_key(*path))?;
        let with_name = path.get(..=longest.len()).unwrap_or_default();
        Some(children.get(with_name).cloned().unwrap_or_else(|| longest.to_vec()))
    };
    let mut left: BTreeMap<_, BTreeSet<_>> = named
        .iter()
        .map(|(own, paths)| {
            let imported = paths.iter().filter_map(|path| definer(path));
            (own.clone(), imported.filter(|other| other != own && !other.starts_with(own)).collect())
        })
        .collect();
    let arrow = |from: &[&str], to: &[&str]| {
        let own = |path: &[&str]| path.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        left[&own(from)].contains(&own(to))
    };
    assert!(arrow(&["net", "race"], &["net", "endpoint"]), "`crate::` and braces are read");
    assert!(arrow(&["protocol", "engine"], &["protocol", "command"]), "re-exports are followed");
    assert!(arrow(&["protocol", "ftp", "machine"], &["protocol", "ftp", "phase"]), "`super::` is read");
    // What imports nothing that is left is in no circle, and neither is what nothing imports that is left.
    loop {
        let lowest = left.iter().find(|(_, imported)| !imported.iter().any(|other| left.contains_key(other)));
        let highest = || left.iter().find(|(own, _)| !left.values().any(|imported| imported.contains(*own)));
        let Some((free, _)) = lowest.or_else(highest) else { break };
        let free = free.clone();
        left.remove(&free);
    }
    assert!(left.is_empty(), "files in circles, and between them: {left:#?}");
}

#[test]
fn urls_are_admitted_in_one_place() {
    let asks = |(path, text): &(PathBuf, String)| {
        let is_own = path.starts_with("policy");
        let count = text.matches("policy.admit(").count() + text.matches("policy.admit_sent(").count();
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
