//! The fragments of Markdown: headings, names in its HTML, and names in braces.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::assemble::What;
use crate::html::{self, Sink};
use crate::piece::{Role, Syntax};
use crate::word::is_word;
use crate::{front_matter, markdown};

/// The names of a document.
pub(crate) fn names(source: &str) -> HashSet<Vec<u8>> {
    let source = &source[front_matter::length(source)..];
    let mut names = Names { source, names: HashSet::new(), counts: HashMap::new(), heading: None, at: 0 };
    // How many images are open. Their descriptions are no text of the document, and tags in them no tags.
    let mut images = 0_usize;
    let mut is_in_code = false;
    let text = markdown::as_items(source);
    for (event, span) in Parser::new_ext(&text, markdown::options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Start(Tag::CodeBlock(_)) => is_in_code = true,
            Event::End(TagEnd::CodeBlock) => is_in_code = false,
            _ if images > 0 || is_in_code => {}
            Event::Start(Tag::Heading { .. }) => names.heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => names.end_heading(),
            Event::Text(text) => {
                names.add_text(&text);
                names.add_braces(span);
            }
            Event::Code(text) => names.add_text(&text),
            Event::SoftBreak | Event::HardBreak => names.add_text(" "),
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => names.add_html(span),
            _ => {}
        }
    }
    names.names
}

/// The names of a document while it is read.
struct Names<'s> {
    source: &'s str,
    names: HashSet<Vec<u8>>,
    /// The slugs that there are, and the last number of each.
    counts: HashMap<String, usize>,
    /// The text of the heading that is open.
    heading: Option<String>,
    /// In HTML, where the text starts that follows the last tag.
    at: usize,
}

impl Names<'_> {
    /// Text of a heading, if one is open.
    fn add_text(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.push_str(text);
        }
    }

    /// The heading that is open ends here.
    fn end_heading(&mut self) {
        let Some(text) = self.heading.take() else { return };
        self.add_heading(&text);
        if let Some(text) = without_attributes(&text) {
            self.names.insert(slug(text).into_bytes());
        }
    }

    fn add_heading(&mut self, text: &str) {
        let name = unique(&slug(text), &mut self.counts);
        self.names.insert(name.into_bytes());
    }

    /// A block of HTML, or a tag.
    fn add_html(&mut self, span: Range<usize>) {
        self.at = span.start;
        html::scan(&self.source.as_bytes()[..span.end], span.start, self);
        self.add_text_of_html(span.end);
    }

    /// The text of HTML up to here.
    fn add_text_of_html(&mut self, end: usize) {
        if self.heading.is_some() {
            let text = html::decode(self.source.as_bytes(), self.at..end, Role::Text, Syntax::Html);
            self.add_text(&String::from_utf8_lossy(text.text()));
        }
    }

    /// What stands in braces in this part of the text.
    fn add_braces(&mut self, span: Range<usize>) {
        /// The longest list of attributes.
        const LONGEST: usize = 256;
        let source = self.source;
        for at in memchr::memchr_iter(b'{', &source.as_bytes()[span.clone()]).map(|at| span.start + at) {
            // Two of them begin what a template puts in.
            let is_template = source.as_bytes()[..at].ends_with(b"{");
            let inside = &source.as_bytes()[at + 1..];
            let inside = &inside[..inside.len().min(LONGEST)];
            let end = inside.iter().position(|octet| matches!(octet, b'}' | b'{' | b'\n'));
            if let Some(end) = end.filter(|end| inside[*end] == b'}' && !is_template) {
                let words = source[at + 1..at + 1 + end].trim_start_matches(':').split_whitespace();
                let named = words.filter_map(|word| word.strip_prefix('#')).filter(|name| !name.is_empty());
                self.names.extend(named.map(|name| name.as_bytes().to_vec()));
            }
        }
    }
}

impl Sink for Names<'_> {
    const TAKES_NAMES: bool = true;
    const TAKES_ALL_NAMES: bool = true;

    fn mark(&mut self, span: Range<usize>, what: What) {
        if matches!(what, What::Verbatim) {
            self.add_text_of_html(span.start);
            self.at = span.end;
        }
    }

    fn open_code(&mut self, _: usize) {}

    fn close_code(&mut self, _: usize) {}

    fn name(&mut self, name: Vec<u8>) {
        self.names.insert(name);
    }

    fn tag(&mut self, span: Range<usize>, tag: html::Tag<'_>) {
        self.add_text_of_html(span.start);
        self.at = span.end;
        match tag {
            html::Tag::Start(name) if is_heading(name) => self.heading = Some(String::new()),
            html::Tag::End(name) if is_heading(name) => {
                // The blanks around lines count on GitHub, and not elsewhere.
                let trimmed = self.heading.as_deref().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
                let trimmed = trimmed.filter(|trimmed| self.heading.as_ref() != Some(trimmed));
                self.end_heading();
                trimmed.into_iter().for_each(|text| self.add_heading(&text));
            }
            html::Tag::Start(_) | html::Tag::End(_) => {}
        }
    }
}

fn is_heading(element: &[u8]) -> bool {
    matches!(element, [b'h' | b'H', b'1'..=b'6'])
}

/// The text of a heading before a list of attributes without a name, as in `Set up {.wide}`; `None` if there is no such list.
fn without_attributes(heading: &str) -> Option<&str> {
    let (text, attributes) = heading.trim_end().strip_suffix('}')?.rsplit_once('{')?;
    let mut words = attributes.trim_start_matches(':').split_whitespace();
    let is_list = words.clone().next().is_some_and(|word| word.starts_with('.') || word.contains('=') || word == "-");
    (is_list && !words.any(|word| word.starts_with('#'))).then(|| text.trim_end())
}

/// The fragment of a heading. Blanks that markup or references leave at its ends count.
fn slug(heading: &str) -> String {
    let kept = |c: &char| c.is_alphabetic() || *c == ' ' || *c == '-' || is_word(*c);
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// With a number that is free, if the slug was there before.
fn unique(slug: &str, counts: &mut HashMap<String, usize>) -> String {
    let mut name = slug.to_owned();
    while counts.contains_key(&name) {
        let count = counts.entry(slug.to_owned()).or_default();
        *count += 1;
        name = format!("{slug}-{count}");
    }
    counts.insert(name.clone(), 0);
    name
}
