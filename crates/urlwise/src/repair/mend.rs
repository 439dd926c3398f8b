//! What is rewritten for the problems of the grammar: only what has one reading.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::draft::{Replacement, Rewrite};
use super::halt::Halt;
use super::octets::is_known;
use super::rules::{
    BLANKS, CONTROL, CURLY_QUOTE, FIXES, FixRule, HTML_ENTITY, NESTED_SCHEME, SHORTENED, TOO_MANY_CHANGES, UNESCAPED,
};
use super::suggest;
use crate::character::{self, Role};
use crate::diagnosis::Diagnosis;
use crate::encoded;
use crate::level::Level;
use crate::problem::Problem;
use crate::scheme::Scheme;

/// No more octets are escaped for one mistake (D-87): octets side by side are one change, however many there are.
const MOST_ESCAPED: usize = 256 << 10;

/// The rewrites for all errors, except those that would be guesses.
pub(super) fn all(diagnosis: &Diagnosis<'_>) -> Result<Vec<Rewrite>, Halt> {
    let mut rewrites = Vec::new();
    let mut fixed = 0;
    for problem in diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error) {
        if problem.code() == "mailto-addrspec" && suggest::is_entity(diagnosis.octets(), problem.span().start) {
            return Err(Halt::ambiguous(&HTML_ENTITY, problem.span()));
        }
        if let Some(rule) = FIXES.iter().find(|rule| rule.code == problem.code()) {
            if problem.spans().count() >= Problem::MOST_PLACES {
                // There may be more than are kept.
                return Err(Halt::ambiguous(&TOO_MANY_CHANGES, problem.span()));
            }
            one(problem, diagnosis, rule, &mut rewrites)?;
            fixed += 1;
        }
    }
    if fixed > 1 {
        // Several spans of one problem may enclose another problem.
        rewrites.sort_by_key(|rewrite| (rewrite.span.start, rewrite.span.end));
    }
    Ok(rewrites)
}

fn one(
    problem: &Problem<'_>,
    diagnosis: &Diagnosis<'_>,
    rule: &'static FixRule,
    rewrites: &mut Vec<Rewrite>,
) -> Result<(), Halt> {
    let octets = diagnosis.octets();
    let mut put = |span: Range<usize>, now: Replacement| rewrites.push(Rewrite { span, now, rule });
    match problem.code() {
        "bnf-char" if problem.expected().is_some_and(|rule| !rule.has_escapes()) => {
            for span in problem.spans() {
                decode(octets, span, |octet| {
                    problem.expected().is_some_and(|rule| rule.allows(octet, diagnosis.profile()))
                })
                .into_iter()
                .for_each(|(span, now)| rewrites.push(Rewrite { span, now: now.into(), rule: &UNESCAPED }));
            }
        }
        "news-group" => {
            if let Some((span, now)) = decode(octets, problem.span(), |octet| octet.is_ascii_alphabetic()) {
                put(span, now.into());
            }
        }
        "bnf-char" => {
            // Only the first can be one.
            let blank = leading_blank(diagnosis).and_then(|at| problem.spans().next().filter(|span| span.start == at));
            let blank = blank.filter(|span| octets[span.clone()].iter().all(|octet| *octet == b' '));
            let data = problem.spans().skip(blank.iter().len());
            rewrites.reserve(problem.spans().count());
            rewrites.extend(blank.map(|span| Rewrite::delete(&BLANKS, span)));
            escape(octets, data, rule, rewrites, is_data)?;
        }
        "http-search-char" | "ftp-semicolon" => {
            let is_entity = |span: &Range<usize>| octets[span.start] == b';' && suggest::is_entity(octets, span.start);
            if let Some(span) = problem.spans().find(is_entity) {
                return Err(Halt::ambiguous(&HTML_ENTITY, span));
            }
            escape(octets, problem.spans(), rule, rewrites, |_, _| Ok(()))?;
        }
        "prospero-field" | "wais-form" => {
            let data = problem.spans().filter(|span| matches!(octets[span.clone()], [b'=' | b'?']));
            escape(octets, data, rule, rewrites, |_, _| Ok(()))?;
        }
        "slashes-missing" if has_plain_host(diagnosis) => put(problem.span(), "//".into()),
        "slashes-missing" => {}
        "file-short" => put(problem.span(), "//".into()),
        "http-query-slash" => put(problem.span().start..problem.span().start, "/".into()),
        "port-empty" if is_scheme_as_host(diagnosis) => {
            return Err(Halt::ambiguous(&NESTED_SCHEME, 0..octets.len()));
        }
        // Behind another dot, a label is empty, for which there is no fix.
        "host-dot" if octets[..problem.span().start].ends_with(b".") => {}
        "host-dot" | "port-empty" => put(problem.span(), "".into()),
        "ftp-type-case" => {
            put(problem.span(), String::from_utf8_lossy(&octets[problem.span()]).to_ascii_lowercase().into());
        }
        "news-all-escaped" => put(problem.span(), "*".into()),
        "port-char" => digits(diagnosis, "port").into_iter().for_each(|(span, now)| put(span, now.into())),
        "nntp-article" => digits(diagnosis, "article").into_iter().for_each(|(span, now)| put(span, now.into())),
        other => unreachable_rule(other),
    }
    Ok(())
}

/// Escapes what stands for itself there, unless `check` says that octets, which begin at a place, may not.
fn escape(
    octets: &[u8],
    spans: impl Iterator<Item = Range<usize>>,
    rule: &'static FixRule,
    rewrites: &mut Vec<Rewrite>,
    check: impl Fn(&[u8], usize) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut escaped = 0;
    // Many are the same octets again and again.
    let mut last: (&[u8], Replacement) = (&[], "".into());
    for span in spans {
        escaped += span.len();
        if escaped > MOST_ESCAPED {
            return Err(Halt::ambiguous(&TOO_MANY_CHANGES, span));
        }
        let run = &octets[span.clone()];
        if !run.iter().eq(last.0) {
            check(run, span.start)?;
            last = (run, encoded::escape_all(run).into());
        }
        rewrites.push(Rewrite { now: last.1.clone(), span, rule });
    }
    Ok(())
}

/// Every row of [`FIXES`] is matched above; a test holds that.
fn unreachable_rule(code: &str) {
    debug_assert!(false, "no fix for {code}");
}

/// The escape that starts at a span, as the octet it stands for, where that may stand there itself.
fn decode(octets: &[u8], span: Range<usize>, allows: impl Fn(u8) -> bool) -> Option<(Range<usize>, String)> {
    let octet = encoded::escape_at(octets, span.start).filter(|octet| allows(*octet))?;
    Some((span.start..span.start + 3, char::from(octet).to_string()))
}

/// A part of digits, some of which are escaped.
fn digits(diagnosis: &Diagnosis<'_>, name: &str) -> Option<(Range<usize>, String)> {
    let part = diagnosis.parts().find(|part| part.name() == name)?;
    let decoded = encoded::decode(part.octets()).into_owned();
    let are_digits = decoded.iter().all(u8::is_ascii_digit);
    let text = String::from_utf8(decoded).ok().filter(|_| are_digits)?;
    (text.as_bytes() != part.octets()).then(|| (part.span(), text))
}

/// Where a blank may stand between the colon and an address or group.
fn leading_blank(diagnosis: &Diagnosis<'_>) -> Option<usize> {
    let has_name = matches!(diagnosis.scheme().map(Scheme::base), Some(Scheme::Mailto | Scheme::News));
    diagnosis.scheme_span().filter(|_| has_name).map(|name| name.end + 1)
}

/// Refuses octets whose escapes cannot have been meant; `start` is where they stand.
fn is_data(run: &[u8], start: usize) -> Result<(), Halt> {
    // What most mistakes are.
    if run.iter().all(|octet| matches!(octet, b' '..=b'~')) {
        return Ok(());
    }
    if let Some(at) = run.iter().position(u8::is_ascii_control) {
        return Err(Halt::ambiguous(&CONTROL, start + at..start + at + 1));
    }
    let mut at = start;
    for chunk in run.utf8_chunks() {
        for c in chunk.valid().chars() {
            let place = at..at + c.len_utf8();
            at = place.end;
            match character::of(c).map(|row| row.role) {
                Some(Role::Quote) => return Err(Halt::character(&CURLY_QUOTE, place.start, c)),
                Some(Role::Ellipsis) => return Err(Halt::ambiguous(&SHORTENED, place)),
                Some(_) => {}
                None if c.is_control() => return Err(Halt::ambiguous(&CONTROL, place)),
                None => {}
            }
        }
        at += chunk.invalid().len();
    }
    Ok(())
}

/// Whether the host is named like a scheme: the colon behind it is hardly one of an empty port (D-83).
fn is_scheme_as_host(diagnosis: &Diagnosis<'_>) -> bool {
    diagnosis.parts().any(|part| part.name() == "host" && is_known(part.octets()))
}

/// Whether the text in place of the host is clearly a host: `ftp:etc/motd` may lack slashes or a host.
fn has_plain_host(diagnosis: &Diagnosis<'_>) -> bool {
    let host = diagnosis.parts().find(|part| part.name() == "host");
    let has_user = diagnosis.parts().any(|part| part.name() == "user");
    let may_have_user = diagnosis.scheme().is_some_and(|scheme| scheme.definition().has_login());
    (!has_user || may_have_user)
        && host.is_some_and(|host| host.octets().contains(&b'.') || host.octets().eq_ignore_ascii_case(b"localhost"))
}
