//! A text with its parts in colour, in one piece, and below it what each part is and stands for.

use std::ops::Range;

use maud::{Markup, html};
use urlwise::Language;
use urlwise_explain::Mark;
use urlwise_explain::secret::Secrets;
use urlwise_explain::wrap::elide_in;

/// The most of a part that is shown, in octets.
pub(crate) const SHOWN: usize = 500;
/// A longer text is never complete in memory as it is shown, in octets: it would take four times its length, and most of it is elided.
pub(crate) const LONG: usize = 4 << 10;
/// How many colours parts have.
const COLOURS: usize = 8;

/// A piece of the text, its passwords masked. A backslash is doubled only where it could be taken for an escape.
pub(crate) fn shown(octets: &[u8], span: Range<usize>, secrets: &Secrets) -> String {
    secrets.plain(octets, span.clone()).unwrap_or_else(|| secrets.shown(octets, span))
}

/// The same, elided.
pub(crate) fn elided(octets: &[u8], span: Range<usize>, secrets: &Secrets, language: Language) -> String {
    match span.len() > LONG {
        true => secrets.elided_in(octets, span, SHOWN, language),
        false => elide_in(&shown(octets, span, secrets), SHOWN, language),
    }
}

/// A piece of the text: a part with its colour, or what stands between two.
struct Piece<'m> {
    mark: Option<(usize, &'m Mark)>,
    written: String,
}

/// The text and its parts. A screen reader gets the text as one, and the parts as a list.
pub(crate) fn markup(octets: &[u8], marks: &[Mark], secrets: &Secrets, language: Language) -> Markup {
    let piece = |mark, span| Piece { mark, written: elided(octets, span, secrets, language) };
    let mut pieces = Vec::new();
    let mut at = 0;
    for mark in marks {
        // A part within another one is named by it.
        if mark.span.start < at {
            continue;
        }
        pieces.push(piece(None, at..mark.span.start));
        pieces.push(piece(Some((pieces.len() / 2 % COLOURS, mark)), mark.span.clone()));
        at = mark.span.end;
    }
    pieces.push(piece(None, at..octets.len()));
    html! {
        div class="diagram" {
            p {
                code {
                    @for Piece { mark, written } in &pieces {
                        @match mark {
                            Some((colour, _)) => { @if !written.is_empty() { span class={ "part part-" (colour) } { (written) } } }
                            None => (written),
                        }
                    }
                }
            }
            dl class="parts" {
                @for Piece { mark, written } in &pieces {
                    @if let Some((colour, mark)) = mark {
                        div class={ "part-" (colour) } {
                            dt { (mark.name) }
                            dd {
                                @if !written.is_empty() { code { (written) } }
                                @if let Some(decoded) = &mark.decoded { " = " b { (decoded) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::markup;
    use urlwise::Language;
    use urlwise_explain::Explanation;

    fn drawn(text: &str) -> String {
        let explanation = Explanation::of(text.as_bytes(), None, false);
        markup(text.as_bytes(), &explanation.marks(), explanation.secrets(), Language::En).into_string()
    }

    /// The text of the first element `code`, without its markup.
    fn written(page: &str) -> String {
        let code = page.split_once("<code>").and_then(|(_, rest)| rest.split_once("</code>")).expect("it has code").0;
        code.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect()
    }

    #[test]
    fn the_text_reads_as_one_and_its_parts_follow_with_what_they_stand_for() {
        for text in [
            "ftp://joe@host.dom/%2Fetc/a%20b;type=i",
            "ftp://host.dom/%2Fetc/a b",
            "http://@host.dom:/",
            "nonsense",
            "",
        ] {
            assert_eq!(written(&drawn(text)), text);
        }
        let page = drawn("ftp://host.dom/%2Fetc/a b;type=i");
        assert!(page.contains("<dt>cwd</dt><dd><code>%2Fetc</code> = <b>/etc</b></dd>"), "it is not valid: {page}");
        assert!(page.contains("<dt>typecode: octets</dt><dd><code>i</code></dd>"), "{page}");
        let page = drawn("ftp://@host.dom/");
        assert!(page.contains("<dt>empty user</dt><dd></dd>"), "{page}");
    }

    #[test]
    fn a_part_has_one_colour_in_the_text_and_in_the_list_and_not_that_of_its_neighbour() {
        let page = drawn("ftp://joe@host.dom/a/b");
        for (name, colour) in [("scheme", 0), ("user", 1), ("host", 2), ("cwd", 3), ("name", 4)] {
            assert!(page.contains(&format!("<div class=\"part-{colour}\"><dt>{name}</dt>")), "{page}");
            assert_eq!(page.matches(&format!("part-{colour}\"")).count(), 2, "{page}");
        }
    }

    #[test]
    fn no_part_of_a_long_url_has_the_colour_of_another_one() {
        let page = drawn("ftp://joe:s3cret@host.dom:2121/a/b;type=i");
        for colour in 0..8 {
            assert_eq!(page.matches(&format!("part-{colour}\"")).count(), 2, "{page}");
            assert!(include_str!("../style.css").contains(&format!(".part-{colour} {{ --hue: ")), "{colour}");
        }
    }

    #[test]
    fn security_69_a_password_is_masked_in_both() {
        let page = drawn("ftp://joe:s3cret@host.dom/");
        assert!(page.matches("***").count() == 2 && !page.contains("s3cret"), "{page}");
    }
}
