//! [`Finding`]: a rule that a URL violates, as data.

use alloc::borrow::Cow;
use core::fmt;
use core::ops::Range;

use super::rules::Rule;
use super::settings::Audit;
use super::severity::Severity;
use crate::display::padded;
use crate::language::{Language, Message, Words, fill};
use crate::level::Level;
use crate::problem::{MASK, write_text};
use crate::scheme::secret::Secrets;
use crate::section::Section;

/// What a finding says besides the texts of its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Detail<'a> {
    /// The same in every language.
    Text(Cow<'a, str>),
    /// What the caller says.
    Message(Message),
    Words(Words),
    /// Words with `{text}` and `{protocol}`.
    Filled(Words, Cow<'a, str>, Words),
}

/// What the audit knows about a finding.
pub(super) struct Told<'a> {
    pub(super) severity: Severity,
    /// The name of the part for people.
    pub(super) part: Words,
    pub(super) detail: Detail<'a>,
}

impl Detail<'_> {
    pub(super) const NONE: Self = Detail::Text(Cow::Borrowed(""));

    fn is_like(&self, other: &Detail<'_>) -> bool {
        match (self, other) {
            (Detail::Text(text), Detail::Text(other)) => text.bytes().eq(other.bytes()),
            (detail, other) => detail == other,
        }
    }

    fn write(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::Text(text) => f.write_str(text),
            Detail::Message(message) => write!(f, "{}", message.in_language(language)),
            Detail::Words(words) => words.write(language, f),
            Detail::Filled(words, text, protocol) => fill(&words.get(language), f, &|name, f| match name {
                "protocol" => protocol.write(language, f),
                _ => f.write_str(text),
            }),
        }
    }
}

/// A rule of the audit that a URL violates, and where. It has the same shape as a [`Problem`](crate::Problem), but the
/// URL is valid.
///
/// ```
/// use urlwise::Url;
/// use urlwise::audit::{Audit, Provenance, Severity};
///
/// let url = Url::parse("ftp://host.dom/pub/%2E%2E/motd")?;
/// let findings = Audit::new().check(&url, Provenance::Given);
/// assert_eq!((findings[0].code(), findings[0].severity(), findings[0].span()), ("dot-segment", Severity::Low, 19..25));
/// assert_eq!(findings[0].message().to_string(), "the cwd `%2E%2E` names the current or the parent directory");
/// assert_eq!((findings[0].section(), findings[0].decision()), ("3.1", "E-15"));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Finding<'a> {
    input: &'a [u8],
    rule: &'static Rule,
    severity: Severity,
    span: Range<usize>,
    part: Words,
    detail: Detail<'a>,
    /// What to write instead; the rule's help if it is `None`.
    help: Option<Message>,
    /// Whether its octets may be part of a password and must not be quoted.
    is_secret: bool,
}

impl<'a> Finding<'a> {
    /// A finding made by the caller, for rules that cannot be checked from the URL alone: `hyphen-ambiguous`,
    /// `redirect`, `read-differently`. Where the message of the rule has a part or a [detail](Finding::with_detail) that is
    /// not known, it is what the rule fires at. Pass it to [`Audit::weigh`] to apply the settings of the audit. Searches the
    /// text for passwords.
    ///
    /// ```
    /// use urlwise::audit::{Finding, READ_DIFFERENTLY, Severity};
    ///
    /// let finding = Finding::new(READ_DIFFERENTLY, "http://h.dom/", 7..12)
    ///     .with_detail("standards disagree about this text: RFC 3986 rejects it")
    ///     .with_severity(Severity::Medium);
    /// assert_eq!(
    ///     finding.to_string(),
    ///     "medium risk[read-differently] at 7..12: standards disagree about this text: RFC 3986 rejects it (section 3.1, E-32); \
    ///         write it so that all of them agree",
    /// );
    /// ```
    pub fn new<T: AsRef<[u8]> + ?Sized>(rule: &'static Rule, text: &'a T, span: Range<usize>) -> Self {
        let input = text.as_ref();
        let secrets = Secrets::until(input, span.start);
        let told = Told { severity: rule.severity, part: Words::NONE, detail: Detail::NONE };
        Finding::told(input, rule, span, &secrets, told)
    }

    /// One of several findings in a text with these passwords.
    // Made where it is kept: it is large, and a text may have a thousand.
    #[inline]
    pub(super) fn told(
        input: &'a [u8],
        rule: &'static Rule,
        span: Range<usize>,
        secrets: &Secrets,
        told: Told<'a>,
    ) -> Self {
        let end = span.end.min(input.len());
        let span = span.start.min(end)..end;
        let is_secret = secrets.touch(&span);
        let Told { severity, part, detail } = told;
        Finding { input, rule, severity, span, part, detail, help: None, is_secret }
    }

    /// Sets the detail in the message of the rule, such as the other host or the correct port: one line without a final
    /// period, safe to display and without any part of a password.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Message>) -> Self {
        self.detail = Detail::Message(detail.into());
        self
    }

    /// Replaces the help of the rule, where the caller knows better what to write: one line without a final period, safe
    /// to display and without any part of a password.
    ///
    /// ```
    /// use urlwise::audit::{Finding, READ_DIFFERENTLY};
    ///
    /// let finding = Finding::new(READ_DIFFERENTLY, "ftp://user?@host.dom/", 6..11).with_help("write `%3F` for the `?`");
    /// assert_eq!(finding.help().to_string(), "write `%3F` for the `?`");
    /// ```
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Message>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Replaces the severity of the rule.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Whether both are one mistake (D-87): they are of one rule and severity and in one part, and say the same but for the octets that
    /// they are about.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise::audit::{Audit, Provenance};
    ///
    /// let url = Url::parse("http://host.dom/%41a/%42b/%2Fc")?;
    /// let found = Audit::new().check(&url, Provenance::Given);
    /// assert!(found[0].is_like(&found[1]) && !found[0].is_like(&found[2]));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn is_like(&self, other: &Finding<'_>) -> bool {
        self.rule == other.rule
            && self.severity == other.severity
            && self.part == other.part
            && self.detail.is_like(&other.detail)
            && self.help == other.help
    }

    /// The rule.
    pub fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// The rule's id, as the code of a problem: `port-foreign`.
    pub fn code(&self) -> &'static str {
        self.rule.id
    }

    /// The rule's number, as the decision of a problem: `E-03`.
    pub fn decision(&self) -> &'static str {
        self.rule.number
    }

    /// The section of RFC 1738 that the rule comes from.
    pub fn section(&self) -> &'static str {
        self.rule.section
    }

    /// The severity.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The severity as the level of a problem.
    pub fn level(&self) -> Level {
        self.severity.level()
    }

    /// The octets of the text that the finding is about.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What was found, in one line without a final period. It contains no part of a password and no terminal control
    /// characters.
    pub fn message(&self) -> impl fmt::Display + '_ {
        self.message_in(Language::En)
    }

    /// [`message`](Finding::message) in a language. A detail or help that is a string stays as it was given.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + '_ {
        let texts = &self.rule.texts;
        // A sentence about nothing would have a hole.
        // What follows a word directly may be empty.
        let message = texts.message.en();
        let has_hole = self.detail == Detail::NONE
            && (message.starts_with("{detail}") || message.contains(" {detail}"))
            || self.part == Words::NONE && message.contains("{part}");
        let template = match has_hole {
            true => texts.when,
            false => texts.message,
        };
        Filled { finding: self, template, language }
    }

    /// How to fix it, in one line.
    pub fn help(&self) -> impl fmt::Display + '_ {
        self.help_in(Language::En)
    }

    /// [`help`](Finding::help) in a language.
    pub fn help_in(&self, language: Language) -> impl fmt::Display + '_ {
        let template = match self.help {
            Some(_) => Words::same("{help}"),
            None => self.rule.texts.help,
        };
        Filled { finding: self, template, language }
    }

    fn octets(&self) -> &'a [u8] {
        self.input.get(self.span()).unwrap_or_default()
    }
}

impl Audit {
    /// Applies the settings of this audit to a finding made elsewhere: `None` if its rule is silenced, otherwise the
    /// finding with the severity that was [set](Audit::set), or its own.
    pub fn weigh<'a>(&self, finding: Finding<'a>) -> Option<Finding<'a>> {
        let severity = self.severity_or(finding.rule, finding.severity)?;
        Some(finding.with_severity(severity))
    }
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            let (Range { start, end }, rule) = (self.span(), self.rule);
            write!(
                f,
                "{} risk[{}] at {start}..{end}: {} ({}, {}); {}",
                self.severity,
                rule.id,
                self.message(),
                Section(rule.section),
                rule.number,
                self.help()
            )
        })
    }
}

impl fmt::Debug for Finding<'_> {
    /// Like `Display`: the text itself is left out, since it may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text of the table with its `{...}` filled in.
struct Filled<'f, 'a> {
    finding: &'f Finding<'a>,
    template: Words,
    language: Language,
}

impl fmt::Display for Filled<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (finding, language) = (self.finding, self.language);
        fill(&self.template.get(self.language), f, &|name, f| match name {
            "text" if finding.is_secret => f.write_str(MASK),
            "text" => write_text(finding.octets(), f),
            "part" => finding.part.write(language, f),
            "detail" => finding.detail.write(language, f),
            "help" => match &finding.help {
                Some(help) => write!(f, "{}", help.in_language(language)),
                None => Ok(()),
            },
            "scheme" => {
                let colon = finding.input.iter().position(|&octet| octet == b':').unwrap_or(0);
                write_text(&finding.input[..colon], f)
            }
            _ => Ok(()),
        })
    }
}
