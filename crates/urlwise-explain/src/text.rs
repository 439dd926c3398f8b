//! An explanation as text.
//!
//! From top to bottom: the diagram, the meaning in one sentence, the verdict, or both side by side where profiles differ, scheme
//! and port, the dialogue, the problems, for a valid URL the findings of the audit, and one help for the whole text.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::ops::Range;

use urlwise::audit::Finding;
use urlwise::{Language, Problem};

use crate::ends::Ends;
use crate::explanation::{Explanation, Row};
use crate::labels::{self, Line, Mark};
use crate::language::words;
use crate::meaning::{EMPTY, meaning};
use crate::secret::Secrets;
use crate::style::{self, Look};
use crate::view::View;
use crate::{findings, snippets, wrap};

/// Of longer text only the beginning and the end are drawn. All in octets.
const WHOLE: usize = 600;
const BEGINNING: usize = 360;
const END: usize = 120;
/// Most explanations are shorter, in octets.
const LENGTH: usize = 2 << 10;
/// Longer sentences are elided; in octets.
pub(crate) const SENTENCE: usize = 600;

impl Explanation<'_> {
    /// All of it as `urlwise explain` prints it, with an empty line at the end. At most `most` problems and as many findings are
    /// drawn, and the others counted. `dialogue` is what [`Explanation::dialogue`] has returned, or empty.
    pub fn text(&self, look: Look, most: usize, dialogue: &[Row]) -> String {
        self.text_in(String::with_capacity(LENGTH), look, most, dialogue)
    }

    /// [`text`](Explanation::text) in the memory of a text that nobody needs any more.
    ///
    /// ```
    /// use urlwise_explain::{Explanation, Look};
    ///
    /// let explanation = Explanation::of(b"gopher://host.dom/1", None, false);
    /// let text = explanation.text_in("another text".into(), Look::default(), 10, &[]);
    /// assert_eq!(text, explanation.text(Look::default(), 10, &[]));
    /// ```
    pub fn text_in(&self, memory: String, look: Look, most: usize, dialogue: &[Row]) -> String {
        let (readings, secrets) = (self.readings(), self.secrets());
        let drawn = readings.drawn();
        let mut text = memory;
        text.clear();
        let language = look.language;
        diagram(drawn.octets(), &self.marks_in(language), secrets, look, &mut text);
        let url = drawn.url();
        let meaning = url.as_ref().map(|url| Ends::of(meaning(url, language)));
        let mut rows = readings.side_by_side(meaning.as_ref(), secrets, language);
        let sentence = meaning.map(|meaning| meaning.shown(secrets, SENTENCE, language));
        let verdict = if rows.is_empty() { readings.verdict_in(language) } else { None };
        for (i, line) in sentence.into_iter().chain(verdict).enumerate() {
            text.push_str(if i == 0 { "\n" } else { "" });
            wrap::push(&mut text, &line, look.width, 0);
            text.push('\n');
        }
        self.add_implied(&mut rows, language);
        table(&rows, look, &mut text);
        table(dialogue, look, &mut text);
        // What the refusal says goes before the problems' help.
        let (problems, more) = self.problems(most);
        let codes: Vec<_> = problems.iter().map(|problem| problem.code()).collect();
        for problem in &problems {
            let is_covered = self.meant().covers(problem.code(), problem.level(), &codes);
            let drawn = snippets::draw(problem, drawn.octets(), !is_covered, secrets, look);
            // Writing to a String cannot fail.
            let _ = write!(text, "\n{drawn}\n");
        }
        if more > 0 {
            let _ = write!(text, "\n{}\n", snippets::more_problems_in(more, language));
        }
        let findings = self.findings();
        if let Some(url) = &url {
            findings::draw(&findings, url, secrets, most, look, &mut text);
        }
        let mut names = names(&problems, &findings);
        if let Some(help) = self.meant().help(&codes, look) {
            let _ = write!(text, "\n{}", help.text);
            for cited in help.cited {
                if !names.contains(&cited) {
                    names.push(cited);
                }
            }
        }
        if let Some(line) = snippets::see_also_in(&names, language) {
            text.push('\n');
            wrap::push(&mut text, &line, look.width, 0);
            text.push('\n');
        }
        text.push('\n');
        look.spelled(text)
    }
}

/// What the books say more about, the worst first: the number that each problem shown and each finding cites, or its code if it
/// cites none.
fn names(problems: &[&Problem<'_>], findings: &[Finding<'_>]) -> Vec<&'static str> {
    let problems = problems.iter().map(|problem| (problem.level(), problem.decision().unwrap_or(problem.code())));
    let findings = findings.iter().map(|finding| (finding.level(), finding.decision()));
    let mut named: Vec<_> = problems.chain(findings).collect();
    named.sort_by_key(|(level, _)| Reverse(*level));
    let mut names = Vec::new();
    for (_, name) in named {
        // Most cite what the one before them cites, and to compare texts takes some processors as long as a hundred octets.
        let is_last = names.last().is_some_and(|last: &&str| std::ptr::eq(*last, name));
        if !is_last && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Appends the text with a label under each part.
fn diagram(octets: &[u8], marks: &[Mark], secrets: &Secrets, look: Look, text: &mut String) {
    if octets.is_empty() {
        text.push_str(&EMPTY.get(look.language));
        text.push('\n');
    }
    for stretch in stretches(octets, secrets, look.ascii) {
        match stretch {
            Stretch::Drawn(view) => {
                labels::draw(&view, marks, look, |line| {
                    match line {
                        Line::Text(piece) => look.push(text, style::URL, piece),
                        Line::Labels(row) => look.push(text, style::LABEL, row),
                    }
                    text.push('\n');
                });
            }
            Stretch::LeftOut(count) => {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{}", look.paint(style::DIM, wrap::left_out(count, look.language)));
            }
        }
    }
}

/// A stretch of a text in its diagram.
pub(crate) enum Stretch<'t> {
    Drawn(View<'t>),
    /// So many octets that are not drawn.
    LeftOut(usize),
}

/// The stretches of a text: all of it, or the beginning and the end of a long one.
pub(crate) fn stretches<'t>(octets: &'t [u8], secrets: &Secrets, ascii: bool) -> impl Iterator<Item = Stretch<'t>> {
    let view = |range: Range<usize>| Stretch::Drawn(View::new(octets, range, secrets, ascii));
    let stretches = match octets.len() {
        0 => [None, None, None],
        length @ 1..=WHOLE => [Some(view(0..length)), None, None],
        length => {
            let beginning = View::new(octets, 0..BEGINNING, secrets, ascii);
            let count = length - END - beginning.range().end;
            [Some(Stretch::Drawn(beginning)), Some(Stretch::LeftOut(count)), Some(view(length - END..length))]
        }
    };
    stretches.into_iter().flatten()
}

/// Appends an empty line, then rows of a name and a text.
fn table(rows: &[Row], look: Look, text: &mut String) {
    /// The columns of most names.
    const NAMES: usize = 8;
    // A dialogue has the same few names again and again.
    let mut names: Vec<(&str, Cow<'static, str>)> = Vec::new();
    let place_of = |name: &'static str| {
        names.iter().position(|(known, _)| std::ptr::eq(*known, name)).unwrap_or_else(|| {
            names.push((name, row_name_in(name, look.language)));
            names.len() - 1
        })
    };
    let places: Vec<usize> = rows.iter().map(|(name, _)| *name).map(place_of).collect();
    let shown: Vec<_> = names.iter().map(|(_, shown)| (&**shown, wrap::width_of(shown))).collect();
    let columns = shown.iter().map(|(_, width)| *width).max().unwrap_or_default().max(NAMES);
    for (i, ((_, value), place)) in rows.iter().zip(places).enumerate() {
        let (name, width) = shown[place];
        text.push_str(if i == 0 { "\n" } else { "" });
        look.within(text, style::LABEL, |text| {
            text.push_str(name);
            wrap::blank(text, columns - width);
        });
        text.push_str("  ");
        wrap::push(text, value, look.width - columns - 2, columns + 2);
        text.push('\n');
    }
}

/// The name of a [row](Row) for people, in a language. Names of profiles stay as they are.
///
/// ```
/// use urlwise_explain::row_name_in;
///
/// assert_eq!(row_name_in("port", urlwise::Language::En), "port");
/// # #[cfg(feature = "ja")]
/// assert_eq!(row_name_in("port", urlwise::Language::Ja), "ポート");
/// ```
pub fn row_name_in(name: &'static str, language: Language) -> Cow<'static, str> {
    if language == Language::En {
        return name.into();
    }
    let words = match name {
        "scheme" => words!("scheme"),
        "port" => words!("port"),
        "password" => words!("password"),
        "gateway" => words!("gateway"),
        "connect" => words!("connect"),
        "tls" => words!("tls"),
        "send" => words!("send"),
        "expect" => words!("expect"),
        "ask" => words!("ask"),
        "note" => words!("note"),
        "need" => words!("need"),
        "read" => words!("read"),
        "run" => words!("run"),
        "compose" => words!("compose"),
        "refused" => words!("refused"),
        "reuse" => words!("reuse"),
        "data" => words!("data"),
        "receive" => words!("receive"),
        _ => return name.into(),
    };
    words.get(language)
}
