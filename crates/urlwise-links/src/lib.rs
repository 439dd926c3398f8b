//! The links and fragments of documents.
//!
//! [`pieces`] divides an HTML or Markdown document into links and the text around them, in order and with nothing left
//! out. Character references and escapes are decoded once; [`Piece::source`] traces each octet to where it was
//! written. [`Fragments`] says which fragments a document has. No URL is parsed here, and relative links are returned as
//! they are written. Of other notations, such as that of manual pages, the text is given as it is meant.
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
//! The document must be in memory as a whole. Beside it, [`each_piece`] holds one piece at a time, the tag of HTML or the part of Markdown that
//! is read, and the labels of Markdown. Time is linear in the document.

mod assemble;
mod definition;
mod escape;
mod fragments;
mod front_matter;
mod gettext;
mod headings;
mod html;
mod link;
mod markdown;
mod outline;
mod piece;
mod reference;
mod roff;
mod runs;
mod short;
mod simple;
mod spans;
mod tokenizer;
mod word;

pub use fragments::Fragments;
pub use markdown::MOST_MARKS;
pub use piece::{Piece, Role};

use std::path::Path;

use assemble::Assembler;

/// How a document is read. There may be others: what URLs look like in texts depends on their notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// As text alone: it has no links and no fragments.
    Text,
    /// HTML as browsers read it.
    Html,
    /// Markdown by the standard, with the tables, footnotes, task lists and autolinks of GitHub.
    Markdown,
    /// The same with components, in which blanks before a line make no code.
    Mdx,
    /// Text of manual pages, in which a hyphen is `\-`: `http://a\-host.dom/`.
    Roff,
    /// Text of translations, the strings of which go on in the next line.
    Gettext,
    /// Text in which `=` and `~` enclose what stands for itself.
    Org,
    /// Text in which `+` does.
    AsciiDoc,
}

impl Format {
    /// Every format.
    pub const ALL: &[Format] = &[
        Format::Text,
        Format::Html,
        Format::Markdown,
        Format::Mdx,
        Format::Roff,
        Format::Gettext,
        Format::Org,
        Format::AsciiDoc,
    ];

    /// The format of a file by the ending of its name, in any case: `.html`, `.htm` and `.xhtml`; `.md`, `.markdown`,
    /// `.mdown`, `.mkd` and `.mkdn`; `.mdx`; `.man`, `.mdoc`, `.roff` and sections of the manual, such as `.1` and `.3pm`; `.po` and `.pot`;
    /// `.org`; `.adoc` and `.asciidoc`. Everything else is text.
    ///
    /// ```
    /// use urlwise_links::Format;
    ///
    /// assert_eq!(Format::of_path("docs/README.md".as_ref()), Format::Markdown);
    /// assert_eq!(Format::of_path("man/tool.1".as_ref()), Format::Roff);
    /// assert_eq!(Format::of_path("html".as_ref()), Format::Text);
    /// ```
    pub fn of_path(path: &Path) -> Format {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" | "xhtml" => Format::Html,
            "md" | "markdown" | "mdown" | "mkd" | "mkdn" => Format::Markdown,
            "mdx" => Format::Mdx,
            "man" | "mdoc" | "roff" => Format::Roff,
            "po" | "pot" => Format::Gettext,
            "org" => Format::Org,
            "adoc" | "asciidoc" => Format::AsciiDoc,
            section if roff::is_section(section) => Format::Roff,
            _ => Format::Text,
        }
    }

    /// Whether documents have links that are marked as such, and fragments.
    pub fn has_links(self) -> bool {
        match self {
            Format::Html | Format::Markdown | Format::Mdx => true,
            Format::Text | Format::Roff | Format::Gettext | Format::Org | Format::AsciiDoc => false,
        }
    }

    /// Whether it is a kind of Markdown.
    pub fn is_markdown(self) -> bool {
        matches!(self, Format::Markdown | Format::Mdx)
    }
}

/// The pieces of a document in order: links, and the text before, between and after them. They take about ten times the memory of the
/// document where it is nothing but links; see [`each_piece`].
///
/// Markdown must be UTF-8; a document that is not is one piece of text.
pub fn pieces(format: Format, source: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    each_piece(format, source, |piece| {
        pieces.push(piece);
        true
    });
    pieces
}

/// Calls `visit` for each piece of a document, in order, as soon as it is read, until `visit` returns false. Returns whether it never
/// did.
///
/// ```
/// use urlwise_links::{Format, Role, each_piece};
///
/// let mut count = 0;
/// each_piece(Format::Html, b"<a href=x><a href=y>", |piece| {
///     count += usize::from(piece.role() == Role::Link);
///     count < 2
/// });
/// assert_eq!(count, 2);
/// ```
pub fn each_piece<'s>(format: Format, source: &'s [u8], mut visit: impl FnMut(Piece<'s>) -> bool) -> bool {
    match format {
        Format::Html => {
            let mut sink = Assembler::new(source, true, visit);
            html::scan(source, 0, &mut sink);
            sink.finish()
        }
        Format::Markdown | Format::Mdx => {
            let Ok(text) = std::str::from_utf8(source) else { return visit(Piece::whole(source)) };
            let sink = Assembler::new(source, false, |piece| markdown::split(source, piece, &mut visit));
            let mut sink = if format == Format::Mdx { sink.of_mdx() } else { sink };
            markdown::each(text, &mut sink);
            sink.finish()
        }
        Format::Roff => visit(roff::read(source)),
        Format::Gettext => visit(gettext::read(source)),
        Format::Org => spans::each(source, spans::ORG, visit),
        Format::AsciiDoc => spans::each(source, spans::ASCIIDOC, visit),
        Format::Text => visit(Piece::whole(source)),
    }
}

/// The `href` of the first `<base>` of a document, which relative links are resolved against, also those before it.
///
/// ```
/// use urlwise_links::{Format, base};
///
/// let base = base(Format::Html, b"<a href=x><base href=/docs/>").unwrap();
/// assert_eq!(base.text(), b"/docs/");
/// ```
pub fn base(format: Format, source: &[u8]) -> Option<Piece<'_>> {
    let mut base = None;
    if may_have_base(source) {
        each_piece(format, source, |piece| {
            if piece.role() == Role::Base {
                base = Some(piece);
            }
            base.is_none()
        });
    }
    base
}

/// Whether there is a `<base` in any case. Nearly all documents have none, which takes less time to tell than to read them.
fn may_have_base(source: &[u8]) -> bool {
    let is_base = |at: usize| source[at..].get(1..5).is_some_and(|name| name.eq_ignore_ascii_case(b"base"));
    [b"<b", b"<B"].iter().any(|start| memchr::memmem::find_iter(source, *start).any(is_base))
}
