//! What there is to say about a text, as data.

use std::fmt;

use urlwise::audit::Finding;
use urlwise::{Diagnosis, Language, Level, Problem, Profile, Scheme, Section};
#[cfg(feature = "open")]
use urlwise_open::{Client, Plan};

use crate::ends::Ends;
use crate::labels::Mark;
use crate::language::{filled, words};
use crate::meaning::meaning;
use crate::meant::Meant;
use crate::readings::Readings;
use crate::secret::{MASK, Secrets};
use crate::{findings, outline, parts, snippets};

/// The name of something, the same in every language, and what there is to say about it, such as `port` and `21, the default of ftp`.
pub type Row = (&'static str, String);

/// What there is to say about a text.
///
/// Passwords are masked in everything that its methods return as text, unless it is made to show them.
#[derive(Debug)]
pub struct Explanation<'a> {
    readings: Readings<'a>,
    meant: Meant<'a>,
    secrets: Secrets,
}

impl<'a> Explanation<'a> {
    /// Explains a text under the profile that is asked for, or under both.
    pub fn of(octets: &'a [u8], asked: Option<Profile>, show_secrets: bool) -> Self {
        let readings = Readings::of(octets, asked);
        let meant = Meant::of_diagnosis(readings.judged(), show_secrets);
        Explanation { readings, meant, secrets: Secrets::of_url(octets, show_secrets) }
    }

    /// The same without these passwords, for one who is also told what other readers see.
    pub fn hiding(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// The text under one profile or both.
    pub fn readings(&self) -> &Readings<'a> {
        &self.readings
    }

    /// The repaired URL, or the reason why it cannot be repaired, and what else may have been meant.
    pub fn meant(&self) -> &Meant<'a> {
        &self.meant
    }

    /// Where the passwords of the text are.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The parts of the text that is [drawn](Readings::drawn), in order, with what they stand for.
    ///
    /// Where a fragment is all that is not part of the URL, it is a part of its own (D-86); and so is a path of Windows, in which no
    /// host and no port is meant (D-85).
    pub fn marks(&self) -> Vec<Mark> {
        self.marks_in(Language::En)
    }

    /// [`marks`](Explanation::marks), in a language.
    pub fn marks_in(&self, language: Language) -> Vec<Mark> {
        let diagnosis = self.readings.drawn();
        let octets = diagnosis.octets();
        let fragment = self.meant.fragment(language).filter(|(span, _)| span.end == octets.len());
        let url = fragment.as_ref().map(|(span, _)| urlwise::diagnose(&octets[..span.start], diagnosis.profile()));
        if let (Some(url), Some((fragment, label))) = (url.filter(Diagnosis::is_valid), fragment) {
            let mut marks = parts::marks(&url, &self.secrets, language);
            marks.push(Mark::plain(fragment.start + 1..fragment.end, label));
            return marks;
        }
        let mut marks = parts::marks(diagnosis, &self.secrets, language);
        if let (Some(_), Some(scheme)) = (self.meant.change("drive-letter"), diagnosis.scheme_span()) {
            let slashes = octets[scheme.end + 1..].iter().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
            marks.retain(|mark| mark.span == scheme);
            marks.push(Mark::plain(scheme.end + 1 + slashes..octets.len(), words!("Windows path").get(language)));
        }
        marks
    }

    /// What a text names and how it is accessed, in one sentence; if that is longer than `most` octets, its beginning and end.
    /// `None` if the text is not a valid URL. `reading` is one of the [readings](Explanation::readings).
    pub fn meaning(&self, reading: &Diagnosis<'_>, most: usize) -> Option<String> {
        self.meaning_in(reading, most, Language::En)
    }

    /// [`meaning`](Explanation::meaning), in a language.
    pub fn meaning_in(&self, reading: &Diagnosis<'_>, most: usize, language: Language) -> Option<String> {
        let url = reading.url()?;
        Some(Ends::of(meaning(&url, language)).shown(&self.secrets, most, language))
    }

    /// What each profile makes of the text, today's first; empty if they agree, or if one was asked for.
    pub fn compared(&self) -> Vec<Row> {
        self.compared_in(Language::En)
    }

    /// [`compared`](Explanation::compared), in a language.
    pub fn compared_in(&self, language: Language) -> Vec<Row> {
        if self.readings.are_alike() {
            return Vec::new();
        }
        let url = self.readings.drawn().url();
        let meaning = url.as_ref().map(|url| Ends::of(meaning(url, language)));
        self.readings.side_by_side(meaning.as_ref(), &self.secrets, language)
    }

    /// What the URL implies: how its scheme is read, the port, and that a password is readable.
    pub fn implied(&self) -> Vec<Row> {
        self.implied_in(Language::En)
    }

    /// [`implied`](Explanation::implied), in a language.
    pub fn implied_in(&self, language: Language) -> Vec<Row> {
        let mut rows = Vec::with_capacity(3);
        self.add_implied(&mut rows, language);
        rows
    }

    /// Adds what the URL implies to other rows.
    pub(crate) fn add_implied(&self, rows: &mut Vec<Row>, language: Language) {
        implied(self.readings.drawn(), &self.secrets, language, rows);
    }

    /// The problems that people are shown, in the order of the text, and how many others there are; of more than `most` the worst.
    ///
    /// What the [meant](Explanation::meant) URL makes moot is left out, and so is a note about a part that is wrong.
    pub fn problems(&self, most: usize) -> (Vec<&Problem<'a>>, usize) {
        let judged = self.readings.judged();
        let (mut problems, more) = snippets::chosen(judged, most);
        // The verdict says what RFC 1738 makes of the scheme.
        let is_told = |problem: &Problem<'_>| ["scheme-sibling", "scheme-current"].contains(&problem.code());
        problems.retain(|problem| self.readings.other().is_none() || !is_told(problem));
        if problems.iter().all(|problem| problem.level() == Level::Error) {
            return (problems, more);
        }
        // What a note says about a broken text may not hold for the repaired or suggested URL.
        let repaired = self.meant.repaired().map(|one| urlwise::diagnose(one.url().as_str(), judged.profile()));
        let suggested = self.meant.refused().and_then(|refused| refused.suggestions().first());
        let repaired = repaired.or_else(|| suggested.map(|one| urlwise::diagnose(one.url(), one.profile())));
        let holds = |problem: &Problem<'_>| {
            let codes = repaired.iter().flat_map(Diagnosis::problems).map(Problem::code);
            problem.level() == Level::Error
                || repaired.is_none()
                || codes.into_iter().any(|code| code == problem.code())
        };
        problems.retain(|problem| holds(problem));
        (problems, more)
    }

    /// What the audit finds in the URL that is drawn, ordered by position; empty if it is not valid.
    pub fn findings(&self) -> Vec<Finding<'a>> {
        self.readings.drawn().url().as_ref().map(findings::of).unwrap_or_default()
    }

    /// The dialogue that opening the URL would cause, each line with its kind: `gateway`, `note`, `connect`, `send`, `expect`,
    /// `read`, or `refused` if the policy would refuse the URL. Empty for what cannot be opened. Nothing is resolved, connected or
    /// opened. It is that of the [reading that is opened](Readings::opened).
    #[cfg(feature = "open")]
    pub fn dialogue(&self, client: &Client) -> Vec<Row> {
        self.dialogue_in(client, Language::En)
    }

    /// [`dialogue`](Explanation::dialogue), in a language.
    #[cfg(feature = "open")]
    pub fn dialogue_in(&self, client: &Client, language: Language) -> Vec<Row> {
        let url = self.readings.opened().url();
        url.and_then(|url| crate::dialogue::dialogue(client, &url, &self.secrets, language)).unwrap_or_default()
    }

    /// The lines of a dialogue that a client has planned, each with its kind, as they may be shown.
    #[cfg(feature = "open")]
    pub fn planned(&self, plan: &Plan) -> Vec<Row> {
        self.planned_in(plan, Language::En)
    }

    /// [`planned`](Explanation::planned), in a language.
    #[cfg(feature = "open")]
    pub fn planned_in(&self, plan: &Plan, language: Language) -> Vec<Row> {
        crate::dialogue::planned(plan, &self.secrets, language)
    }
}

/// Where a scheme is defined: a section of RFC 1738, or a later RFC.
struct DefinedIn(Scheme, Language);

impl fmt::Display for DefinedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DefinedIn(scheme, language) = *self;
        match scheme.section() {
            other if other.starts_with("RFC ") => f.write_str(other),
            section => filled!(language, "RFC 1738 {section}", section = Section(section).display_in(language)).fmt(f),
        }
    }
}

/// What the URL implies: how its scheme is read, the port, and a warning about a password.
fn implied(diagnosis: &Diagnosis<'_>, secrets: &Secrets, language: Language, rows: &mut Vec<Row>) {
    let [mut host, mut port, mut password] = [None; 3];
    // They stand before every list, which may have a million elements.
    for part in diagnosis.parts().take_while(|part| part.index().is_none()) {
        match part.name() {
            "host" => host = host.or(Some(part)),
            "port" => port = port.or(Some(part)),
            "password" => password = password.or(Some(part)),
            _ => {}
        }
    }
    if let Some(scheme) = diagnosis.scheme() {
        let how = match (scheme, scheme.base()) {
            (Scheme::Other, _) => {
                words!("not defined by RFC 1738: only the generic syntax is checked (section 5)").get(language).into()
            }
            (scheme, base) if scheme == base => {
                filled!(language, "defined by {source}", source = DefinedIn(base, language)).text()
            }
            (_, base) => filled!(
                language,
                "read like {scheme} ({source})",
                scheme = base.name().unwrap_or_default(),
                source = DefinedIn(base, language),
            )
            .text(),
        };
        rows.push(("scheme", how));
        let written = port.is_some_and(|port| !port.octets().is_empty());
        let port = match (outline::port_in_force(diagnosis, port), written, scheme.default_port()) {
            (Some(port), false, _) => {
                let scheme = scheme.name().unwrap_or_default();
                Some(filled!(language, "{port}, the default of {scheme}", port = port, scheme = scheme).text())
            }
            (Some(port), true, Some(default)) if port == default => {
                Some(filled!(language, "{port}, the default, given explicitly", port = port).text())
            }
            (Some(port), true, Some(default)) => {
                Some(filled!(language, "{port}, not the default ({default})", port = port, default = default).text())
            }
            (Some(port), true, None) => Some(port.to_string()),
            _ => None,
        };
        // Without a host there is nothing to connect to.
        rows.extend(port.filter(|_| host.is_some()).map(|port| ("port", port)));
    }
    if password.is_some_and(|password| secrets.touch(&password.span())) {
        let readable = filled!(language, "in the URL, readable by anybody; shown here as {mask}", mask = MASK);
        rows.push(("password", readable.to_string()));
    }
}
