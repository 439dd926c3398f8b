//! E-04, E-18 and E-33: logins that are unsafe or misleading.

use super::auditor::Auditor;
use super::finding::Detail;
use super::rules::{HOST_OPTION, SECRET_PASSWORD, USER_LOOKALIKE};
use crate::encoded::Octets;
use crate::language::words;
use crate::layout::{PASSWORD, USER};
use crate::scheme::Shape;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    if let Some(password) = a.slot(PASSWORD).filter(|span| !span.is_empty()) {
        a.report(SECRET_PASSWORD, password, words!("password"), Detail::NONE);
    }
    for (slot, part) in [(USER, words!("user")), (PASSWORD, words!("password"))] {
        let lookalike = a.slot(slot).filter(|span| looks_like_a_host(Octets::new(&a.octets[span.clone()])));
        if let Some(span) = lookalike {
            a.report(USER_LOOKALIKE, span, part, Detail::Words(words!("looks like a host but is not one")));
        }
    }
    options(a);
}

/// Whether there is a dot and the last one is followed by a letter.
pub(super) fn looks_like_a_host(octets: Octets<'_>) -> bool {
    let mut after_dot = None;
    let mut last = 0;
    for octet in octets {
        if last == b'.' {
            after_dot = Some(octet);
        }
        last = octet;
    }
    last != b'.' && after_dot.is_some_and(|octet| octet.is_ascii_alphabetic())
}

/// Users and hosts, including those of mail addresses, that start with `-`.
fn options(a: &mut Auditor<'_, '_>) {
    for def in a.base.parts() {
        let is_name = matches!(def.name(), "user" | "host" | "server" | "local" | "domain");
        let Some(span) = a.slot(def.slot).filter(|_| is_name && def.shape != Shape::Whole) else {
            continue;
        };
        if matches!(a.octets.get(span.start), Some(b'-' | b'%'))
            && Octets::new(&a.octets[span.clone()]).next() == Some(b'-')
        {
            a.report(HOST_OPTION, span, def.labels(), Detail::NONE);
        }
    }
}
