//! Reports for people, drawn like those of `explain`.

use annotate_snippets::{AnnotationKind, Level, Snippet};

use super::{Found, Report};
use crate::Context;
use crate::explain::snippets::{self, Window};
use crate::explain::{view, wrap};
use crate::style;
use crate::walk;

/// The columns before the text of a note or help.
const NOTE: usize = 10;

/// Writes the report and an empty line.
pub(super) fn write(report: &Report<'_>, context: &Context, out: &mut Vec<u8>) {
    let text = drawn(report, context) + "\n\n";
    match context.look.ascii {
        true => out.extend_from_slice(text.chars().map(view::escaped).collect::<String>().as_bytes()),
        false => out.extend_from_slice(text.as_bytes()),
    }
}

fn drawn(report: &Report<'_>, context: &Context) -> String {
    let Found { code, level, span, section, decision, message, help } = report.found;
    let width = context.look.width;
    let window = Window::new(report.url, span, report.secrets, context);
    let title = wrap::hanging(message, width, level.name().len() + code.len() + 4);
    let annotation = AnnotationKind::Primary.span(window.span.clone());
    let snippet = Snippet::source(window.text.as_str()).line_numbering(false).annotation(annotation);
    let mut group = snippets::level(*level).primary_title(title).id(*code).element(snippet);
    group = group.element(Level::NOTE.message(snippets::source(section, *decision)));
    if let Some(help) = help {
        group = group.element(Level::HELP.message(wrap::hanging(help, width, NOTE)));
    }
    let drawn = snippets::renderer(context).render(&[group]);
    match report.spot() {
        // The column is in octets, like in `json`.
        Some(spot) => {
            let name = report.path().map_or_else(|| "<stdin>".into(), walk::shown);
            let place = format!("{name}:{}:{}", spot.line, spot.column);
            format!("{}\n{drawn}", context.look.paint(style::DIM, place))
        }
        None => drawn,
    }
}
