//! nntp, section 3.7: `nntp://hostport/group/article-number`. The sibling `nntps` is read alike.

use super::definition::{Definition, Needs, References, Relative, Sibling};
use super::news;
use super::part::{Lead::Text, PartKind};
use super::view::{Hostport, View, masked_debug};
use crate::class;
use crate::code::Code;
use crate::common::{self, Users};
use crate::grammar::{self, ARTICLE_NUMBER, HOSTPORT};
use crate::language::words;
use crate::layout::{Slot, own_slots};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};

own_slots!(GROUP, ARTICLE);

// The reader of newsgroup names notes them where news has them.
const _: () = assert!(GROUP == news::GROUP_SLOT);

pub(super) static DEFINITION: Definition = Definition {
    name: "nntp",
    title: words!("USENET news using NNTP access"),
    section: "3.7",
    since: Profile::Rfc1738,
    default_port: Some(119),
    siblings: &[Sibling { name: "nntps", title: words!("nntp over TLS"), default_port: Some(563) }],
    needs: Needs::Host,
    references: References::new(Relative::Always),
    parts: &[
        PartKind::USER.forbidden(),
        PartKind::PASSWORD.forbidden(),
        PartKind::HOST,
        PartKind::PORT,
        PartKind::plain(words!("group"), GROUP, &grammar::GROUP, Text("/")).naming(),
        PartKind::plain(words!("article"), ARTICLE, &ARTICLE_NUMBER, Text("/")).needs(&["group"]).naming(),
    ],
    same: &[],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') {
        let detail = words!("the newsgroup is missing");
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
        let detail = words!("the article number is missing");
        return r.report_detail(Code::NntpArticle, start..start, Some(&ARTICLE_NUMBER), detail);
    }
    if r.at < end {
        let detail = words!("the article number contains characters other than digits");
        let code = if r.peek() == Some(b'#') { Code::BnfChar } else { Code::NntpArticle };
        r.report_detail(code, r.at..end, Some(&ARTICLE_NUMBER), detail)?;
        r.at = end;
    } else if S::REPORTS && common::decimal(&r.octets[start..end]) > i32::MAX as u32 {
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
/// assert_eq!(nntp.hostport().port_or_default(), Some(119));
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
