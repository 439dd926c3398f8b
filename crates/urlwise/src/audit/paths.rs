//! E-13, E-15, E-16 and the names of E-17: path segments with a special meaning.

use core::ops::Range;

use super::auditor::Auditor;
use super::finding::Detail;
use super::rules::{DOT_SEGMENT, FILE_ESCAPE, FILE_REMOTE, FTP_OPTION};
use crate::encoded::Octets;
use crate::language::{Words, words};
use crate::layout::HOST;
use crate::scheme::Locator;
use crate::scheme::file::{File, PATH};
use crate::word;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    for def in a.base.parts().iter().filter(|def| def.is_segment()) {
        segments(a, def.slot, def.labels());
    }
    if let Locator::File(view) = a.url.locator() {
        file(a, view);
    }
}

/// Calls for each segment of a slot.
fn each(a: &mut Auditor<'_, '_>, slot: usize, mut each: impl FnMut(&mut Auditor<'_, '_>, Range<usize>)) {
    let Some(span) = a.slot(slot) else {
        return;
    };
    let mut start = span.start;
    loop {
        let length = word::position(&a.octets[start..span.end], b'/');
        let end = length.map_or(span.end, |length| start + length);
        each(a, start..end);
        if length.is_none() {
            return;
        }
        start = end + 1;
    }
}

fn segments(a: &mut Auditor<'_, '_>, slot: usize, part: Words) {
    each(a, slot, |a, span| {
        // Nearly all segments start with another octet.
        let segment = &a.octets[span.clone()];
        if !matches!(segment, [b'.' | b'-' | b'%', ..]) {
            return;
        }
        let octets = Octets::new(segment);
        if octets.clone().eq(*b".") || octets.clone().eq(*b"..") {
            a.report(DOT_SEGMENT, span, part, Detail::NONE);
        } else if octets.clone().next() == Some(b'-') {
            a.report(FTP_OPTION, span, part, Detail::NONE);
        }
    });
}

fn file(a: &mut Auditor<'_, '_>, view: File<'_>) {
    if let Some(host) = a.slot(HOST).filter(|_| !view.is_local()) {
        a.report(
            FILE_REMOTE,
            host,
            words!("host"),
            Detail::Words(words!("is another machine, and a file URL does not say how to fetch the file from it")),
        );
    }
    let Some(path) = a.slot(PATH) else {
        return;
    };
    let written = &a.octets[path.clone()];
    // The slash before the path is not part of it.
    let remote = match written.first() {
        Some(b'/') => Some(path.start - 1..path.start + 1),
        _ => Octets::new(written).take(2).eq(*b"\\\\").then(|| path.start..path.start + 6),
    };
    if let Some(slashes) = remote {
        a.report(
            FILE_REMOTE,
            slashes,
            words!("path"),
            Detail::Words(words!("at the start of the path names another machine on some systems")),
        );
    }
    let first = word::position(written, b'/').unwrap_or(written.len());
    if first < written.len() && Octets::new(&written[..first]).eq(*b"dev") {
        let folder = path.start - 1..path.start + first + 1;
        a.report(FILE_ESCAPE, folder, words!("path"), Detail::Words(words!("is the device directory of many systems")));
    }
    each(a, PATH, |a, span| {
        if let Some(length) = device(Octets::new(&a.octets[span.clone()])) {
            a.report(
                FILE_ESCAPE,
                span.start..span.start + length,
                words!("segment"),
                Detail::Words(words!("is a device name on Windows")),
            );
        }
    });
}

/// Whether a name is a Windows device name, which applies in every directory, in any case and with any extension.
/// Returns the length of the name as written, without the extension.
fn device(mut name: Octets<'_>) -> Option<usize> {
    let mut base = [0; 8];
    let (mut length, mut end) = (0, 0);
    while let Some(octet) = name.next().filter(|octet| !matches!(octet, b'.' | b':')) {
        *base.get_mut(length)? = octet.to_ascii_uppercase();
        length += 1;
        end = name.position();
    }
    let is_device = matches!(
        base[..length].trim_ascii_end(),
        b"CON"
            | b"PRN"
            | b"AUX"
            | b"NUL"
            | b"CONIN$"
            | b"CONOUT$"
            | [b'C', b'O', b'M', b'1'..=b'9']
            | [b'L', b'P', b'T', b'1'..=b'9']
    );
    is_device.then_some(end)
}
