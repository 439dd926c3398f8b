//! [`repair`]: turns pasted text into a valid URL and lists the changes.
//!
//! Parsing never repairs: both profiles are exact grammars. Repair is explicit, rewrites only what is unambiguous and
//! reports what it did: each [`Change`] has the octets of the input, their replacement and the rule. Most changes are
//! the fixes of the problems that parsing reports. Repair adds the removal of text around a URL and the encoding of
//! hosts outside US-ASCII, and it decides which fixes are safe and which are guesses.

mod draft;
mod error;
mod host;
mod pasted;
mod rules;
mod verdict;

pub use error::{RepairError, Suggestion};
pub use verdict::{Verdict, verdict};

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::diagnosis::{Diagnosis, diagnose};
use crate::encoded;
use crate::level::Level;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::scheme::Scheme;
use crate::url::Url;
use draft::{EditedText, Rewrite};
use rules::{BACKSLASH, FIXES, FixRule, HOST, Refusal};

/// The maximum number of passes. A fix may reveal another problem, but not many.
const PASSES: usize = 8;

/// Turns pasted text into a valid URL of the profile if that is unambiguous.
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
/// Applying the changes to the input gives the result, repairing the result changes nothing, and a valid URL is
/// returned unchanged except for a prefix `URL:`. Runs in time and memory linear in the input.
///
/// It removes only what is not part of the URL and does not change what is valid: case, escapes and default ports are
/// handled by normal forms. A prefix `URL:` is removed even if RFC 1738 could read it as a scheme (D-07).
///
/// | change | why | decision |
/// |---|---|---|
/// | `blanks-around` | white space around a URL is not part of it | D-14 |
/// | `wrapper` | `<` and `>` delimit a URL and are not part of it | D-67 |
/// | `prefix` | `URL:` introduces a URL and is not part of it | D-07 |
/// | `wrapped-blanks` | white space inside `<` and `>` is not part of the URL | D-68 |
/// | `line-end` | line ends and the spaces around them are not part of a URL | D-68 |
/// | `fragment` | a fragment follows a URL and is not part of it | D-08 |
/// | `host-idna` | a host name outside US-ASCII is encoded with IDNA | D-72 |
/// | `bnf-char` | an octet that is not allowed unencoded is escaped | D-10 |
/// | `slashes-missing` | `//` must precede a host |  |
/// | `file-short` | `//` and an empty host must precede the path of a file | D-64 |
/// | `host-dot` | a host does not end with a dot | D-20 |
/// | `port-empty` | a colon without a port is removed | D-22 |
/// | `path-missing` | a `/` must follow the host |  |
/// | `http-query-slash` | a `/` must precede the search | D-37 |
/// | `http-search-char` | a character that is reserved in a search is escaped | D-38 |
/// | `ftp-semicolon` | a `;` that does not start a typecode is escaped | D-29 |
/// | `ftp-type-case` | `;type=` is lowercase | D-03 |
/// | `news-all-escaped` | the `*` for all newsgroups is not escaped | D-58 |
///
/// Non-ASCII octets are escaped as they are: as UTF-8 if the text is UTF-8. Slashes are inserted only before an obvious
/// host: a name with a dot, `localhost` or an address. `file://name` is not changed, since a slash may be missing
/// before or after the name.
///
/// Ambiguous text is refused, and so is text that is still not a valid URL, with its [`Problem`]:
///
/// | refused | the two readings |
/// |---|---|
/// | `backslash` | `/`, or a character to be escaped |
/// | `hyphen-ambiguous` | part of the URL, or a hyphen added at a line break |
/// | `empty-line` | a gap in the URL, or its end |
/// | `second-url` | the rest of the URL, or another URL |
/// | `wrapper-inside` | part of the URL, or another wrapper |
/// | `fragment-ambiguous` | a fragment, or a `#` in a user name or password |
/// | `host-not-utf8` | one character set, or another |
/// | `host-not-idna` | none: IDNA does not allow the name, or is not built in (feature `idna`) |
/// | `at-twice` | which `@` ends the login |
/// | `bnf-escape` | a percent sign, or an escape with a digit missing |
/// | any other problem | what it says |
///
/// # Errors
/// [`RepairError`] if the text is ambiguous or cannot be repaired.
pub fn repair<I: AsRef<[u8]> + ?Sized>(input: &I, profile: Profile) -> Result<Repaired<'_>, RepairError> {
    read(input.as_ref(), profile)
}

/// The one reading of a text, as a URL and what was changed for it.
fn read(input: &[u8], profile: Profile) -> Result<Repaired<'_>, RepairError> {
    let mut draft = EditedText::new(input);
    match rewrite(&mut draft, profile) {
        Ok(url) => {
            let change = |Rewrite { span, now, rule }| Change { start: span.start, was: &input[span], now, rule };
            Ok(Repaired { url, changes: draft.into_parts().1.into_iter().map(change).collect() })
        }
        Err(Halt { span, why }) => {
            let span = draft.origin(span);
            Err(RepairError::new(span, why, draft.into_parts().0))
        }
    }
}

/// Why the text cannot be repaired, with a span of the draft.
struct Halt {
    span: Range<usize>,
    why: Why,
}

#[derive(Clone, Copy)]
enum Why {
    /// An ambiguity that is not a problem of the grammar.
    Ambiguous(&'static Refusal),
    /// A problem without a fix, or whose fix would be a guess.
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
            // Other problems are fixed once the host is valid.
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

/// The fixes of all errors, except those that would be guesses.
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

/// Whether the text in place of the host is clearly a host: `ftp:etc/motd` may lack slashes or a host.
fn has_plain_host(diagnosis: &Diagnosis<'_>) -> bool {
    let host = diagnosis.parts().find(|part| part.name() == "host");
    host.is_some_and(|host| host.octets().contains(&b'.') || host.octets().eq_ignore_ascii_case(b"localhost"))
}

/// A valid URL made from pasted text, with the changes.
#[must_use]
#[derive(Clone)]
pub struct Repaired<'a> {
    url: Url<String>,
    changes: Vec<Change<'a>>,
}

impl<'a> Repaired<'a> {
    /// The URL, valid in the requested profile.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// The URL by itself.
    pub fn into_url(self) -> Url<String> {
        self.url
    }

    /// The changes in the order of the input, not overlapping; empty if the input was valid.
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

/// What a change does to the octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// Cut: they are not part of the URL.
    Removed,
    /// Written as escapes, which mean the same octets.
    Escaped,
    /// Put in where something was missing.
    Inserted,
    /// Written in another way.
    Replaced,
}

impl ChangeKind {
    /// `removed`, `escaped`, `inserted` or `replaced`.
    pub const fn name(self) -> &'static str {
        match self {
            ChangeKind::Removed => "removed",
            ChangeKind::Escaped => "escaped",
            ChangeKind::Inserted => "inserted",
            ChangeKind::Replaced => "replaced",
        }
    }
}

/// A change made by repair: some octets of the input were replaced.
#[derive(Clone)]
pub struct Change<'a> {
    start: usize,
    was: &'a [u8],
    now: String,
    rule: &'static FixRule,
}

impl<'a> Change<'a> {
    /// The span in the input; empty for an insertion.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.was.len()
    }

    /// The octets of the input.
    pub fn was(&self) -> &'a [u8] {
        self.was
    }

    /// Their replacement; empty for a deletion.
    pub fn now(&self) -> &str {
        &self.now
    }

    /// What was done to the octets.
    ///
    /// ```
    /// use urlwise::{ChangeKind, Profile, repair};
    ///
    /// let repaired = repair("<http:host.dom/a b>", Profile::Rfc1738)?;
    /// let kinds: Vec<_> = repaired.changes().iter().map(|change| change.kind()).collect();
    /// assert_eq!(kinds, [ChangeKind::Removed, ChangeKind::Inserted, ChangeKind::Removed, ChangeKind::Removed]);
    /// # Ok::<(), urlwise::RepairError>(())
    /// ```
    pub fn kind(&self) -> ChangeKind {
        match (self.was, self.now.as_str()) {
            (_, "") => ChangeKind::Removed,
            ([], _) => ChangeKind::Inserted,
            (was, now) if encoded::escape_all(was) == now => ChangeKind::Escaped,
            _ => ChangeKind::Replaced,
        }
    }

    /// The stable name: one of the [list](crate::repair()), or the code of the problem that was fixed.
    pub fn code(&self) -> &'static str {
        self.rule.code
    }

    /// The section of RFC 1738 that the change follows.
    pub fn section(&self) -> &'static str {
        self.rule.section
    }

    /// The decision that it follows; `None` if the RFC is clear.
    pub fn decision(&self) -> Option<&'static str> {
        match (self.rule.code, self.was) {
            // As in problems: the tilde has a decision of its own.
            ("bnf-char", [b'~', ..]) => Some("D-11"),
            _ => Some(self.rule.decision).filter(|decision| !decision.is_empty()),
        }
    }

    /// The reason, in one line without a final period. It does not quote the input.
    pub fn message(&self) -> &'static str {
        self.rule.message
    }
}

impl fmt::Debug for Change<'_> {
    /// Prints only position and code, since the octets may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Change({} {:?})", self.code(), self.span())
    }
}
