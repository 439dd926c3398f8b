//! file, section 3.10: `file://host/path`; the host may be empty.

use super::definition::{Definition, Needs, References, Relative, Same};
use super::part::{Lead::Text, PartKind};
use super::view::{View, masked_debug};
use crate::class;
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::Segments;
use crate::grammar::{FILE_PATH, FSEGMENT, HOSTPORT};
use crate::host::{Host, HostKind};
use crate::language::words;
use crate::layout::{HOST, PORT, Slot, own_slots};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};

own_slots!(pub(crate) PATH);

pub(super) static DEFINITION: Definition = Definition {
    name: "file",
    title: words!("Host-specific file names"),
    section: "3.10",
    since: Profile::Rfc1738,
    default_port: None,
    siblings: &[],
    needs: Needs::Path,
    references: References::new(Relative::Always),
    parts: &[
        PartKind::USER.forbidden(),
        PartKind::PASSWORD.forbidden(),
        PartKind::HOST,
        PartKind::PORT.forbidden(),
        // A `;` is reserved in ftp, not here.
        PartKind::segments(words!("segment"), "segments", PATH, &FSEGMENT, Text("/")).normal_by(&FILE_PATH).naming(),
    ],
    same: &[Same::LocalHost],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    match r.rest() {
        [b'/', b'/', letter, b':'] | [b'/', b'/', letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => {
            // A drive: it is not judged as a host, nor what follows it as a path (D-85).
            return r.report(Code::PortForbidden, r.at + 3..r.at + 4, &HOSTPORT);
        }
        [b'/', b'/', ..] => {
            r.at += 2;
            host(r)?;
        }
        [b'/', ..] => r.report(Code::FileShort, r.at..r.at, &HOSTPORT)?,
        _ => common::slashes(r)?,
    }
    if !r.take(b'/') && !r.layout.slots[HOST].is_absent() {
        let detail = words!("the path is missing");
        return r.report_detail(Code::PathMissing, r.at..r.at, Some(&HOSTPORT), detail);
    }
    r.part(PATH, &FILE_PATH, Until::End)?;
    if r.is_current() {
        r.remark_each(PATH, *b"?", Code::PathQuestion, &FILE_PATH)?;
    }
    Ok(())
}

/// Reads the host, which may be empty and has neither user nor port (D-26, D-63).
#[inline]
fn host<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    if matches!(r.peek(), None | Some(b'/')) {
        r.layout.slots[HOST] = Slot::new(r.at, r.at);
        return Ok(());
    }
    common::login(r, Users::Forbidden(Code::UserForbidden), Until::Octet(b'/'))?;
    if let Some(port) = r.layout.slots[PORT].range() {
        let digits = class::skip(r.octets, port.start, class::DIGIT).min(port.end);
        r.report(Code::PortForbidden, port.start - 1..digits, &HOSTPORT)?;
    }
    match r.layout.slots[HOST].range() {
        Some(host) if r.layout.host_kind() != HostKind::Name => r.report(Code::FileHostNumber, host, &HOSTPORT),
        _ => Ok(()),
    }
}

/// The parts of a file URL.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("file://vms.host.edu/disk$user/my/notes/note12345.txt")?;
/// let Locator::File(file) = url.locator() else { unreachable!() };
/// assert!(!file.is_local());
/// assert_eq!(file.segments().last().unwrap(), "note12345.txt");
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct File<'a>(pub(crate) View<'a>);

impl<'a> File<'a> {
    /// The host, empty in `file:///path`; `None` only in `file:/path`, which the profile `current` reads (D-64).
    pub fn host(self) -> Option<Host<'a>> {
        self.0.host()
    }

    /// Whether the file is on the machine that interprets the URL: no host, an empty one or `localhost` in any case (D-63).
    pub fn is_local(self) -> bool {
        self.host().is_none_or(|host| host.is_empty() || host.is_localhost())
    }

    /// The segments of the path between slashes; at least one, the last of them empty for a path that ends with `/`. A
    /// decoded `/` or NUL inside a segment names no file (D-65).
    pub fn segments(self) -> Segments<'a> {
        Segments::new(self.0.plain(PATH))
    }
}

masked_debug!(File);
