//! Problems of a text as data: code, level, octets, rule, section and help.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::{fmt, ops::Range};

use crate::code::{self, Code};
use crate::display::{escape_for_display, padded};
use crate::encoded::{self, Octets};
use crate::grammar::Production;
use crate::language::{Language, Words, fill, words};
use crate::level::Level;
use crate::named::{self, name_character, name_octets};
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::scheme::Scheme;
use crate::scheme::secret::{Masked, Secrets};
use crate::section::{Citation, Section};
use crate::start::trap;

/// The mask for a password.
pub(crate) const MASK: &str = "***";

/// An error, warning or note about a text parsed as a URL.
///
/// ```
/// use urlwise::{Level, Profile, diagnose};
///
/// let diagnosis = diagnose("ftp://host.dom/pub/a b.txt", Profile::Rfc1738);
/// let problem = &diagnosis.problems()[0];
/// assert_eq!((problem.code(), problem.level(), problem.span()), ("bnf-char", Level::Error, 20..21));
/// assert_eq!(problem.message().to_string(), "a space (20) is not allowed in an ftp path");
/// assert_eq!(problem.help().unwrap().to_string(), "write `%20`");
/// assert_eq!((problem.section(), problem.decision()), ("2.2", Some("D-10")));
/// ```
#[derive(Clone)]
pub struct Problem<'a> {
    first: Place<'a>,
    /// Where the same mistake is made again, in order.
    again: Vec<Range<u32>>,
}

/// A problem at one place of its text.
#[derive(Clone, Copy)]
struct Place<'a> {
    input: &'a [u8],
    finding: RawProblem,
    /// Whether its octets may be part of a password and must not be quoted.
    is_secret: bool,
    /// Whether those of a place that a message would name may be; then no further place is named.
    is_partly_secret: bool,
}

impl<'a> Problem<'a> {
    /// A single problem; searches the input for passwords.
    pub(crate) fn new(input: &'a [u8], finding: RawProblem) -> Self {
        Problem::among(input, finding, Vec::new(), &Secrets::until(input, finding.start as usize))
    }

    /// One of several problems of an input with these passwords: those that [matter](Secrets::until) to the first place and to the
    /// further ones that may be [named](Problem::MOST_NAMED).
    pub(crate) fn among(input: &'a [u8], finding: RawProblem, again: Vec<Range<u32>>, secrets: &Secrets) -> Self {
        let touches = |start: u32, end: u32| secrets.touch(&(start as usize..end as usize));
        let is_secret = touches(finding.start, finding.end);
        let is_partly_secret =
            is_secret || again.iter().take(Problem::MOST_NAMED).any(|span| touches(span.start, span.end));
        Problem { first: Place { input, finding, is_secret, is_partly_secret }, again }
    }

    pub(crate) fn finding(&self) -> RawProblem {
        self.first.finding
    }

    /// The stable name, for example `bnf-char`; never changes its meaning.
    pub fn code(&self) -> &'static str {
        self.first.finding.code.row().name
    }

    /// Error, warning or note.
    pub fn level(&self) -> Level {
        self.first.finding.level
    }

    /// The octets of the input that the problem is about; an empty span marks where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.first.span()
    }

    /// So many places of one mistake are kept; nobody reads more, and a text may make one at every other octet.
    pub const MOST_PLACES: usize = 10_000;

    /// The places of the mistake, in order: [`span`](Problem::span), then where the same mistake is made in the same part again,
    /// whichever octets it is made with: the [message](Problem::message) names those of all places. Only the first [`MOST_PLACES`](Problem::MOST_PLACES) are kept.
    ///
    /// One mistake is one problem: a name with eleven spaces is one problem with eleven spans.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let again = self.again.iter().map(|span| span.start as usize..span.end as usize);
        core::iter::once(self.span()).chain(again)
    }

    /// The section of RFC 1738 that contains the rule: `2.2`, `3.2.2`, `5`, `Appendix`.
    pub fn section(&self) -> &'static str {
        self.first.finding.section
    }

    /// The decision that settles what the RFC leaves open, for example `D-10`; `None` if the RFC is clear.
    pub fn decision(&self) -> Option<&'static str> {
        // One code covers all characters that are not allowed unencoded; some have decisions of their own.
        let decision = match (self.first.finding.code, self.first.octets()) {
            (Code::BnfChar, [b'~', ..]) => "D-11",
            (Code::BnfChar, [b'#', ..]) => "D-08",
            (Code::BnfChar, [b' ' | b'\t' | b'\r' | b'\n', ..]) if self.first.is_at_an_end() => "D-14",
            (code, _) => code.row().decision,
        };
        (!decision.is_empty()).then_some(decision)
    }

    /// A message looks at so many further places for octets to name, and at so many octets of each.
    pub(crate) const MOST_NAMED: usize = 32;

    /// The octets of the further places, as far as a message names them.
    fn other_octets(&self) -> Vec<u8> {
        let seen = self.again.iter().take(Problem::MOST_NAMED).filter_map(|span| {
            let octets = self.first.input.get(span.start as usize..span.end as usize)?;
            Some(&octets[..octets.len().min(Problem::MOST_NAMED)])
        });
        if self.first.is_partly_secret { Vec::new() } else { seen.collect::<Vec<_>>().concat() }
    }

    /// The grammar rule that was being parsed: what was expected at the span.
    pub fn expected(&self) -> Option<&'static Production> {
        self.first.finding.rule
    }

    /// What is wrong, in one line without a final period. Octets that are unsafe for a terminal are escaped, and no
    /// part of a password is shown.
    pub fn message(&self) -> impl fmt::Display + use<'a> {
        self.message_in(Language::En)
    }

    /// [`message`](Problem::message) in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<'a> {
        let code = self.first.finding.code;
        let template = match (code, self.first.octets()) {
            (Code::NewsGroup, []) => words!("the newsgroup is missing"),
            (Code::NewsMsgid, []) => words!("nothing stands before the `@` of the Message-ID"),
            (Code::NewsMsgid, _) if !self.first.finding.detail.is_empty() => DETAIL,
            (Code::HostChar, [b':', ..]) => words!("a port is not allowed after this host"),
            (Code::SlashesMissing | Code::MailtoAddrspec, _) if self.first.is_nothing() => {
                words!("nothing follows `{scheme}:`")
            }
            (Code::MailtoAddrspec, octets) if is_line_end(octets) => {
                words!("{decoded} in an address would begin another mail header (header injection)")
            }
            (Code::MailtoAddrspec, octets) if Octets::new(octets).next().is_some_and(|octet| !octet.is_ascii()) => {
                words!("{decoded} is not allowed in an address: RFC 822 uses only US-ASCII")
            }
            _ => code.row().message,
        };
        Filled { place: self.first, others: self.other_octets(), template, language }
    }

    /// How to fix it, in one line; `None` if there is no help.
    pub fn help(&self) -> Option<impl fmt::Display + use<'a>> {
        self.help_in(Language::En)
    }

    /// [`help`](Problem::help) in a language.
    pub fn help_in(&self, language: Language) -> Option<impl fmt::Display + use<'a>> {
        let row = self.first.finding.code.row();
        let template = match (self.first.finding.code, self.first.octets()) {
            (Code::BnfChar, [b'#', ..]) => {
                words!("write `%23`, or read the text as a URL reference: a fragment is not part of a URL")
            }
            (Code::BnfChar, [b' ' | b'\t' | b'\r' | b'\n', ..]) if self.first.is_at_an_end() => {
                words!("remove it: white space is never part of a URL")
            }
            (Code::BnfChar, _) if self.first.is_all_groups() => {
                words!("for all newsgroups give the part `all` instead: the name of a newsgroup has no patterns")
            }
            (Code::BnfChar, _) if self.first.is_in("group") => {
                words!(
                    "use only letters, digits, `+`, `-`, `.` and `_`: a newsgroup name has no escapes and no patterns"
                )
            }
            (Code::BnfChar, _) if !self.first.escapes_allowed() => words!("expected `{expected}`"),
            (Code::BnfChar, [b' ', ..]) if self.first.is_in("encoded822addr") => {
                words!("remove it: spaces are allowed only in a quoted string, as in `%22joe%20doe%22@host.dom`")
            }
            (Code::HostChar, [b':', ..]) => words!("remove it"),
            (Code::FileShort, _) if self.first.suggestion().is_none() => words!("write `file://` before the path"),
            (Code::NewsGroup, []) => words!("write the name of a newsgroup after the `/`"),
            (Code::SlashesMissing, _) if self.first.is_nothing() => words!("write the rest of the URL after the colon"),
            (Code::SlashesMissing, _) if self.first.is_of_file() => words!("write `file:///` before an absolute path"),
            (Code::MailtoAddrspec, octets) if is_line_end(octets) && !self.first.is_nothing() => {
                words!("remove it: an address is a single line")
            }
            (Code::SchemeCheck, _) if self.first.finding.help.is_empty() => return None,
            (Code::SchemeTrap, _) if self.first.suggestion().is_none() => return None,
            _ => row.help,
        };
        Some(Filled { place: self.first, others: self.other_octets(), template, language })
    }
}

impl Problem<'_> {
    /// What `Display` writes, in a language.
    ///
    /// ```
    /// use urlwise::{Language, Profile, diagnose};
    ///
    /// let diagnosis = diagnose("http://host.dom/a b", Profile::Rfc1738);
    /// let problem = diagnosis.problems()[0].display_in(Language::from_locale("ja_JP.UTF-8")).to_string();
    /// # #[cfg(feature = "ja")]
    /// assert_eq!(problem, "エラー[bnf-char]（17..18）：スペース（20）はhttpのパスでは使えない（2.2節、D-10）。`%20`と書く");
    /// # #[cfg(not(feature = "ja"))]
    /// # assert_eq!(problem, diagnosis.problems()[0].to_string());
    /// ```
    pub fn display_in(&self, language: Language) -> impl fmt::Display + '_ {
        Sentence { problem: self, language }
    }
}

/// A problem in one line.
struct Sentence<'p, 'a> {
    problem: &'p Problem<'a>,
    language: Language,
}

impl fmt::Display for Sentence<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (problem, language) = (self.problem, self.language);
        let Range { start, end } = problem.span();
        let help = problem.help_in(language);
        let template = match help {
            Some(_) => words!("{level}[{code}] at {start}..{end}: {message} ({citation}); {help}"),
            None => words!("{level}[{code}] at {start}..{end}: {message} ({citation})"),
        };
        padded(f, |f| {
            fill(&template.get(language), f, &|name, f| match name {
                "level" => f.write_str(&problem.level().name_in(language)),
                "code" => f.write_str(problem.code()),
                "start" => write!(f, "{start}"),
                "end" => write!(f, "{end}"),
                "message" => write!(f, "{}", problem.message_in(language)),
                "citation" => {
                    write!(f, "{}", Citation::new(problem.section(), problem.decision()).display_in(language))
                }
                _ => help.iter().try_for_each(|help| write!(f, "{help}")),
            })
        })
    }
}

impl<'a> Place<'a> {
    fn span(&self) -> Range<usize> {
        self.finding.start as usize..self.finding.end as usize
    }

    fn octets(&self) -> &'a [u8] {
        self.input.get(self.span()).unwrap_or_default()
    }

    /// Whether nothing but white space follows the colon of the scheme.
    fn is_nothing(&self) -> bool {
        self.octets().trim_ascii().is_empty() && self.input.trim_ascii_end().last() == Some(&b':')
    }

    fn is_of_file(&self) -> bool {
        self.input.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"file:"))
    }

    /// Whether the part is read by the production of this name.
    fn is_in(&self, name: &str) -> bool {
        self.finding.rule.is_some_and(|rule| rule.name() == name)
    }

    /// Whether a draft has this text as a newsgroup: read by itself, `*` is not one.
    fn is_all_groups(&self) -> bool {
        self.is_in("group") && self.octets() == b"*" && matches!(self.input, [.., b':' | b'/', b'*'])
    }

    /// Leading or trailing octets of the input: white space there is not meant to be part of a URL (D-14).
    fn is_at_an_end(&self) -> bool {
        self.finding.start == 0 || self.finding.end as usize == self.input.len()
    }

    /// Whether escapes are allowed in the part; they are not in schemes, hosts, ports, groups and numbers.
    fn escapes_allowed(&self) -> bool {
        self.finding.rule.is_none_or(|rule| rule.escapes)
    }

    fn suggestion(&self) -> Option<String> {
        core::str::from_utf8(self.input).ok().and_then(trap::suggestion)
    }
}

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(Language::En).fmt(f)
    }
}

impl fmt::Debug for Problem<'_> {
    /// Like `Display`: the input itself is left out, since it may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Problem<'_> {
    /// By text, code and first place: an error that stops at its first place is the one that a diagnosis finds.
    fn eq(&self, other: &Self) -> bool {
        (self.first.input, self.first.finding) == (other.first.input, other.first.finding)
    }
}

impl Eq for Problem<'_> {}

impl core::error::Error for Problem<'_> {}

/// A text of the code table with its `{...}` filled in.
struct Filled<'a> {
    place: Place<'a>,
    /// The octets of the further places.
    others: Vec<u8>,
    template: Words,
    language: Language,
}

/// The message of a problem that has no other words than its detail.
const DETAIL: Words = Words::same("{detail}");

impl fmt::Display for Filled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let template = self.template.get(self.language);
        match template.strip_prefix("{octets} is ") {
            // English alone has a plural.
            Some(rest) if self.names_several() => {
                self.fill("octets", f)?;
                f.write_str(" are ")?;
                fill(rest, f, &|name, f| self.fill(name, f))
            }
            _ => fill(&template, f, &|name, f| self.fill(name, f)),
        }
    }
}

impl Filled<'_> {
    /// The octets that are named: those of the first place, and the first ones of others.
    fn named(&self) -> Cow<'_, [u8]> {
        match self.others.as_slice() {
            [] => self.place.octets().into(),
            others => [self.place.octets(), others].concat().into(),
        }
    }

    /// Whether the octets are different characters, all of which may be named.
    fn names_several(&self) -> bool {
        !self.place.is_secret && named::characters(&self.named(), 1, |_, are_all| !are_all)
    }

    fn fill(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, language) = (&self.place, self.language);
        let octets = place.octets();
        match name {
            // A delimiter is not part of the password.
            "octets" | "decoded" | "encoded" if place.is_secret && octets == b":" => {
                if name == "encoded" {
                    f.write_str("`%3A`")
                } else {
                    name_character(b":", language, f)
                }
            }
            "octets" | "decoded" if place.is_secret => words!("a masked octet").write(language, f),
            "text" | "lower" if place.is_secret => f.write_str(MASK),
            "encoded" if place.is_secret => words!("`%` and its two hex digits").write(language, f),
            "octets" => name_octets(&self.named(), language, f),
            "decoded" => name_octets(&encoded::decode(octets), language, f),
            "text" => write_text(octets, f),
            "lower" => write_text(&octets.to_ascii_lowercase(), f),
            "length" => write!(f, "{}", octets.len()),
            "detail" => place.finding.detail.write(language, f),
            "help" => f.write_str(place.finding.help),
            "encoded" => named::characters(&self.named(), named::MOST, |named, are_all| {
                for (i, character) in named.iter().enumerate() {
                    let separator = if i > 0 { words!(", ").get(language) } else { "".into() };
                    write!(f, "{separator}`{}`", encoded::escape_all(character))?;
                }
                if are_all { Ok(()) } else { words!(" ...").write(language, f) }
            }),
            "part" => f.write_str(
                &place.finding.rule.map_or_else(|| words!("a URL").get(language), |rule| rule.what_in(language)),
            ),
            "expected" => f.write_str(place.finding.rule.map_or("uchar", Production::bnf)),
            "scheme" => {
                let colon = place.input.iter().position(|&octet| octet == b':').unwrap_or(0);
                write_text(&place.input[..colon], f)
            }
            "base" => {
                let sibling = Scheme::from_name(octets, Profile::Current);
                f.write_str(sibling.base().name().unwrap_or_default())
            }
            "document" => {
                let known = Scheme::from_name(octets, Profile::Current);
                write!(f, "{}", Section(known.section()).display_in(language))
            }
            "suggestion" => write!(f, "{}", Masked(&place.suggestion().unwrap_or_default())),
            _ => Ok(()),
        }
    }
}

/// Writes quoted text of the input, at most one line.
pub(crate) fn write_text(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const SHOWN: usize = 40;
    write!(f, "{}", escape_for_display(&octets[..octets.len().min(SHOWN)]))?;
    if octets.len() > SHOWN { f.write_str("...") } else { Ok(()) }
}

/// Whether escapes stand for CR, LF or both.
fn is_line_end(octets: &[u8]) -> bool {
    let mut octets = Octets::new(octets);
    match (octets.next(), octets.next(), octets.next()) {
        (Some(b'\r' | b'\n'), None, _) | (Some(b'\r'), Some(b'\n'), None) => true,
        (_, _, _) => false,
    }
}

/// Every problem code with its levels, section and decision, in table order.
///
/// ```
/// let codes: Vec<_> = urlwise::problem_codes().map(|row| row.code).collect();
/// assert!(codes.contains(&"bnf-char") && codes.contains(&"ftp-empty-cwd"));
/// ```
pub fn problem_codes() -> impl Iterator<Item = ProblemCode> {
    code::rows().iter().map(|row| ProblemCode {
        code: row.name,
        row,
        section: row.section,
        decision: (!row.decision.is_empty()).then_some(row.decision),
        message: row.message.en(),
        help: row.help.en(),
    })
}

/// One row of the table of problem codes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProblemCode {
    /// The stable name.
    pub code: &'static str,
    /// The section of RFC 1738.
    pub section: &'static str,
    /// The decision, if the RFC leaves room.
    pub decision: Option<&'static str>,
    /// The message template, with `{...}` for details of the text: `{octets} is not allowed in {part}`.
    pub message: &'static str,
    /// The help template; `{help}` or empty if it depends on the text.
    pub help: &'static str,
    row: &'static code::Row,
}

impl ProblemCode {
    /// The message template in a language; in Japanese, `{octets}は{part}では使えない`.
    pub fn message_in(&self, language: Language) -> Cow<'static, str> {
        self.row.message.get(language)
    }

    /// The help template in a language.
    pub fn help_in(&self, language: Language) -> Cow<'static, str> {
        self.row.help.get(language)
    }

    /// The level under a profile.
    ///
    /// ```
    /// use urlwise::{Level, Profile};
    ///
    /// let character = urlwise::problem_codes().find(|row| row.code == "bnf-char").unwrap();
    /// assert_eq!(character.level(Profile::Rfc1738), Level::Error);
    /// ```
    pub fn level(&self, profile: Profile) -> Level {
        self.row.level(profile)
    }
}
