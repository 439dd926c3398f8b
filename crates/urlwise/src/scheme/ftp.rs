//! ftp, section 3.2: `ftp://login/cwd/.../name;type=typecode`.

use super::definition::{Definition, Needs, References, Relative, Same, Sibling};
use super::part::{Lead::Text, PartKind};
use super::view::{Login, View, masked_debug};
use crate::class;
use crate::code::Code;
use crate::common::{self, Users};
use crate::encoded::{self, Encoded, Segments};
use crate::grammar::{FSEGMENT, FTP_PATH, TYPECODE};
use crate::language::words;
use crate::layout::{Slot, own_slots};
use crate::profile::Profile;
use crate::reader::{Outcome, Reader, Sink, Until};
use crate::reason::Reason;
use crate::word;

own_slots!(CWDS, pub(crate) NAME, TYPECODE_SLOT);

/// How many octets of cwds are looked at all at once before they are looked at one by one.
const LONG: usize = 64;

static SLASH: Reason = Reason::new(
    "ftp-slash",
    "3.2.2",
    "D-30",
    words!("without a path, with or without the slash, an ftp URL names the login directory"),
);

pub(super) static DEFINITION: Definition = Definition {
    name: "ftp",
    title: words!("File Transfer Protocol"),
    section: "3.2",
    since: Profile::Rfc1738,
    default_port: Some(21),
    siblings: &[Sibling { name: "ftps", title: words!("ftp over TLS"), default_port: Some(990) }],
    needs: Needs::Host,
    references: References::new(Relative::Always).params().dots_are_names(),
    parts: &[
        PartKind::USER,
        PartKind::PASSWORD,
        PartKind::HOST,
        PartKind::PORT,
        PartKind::segments(words!("cwd"), "cwds", CWDS, &FSEGMENT, Text("/")).brings(&["name"]),
        PartKind::encoded(words!("name"), NAME, &FSEGMENT, Text("/")).segment().naming(),
        PartKind::plain(words!("typecode"), TYPECODE_SLOT, &TYPECODE, Text(";type="))
            .short_name("type")
            .brings(&["name"]),
    ],
    same: &[Same::Slash(NAME, &SLASH), Same::Typecode(TYPECODE_SLOT)],
};

#[inline]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    common::slashes(r)?;
    common::login(r, Users::Allowed, Until::Octet(b'/'))?;
    if !r.take(b'/') {
        return Ok(());
    }
    let start = r.at;
    let end = match plain_path(r) {
        Some(end) => end,
        None => {
            let end = typecode(r)?;
            r.within(end, |r| r.scan(&FTP_PATH, Until::End))?;
            end
        }
    };
    let name = match word::rposition(&r.octets[start..end], b'/') {
        Some(slash) => {
            r.layout.slots[CWDS] = Slot::new(start, start + slash);
            start + slash + 1
        }
        None => start,
    };
    r.layout.slots[NAME] = Slot::new(name, end);
    if S::REPORTS {
        empty_cwds(r)?;
        if r.is_current() {
            r.remark_each(CWDS, *b"?", Code::PathQuestion, &FTP_PATH)?;
            r.remark_each(NAME, *b"?", Code::PathQuestion, &FTP_PATH)?;
        }
    }
    Ok(())
}

/// Where the path ends whose segments leave nothing to say, and behind which stands nothing but a typecode as it should be.
fn plain_path<S: Sink>(r: &mut Reader<'_, S>) -> Option<usize> {
    if S::REPORTS {
        return None;
    }
    let plain = r.plain(FSEGMENT.class);
    let mut end = class::skip_path(r.octets, r.at, plain);
    if end == r.octets.len() {
        return Some(end);
    }
    while encoded::escape_at(r.octets, end).is_some() {
        end = class::skip_path(r.octets, end + 3, plain);
    }
    match r.octets[end..] {
        [] => Some(end),
        [b';', b't', b'y', b'p', b'e', b'=', code] if class::is(code, class::TYPECODE) => {
            r.layout.slots[TYPECODE_SLOT] = Slot::new(end + 6, end + 7);
            Some(end)
        }
        _ => None,
    }
}

const TYPE: &[u8] = b";type=";

/// Reads a final `;type=X`; returns where the path before it ends.
fn typecode<S: Sink>(r: &mut Reader<'_, S>) -> Outcome<usize> {
    let end = r.octets.len();
    if let [path @ .., b';', _, _, _, _, b'=', code] = r.rest() {
        let start = r.at + path.len();
        let marker = &r.octets[start..end - 1];
        if class::is(*code, class::TYPECODE) && marker.eq_ignore_ascii_case(TYPE) {
            if marker != TYPE {
                r.report(Code::FtpTypeCase, start..end - 1, &FTP_PATH)?;
            }
            r.layout.slots[TYPECODE_SLOT] = Slot::new(end - 1, end);
            return Ok(start);
        }
    }
    // Under the current profile a `;` that does not begin a typecode is data, and the path's own rule reads it (D-29).
    if r.is_current() {
        return Ok(end);
    }
    match word::rposition(r.rest(), b';') {
        Some(semicolon) if r.rest()[semicolon..].starts_with(TYPE) && !r.rest()[semicolon..].contains(&b'/') => {
            let start = r.at + semicolon;
            r.report(Code::FtpTypecode, start..end, &TYPECODE)?;
            Ok(start)
        }
        _ => Ok(end),
    }
}

/// Each empty cwd is a `CWD` with a null argument (section 3.2.2, D-31).
fn empty_cwds<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let Some(cwds) = r.layout.slots[CWDS].range() else {
        return Ok(());
    };
    let (octets, mut at, mut was_reported) = (r.octets, cwds.start, false);
    let path = &octets[cwds.clone()];
    if path.len() >= LONG
        && !path.starts_with(b"/")
        && !path.ends_with(b"/")
        && !word::is_before_any(path, b'/', [b'/'])
    {
        return Ok(());
    }
    loop {
        // One stands before each further slash, and the last one may stand at the end.
        let slashes = octets[at..cwds.end].iter().take_while(|octet| **octet == b'/').count();
        let behind = at + slashes;
        let mut empty = at..behind + usize::from(behind == cwds.end);
        if !was_reported && !empty.is_empty() {
            r.report(Code::FtpEmptyCwd, at..at, &FTP_PATH)?;
            (was_reported, empty.start) = (true, at + 1);
        }
        r.again_before(empty)?;
        let Some(length) = word::position(&octets[behind..cwds.end], b'/') else { return Ok(()) };
        at = behind + length + 1;
    }
}

/// The parts of an ftp URL.
///
/// ```
/// use urlwise::{Locator, Typecode, Url};
///
/// let url = Url::parse("ftp://myname@host.dom/%2Fetc/motd;type=a")?;
/// let Locator::Ftp(ftp) = url.locator() else { unreachable!() };
/// assert_eq!(ftp.login().user().unwrap(), "myname");
/// assert_eq!(ftp.cwds().decode(), [&b"/etc"[..]]); // one CWD, to an absolute directory: section 3.2.2
/// assert_eq!(ftp.name().unwrap(), "motd");
/// assert_eq!(ftp.typecode(), Some(Typecode::Ascii));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Ftp<'a>(pub(crate) View<'a>);

impl<'a> Ftp<'a> {
    /// User, password, host and port (21 where none is written).
    pub fn login(self) -> Login<'a> {
        Login(self.0)
    }

    /// The arguments of the `CWD` commands, in order; each may be empty (D-31).
    pub fn cwds(self) -> Segments<'a> {
        Segments::new(self.0.plain(CWDS))
    }

    /// The name of the file or list: `None` without a `/` after the host, empty in `ftp://host/`. Both mean the directory
    /// that the login starts in (D-30).
    pub fn name(self) -> Option<Encoded<'a>> {
        self.0.encoded(NAME)
    }

    /// What `;type=` says; `None` leaves it to the client (section 3.2.3).
    pub fn typecode(self) -> Option<Typecode> {
        Typecode::of(self.0.plain(TYPECODE_SLOT)?.as_bytes())
    }
}

masked_debug!(Ftp);

/// The typecode of an ftp URL, of either case (section 3.2.2, D-28).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typecode {
    /// `a`: text; `TYPE A` before `RETR`.
    Ascii,
    /// `i`: octets; `TYPE I` before `RETR`.
    Image,
    /// `d`: a list of names, by `NLST`.
    Directory,
}

impl Typecode {
    /// The typecode that is written so; `None` if none is.
    ///
    /// ```
    /// use urlwise::Typecode;
    ///
    /// assert_eq!((Typecode::of(b"A"), Typecode::of(b"x")), (Some(Typecode::Ascii), None));
    /// ```
    pub fn of(octets: &[u8]) -> Option<Typecode> {
        match octets {
            b"A" | b"a" => Some(Typecode::Ascii),
            b"I" | b"i" => Some(Typecode::Image),
            b"D" | b"d" => Some(Typecode::Directory),
            _ => None,
        }
    }
}
