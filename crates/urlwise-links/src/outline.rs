//! The lines of Markdown: what of them may begin, continue or end a block.

/// The content of a line.
pub(crate) struct Content {
    /// How many octets stand before it: blanks, and the marks of quotations, headings, items and footnotes.
    pub(crate) start: usize,
    /// Whether it is that of an item, which ends what stands before it, but for code and HTML.
    pub(crate) is_item: bool,
}

impl Content {
    pub(crate) fn of(line: &[u8]) -> Self {
        let (mut start, mut is_item) = (0, false);
        loop {
            let blanks = line[start..].iter().take_while(|octet| is_blank(octet)).count();
            // Behind a definition, what has more before it begins no block.
            let may_begin = blanks == 0 || blanks < 4 && !line[start..start + blanks].contains(&b'\t');
            let is_first = start == 0 && may_begin;
            start += blanks;
            start += match &line[start..] {
                [b'-' | b'*' | b'+', blank, ..] if is_blank(blank) => {
                    is_item |= is_first;
                    1
                }
                [b'>', ..] => 1,
                [b'#', ..] => 1,
                [b'[', b'^', rest @ ..] if may_begin => {
                    let label = rest.iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
                    match rest[label..] {
                        [b']', b':', ..] if label > 0 => label + 4,
                        _ => return Content { start, is_item },
                    }
                }
                [b'0'..=b'9', rest @ ..] => {
                    let digits = rest.iter().take_while(|octet| octet.is_ascii_digit()).count();
                    match rest[digits..] {
                        [b'.' | b')', blank, ..] if is_blank(&blank) => digits + 2,
                        _ => return Content { start, is_item },
                    }
                }
                _ => return Content { start, is_item },
            };
        }
    }
}

fn is_blank(octet: &u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// The first line of a text, with its end.
pub(crate) fn line(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1)]
}

/// The mark of an item or a heading, with the blank or the line end behind it, if a text begins with one that ends the block before it;
/// otherwise "". An item with a number other than 1 may be text, here and wherever its mark is put.
pub(crate) fn mark(text: &str) -> &str {
    let octets = text.as_bytes();
    let count = |is_one: fn(&u8) -> bool| octets.iter().take_while(|octet| is_one(octet)).count();
    let length = match octets {
        [b'-' | b'*' | b'+', ..] => 1,
        [b'0'..=b'9', ..] => match count(u8::is_ascii_digit) {
            digits @ 1..10 if matches!(octets.get(digits), Some(b'.' | b')')) => digits + 1,
            _ => return "",
        },
        [b'#', ..] => match count(|octet| *octet == b'#') {
            hashes @ 1..=6 => hashes,
            _ => return "",
        },
        _ => return "",
    };
    let is_mark = match octets[length..] {
        // An empty item cannot interrupt a paragraph, and the delimiter row of a table is not an item.
        [b' ', first, ..] => first > b' ' && !may_be_delimiter_row(line(octets)),
        // An empty heading can.
        [b'\n', ..] => octets[0] == b'#',
        _ => false,
    };
    if is_mark { &text[..=length] } else { "" }
}

/// Whether a line may be the delimiter row of a table, inside a quotation or not.
pub(crate) fn may_be_delimiter_row(line: &[u8]) -> bool {
    line.contains(&b'-') && line.iter().all(|octet| b" \t\r\n-:|>".contains(octet))
}

/// Whether a line can only be blank, the underline of a heading, a thematic break or the delimiter row of a table.
pub(crate) fn is_only_a_line(content: &[u8]) -> bool {
    let is_space = |octet: &u8| matches!(octet, b'\t'..=b'\r' | b' ');
    let has_only = |octets: &[u8]| content.iter().all(|octet| is_space(octet) || octets.contains(octet));
    has_only(b"-:|") || has_only(b"=") || has_only(b"*") || has_only(b"_")
}

/// Where the rest of a line begins that has nothing to do with blocks, whatever is in it, so that a letter may stand for it. `None` if that
/// cannot be told without the lines around it or the whole standard. The line is given behind the blanks and marks of what it is in.
///
/// Three things in the middle of a line still count: what ends an open block of HTML, which has a `>`, brackets of a definition, and `|`
/// in the header row of a table.
pub(crate) fn rest(content: &[u8]) -> Option<usize> {
    if is_only_a_line(content) || !content.ends_with(b"\n") {
        return None;
    }
    let is_text = match content {
        [b'<', ..] => return behind_tag(content),
        // A fence. What begins like one shows where a part may end, so it stays.
        [first @ (b'`' | b'~'), rest @ ..] => return (!rest.starts_with(&[*first; 2])).then_some(1),
        // An item.
        [b'-' | b'+' | b'*', second, ..] => *second > b' ',
        [b'0'..=b'9', ..] => {
            let digits = content.iter().take_while(|octet| octet.is_ascii_digit()).count();
            !matches!(content[digits..], [b'.' | b')', second, ..] if second <= b' ')
        }
        // A task, and an alert.
        [b'[', 0..=b' ' | b'x' | b'X', b']', ..] | [b'[', b'!', ..] => false,
        [first, ..] => *first > b' ' && !matches!(first, b'#' | b'>'),
        [] => false,
    };
    is_text.then_some(0)
}

/// The same for a line that begins with `<`.
fn behind_tag(content: &[u8]) -> Option<usize> {
    let name = content[1..].strip_prefix(b"/").unwrap_or(&content[1..]);
    let length = name.iter().take_while(|octet| octet.is_ascii_alphanumeric() || **octet == b'-').count();
    let (name, behind) = name.split_at(length);
    if name.is_empty() && matches!(content[1], b'!' | b'?') {
        return None;
    }
    let is_tag = !name.is_empty() && matches!(behind[0], 0..=b' ' | b'>' | b'/');
    if !is_tag {
        return Some(0);
    }
    let lower = || name.iter().map(u8::to_ascii_lowercase);
    if BLOCKS.binary_search_by(|block| block.bytes().cmp(lower())).is_ok() {
        return None;
    }
    let Some(end) = memchr::memchr(b'>', content) else { return Some(0) };
    // A `>` in quotation marks does not end it.
    let is_quoted = memchr::memchr2(b'"', b'\'', &content[..end]).is_some();
    // Alone in its line, any tag begins a block.
    let rest = content[end + 1..].iter().position(|octet| *octet > b' ')?;
    (!is_quoted).then_some(end + 1 + rest)
}

/// Whether a line of a text may begin a block of HTML that only what has a `>` ends: a comment, a script or the like.
pub(crate) fn may_begin_long_html(text: &str) -> bool {
    const ELEMENTS: [&[u8]; 4] = [b"pre", b"script", b"style", b"textarea"];
    let octets = text.as_bytes();
    memchr::memchr_iter(b'<', octets).any(|at| match &octets[at + 1..] {
        [b'!' | b'?', ..] => true,
        [b'p' | b'P' | b's' | b'S' | b't' | b'T', ..] => ELEMENTS.iter().any(|element| {
            octets.get(at + 1..at + 1 + element.len()).is_some_and(|name| name.eq_ignore_ascii_case(element))
        }),
        _ => false,
    })
}

/// The elements with which a line begins a block of HTML, whatever follows (`CommonMark` 0.31, 4.6), sorted for the binary search. Where one
/// is missing, the document is still read correctly, but twice.
const BLOCKS: [&str; 66] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "pre",
    "script",
    "search",
    "section",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Each text up to the mark stays.
    #[test]
    fn a_letter_may_stand_for_the_rest_of_a_line() {
        for line in [
            "^a",
            "^[q][r]",
            "^\\_",
            "^&amp;",
            "^\"a\"",
            "^\u{e9}",
            "`^`a",
            "~^~a",
            "^-a",
            "^|a",
            "^a|-|",
            "^+a",
            "^*a",
            "^_a_",
            "^=a",
            "^_*",
            "^=-",
            "^1",
            "^12.a",
            "^!a",
            "^[a] b",
            "^<3",
            "^<a:b>",
            "^<a",
            "^<",
            "^<a b=c",
            "<b>^a",
            "</b > ^a",
            "<a b=c> ^d",
            "<b/>\t^<p>",
        ] {
            let (before, behind) = line.split_once('^').unwrap_or_default();
            assert_eq!(rest(format!("{before}{behind}\n").as_bytes()), Some(before.len()), "{line}");
            assert_eq!(rest(format!("{before}{behind}").as_bytes()), None, "{line} without an end");
        }
    }

    #[test]
    fn what_may_begin_continue_or_end_a_block_stays() {
        for line in [
            "",
            "-",
            "---",
            "- - -",
            "***",
            "___",
            "===",
            "=\u{b}",
            "--\u{c}\t",
            ":-:",
            "\ta",
            "\u{1}a",
            " a",
            "-\ta",
            "*\ta",
            "+\r",
            "1.\ta",
            "12)\ta",
            "```a",
            "~~~ a",
            "#a",
            ">a",
            "[ ] a",
            "[\t] a",
            "[x] a",
            "[X] a",
            "[!NOTE]",
            "<!a>",
            "<?a",
            "<p>a",
            "</DIV a",
            "<pre",
            "<h1/>a",
            "<b>",
            "<b> \t\u{b}\r",
            "</b>",
            "<a b='>'> c",
            "<a b=\">\"> c",
        ] {
            assert_eq!(rest(format!("{line}\n").as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn items_and_headings_begin_with_a_mark() {
        for (line, expected) in [
            ("- a", "- "),
            ("* a", "* "),
            ("+ *", "+ "),
            ("1. a", "1. "),
            ("123) a", "123) "),
            ("- |a", "- "),
            ("- |-\na", ""),
            ("- - -", ""),
            ("# a", "# "),
            ("### a", "### "),
            ("##\na", "##\n"),
            ("###### a", "###### "),
            ("######\n", "######\n"),
            ("####### a", ""),
            ("#######\n", ""),
            ("1#\n", ""),
            ("1# a", ""),
            ("1- a", ""),
            ("123456789. a", "123456789. "),
            ("1234567890. a", ""),
            ("#\r\n", ""),
            ("#a", ""),
            ("", ""),
            ("-", ""),
            ("- ", ""),
            ("-  a", ""),
            ("- \n", ""),
            ("-a", ""),
            ("1a. b", ""),
            ("1", ""),
            ("1\u{e9} b", ""),
            (" - a", ""),
            ("a", ""),
        ] {
            assert_eq!(mark(line), expected, "{line:?}");
        }
    }

    #[test]
    fn html_that_an_empty_line_does_not_end_is_told() {
        use pulldown_cmark::{Event, Parser};

        let (mut count, mut long) = (0, 0);
        let names =
            BLOCKS.iter().copied().chain(["a", "b", "prefix", "script", "!--", "!a", "![CDATA[", "?a", "PRE", "sTyle"]);
        for name in names {
            let text = format!("a\n\n<{name}>\n\nb");
            let mut events = Parser::new(&text);
            let is_long = !events.any(|event| matches!(event, Event::Text(text) if &*text == "b"));
            assert!(!is_long || may_begin_long_html(&text), "{name}");
            long += usize::from(is_long);
            count += usize::from(!may_begin_long_html(&text));
        }
        // `prefix` is not long.
        assert_eq!(count, BLOCKS.len() - 4 + 2);
        assert!(long >= 7, "only {long}");
    }

    #[test]
    fn the_elements_are_those_of_the_parser() {
        use pulldown_cmark::{Event, Parser, Tag};

        let begins_block = |name: &str| {
            let text = format!("<{name}>a\n");
            matches!(Parser::new(&text).next(), Some(Event::Start(Tag::HtmlBlock)))
        };
        assert!(BLOCKS.is_sorted() && BLOCKS.iter().all(|name| begins_block(name)));
        for name in ["a", "b", "br", "code", "em", "img", "kbd", "source", "span", "sub", "video"] {
            assert!(!begins_block(name), "{name}");
        }
    }
}
