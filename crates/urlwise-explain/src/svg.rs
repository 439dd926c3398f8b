//! A picture of a text's parts: SVG that needs nothing else, with the same labels in the same places as the diagram.
//!
//! Each part is written by itself and as wide as its columns, so that lines and parts meet in every font.

use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use urlwise::Language;

use crate::explanation::Explanation;
use crate::labels::{self, Mark, Piece};
use crate::language::{filled, listed, words};
use crate::text::{Stretch, stretches};
use crate::view::View;
use crate::wrap;

/// The widest line, in columns.
const WIDTH: usize = 76;
/// The width of a column; all lengths are in pixels.
const COLUMN: usize = 10;
/// Between the parts and the edge.
const MARGIN: usize = 20;
/// From one row of labels to the next.
const ROW: usize = 20;
/// The height of the line of parts, and of the lines under them.
const PARTS: usize = 32;
/// Between a piece and the next.
const GAP: usize = 16;
/// How many colours parts have.
const COLOURS: usize = 6;
/// The most of a part that the description repeats, in octets.
const DESCRIBED: usize = 120;

const STYLE: &str = "\
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}\
.back{fill:#fff;stroke:#dfe3e1}.url{font-size:16px;fill:#556066}.part{font-weight:600;fill:#1d2326}.label{font-size:13px;fill:#1d2326}\
.c0{fill:#1f8a9a;stroke:#1f8a9a}.c1{fill:#b4632d;stroke:#b4632d}.c2{fill:#7a5cc0;stroke:#7a5cc0}\
.c3{fill:#2f8f54;stroke:#2f8f54}.c4{fill:#b63f73;stroke:#b63f73}.c5{fill:#8a7a1c;stroke:#8a7a1c}\
.tint{fill-opacity:.14;stroke:none}.lead{fill:none;stroke-width:1.5}\
@media (prefers-color-scheme:dark){.back{fill:#1b2024;stroke:#323a3f}.url{fill:#a3adb1}.part,.label{fill:#e3e6e4}\
.c0{fill:#5cc3d2;stroke:#5cc3d2}.c1{fill:#e8a06c;stroke:#e8a06c}.c2{fill:#b79cf0;stroke:#b79cf0}\
.c3{fill:#6fca92;stroke:#6fca92}.c4{fill:#ee8db5;stroke:#ee8db5}.c5{fill:#cdbb58;stroke:#cdbb58}}";

impl Explanation<'_> {
    /// A picture of the text's parts as an SVG document: each part in colour, its label under it, what it stands for behind its name.
    /// Of a long text the beginning and the end are drawn.
    ///
    /// It loads nothing, holds no script, is readable on light and dark pages, and has a title and a description for people who do
    /// not see it. Passwords are masked as everywhere, and what could deceive is escaped.
    ///
    /// ```
    /// use urlwise_explain::Explanation;
    ///
    /// let svg = Explanation::of(b"gopher://host.dom/0a&b", None, false).svg();
    /// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    /// assert!(svg.contains(">a&amp;b</text>"));
    /// ```
    pub fn svg(&self) -> String {
        self.svg_in(Language::En)
    }

    /// [`svg`](Explanation::svg), in a language.
    pub fn svg_in(&self, language: Language) -> String {
        let (octets, marks) = (self.readings().drawn().octets(), self.marks_in(language));
        let mut content = Vec::new();
        let (mut y, mut columns) = (MARGIN, 0);
        for stretch in stretches(octets, self.secrets(), false) {
            match stretch {
                Stretch::LeftOut(count) => {
                    content
                        .push(html! { text class="url" x=(MARGIN) y=(y + 14) { (wrap::left_out(count, language)) } });
                    y += PARTS;
                }
                Stretch::Drawn(view) => {
                    for piece in labels::pieces(&view, &marks, WIDTH, language) {
                        content.push(drawn(&view, &marks, &piece, y));
                        columns = columns.max(right_end(&piece));
                        let rows = piece.labels.iter().filter_map(|label| label.row).max().map_or(0, |last| last + 1);
                        y += PARTS + rows * ROW + GAP;
                    }
                }
            }
        }
        let (width, height) = (columns * COLUMN + 2 * MARGIN, y + MARGIN - GAP.min(y - MARGIN));
        let view_box = ["0 0 ", &width.to_string(), " ", &height.to_string()].concat();
        let url = self.written(octets, 0..octets.len(), 5 * DESCRIBED, language);
        let title = filled!(language, "The parts of {url}", url = url).text();
        // Of a picture without it, a reader of the screen takes the language of the page.
        let tag = (language != Language::En).then(|| language.tag());
        let picture = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(view_box) lang=[tag] role="img" aria-labelledby="title desc" {
                title id="title" { (title) }
                desc id="desc" { (self.described(&marks, language)) }
                style { (PreEscaped(STYLE)) }
                rect class="back" x="0.5" y="0.5" width=(width - 1) height=(height - 1) rx="9" {}
                @for piece in &content { (piece) }
            }
        };
        // XML has no noncharacters.
        picture.into_string().replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}") + "\n"
    }

    /// Octets of the text, elided; a backslash is doubled only where it could be taken for an escape.
    fn written(&self, octets: &[u8], span: Range<usize>, most: usize, language: Language) -> String {
        match self.secrets().plain(octets, span.clone()) {
            Some(plain) => wrap::elide_in(&plain, most, language),
            None => self.secrets().elided_in(octets, span, most, language),
        }
    }

    /// The parts in words: `scheme: ftp; cwd: %2Fetc = /etc`.
    fn described(&self, marks: &[Mark], language: Language) -> String {
        let octets = self.readings().drawn().octets();
        let part = |mark: &Mark| {
            let written = self.written(octets, mark.span.clone(), DESCRIBED, language);
            let mut said = mark.name.to_string();
            if !written.is_empty() {
                said += &words!(": ").get(language);
                said += &written;
            }
            if let Some(decoded) = &mark.decoded {
                said.extend([" = ", &wrap::elide_in(decoded, DESCRIBED, language)]);
            }
            said
        };
        listed(marks.iter().map(part), [words!("; "); 2], language)
    }
}

/// The column behind what is drawn for a piece.
fn right_end(piece: &Piece) -> usize {
    let labels = piece.labels.iter().filter(|label| !label.left);
    let label_ends = labels.map(|label| label.anchor() + wrap::width_of(&label.text));
    label_ends.max().unwrap_or_default().max(piece.columns.len())
}

/// A piece whose upper edge is at `y`.
fn drawn(view: &View<'_>, marks: &[Mark], piece: &Piece<'_>, y: usize) -> Markup {
    let begin = piece.columns.start;
    let x = |column: usize| MARGIN + (column - begin) * COLUMN;
    let parts = parts(view, marks, &piece.columns);
    let colour_at =
        |column: usize| parts.iter().find(|part| part.columns.start == column).map_or(0, |part| part.colour);
    let rest = parts.last().map_or(begin, |part| part.columns.end)..piece.columns.end;
    html! {
        @for Part { before, columns, colour } in &parts {
            (run(view, before, "url", x(before.start), y))
            @if !columns.is_empty() {
                rect class={ "tint c" (colour) } x=(x(columns.start)) y=(y) width=(columns.len() * COLUMN) height="24" rx="3" {}
            }
            (run(view, columns, "url part", x(columns.start), y))
            rect class={ "c" (colour) } x=(x(columns.start)) y=(y + 24) width=(columns.len().max(1) * COLUMN - 2) height="4" stroke="none" {}
        }
        (run(view, &rest, "url", x(rest.start), y))
        @for label in &piece.labels {
            @let (line, base) = (x(begin + label.anchor()) + 2, y + PARTS + label.row.unwrap_or_default() * ROW + 12);
            path class={ "lead c" (colour_at(begin + label.anchor())) } d=(lead(line, y + 28, base, label.left)) {}
            @if label.left {
                text class="label" x=(line - 8) y=(base) text-anchor="end" { (label.text) }
            } @else {
                text class="label" x=(line) y=(base) { (label.text) }
            }
        }
    }
}

/// A part that is drawn.
struct Part {
    /// The columns between the part before it and this one.
    before: Range<usize>,
    columns: Range<usize>,
    colour: usize,
}

/// The parts in these columns of a view. A part within another one is named by it.
fn parts(view: &View<'_>, marks: &[Mark], shown: &Range<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = shown.start;
    for (number, mark) in marks.iter().enumerate() {
        let Some(columns) = view.columns(&mark.span) else { continue };
        let columns = columns.start.max(at)..columns.end.min(shown.end);
        let is_here = shown.contains(&columns.start) || columns.is_empty() && columns.start == shown.end;
        if columns.start <= columns.end && is_here {
            parts.push(Part { before: at..columns.start, columns: columns.clone(), colour: number % COLOURS });
            at = columns.end;
        }
    }
    parts
}

/// Text that takes exactly its columns.
fn run(view: &View<'_>, columns: &Range<usize>, class: &str, x: usize, y: usize) -> Markup {
    let text = view.slice(columns.clone()).0;
    html! {
        @if !columns.is_empty() {
            text class=(class) x=(x) y=(y + 17) textLength=(columns.len() * COLUMN) lengthAdjust="spacingAndGlyphs" { (text) }
        }
    }
}

/// The line from under a part to its label.
fn lead(x: usize, top: usize, base: usize, is_left: bool) -> String {
    match is_left {
        true => format!("M{x} {top}V{}h-5", base - 4),
        false => format!("M{x} {top}V{}", base - 11),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(octets: &[u8]) -> String {
        let svg = Explanation::of(octets, None, false).svg();
        // A document: what is opened is closed, in order, and nothing else begins with `<` or `&`.
        let mut open = Vec::new();
        for piece in svg.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("a tag ends");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{svg}"),
                None => open.push(tag.split(' ').next().expect("a name")),
            }
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let is_escape = |rest: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|name| rest.starts_with(name));
            assert!(text.split('&').skip(1).all(is_escape), "{text}");
        }
        assert_eq!(open, [""; 0], "{svg}");
        svg
    }

    #[test]
    fn a_backslash_is_doubled_only_beside_escapes() {
        let plain = svg(br"http://library.example\@elsewhere.example/maps");
        assert!(plain.contains(r"The parts of http://library.example\@elsewhere.example/maps</title>"), "{plain}");
        assert!(plain.contains(r"user: library.example\; host") && !plain.contains(r"\\"), "{plain}");
        let escaped = svg(b"http://a\\@b.example/\x1b");
        assert!(escaped.contains(r"http://a\\@b.example/\x1b</title>"), "{escaped}");
    }

    #[test]
    fn parts_are_as_wide_as_their_columns_and_labelled() {
        let svg = svg("ftp://host.dom/%2Fetc/\u{4e2d}x".as_bytes());
        for expected in [
            "textLength=\"30\" lengthAdjust=\"spacingAndGlyphs\">ftp</text>",
            "textLength=\"30\" lengthAdjust=\"spacingAndGlyphs\">\u{4e2d}x</text>",
            ">cwd = /etc</text>",
            "<title id=\"title\">The parts of ftp://host.dom/%2Fetc/\u{4e2d}x</title>",
            "scheme: ftp; host: host.dom; cwd: %2Fetc = /etc; name: \u{4e2d}x",
            "prefers-color-scheme:dark",
            "role=\"img\"",
        ] {
            assert!(svg.contains(expected), "{expected} in {svg}");
        }
    }

    #[test]
    fn security_67_a_picture_holds_no_markup_of_its_url() {
        for text in [
            "gopher://h/0</text><script>alert(1)</script>",
            "http://h/\"onload=\"x&amp;'<!--",
            "x:\u{202e}\u{1b}[m\0\u{fffe}\u{ffff}]]>",
            "<svg onload=x>",
            "",
        ] {
            let svg = svg(text.as_bytes());
            assert!(!svg.contains("<script") && !svg.contains("<!--") && svg.matches("<svg").count() == 1, "{svg}");
            assert!(!svg.contains(['\u{202e}', '\u{1b}', '\0', '\u{fffe}', '\u{ffff}']), "{svg}");
            assert!(!svg.contains("href") && !svg.contains("url("), "it loads nothing: {svg}");
        }
        svg(b"ftp://h/\xff\xfe");
    }

    #[test]
    fn security_69_a_picture_masks_passwords() {
        let svg = svg(b"ftp://joe:s3cret@host.dom/a");
        assert!(svg.contains("***") && !svg.contains("s3cret"), "{svg}");
    }

    #[test]
    fn of_a_long_text_the_ends_are_drawn_and_lines_stay_on_the_picture() {
        let svg = svg(format!("http://host.dom/{}?{}", "a/".repeat(4000), "q".repeat(4000)).as_bytes());
        assert!(svg.len() < 20_000 && svg.contains("octets ...]"), "{}", svg.len());
        let width: usize = svg
            .split_once(" width=\"")
            .expect("a width")
            .1
            .split('"')
            .next()
            .expect("its end")
            .parse()
            .expect("a number");
        assert!(width <= WIDTH * COLUMN + 2 * MARGIN + COLUMN, "{width}");
        for text in svg.split("<text ").skip(1) {
            let x = text.split_once(" x=\"").expect("a place").1.split('"').next().expect("its end");
            let x: usize = x.parse().expect("a number");
            let length = text.split_once("textLength=\"").and_then(|(_, rest)| rest.split('"').next()?.parse().ok());
            assert!(x + length.unwrap_or(0) <= width, "{text}");
        }
    }
}
