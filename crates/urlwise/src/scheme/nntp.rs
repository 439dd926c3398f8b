//! nntp, section 3.7: `nntp://hostport/group/article-number`. The sibling `nntps` is read alike.

use super::{Hostport, View, masked_debug, news};
use crate::class;
use crate::code::Code;
use crate::common::{self, Users};
use crate::grammar::{ARTICLE_NUMBER, HOSTPORT};
use crate::layout::{LOGIN_PARTS, OWN, PartDef, Shape, Slot};
use crate::reader::{Outcome, Reader, Sink, Until};

const GROUP: usize = OWN;
const ARTICLE: usize = OWN + 1;

pub(super) static PARTS: [PartDef; 6] = {
    let [user, password, host, port] = LOGIN_PARTS;
    [
        user,
        password,
        host,
        port,
        PartDef::new("group", "group", GROUP, Shape::Plain),
        PartDef::new("article", "article", ARTICLE, Shape::Plain),
    ]
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') {
        let detail = "the newsgroup is missing";
        return r.report_detail(Code::PathMissing, r.at..r.at, Some(&HOSTPORT), detail);
    }
    news::group(r, Until::Octet(b'/'))?;
    if r.take(b'/') {
        return article(r);
    }
    match r.errors() {
        0 => r.report(Code::NntpNoArticle, r.at..r.at, &ARTICLE_NUMBER),
        _ => Ok(()),
    }
}

/// Reads the article number, to the end of the text (D-61).
fn article<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let (start, end) = (r.at, r.octets.len());
    r.layout.slots[ARTICLE] = Slot::new(start, end);
    r.at = class::skip(r.octets, start, class::DIGIT);
    if start == end {
        let detail = "the article number is missing";
        return r.report_detail(Code::NntpArticle, start..start, Some(&ARTICLE_NUMBER), detail);
    }
    if r.at < end {
        let detail = "the article number contains other characters than digits";
        r.report_detail(Code::NntpArticle, r.at..end, Some(&ARTICLE_NUMBER), detail)?;
        r.at = end;
    } else if S::TOLD && common::decimal(&r.octets[start..end]) > i32::MAX as u32 {
        r.report(Code::NntpArticleRange, start..end, &ARTICLE_NUMBER)?;
    }
    Ok(())
}

/// The parts of an nntp URL.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("nntp://news.host.dom/comp.lang.c++/1234")?;
/// let Locator::Nntp(nntp) = url.locator() else { unreachable!() };
/// assert_eq!((nntp.group(), nntp.article()), ("comp.lang.c++", Some("1234")));
/// assert_eq!(nntp.hostport().port_number(), Some(119));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Nntp<'a>(pub(crate) View<'a>);

impl<'a> Nntp<'a> {
    /// Host and port (119 or 563 where none is written).
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }

    /// The newsgroup's name.
    pub fn group(self) -> &'a str {
        self.0.plain(GROUP).unwrap_or_default()
    }

    /// The digits of the article's number in the group, any number of them; `None` means the whole group (D-61).
    pub fn article(self) -> Option<&'a str> {
        self.0.plain(ARTICLE)
    }
}

masked_debug!(Nntp);
