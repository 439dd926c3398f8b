//! The languages of what is said: as in crate `urlwise`, English stands in the code, and every other language is a folder of tables,
//! one file per subject. A row begins with the English text. A row that is missing, or whose placeholders are not those of the English
//! text, does not compile.

pub(crate) mod ja;
pub(crate) mod zh;

use std::fmt::{self, Display};

use urlwise::{Language, Words};

urlwise::define_words!($ crate::language);

/// Writes a list: `comma` stands between its items, and `last` before the last one.
pub(crate) fn list<T: Display>(
    items: impl IntoIterator<Item = T>,
    [comma, last]: [Words; 2],
    language: Language,
    f: &mut impl fmt::Write,
) -> fmt::Result {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return Ok(()) };
    write!(f, "{first}")?;
    let Some(mut item) = items.next() else { return Ok(()) };
    // Not for each item: a path may have a million.
    let comma = comma.get(language);
    for next in items {
        write!(f, "{comma}{item}")?;
        item = next;
    }
    last.write(language, f)?;
    write!(f, "{item}")
}

/// Writes a list that ends in `and`: not every language joins the last of several as it joins two.
pub(crate) fn list_with_and<T: Display>(
    items: impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone,
    language: Language,
    f: &mut impl fmt::Write,
) -> fmt::Result {
    let mut several = items;
    let Some(last) = several.next_back() else { return Ok(()) };
    let words = match several.len() {
        0 => return write!(f, "{last}"),
        1 => words!("{one} and {other}"),
        _ => words!("{several} and {last}"),
    };
    let joined = words.filled(language, |name, f| match name {
        "one" | "several" => list(several.clone(), [words!(", "); 2], language, f),
        _ => last.fmt(f),
    });
    write!(f, "{joined}")
}

/// The same as [`list`] as a text.
pub(crate) fn listed<T: Display>(
    items: impl IntoIterator<Item = T>,
    separators: [Words; 2],
    language: Language,
) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = list(items, separators, language, &mut text);
    text
}

#[cfg(test)]
#[path = "../../../urlwise/src/language/checks.rs"]
mod checks;

#[cfg(test)]
fn tables() -> checks::Tables {
    checks::Tables::new(ja::PHRASES, zh::PHRASES)
}
