//! gopher, section 3.4: `gopher://hostport/` and a type character, a selector, `%09` search, `%09` Gopher+ string.

use super::definition::{Definition, Needs, References, Relative, Same, Sibling};
use super::part::{Lead::Text, PartKind};
use super::view::{Hostport, View, masked_debug};
use crate::class;
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::{self, Encoded};
use crate::gopherplus::{self, GopherPlus};
use crate::grammar::{GOPHER_SEARCH, GOPHERPLUS, GTYPE, SELECTOR};
use crate::language::words;
use crate::layout::{Slot, own_slots};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};

own_slots!(GTYPE_SLOT, pub(crate) SELECTOR_SLOT, pub(crate) SEARCH, pub(crate) PLUS);

pub(super) static DEFINITION: Definition = Definition {
    name: "gopher",
    title: words!("The Gopher protocol"),
    section: "3.4",
    since: Profile::Rfc1738,
    default_port: Some(70),
    siblings: &[Sibling { name: "gophers", title: words!("gopher over TLS"), default_port: Some(70) }],
    needs: Needs::Host,
    references: References::new(Relative::WhenHierarchical),
    parts: &[
        PartKind::USER.forbidden(),
        PartKind::PASSWORD.forbidden(),
        PartKind::HOST,
        PartKind::PORT,
        PartKind::character(words!("gtype"), GTYPE_SLOT, &GTYPE, Text("/"))
            .labelled(words!("type"))
            .short_name("type")
            .brings(&["selector"]),
        PartKind::encoded(words!("selector"), SELECTOR_SLOT, &SELECTOR, Text("")).needs(&["gtype"]).naming(),
        PartKind::encoded(words!("search"), SEARCH, &GOPHER_SEARCH, Text("%09"))
            .needs(&["gtype"])
            .brings(&["selector"]),
        PartKind::encoded(words!("gopherplus"), PLUS, &GOPHERPLUS, Text("%09"))
            .labelled(words!("Gopher+"))
            .needs(&["gtype"])
            .brings(&["selector", "search"]),
    ],
    same: &[Same::TopMenu { gtype: GTYPE_SLOT, selector: SELECTOR_SLOT, search: SEARCH }],
};

/// An encoded tab divides a gopher path, before anything is decoded (D-43).
const TAB: &[u8] = b"%09";

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') || r.peek().is_none() {
        return Ok(());
    }
    gtype(r)?;
    r.part(SELECTOR_SLOT, &SELECTOR, Until::Tab)?;
    if !r.rest().starts_with(TAB) {
        return Ok(());
    }
    r.at += TAB.len();
    r.part(SEARCH, &GOPHER_SEARCH, Until::Tab)?;
    r.remark_each(SEARCH, *b"/?", Code::GopherSearchBnf, &GOPHER_SEARCH)?;
    if !r.rest().starts_with(TAB) {
        return Ok(());
    }
    r.at += TAB.len();
    let start = r.at;
    r.part(PLUS, &GOPHERPLUS, Until::End)?;
    if S::REPORTS && !gopherplus::is_known(&encoded::decode(&r.octets[start..])) {
        r.report(Code::GopherplusForm, start..r.at, &GOPHERPLUS)?;
    }
    Ok(())
}

/// Reads the one character that is the item type; an escape is one character too (D-42).
#[inline]
fn gtype<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let start = r.at;
    let octet = r.octets[start];
    if class::is(octet, r.plain(GTYPE.class)) {
        r.at += 1;
        if S::REPORTS && octet == b'/' {
            r.report(Code::GopherGtypeSlash, start..r.at, &GTYPE)?;
        }
    } else if let Some(decoded) = encoded::escape_at(r.octets, start) {
        r.at += 3;
        let code = match decoded {
            b'\t' | b'\n' | b'\r' => Code::GopherGtypeCtl,
            _ => Code::GopherGtypeEscaped,
        };
        r.report(code, start..r.at, &GTYPE)?;
    } else {
        // One octet that may not stand here, so that the selector after it can be read.
        let end = start + 1;
        r.within(end, |r| r.scan(&GTYPE, Until::End))?;
        r.at = end;
    }
    r.layout.slots[GTYPE_SLOT] = Slot::new(start, r.at);
    Ok(())
}

/// The parts of a gopher URL.
///
/// ```
/// use urlwise::{GopherPlus, Locator, Url};
///
/// let url = Url::parse("gopher://host.dom/7find%09cats%20dogs%09+")?;
/// let Locator::Gopher(gopher) = url.locator() else { unreachable!() };
/// assert_eq!(gopher.gtype(), Some(b'7'));
/// assert_eq!(gopher.selector().unwrap(), "find");
/// assert_eq!(*gopher.search().unwrap().decode(), *b"cats dogs");
/// assert_eq!(gopher.plus(), Some(GopherPlus::Default));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Gopher<'a>(pub(crate) View<'a>);

impl<'a> Gopher<'a> {
    /// Host and port (70 where none is written).
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }

    /// The item type, decoded. `None` without a gopher-path: then it is `1`, a menu (section 3.4.1).
    pub fn gtype(self) -> Option<u8> {
        self.0.encoded(GTYPE_SLOT)?.octets().next()
    }

    /// The selector; `None` without a gopher-path, empty for a server's top menu.
    pub fn selector(self) -> Option<Encoded<'a>> {
        self.0.encoded(SELECTOR_SLOT)
    }

    /// The search string after the first `%09`; may be empty where a Gopher+ string follows.
    pub fn search(self) -> Option<Encoded<'a>> {
        self.0.encoded(SEARCH)
    }

    /// The Gopher+ string after the second `%09`, as written; later `%09` belong to it (D-43).
    pub fn gopherplus(self) -> Option<Encoded<'a>> {
        self.0.encoded(PLUS)
    }

    /// The Gopher+ string by its form (sections 3.4.4 to 3.4.9).
    pub fn plus(self) -> Option<GopherPlus> {
        self.gopherplus().map(|text| GopherPlus::from_octets(&text.decode()))
    }
}

masked_debug!(Gopher);
