//! Where the parts of a URL stand in its text.

use core::ops::Range;

use crate::host::HostKind;
use crate::profile::Profile;

/// The place of one part; absent, empty and present are three states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    start: u32,
    end: u32,
}

impl Slot {
    pub(crate) const ABSENT: Slot = Slot { start: u32::MAX, end: u32::MAX };

    /// Offsets fit: texts longer than `u32::MAX` are refused before anything is read.
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Slot { start: start as u32, end: end as u32 }
    }

    #[inline]
    pub(crate) fn range(self) -> Option<Range<usize>> {
        (self.start != u32::MAX).then_some(self.start as usize..self.end as usize)
    }

    pub(crate) fn is_absent(self) -> bool {
        self == Slot::ABSENT
    }
}

/// The slots every scheme may use.
pub(crate) const USER: usize = 0;
pub(crate) const PASSWORD: usize = 1;
pub(crate) const HOST: usize = 2;
pub(crate) const PORT: usize = 3;
/// The first of the slots that each scheme names for itself, by [`own_slots`].
pub(crate) const OWN: usize = 4;
/// How many slots there are. Each costs every URL eight octets; a definition that needs more does not compile.
pub(crate) const SLOTS: usize = OWN + 6;

/// Names the slots that a scheme has for itself.
macro_rules! own_slots {
    ($($visibility:vis $name:ident),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they number the constants below")]
        enum OwnSlot { $($name),* }

        $($visibility const $name: usize = $crate::layout::OWN + OwnSlot::$name as usize;)*
    };
}
pub(crate) use own_slots;

const NO_SCHEME: u8 = u8::MAX;
pub(crate) const NO_PORT: u32 = u32::MAX;

/// All that parsing finds out, besides problems.
///
/// The enums are held as their numbers: a `Result<Url, _>` would keep its verdict in a value that an enum leaves unused, and
/// then each move of it takes the layout apart (some 20 instructions for every URL).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The number of the scheme; [`NO_SCHEME`] where none could be read.
    pub(crate) scheme: u8,
    profile: u8,
    host_kind: u8,
    /// The port in force, or [`NO_PORT`].
    pub(crate) port: u32,
    /// How a registered scheme is read, by numbers that [`crate::url`] gives; 0 for all others.
    pub(crate) registered: u8,
    /// The default port of a registered scheme, 0 where there is none.
    registered_port: u16,
    /// Where the scheme begins and ends; its colon follows.
    pub(crate) scheme_name: Slot,
    pub(crate) slots: [Slot; SLOTS],
}

impl Layout {
    #[inline]
    pub(crate) fn new(profile: Profile) -> Self {
        Layout {
            scheme: NO_SCHEME,
            profile: profile as u8,
            host_kind: HostKind::Name as u8,
            port: NO_PORT,
            registered: 0,
            registered_port: 0,
            scheme_name: Slot::ABSENT,
            slots: [Slot::ABSENT; SLOTS],
        }
    }

    /// Whether the parts are the same, by whatever profile.
    pub(crate) fn is_like(&self, other: &Layout) -> bool {
        let all = |layout: &Layout| {
            let Layout { scheme, profile: _, host_kind, port, registered: _, registered_port, scheme_name, slots } =
                *layout;
            (scheme, host_kind, port, registered_port, scheme_name, slots)
        };
        all(self) == all(other)
    }

    #[inline]
    pub(crate) fn profile(&self) -> Profile {
        if self.profile == Profile::Rfc1738 as u8 { Profile::Rfc1738 } else { Profile::Current }
    }

    #[inline]
    pub(crate) fn host_kind(&self) -> HostKind {
        match self.host_kind {
            0 => HostKind::Name,
            1 => HostKind::Ipv4,
            _ => HostKind::Ipv6,
        }
    }

    #[inline]
    pub(crate) fn set_host_kind(&mut self, kind: HostKind) {
        self.host_kind = kind as u8;
    }

    /// The port in force: the one written, else the scheme's default.
    #[inline]
    pub(crate) fn port_or_default(&self) -> Option<u16> {
        u16::try_from(self.port).ok()
    }

    #[inline]
    pub(crate) fn set_port(&mut self, port: u16) {
        self.port = u32::from(port);
    }

    /// Notes the default port of a registered scheme, until one is read.
    pub(crate) fn register_port(&mut self, port: u16) {
        self.registered_port = port;
        self.set_port(port);
    }

    /// The default port of a registered scheme.
    pub(crate) fn registered_port(&self) -> Option<u16> {
        (self.registered_port != 0).then_some(self.registered_port)
    }
}
