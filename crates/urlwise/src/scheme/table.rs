//! What is known of each scheme, from the definitions, and the look-up of names.

use super::definition::{Definition, Needs};
use super::list::{COUNT, Scheme, schemes};
use super::part::PartKind;
use crate::language::{Language, Words};
use crate::layout::{self, Layout, SLOTS};
use crate::profile::Profile;
use crate::word;
use alloc::borrow::Cow;

/// What is known of a scheme.
struct Row {
    name: &'static str,
    title: Words,
    base: Scheme,
    since: Profile,
    default_port: Option<u16>,
    definition: &'static Definition,
}

impl Row {
    const fn base(base: Scheme, definition: &'static Definition) -> Row {
        let &Definition { name, title, since, default_port, .. } = definition;
        Row { name, title, base, since, default_port, definition }
    }

    /// The sibling with the name of a variant.
    const fn sibling(base: Scheme, definition: &'static Definition, variant: &str) -> Row {
        let mut i = 0;
        while i < definition.siblings.len() {
            let sibling = &definition.siblings[i];
            if is_variant(sibling.name, variant) {
                let since = Profile::Current;
                return Row {
                    name: sibling.name,
                    title: sibling.title,
                    base,
                    since,
                    default_port: sibling.default_port,
                    definition,
                };
            }
            i += 1;
        }
        panic!("the list of schemes names a sibling that the definition does not have")
    }
}

/// Whether a name is that of a variant, but for case.
const fn is_variant(name: &str, variant: &str) -> bool {
    let (name, variant) = (name.as_bytes(), variant.as_bytes());
    let mut i = 0;
    while i < name.len() && i < variant.len() {
        if name[i] != variant[i].to_ascii_lowercase() {
            return false;
        }
        i += 1;
    }
    name.len() == variant.len()
}

macro_rules! table {
    ($($file:ident: $base:ident $(, $sibling:ident)*;)*) => {
        /// In the order of the enum.
        static ROWS: [Row; COUNT] = [
            $(Row::base(Scheme::$base, &super::$file::DEFINITION),)*
            $($(Row::sibling(Scheme::$base, &super::$file::DEFINITION, stringify!($sibling)),)*)*
            Row::base(Scheme::Other, &super::other::DEFINITION),
        ];

        /// Every sibling of a definition stands in the list.
        const _: () = {
            $(
                let siblings: &[&str] = &[$(stringify!($sibling)),*];
                assert!(super::$file::DEFINITION.siblings.len() == siblings.len());
                assert!(is_variant(super::$file::DEFINITION.name, stringify!($base)));
            )*
        };

        #[allow(non_upper_case_globals, reason = "patterns, named like the variants")]
        mod keys {
            use super::{Scheme, key_of};

            $(pub(super) const $base: u64 = key_of(Scheme::$base);)*
            $($(pub(super) const $sibling: u64 = key_of(Scheme::$sibling);)*)*
        }

        impl Scheme {
            /// The scheme whose name folds to this key.
            #[inline]
            fn from_key(key: u64, profile: Profile) -> Scheme {
                match key {
                    $(keys::$base if const { Scheme::$base.is_of_rfc1738() } => Scheme::$base,)*
                    _ => match profile {
                        Profile::Rfc1738 => Scheme::Other,
                        Profile::Current => Scheme::from_later_key(key),
                    },
                }
            }

            /// The same for the schemes that only [`Profile::Current`] knows: looked up apart, so that they cost the others
            /// nothing.
            #[inline]
            fn from_later_key(key: u64) -> Scheme {
                match key {
                    $(keys::$base if const { !Scheme::$base.is_of_rfc1738() } => Scheme::$base,)*
                    $($(keys::$sibling => Scheme::$sibling,)*)*
                    _ => Scheme::Other,
                }
            }
        }
    };
}

schemes!(table);

/// Whether a profile knows what this one is the first to know.
#[inline(always)]
const fn is_known(since: Profile, profile: Profile) -> bool {
    matches!(since, Profile::Rfc1738) || matches!(profile, Profile::Current)
}

static DEFAULT_PORTS: [u32; COUNT] = {
    let mut ports = [layout::NO_PORT; COUNT];
    let mut i = 0;
    while i < COUNT {
        if let Some(port) = ROWS[i].default_port {
            ports[i] = port as u32;
        }
        i += 1;
    }
    ports
};

/// The schemes of which a condition holds, as a constant slice in the order of the enum. The condition sees the scheme and its
/// definition.
macro_rules! schemes_where {
    (|$scheme:ident, $definition:ident| $condition:expr) => {{
        const LIST: &([$crate::scheme::Scheme; $crate::scheme::COUNT], usize) = &{
            let mut list = $crate::scheme::ORDER;
            let (mut i, mut length) = (0, 0);
            while i < $crate::scheme::COUNT {
                let $scheme = $crate::scheme::ORDER[i];
                let $definition = $scheme.definition();
                if $condition {
                    list[length] = $scheme;
                    length += 1;
                }
                i += 1;
            }
            (list, length)
        };
        LIST.0.split_at(LIST.1).0
    }};
}
pub(crate) use schemes_where;

impl Scheme {
    /// All that have rules of their own: those of RFC 1738, those of later RFCs, and the siblings.
    pub const ALL: &'static [Scheme] = schemes_where!(|scheme, _definition| !scheme.is_other());

    /// The ten schemes of RFC 1738, in the order of section 3.
    pub const RFC1738: &'static [Scheme] = schemes_where!(|scheme, definition| !scheme.is_other()
        && !scheme.is_sibling()
        && matches!(definition.since, Profile::Rfc1738));

    /// The schemes of later RFCs, which the profile `current` alone knows.
    pub const LATER: &'static [Scheme] = schemes_where!(|scheme, definition| !scheme.is_other()
        && !scheme.is_sibling()
        && matches!(definition.since, Profile::Current));

    /// The siblings over TLS, which the profile `current` reads by the rules of their base.
    pub const SIBLINGS: &'static [Scheme] = schemes_where!(|scheme, _definition| scheme.is_sibling());

    /// The scheme of this name under a profile, in any case (D-02); [`Scheme::Other`] for all names without rules.
    ///
    /// ```
    /// use urlwise::{Profile, Scheme};
    ///
    /// assert_eq!(Scheme::from_name(b"FTP", Profile::Rfc1738), Scheme::Ftp);
    /// assert_eq!(Scheme::from_name(b"https", Profile::Rfc1738), Scheme::Other);
    /// assert_eq!(Scheme::from_name(b"https", Profile::Current), Scheme::Https);
    /// ```
    pub fn from_name(name: &[u8], profile: Profile) -> Scheme {
        match name.len() {
            0..=KEY_LENGTH => Scheme::from_key(key(name), profile),
            _ => long_name(name, profile),
        }
    }

    /// The name in lower case; `None` for [`Scheme::Other`], whose name stands in the URL.
    pub fn name(self) -> Option<&'static str> {
        let name = ROWS[self as usize].name;
        (!name.is_empty()).then_some(name)
    }

    /// What the scheme is for, by the list of section 3; empty for [`Scheme::Other`].
    pub fn title(self) -> &'static str {
        ROWS[self as usize].title.en()
    }

    /// [`title`](Scheme::title) in a language.
    pub fn title_in(self, language: Language) -> Cow<'static, str> {
        ROWS[self as usize].title.get(language)
    }

    /// The first profile that knows it.
    pub fn since(self) -> Profile {
        ROWS[self as usize].since
    }

    /// Whether it has rules of its own under a profile. [`Scheme::Other`] has none under any.
    ///
    /// ```
    /// use urlwise::{Profile, Scheme};
    ///
    /// assert!(Scheme::Gopher.is_known_by(Profile::Rfc1738));
    /// assert!(!Scheme::Https.is_known_by(Profile::Rfc1738));
    /// ```
    pub fn is_known_by(self, profile: Profile) -> bool {
        !self.is_other() && is_known(self.since(), profile)
    }

    /// The scheme whose rules apply: a sibling's base, every other scheme itself.
    #[inline]
    pub fn base(self) -> Scheme {
        ROWS[self as usize].base
    }

    /// The port used where a URL names none; `None` where the scheme has none.
    #[inline]
    pub fn default_port(self) -> Option<u16> {
        ROWS[self as usize].default_port
    }

    /// Whether the dialogue runs inside TLS from the first octet: true for the siblings.
    pub fn is_tls(self) -> bool {
        self.is_sibling()
    }

    /// The section of RFC 1738 that defines it; for later schemes the RFC that does.
    pub fn section(self) -> &'static str {
        self.definition().section
    }

    /// The section of RFC 1738 that prints the form of its URLs; 3.1 if only a later document does.
    pub(crate) fn syntax_section(self) -> &'static str {
        match (self.base(), self.since()) {
            (Scheme::Gopher, _) => "3.4.1",
            (base, Profile::Rfc1738) => base.section(),
            (_, Profile::Current) => "3.1",
        }
    }

    /// All parts that its URLs may have, in the order they stand; also those that no profile allows, which are read so that they
    /// can be reported.
    pub fn parts(self) -> &'static [PartKind] {
        self.definition().parts
    }

    pub(crate) const fn definition(self) -> &'static Definition {
        ROWS[self as usize].definition
    }

    /// The name, and what must follow it in a text.
    pub(crate) const fn name_and_needs(self) -> (&'static str, Needs) {
        (ROWS[self as usize].name, ROWS[self as usize].definition.needs)
    }

    /// Whether [`Profile::Rfc1738`] knows it.
    const fn is_of_rfc1738(self) -> bool {
        matches!(ROWS[self as usize].since, Profile::Rfc1738)
    }

    pub(crate) const fn is_sibling(self) -> bool {
        self as usize != ROWS[self as usize].base as usize
    }

    pub(crate) const fn is_other(self) -> bool {
        matches!(self, Scheme::Other)
    }
}

impl Layout {
    /// `None` where no scheme could be read.
    #[inline]
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        Scheme::from_number(self.scheme)
    }

    /// Notes the scheme, and its default port until one is read.
    #[inline]
    pub(crate) fn set_scheme(&mut self, scheme: Scheme) {
        self.scheme = scheme as u8;
        self.port = DEFAULT_PORTS[scheme as usize];
    }
}

/// The slots suffice for every scheme.
const _: () = {
    let mut i = 0;
    while i < COUNT {
        let parts = ROWS[i].definition.parts;
        let mut part = 0;
        while part < parts.len() {
            assert!(parts[part].slot < SLOTS, "a scheme has more own parts than `layout::SLOTS` has room for");
            part += 1;
        }
        i += 1;
    }
};

/// The longest name that one word holds.
const KEY_LENGTH: usize = word::SIZE;

/// The longest name.
pub(crate) const LONGEST_NAME: usize = {
    let (mut i, mut longest) = (0, 0);
    while i < COUNT {
        if ROWS[i].name.len() > longest {
            longest = ROWS[i].name.len();
        }
        i += 1;
    }
    longest
};

/// The name in lower case as one word. Only the two octets of a letter become that letter when this bit is set.
const fn key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = name.len();
    while i > 0 {
        i -= 1;
        key = key << 8 | (name[i] | 0x20) as u64;
    }
    key
}

/// The key of a scheme. Names longer than a word have one that no text folds to: see [`long_name`].
const fn key_of(scheme: Scheme) -> u64 {
    let name = ROWS[scheme as usize].name.as_bytes();
    match name.len() {
        0..=KEY_LENGTH => key(name),
        _ => (scheme as u64) << 8,
    }
}

/// The scheme of a name that is longer than a word.
#[cold]
fn long_name(name: &[u8], profile: Profile) -> Scheme {
    let mut found = Scheme::ALL.iter().copied().filter(|scheme| scheme.is_known_by(profile));
    let is_it = |scheme: &Scheme| name.eq_ignore_ascii_case(ROWS[*scheme as usize].name.as_bytes());
    found.find(is_it).unwrap_or(Scheme::Other)
}

/// The word of a text that is shorter than one; zeros follow it.
#[cold]
#[inline(never)]
fn short(octets: &[u8]) -> u64 {
    match (octets.first_chunk(), octets.last_chunk()) {
        // The halves overlap, and agree there.
        (Some(first), Some(last)) => {
            let (first, last): (u64, u64) = (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into());
            first | last << ((octets.len() - 4) * 8)
        }
        _ => octets.iter().rfold(0, |word, &octet| word << 8 | u64::from(octet)),
    }
}

/// The scheme with rules of its own that a text begins with, and how long its name is; a colon follows.
#[inline]
pub(crate) fn known(octets: &[u8], profile: Profile) -> Option<(Scheme, usize)> {
    let start = match octets.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => short(octets),
    };
    let colon = word::mark(start, b':');
    let (length, mask) = match colon {
        0 if octets.get(KEY_LENGTH) == Some(&b':') => (KEY_LENGTH, u64::MAX),
        0 if LONGEST_NAME > KEY_LENGTH => return known_long(octets, profile),
        0 => return None,
        // The mark is the highest bit of the colon, so all below it but eight bits are those of the name.
        _ => (colon.trailing_zeros() as usize / 8, (colon ^ (colon - 1)) >> 8),
    };
    match Scheme::from_key((start | word::repeat(0x20)) & mask, profile) {
        Scheme::Other => None,
        scheme => Some((scheme, length)),
    }
}

/// The same where no colon stands in the first word or right behind it.
#[cold]
#[inline(never)]
fn known_long(octets: &[u8], profile: Profile) -> Option<(Scheme, usize)> {
    let length = octets.iter().take(LONGEST_NAME + 1).position(|&octet| octet == b':')?;
    match long_name(&octets[..length], profile) {
        Scheme::Other => None,
        scheme => Some((scheme, length)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::ORDER;
    use crate::scheme::part::Lead;

    #[test]
    fn every_name_finds_its_scheme_in_any_case() {
        for &scheme in Scheme::ALL {
            let name = scheme.name().unwrap();
            assert_eq!(Scheme::from_name(name.as_bytes(), Profile::Current), scheme);
            let upper = name.to_ascii_uppercase();
            assert_eq!(Scheme::from_name(upper.as_bytes(), Profile::Current), scheme);
            assert!(name.len() >= 3, "`short` takes no shorter one");
            for text in [std::format!("{name}:"), std::format!("{upper}://host.dom/x")] {
                assert_eq!(known(text.as_bytes(), Profile::Current), Some((scheme, name.len())), "{text}");
            }
        }
    }

    #[test]
    fn a_sibling_is_told_by_all_of_its_name() {
        assert!(is_variant("ftps", "Ftps") && is_variant("wss", "WSS") && is_variant("", ""));
        for (name, variant) in
            [("ftps", "Ftp"), ("ftp", "Ftps"), ("ftps", "Ftpx"), ("ftps", "Xtps"), ("", "Ftps"), ("f", "")]
        {
            assert!(!is_variant(name, variant), "{name} {variant}");
        }
    }

    #[test]
    fn under_rfc1738_only_the_ten_schemes_have_rules() {
        for &scheme in Scheme::ALL {
            let name = scheme.name().unwrap().as_bytes();
            let is_of_rfc1738 = Scheme::RFC1738.contains(&scheme);
            assert_eq!(Scheme::from_name(name, Profile::Rfc1738) == scheme, is_of_rfc1738, "{scheme:?}");
            assert_eq!(scheme.is_known_by(Profile::Rfc1738), is_of_rfc1738, "{scheme:?}");
        }
        assert_eq!(Scheme::RFC1738.len(), 10);
        assert_eq!(Scheme::ALL.len(), Scheme::RFC1738.len() + Scheme::LATER.len() + Scheme::SIBLINGS.len());
    }

    #[test]
    fn a_longer_name_that_ends_alike_is_another_scheme() {
        assert_eq!(Scheme::from_name(b"xprospero", Profile::Rfc1738), Scheme::Other);
        assert_eq!(Scheme::from_name(b"prosperox", Profile::Rfc1738), Scheme::Other);
        assert_eq!(Scheme::from_name(b"", Profile::Rfc1738), Scheme::Other);
        assert_eq!(known(b"prosperox://h.dom/", Profile::Rfc1738), None);
        assert_eq!(known(b"prospero", Profile::Rfc1738), None);
    }

    #[test]
    fn names_that_do_not_fit_into_a_word_are_found_one_by_one() {
        for &scheme in Scheme::ALL {
            let name = scheme.name().unwrap();
            for text in [std::format!("{name}:"), std::format!("{}://h", name.to_ascii_uppercase())] {
                assert_eq!(known_long(text.as_bytes(), Profile::Current), Some((scheme, name.len())), "{text}");
            }
            let is_of_rfc1738 = Scheme::RFC1738.contains(&scheme);
            assert_eq!(long_name(name.as_bytes(), Profile::Rfc1738) == scheme, is_of_rfc1738, "{name}");
        }
        for text in ["", "prospero", "xprospero:", "prosperox:", "x-new:/", "//h:"] {
            assert_eq!(known_long(text.as_bytes(), Profile::Current), None, "{text}");
        }
    }

    #[test]
    fn a_text_shorter_than_a_word_is_the_beginning_of_one() {
        for length in 0..KEY_LENGTH {
            let mut word = [0; KEY_LENGTH];
            word[..length].copy_from_slice(&b"\x81\xC2\xA4x\x99\x5A\xFF"[..length]);
            assert_eq!(short(&word[..length]), u64::from_le_bytes(word), "{length}");
        }
    }

    #[test]
    fn a_name_ends_at_the_first_colon_whatever_follows() {
        for rest in ["a:b:c:d", "\u{e9}:/", "\u{201d}:\u{201d}", "::::", ""] {
            assert_eq!(
                known(std::format!("ftp:{rest}").as_bytes(), Profile::Rfc1738),
                Some((Scheme::Ftp, 3)),
                "{rest}"
            );
        }
    }

    #[test]
    fn every_number_is_its_scheme() {
        for (number, scheme) in ORDER.into_iter().enumerate() {
            assert_eq!(Scheme::from_number(number as u8), Some(scheme));
        }
        assert_eq!(Scheme::from_number(COUNT as u8), None);
    }

    #[test]
    fn definitions_name_parts_that_they_have() {
        for scheme in ORDER {
            let parts = scheme.parts();
            for part in parts {
                for name in part.needs.iter().chain(part.brings).chain(part.excludes) {
                    assert!(parts.iter().any(|other| other.name() == *name), "{scheme:?} {part:?} {name}");
                }
            }
        }
    }

    #[test]
    fn two_parts_share_a_slot_only_where_one_divides_the_other() {
        for scheme in ORDER {
            let parts = scheme.parts();
            for (i, part) in parts.iter().enumerate() {
                let twin = parts[..i].iter().find(|other| other.slot == part.slot);
                assert!(twin.is_none_or(|twin| matches!(twin.lead, Lead::Split(list) if list == part.name())));
            }
        }
    }
}
