//! Section 2.2: which texts mean the same, and their normal forms.
//!
//! An encoded character and the character mean the same, unless the character is reserved in that part of that scheme. What is
//! reserved where is data of the grammar ([`Rule::reserves`](crate::grammar::Rule::reserves)); a few pairs that mean the same
//! come from the sections of their schemes.

mod normal;
pub(crate) mod reason;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

pub use reason::Reason;

use crate::encoded;
use crate::scheme::{PartKind, Same, Shape};
use crate::url::Url;
use normal::{BETWEEN, Normal, SCHEME_NAME, authority_end, normal};
use reason::{Reasons, Why};

/// How far a normal form goes. Both keep what is encoded because it is reserved, user and password, empty segments, `.` and
/// `..`, and number hosts as they are written: some read their leading zeros as octal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormalForm {
    /// What is safe whoever reads the URL next: escapes of letters, digits and ``$-_.+!*'(),`` are decoded, the digits of
    /// others are upper-case; scheme and host are lower-case; the default port and leading zeros of a port are dropped.
    Safe,
    /// Also what RFC 1738 says of the scheme: everything that is not reserved in its part is decoded, and texts that mean the
    /// same are written in one way. Equal forms of this kind are what [`Url::compare`] calls the same.
    Scheme,
}

impl NormalForm {
    /// Both, the weaker first.
    pub const ALL: &'static [NormalForm] = &[NormalForm::Safe, NormalForm::Scheme];

    /// `safe` or `scheme`.
    pub const fn name(self) -> &'static str {
        match self {
            NormalForm::Safe => "safe",
            NormalForm::Scheme => "scheme",
        }
    }
}

impl<T: AsRef<str>> Url<T> {
    /// The normal form: valid, with the same meaning, and its own normal form. Borrowed where nothing changes.
    ///
    /// ```
    /// use urlwise::{NormalForm, Url};
    ///
    /// let url = Url::parse("FTP://Host.dom:21/%2fetc/%6D%40;type=A")?;
    /// assert_eq!(url.normalize(NormalForm::Safe).as_str(), "ftp://host.dom/%2Fetc/m%40;type=A");
    /// assert_eq!(url.normalize(NormalForm::Scheme).as_str(), "ftp://host.dom/%2Fetc/m@;type=a");
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn normalize(&self, form: NormalForm) -> Url<Cow<'_, str>> {
        let normal = normal(self.as_str(), self.layout(), form);
        match (normal.text, normal.layout) {
            (Cow::Borrowed(text), _) => Url::from_layout(Cow::Borrowed(text), *self.layout()),
            (text, Some(layout)) => Url::from_layout(text, layout),
            // A normal form is always valid; were it not, the URL itself would still be right.
            (text, None) => Url::parse_with(self.profile(), text)
                .unwrap_or_else(|_| Url::from_layout(Cow::Borrowed(self.as_str()), *self.layout())),
        }
    }

    /// The rules by which the normal form differs from the URL; none where it does not.
    ///
    /// ```
    /// use urlwise::{NormalForm, Reason, Url};
    ///
    /// let url = Url::parse("http://Host.dom/%7ejim")?;
    /// let codes: Vec<_> = url.changes(NormalForm::Safe).map(Reason::code).collect();
    /// assert_eq!(codes, ["host-case", "hex-case"]);
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn changes(&self, form: NormalForm) -> impl Iterator<Item = &'static Reason> + use<T> {
        let changes = normal(self.as_str(), self.layout(), form).changes;
        changes.into_iter().fold(Reasons::NONE, Reasons::or).rows()
    }

    /// Whether both URLs mean the same, and by which rules they do or do not.
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// let url = Url::parse("http://host.dom/%7Ejim")?;
    /// let comparison = url.compare(&Url::parse("http://HOST.dom:80/%7ejim")?);
    /// assert!(comparison.is_same());
    /// let codes: Vec<_> = comparison.reasons().map(|reason| reason.code()).collect();
    /// assert_eq!(codes, ["host-case", "port-default", "hex-case"]);
    ///
    /// let comparison = Url::parse("ftp://@host.dom/a")?.compare(&Url::parse("ftp://host.dom/a")?);
    /// assert_eq!((comparison.is_same(), comparison.part()), (false, Some("user")));
    /// assert_eq!(comparison.reasons().next().unwrap().decision(), Some("D-24"));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn compare<U: AsRef<str>>(&self, other: &Url<U>) -> Comparison {
        let (a, b) = (self.borrow(), other.borrow());
        let [normal_a, normal_b] = [a, b].map(|url| normal(url.text(), url.layout(), NormalForm::Scheme));
        match normal_a.text == normal_b.text {
            true => Comparison { same: true, reasons: sameness(&a, &b, &normal_a, &normal_b), part: None },
            false => difference(&a.normalize(NormalForm::Scheme), &b.normalize(NormalForm::Scheme)),
        }
    }
}

/// Whether two URLs mean the same, and why.
///
/// `Display` says it in one line and quotes nothing of the URLs.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    same: bool,
    reasons: Reasons,
    part: Option<&'static str>,
}

impl Comparison {
    /// Whether they mean the same.
    pub fn is_same(&self) -> bool {
        self.same
    }

    /// The rules that make them the same, or the one that makes them differ. None where the texts are equal.
    pub fn reasons(&self) -> impl Iterator<Item = &'static Reason> {
        self.reasons.rows()
    }

    /// The first part that differs, by its name for people (`cwd`, `user`, `scheme`); `None` where they are the same.
    pub fn part(&self) -> Option<&'static str> {
        self.part
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.same, self.part) {
            (true, _) => f.write_str("same")?,
            (false, Some(part)) => write!(f, "different in the {part}")?,
            (false, None) => f.write_str("different")?,
        }
        let mut separator = ": ";
        for reason in self.reasons() {
            write!(f, "{separator}{reason}")?;
            separator = "; ";
        }
        if self.same && self.reasons == Reasons::NONE {
            f.write_str(": the texts are equal")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comparison({self})")
    }
}

/// The rules that were needed where the two texts are written differently.
fn sameness(a: &Url<&str>, b: &Url<&str>, normal_a: &Normal<'_>, normal_b: &Normal<'_>) -> Reasons {
    let mut reasons = normal_a.changes[BETWEEN].xor(normal_b.changes[BETWEEN]);
    let mut needed = |at: usize, differ: bool| {
        if differ {
            reasons = reasons.or(normal_a.changes[at]).or(normal_b.changes[at]);
        }
    };
    for slot in 0..a.layout().slots.len() {
        needed(slot, written(a, slot) != written(b, slot));
    }
    needed(SCHEME_NAME, a.scheme_name() != b.scheme_name());
    // What may follow a telnet host is no part.
    let is_ignored = a.scheme().definition().same.iter().any(|same| matches!(same, Same::AllBehindHost));
    needed(BETWEEN, is_ignored && behind_host(a) != behind_host(b));
    reasons
}

fn behind_host<'a>(url: &Url<&'a str>) -> Option<&'a str> {
    url.text().get(authority_end(url.layout())..)
}

fn written<T: AsRef<str>>(url: &Url<T>, slot: usize) -> Option<&str> {
    url.as_str().get(url.layout().slots[slot].range()?)
}

/// Why two normal forms differ, and in which part first.
fn difference(a: &Url<Cow<'_, str>>, b: &Url<Cow<'_, str>>) -> Comparison {
    let because = |why, part| Comparison { same: false, reasons: Reasons::of(why), part };
    if a.scheme_name() != b.scheme_name() {
        return because(Why::Scheme, Some("scheme"));
    }
    // A part that others divide is named only if none of those differs.
    let (whole, divided): (Vec<_>, Vec<_>) = a.scheme().parts().iter().partition(|def| def.shape == Shape::Whole);
    let differs = |def: &&&PartKind| written(a, def.slot) != written(b, def.slot);
    let part = divided.iter().chain(&whole).find(differs);
    let is_absent = part.is_some_and(|def| written(a, def.slot).is_none() || written(b, def.slot).is_none());
    let alike = |read: fn(&str) -> Cow<'_, [u8]>| read(a.as_str()) == read(b.as_str());
    let why = match part {
        Some(def) if alike(decoded) && def.is_opaque() => Why::OpaqueEscape,
        _ if alike(decoded) => Why::EncodedReserved,
        _ if alike(squeezed) => Why::EmptySegment,
        _ if alike(without_dots) => Why::DotSegment,
        _ if is_absent => Why::Absent,
        _ => Why::Octets,
    };
    because(why, part.map(|def| def.label()))
}

fn decoded(text: &str) -> Cow<'_, [u8]> {
    encoded::decode(text.as_bytes())
}

/// The text with runs of slashes made one.
fn squeezed(text: &str) -> Cow<'_, [u8]> {
    let mut octets = text.as_bytes().to_vec();
    octets.dedup_by(|next, last| *next == b'/' && *last == b'/');
    Cow::Owned(octets)
}

/// The text without the segments `.`, and those `..` with the segments before them.
fn without_dots(text: &str) -> Cow<'_, [u8]> {
    let mut kept: Vec<&str> = Vec::new();
    for segment in text.split('/') {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    Cow::Owned(kept.join("/").into_bytes())
}
