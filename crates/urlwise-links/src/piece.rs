//! A part of a document, decoded.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::escape;
use crate::runs::{Run, Runs};

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The destination of a link, an image or the like: a URL, or a reference relative to the document.
    Link,
    /// Where a form is sent: `action` and `formaction`.
    Form,
    /// The `href` of `<base>`, which relative references of the document are resolved against.
    Base,
    /// Text and markup. URLs in it are not links.
    Text,
    /// Text in code spans and code blocks.
    Code,
    /// The rest of a document of Markdown from where a part of it is too entangled to be read, as it is written: a paragraph, a
    /// quotation or an item of a list with more than [`MOST_MARKS`](crate::MOST_MARKS) marks. URLs in it are not links.
    Unread,
}

/// How a piece is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Every octet stands for itself.
    Plain,
    /// The same where nothing is a link.
    Verbatim,
    /// With the character references of HTML.
    Html,
    /// The same in a refresh, where the next quotation mark like the one before it ends it, even if it is written as a reference.
    Refresh { quote: Option<u8> },
    /// As a destination of Markdown: between angle brackets, or up to a blank.
    Destination { is_bracketed: bool },
    /// As text of manual pages.
    Roff,
    /// As an autolink of Markdown: with character references, and without escapes.
    Autolink,
}

/// A part of a document, with its character references and escapes decoded.
#[derive(Clone, PartialEq, Eq)]
pub struct Piece<'s> {
    text: Cow<'s, [u8]>,
    span: Range<usize>,
    role: Role,
    syntax: Syntax,
    /// `None` if it is as written.
    runs: Option<Box<Runs>>,
}

impl<'s> Piece<'s> {
    /// A piece without references.
    pub(crate) fn as_written(source: &'s [u8], span: Range<usize>, role: Role) -> Self {
        Piece { text: Cow::Borrowed(&source[span.clone()]), span, role, syntax: Syntax::Plain, runs: None }
    }

    /// A document that is text, as written.
    pub(crate) fn whole(source: &'s [u8]) -> Self {
        Piece::as_written(source, 0..source.len(), Role::Text)
    }

    /// The text, decoded. It need not be UTF-8.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where it stands in the document, without quotes and brackets.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Whether it is a link in the wide sense: not text, but a URL or a reference that the document uses.
    pub fn is_link(&self) -> bool {
        match self.role {
            Role::Link | Role::Form | Role::Base => true,
            Role::Text | Role::Code | Role::Unread => false,
        }
    }

    /// The position in the document of an octet of the text. The length of the text and anything beyond give the end
    /// of the span; of a reference that stands for several octets, each is at its start or behind it.
    pub fn source(&self, at: usize) -> usize {
        if at >= self.text.len() {
            return self.span.end;
        }
        let (last, next) = self.around(|run| run.text <= at);
        let run = last.unwrap_or(Run { text: 0, source: self.span.start });
        let end = next.map_or(self.span.end, |run| run.source);
        (run.source + (at - run.text)).min(end)
    }

    /// The position in the document behind the octet of the text before `at`: where a part of the text ends that ends at
    /// `at`. A reference or escape that follows is not part of it. At 0 it is the start of the span.
    ///
    /// ```
    /// use urlwise_links::{Format, pieces};
    ///
    /// let source = br"[file](a&amp;\_b)";
    /// let pieces = pieces(Format::Markdown, source);
    /// let link = pieces.iter().find(|piece| piece.is_link()).unwrap();
    /// assert_eq!(link.text(), b"a&_b");
    /// assert_eq!([link.source_end(1), link.source_end(2)], [8, 13]); // behind the `a`; before the backslash
    /// ```
    pub fn source_end(&self, at: usize) -> usize {
        let Some(last) = at.checked_sub(1) else { return self.span.start };
        if at >= self.text.len() {
            return self.span.end;
        }
        match self.around(|run| run.text < at) {
            (_, Some(next)) if next.text == at => next.source,
            _ => self.source(last) + 1,
        }
    }

    /// Whether it is text of Markdown, in which something may be a link that nothing marks as one.
    pub(crate) fn may_have_autolinks(&self) -> bool {
        self.role == Role::Text && self.syntax == Syntax::Plain
    }

    /// A part of it, with octets before it that are not written.
    pub(crate) fn part(&self, range: Range<usize>, before: &'static str, role: Role) -> Piece<'s> {
        let span = self.source_end(range.start)..self.source_end(range.end);
        let syntax = self.syntax;
        if let (None, "", Cow::Borrowed(text)) = (&self.runs, before, &self.text) {
            return Piece { text: Cow::Borrowed(&text[range]), span, role, syntax, runs: None };
        }
        let text = [before.as_bytes(), &self.text[range.clone()]].concat();
        let mut runs = Runs::default();
        if !before.is_empty() {
            runs.push(Run { text: 0, source: span.start });
        }
        runs.push(Run { text: before.len(), source: self.source(range.start) });
        let mut at = range.start;
        while let (_, Some(next)) = self.around(|run| run.text <= at)
            && next.text < range.end
        {
            at = next.text;
            let text = at - range.start + before.len();
            runs.push(Run { text, source: next.source });
            // Behind what stands for no octet, such as the backslash of an escape.
            if self.source(at) > next.source {
                runs.push(Run { text, source: self.source(at) });
            }
        }
        Piece { text: Cow::Owned(text), span, role, syntax, runs: Some(Box::new(runs)) }
    }

    fn around(&self, is_before: impl Fn(&Run) -> bool) -> (Option<Run>, Option<Run>) {
        self.runs.as_ref().map_or((None, None), |runs| runs.around(is_before))
    }

    /// How another text is written in place of this one, or of a part of it: with character references and escapes where
    /// the document needs them. Whether it can stand there at all is not checked; a blank in a link of Markdown, for
    /// example, has no escape.
    ///
    /// ```
    /// use urlwise_links::{Format, pieces};
    ///
    /// let pieces = pieces(Format::Html, b"<a href='/old'>");
    /// let link = pieces.iter().find(|piece| piece.is_link()).unwrap();
    /// assert_eq!(link.written("/new?a=1&b='2'"), "/new?a=1&amp;b=&#39;2&#39;");
    /// ```
    pub fn written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.syntax {
            Syntax::Plain | Syntax::Verbatim => Cow::Borrowed(text),
            Syntax::Html | Syntax::Refresh { .. } => escape::html(text),
            Syntax::Destination { is_bracketed } => escape::destination(text, is_bracketed),
            Syntax::Roff => escape::roff(text),
            Syntax::Autolink => escape::autolink(text),
        }
    }
}

impl Piece<'_> {
    /// Whether another text in place of this one would be cut, however it is [written](Piece::written): the URL of a refresh ends at the
    /// quotation mark that it begins with (HTML, "shared declarative refresh steps").
    ///
    /// ```
    /// use urlwise_links::{Format, pieces};
    ///
    /// let link = |source: &'static str| pieces(Format::Html, source.as_bytes()).into_iter().find(|piece| piece.is_link()).unwrap();
    /// let quoted = link(r#"<meta http-equiv=refresh content="0;url='/old'">"#);
    /// assert!(quoted.would_cut("/it's") && !quoted.would_cut("/new") && !quoted.would_cut("/\""));
    /// let open = link("<meta http-equiv=refresh content=0;url=/old>");
    /// assert!(open.would_cut("'new") && open.would_cut("\"new") && !open.would_cut("/it's"));
    /// assert!(!link("<a href='/old'>").would_cut("'it's'"));
    /// ```
    pub fn would_cut(&self, text: &str) -> bool {
        match self.syntax {
            Syntax::Refresh { quote: Some(quote) } => text.as_bytes().contains(&quote),
            Syntax::Refresh { quote: None } => text.starts_with(['"', '\'']),
            Syntax::Plain
            | Syntax::Verbatim
            | Syntax::Html
            | Syntax::Roff
            | Syntax::Destination { .. }
            | Syntax::Autolink => false,
        }
    }
}

impl fmt::Debug for Piece<'_> {
    /// Leaves out the text, which may contain passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({:?} at {}..{})", self.role, self.span.start, self.span.end)
    }
}

/// Puts a piece together.
pub(crate) struct Builder<'s> {
    source: &'s [u8],
    start: usize,
    /// Everything before it is in the text.
    at: usize,
    /// What was put together. `None` as long as the text is as written.
    written: Option<(Vec<u8>, Box<Runs>)>,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s [u8], start: usize) -> Self {
        Builder { source, start, at: start, written: None }
    }

    /// Adds what is written up to `end`.
    pub(crate) fn plain(&mut self, end: usize) {
        if let Some((text, runs)) = &mut self.written
            && end > self.at
        {
            runs.push(Run { text: text.len(), source: self.at });
            text.extend_from_slice(&self.source[self.at..end]);
        }
        self.at = self.at.max(end);
    }

    /// Adds what is written up to `span`, and `decoded` for the span.
    pub(crate) fn decoded(&mut self, span: Range<usize>, decoded: &[u8]) {
        self.plain(span.start);
        let begun = || (self.source[self.start..span.start].to_vec(), Box::default());
        let (text, runs) = self.written.get_or_insert_with(begun);
        runs.push(Run { text: text.len(), source: span.start });
        text.extend_from_slice(decoded);
        self.at = span.end;
    }

    /// How many octets were put together.
    pub(crate) fn octets(&self) -> usize {
        self.written.as_ref().map_or(0, |(text, _)| text.len())
    }

    /// The piece, up to here.
    pub(crate) fn finish(self, role: Role, syntax: Syntax) -> Piece<'s> {
        let span = self.start..self.at;
        let (text, runs) = match self.written {
            Some((text, runs)) => (Cow::Owned(text), Some(runs)),
            None => (Cow::Borrowed(&self.source[span.clone()]), None),
        };
        Piece { text, span, role, syntax, runs }
    }
}
