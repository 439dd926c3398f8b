//! [`repair`]: pasted text made a valid URL, with a list of what was changed.
//!
//! Reading never repairs (both profiles are exact grammars). Repair is asked for, rewrites only what has one reading, and says
//! what it did: each [`Change`] names the octets of the input, what stands there now, and the rule. Most of the work is the
//! language's: its problems say where a text is no URL, and their fixes how it becomes one. What repair adds is the text around a
//! URL, the host outside US-ASCII, and the line between a fix and a guess.

mod draft;
mod host;
mod pasted;
mod rules;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::diagnosis::{Diagnosis, diagnose};
use crate::problem::{Level, Problem, RawProblem};
use crate::profile::Profile;
use crate::scheme::Scheme;
use crate::url::Url;
use draft::{EditedText, Rewrite};
use rules::{BACKSLASH, FIXES, FixRule, HOST, Refusal};

/// How often the language is asked what is still wrong. A fix may bring another problem to light, but not many.
const PASSES: usize = 8;

/// Makes pasted text a valid URL of the profile, where there is one way to do so.
///
/// ```
/// use urlwise::{Profile, repair};
///
/// let repaired = repair("<URL:http://host.dom/~jim/a\n    b?c d>", Profile::Rfc1738)?;
/// assert_eq!(repaired.url().as_str(), "http://host.dom/%7Ejim/ab?cd");
/// let tilde = &repaired.changes()[2];
/// assert_eq!((tilde.span(), tilde.was(), tilde.now()), (21..22, &b"~"[..], "%7E"));
/// assert_eq!((tilde.code(), tilde.decision()), ("bnf-char", Some("D-11")));
///
/// let refused = repair("http://host.dom\\@evil.dom/", Profile::Rfc1738).unwrap_err();
/// assert_eq!((refused.code(), refused.span()), ("backslash", 15..16));
/// # Ok::<(), urlwise::RepairError>(())
/// ```
///
/// The changes lead from the input to the result, a repaired URL needs no repair, and a valid URL is left alone, but for a prefix
/// `URL:`. Takes time and memory linear in the input.
///
/// It only takes away what is no part of the URL, and leaves what is valid alone: case, escapes and default ports are a matter of
/// normal forms. A prefix `URL:` goes even where RFC 1738 can read it as a scheme of its own (D-07).
///
/// | change | why | decision |
/// |---|---|---|
/// | `blanks-around` | white space around a URL is no part of it | D-14 |
/// | `wrapper` | `<` and `>` stand around a URL, not in it | D-67 |
/// | `prefix` | `URL:` belongs to the wrapper, not to the URL | D-07 |
/// | `wrapped-blanks` | white space inside of a wrapper is no part of the URL | D-68 |
/// | `line-end` | a line end and the blanks around it are no part of a URL | D-68 |
/// | `fragment` | a fragment follows a URL and is no part of it | D-08 |
/// | `host-idna` | a host name outside US-ASCII is written as IDNA has it | D-72 |
/// | `bnf-char` | an octet that may not stand raw is written as its escape | D-10 |
/// | `slashes-missing` | `//` stands before a host |  |
/// | `file-short` | `//` and an empty host stand before the path of a file | D-64 |
/// | `host-dot` | no dot ends a host | D-20 |
/// | `port-empty` | without a port the colon goes as well | D-22 |
/// | `path-missing` | a `/` stands between a host and what follows it |  |
/// | `http-query-slash` | a `/` stands before the search | D-37 |
/// | `http-search-char` | what is reserved in a search is written as its escape | D-38 |
/// | `ftp-semicolon` | a `;` that begins no typecode is written as its escape | D-29 |
/// | `ftp-type-case` | `;type=` is written in lower case | D-03 |
/// | `news-all-escaped` | the `*` for all newsgroups has no escape | D-58 |
///
/// Octets outside US-ASCII are encoded as they are: UTF-8 where the text is. Slashes are put only before what is plainly a host: a
/// name with a dot, `localhost`, an address. `file://name` is left alone, for it may lack a slash before or behind the name.
///
/// What has two readings is refused, and so is what is no URL even then, with the [`Problem`] of the language:
///
/// | refused | the two readings |
/// |---|---|
/// | `backslash` | `/`, or a character to be encoded |
/// | `hyphen-ambiguous` | a hyphen of the URL at a line end, or the mark of a broken word |
/// | `empty-line` | a long gap in the URL, or its end |
/// | `second-url` | a line that goes on, or another URL |
/// | `wrapper-inside` | a bracket of the URL, or the end of the wrapper |
/// | `fragment-ambiguous` | a fragment, or a `#` in a name or password |
/// | `host-not-utf8` | one charset, or another |
/// | `host-not-idna` | no reading at all: IDNA knows no such name, or is not built in (feature `idna`) |
/// | `at-twice` | which `@` ends the login |
/// | `bnf-escape` | a percent sign, or an escape that lost a digit |
/// | any other problem | what it says |
///
/// # Errors
/// [`RepairError`] where there are two readings, or none.
pub fn repair<I: AsRef<[u8]> + ?Sized>(input: &I, profile: Profile) -> Result<Repaired<'_>, RepairError> {
    let input = input.as_ref();
    let mut draft = EditedText::new(input);
    match rewrite(&mut draft, profile) {
        Ok(url) => {
            let change = |Rewrite { span, now, rule }| Change { start: span.start, was: &input[span], now, rule };
            Ok(Repaired { url, changes: draft.into_parts().1.into_iter().map(change).collect() })
        }
        Err(Halt { span, why }) => {
            let span = draft.origin(span);
            Err(RepairError { span, why, text: draft.into_parts().0 })
        }
    }
}

/// Why the rewriting cannot go on, with a span of the draft.
struct Halt {
    span: Range<usize>,
    why: Why,
}

#[derive(Clone, Copy)]
enum Why {
    /// Two readings that the language knows nothing of.
    Ambiguous(&'static Refusal),
    /// A problem that has no fix, or one that would be a guess.
    Problem(RawProblem),
}

impl Halt {
    fn ambiguous(refusal: &'static Refusal, span: Range<usize>) -> Self {
        Halt { span, why: Why::Ambiguous(refusal) }
    }

    fn problem(problem: &Problem<'_>) -> Self {
        Halt { span: problem.span(), why: Why::Problem(problem.finding()) }
    }
}

fn rewrite(draft: &mut EditedText<'_>, profile: Profile) -> Result<Url<String>, Halt> {
    pasted::unwrap(draft)?;
    pasted::strip_prefixes(draft);
    pasted::cut_fragment(draft)?;
    if let Some(at) = draft.text().iter().position(|&octet| octet == b'\\') {
        return Err(Halt::ambiguous(&BACKSLASH, at..at + 1));
    }
    let mut passes = 0;
    loop {
        let error = match Url::from_octets(profile, draft.text()) {
            Ok(url) => return Ok(url.to_owned()),
            Err(error) => error,
        };
        let diagnosis = diagnose(draft.text(), profile);
        let rewrites = match host::to_ascii(&diagnosis)? {
            // What else is wrong is looked at when the host is one.
            Some((span, now)) => alloc::vec![Rewrite { span, now, rule: &HOST }],
            None => fixes(&diagnosis),
        };
        if rewrites.is_empty() || passes == PASSES {
            return Err(Halt::problem(&error.problem()));
        }
        draft.rewrite(rewrites);
        passes += 1;
    }
}

/// What the language would do about each error, where that is no guess.
fn fixes(diagnosis: &Diagnosis<'_>) -> Vec<Rewrite> {
    let errors = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
    let fix = |problem: &Problem<'_>| {
        let rule = FIXES.iter().find(|rule| rule.code == problem.code())?;
        let is_guess = match problem.code() {
            "slashes-missing" => !has_plain_host(diagnosis),
            "path-missing" => diagnosis.scheme() == Some(Scheme::File),
            _ => false,
        };
        problem.fix().filter(|_| !is_guess).map(|fix| Rewrite { span: fix.span, now: fix.replacement, rule })
    };
    errors.filter_map(fix).collect()
}

/// Whether what stands where a host belongs is nothing else: `ftp:etc/motd` may lack slashes or a host.
fn has_plain_host(diagnosis: &Diagnosis<'_>) -> bool {
    let host = diagnosis.parts().find(|part| part.name() == "host");
    host.is_some_and(|host| host.octets().contains(&b'.') || host.octets().eq_ignore_ascii_case(b"localhost"))
}

/// A valid URL made from pasted text, and what was changed for it.
#[must_use]
#[derive(Clone)]
pub struct Repaired<'a> {
    url: Url<String>,
    changes: Vec<Change<'a>>,
}

impl<'a> Repaired<'a> {
    /// The URL, valid under the profile asked for.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// The URL by itself.
    pub fn into_url(self) -> Url<String> {
        self.url
    }

    /// The changes in the order of their places in the input, none of which overlap; empty where the input was valid.
    pub fn changes(&self) -> &[Change<'a>] {
        &self.changes
    }
}

impl fmt::Debug for Repaired<'_> {
    /// The password of the URL is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repaired").field("url", &self.url).field("changes", &self.changes).finish()
    }
}

/// One thing that repair did: some octets of the input became others.
#[derive(Clone)]
pub struct Change<'a> {
    start: usize,
    was: &'a [u8],
    now: String,
    rule: &'static FixRule,
}

impl<'a> Change<'a> {
    /// Where in the input; empty where something was put in.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.was.len()
    }

    /// The octets that stood there.
    pub fn was(&self) -> &'a [u8] {
        self.was
    }

    /// What stands there now; empty where something was taken away.
    pub fn now(&self) -> &str {
        &self.now
    }

    /// The stable name: one of the [list](crate::repair()), or the code of the problem that is mended.
    pub fn code(&self) -> &'static str {
        self.rule.code
    }

    /// The section of RFC 1738 that the change follows.
    pub fn section(&self) -> &'static str {
        self.rule.section
    }

    /// The decision that it follows; `None` where the RFC is plain.
    pub fn decision(&self) -> Option<&'static str> {
        match (self.rule.code, self.was) {
            // As the language has it: the tilde was decided on its own.
            ("bnf-char", [b'~', ..]) => Some("D-11"),
            _ => Some(self.rule.decision).filter(|decision| !decision.is_empty()),
        }
    }

    /// Why, in one line without a full stop. Quotes nothing of the input.
    pub fn message(&self) -> &'static str {
        self.rule.message
    }
}

impl fmt::Debug for Change<'_> {
    /// Place and code only: the octets may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Change({} {:?})", self.code(), self.span())
    }
}

/// The text is no URL, and there is no one way to make it one.
///
/// `Display` tells what is in the way, where and why, and never quotes a password.
#[derive(Clone)]
pub struct RepairError {
    span: Range<usize>,
    why: Why,
    /// The input as far as it could be repaired.
    text: Vec<u8>,
}

impl RepairError {
    /// The octets of the input that are in the way.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The stable name: of a text with two readings, or of a problem of the language.
    pub fn code(&self) -> &'static str {
        match self.why {
            Why::Ambiguous(refusal) => refusal.code,
            Why::Problem(finding) => finding.code.row().name,
        }
    }

    /// The section of RFC 1738 that holds the rule.
    pub fn section(&self) -> &'static str {
        match self.why {
            Why::Ambiguous(refusal) => refusal.section,
            Why::Problem(finding) => finding.code.row().section,
        }
    }

    /// The decision that settles what the RFC leaves open; `None` where it is plain.
    pub fn decision(&self) -> Option<&'static str> {
        match self.why {
            Why::Ambiguous(refusal) => Some(refusal.decision),
            Why::Problem(_) => self.problem()?.decision(),
        }
    }

    /// What is in the way, in one line without a full stop.
    pub fn message(&self) -> Cow<'static, str> {
        match self.why {
            Why::Ambiguous(refusal) => refusal.message.into(),
            Why::Problem(finding) => self.problem_of(finding).message().to_string().into(),
        }
    }

    /// The way out, in one line; `None` where there is none to give.
    pub fn help(&self) -> Option<Cow<'static, str>> {
        match self.why {
            Why::Ambiguous(refusal) => Some(refusal.help.into()),
            Why::Problem(finding) => self.problem_of(finding).help().map(|help| help.to_string().into()),
        }
    }

    /// The problem of the language; `None` for a text with two readings. Its span is one of [`text`](RepairError::text).
    pub fn problem(&self) -> Option<Problem<'_>> {
        match self.why {
            Why::Ambiguous(_) => None,
            Why::Problem(finding) => Some(self.problem_of(finding)),
        }
    }

    /// The input as far as it could be repaired.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    fn problem_of(&self, finding: RawProblem) -> Problem<'_> {
        Problem::new(&self.text, finding)
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.span;
        write!(f, "refused[{}] at {start}..{end}: {} (section {}", self.code(), self.message(), self.section())?;
        if let Some(decision) = self.decision() {
            write!(f, ", {decision}")?;
        }
        f.write_str(")")?;
        match self.help() {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for RepairError {
    /// Like `Display`: the text itself may hold a password and stays out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for RepairError {}
