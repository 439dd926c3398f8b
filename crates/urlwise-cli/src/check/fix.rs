//! `check --fix`: rewrites broken URLs that have one reading, in place (D-89), and links that have moved if they were opened (D-104).
//! `--diff` shows the same and changes nothing.

mod diff;

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use urlwise::find::Finder;
use urlwise::{Diagnosis, Level, Repaired, Verdict, diagnose, verdict};
use urlwise_explain::{secret, wrap};
use urlwise_formats::BYTE_ORDER_MARK;
use urlwise_formats::comments::Suppressions;

use super::Checker;
use super::candidate::Candidate;
use super::open::{Move, Moves, NewUrl};
use super::placeholder::Placeholders;
use crate::cli::{Check, Format};
use crate::console;
use crate::document::Seen;
use crate::exit::{Failure, Outcome, os_message};
use crate::find::Schemes;
use crate::json::{self, Object};
use crate::language::{counted, language, said};
use crate::lock::{locked, unlocked};
use crate::position::Position;
use crate::rules::{self, Place};
use crate::walk::{self, Out, Places, Source, Walk};
use crate::whole_file;

/// A longer file is not rewritten: all of it has to be in memory.
const LONGEST: u64 = 64 << 20;
/// The longest text that a report quotes, in octets.
const QUOTED: usize = 4000;

/// A URL to be rewritten.
struct Edit {
    /// Where it stands in the file.
    at: Position,
    /// What stood there, as it is [quoted](Fixer::quoted).
    was: String,
    now: String,
    /// The octets of the file that are replaced, in order, and what replaces them.
    changes: Vec<(Range<usize>, String)>,
    /// The link has moved; otherwise it was broken, which is reported as long as it is.
    is_move: bool,
}

/// What was rewritten, or would be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fixed {
    pub(super) urls: usize,
    pub(super) files: usize,
    /// Something could not be read or written; standard error says what.
    pub(super) failed: bool,
}

impl Fixed {
    /// For example `rewrote 2 URLs in 1 file`.
    pub(super) fn summary(&self, written: bool) -> String {
        let urls = counted!("{count} URL", "{count} URLs", self.urls);
        let files = counted!("{count} file", "{count} files", self.files);
        match written {
            true => said!("rewrote {urls} in {files}", urls = urls, files = files),
            false => said!("would rewrite {urls} in {files}", urls = urls, files = files),
        }
    }
}

/// The outcome of `--diff`.
pub(super) fn outcome(unread: bool, fixed: Fixed) -> Outcome {
    match (unread, fixed.urls) {
        (true, _) => Outcome::Unreadable,
        (false, 0) => Outcome::Fine,
        (false, _) => Outcome::Findings,
    }
}

/// Refuses targets that are not files.
pub(super) fn admit(lists: &[&Path], walked: &[PathBuf]) -> Result<(), Failure> {
    let stdin = Path::new("-");
    if walked.iter().any(|path| path == stdin) || lists.contains(&stdin) {
        return Err(Failure::Input(said!("standard input cannot be rewritten; `urlwise repair` prints repaired URLs")));
    }
    if walked.is_empty() && lists.is_empty() {
        return Err(Failure::Input(said!("nothing to rewrite; name files or folders, or use `urlwise repair URL`")));
    }
    Ok(())
}

/// Rewrites all files of the lists and the walk, or shows how they would be rewritten.
pub(super) fn run(
    check: &Check,
    lists: &[&Path],
    walk: Option<Walk>,
    checker: &Checker<'_>,
    schemes: &Schemes,
    moves: Option<&Moves<'_>>,
    out: &mut (dyn Write + Send),
) -> Result<Fixed, Failure> {
    let fixer = Fixer { checker, schemes, moves, writes: !check.diff, fixed: Mutex::default() };
    for list in lists {
        fixer.list(list, check.null, out)?;
    }
    if let Some(walk) = walk {
        let (paths, others): (Vec<_>, Vec<_>) = walk.paths.into_iter().partition(|path| is_plain(path));
        for path in others {
            fixer.refuse(&path, &said!("not a regular file, or a symbolic link to one"));
        }
        let walk = Walk { paths, ..walk };
        if !walk.paths.is_empty() {
            let looker = || Looker { fixer: &fixer, walk: &walk, edits: Vec::new() };
            let walked = walk::walk(&walk, looker, out)?;
            fixer.add(Fixed { failed: walked.failed, ..Fixed::default() });
        }
    }
    Ok(unlocked(fixer.fixed))
}

/// Whether a path that was named is a folder or a regular file. What cannot be read is left to the walk to report.
fn is_plain(path: &Path) -> bool {
    match (fs::symlink_metadata(path), path.is_dir()) {
        (Err(_), _) | (_, true) => true,
        (Ok(metadata), false) => metadata.is_file(),
    }
}

/// Whether a path without `..` that begins in the current folder is in it, through any links.
fn is_inside(path: &Path) -> bool {
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_below {
        // A folder elsewhere that is named as an argument is meant.
        return true;
    }
    let here = fs::canonicalize(".");
    fs::canonicalize(path).and_then(|path| Ok(path.starts_with(here?))).unwrap_or(false)
}

struct Fixer<'c> {
    checker: &'c Checker<'c>,
    schemes: &'c Schemes,
    /// `None`: no link was opened.
    moves: Option<&'c Moves<'c>>,
    writes: bool,
    fixed: Mutex<Fixed>,
}

impl Fixer<'_> {
    fn add(&self, more: Fixed) {
        let mut fixed = locked(&self.fixed);
        fixed.urls += more.urls;
        fixed.files += more.files;
        fixed.failed |= more.failed;
    }

    fn refuse(&self, path: &Path, why: &str) {
        self.add(Fixed { failed: true, ..Fixed::default() });
        let place = secret::masked_path(path);
        console::message(&said!("{place}: not rewritten: {why}", place = place, why = why));
    }

    /// Says why a link that has moved is left as it is.
    fn leave(&self, path: Option<&Path>, at: Position, why: &str) {
        if self.checker.quiet {
            return;
        }
        let path = path.map(secret::masked_path).unwrap_or_default();
        let place = format!("{path}:{}:{}", at.line, at.column);
        console::message(&said!("{place}: not rewritten: {why}", place = place, why = why));
    }

    /// The one reading of a text of which an error is reported there. `hides` says which rules are ignored there.
    fn repaired<'a>(
        &self,
        diagnosis: &Diagnosis<'a>,
        place: Place,
        hides: impl Fn(&str) -> bool,
    ) -> Option<Repaired<'a>> {
        let placeholders = (place != Place::List).then(|| Placeholders::of(diagnosis));
        let errors = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
        let is_excused = |error| placeholders.as_ref().is_some_and(|all| all.excuse(&Candidate::Problem(error)));
        let errors = errors.filter(|error| !is_excused(*error));
        let mut errors = errors.filter(|error| self.checker.rules.level(error.code(), error.level(), place).is_some());
        if !errors.any(|error| !hides(error.code())) {
            return None;
        }
        match verdict(diagnosis.octets(), self.checker.profile) {
            Verdict::Repaired(repaired) => Some(repaired),
            Verdict::Valid { .. } | Verdict::Refused(_) => None,
        }
    }

    /// The edit that makes `repaired` of a text that begins at `at`. `place` gives the octets of the file behind octets of the text;
    /// `None` where they are not in one piece. Nothing that touches a line end is changed.
    fn edit(
        &self,
        octets: &[u8],
        repaired: &Repaired<'_>,
        at: Position,
        place: impl Fn(Range<usize>) -> Option<Range<usize>>,
    ) -> Option<Edit> {
        let is_line_end = |octet: &u8| matches!(octet, b'\n' | b'\r');
        let changes = repaired.changes().iter().map(|change| {
            let is_in_line = !change.was().iter().any(is_line_end) && !change.now().bytes().any(|c| is_line_end(&c));
            Some((place(change.span()).filter(|_| is_in_line)?, change.now().to_owned()))
        });
        let changes = changes.collect::<Option<Vec<_>>>()?;
        let was = self.quoted(&String::from_utf8_lossy(octets));
        Some(Edit { at, was, now: repaired.url().to_string(), changes, is_move: false })
    }

    /// The edit of a link that has moved. What a `replaced` URL takes the place of is given by the text, which is at `offset` in the file.
    fn moved(&self, seen: &Seen<'_>, now: &NewUrl, offset: usize, at: Position, path: Option<&Path>) -> Option<Edit> {
        let fragment = now.fragment.as_deref();
        match seen.replaced(&now.url, fragment) {
            Ok((span, text)) => {
                let changes = vec![(offset + span.start..offset + span.end, text)];
                let was = self.quoted(if fragment.is_some() { seen.hit.reference() } else { seen.hit.as_str() });
                Some(Edit { at, was, now: now.text(), changes, is_move: true })
            }
            Err(kept) => {
                self.leave(path, at, &kept.why().get(language()));
                None
            }
        }
    }

    /// The edit of a line of a list that begins at `at`.
    fn line(&self, octets: &[u8], at: Position, path: &Path) -> Option<Edit> {
        if let Some((moves, text)) = self.moves.zip(str::from_utf8(octets).ok()) {
            match moves.of_line(text) {
                (Move::To(now), length) => {
                    let changes = vec![(at.offset..at.offset + length, now.text())];
                    let was = self.quoted(&text[..length]);
                    return Some(Edit { at, was, now: now.text(), changes, is_move: true });
                }
                (Move::Left(why), _) => self.leave(Some(path), at, &why.get(language())),
                (Move::Stays, _) => {}
            }
        }
        let repaired = self.repaired(&diagnose(octets, self.checker.profile), Place::List, |_| false)?;
        self.edit(octets, &repaired, at, |span| Some(at.offset + span.start..at.offset + span.end))
    }

    /// Rewrites a list: each line, or each record that ends in NUL, is a URL.
    fn list(&self, path: &Path, null: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if !is_plain(path) || path.is_dir() {
            self.refuse(path, &said!("not a regular file, or a symbolic link to one"));
            return Ok(());
        }
        let text = match whole_file::read(path, LONGEST) {
            Ok(text) => text,
            Err(why) => {
                self.refuse(path, &why);
                return Ok(());
            }
        };
        let end = if null { 0 } else { b'\n' };
        let mut edits = Vec::new();
        let mut at = Position::START;
        for (index, record) in text.split_inclusive(|&octet| octet == end).enumerate() {
            let mut octets = record.strip_suffix(&[end]).unwrap_or(record);
            if !null {
                octets = octets.strip_suffix(b"\r").unwrap_or(octets);
            }
            // What `check` skips before the first line stays where it is.
            let marked = octets.strip_prefix(BYTE_ORDER_MARK).filter(|_| index == 0 && !null);
            let mark = if marked.is_some() { BYTE_ORDER_MARK } else { b"" };
            let here = Position { line: index + 1, column: 1, character: 1, ..at }.after(mark);
            edits.extend(self.line(marked.unwrap_or(octets), here, path));
            at = at.after(record);
        }
        let mut written = Vec::new();
        self.finish(path, &text, &edits, &mut written);
        Ok(out.write_all(&written)?)
    }

    /// The URLs in a text that may be rewritten. A relative link is not repaired: what would be is a URL that is not in the text.
    fn each(&self, walk: &Walk, source: &Source<'_>, text: &[u8], mut visit: impl FnMut(&Seen<'_>)) {
        let finder = Finder::new().profile(self.checker.profile);
        walk.each(finder, source, text, |seen| {
            let is_written = !seen.is_relative || self.moves.is_some();
            if is_written && !seen.hit.is_ambiguous() && self.schemes.contains(seen.hit) {
                visit(seen);
            }
            true
        });
    }

    /// Rewrites a text in which URLs were found.
    fn text(&self, walk: &Walk, source: &Source<'_>, path: &Path, mut edits: Vec<Edit>, out: &mut Vec<u8>) {
        if !is_inside(path) {
            return self.refuse(path, &said!("it is outside of the current folder, behind a symbolic link"));
        }
        let text = match whole_file::read(path, LONGEST) {
            Ok(text) if memchr::memchr(0, &text).is_some() => return self.refuse(path, &said!("a binary file")),
            Ok(text) => text,
            Err(why) => return self.refuse(path, &why),
        };
        let is_kept = keep_what_is_found_again(&mut edits, |edits, found| {
            let new = apply(&text, edits)?;
            self.each(walk, source, &new, |seen| {
                if seen.hit.url().is_some() {
                    found(seen.span().start, seen.hit.reference());
                }
            });
            Some(())
        });
        match is_kept {
            Some(dropped) => {
                for edit in dropped.iter().filter(|edit| edit.is_move) {
                    self.leave(Some(path), edit.at, &said!("the new URL would not be found there"));
                }
                if !self.writes && self.checker.format != Format::Json {
                    // A diff shows lines of the new text, which holds them.
                    edits.iter_mut().for_each(|edit| edit.now = String::new());
                }
                self.finish(path, &text, &edits, out);
            }
            None => self.refuse(path, &said!("it changed while it was read")),
        }
    }

    /// Writes the file and reports, or shows the difference.
    fn finish(&self, path: &Path, text: &[u8], edits: &[Edit], out: &mut Vec<u8>) {
        if edits.is_empty() {
            return;
        }
        let Some(new) = apply(text, edits) else { return self.refuse(path, &said!("it changed while it was read")) };
        if self.writes
            && let Err(error) = whole_file::replace(path, Some(text), &new)
        {
            return self.refuse(path, &os_message(&error));
        }
        self.add(Fixed { urls: edits.len(), files: 1, failed: false });
        let checker = self.checker;
        if checker.quiet {
            return;
        }
        match (checker.format, self.writes) {
            (Format::Json, _) => edits.iter().for_each(|edit| json::push_line(out, &self.object(path, edit))),
            (Format::Human | Format::Sarif | Format::Github | Format::Markdown | Format::Junit, false) => {
                diff::write(path, text, &new, checker.context, out);
            }
            (Format::Human | Format::Sarif | Format::Github | Format::Markdown | Format::Junit, true) => {
                for edit in edits {
                    let Position { line, column, .. } = edit.at;
                    let url = wrap::elide_in(&self.shown(&edit.now), urlwise_explain::meant::QUOTED, language());
                    let place = format!("{}:{line}:{column}", secret::masked_path(path));
                    console::message(&said!("{place}: rewritten: {url}", place = place, url = url));
                }
            }
        }
    }

    fn object(&self, path: &Path, edit: &Edit) -> Object {
        let mut object = Object::new();
        json::path(&mut object, Some(path));
        object.insert("line".into(), edit.at.line.into());
        object.insert("column".into(), edit.at.column.into());
        object.insert("was".into(), edit.was.as_str().into());
        object.insert("now".into(), self.shown(&edit.now).into());
        object.insert("written".into(), self.writes.into());
        object
    }

    /// A text that is replaced, as it is quoted; empty where it is not shown.
    fn quoted(&self, text: &str) -> String {
        match self.checker.format == Format::Json {
            true => wrap::elide_in(&self.shown(text), QUOTED, language()),
            false => String::new(),
        }
    }

    fn shown(&self, text: &str) -> String {
        secret::masked(text.as_bytes(), self.checker.context.show_secrets)
    }
}

/// Drops edits until every URL that is left is found again where it is written; another one would be rewritten once more by
/// the next run. Returns those that were dropped. `find` tells each URL in the text with these edits made, with its fragment, and its
/// place, and returns `None` if they do not fit it.
fn keep_what_is_found_again(
    edits: &mut Vec<Edit>,
    mut find: impl FnMut(&[Edit], &mut dyn FnMut(usize, &str)) -> Option<()>,
) -> Option<Vec<Edit>> {
    let mut dropped = Vec::new();
    loop {
        let mut shift = 0_isize;
        let start = |edit: &Edit| {
            let start = edit.at.offset.saturating_add_signed(shift);
            shift += grown(edit);
            start
        };
        let starts: HashMap<usize, usize> = edits.iter().map(start).zip(0..).collect();
        let mut are_found = vec![false; edits.len()];
        find(edits, &mut |start, url| {
            if let Some(&number) = starts.get(&start) {
                let now = edits[number].now.as_str();
                // A fragment that stays was there.
                are_found[number] = url == now || url.split('#').next() == Some(now);
            }
        })?;
        let mut are_found = are_found.into_iter();
        let lost = edits.extract_if(.., |_| are_found.next() == Some(false));
        let before = dropped.len();
        dropped.extend(lost);
        if dropped.len() == before {
            return Some(dropped);
        }
    }
}

/// How much longer an edit makes the text.
fn grown(edit: &Edit) -> isize {
    let grown = |(span, now): &(Range<usize>, String)| now.len().cast_signed() - span.len().cast_signed();
    edit.changes.iter().map(grown).sum()
}

/// The text with all edits made; `None` if they do not fit it.
fn apply(text: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for (span, now) in edits.iter().flat_map(|edit| &edit.changes) {
        new.extend_from_slice(text.get(at..span.start)?);
        new.extend_from_slice(now.as_bytes());
        at = span.end;
    }
    new.extend_from_slice(text.get(at..)?);
    Some(new)
}

/// One thread of the walk.
struct Looker<'c> {
    fixer: &'c Fixer<'c>,
    walk: &'c Walk,
    edits: Vec<Edit>,
}

impl walk::Look for Looker<'_> {
    fn begin(&mut self, _: &Source<'_>) {
        self.edits.clear();
    }

    fn block(&mut self, source: &Source<'_>, start: Position, block: &[u8], _: &mut Out<'_>) -> bool {
        let Looker { fixer, walk, edits } = self;
        let mut places = Places::from(start);
        let comments = Suppressions::of(block, rules::id);
        fixer.each(walk, source, block, |seen| {
            // Nearly all URLs are valid.
            let is_valid = seen.hit.url().is_some();
            if is_valid && fixer.moves.is_none() {
                return;
            }
            let start = seen.span().start;
            let (offset, at) = (places.offset(), places.of(block, start));
            if fixer.moves.is_some_and(|moves| !moves.cover(source.path, at.line)) {
                return;
            }
            let hides = |rule: &str| comments.hides(start, rule);
            let diagnosis = diagnose(seen.hit.as_str(), fixer.checker.profile);
            match fixer.moves.map_or(Move::Stays, |moves| moves.of(seen, &diagnosis, hides)) {
                Move::To(now) => {
                    edits.extend(fixer.moved(seen, &now, offset, at, source.path));
                    return;
                }
                Move::Left(why) => fixer.leave(source.path, at, &why.get(language())),
                Move::Stays => {}
            }
            if is_valid || seen.is_relative {
                return;
            }
            let octets = diagnosis.octets();
            let Some(repaired) = fixer.repaired(&diagnosis, Place::Text, hides) else { return };
            let place = |span: Range<usize>| {
                let start = seen.source(span.start);
                let end = if span.is_empty() { start } else { seen.source(span.end - 1) + 1 };
                let is_same = block.get(start..end) == octets.get(span);
                is_same.then_some(offset + start..offset + end)
            };
            edits.extend(fixer.edit(octets, &repaired, at, place));
        });
        true
    }

    fn end(&mut self, source: &Source<'_>, out: &mut Vec<u8>) {
        if let Some(path) = source.path.map(PathBuf::from)
            && !self.edits.is_empty()
        {
            let edits = std::mem::take(&mut self.edits);
            match source.is_decoded {
                true => self.fixer.refuse(&path, &said!("compressed or in UTF-16")),
                false => self.fixer.text(self.walk, source, &path, edits, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts three octets in at `at`.
    fn edit(at: usize, now: &str) -> Edit {
        let changes = vec![(at..at, "%20".to_owned())];
        Edit {
            at: Position { offset: at, ..Position::START },
            was: String::new(),
            now: now.into(),
            changes,
            is_move: false,
        }
    }

    /// What is left of edits at 10, 20 and 30, where the rounds find these URLs.
    fn left(rounds: &[&[(usize, &str)]]) -> Vec<String> {
        let mut edits = vec![edit(10, "a"), edit(20, "b"), edit(30, "c")];
        let mut rounds = rounds.iter();
        keep_what_is_found_again(&mut edits, |_, found| {
            rounds.next().unwrap().iter().for_each(|(at, url)| found(*at, url));
            Some(())
        })
        .unwrap();
        assert_eq!(rounds.next(), None, "all rounds are needed");
        edits.into_iter().map(|edit| edit.now).collect()
    }

    #[test]
    fn a_url_that_is_not_found_again_is_not_rewritten() {
        // Each edit moves the URLs behind it.
        assert_eq!(left(&[&[(10, "a"), (23, "b"), (36, "c")]]), ["a", "b", "c"]);
        // Not found, found elsewhere, found with another end.
        assert_eq!(left(&[&[(23, "b"), (36, "c")], &[(20, "b"), (33, "c")]]), ["b", "c"]);
        assert_eq!(left(&[&[(10, "a"), (20, "b"), (36, "c")], &[(10, "a"), (33, "c")]]), ["a", "c"]);
        assert_eq!(left(&[&[(10, "a"), (23, "b)"), (36, "c")], &[(10, "a"), (33, "c")]]), ["a", "c"]);
        // Without the first one the second is not found either.
        assert_eq!(left(&[&[(23, "b"), (36, "c")], &[(33, "c")], &[(30, "c")]]), ["c"]);
        assert!(keep_what_is_found_again(&mut vec![edit(1, "a")], |_, _| None).is_none());
    }
}
