//! prospero, section 3.11: `prospero://hostport/hsoname;field=value`.

use super::definition::{Definition, Needs, References, Relative};
use super::part::{Lead::Text, PartKind};
use super::view::{Fields, Hostport, View, masked_debug};
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::Encoded;
use crate::grammar::{FIELD_NAME, FIELD_VALUE, HOSTPORT, HSONAME};
use crate::language::words;
use crate::layout::{Slot, own_slots};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};

own_slots!(NAME, FIELDS);

pub(super) static DEFINITION: Definition = Definition {
    name: "prospero",
    title: words!("Prospero Directory Service"),
    section: "3.11",
    since: Profile::Rfc1738,
    default_port: Some(1525),
    siblings: &[],
    needs: Needs::Host,
    references: References::new(Relative::WhenHierarchical).params(),
    parts: &[
        PartKind::USER.forbidden(),
        PartKind::PASSWORD.forbidden(),
        PartKind::HOST,
        PartKind::PORT,
        PartKind::encoded(words!("hsoname"), NAME, &HSONAME, Text("/")).naming(),
        PartKind::fields(words!("field"), "fields", FIELDS, b';', [&FIELD_NAME, &FIELD_VALUE], Text(";"))
            .needs(&["hsoname"]),
    ],
    same: &[],
};

#[inline(always)]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if !r.take(b'/') {
        let detail = words!("the hsoname is missing");
        return r.report_detail(Code::PathMissing, r.at..r.at, Some(&HOSTPORT), detail);
    }
    let start = r.at;
    r.part(NAME, &HSONAME, Until::Octet(b';'))?;
    if S::REPORTS && r.at == start {
        r.report(Code::ProsperoEmptyName, start..start, &HSONAME)?;
    }
    let fields = r.at + 1;
    while r.take(b';') {
        field(r)?;
        r.layout.slots[FIELDS] = Slot::new(fields, r.at);
    }
    Ok(())
}

/// Reads `fieldname "=" fieldvalue`; both may be empty (D-66).
fn field<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let start = r.at;
    r.scan(&FIELD_NAME, Until::Either(b'=', b';'))?;
    if !r.take(b'=') {
        if r.at == start {
            // Empty ones side by side are one place; the last semicolon belongs to what follows it.
            let semicolons = r.rest().iter().take_while(|octet| **octet == b';').count();
            let is_end = semicolons == r.rest().len();
            r.at += if is_end { semicolons } else { semicolons.saturating_sub(1) };
        }
        let detail = words!("a field has no `=`");
        return r.report_detail(Code::ProsperoField, start - 1..r.at, Some(&FIELD_NAME), detail);
    }
    r.scan(&FIELD_VALUE, Until::Octet(b';'))
}

/// The parts of a prospero URL.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("prospero://host.dom//pros/name;OBJECT-VERSION=3")?;
/// let Locator::Prospero(prospero) = url.locator() else { unreachable!() };
/// assert_eq!(prospero.hsoname(), "/pros/name"); // begins with its own slash: section 3.11
/// let (name, value) = prospero.fields().next().unwrap();
/// assert_eq!((name.as_str(), value.unwrap().as_str()), ("OBJECT-VERSION", "3"));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Prospero<'a>(pub(crate) View<'a>);

impl<'a> Prospero<'a> {
    /// Host and port (1525 where none is written).
    pub fn hostport(self) -> Hostport<'a> {
        Hostport(self.0)
    }

    /// The host-specific object name: opaque, its slashes mean nothing (section 3.11). May be empty (D-66).
    pub fn hsoname(self) -> Encoded<'a> {
        self.0.encoded(NAME).unwrap_or(Encoded::new(""))
    }

    /// The fields, names and values, in order, repeats kept. In a valid URL each has a value, which may be empty.
    pub fn fields(self) -> Fields<'a> {
        Fields::new(self.0.plain(FIELDS), b';')
    }
}

masked_debug!(Prospero);
