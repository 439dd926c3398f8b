//! The overview of an article: RFC 3977 section 8.3, or its headers if a server has no overview.

use super::settings::NntpLimits;
use crate::language::message;
use crate::protocol::digits::number;
use crate::protocol::{Fault, FaultKind};
use urlwise::{Profile, Url, grammar};

/// One article of a list, in the octets of the server. Missing fields are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Article {
    /// Its number in the group; `None` if it was requested by its Message-ID.
    pub number: Option<u64>,
    /// The value of `Subject`, encoded words of RFC 2047 as they are.
    pub subject: Vec<u8>,
    /// The value of `From`.
    pub from: Vec<u8>,
    /// The value of `Date`.
    pub date: Vec<u8>,
    /// The Message-ID without `<` and `>`.
    pub id: Vec<u8>,
    /// The value of `References`: the Message-IDs of the articles before it in its thread, the oldest first.
    pub references: Vec<u8>,
    /// The size of the complete article in octets.
    pub octets: Option<u64>,
    /// The number of lines of its body.
    pub lines: Option<u64>,
}

impl Article {
    /// Parses a line of `OVER` or `XOVER`, without its end; `None` if it is malformed.
    ///
    /// ```
    /// use urlwise_open::protocol::nntp::Article;
    ///
    /// let line = b"7\tHello\tjoe@host.dom\tSat, 21 Nov 2026 07:00:00 +0000\t<a/b@host.dom>\t\t430\t1";
    /// let article = Article::of_overview(line).expect("an overview");
    /// assert_eq!((article.number, article.octets), (Some(7), Some(430)));
    /// assert_eq!(article.news_url().map(|url| url.into_inner()).as_deref(), Some("news:a%2Fb@host.dom"));
    /// ```
    pub fn of_overview(line: &[u8]) -> Option<Article> {
        let mut fields = line.split(|octet| *octet == b'\t');
        let number = number(fields.next()?)?;
        let mut field = || fields.next().map(<[u8]>::to_vec);
        let (subject, from, date, id) = (field()?, field()?, field()?, field()?);
        let references = field().unwrap_or_default();
        let (octets, lines) = (field(), field());
        Some(Article {
            number: Some(number),
            subject,
            from,
            date,
            id: bare(&id),
            references,
            octets: octets.as_deref().and_then(self::number),
            lines: lines.as_deref().and_then(self::number),
        })
    }

    /// The Message-IDs in `References` without `<` and `>`, the oldest first; of more than 32 the last.
    ///
    /// ```
    /// use urlwise_open::protocol::nntp::Article;
    ///
    /// let article = Article::of_overview(b"7\tRe: Hello\tjoe\t\t<c@h>\t<a@h> <b@h>\t\t").expect("an overview");
    /// assert_eq!(article.answered(), [b"a@h".to_vec(), b"b@h".to_vec()]);
    /// ```
    pub fn answered(&self) -> Vec<Vec<u8>> {
        const MOST: usize = 32;
        let ids = self.references.split(u8::is_ascii_whitespace).filter(|id| !id.is_empty());
        let mut last: Vec<Vec<u8>> = ids.rev().take(MOST).map(bare).collect();
        last.reverse();
        last
    }

    /// The URL of the article at the server in `base`, which has the scheme and the last slash: `nntp://host.dom/`. `None`
    /// without a number, and for a group that no URL can name.
    pub fn nntp_url(&self, base: &str, group: &[u8], profile: Profile) -> Option<Url<String>> {
        let group = std::str::from_utf8(group).ok()?;
        Url::parse_with(format!("{base}{group}/{}", self.number?), profile).ok()
    }

    /// The URL of the article on any server. `None` for a malformed Message-ID.
    pub fn news_url(&self) -> Option<Url<String>> {
        let at = self.id.iter().rposition(|octet| *octet == b'@')?;
        let (unique, host) = (&self.id[..at], &self.id[at + 1..]);
        let text = format!("news:{}@{}", grammar::ARTICLE.encode(unique), grammar::ARTICLE.encode(host));
        Url::parse_with(text, Profile::Current).ok()
    }
}

fn bare(id: &[u8]) -> Vec<u8> {
    let id = id.trim_ascii();
    id.strip_prefix(b"<").and_then(|id| id.strip_suffix(b">")).unwrap_or(id).to_vec()
}

/// Reads the headers of one article, line by line, to make its overview.
#[derive(Debug, Default)]
pub(super) struct Headers {
    article: Article,
    /// The header that a folded line belongs to.
    last: Option<OverviewField>,
    lines: usize,
    octets: usize,
}

#[derive(Clone, Copy, Debug)]
enum OverviewField {
    Subject,
    From,
    Date,
    MessageId,
    References,
    Lines,
}

/// The headers that an overview contains, in lower case.
const FIELDS: [(&str, OverviewField); 6] = [
    ("subject", OverviewField::Subject),
    ("from", OverviewField::From),
    ("date", OverviewField::Date),
    ("message-id", OverviewField::MessageId),
    ("references", OverviewField::References),
    ("lines", OverviewField::Lines),
];

impl Headers {
    pub(super) fn of(number: Option<u64>) -> Headers {
        Headers { article: Article { number, ..Article::default() }, ..Headers::default() }
    }

    /// Takes one line.
    pub(super) fn line(&mut self, line: &[u8], limits: &NntpLimits) -> Result<(), Fault> {
        self.lines += 1;
        self.octets += line.len();
        let (most_lines, most) = limits.headers;
        if self.lines > most_lines || self.octets > most {
            let what = message!(
                "the headers of the article exceed {lines} lines or {octets} octets",
                lines = most_lines,
                octets = most
            );
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            let Some(field) = self.last else { return Ok(()) };
            self.value(field, &[b" ", line.trim_ascii()].concat());
            return Ok(());
        }
        let colon = line.iter().position(|octet| *octet == b':').unwrap_or(line.len());
        let is_named = |(name, _): &&(&str, OverviewField)| line[..colon].eq_ignore_ascii_case(name.as_bytes());
        self.last = FIELDS.iter().find(is_named).map(|(_, field)| *field);
        if let Some(field) = self.last {
            let value = line.get(colon + 1..).unwrap_or_default().trim_ascii().to_vec();
            self.value(field, &value);
        }
        Ok(())
    }

    fn value(&mut self, field: OverviewField, value: &[u8]) {
        let article = &mut self.article;
        match field {
            OverviewField::Subject => article.subject.extend_from_slice(value),
            OverviewField::From => article.from.extend_from_slice(value),
            OverviewField::Date => article.date.extend_from_slice(value),
            OverviewField::MessageId => article.id.extend_from_slice(value),
            OverviewField::References => article.references.extend_from_slice(value),
            OverviewField::Lines => article.lines = number(value),
        }
    }

    /// The overview, once all headers have been read.
    pub(super) fn end(self) -> Article {
        let id = bare(&self.article.id);
        Article { id, ..self.article }
    }
}

#[cfg(test)]
mod tests {
    use super::{Article, Headers};
    use crate::protocol::FaultKind;
    use crate::protocol::nntp::NntpLimits;
    use urlwise::{Profile, Url};

    #[test]
    fn an_overview_has_five_fields_at_least() {
        for line in
            [&b""[..], b"x\ta\tb\tc\t<d@e>", b"1\ta\tb\tc", b"-1\ta\tb\tc\td", b"99999999999999999999\ta\tb\tc\td"]
        {
            assert_eq!(Article::of_overview(line), None, "{line:?}");
        }
        let article = Article::of_overview(b"1\t\t\t\t").expect("all but the number may be empty");
        assert_eq!(article, Article { number: Some(1), ..Article::default() });
        let article = Article::of_overview(b"1\ta\tb\tc\t<d@e>\tr\t-5\tx\tXref: y").expect("an overview");
        assert_eq!((article.octets, article.lines), (None, None), "not a number: unknown");
        assert_eq!(article.answered(), [b"r".to_vec()]);
        let many: Vec<String> = (0..40).map(|number| format!("<{number}@h>")).collect();
        let article = Article { references: many.join(" \t").into_bytes(), ..Article::default() };
        let answered = article.answered();
        assert_eq!((answered.len(), &*answered[0], &*answered[31]), (32, &b"8@h"[..], &b"39@h"[..]));
    }

    #[test]
    fn every_article_has_the_urls_that_can_be_written() {
        let article = |id: &str| Article { number: Some(7), id: id.into(), ..Article::default() };
        let news = |id: &str| article(id).news_url().map(Url::into_inner);
        assert_eq!(news("a/b?c#d%e+f@example.net").as_deref(), Some("news:a%2Fb%3Fc%23d%25e+f@example.net"));
        assert_eq!(news("a@[1.2.3.4]").as_deref(), Some("news:a@%5B1.2.3.4%5D"));
        for id in ["", "a", "a b@c", "@c", "a@", "a@b@c d"] {
            assert_eq!(news(id), None, "{id}");
        }
        let nntp = |group: &str| article("a@b").nntp_url("nntp://h:1119/", group.as_bytes(), Profile::Rfc1738);
        assert_eq!(nntp("local.c++").map(Url::into_inner).as_deref(), Some("nntp://h:1119/local.c++/7"));
        assert_eq!(nntp("0day"), None, "a group begins with a letter");
    }

    #[test]
    fn headers_say_what_an_overview_says() {
        let limits = NntpLimits::default();
        let mut headers = Headers::of(Some(3));
        for line in [
            "SUBJECT: a long",
            "\tsubject",
            "X-Other: x",
            " folded",
            "Message-ID: <a@b>",
            "References: <c@d>",
            " <e@f>",
            "lines:7",
            "From:",
            " f",
            "odd",
        ] {
            headers.line(line.as_bytes(), &limits).expect("few and short");
        }
        let article = headers.end();
        assert_eq!(
            (&article.subject[..], &article.from[..], &article.id[..]),
            (&b"a long subject"[..], &b" f"[..], &b"a@b"[..])
        );
        assert_eq!((article.number, article.lines), (Some(3), Some(7)));
        assert_eq!(article.answered(), [b"c@d".to_vec(), b"e@f".to_vec()]);
        let mut headers = Headers::of(None);
        let fault = (0..2000).find_map(|_| headers.line(b"X: y", &limits).err()).expect("too many");
        assert_eq!(fault.kind(), FaultKind::Limit);
        let limits = limits.with(|limits| limits.headers = (3, 10));
        let fits = |lines: &[&str]| {
            let mut headers = Headers::of(None);
            lines.iter().all(|line| headers.line(line.as_bytes(), &limits).is_ok())
        };
        assert!(fits(&["a: b", "c: d", "e:"]) && fits(&["subject: x"]) && fits(&["from: joe", " "]));
        assert!(!fits(&["a:", "b:", "c:", "d:"]) && !fits(&["subject: xy"]) && !fits(&["from: joe", " x"]));
    }
}
