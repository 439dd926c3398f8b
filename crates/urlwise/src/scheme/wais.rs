//! wais, section 3.9: a database, a search in it, or one of its documents.

use super::definition::{Definition, Needs, References, Relative};
use super::part::{Lead::Text, PartKind};
use super::view::{Hostport, View, masked_debug};
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::Encoded;
use crate::grammar::{DATABASE, HOSTPORT, Production, WAIS_SEARCH, WPATH, WTYPE};
use crate::language::words;
use crate::layout::own_slots;
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};

own_slots!(DATABASE_SLOT, SEARCH, WTYPE_SLOT, WPATH_SLOT);

pub(super) static DEFINITION: Definition = Definition {
    name: "wais",
    title: words!("Wide Area Information Servers"),
    section: "3.9",
    since: Profile::Rfc1738,
    default_port: Some(210),
    siblings: &[],
    needs: Needs::Host,
    references: References::new(Relative::WhenHierarchical).query(SEARCH),
    parts: &[
        PartKind::USER.forbidden(),
        PartKind::PASSWORD.forbidden(),
        PartKind::HOST,
        PartKind::PORT,
        PartKind::encoded(words!("database"), DATABASE_SLOT, &DATABASE, Text("/")).forwarding(),
        PartKind::encoded(words!("search"), SEARCH, &WAIS_SEARCH, Text("?"))
            .short_name("query")
            .needs(&["database"])
            .excludes(&["wtype", "wpath"]),
        PartKind::encoded(words!("wtype"), WTYPE_SLOT, &WTYPE, Text("/")).needs(&["database", "wpath"]),
        // A document-id is opaque (D-62).
        PartKind::encoded(words!("wpath"), WPATH_SLOT, &WPATH, Text("/")).needs(&["wtype"]).opaque().naming(),
    ],
    same: &[],
};

#[inline(always)]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') {
        let detail = words!("the database is missing");
        return r.report_detail(Code::PathMissing, r.at..r.at, Some(&HOSTPORT), detail);
    }
    r.part(DATABASE_SLOT, &DATABASE, Until::Either(b'/', b'?'))?;
    remark_empty(r, DATABASE_SLOT, &DATABASE)?;
    if r.take(b'?') {
        r.part(SEARCH, &WAIS_SEARCH, Until::End)?;
        return Ok(());
    }
    if !r.take(b'/') {
        return Ok(());
    }
    r.part(WTYPE_SLOT, &WTYPE, Until::Either(b'/', b'?'))?;
    if !r.take(b'/') {
        return r.report(Code::WaisForm, r.at..r.octets.len(), &WTYPE);
    }
    remark_empty(r, WTYPE_SLOT, &WTYPE)?;
    r.part(WPATH_SLOT, &WPATH, Until::End)?;
    remark_empty(r, WPATH_SLOT, &WPATH)
}

fn remark_empty<S: Sink>(r: &mut Reader<'_, S>, slot: usize, rule: &'static Production) -> Outcome {
    match r.layout.slots[slot].range() {
        Some(span) if S::REPORTS && span.is_empty() => r.report(Code::WaisEmptyPart, span, rule),
        _ => Ok(()),
    }
}

/// Which of the three forms a wais URL has (section 3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaisForm {
    /// `/database`: a database that can be searched.
    Database,
    /// `/database?search`: one search (`waisindex` in section 5).
    Index,
    /// `/database/wtype/wpath`: one document.
    Doc,
}

impl WaisForm {
    /// `database`, `index` or `doc`.
    pub const fn name(self) -> &'static str {
        match self {
            WaisForm::Database => "database",
            WaisForm::Index => "index",
            WaisForm::Doc => "doc",
        }
    }
}

/// The parts of a wais URL.
///
/// ```
/// use urlwise::{Locator, Url, WaisForm};
///
/// let url = Url::parse("wais://host.dom/archie?gopher%20client")?;
/// let Locator::Wais(wais) = url.locator() else { unreachable!() };
/// assert_eq!((wais.form(), wais.database().as_str()), (WaisForm::Index, "archie"));
/// assert_eq!(*wais.search().unwrap().decode(), *b"gopher client");
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Wais<'a>(pub(crate) View<'a>);

impl<'a> Wais<'a> {
    /// Host and port (210 where none is written).
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }

    /// Database, search or document.
    pub fn form(self) -> WaisForm {
        match (self.search(), self.wtype()) {
            (Some(_), _) => WaisForm::Index,
            (None, Some(_)) => WaisForm::Doc,
            (None, None) => WaisForm::Database,
        }
    }

    /// The name of the database; may be empty (D-62).
    pub fn database(self) -> Encoded<'a> {
        self.0.encoded(DATABASE_SLOT).unwrap_or(Encoded::new(""))
    }

    /// The words to search for, only in [`WaisForm::Index`].
    pub fn search(self) -> Option<Encoded<'a>> {
        self.0.encoded(SEARCH)
    }

    /// The type of the document, only in [`WaisForm::Doc`].
    pub fn wtype(self) -> Option<Encoded<'a>> {
        self.0.encoded(WTYPE_SLOT)
    }

    /// The document-id, only in [`WaisForm::Doc`]; opaque, only its server takes it apart (section 3.9).
    pub fn wpath(self) -> Option<Encoded<'a>> {
        self.0.encoded(WPATH_SLOT)
    }
}

masked_debug!(Wais);
