//! A link as it stands in a document, which is decoded once it is known to count.

use std::ops::Range;

use crate::html;
use crate::markdown::destination;
use crate::piece::{Piece, Role, Syntax};

/// How a link is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// In an attribute of HTML.
    Html { role: Role, syntax: Syntax },
    /// As a destination of Markdown.
    Destination,
    /// As an autolink of Markdown, maybe in a cell of a table.
    Autolink { is_cell: bool },
    /// As an autolink of Markdown that is an address.
    Address,
}

impl Link {
    /// The link that stands there.
    pub(crate) fn decode(self, source: &[u8], span: Range<usize>) -> Piece<'_> {
        match self {
            Link::Html { role, syntax } => html::decode(source, span, role, syntax),
            Link::Destination => destination::decode(source, span),
            Link::Autolink { is_cell } => destination::of_autolink(source, span, is_cell),
            Link::Address => destination::of_address(source, span),
        }
    }
}
