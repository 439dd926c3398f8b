//! Problems drawn under their octets, in the style of rustc.

use std::fmt::Display;
use std::ops::Range;

use urlwise::{Diagnosis, Language, Level, Problem, Section};

use super::drawn::Drawn;
use super::view::View;
use crate::language::{filled, listed, words};
use crate::secret::Secrets;
use crate::style::Look;
use crate::wrap;

/// What stands to the left of a drawn text.
const GUTTER: usize = 4;
/// Marks elided octets.
const MORE: &str = "...";

/// The problems that people are shown, in the order of the text: up to `most`, the worst where there are more. Then how many
/// are left out.
///
/// A note or warning about a part that is wrong is left out without a count: what it says may not hold once the part is right.
pub fn chosen<'p, 'a>(diagnosis: &'p Diagnosis<'a>, most: usize) -> (Vec<&'p Problem<'a>>, usize) {
    worst(relevant(diagnosis), most, Problem::level)
}

/// The worst problems or findings in the order in which they come, and how many others there are.
pub fn worst<'p, T>(
    all: impl Iterator<Item = &'p T>,
    most: usize,
    level_of: impl Fn(&T) -> Level,
) -> (Vec<&'p T>, usize) {
    let all: Vec<_> = all.collect();
    if all.len() <= most {
        return (all, 0);
    }
    let mut chosen = Vec::new();
    for level in [Level::Error, Level::Warning, Level::Note] {
        let of_level = all.iter().enumerate().filter(|(_, one)| level_of(one) == level);
        chosen.extend(of_level.take(most - chosen.len()));
    }
    chosen.sort_by_key(|(index, _)| *index);
    (chosen.iter().map(|(_, one)| **one).collect(), all.len() - chosen.len())
}

/// All problems but those that are about a part with an error.
pub fn relevant<'p, 'a>(diagnosis: &'p Diagnosis<'a>) -> impl Iterator<Item = &'p Problem<'a>> {
    let broken: Vec<Range<usize>> = match diagnosis.is_valid() {
        true => Vec::new(),
        false => parts_with_errors(diagnosis),
    };
    diagnosis.problems().iter().filter(move |problem| {
        let span = problem.span();
        let is_moot = |part: &Range<usize>| part.start <= span.start && span.end <= part.end;
        problem.level() == Level::Error || !broken.iter().any(is_moot)
    })
}

/// The smallest parts around errors; an error outside of all parts stands for itself.
fn parts_with_errors(diagnosis: &Diagnosis<'_>) -> Vec<Range<usize>> {
    /// A text with more errors than this has no part that is worth a note.
    const MOST: usize = 100;
    let errors = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
    let spans: Vec<_> = errors.take(MOST).map(Problem::span).collect();
    let mut around = spans.clone();
    // Parts come in the order in which they stand, and there may be a million.
    let last = spans.iter().map(|span| span.start).max().unwrap_or_default();
    for part in diagnosis.parts().map(|part| part.span()).take_while(|part| part.start <= last) {
        for (span, around) in spans.iter().zip(&mut around) {
            let holds = part.start <= span.start && span.end <= part.end;
            if holds && (around == span || part.len() < around.len()) {
                *around = part.clone();
            }
        }
    }
    around
}

/// One problem with its places, its rule, its section and, unless another help says it, what to do.
pub fn draw(problem: &Problem<'_>, octets: &[u8], helps: bool, secrets: &Secrets, look: Look) -> String {
    let window = Window::new(octets, problem.spans(), secrets, look);
    let language = look.language;
    let label = problem.expected().map(|rule| filled!(language, "read as `{rule}`", rule = rule.name()).text());
    let (level, code, message) = (problem.level(), problem.code(), problem.message_in(language).to_string());
    let mut drawn = Drawn::new(level, &level.name_in(language), code, &message, &window, label.as_deref(), look);
    let all = problem.spans().count();
    let more = all - window.spans.len();
    if more > 0 {
        drawn = drawn.note(&places_in(more, are_all(all), language));
    }
    if let Some(rule) = problem.expected() {
        drawn = drawn.wrapped_note(&format!("{} = {}", rule.name(), rule.bnf()));
    }
    drawn = drawn.note(&source_in(problem.section(), problem.decision(), language));
    if let Some(help) = problem.help_in(language).filter(|_| helps) {
        drawn = drawn.help(&help.to_string());
    }
    drawn.finish()
}

/// Whether a problem with so many places has no others.
pub fn are_all(places: usize) -> bool {
    places < Problem::MOST_PLACES
}

/// What is said of so many places of a mistake that are out of sight. `are_all`: there are no others.
pub fn places(more: usize, are_all: bool) -> String {
    places_in(more, are_all, Language::En)
}

/// [`places`], in a language.
pub fn places_in(more: usize, are_all: bool, language: Language) -> String {
    let words = match (are_all, more) {
        (true, 1) => words!("and in 1 more place of the URL"),
        (true, _) => words!("and in {count} more places of the URL"),
        (false, 1) => words!("and in at least 1 more place of the URL"),
        (false, _) => words!("and in at least {count} more places of the URL"),
    };
    words.filled(language, |_, f| more.fmt(f)).to_string()
}

/// How many problems were left out, and the option that shows them.
pub fn more_problems(more: usize) -> String {
    more_problems_in(more, Language::En)
}

/// [`more_problems`], in a language.
pub fn more_problems_in(more: usize, language: Language) -> String {
    let words = match more {
        1 => words!("... and 1 more problem; `--all-problems` shows up to 1000"),
        _ => words!("... and {count} more problems; `--all-problems` shows up to 1000"),
    };
    words.filled(language, |_, f| more.fmt(f)).to_string()
}

/// The line at the end of a report that says how to read the entries it cites. `names` are numbers or codes, the most important
/// first; `None` if there are none.
pub fn see_also(names: &[&str]) -> Option<String> {
    see_also_in(names, Language::En)
}

/// [`see_also`], in a language.
pub fn see_also_in(names: &[&str], language: Language) -> Option<String> {
    let first = names.first()?;
    let list = listed(names, [words!(", "), words!(" or ")], language);
    Some(filled!(language, "for more about {list}, run `urlwise explain {name}`", list = list, name = first).text())
}

/// The source of a rule. `section` is empty for what RFC 1738 does not speak of.
pub fn source(section: &str, decision: Option<&str>) -> String {
    source_in(section, decision, Language::En)
}

/// [`source`], in a language.
pub fn source_in(section: &str, decision: Option<&str>, language: Language) -> String {
    let cited = Section(section).display_in(language);
    match (section, decision) {
        ("", decision) => decision.unwrap_or_default().to_owned(),
        // A rule of a later RFC.
        (rfc, Some(decision)) if rfc.starts_with("RFC ") => {
            filled!(language, "{rfc} ({decision})", rfc = rfc, decision = decision).text()
        }
        (rfc, None) if rfc.starts_with("RFC ") => rfc.to_owned(),
        (_, Some(decision)) => {
            filled!(language, "RFC 1738 {section} ({decision})", section = cited, decision = decision).text()
        }
        (_, None) => filled!(language, "RFC 1738 {section}", section = cited).text(),
    }
}

/// As much text around a span as fits in a line.
pub struct Window {
    pub(crate) text: String,
    /// The places of the mistake that are in sight, in octets of the window's text; the first one always is.
    pub spans: Vec<Range<usize>>,
    columns_to_last_end: usize,
}

impl Window {
    /// `spans` are in order.
    pub fn new(octets: &[u8], spans: impl IntoIterator<Item = Range<usize>>, secrets: &Secrets, look: Look) -> Self {
        let mut spans = spans.into_iter();
        let span = spans.next().unwrap_or(0..0);
        let room = look.width - GUTTER;
        // Anything farther away is not visible: every octet takes at least a column, except in a mask.
        let near = span.start.saturating_sub(room)..(span.start + room).min(span.end).saturating_add(room);
        let view = View::new(octets, near.start..near.end.min(octets.len()), secrets, look.ascii);
        let at = view.columns(&span).unwrap_or(0..0);
        let sees_all = view.range() == (0..octets.len());
        let shown = if sees_all && view.width() <= room {
            0..view.width()
        } else {
            // Nothing is gained by hiding less than what stands for it.
            let is_worth = |columns: usize| columns > MORE.len();
            let narrow = room - 2 * MORE.len();
            let fits = view.range().start == 0 && at.end < narrow;
            let start = if fits { 0 } else { at.start.saturating_sub(narrow / 3) };
            let start = if view.range().start > 0 || is_worth(start) { start } else { 0 };
            let room = if start > 0 { narrow } else { narrow + MORE.len() };
            let end = (start + room).min(view.width());
            let hides = view.range().end < octets.len() || is_worth(view.width() - end);
            start..if hides { end } else { view.width() }
        };
        let (text, shown) = view.slice(shown);
        let before = if view.range().start > 0 || shown.start > 0 { MORE } else { "" };
        let after = if view.range().end < octets.len() || shown.end < view.width() { MORE } else { "" };
        // Places are in order, so the text is walked once.
        let first = view.place(shown.start);
        let offset = |column: usize| before.len() + view.place(column.clamp(shown.start, shown.end)).at - first.at;
        let in_sight = |span: &Range<usize>| {
            let columns = view.columns(span).filter(|columns| columns.end <= shown.end && columns.start >= shown.start);
            columns.filter(|_| span.end <= view.range().end)
        };
        let mut columns: Vec<_> = std::iter::once(at).chain(spans.map_while(|span| in_sight(&span))).collect();
        // Places in one password share its mask.
        columns.dedup();
        let last = columns.iter().map(|columns| columns.end.min(shown.end)).max().unwrap_or_default();
        Window {
            spans: columns.iter().map(|at| offset(at.start)..offset(at.end)).collect(),
            columns_to_last_end: before.len() + last - shown.start,
            text: [before, text, after].concat(),
        }
    }

    /// Whether a label has room behind the last caret.
    pub(crate) fn has_room(&self, label: &str, look: Look) -> bool {
        self.columns_to_last_end + 1 + wrap::width_of(label) <= look.width - GUTTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_how_to_read_the_pages() {
        assert_eq!(see_also(&[]), None);
        assert_eq!(see_also(&["D-1"]).unwrap(), "for more about D-1, run `urlwise explain D-1`");
        assert_eq!(see_also(&["a", "b", "c"]).unwrap(), "for more about a, b or c, run `urlwise explain a`");
    }

    #[test]
    fn a_rule_of_another_rfc_is_cited_without_rfc_1738() {
        for (section, decision, expected) in [
            ("2.2", Some("D-10"), "RFC 1738 section 2.2 (D-10)"),
            ("Appendix", None, "RFC 1738 Appendix"),
            ("RFC 1288", Some("D-10"), "RFC 1288 (D-10)"),
            ("RFC 1288", None, "RFC 1288"),
            ("", Some("D-10"), "D-10"),
        ] {
            assert_eq!(source(section, decision), expected);
        }
        #[cfg(feature = "ja")]
        assert_eq!(source_in("RFC 1288", Some("D-10"), Language::Ja), "RFC 1288（D-10）");
        #[cfg(feature = "zh")]
        assert_eq!(source_in("RFC 1288", Some("D-10"), Language::Zh), "RFC 1288（D-10）");
    }
}
