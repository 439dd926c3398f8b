//! Inputs and words from files.

use std::path::Path;
use std::{fs, io};

/// The files of these folders, in the order of their names, without those that are longer than `longest` octets.
pub fn inputs<P: AsRef<Path>>(folders: &[P], longest: usize) -> io::Result<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    for folder in folders {
        let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let octets = fs::read(path)?;
            if octets.len() <= longest {
                inputs.push(octets);
            }
        }
    }
    Ok(inputs)
}

/// The words of a dictionary of libFuzzer: on each line one, in quotes, with `\\`, `\"` and `\xNN`.
pub fn words(dictionary: &str) -> Vec<Vec<u8>> {
    dictionary.lines().filter(|line| !line.starts_with('#')).filter_map(word).collect()
}

fn word(line: &str) -> Option<Vec<u8>> {
    let quoted = line.trim_end().strip_suffix('"')?;
    let mut octets = quoted[quoted.find('"')? + 1..].bytes();
    let mut word = Vec::new();
    while let Some(octet) = octets.next() {
        word.push(match octet {
            b'\\' => match octets.next()? {
                b'x' => hex(octets.next()?)? << 4 | hex(octets.next()?)?,
                other => other,
            },
            other => other,
        });
    }
    Some(word)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
