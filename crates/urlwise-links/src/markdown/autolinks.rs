//! What GitHub makes a link of although no scheme stands before it: `www.host.dom` and `joe@host.dom` (GitHub Flavored Markdown, section
//! 6.9).

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::piece::{Piece, Role};

/// Where the name of a site begins.
const SITE: &str = "www.";

/// Finds it. Most pieces of a text are too short to make one for each.
static SITES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(SITE));

/// The length of the shortest link, such as `www.a`.
const SHORTEST: usize = 5;

/// The longest local part of an address (RFC 5321).
const LONGEST_LOCAL: usize = 64;

/// The longest name of a host.
const LONGEST_HOST: usize = 253;

/// How far to look back for the start of a word, in octets. Nobody writes longer ones for people to read.
const LONGEST_WORD: usize = 256;

/// What a part of a text is.
enum Link {
    /// From here on, `http://` is meant.
    Site(usize),
    Address(Range<usize>),
}

/// Gives a piece of a document to `visit`, in parts if there are such links in it. Before the name of a site stands the scheme then, and an
/// address is a link.
pub(crate) fn split<'s>(source: &'s [u8], piece: Piece<'s>, visit: &mut impl FnMut(Piece<'s>) -> bool) -> bool {
    // No shorter text has one, and much of the text between marks is shorter.
    if piece.text().len() < SHORTEST || !piece.may_have_autolinks() {
        return visit(piece);
    }
    let before = piece.span().start.checked_sub(1).map(|before| source[before]);
    let mut links = Links::of(piece.text(), before);
    let Some(mut link) = links.next() else { return visit(piece) };
    let (mut at, mut scheme) = (0, "");
    loop {
        let start = match &link {
            Link::Site(start) => *start,
            Link::Address(span) => span.start,
        };
        if start > at && !visit(piece.part(at..start, scheme, Role::Text)) {
            return false;
        }
        (at, scheme) = match link {
            Link::Site(start) => (start, "http://"),
            Link::Address(span) => {
                if !visit(piece.part(span.clone(), "mailto:", Role::Link)) {
                    return false;
                }
                (span.end, "")
            }
        };
        link = match links.next() {
            Some(next) => next,
            None => break,
        };
    }
    at == piece.text().len() || visit(piece.part(at..piece.text().len(), scheme, Role::Text))
}

/// The links in a text, in order.
struct Links<'t> {
    text: &'t [u8],
    /// What stands before the text.
    before: Option<u8>,
    /// Everything before it is searched.
    at: usize,
    /// The next place where a site, or the host of an address, may begin.
    next: [Option<usize>; 2],
    /// The words that the last site and the last address are in.
    words: [Word; 2],
    /// The end of the name that the last site begins with.
    host: usize,
    /// The texts of links, once that matters.
    labels: Option<Vec<Range<usize>>>,
}

impl<'t> Links<'t> {
    fn of(text: &'t [u8], before: Option<u8>) -> Self {
        let words = [Word::default(); 2];
        let mut links = Links { text, before, at: 0, next: [None; 2], words, host: 0, labels: None };
        links.next = [links.site_from(0), links.sign_from(0)];
        links
    }

    fn site_from(&self, at: usize) -> Option<usize> {
        Some(at + SITES.find(&self.text[at..])?)
    }

    fn sign_from(&self, at: usize) -> Option<usize> {
        Some(at + memchr::memchr(b'@', &self.text[at..])?)
    }

    fn next(&mut self) -> Option<Link> {
        loop {
            let [site, sign] = self.next;
            let is_site = site.is_some_and(|site| sign.is_none_or(|sign| site < sign));
            let link = match (site, sign) {
                (Some(site), _) if is_site => {
                    self.next[0] = self.site_from(site + SITE.len());
                    self.is_site(site).then_some(Link::Site(site))
                }
                (_, sign) => {
                    let sign = sign?;
                    self.next[1] = self.sign_from(sign + 1);
                    self.address(sign).map(Link::Address)
                }
            };
            let span = match &link {
                Some(Link::Site(site)) => *site..site + SITE.len(),
                Some(Link::Address(span)) => span.clone(),
                None => continue,
            };
            if span.start >= self.at && !self.is_in_label(span.start) {
                self.at = span.end;
                return link;
            }
        }
    }

    /// Whether a site is named here. Linear, as long as places are asked for in order.
    fn is_site(&mut self, at: usize) -> bool {
        let begins =
            self.text.get(at + SITE.len()).is_some_and(|octet| octet.is_ascii_alphanumeric() || !octet.is_ascii());
        if !begins || !self.may_begin(at) {
            return false;
        }
        if self.host <= at {
            self.host = at + host(&self.text[at..]).len();
        }
        let host = longest_host(&self.text[at..self.host]);
        let is_plain = host.rsplit(|octet| *octet == b'.').take(2).all(|label| !label.contains(&b'_'));
        is_plain && self.words[0].begins(self.text, at)
    }

    /// The address whose `@` is at `sign`.
    fn address(&mut self, sign: usize) -> Option<Range<usize>> {
        let is_local = |octet: &u8| octet.is_ascii_alphanumeric() || b".+-_".contains(octet);
        let before = &self.text[sign.saturating_sub(LONGEST_LOCAL + 1)..sign];
        let length = before.iter().rev().take_while(|octet| is_local(octet)).count();
        let local = &before[before.len() - length..];
        // A `_` begins an emphasis.
        let length = length - local.iter().take_while(|octet| matches!(octet, b'_' | b'.')).count();
        let host = longest_host(host(&self.text[sign + 1..]));
        let emphasis = host.iter().rev().take_while(|octet| **octet == b'_').count();
        let host = &host[..host.len() - emphasis];
        let span = sign - length..sign + 1 + host.len();
        let is_one = (1..=LONGEST_LOCAL).contains(&length) && is_of_mail(host) && ends_word(&self.text[span.end..]);
        (is_one && self.may_begin(span.start) && self.words[1].begins(self.text, span.start)).then_some(span)
    }

    /// Whether what stands before a place can stand before a link.
    fn may_begin(&self, at: usize) -> bool {
        let last = at.checked_sub(1).map(|last| self.text[last]).or(self.before);
        last.is_none_or(|last| last.is_ascii_whitespace() || b"(*_~[{<>\"'|,;".contains(&last) || !last.is_ascii())
    }

    /// Whether this place is in the text of a link, which ends with brackets behind it.
    fn is_in_label(&mut self, at: usize) -> bool {
        let labels = self.labels.get_or_insert_with(|| labels(self.text));
        let behind = labels.partition_point(|label| label.end <= at);
        labels.get(behind).is_some_and(|label| label.contains(&at))
    }
}

/// The word before a place.
#[derive(Clone, Copy, Default)]
struct Word {
    start: usize,
    /// The place behind the last colon.
    colon: usize,
    end: usize,
}

impl Word {
    /// Whether what begins there, at the end of the last word or behind it, is part of nothing else: only marks stand between it and a
    /// blank, and it is in no URL.
    fn begins(&mut self, text: &[u8], at: usize) -> bool {
        let far = at.saturating_sub(LONGEST_WORD);
        if far > self.end {
            *self = Word { start: far, colon: 0, end: far };
        }
        for (at, octet) in (self.end..).zip(&text[self.end..at]) {
            match octet {
                b'<' | b'>' | b'"' | b'|' => self.start = at + 1,
                b':' => self.colon = at + 1,
                blank if blank.is_ascii_whitespace() => self.start = at + 1,
                _ => {}
            }
        }
        self.end = at;
        at - self.start < LONGEST_WORD && self.colon <= self.start
    }
}

/// The texts of links and the labels of definitions, with all that is in them; in order, and none in another one.
fn labels(text: &[u8]) -> Vec<Range<usize>> {
    let (mut open, mut labels) = (Vec::new(), Vec::<Range<usize>>::new());
    for at in memchr::memchr2_iter(b'[', b']', text) {
        if text[at] == b'[' {
            open.push(at);
            continue;
        }
        // What closes none that is here began before an image or code.
        let start = open.pop().unwrap_or_default();
        if matches!(text.get(at + 1), Some(b'(' | b'[' | b':')) {
            while labels.last().is_some_and(|label| label.start >= start) {
                labels.pop();
            }
            labels.push(start..at);
        }
    }
    labels
}

/// The name of a host at the start of a text.
fn host(text: &[u8]) -> &[u8] {
    let is_label = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
    let is_host =
        |at: usize| is_label(text[at]) || text[at] == b'.' && text.get(at + 1).is_some_and(|next| is_label(*next));
    &text[..(0..text.len()).take_while(|at| is_host(*at)).count()]
}

/// The name of a host, cut to one octet more than the longest may have.
fn longest_host(host: &[u8]) -> &[u8] {
    let host = &host[..host.len().min(LONGEST_HOST + 1)];
    host.strip_suffix(b".").unwrap_or(host)
}

/// Whether mail is sent to a host of this name: its last label is one of letters, and it is neither a version, as in `name@1.2.x`, nor the
/// size of an image, as in `icon@2x.png`.
fn is_of_mail(host: &[u8]) -> bool {
    let mut labels = host.split(|octet| *octet == b'.');
    let is_size = labels.next().is_some_and(|first| {
        first.strip_suffix(b"x").is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
    });
    let last = labels.next_back().unwrap_or_default();
    let is_name = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic) || last.starts_with(b"xn--");
    let is_plain = host.len() <= LONGEST_HOST && host.first().is_some_and(u8::is_ascii_alphanumeric);
    is_name && !is_size && is_plain
}

/// Whether a word may end before this text: an address is not the start of a path, as in `git@host.dom:a.git`, or of another name.
fn ends_word(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b':' | b'?' | b'.' | b'!', next, ..] => next.is_ascii_whitespace() || b"*_)\"'".contains(next),
        [first, ..] => first.is_ascii_whitespace() || b".,;:!?)]}<>\"'*_~|".contains(first) || !first.is_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Link, Links, SHORTEST};
    use crate::{Format, pieces};

    fn links(text: &str) -> Vec<&str> {
        let mut links = Links::of(text.as_bytes(), None);
        let mut found = Vec::new();
        while let Some(link) = links.next() {
            found.push(match link {
                Link::Site(start) => &text[start..start + 4],
                Link::Address(span) => &text[span],
            });
        }
        found
    }

    #[test]
    fn sites_and_addresses_are_links_where_a_word_begins() {
        for (text, found) in [
            ("www.host.dom", &["www."][..]),
            ("see www.host.dom/a, (www.b.c), *www.d* and\nwww.e.f|www.g.h", &["www."; 5]),
            ("joe@host.dom", &["joe@host.dom"]),
            ("Mail joe.b+c-d_e@a.b-c.dom, or (jim@host.dom).", &["joe.b+c-d_e@a.b-c.dom", "jim@host.dom"]),
            (
                "_joe@host.dom_ **jim@host.dom** 'tim@host.dom' |a@b.cd|",
                &["joe@host.dom", "jim@host.dom", "tim@host.dom", "a@b.cd"],
            ),
            ("joe@host.dom,jim@host.dom;tim@host.dom", &["joe@host.dom", "jim@host.dom", "tim@host.dom"]),
            ("joe@host.dom: x, joe@host.dom? joe@host.dom!", &["joe@host.dom"; 3]),
            ("\u{90ae}joe@host.dom\u{ff0c} a@www.host.dom", &["joe@host.dom", "a@www.host.dom"]),
            ("joe@xn--a.xn--b", &["joe@xn--a.xn--b"]),
            ("[a] joe@host.dom [b](", &["joe@host.dom"]),
        ] {
            assert_eq!(links(text), found, "{text}");
        }
    }

    #[test]
    fn what_looks_like_one_is_none() {
        for text in [
            "",
            "www. www.-a www.a_b.c www.a.b_c awww.host.dom a.www.host.dom /www.host.dom WWW.host.dom",
            "http://www.host.dom http://a/?b=www.host.dom http://a/*www.host.dom :(www.host.dom a:(www.host.dom,www.host.dom",
            "joe@host joe@host.d @host.dom joe@.dom joe@host.dom@host.dom joe@host.dom-",
            "name@1.2.x name@1.0.0-beta name@1.2.3 icon@2x.png icon@10x.png actions/a@v1.host.dom",
            "git@host.dom:a.git git@host.dom/a git@host.dom:22 http://joe@host.dom http://a/(joe@host.dom) http://a/b,joe@host.dom",
            "mailto:joe@host.dom sip:joe@host.dom x=joe@host.dom joe@host.dom?a=b $a@host.dom joe@host.dom.b1",
            "[www.host.dom](a) [mail joe@host.dom][1] [joe@host.dom]: b [a [joe@host.dom] b](c) joe@host.dom](d)",
        ] {
            assert_eq!(links(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_shortest_is_found_in_a_piece_of_its_length() {
        let shortest = "www.a";
        assert_eq!(shortest.len(), SHORTEST);
        let source = format!("<b>{shortest}</b>");
        let pieces = pieces(Format::Markdown, source.as_bytes());
        assert!(pieces.iter().any(|piece| piece.text() == b"http://www.a"));
    }

    #[test]
    fn lengths_have_limits() {
        let long = |local: usize, host: usize| format!("{}@{}.dom", "a".repeat(local), "b".repeat(host - 4));
        for (local, host, is_found) in [(64, 253, true), (65, 253, false), (64, 254, false)] {
            assert_eq!(links(&long(local, host)).len(), usize::from(is_found), "{local} {host}");
        }
        for (length, is_found) in [(255, true), (256, false)] {
            assert_eq!(
                links(&format!("{}(www.host.dom", ",".repeat(length - 1))).len(),
                usize::from(is_found),
                "{length}"
            );
        }
    }
}
