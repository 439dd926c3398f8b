//! Writes mutants into a copy of a crate's sources, each behind a switch: `weave LIST ROOT MAP [WITHOUT]`.
//!
//! LIST is what `cargo mutants --list --json` prints, ROOT the copy of the workspace, MAP the file that says where each mutant was
//! written, WITHOUT one with the numbers of mutants to leave out, one in a line. A mutant's number is its place in LIST, from 1.
//! Mutants in constant contexts are left out.

mod edits;
mod places;

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use serde::{Deserialize, Serialize};

use edits::Edits;

#[derive(Deserialize)]
struct Listed {
    file: String,
    span: Span,
    replacement: String,
    genre: String,
}

#[derive(Deserialize, Clone, Copy)]
struct Span {
    start: Place,
}

/// Both count from 1.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    line: usize,
    column: usize,
}

/// A mutant with its number and its place in octets.
struct Mutant {
    number: u32,
    from: usize,
    replacement: String,
    genre: String,
}

/// What was written: `mutants` in the octets `from..to` of a file.
#[derive(Serialize)]
struct Written {
    from: usize,
    to: usize,
    mutants: Vec<u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [list, root, map, without @ ..] = &arguments[..] else { return Err("weave LIST ROOT MAP [WITHOUT]".into()) };
    let listed: Vec<Listed> = serde_json::from_str(&fs::read_to_string(list)?)?;
    let without: HashSet<u32> = match without {
        [file, ..] => fs::read_to_string(file)?.lines().map(str::parse).collect::<Result<_, _>>()?,
        [] => HashSet::new(),
    };
    let mut files: BTreeMap<String, Vec<(u32, Listed)>> = BTreeMap::new();
    for (number, listed) in (1..).zip(listed) {
        if !without.contains(&number) {
            files.entry(listed.file.clone()).or_default().push((number, listed));
        }
    }
    let mut written: BTreeMap<String, Vec<Written>> = BTreeMap::new();
    for (file, listed) in files {
        let path = Path::new(root).join(&file);
        let text = fs::read_to_string(&path)?;
        let lines: Vec<usize> = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let octet = |place: Place| {
            let start = lines[place.line - 1];
            start + text[start..].char_indices().nth(place.column - 1).map_or(text.len() - start, |(at, _)| at)
        };
        let mutants = listed.into_iter().map(|(number, listed)| Mutant {
            number,
            from: octet(listed.span.start),
            replacement: listed.replacement,
            genre: listed.genre,
        });
        let mut edits = Edits::default();
        places::write(&text, &mutants.collect::<Vec<_>>(), &mut edits)?;
        let (text, map) = edits.apply(&text);
        fs::write(&path, text)?;
        written.insert(file, map);
    }
    fs::write(map, serde_json::to_string(&written)?)?;
    Ok(())
}
