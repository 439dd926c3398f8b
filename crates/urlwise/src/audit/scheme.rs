//! E-28: URLs of unknown schemes that others read differently (D-04, D-06).

use super::auditor::Auditor;
use super::finding::Detail;
use super::rules::SCHEME_TRAP;
use crate::language::{Words, words};
use crate::layout::HOST;
use crate::scheme::Locator;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Locator::Other(_) = a.url.locator() else {
        return;
    };
    let (name, schemepart) = (a.url.scheme_name(), a.url.schemepart());
    if schemepart.starts_with("//") && a.slot(HOST).is_none() {
        let span = name.len() + 1..a.octets.len();
        a.report(
            SCHEME_TRAP,
            span,
            Words::NONE,
            Detail::Words(words!(
                "starts like the common Internet syntax but does not follow it: other standards see a host there"
            )),
        );
    }
    let digits = schemepart.split(['/', '?']).next().unwrap_or_default();
    if name.contains('.') && !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit()) {
        a.report(
            SCHEME_TRAP,
            0..name.len(),
            Words::NONE,
            Detail::Words(words!("is a scheme here, but looks like a host before its port")),
        );
    }
}
