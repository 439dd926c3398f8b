//! A unified diff of two texts with the same lines, some of them changed.

use std::fs;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anstyle::{AnsiColor, Style};
use urlwise_explain::secret::{self, Secrets};
use urlwise_formats::diff::push_name_line;

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
    let name = name(path, context.show_secrets);
    push_name_line("--- ", "a/", &name, out);
    push_name_line("+++ ", "b/", &name, out);
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
/// A password in it is masked unless it is asked for.
fn name(path: &Path, show_secrets: bool) -> Vec<u8> {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = fs::canonicalize(".").ok().and_then(|here| real.strip_prefix(here).map(Path::to_owned).ok());
    let parts = |path: PathBuf| {
        let parts = path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
        parts.map(|part| part.as_os_str().as_encoded_bytes().to_vec()).collect::<Vec<_>>().join(&b'/')
    };
    let name = parts(here.unwrap_or(real));
    let has_secrets = |octets: &[u8]| !Secrets::of(octets, show_secrets).is_empty();
    match has_secrets(&name) || has_secrets(path.as_os_str().as_encoded_bytes()) {
        true => secret::masked_path(path).into_bytes(),
        false => name,
    }
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
