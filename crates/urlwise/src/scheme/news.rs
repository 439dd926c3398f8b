//! news, section 3.6: `news:*`, `news:group` or `news:unique@host`. The sibling `snews` is read alike.

use super::definition::{Definition, Needs, References, Same, Sibling};
use super::part::{Lead, Lead::Text, PartKind};
use super::view::{View, masked_debug};
use crate::addr_spec::is_atom;
use crate::class;
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::{self, Encoded, Octets};
use crate::grammar::{self, ARTICLE, GROUP, GROUPPART, HOSTPORT, SCHEMEPART};
use crate::host::Host;
use crate::language::words;
use crate::layout::{HOST, PORT, Slot, own_slots};
use crate::profile::Profile;
use crate::quick::login;
use crate::reader::{Outcome, Reader, Sink, Until};
use crate::word;

own_slots!(pub(super) GROUP_SLOT, UNIQUE, DOMAIN, ALL);

pub(super) static DEFINITION: Definition = Definition {
    name: "news",
    title: words!("USENET news"),
    section: "3.6",
    since: Profile::Rfc1738,
    default_port: None,
    siblings: &[Sibling { name: "snews", title: words!("news over TLS"), default_port: Some(563) }],
    needs: Needs::Group,
    references: References::NONE,
    parts: &[
        // The server's host and port are those of the common syntax; only the profile `current` reads them (D-60).
        PartKind::plain(words!("server"), HOST, &grammar::HOST, Text("//")).current(),
        PartKind::plain(words!("port"), PORT, &grammar::PORT, Text(":")).needs(&["server"]).current(),
        PartKind::plain(words!("all"), ALL, &GROUPPART, Lead::Behind("server", "/", ""))
            .labelled(words!("all groups"))
            .excludes(&["group", "unique"])
            .naming(),
        PartKind::plain(words!("group"), GROUP_SLOT, &GROUP, Lead::Behind("server", "/", ""))
            .excludes(&["all", "unique"])
            .naming(),
        PartKind::encoded(words!("unique"), UNIQUE, &ARTICLE, Lead::Behind("server", "/", ""))
            .labelled(words!("unique part"))
            .needs(&["host"])
            .excludes(&["all", "group"])
            .naming(),
        // It has escapes only under the profile `current`.
        PartKind::encoded(words!("host"), DOMAIN, &grammar::HOST, Text("@"))
            .needs(&["unique"])
            .normal_by(&SCHEMEPART)
            .naming(),
    ],
    same: &[Same::Asterisk(ALL)],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    if !S::REPORTS && plain_group(r, Until::End) {
        return Ok(());
    }
    if S::REPORTS && common::is_bracketed(r.rest()) {
        return common::brackets(
            r,
            Code::NewsMsgid,
            &ARTICLE,
            words!("a Message-ID in a URL is not enclosed in `<` and `>`"),
        );
    }
    if r.rest().starts_with(b"//") {
        authority(r)?;
    }
    if !S::REPORTS && plain_article(r) {
        return Ok(());
    }
    let (start, end) = (r.at, r.octets.len());
    match r.rest() {
        rest if rest.trim_ascii().is_empty() && r.layout.slots[HOST].is_absent() => {
            r.at = end;
            r.report(Code::NewsEmpty, start..end, &GROUPPART)
        }
        [] | b"*" => {
            r.layout.slots[ALL] = Slot::new(start, end);
            r.at = end;
            Ok(())
        }
        b"%2A" | b"%2a" => {
            r.layout.slots[ALL] = Slot::new(start, end);
            r.report(Code::NewsAllEscaped, start..end, &GROUPPART)?;
            r.at = end;
            Ok(())
        }
        rest if word::position(rest, b'@').is_some() => article(r),
        _ => {
            group_closely(r, Until::End)?;
            r.at = r.octets.len();
            Ok(())
        }
    }
}

/// Reads `//server[:port]/`, or remarks that RFC 1738 sees nothing of the kind there.
#[cold]
fn authority<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    r.report(Code::NewsAuthority, r.at..r.at + 2, &GROUPPART)?;
    if !r.is_current() {
        return Ok(());
    }
    r.at += 2;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') {
        r.report_detail(
            Code::PathMissing,
            r.at..r.at,
            Some(&HOSTPORT),
            words!("the newsgroup or Message-ID is missing"),
        )?;
    }
    Ok(())
}

/// Reads a newsgroup name: a letter, then letters, digits and `-.+_` (D-58).
#[inline]
pub(super) fn group<S: Sink>(r: &mut Reader<'_, S>, until: Until) -> Outcome {
    if !S::REPORTS && plain_group(r, until) {
        return Ok(());
    }
    group_closely(r, until)
}

/// Reads a newsgroup name if one comes next that has nothing to report.
#[inline]
fn plain_group<S: Sink>(r: &mut Reader<'_, S>, until: Until) -> bool {
    if !r.peek().is_some_and(|octet| class::is(octet, class::ALPHA)) {
        return false;
    }
    let end = class::skip(r.octets, r.at + 1, class::GROUP);
    let is_plain = r.ends_at(end, until);
    if is_plain {
        r.layout.slots[GROUP_SLOT] = Slot::new(r.at, end);
        r.at = end;
    }
    is_plain
}

/// Reads any newsgroup name.
fn group_closely<S: Sink>(r: &mut Reader<'_, S>, until: Until) -> Outcome {
    let (start, errors) = (r.at, r.errors());
    match r.peek() {
        Some(octet) if class::is(octet, class::ALPHA) => {}
        // An empty name before the slash of an article number.
        Some(b'/') if matches!(until, Until::Octet(b'/')) => r.report(Code::NewsGroup, start..start, &GROUP)?,
        None => r.report(Code::NewsGroup, start..start, &GROUP)?,
        Some(_) => {
            let run = r.run();
            r.report(Code::NewsGroup, run.clone(), &GROUP)?;
            r.at = run.end;
        }
    }
    r.scan(&GROUP, until)?;
    r.layout.slots[GROUP_SLOT] = Slot::new(start, r.at);
    if S::REPORTS && r.errors() == errors {
        let mut at = start;
        for component in r.octets[start..r.at].split(|&octet| octet == b'.') {
            if component.is_empty() {
                r.report(Code::NewsGroupForm, at..at, &GROUP)?;
            }
            at += component.len() + 1;
        }
    }
    Ok(())
}

/// Reads a Message-ID if one comes next that has nothing to report.
fn plain_article<S: Sink>(r: &mut Reader<'_, S>) -> bool {
    let (start, end) = (r.at, r.octets.len());
    let plain = r.plain(ARTICLE.class);
    let mut at_sign = class::skip(r.octets, start, plain);
    while encoded::escape_at(r.octets, at_sign).is_some_and(|octet| grammar::unique(octet).is_none()) {
        at_sign = class::skip(r.octets, at_sign + 3, plain);
    }
    let domain = at_sign + 1;
    let is_plain = at_sign > start && r.octets.get(at_sign) == Some(&b'@') && login::is_plain_name(r.octets, domain);
    if is_plain {
        r.layout.slots[UNIQUE] = Slot::new(start, at_sign);
        r.layout.slots[DOMAIN] = Slot::new(domain, end);
        r.at = end;
    }
    is_plain
}

/// Reads a Message-ID without its angle brackets: `unique@full_domain_name` (D-59).
#[inline]
fn article<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let start = r.at;
    r.part(UNIQUE, &ARTICLE, Until::Octet(b'@'))?;
    if r.at == start {
        r.report(Code::NewsMsgid, start..start, &ARTICLE)?;
    }
    r.take(b'@');
    let domain = r.at;
    r.layout.slots[DOMAIN] = Slot::new(domain, r.octets.len());
    if r.is_current() && is_mid_right(r.rest()) {
        r.at = r.octets.len();
        return Ok(());
    }
    if r.peek() == Some(b'[') {
        return literal(r);
    }
    let server = r.layout.slots[HOST];
    r.layout.slots[HOST] = Slot::ABSENT;
    common::only_host(r)?;
    r.layout.slots[HOST] = server;
    Ok(())
}

/// Reports the brackets of a domain literal, which no Message-ID of a URL has (D-59), and goes past it.
#[cold]
fn literal<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    while r.peek().is_some() {
        common::odd_in_host(r)?;
        while r.peek().is_some_and(|octet| octet == b'.' || class::is(octet, class::LABEL)) {
            r.at += 1;
        }
    }
    Ok(())
}

/// Whether the right side is one of RFC 5536, written with characters that may stand in a URL: a dot-atom, or a literal
/// in brackets.
fn is_mid_right(text: &[u8]) -> bool {
    is_xchars(text) && (is_dot_atom(Octets::new(text)) || is_literal(Octets::new(text)))
}

fn is_dot_atom(octets: Octets<'_>) -> bool {
    let mut after_dot = true;
    for octet in octets {
        let dot = octet == b'.';
        if dot && after_dot || !dot && !is_atom(octet) {
            return false;
        }
        after_dot = dot;
    }
    !after_dot
}

fn is_literal(mut octets: Octets<'_>) -> bool {
    let mut last = None;
    let open = octets.next() == Some(b'[');
    let inside = octets.all(|octet| {
        let was_close = last.replace(octet) == Some(b']');
        !was_close && octet.is_ascii_graphic() && !matches!(octet, b'[' | b'\\' | b'<' | b'>')
    });
    open && inside && last == Some(b']')
}

fn is_xchars(text: &[u8]) -> bool {
    let mut at = 0;
    loop {
        at = class::skip(text, at, class::XCHAR_CURRENT);
        match encoded::escape_at(text, at) {
            Some(_) => at += 3,
            None => return at == text.len(),
        }
    }
}

/// What a news URL refers to (section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewsKind<'a> {
    /// `*`: all available newsgroups.
    All,
    /// One newsgroup, by its name; names have no escapes.
    Group(&'a str),
    /// One article, by its Message-ID without angle brackets: the unique part and the full domain name. Compare Message-IDs
    /// octet by octet after decoding.
    Article {
        /// What stands before the `@`.
        unique: Encoded<'a>,
        /// What stands after it: a host, or under the profile `current` any right side of RFC 5536.
        host: Encoded<'a>,
    },
}

impl NewsKind<'_> {
    /// `all`, `group` or `article`.
    pub fn name(self) -> &'static str {
        match self {
            NewsKind::All => "all",
            NewsKind::Group(_) => "group",
            NewsKind::Article { .. } => "article",
        }
    }
}

/// The parts of a news URL.
///
/// ```
/// use urlwise::{Locator, NewsKind, Url};
///
/// let url = Url::parse("news:comp.infosystems.www.misc")?;
/// let Locator::News(news) = url.locator() else { unreachable!() };
/// assert_eq!(news.kind(), NewsKind::Group("comp.infosystems.www.misc"));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct News<'a>(pub(crate) View<'a>);

impl<'a> News<'a> {
    /// All groups, one group or one article.
    // A call would hand the view over in memory, so that every parse beside it had to put its URL there (a sixth of the time).
    #[inline(always)]
    pub fn kind(self) -> NewsKind<'a> {
        if let Some(group) = self.0.plain(GROUP_SLOT) {
            return NewsKind::Group(group);
        }
        match (self.0.encoded(UNIQUE), self.0.encoded(DOMAIN)) {
            (Some(unique), Some(host)) => NewsKind::Article { unique, host },
            _ => NewsKind::All,
        }
    }

    /// The server of RFC 5538's form `news://server/...`, which only the profile `current` reads (D-60).
    pub fn server(self) -> Option<Host<'a>> {
        self.0.host()
    }

    /// The server's port as written.
    pub fn port(self) -> Option<&'a str> {
        self.0.plain(PORT)
    }
}

masked_debug!(News);
