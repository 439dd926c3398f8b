//! Reports for people, drawn like those of `explain`.

use urlwise_explain::drawn::Drawn;
use urlwise_explain::snippets::{self, Window};

use super::{Found, Report};
use crate::context::Context;
use crate::language::language;
use crate::style;

/// What colours take, in octets.
const COLORED: usize = 16;

/// Writes the report and an empty line.
pub(super) fn write(report: &Report<'_>, context: &Context, out: &mut Vec<u8>) {
    out.extend_from_slice(context.look.spelled(drawn(report, context)).as_bytes());
    out.extend_from_slice(b"\n\n");
}

fn drawn(report: &Report<'_>, context: &Context) -> String {
    let Found { code, level, spans, places, are_all, section, decision, message, help, .. } = report.found;
    let subject = report.subject;
    let window = Window::new(subject.url, spans.iter().cloned(), subject.secrets, context.look);
    let mut drawn =
        Drawn::new(*level, &level.name_in(context.look.language), code, message, &window, None, context.look);
    let more = places - window.spans.len();
    if more > 0 {
        drawn = drawn.note(&snippets::places_in(more, *are_all, language()));
    }
    drawn = drawn.note(&snippets::source_in(section, *decision, language()));
    let is_covered = subject.meant.is_some_and(|meant| meant.covers(code, *level, subject.codes));
    if let Some(help) = help.as_ref().filter(|_| !is_covered) {
        drawn = drawn.help(help);
    }
    let mut drawn = drawn.finish();
    // The column is that of `json`: octets.
    if let Some(place) = report.place() {
        let mut placed = String::with_capacity(place.len() + drawn.len() + COLORED);
        context.look.push(&mut placed, style::DIM, &place);
        placed.push('\n');
        placed.push_str(&drawn);
        drawn = placed;
    }
    if report.is_last {
        let more = subject.more;
        if more > 0 {
            drawn += &format!("\n\n{}", snippets::more_problems_in(more, language()));
        }
        if let Some(help) = subject.meant.and_then(|meant| meant.help(subject.codes, context.look)) {
            drawn += &format!("\n\n{}", help.text.trim_end());
        }
    }
    drawn
}
