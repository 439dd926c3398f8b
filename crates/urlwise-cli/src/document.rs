//! URLs in documents: the links of HTML and Markdown, and URLs in the text around them (D-101).

use std::cell::LazyCell;
use std::ops::Range;
use std::path::{Path, PathBuf};

use urlwise::find::{Finder, Hit};
use urlwise::{OwnedReference, Profile, Scheme, Url, Words};
use urlwise_explain::secret;
use urlwise_links::{Format, MOST_MARKS, Piece, Role, each_piece};

use crate::cli::Walking;
use crate::console::Console;
use crate::exit::{Failure, os_message};
use crate::language::{about, language, message, said, words};
use crate::position::Position;
use crate::refusal;

/// A URL in a text.
pub(crate) struct Seen<'h> {
    /// The URL. That of a relative link is resolved, and its positions are those of the resolved URL.
    pub(crate) hit: &'h Hit<'h>,
    /// The piece of the document that it was found in; `None` in plain text.
    piece: Option<&'h Piece<'h>>,
    /// Whether it was written as a relative link.
    pub(crate) is_relative: bool,
    /// What a relative link was resolved against; `None` for URLs.
    base: Option<&'h Url<String>>,
}

/// A relative link as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'h> {
    pub(crate) text: &'h [u8],
    /// How many octets at its start are not those of the resolved URL, such as `../`.
    kept: usize,
    /// How many octets of the resolved URL stand in their place.
    resolved: usize,
}

impl Written<'_> {
    /// The place of octets of the resolved URL; `None` if they are not written.
    pub(crate) fn place(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let place = |at: usize| Some(at.checked_sub(self.resolved)? + self.kept);
        Some(place(span.start)?..place(span.end)?)
    }
}

/// Why a URL is not replaced by another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It does not stand in one piece.
    InPieces,
    /// Among words, the other URL has characters that may mean something there.
    AmongWords,
    /// No relative link names the other URL.
    NotRelative,
    /// The other URL has the quotation mark at which the link would end.
    Cut,
}

impl Kept {
    /// A sentence.
    pub(crate) fn why(self) -> Words {
        match self {
            Kept::InPieces => words!("the URL is written in more than one piece"),
            Kept::AmongWords => words!("the new URL has characters that may mean something else in a text"),
            Kept::NotRelative => words!("a relative link cannot name the new URL; see `--base-url`"),
            Kept::Cut => words!("the new URL has a quotation mark, at which the link would end"),
        }
    }
}

/// What a document links to, or a URL in its text.
pub(crate) enum Link<'h> {
    /// A URL.
    Url(Seen<'h>),
    /// A link with a scheme that no URL is found by, such as `javascript:` or a mistyped one.
    OtherScheme(&'h Piece<'h>),
    /// A relative link, of which it is not known what it is relative to.
    Unresolved(&'h Piece<'h>),
    /// A link with a part that a template fills in.
    Template(&'h Piece<'h>),
}

impl<'h> Seen<'h> {
    /// A URL in plain text.
    pub(crate) fn of(hit: &'h Hit<'h>) -> Self {
        Seen { hit, piece: None, is_relative: false, base: None }
    }

    /// The position in the text of an octet of the URL.
    pub(crate) fn source(&self, at: usize) -> usize {
        let Some(piece) = self.piece else { return self.hit.source(at) };
        if !self.is_relative {
            return piece.source(self.hit.source(at));
        }
        // What was resolved ends with the link as it is written, unless dots were removed.
        let resolved = self.hit.reference().as_bytes();
        match resolved.strip_suffix(piece.text()) {
            Some(base) if at >= base.len() => piece.source(at - base.len()),
            _ if at < resolved.len() => piece.span().start,
            _ => piece.span().end,
        }
    }

    /// A relative link as it is written, and the octets of the resolved one that stand for its beginning; `None` for URLs, and where nothing of
    /// both is alike.
    pub(crate) fn written(&self) -> Option<Written<'h>> {
        let text = self.piece.filter(|_| self.is_relative)?.text();
        let resolved = self.hit.reference().as_bytes();
        let alike = text.iter().rev().zip(resolved.iter().rev()).take_while(|(a, b)| a == b).count();
        (alike > 0).then(|| Written { text, kept: text.len() - alike, resolved: resolved.len() - alike })
    }

    /// Whether it is there to be followed: neither where a form is sent nor a base.
    pub(crate) fn is_followed(&self) -> bool {
        self.piece.is_none_or(|piece| !matches!(piece.role(), Role::Form | Role::Base))
    }

    /// Where it stands in the text.
    pub(crate) fn span(&self) -> Range<usize> {
        match self.piece {
            None => self.hit.span(),
            Some(piece) if self.is_relative => piece.span(),
            Some(piece) => {
                let span = self.hit.span();
                piece.source(span.start)..self.source(self.hit.reference().len())
            }
        }
    }

    /// The octets of the text to replace so that the URL is another one, and what to write there, as the document needs it. The fragment
    /// stays, unless another one is given, which may be empty.
    pub(crate) fn replaced(&self, url: &Url<String>, fragment: Option<&str>) -> Result<(Range<usize>, String), Kept> {
        let behind = fragment.filter(|fragment| !fragment.is_empty()).map(|fragment| format!("#{fragment}"));
        let behind = behind.unwrap_or_default();
        let (span, text) = match (self.piece, self.base) {
            (Some(piece), Some(base)) => {
                let end = memchr::memchr(b'#', piece.text()).filter(|_| fragment.is_none());
                let text = relative(base, url, piece.text().starts_with(b"/")).ok_or(Kept::NotRelative)? + &behind;
                (piece.span().start..piece.source_end(end.unwrap_or(piece.text().len())), text)
            }
            (piece, _) => {
                let written = if fragment.is_some() { self.hit.reference() } else { self.hit.as_str() };
                let text = format!("{}{behind}", url.as_str());
                let start = self.hit.span().start;
                let end = start + written.len();
                if written.is_empty() || self.hit.source(written.len() - 1) + 1 != end {
                    return Err(Kept::InPieces);
                }
                if !self.is_link() && !is_plain(&text, written) {
                    return Err(Kept::AmongWords);
                }
                let span = piece.map_or(start..end, |piece| piece.source(start)..piece.source_end(end));
                (span, text)
            }
        };
        match self.piece {
            None => Ok((span, text)),
            Some(piece) if piece.would_cut(&text) => Err(Kept::Cut),
            Some(piece) => Ok((span, piece.written(&text).into_owned())),
        }
    }

    /// Whether it is a link of a document, and not among words.
    pub(crate) fn is_link(&self) -> bool {
        self.piece.is_some_and(Piece::is_link)
    }

    /// The link as it is written, with its references decoded; `None` for URLs in text.
    pub(crate) fn target(&self) -> Option<String> {
        let link = self.piece.filter(|piece| piece.is_link())?;
        Some(String::from_utf8_lossy(link.text()).into_owned())
    }
}

/// How documents are read, and what their relative links are resolved against.
#[derive(Debug)]
pub(crate) struct Documents {
    /// `None`: by the name of the file.
    format: Option<Format>,
    /// Whether code is searched, too.
    code: bool,
    /// The current folder: asking for it once saves a system call for each file.
    folder: Option<PathBuf>,
    /// The same as a URL.
    here: Option<Url<String>>,
    /// The folder that links with a leading `/` start in.
    root: Option<Url<String>>,
    /// What takes the place of the root folder, or of the current one.
    base: Option<Url<String>>,
    endings: Vec<String>,
    indexes: Vec<String>,
}

impl Documents {
    /// From the command line; `code` says whether code is searched, too.
    pub(crate) fn of(options: &Walking, code: bool) -> Result<Documents, Failure> {
        let here = std::path::absolute(".").ok();
        let root = options.root_dir.as_deref().map(|root| {
            let path = match root.is_dir() {
                true => std::path::absolute(root).map_err(|error| os_message(&error)),
                false => Err(said!("it is not a directory")),
            };
            path.and_then(|path| folder(&path)).map_err(|why| {
                let message = message!("cannot use {name}: {why}", name = secret::masked_path(root), why = why);
                Failure::Input(about("--root-dir", message))
            })
        });
        let base = options.base_url.as_deref().map(|text| {
            let folder = if text.ends_with('/') { text.to_owned() } else { format!("{text}/") };
            let url = Url::parse_with(folder, Profile::Current).map_err(|error| refusal::of_text(&error));
            let url = url.and_then(|url| match url.resolve(".") {
                Ok(_) => Ok(url),
                Err(error) => Err(error.message_in(language()).to_string()),
            });
            url.map_err(|why| {
                let shown = secret::masked(text.as_bytes(), false);
                let message = message!("`{name}` cannot be a base: {why}", name = shown, why = why);
                Failure::Input(about("--base-url", message))
            })
        });
        Ok(Documents {
            format: options.read_as.map(Format::from),
            code,
            here: here.as_deref().and_then(|path| folder(path).ok()),
            folder: here,
            root: root.transpose()?,
            base: base.transpose()?,
            endings: options.fallback_extensions.clone(),
            indexes: options.index_files.clone(),
        })
    }

    /// The format of a text; `None` is standard input.
    pub(crate) fn format(&self, path: Option<&Path>) -> Format {
        self.format.unwrap_or_else(|| path.map_or(Format::Text, Format::of_path))
    }

    /// Calls `visit` for each URL in a text, in order, until it returns false. A document must be whole.
    pub(crate) fn each(
        &self,
        finder: Finder<'_>,
        format: Format,
        path: Option<&Path>,
        text: &[u8],
        mut visit: impl FnMut(&Seen<'_>) -> bool,
    ) -> bool {
        self.each_link(finder, format, path, text, |link| match link {
            Link::Url(seen) => visit(&seen),
            Link::OtherScheme(_) | Link::Unresolved(_) | Link::Template(_) => true,
        })
    }

    /// The same, with the links that are not URLs.
    pub(crate) fn each_link(
        &self,
        finder: Finder<'_>,
        format: Format,
        path: Option<&Path>,
        text: &[u8],
        visit: impl FnMut(Link<'_>) -> bool,
    ) -> bool {
        let is_structured = path.is_some_and(|path| self.format.is_none() && is_structured(path));
        let name = || path.map_or_else(|| "<stdin>".to_owned(), secret::masked_path);
        self.each_link_at(|| self.own(path), name, finder, format, is_structured, text, visit)
    }

    /// The same of a page that was opened, which has a URL.
    pub(crate) fn each_link_of_page(
        &self,
        url: &Url<String>,
        finder: Finder<'_>,
        format: Format,
        text: &[u8],
        visit: impl FnMut(Link<'_>) -> bool,
    ) -> bool {
        let name = || secret::masked(url.as_str().as_bytes(), false);
        self.each_link_at(|| Some(url.clone()), name, finder, format, false, text, visit)
    }

    #[expect(clippy::too_many_arguments, reason = "what is known of a text")]
    fn each_link_at(
        &self,
        own: impl FnOnce() -> Option<Url<String>>,
        name: impl Fn() -> String,
        finder: Finder<'_>,
        format: Format,
        is_structured: bool,
        text: &[u8],
        mut visit: impl FnMut(Link<'_>) -> bool,
    ) -> bool {
        if format == Format::Text {
            let mut doctests = (is_structured && !self.code).then(|| Doctests::of(text));
            let mut is_code = |at| doctests.as_mut().is_some_and(|doctests| doctests.contain(at));
            return finder.hits(text).all(|hit| is_code(hit.span().start) || visit(Link::Url(Seen::of(&hit))));
        }
        // Most documents have no relative link.
        let place = LazyCell::new(|| place(own(), urlwise_links::base(format, text).as_ref()));
        each_piece(format, text, |piece| {
            if piece.role() == Role::Unread {
                unread(&name(), Position::START.after(&text[..piece.span().start]));
            }
            self.each_of(&piece, &place, finder, &mut visit)
        })
    }

    fn each_of(
        &self,
        piece: &Piece<'_>,
        place: &LazyCell<Place, impl FnOnce() -> Place>,
        finder: Finder<'_>,
        visit: &mut impl FnMut(Link<'_>) -> bool,
    ) -> bool {
        match piece.role() {
            Role::Code if !self.code => true,
            Role::Text | Role::Code | Role::Unread => finder
                .hits(piece.text())
                .all(|hit| visit(Link::Url(Seen { hit: &hit, piece: Some(piece), is_relative: false, base: None }))),
            Role::Link | Role::Form | Role::Base if is_template(piece.text()) => visit(Link::Template(piece)),
            Role::Link | Role::Form | Role::Base => match finder.link(piece.text()) {
                Some(hit) => visit(Link::Url(Seen { hit: &hit, piece: Some(piece), is_relative: false, base: None })),
                None => {
                    let written = std::str::from_utf8(piece.text());
                    if written.is_ok_and(has_scheme) {
                        return visit(Link::OtherScheme(piece));
                    }
                    let base = written.ok().and_then(|link| place.base_of(link));
                    let resolved = base.zip(written.ok()).and_then(|(base, link)| self.resolved(base, link));
                    match resolved.as_ref().and_then(|resolved| finder.link(resolved.as_bytes())) {
                        Some(hit) => visit(Link::Url(Seen { hit: &hit, piece: Some(piece), is_relative: true, base })),
                        None => visit(Link::Unresolved(piece)),
                    }
                }
            },
        }
    }

    /// The URL of a document: that of its file, or below the base.
    fn own(&self, path: Option<&Path>) -> Option<Url<String>> {
        let absolute = |path: &Path| match &self.folder {
            // What is absolute stays what it is.
            Some(folder) => std::path::absolute(folder.join(path)),
            None => std::path::absolute(path),
        };
        let file = path.and_then(|path| absolute(path).ok()).and_then(|path| url_of(&path).ok());
        match (&self.base, file) {
            (None, file) => file,
            (Some(base), None) => Some(base.clone()),
            (Some(base), Some(file)) => {
                let root = self.root.as_ref().or(self.here.as_ref());
                let below = root.and_then(|root| file.as_str().strip_prefix(root.as_str()).map(str::to_owned));
                // A file elsewhere has no place below the base.
                below.and_then(|below| base.resolve(&format!("./{below}")).ok()).map(OwnedReference::into_url)
            }
        }
    }

    /// A relative link from there. `None` if it says too little: from the root of a folder that is not known.
    fn resolved(&self, base: &Url<String>, link: &str) -> Option<String> {
        let is_file = base.scheme() == Scheme::File;
        // What follows a `?` is for a server; a file has no search (section 3.10).
        let cut;
        let link = match link.find(['?', '#']) {
            Some(start) if is_file && link[start..].starts_with('?') => {
                let end = link.find('#').unwrap_or(link.len());
                cut = format!("{}{}", &link[..start], &link[end..]);
                &cut
            }
            _ => link,
        };
        let resolved = match link.strip_prefix('/') {
            Some(rest) if is_file && rest.starts_with('/') => return None,
            Some(rest) if is_file => self.root.as_ref()?.resolve(&format!("./{rest}")),
            _ => base.resolve(link),
        };
        match resolved {
            Ok(resolved) if is_file => Some(self.existing(resolved.as_str())),
            Ok(resolved) => Some(resolved.as_str().to_owned()),
            Err(error) => error.text().map(str::to_owned),
        }
    }

    /// The file that the link means where nothing has its exact name: one with an ending, or the index of a folder.
    fn existing(&self, resolved: &str) -> String {
        if self.endings.is_empty() && self.indexes.is_empty() {
            return resolved.to_owned();
        }
        let (url, fragment) = resolved.split_at(resolved.find('#').unwrap_or(resolved.len()));
        let path = Url::parse_with(url, Profile::Current).ok().and_then(|url| url.to_file_path().ok());
        let candidates = |path: PathBuf| match path.is_dir() {
            true => self.indexes.iter().map(|index| path.join(index)).find(|path| path.is_file()),
            false if path.exists() => None,
            false => self.endings.iter().map(|ending| with_ending(&path, ending)).find(|path| path.is_file()),
        };
        match path.and_then(candidates).and_then(|path| url_of(&path).ok()) {
            Some(found) => format!("{}{fragment}", found.as_str()),
            None => resolved.to_owned(),
        }
    }
}

/// Whether a template puts something into a link: `{{ name }}`, `{% tag %}`, `<%= name %>`, `<?php ... ?>`, `${name}`, `{name}`.
fn is_template(link: &[u8]) -> bool {
    link.trim_ascii_start().starts_with(b"{")
        || link.windows(2).any(|pair| matches!(pair, b"{{" | b"{%" | b"<%" | b"<?" | b"${"))
}

/// Whether a file is reStructuredText, by its name.
fn is_structured(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    name.ends_with(b".rst") || name.ends_with(b".rst.gz")
}

/// The code that reStructuredText shows most often: doctest blocks, paragraphs that begin with `>>>`.
struct Doctests<'t> {
    text: &'t [u8],
    /// The end of the paragraph that was looked at last.
    end: usize,
    is_doctest: bool,
}

impl<'t> Doctests<'t> {
    fn of(text: &'t [u8]) -> Self {
        Doctests { text, end: 0, is_doctest: false }
    }

    /// Whether an octet of the text is in one. Octets are asked about in ascending order.
    fn contain(&mut self, at: usize) -> bool {
        while self.end <= at && self.end < self.text.len() {
            let mut first = None;
            for line in self.text[self.end..].split_inclusive(|octet| *octet == b'\n') {
                self.end += line.len();
                if line.trim_ascii().is_empty() {
                    break;
                }
                first.get_or_insert(line);
            }
            self.is_doctest = first.is_some_and(|line: &[u8]| line.trim_ascii_start().starts_with(b">>>"));
        }
        self.is_doctest
    }
}

/// Says that a document of Markdown is read as text from a place on.
fn unread(name: &str, from: Position) {
    let message = message!(
        "read as text from line {line} on: what begins there has more than {count} marks",
        line = from.line,
        count = MOST_MARKS
    );
    Console::default().message(&about(name, message));
}

/// The longest URL of a `<base>` that relative links are resolved against, in octets: each of them becomes as long (D-101).
pub(crate) const LONGEST_BASE: usize = 2048;

/// The place of a document with this URL and this `<base>`.
fn place(own: Option<Url<String>>, base: Option<&Piece<'_>>) -> Place {
    let base = base.and_then(|base| std::str::from_utf8(base.text()).ok());
    match base {
        None => Place { own: own.clone(), base: own },
        Some(text) => {
            let absolute = Url::parse_with(text.to_owned(), Profile::Current).ok();
            let relative = || own.as_ref().and_then(|own| own.resolve(text).ok()).map(OwnedReference::into_url);
            let base = absolute.or_else(relative).filter(|base| base.as_str().len() <= LONGEST_BASE);
            Place { base, own }
        }
    }
}

/// Where a document is.
struct Place {
    /// Its own URL, for links within it.
    own: Option<Url<String>>,
    /// What other relative links are resolved against: the same, or its `<base>`.
    base: Option<Url<String>>,
}

impl Place {
    /// What a relative link is resolved against.
    fn base_of(&self, link: &str) -> Option<&Url<String>> {
        if link.starts_with('#') { self.own.as_ref() } else { self.base.as_ref() }
    }
}

/// A path with one more ending.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// The URL of an absolute path, read as those of today are.
pub(crate) fn url_of(path: &Path) -> Result<Url<String>, String> {
    let url = Url::from_file_path(path).map_err(|error| error.message_in(language()).to_string())?;
    Url::parse_with(url.as_str().to_owned(), Profile::Current).map_err(|error| refusal::of_text(&error))
}

/// A relative link from `base` to a URL of the same server; from its root if that is wanted.
fn relative(base: &Url<String>, url: &Url<String>, is_rooted: bool) -> Option<String> {
    let names = |link: &str| base.resolve(link).is_ok_and(|resolved| resolved.as_str() == url.as_str());
    let rooted = &url.as_str()[url.spans().path.start..];
    match is_rooted && rooted.starts_with('/') && !rooted.starts_with("//") && names(rooted) {
        true => Some(rooted.to_owned()),
        // What names another server, or nothing at all, is not what an author writes.
        false => base.relativize(url).filter(|link| !link.is_empty() && !link.starts_with("//")),
    }
}

/// Whether a URL can take the place of another one among words, such as in a program: it has only characters that nothing else is made
/// of, and those that were there. A server chooses them.
fn is_plain(url: &str, before: &str) -> bool {
    url.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?=%+,".contains(c) || before.contains(c))
}

/// The URL of a folder, which ends with a slash.
fn folder(path: &Path) -> Result<Url<String>, String> {
    url_of(&path.join(""))
}

/// Whether a link starts with a scheme.
fn has_scheme(link: &str) -> bool {
    let name = link.split([':', '/', '?', '#']).next().unwrap_or_default();
    let is_scheme = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
    link[name.len()..].starts_with(':')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(is_scheme)
}
