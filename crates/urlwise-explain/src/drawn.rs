//! A problem or a finding as rustc draws it: a title, the text with carets below its octets, and notes.

use anstyle::Style;

use super::snippets::Window;
use super::wrap;
use crate::language::words;
use crate::style::{self, FRAME, Look};

/// The columns of what stands around the kind of a note: ` = ` and a colon, which is wide or has a space behind it.
pub(crate) const FRAMED: usize = 5;
/// Most are shorter, in octets.
const LENGTH: usize = 512;
/// So many carets as are drawn at once.
const CARETS: &str = "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^";
/// What a line of it leaves free besides.
const MARGIN: usize = 1;

/// What is drawn so far, without a line end.
pub struct Drawn {
    text: String,
    look: Look,
}

impl Drawn {
    /// Draws the title and the text. `label` is put behind the last caret if the line has room for it.
    pub fn new(
        level: urlwise::Level,
        name: &str,
        code: &str,
        title: &str,
        window: &Window,
        label: Option<&str>,
        look: Look,
    ) -> Drawn {
        let mut drawn = Drawn { text: String::with_capacity(LENGTH), look };
        let indent = wrap::width_of(name) + code.len() + 4;
        let title = wrap::hanging(title, look.width, indent);
        for (i, line) in title.split('\n').enumerate() {
            match i {
                0 => {
                    look.within(&mut drawn.text, style::level(level), |out| out.extend([name, "[", code, "]"]));
                    let colon = words!(": ").get(look.language);
                    look.within(&mut drawn.text, style::BOLD, |out| out.extend([&*colon, line]));
                }
                _ => {
                    drawn.line(indent);
                    drawn.push(style::BOLD, line);
                }
            }
        }
        drawn.gutter();
        drawn.gutter();
        if !window.text.is_empty() {
            drawn.text.push(' ');
            drawn.text.push_str(&window.text);
        }
        drawn.gutter();
        let mut column = 0;
        let mut run = 0..0;
        let is_plain = wrap::is_plain(&window.text);
        let column_of = |at: usize| if is_plain { at } else { wrap::width_of(&window.text[..at]) };
        for span in &window.spans {
            let start = column_of(span.start);
            let end = column_of(span.end).max(start + 1);
            if start > run.end {
                drawn.carets(&run, &mut column, level);
                run = start..end;
            } else {
                run.end = end.max(run.end);
            }
        }
        drawn.carets(&run, &mut column, level);
        if let Some(label) = label.filter(|label| window.has_room(label, look)) {
            drawn.text.push(' ');
            drawn.push(style::level(level), label);
        }
        drawn.gutter();
        drawn
    }

    /// Adds a note; its lines are not broken.
    pub fn note(mut self, text: &str) -> Drawn {
        self.below(&words!("note").get(self.look.language), text);
        self
    }

    /// Adds a note in lines that fit the width.
    pub fn wrapped_note(self, text: &str) -> Drawn {
        let kind = words!("note").get(self.look.language);
        self.wrapped(&kind, text)
    }

    /// Adds a help in lines that fit the width.
    pub fn help(self, text: &str) -> Drawn {
        let kind = words!("help").get(self.look.language);
        self.wrapped(&kind, text)
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.text
    }

    fn wrapped(mut self, kind: &str, text: &str) -> Drawn {
        let indent = FRAMED + wrap::width_of(kind);
        self.below(kind, &wrap::hanging(text, self.look.width, indent + MARGIN));
        self
    }

    fn below(&mut self, kind: &str, text: &str) {
        for (i, line) in text.split('\n').enumerate() {
            match i {
                0 => {
                    self.line(1);
                    self.push(FRAME, "= ");
                    self.push(style::BOLD, kind);
                    self.text.push_str(&words!(": ").get(self.look.language));
                }
                _ => self.line(FRAMED + wrap::width_of(kind)),
            }
            self.text.push_str(line);
        }
    }

    /// Begins the next line of the text.
    fn gutter(&mut self) {
        self.line(1);
        self.push(FRAME, "|");
    }

    /// Begins a line.
    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.blank(indent);
    }

    fn blank(&mut self, columns: usize) {
        wrap::blank(&mut self.text, columns);
    }

    /// Draws carets in these columns; `column` is the one after what was drawn before.
    fn carets(&mut self, run: &std::ops::Range<usize>, column: &mut usize, level: urlwise::Level) {
        if run.is_empty() {
            return;
        }
        // A blank stands between the gutter and the first column.
        let first = usize::from(*column == 0);
        self.blank(first + run.start - *column);
        let carets = |out: &mut String| wrap::repeat(out, CARETS, run.len());
        self.look.within(&mut self.text, style::level(level), carets);
        *column = run.end;
    }

    fn push(&mut self, style: Style, text: &str) {
        self.look.push(&mut self.text, style, text);
    }
}
