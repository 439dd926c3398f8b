//! E-34: databases on another host.

use super::WAIS_FORWARD;
use super::auditor::Auditor;
use crate::encoded::Octets;
use crate::layout::OWN;

/// The slot of the database.
const DATABASE: usize = OWN;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Some(span) = a.slot(DATABASE) else {
        return;
    };
    let mut octets = Octets::new(&a.octets[span.clone()]);
    let mut start = span.start;
    while let Some(octet) = octets.next() {
        let end = span.start + octets.position();
        if octet == b'@' {
            a.report(WAIS_FORWARD, start..end, "database", "");
            return;
        }
        start = end;
    }
}
