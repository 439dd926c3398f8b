//! The one reading of a text, found step by step; or what stands against it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::slice;

use super::around::Frame;
use super::change::{Change, Repaired};
use super::draft::{EditedText, Rewrite};
use super::error::{RepairError, Suggestion};
use super::halt::{Candidate, Halt};
use super::octets::{LONGEST, has_prefix};
use super::readers::Hosts;
use super::rules::{BACKSLASH, DEFANGED, HOST, HOST_DIFFERS};
use super::shape::{MISTYPED, SHAPES, Shape, is_defanged};
use super::{host, invisible, mend, pasted, suggest};
use crate::diagnosis::{Diagnosis, diagnose};
use crate::problem::Problem;
use crate::profile::Profile;
use crate::scheme::secret::each_secret;
use crate::url::Url;
use crate::word;

/// The maximum number of passes. A fix may reveal another problem, but not many.
const PASSES: usize = 8;

/// The maximum number of suggestions for one text.
const MOST_SUGGESTIONS: usize = 4;

/// How often a guess may stand for another guess.
const DEEPEST: u8 = 2;

/// The one reading of a text, as a URL and what was changed for it.
pub(super) fn read<'a>(
    input: &'a [u8],
    profile: Profile,
    known: Option<&Diagnosis<'a>>,
) -> Result<Repaired<'a>, RepairError> {
    let mut draft = EditedText::new(input);
    match rewrite(&mut draft, profile, 0, known) {
        Ok(url) => {
            let change = |Rewrite { span, now, rule }| Change::new(span.start, &input[span], now, rule);
            Ok(Repaired::new(url, draft.into_parts().1.into_iter().map(change).collect()))
        }
        Err(Halt { span, why, mut candidates }) => {
            if candidates.is_empty() {
                candidates = suggest::candidates(why.code(), draft.text(), span.clone());
            }
            let suggestions = suggestions(&candidates, profile);
            let span = draft.origin(span);
            let is_secret = each_secret(input).any(|secret| secret.start < span.end && span.start < secret.end);
            let why = if is_secret { why.masked() } else { why };
            Err(RepairError::new(span, why, draft.into_parts().0, suggestions))
        }
    }
}

/// What may have been meant by a valid URL.
pub(super) fn doubts(url: &str, profile: Profile) -> Vec<Suggestion> {
    suggestions(&suggest::of_valid(url), profile)
}

fn suggestions(candidates: &[Candidate], profile: Profile) -> Vec<Suggestion> {
    let mut suggestions: Vec<Suggestion> = Vec::new();
    for candidate in candidates {
        let Some((url, profile)) = settle(candidate, profile, 1) else { continue };
        if suggestions.len() < MOST_SUGGESTIONS && suggestions.iter().all(|other| other.url != url) {
            suggestions.push(Suggestion { url, profile, why: candidate.why });
        }
    }
    suggestions
}

/// The URL of a candidate, valid in the profile asked for, or else in `current`.
fn settle(candidate: &Candidate, profile: Profile, depth: u8) -> Option<(String, Profile)> {
    let profiles = [profile, Profile::Current];
    let tried = if profile == Profile::Current { &profiles[..1] } else { &profiles[..] };
    tried.iter().find_map(|&profile| {
        let url = match candidate.is_exact {
            true => Url::parse_with(candidate.text.as_str(), profile).ok()?.to_owned(),
            false if depth > DEEPEST => return None,
            false => rewrite(&mut EditedText::new(candidate.text.as_bytes()), profile, depth, None).ok()?,
        };
        Some((url.as_str().to_string(), profile))
    })
}

/// `known` is how the draft was read as it is now.
fn rewrite(
    draft: &mut EditedText<'_>,
    profile: Profile,
    depth: u8,
    known: Option<&Diagnosis<'_>>,
) -> Result<Url<String>, Halt> {
    if !has_prefix(draft.text()) {
        let url = match known {
            Some(known) => known.url(),
            None => Url::accept(draft.text(), profile),
        };
        if let Some(url) = url {
            return Ok(url.to_owned());
        }
    }
    let frame = Frame::of(draft.text())?;
    refuse_shapes(&SHAPES, frame.text(), frame.start, profile, depth)?;
    if is_defanged(frame.text()) {
        return Err(Halt::ambiguous(&DEFANGED, frame.start..frame.end));
    }
    let changes = pasted::unwrap(frame)?;
    draft.rewrite(changes);
    pasted::strip_prefixes(draft);
    // What the marks around it held. A host may be as long as the text, so nothing is kept twice.
    let seen = (draft.text() != draft.input()).then(|| Hosts::of(draft.text()));
    pasted::unescape(draft);
    pasted::drive(draft);
    pasted::unbracket(draft);
    pasted::cut_fragment(draft)?;
    invisible::refuse(draft.text(), 0)?;
    refuse_shapes(slice::from_ref(&MISTYPED), draft.text(), 0, profile, depth)?;
    if let Some(at) = word::position(draft.text(), b'\\') {
        return Err(Halt::ambiguous(&BACKSLASH, at..at + 1));
    }
    let url = mended(draft, profile, depth, known.filter(|known| known.octets() == draft.text()))?;
    let now = Hosts::of(url.as_str().as_bytes());
    let stays = |before: &Hosts| before.stay(&now) && url.host().is_none_or(|host| before.are(host.as_str()));
    // The text as it was given is for what is cut at its ends.
    let is_same = seen.as_ref().is_none_or(stays) && stays(&Hosts::of(draft.input()));
    match is_same {
        true => Ok(url),
        false => Err(Halt::ambiguous(&HOST_DIFFERS, 0..draft.text().len())),
    }
}

/// Refuses octets that have one of the shapes and stand for a URL; `start` is their position in the draft.
fn refuse_shapes(
    shapes: &'static [Shape],
    octets: &[u8],
    start: usize,
    profile: Profile,
    depth: u8,
) -> Result<(), Halt> {
    if octets.len() > LONGEST {
        return Ok(());
    }
    shapes.iter().try_for_each(|shape| {
        let Some(candidate) = shape.candidate(octets) else { return Ok(()) };
        match settle(&candidate, profile, depth + 1) {
            Some((url, profile)) => Err(shape.halt(start..start + octets.len(), candidate, &url, profile)),
            None => Ok(()),
        }
    })
}

/// Mends what the grammar reports, until nothing is left. `known` is how the draft was read as it is now.
fn mended(
    draft: &mut EditedText<'_>,
    profile: Profile,
    depth: u8,
    mut known: Option<&Diagnosis<'_>>,
) -> Result<Url<String>, Halt> {
    // Of a long text nothing is guessed, and nobody asks what was meant by a guess.
    let before = (depth == 0 && draft.text().len() <= LONGEST).then(|| draft.text().to_vec());
    let unchanged = known;
    let mut passes = 0;
    loop {
        // Most texts are mended at once, and to see that is much quicker than to see what is wrong. As it was given, none is a URL.
        let is_changed = passes > 0 || draft.text() != draft.input();
        if let Some(url) = is_changed.then(|| Url::accept(draft.text(), profile)).flatten() {
            return Ok(url.to_owned());
        }
        let read;
        let diagnosis = match known.take() {
            Some(known) => known,
            None => {
                read = diagnose(draft.text(), profile);
                &read
            }
        };
        let error = match diagnosis.accepted() {
            Ok(url) => return Ok(url.to_owned()),
            Err(error) => error,
        };
        let rewrites = match host::to_ascii(diagnosis)? {
            // Other problems are fixed once the host is valid.
            Some((span, now)) => alloc::vec![Rewrite { span, now: now.into(), rule: &HOST }],
            None => mend::all(diagnosis)?,
        };
        if rewrites.is_empty() || passes == PASSES {
            let refused = Halt::problem(error);
            let Some(before) = before else { return Err(refused) };
            // Without a fix, the text was read as it is.
            let first = match (passes, unchanged) {
                (0, _) => diagnosis,
                (_, Some(known)) => known,
                (_, None) => &diagnose(&before, profile),
            };
            return Err(refused.with(guesses(error, first, &before)));
        }
        draft.rewrite(rewrites);
        passes += 1;
    }
}

/// Guesses for a problem that is left, about the text `before` any fix, which is read as `first`.
fn guesses(problem: &Problem<'_>, first: &Diagnosis<'_>, before: &[u8]) -> Vec<Candidate> {
    let same = first.problems().iter().find(|first| first.code() == problem.code());
    let span = same.map_or(0..0, Problem::span);
    suggest::candidates(problem.code(), before, span)
}
