//! Problems drawn under their octets, in the style of rustc.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use urlwise::{Diagnosis, Fix, Problem, Profile, Section};

use super::view::View;
use super::wrap;
use crate::Context;
use crate::secret::{self, Secrets};

/// At most this many problems or findings are drawn; the others are counted.
pub(super) const DRAWN: usize = 20;
/// Columns to the left of the drawn text.
const GUTTER: usize = 4;
/// Marks elided octets.
const MORE: &str = "...";

/// The problems, only the worst if there are too many, and how many more there are.
pub(crate) fn draw(diagnosis: &Diagnosis<'_>, secrets: &Secrets, context: &Context) -> (Vec<String>, usize) {
    let problems = diagnosis.problems();
    let mut chosen = Vec::new();
    for level in [urlwise::Level::Error, urlwise::Level::Warning, urlwise::Level::Note] {
        let of_level = problems.iter().enumerate().filter(|(_, problem)| problem.level() == level);
        chosen.extend(of_level.take(DRAWN - chosen.len()));
    }
    chosen.sort_by_key(|(index, _)| *index);
    let drawn = chosen.iter().map(|(_, problem)| one(problem, diagnosis, secrets, context)).collect();
    (drawn, problems.len() - chosen.len())
}

fn one(problem: &Problem<'_>, diagnosis: &Diagnosis<'_>, secrets: &Secrets, context: &Context) -> String {
    let width = context.look.width;
    let window = Window::new(diagnosis.octets(), &problem.span(), secrets, context);
    let mut annotation = AnnotationKind::Primary.span(window.span.clone());
    let read_as = problem.expected().map(|rule| format!("read as `{}`", rule.name()));
    if let Some(label) = &read_as
        && window.columns_to_span_end + 1 + label.len() <= width - GUTTER
    {
        annotation = annotation.label(label.as_str());
    }
    let title =
        wrap::hanging(&problem.message().to_string(), width, problem.level().name().len() + problem.code().len() + 4);
    let snippet = Snippet::source(window.text.as_str()).line_numbering(false).annotation(annotation);
    let mut group = level(problem.level()).primary_title(title).id(problem.code()).element(snippet);
    if let Some(rule) = problem.expected() {
        let rule = format!("{} = {}", rule.name(), rule.bnf());
        group = group.element(Level::NOTE.message(wrap::hanging(&rule, width, NOTE)));
    }
    group = group.element(Level::NOTE.message(source(problem.section(), problem.decision())));
    let Some(help) = problem.help().map(|help| help.to_string()) else {
        return renderer(context).render(&[group]);
    };
    let mended = secret::fix(problem, secrets).and_then(|(fix, replacement)| {
        let window = Window::new(diagnosis.octets(), &fix.span, secrets, context);
        (window.is_whole && is_better(problem, &fix, diagnosis)).then_some((window, replacement))
    });
    match mended {
        Some((mended, replacement)) => {
            let title = Level::HELP.secondary_title(wrap::hanging(&help, width, HELP));
            let patch = Patch::new(mended.span.clone(), replacement);
            let snippet = Snippet::source(mended.text.as_str()).line_numbering(false).patch(patch);
            renderer(context).render(&[group, Group::with_title(title).element(snippet)])
        }
        None => {
            let group = group.element(Level::HELP.message(wrap::hanging(&help, width, NOTE)));
            renderer(context).render(&[group])
        }
    }
}

/// Whether the fixed text is better: it has fewer problems at the level of this one or above. A note may be traded
/// for another. A suggestion for a valid text only has to be better under one of the profiles.
fn is_better(problem: &Problem<'_>, fix: &Fix, diagnosis: &Diagnosis<'_>) -> bool {
    let level = problem.level();
    let bad = |diagnosis: &Diagnosis<'_>| {
        let at_least = |level| diagnosis.problems().iter().filter(|problem| problem.level() <= level).count();
        match level {
            urlwise::Level::Note => (at_least(urlwise::Level::Warning), at_least(urlwise::Level::Note)),
            _ => (at_least(level), 0),
        }
    };
    let mended = fix.apply(diagnosis.octets());
    let profiles = if diagnosis.is_valid() { Profile::ALL } else { &[diagnosis.profile()] };
    let before = bad(diagnosis);
    profiles.iter().map(|profile| bad(&urlwise::diagnose(&mended, *profile))).any(|after| match level {
        urlwise::Level::Note => after <= before,
        _ => after < before,
    })
}

/// The columns before the text of a note or help, and of a help with its own snippet.
pub(super) const NOTE: usize = 10;
const HELP: usize = 6;

/// The source of a rule.
pub(crate) fn source(section: &str, decision: Option<&str>) -> String {
    let section = Section(section);
    match decision {
        Some(decision) => format!("RFC 1738 {section} ({decision})"),
        None => format!("RFC 1738 {section}"),
    }
}

/// The level for drawing.
pub(crate) fn level(level: urlwise::Level) -> Level<'static> {
    match level {
        urlwise::Level::Error => Level::ERROR,
        urlwise::Level::Warning => Level::WARNING,
        urlwise::Level::Note => Level::NOTE,
    }
}

pub(crate) fn renderer(context: &Context) -> Renderer {
    let renderer = if context.look.color { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(context.look.width.max(120))
}

/// As much text around a span as fits in a line.
pub(crate) struct Window {
    pub(crate) text: String,
    /// In octets of the window's text.
    pub(crate) span: Range<usize>,
    columns_to_span_end: usize,
    /// Nothing is left out.
    is_whole: bool,
}

impl Window {
    pub(crate) fn new(octets: &[u8], span: &Range<usize>, secrets: &Secrets, context: &Context) -> Self {
        let room = context.look.width - GUTTER;
        // Anything farther away is not visible: every octet takes at least a column, except in a mask.
        let near = span.start.saturating_sub(room)..(span.start + room).min(span.end).saturating_add(room);
        let view = View::new(octets, near.start..near.end.min(octets.len()), secrets, context.look.ascii);
        let at = view.columns(span).unwrap_or(0..0);
        let sees_all = view.range() == (0..octets.len());
        let shown = if sees_all && view.width() <= room {
            0..view.width()
        } else {
            let room = room - 2 * MORE.len();
            let fits = view.range().start == 0 && at.end < room;
            let start = if fits { 0 } else { at.start.saturating_sub(room / 3) };
            start..(start + room).min(view.width())
        };
        let (text, shown) = view.slice(shown);
        let before = if view.range().start > 0 || shown.start > 0 { MORE } else { "" };
        let after = if view.range().end < octets.len() || shown.end < view.width() { MORE } else { "" };
        let offset = |column: usize| {
            let (piece, _) = view.slice(shown.start..column.clamp(shown.start, shown.end));
            before.len() + piece.len()
        };
        Window {
            span: offset(at.start)..offset(at.end),
            columns_to_span_end: before.len() + at.end.min(shown.end) - shown.start,
            is_whole: before.is_empty() && after.is_empty(),
            text: format!("{before}{text}{after}"),
        }
    }
}
