//! A unified diff of two texts with the same lines, some of them changed.

use std::fs;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anstyle::{AnsiColor, Style};
use urlwise_explain::secret::{self, Secrets};

use crate::context::Context;

/// Lines around a changed one.
const CONTEXT: usize = 3;

const REMOVED: Style = AnsiColor::Red.on_default();
const INSERTED: Style = AnsiColor::Green.on_default();

/// Writes what `patch` and `git apply` read. Passwords are masked unless they are asked for; such a diff cannot be applied.
pub(super) fn write(path: &Path, old: &[u8], new: &[u8], context: &Context, out: &mut Vec<u8>) {
    let lines = |text| -> Vec<&[u8]> { <[u8]>::split_inclusive(text, |&octet| octet == b'\n').collect() };
    let (old, new) = (lines(old), lines(new));
    let escapes = context.look.color || io::stdout().is_terminal();
    let name = name(path);
    for start in ["--- a/", "+++ b/"] {
        push_name(start, &name, out);
    }
    let mut line = |sign: &str, style: Style, text: &[u8]| {
        let content = text.strip_suffix(b"\n").unwrap_or(text);
        let secrets = Secrets::of(content, context.show_secrets);
        let style = if context.look.color { style } else { Style::new() };
        out.extend_from_slice(format!("{}{sign}", style.render()).as_bytes());
        match escapes || !secrets.is_empty() {
            true => out.extend_from_slice(secrets.shown(content, 0..content.len()).as_bytes()),
            false => out.extend_from_slice(content),
        }
        out.extend_from_slice(format!("{}\n", style.render_reset()).as_bytes());
        if content.len() == text.len() {
            out.extend_from_slice(b"\\ No newline at end of file\n");
        }
    };
    for hunk in hunks(&old, &new) {
        let (start, count) = (hunk.start + 1, hunk.len());
        line("", Style::new(), format!("@@ -{start},{count} +{start},{count} @@\n").as_bytes());
        let mut at = hunk.start;
        while at < hunk.end {
            let length = old[at..hunk.end].iter().zip(&new[at..]).take_while(|(old, new)| old != new).count();
            old[at..at + length].iter().for_each(|text| line("-", REMOVED, text));
            new[at..at + length].iter().for_each(|text| line("+", INSERTED, text));
            at += length;
            if at < hunk.end {
                line(" ", Style::new(), old[at]);
                at += 1;
            }
        }
    }
}

/// The name of a file: from the current folder on, where the diff is applied, or of another one from the root on.
///
/// A password in it is masked.
fn name(path: &Path) -> Vec<u8> {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = fs::canonicalize(".").ok().and_then(|here| real.strip_prefix(here).map(Path::to_owned).ok());
    let parts = |path: PathBuf| {
        let parts = path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
        parts.map(|part| part.as_os_str().as_encoded_bytes().to_vec()).collect::<Vec<_>>().join(&b'/')
    };
    let name = parts(here.unwrap_or(real));
    let has_secrets = |octets: &[u8]| !Secrets::of(octets, false).is_empty();
    match has_secrets(&name) || has_secrets(path.as_os_str().as_encoded_bytes()) {
        true => secret::masked_path(path).into_bytes(),
        false => name,
    }
}

/// What git writes behind a backslash for some octets.
const ESCAPES: [(u8, u8); 9] = [
    (0x07, b'a'),
    (0x08, b'b'),
    (b'\t', b't'),
    (b'\n', b'n'),
    (0x0B, b'v'),
    (0x0C, b'f'),
    (b'\r', b'r'),
    (b'"', b'"'),
    (b'\\', b'\\'),
];

/// A line with the name of a file, as git writes it: what would end the line, is not text or may harm a terminal is escaped, in quotation
/// marks, and a tab tells where a name with a blank ends. A blank at its end is in quotation marks too, without which `patch` drops it.
fn push_name(start: &str, name: &[u8], out: &mut Vec<u8>) {
    let (sign, prefix) = start.split_at(4);
    out.extend_from_slice(sign.as_bytes());
    let is_plain = |name: &[u8]| {
        str::from_utf8(name).is_ok_and(|name| !name.contains(|c: char| urlwise::is_harmful(c) || "\"\\".contains(c)))
    };
    if is_plain(name) && !name.ends_with(b" ") {
        out.extend_from_slice(prefix.as_bytes());
        out.extend_from_slice(name);
    } else {
        out.push(b'"');
        out.extend_from_slice(prefix.as_bytes());
        for octet in name {
            match ESCAPES.iter().find(|(escaped, _)| escaped == octet) {
                Some((_, letter)) => out.extend_from_slice(&[b'\\', *letter]),
                None if (b' '..0x7F).contains(octet) => out.push(*octet),
                None => out.extend_from_slice(format!("\\{octet:03o}").as_bytes()),
            }
        }
        out.push(b'"');
    }
    if name.contains(&b' ') {
        out.push(b'\t');
    }
    out.push(b'\n');
}

/// The changed lines with those around them; neighbours are joined.
fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    for (at, _) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
        let (start, end) = (at.saturating_sub(CONTEXT), (at + 1 + CONTEXT).min(old.len()));
        match hunks.last_mut().filter(|last| last.end >= start) {
            Some(last) => last.end = end,
            None => hunks.push(start..end),
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::push_name;

    #[test]
    fn names_are_written_as_git_writes_them() {
        for (name, written) in [
            (&b"a/b.txt"[..], "+++ b/a/b.txt\n"),
            (b"a b.txt", "+++ b/a b.txt\t\n"),
            (b"a ", "+++ \"b/a \"\t\n"),
            (b"a\n \"\\\x07\x1B\xFF", "+++ \"b/a\\n \\\"\\\\\\a\\033\\377\"\t\n"),
            ("\u{e9}".as_bytes(), "+++ b/\u{e9}\n"),
            ("\u{e9}\u{202e}".as_bytes(), "+++ \"b/\\303\\251\\342\\200\\256\"\n"),
        ] {
            let mut out = Vec::new();
            push_name("+++ b/", name, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), written);
        }
    }
}
