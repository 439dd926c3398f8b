//! The style of a drawing: colours, characters, width.

use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Effects, Style};
use urlwise::{Language, Level};

use crate::view;

/// How a text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether escape sequences colour it.
    pub color: bool,
    /// Whether it is drawn with US-ASCII, and other characters of the text are escaped.
    pub ascii: bool,
    /// Columns to lay out for, from [`Look::WIDTHS`].
    pub width: usize,
    /// The language of what is said.
    pub language: Language,
}

impl Look {
    /// The narrowest and widest layout, in columns.
    pub const WIDTHS: std::ops::RangeInclusive<usize> = 40..=120;

    /// Appends a text in a style, if colours are enabled.
    pub fn push(self, out: &mut String, style: Style, text: &str) {
        self.within(out, style, |out| out.push_str(text));
    }

    /// Appends what `push` does, in a style, if colours are enabled.
    pub(crate) fn within(self, out: &mut String, style: Style, push: impl FnOnce(&mut String)) {
        if !self.color || style.is_plain() {
            return push(out);
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "{}", style.render());
        push(out);
        let _ = write!(out, "{}", style.render_reset());
    }

    /// The text in a style, if colours are enabled.
    pub fn paint<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: if self.color { style } else { Style::new() }, text }
    }

    /// The text in the characters of this look. What is said in another language than English cannot be spelled in US-ASCII.
    pub fn spelled(self, text: String) -> String {
        if !self.ascii || self.language != Language::En || text.is_ascii() {
            return text;
        }
        let mut spelled = String::with_capacity(text.len() * 2);
        text.chars().for_each(|c| view::push_escaped(c, &mut spelled));
        spelled
    }
}

impl Default for Look {
    /// Without colours, with all characters, 80 columns wide, in English.
    fn default() -> Look {
        Look { color: false, ascii: false, width: 80, language: Language::En }
    }
}

/// A text with escape sequences for its style.
#[derive(Clone, Copy, Debug)]
pub struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.style.is_plain() {
            return write!(f, "{}", self.text);
        }
        write!(f, "{}{}{}", self.style.render(), self.text, self.style.render_reset())
    }
}

/// The URL itself.
pub const URL: Style = Style::new().effects(Effects::BOLD);
/// Titles.
pub const BOLD: Style = URL;
/// Lines and names that point at parts.
pub const LABEL: Style = AnsiColor::Cyan.on_default();
/// Less important text.
pub const DIM: Style = Style::new().effects(Effects::DIMMED);
/// The lines on the left of a problem.
pub const FRAME: Style = AnsiColor::BrightBlue.on_default().bold();
/// The heading of a help, in the colour of rustc.
pub const HELP: Style = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);

/// The colours of rustc.
pub const fn level(level: Level) -> Style {
    let color = match level {
        Level::Error => AnsiColor::BrightRed,
        Level::Warning => AnsiColor::Yellow,
        Level::Note => AnsiColor::BrightGreen,
    };
    color.on_default().effects(Effects::BOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_english_in_us_ascii_is_spelled_in_escapes() {
        let text = "a\u{e9}\u{1f468}";
        let spelled =
            |ascii: bool, language: Language| Look { ascii, language, ..Look::default() }.spelled(text.to_owned());
        assert_eq!(spelled(true, Language::En), r"a\u{e9}\u{1f468}");
        for (ascii, language) in [(false, Language::En), (false, Language::Ja), (true, Language::Ja)] {
            assert_eq!(spelled(ascii, language), text);
        }
    }
}
