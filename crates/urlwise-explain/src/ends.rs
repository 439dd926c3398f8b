//! A text of which the beginning and the end are shown, without ever being complete in memory.

use std::borrow::Cow;
use std::fmt::{self, Write};

use urlwise::{Language, last_at_sign};

use super::wrap;
use crate::secret::{MASK, Secrets};

/// So much is kept at each end, in octets: twice what any caller shows.
pub(crate) const KEPT: usize = 4 << 10;

/// The beginning and the end of a text, and its length.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    beginning: String,
    /// What follows the beginning; of a longer text the end of it.
    end: String,
    length: usize,
}

impl Ends {
    /// Those of no text, with memory for most.
    pub(crate) fn new() -> Self {
        Ends { beginning: String::with_capacity(128), ..Ends::default() }
    }

    /// Those of what is displayed.
    pub(crate) fn of(text: impl fmt::Display) -> Self {
        let mut ends = Ends::new();
        // Writing to memory cannot fail.
        let _ = write!(ends, "{text}");
        ends
    }

    /// Forgets the text, and keeps the memory for the next.
    #[cfg(feature = "open")]
    pub(crate) fn clear(&mut self) {
        self.beginning.clear();
        self.end.clear();
        self.length = 0;
    }

    /// Whether something else displays as the same text.
    pub(crate) fn is_of(&self, text: impl fmt::Display) -> bool {
        if !self.end.is_empty() {
            return *self == Ends::of(text);
        }
        let mut rest = Rest(&self.beginning);
        write!(rest, "{text}").is_ok() && rest.0.is_empty()
    }

    /// The text with its passwords masked, elided if it is longer than `most` octets.
    pub(crate) fn show(&self, secrets: &Secrets, most: usize, language: Language) -> String {
        if self.end.is_empty() {
            return wrap::elided_in(secrets.masked_text(&self.beginning).into_owned(), most, language);
        }
        if self.beginning.len() + self.end.len() == self.length {
            let mut complete = String::with_capacity(self.length);
            complete.push_str(&self.beginning);
            complete.push_str(&self.end);
            return wrap::elide_in(&secrets.masked_text(&complete), most, language);
        }
        // A password may begin or end in what is not shown, so there may be an `@` behind the beginning, and whatever
        // stands before an `@` in the end may be a password. The `@` may be escaped.
        let open = format!("{}%40@", &self.beginning[..wrap::boundary(&self.beginning, 2 * most)]);
        let beginning = secrets.masked_text(&open);
        let beginning = beginning.strip_suffix('@').unwrap_or(&beginning);
        let beginning = beginning.strip_suffix("%40").unwrap_or(beginning);
        let beginning = &beginning[..wrap::boundary(beginning, most * 2 / 3)];
        let mut end = self.end.as_str();
        let mut mask = "";
        if let Some(at) = last_at_sign(end.as_bytes()).filter(|_| secrets.are_hidden()) {
            (mask, end) = (MASK, &end[at..]);
        }
        let end = &end[wrap::boundary(end, end.len().saturating_sub(most / 3))..];
        let left_out = wrap::left_out(self.length - beginning.len() - end.len(), language);
        format!("{beginning} {left_out} {mask}{end}")
    }

    /// The same, in the memory that the text has.
    pub(crate) fn shown(self, secrets: &Secrets, most: usize, language: Language) -> String {
        if !self.end.is_empty() {
            return self.show(secrets, most, language);
        }
        let masked = match secrets.masked_text(&self.beginning) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => None,
        };
        wrap::elided_in(masked.unwrap_or(self.beginning), most, language)
    }
}

/// What is still to come of a text; to write anything else is an error.
struct Rest<'t>(&'t str);

impl Write for Rest<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

impl Write for Ends {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.length += text.len();
        let mut rest = text;
        if self.end.is_empty() {
            if self.beginning.len() + text.len() <= KEPT {
                self.beginning.push_str(text);
                return Ok(());
            }
            let (first, behind) = text.split_at(wrap::boundary(text, KEPT.saturating_sub(self.beginning.len())));
            self.beginning.push_str(first);
            rest = behind;
        }
        // Most pieces are short.
        let start = if rest.len() > KEPT { wrap::boundary(rest, rest.len() - KEPT) } else { 0 };
        self.end.push_str(&rest[start..]);
        if self.end.len() > 2 * KEPT {
            self.end.drain(..wrap::boundary(&self.end, self.end.len() - KEPT));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&str], most: usize) -> String {
        let mut ends = Ends::default();
        pieces.iter().for_each(|piece| ends.write_str(piece).unwrap());
        assert!(ends.beginning.len() <= KEPT + 3 && ends.end.len() <= 2 * KEPT);
        ends.shown(&Secrets::of(b"", false), most, Language::En)
    }

    #[test]
    fn a_text_is_shown_as_if_it_had_been_complete() {
        let secrets = Secrets::of(b"", false);
        for unit in ["a", "ab, ", "\u{e9}", "\u{4e2d}x"] {
            for length in [0, 1, 100, KEPT - 1, KEPT, KEPT + 1, 2 * KEPT, 3 * KEPT + 1, 5 * KEPT] {
                let text = format!("x{}y", unit.repeat(length / unit.len()));
                for at_once in [1, 7, KEPT, 6 * KEPT] {
                    let mut rest = text.as_str();
                    let mut pieces = Vec::new();
                    while !rest.is_empty() {
                        let (piece, behind) = rest.split_at(wrap::boundary(rest, at_once.min(rest.len())));
                        pieces.push(piece);
                        rest = behind;
                    }
                    let expected = wrap::elide(&secrets.masked_text(&text), 600);
                    assert_eq!(shown(&pieces, 600), expected, "{length} octets of {unit}, {at_once} at once");
                }
            }
        }
    }

    #[test]
    fn a_text_is_only_what_displays_as_it() {
        for length in [0, 3, KEPT, 2 * KEPT] {
            let text = "ab".repeat(length);
            let ends = Ends::of(&text);
            assert!(ends.is_of(&text));
            // A long one is only compared as far as it is kept, which depends on its pieces.
            assert!(text.len() > KEPT || ends.is_of(format_args!("{}{}", &text[..length], &text[length..])));
            assert!(!ends.is_of(format_args!("{text}c")) && (length == 0 || !ends.is_of(&text[1..])));
        }
    }

    #[test]
    fn a_password_of_any_length_is_masked() {
        let password = "s3cret".repeat(KEPT);
        for (text, end) in [
            (format!("ftp://jim:{password}@host.dom/"), "@host.dom/"),
            (format!("x://jim:{password}/{password}@host.dom/"), "@host.dom/"),
            (format!("x://jim%3A{password}%40host.dom/"), "%40host.dom/"),
            (format!("?u=x%3A%2F%2Fjim%3A{password}%40host.dom"), "%40host.dom"),
            (format!("?u=x%253A%252F%252Fjim%253A{password}%2540host.dom"), "%2540host.dom"),
        ] {
            let shown = shown(&[&text], 600);
            assert!(shown.contains(MASK) && shown.ends_with(end) && !shown.contains("s3c"), "{shown}");
            assert_eq!(
                shown.matches(['@', '%']).count(),
                end.matches(['@', '%']).count() + text[..40].matches('%').count()
            );
        }
    }
}
