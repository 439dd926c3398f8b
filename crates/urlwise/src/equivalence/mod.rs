//! Section 2.2: equivalence of URLs and normal forms.
//!
//! A character and its escape are equivalent unless the character is reserved in that part of that scheme. The grammar
//! says what is reserved where ([`Production::reserves`](crate::grammar::Production::reserves)); a few more equivalences come from
//! the sections of the schemes.

mod form;
mod normal;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::display::padded;
use crate::encoded;
use crate::language::{Language, Words, words};
use crate::layout::Layout;
use crate::reason::{Reason, Reasons, Why};
use crate::scheme::{PartKind, Same, Shape};
use crate::url::Url;

pub use form::NormalForm;
use normal::{BETWEEN, Normal, SCHEME_NAME, authority_end, normal, write};

impl<T: AsRef<str>> Url<T> {
    /// The normal form: valid, equivalent, and its own normal form. Borrowed if nothing changes.
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
        let with = |text, layout| Url::from_layout(text, layout).checked_by(self.check());
        let same = || with(Cow::Borrowed(self.as_str()), *self.layout());
        match (normal.text, normal.layout) {
            (Cow::Borrowed(_), _) => same(),
            // A normal form is always valid, unless the check of a registered scheme objects; then the URL itself is correct.
            (text, layout) => match self.layout_of_normal(&text, layout) {
                Some(layout) => with(text, layout),
                None => same(),
            },
        }
    }

    /// Replaces what a text holds by the normal form, the same as [`normalize`](Url::normalize) gives: for many URLs, which share
    /// the text's memory.
    ///
    /// ```
    /// use urlwise::{NormalForm, Url};
    ///
    /// let mut normal = String::new();
    /// for url in ["HTTP://host.dom:80/", "http://Host.dom/", "http://host.dom"] {
    ///     Url::parse(url)?.normalize_into(NormalForm::Scheme, &mut normal);
    ///     assert_eq!(normal, "http://host.dom/");
    /// }
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn normalize_into(&self, form: NormalForm, out: &mut String) {
        out.clear();
        let written = write(self.as_str(), self.layout(), form, out);
        if !written.is_changed || self.layout_of_normal(out, written.layout).is_none() {
            out.clear();
            out.push_str(self.as_str());
        }
    }

    /// The layout of a normal form of this URL, which may be known; `None` where that is not valid.
    fn layout_of_normal(&self, text: &str, layout: Option<Layout>) -> Option<Layout> {
        match (self.rules(), layout) {
            (Some(rules), _) => rules.accept(text.as_bytes(), self.profile()),
            (None, Some(layout)) => Some(layout),
            (None, None) => Url::accept(text.as_bytes(), self.profile()).map(|url| *url.layout()),
        }
    }

    /// The rules by which the normal form differs from the URL; empty if it does not.
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

    /// Whether both URLs are equivalent, and by which rules. Profiles may differ: what counts is what is read, in which they may
    /// agree about a text (`==` counts the profile itself) or not.
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
    ///
    /// let compare = |text| Url::parse(text).unwrap().compare(&Url::parse_current(text).unwrap());
    /// assert_eq!(compare("http://host.dom/").to_string(), "same: the texts are equal");
    /// // `current` ends the path of an unknown scheme at the `?`.
    /// assert_eq!(compare("x-y://host.dom/a?b").part(), Some("url-path"));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn compare<U: AsRef<str>>(&self, other: &Url<U>) -> Comparison {
        let (a, b) = (self.borrow(), other.borrow());
        let [normal_a, normal_b] = [a, b].map(|url| normal(url.text(), url.layout(), NormalForm::Scheme));
        // The profiles may divide one text in two ways.
        let are_read_alike = || {
            a.layout().profile() == b.layout().profile() && a.rules().is_none() && b.rules().is_none()
                || a.normalize(NormalForm::Scheme).layout().is_like(b.normalize(NormalForm::Scheme).layout())
        };
        match normal_a.text == normal_b.text && are_read_alike() {
            true => Comparison { same: true, reasons: sameness(&a, &b, &normal_a, &normal_b), part: None },
            false => difference(&a.normalize(NormalForm::Scheme), &b.normalize(NormalForm::Scheme)),
        }
    }
}

/// Whether two URLs are equivalent, and why.
///
/// `Display` prints one line that does not quote the URLs.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    same: bool,
    reasons: Reasons,
    part: Option<Words>,
}

impl Comparison {
    /// Whether they are equivalent.
    pub fn is_same(&self) -> bool {
        self.same
    }

    /// The rules that make them equivalent, or the one that makes them differ. Empty if the texts are equal.
    pub fn reasons(&self) -> impl Iterator<Item = &'static Reason> {
        self.reasons.rows()
    }

    /// The display name of the first part that differs (`cwd`, `user`, `scheme`); `None` if they are equivalent.
    pub fn part(&self) -> Option<&'static str> {
        self.part.map(Words::en)
    }

    /// [`part`](Comparison::part) in a language.
    pub fn part_in(&self, language: Language) -> Option<Cow<'static, str>> {
        self.part.map(|part| part.get(language))
    }

    /// One line in a language, as `Display` prints it in English.
    pub fn display_in(&self, language: Language) -> impl fmt::Display + use<> {
        Said { comparison: *self, language }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(Language::En).fmt(f)
    }
}

struct Said {
    comparison: Comparison,
    language: Language,
}

impl Said {
    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.comparison.same, self.comparison.part_in(self.language)) {
            (true, _) => words!("same").write(self.language, f),
            (false, Some(part)) => {
                write!(f, "{}", words!("different in the {part}").filled(self.language, |_, f| f.write_str(&part)))
            }
            (false, None) => words!("different").write(self.language, f),
        }
    }

    fn reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.comparison.reasons().enumerate() {
            let separator = if i > 0 { words!("; ").get(self.language) } else { "".into() };
            write!(f, "{separator}{}", reason.display_in(self.language))?;
        }
        match self.comparison.reasons == Reasons::NONE {
            true => words!("the texts are equal").write(self.language, f),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = words!("{verdict}: {reasons}").filled(self.language, |name, f| match name {
            "verdict" => self.verdict(f),
            _ => self.reasons(f),
        });
        padded(f, |f| write!(f, "{line}"))
    }
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comparison({self})")
    }
}

/// The rules that apply where the two texts differ.
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
    // The text after a telnet host is not a part.
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
        return because(Why::Scheme, Some(words!("scheme")));
    }
    if a.scheme() != b.scheme() {
        return because(Why::Reading, Some(words!("scheme")));
    }
    // A part that contains others is named only if none of those differs.
    let (whole, divided): (Vec<_>, Vec<_>) = a.scheme().parts().iter().partition(|def| def.shape == Shape::Whole);
    let differs = |def: &&&PartKind| written(a, def.slot) != written(b, def.slot);
    let part = divided.iter().chain(&whole).find(differs);
    let is_absent = part.is_some_and(|def| written(a, def.slot).is_none() || written(b, def.slot).is_none());
    let alike = |read: fn(&str) -> Cow<'_, [u8]>| read(a.as_str()) == read(b.as_str());
    let why = match part {
        _ if a.as_str() == b.as_str() => Why::Reading,
        Some(def) if alike(decoded) && def.is_opaque() => Why::OpaqueEscape,
        _ if alike(decoded) => Why::EncodedReserved,
        _ if alike(squeezed) => Why::EmptySegment,
        _ if alike(without_dots) => Why::DotSegment,
        _ if is_absent => Why::Absent,
        _ => Why::Octets,
    };
    because(why, part.map(|def| def.labels()))
}

fn decoded(text: &str) -> Cow<'_, [u8]> {
    encoded::decode(text.as_bytes())
}

/// The text with runs of slashes collapsed.
fn squeezed(text: &str) -> Cow<'_, [u8]> {
    let mut octets = text.as_bytes().to_vec();
    octets.dedup_by(|next, last| *next == b'/' && *last == b'/');
    Cow::Owned(octets)
}

/// The text without the segments `.`, and those `..` with the segments before them.
fn without_dots(text: &str) -> Cow<'_, [u8]> {
    // Not a list of segments, of which a text may have a million.
    let (mut kept, mut count) = (String::with_capacity(text.len()), 0_usize);
    for segment in text.split('/') {
        match segment {
            "." => {}
            ".." => {
                kept.truncate(kept.rfind('/').unwrap_or(0));
                count = count.saturating_sub(1);
            }
            _ => {
                if count > 0 {
                    kept.push('/');
                }
                kept.push_str(segment);
                count += 1;
            }
        }
    }
    Cow::Owned(kept.into_bytes())
}
