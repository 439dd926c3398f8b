//! E-34: databases on another host.

use super::WAIS_FORWARD;
use super::auditor::Auditor;
use crate::encoded::Octets;
use crate::scheme::Locator;
use crate::scheme::wais::DATABASE_SLOT;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Locator::Wais(_) = a.url.locator() else {
        return;
    };
    let Some(span) = a.slot(DATABASE_SLOT) else {
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
