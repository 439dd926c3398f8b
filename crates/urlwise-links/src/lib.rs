//! The links and fragments of documents.
//!
//! [`pieces`] divides an HTML or Markdown document into links and the text around them, in order and with nothing left
//! out. Character references and escapes are decoded once; [`Piece::source`] traces each octet to where it was
//! written. [`Fragments`] says which fragments a document has. No URL is parsed here, and relative links are returned as
//! they are written.
//!
//! ```
//! use urlwise_links::{Format, Role, pieces};
//!
//! let source = b"See [the *file*](a\\_b.md \"title\") or `code`.";
//! let pieces = pieces(Format::Markdown, source);
//! let link = pieces.iter().find(|piece| piece.is_link()).unwrap();
//! assert_eq!(link.text(), b"a_b.md");
//! assert_eq!(link.source(2), 20); // the `b`, behind the backslash
//! assert!(pieces.iter().any(|piece| piece.role() == Role::Code && piece.text() == b"`code`"));
//! ```
//!
//! Time and memory are linear in the document, which must be in memory as a whole.

mod assemble;
mod escape;
mod fragments;
mod html;
mod markdown;
mod piece;
mod reference;
mod short;
mod simple;
mod word;

pub use fragments::Fragments;
pub use piece::{Piece, Role};

use std::path::Path;

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// As text alone: it has no links and no fragments.
    Text,
    /// HTML as browsers read it.
    Html,
    /// Markdown by the standard, with the tables, footnotes and task lists of GitHub.
    Markdown,
}

impl Format {
    /// The format of a file by the ending of its name, in any case: `.html`, `.htm` and `.xhtml`; `.md`, `.markdown`,
    /// `.mdown`, `.mkd` and `.mkdn`. Everything else is text.
    ///
    /// ```
    /// use urlwise_links::Format;
    ///
    /// assert_eq!(Format::of_path("docs/README.md".as_ref()), Format::Markdown);
    /// assert_eq!(Format::of_path("html".as_ref()), Format::Text);
    /// ```
    pub fn of_path(path: &Path) -> Format {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" | "xhtml" => Format::Html,
            "md" | "markdown" | "mdown" | "mkd" | "mkdn" => Format::Markdown,
            _ => Format::Text,
        }
    }
}

/// The pieces of a document in order: links, and the text before, between and after them.
///
/// Markdown must be UTF-8; a document that is not is one piece of text.
pub fn pieces(format: Format, source: &[u8]) -> Vec<Piece<'_>> {
    match format {
        Format::Text => vec![Piece::as_written(source, 0..source.len(), Role::Text)],
        Format::Html => assemble::assemble(source, html::scan(source, 0).marks, true),
        Format::Markdown => match std::str::from_utf8(source) {
            Ok(text) => assemble::assemble(source, markdown::marks(text), false),
            Err(_) => vec![Piece::as_written(source, 0..source.len(), Role::Text)],
        },
    }
}
