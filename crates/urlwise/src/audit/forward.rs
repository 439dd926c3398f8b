//! E-34 and E-35: parts in which a host may stand that the server asks in turn.

use super::auditor::Auditor;
use super::finding::Detail;
use super::rules::{FINGER_FORWARD, WAIS_FORWARD};
use crate::encoded::Octets;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Some(rule) = a.first(&[WAIS_FORWARD, FINGER_FORWARD]) else {
        return;
    };
    for part in a.base.parts().iter().filter(|part| part.forwards) {
        let Some(span) = a.slot(part.slot) else {
            continue;
        };
        let mut octets = Octets::new(&a.octets[span.clone()]);
        let mut start = span.start;
        while let Some(octet) = octets.next() {
            let end = span.start + octets.position();
            if octet == b'@' {
                a.report(rule, start..end, part.labels(), Detail::NONE);
                break;
            }
            start = end;
        }
    }
}
