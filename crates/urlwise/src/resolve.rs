//! Relative references: what a text means as seen from a base (RFC 1808; RFC 3986 section 5 under the profile `current`).
//!
//! RFC 1738 leaves relative links to another document (section 2.3). RFC 1808 section 2.3 says which schemes have them: ftp,
//! http, file and nntp always; gopher, prospero and wais where the path is hierarchical; mailto, news and telnet never (D-09).
//! What a scheme reads as data divides nothing: `?` is no query in ftp, file, gopher and prospero (D-33), and `;` is no
//! parameter in gopher. Under `rfc1738` the `.` and `..` of an ftp path are names, and stay (D-32).

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::class;
use crate::encoded::Encoded;
use crate::layout::Layout;
use crate::problem::{Finding, Problem};
use crate::profile::Profile;
use crate::reference::{self, Reference};
use crate::scheme::Scheme;
use crate::url::Url;

/// When a scheme has relative references (RFC 1808 section 2.3, D-09).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relative {
    Always,
    WhenHierarchical,
    Never,
}

/// How the references of a scheme are taken apart and put together.
#[derive(Clone, Copy)]
struct Syntax {
    relative: Relative,
    /// Whether a `;` begins parameters.
    params: bool,
    /// Whether a `?` begins a query.
    query: bool,
    /// What becomes of `.` and `..`.
    dots: Dots,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    /// They are names.
    Names,
    /// Taken out of relative paths; a `..` too many stays (RFC 1808 section 4, step 6).
    Relative,
    /// Taken out of all paths, and a `..` too many too (RFC 3986 section 5.2.4).
    All,
}

/// The syntax of references from a base of this scheme.
fn syntax(scheme: Scheme, profile: Profile) -> Syntax {
    let is_current = profile == Profile::Current;
    let (relative, params, query) = match scheme.base() {
        Scheme::Ftp => (Relative::Always, true, false),
        Scheme::Http => (Relative::Always, true, true),
        Scheme::File | Scheme::Nntp => (Relative::Always, false, false),
        Scheme::Gopher => (Relative::WhenHierarchical, false, false),
        Scheme::Prospero => (Relative::WhenHierarchical, true, false),
        Scheme::Wais => (Relative::WhenHierarchical, false, true),
        // RFC 3986 resolves what it knows nothing about, RFC 1808 names its schemes.
        Scheme::Other if is_current => (Relative::Always, false, true),
        _ => (Relative::Never, false, false),
    };
    let dots = match scheme.base() {
        _ if is_current => Dots::All,
        Scheme::Ftp => Dots::Names,
        _ => Dots::Relative,
    };
    // RFC 3986 has no parameters: a `;` belongs to its segment.
    Syntax { relative, params: params && !is_current, query, dots }
}

/// The places of the components of a reference or URL without fragment (RFC 1808 section 2.4).
struct Components {
    /// The scheme's name; its colon follows.
    scheme: Option<Range<usize>>,
    /// What stands between `//` and the path.
    authority: Option<Range<usize>>,
    /// With the slash it begins with.
    path: Range<usize>,
    /// Behind the `;`.
    params: Option<Range<usize>>,
    /// Behind the `?`.
    query: Option<Range<usize>>,
}

impl Components {
    fn split(text: &str, syntax: Syntax) -> Components {
        let octets = text.as_bytes();
        let scheme = scheme_name(text).map(|name| 0..name.len());
        let mut at = scheme.as_ref().map_or(0, |name| name.end + 1);
        let position = |from: usize, until: usize, stop: u8| {
            octets[from..until].iter().position(|&octet| octet == stop).map(|length| from + length)
        };
        let mut authority = None;
        if octets[at..].starts_with(b"//") {
            let start = at + 2;
            let slash = position(start, octets.len(), b'/').unwrap_or(octets.len());
            let ends_at_query = syntax.query && syntax.dots == Dots::All;
            at = ends_at_query.then(|| position(start, slash, b'?')).flatten().unwrap_or(slash);
            authority = Some(start..at);
        }
        let mut end = octets.len();
        let mut cut = |is_there: bool, stop: u8| {
            let found = is_there.then(|| position(at, end, stop)).flatten()?;
            let part = found + 1..end;
            end = found;
            Some(part)
        };
        let query = cut(syntax.query, b'?');
        let params = cut(syntax.params, b';');
        Components { scheme, authority, path: at..end, params, query }
    }
}

/// The scheme a reference begins with (RFC 1808 section 2.4.2).
fn scheme_name(text: &str) -> Option<&str> {
    let end = class::skip(text.as_bytes(), 0, class::SCHEME);
    (end > 0 && text.as_bytes().get(end) == Some(&b':')).then(|| &text[..end])
}

impl<T: AsRef<str>> Url<T> {
    /// What a reference, relative or not, means as seen from this URL, by RFC 1808; under the profile `current` by RFC 3986.
    ///
    /// ```
    /// use urlwise::{Profile, Url};
    ///
    /// let base = Url::parse("http://a/b/c/d;p?q")?;
    /// assert_eq!(base.resolve("../g")?.as_str(), "http://a/b/g");
    /// assert_eq!(base.resolve("?y#s")?.as_str(), "http://a/b/c/d;p?y#s");
    /// assert_eq!(base.resolve("../../../g")?.as_str(), "http://a/../g"); // RFC 1808 section 5.2
    ///
    /// let base = Url::parse_with(Profile::Current, "http://a/b/c/d;p?q")?;
    /// assert_eq!(base.resolve("../../../g")?.as_str(), "http://a/g"); // RFC 3986 section 5.4.2
    ///
    /// let base = Url::parse("ftp://host.dom/a/b")?;
    /// assert_eq!(base.resolve("../c")?.as_str(), "ftp://host.dom/a/../c"); // `CWD ..` is the server's: D-32
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where the scheme has no relative references (D-09), where the base has no hierarchy that the reference could be relative
    /// to, and where the text that comes out is no URL under the base's profile.
    pub fn resolve(&self, reference: &str) -> Result<Resolved, ResolveError> {
        Base { url: self.borrow(), fragment: None }.resolve(reference)
    }

    /// The reference that means `target` as seen from this URL: `self.resolve(&reference)` gives `target`, octet for octet.
    /// Relative to the path where that can be, else with the whole path, else with the host; empty for this URL itself.
    ///
    /// `None` where only the whole URL will do: from another scheme, or where a path holds `.` or `..` that resolving would
    /// take away.
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// let base = Url::parse("http://host.dom/a/b?c")?;
    /// let reference = |target| base.relativize(&Url::parse(target).unwrap());
    /// assert_eq!(reference("http://host.dom/a/d/e").unwrap(), "d/e");
    /// assert_eq!(reference("http://host.dom/").unwrap(), "../");
    /// assert_eq!(reference("http://other.dom/").unwrap(), "//other.dom/");
    /// assert_eq!(reference("ftp://host.dom/a"), None);
    /// # Ok::<(), urlwise::ParseError<&str>>(())
    /// ```
    pub fn relativize<U: AsRef<str>>(&self, target: &Url<U>) -> Option<String> {
        let text = target.as_str();
        let gives_target = |reference: &String| self.resolve(reference).is_ok_and(|resolved| resolved.as_str() == text);
        if self.scheme_name() != target.scheme_name() {
            return None;
        }
        candidates(self.as_str(), text, syntax(self.scheme(), self.profile())).into_iter().find(gives_target)
    }
}

impl Reference<'_> {
    /// As [`Url::resolve`]. An empty reference means the whole base, under `rfc1738` with its fragment (RFC 1808 section 4,
    /// step 2).
    ///
    /// ```
    /// let base = urlwise::Reference::parse("http://a/b/c/d;p?q#f")?;
    /// assert_eq!(base.resolve("").unwrap().as_str(), "http://a/b/c/d;p?q#f");
    /// assert_eq!(base.resolve("g").unwrap().as_str(), "http://a/b/c/g");
    /// # Ok::<(), urlwise::ReferenceError<'_>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Url::resolve`].
    pub fn resolve(&self, reference: &str) -> Result<Resolved, ResolveError> {
        Base { url: *self.url(), fragment: self.fragment().map(Encoded::as_str) }.resolve(reference)
    }
}

/// The references that may mean `target` as seen from `base`, the shortest kind first.
fn candidates(base: &str, target: &str, syntax: Syntax) -> [String; 5] {
    let [from, to] = [base, target].map(|text| Components::split(text, syntax));
    let (path, tail) = (&target[to.path.clone()], &target[to.path.end..]);
    let base_path = &base[from.path];
    let folder = base_path.rfind('/').map_or("/", |slash| &base_path[..=slash]);
    let alike = folder.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count();
    let common = folder[..alike].rfind('/').map_or(0, |slash| slash + 1);
    let ups = folder[common..].matches('/').count();
    let rest = &path[common..];
    let mut relative = "../".repeat(ups);
    // A first segment that is empty or looks like a scheme needs something before it (RFC 1808 section 5.3).
    if ups == 0 && (rest.is_empty() || rest.starts_with('/') || scheme_name(rest).is_some()) {
        relative.push_str("./");
    }
    relative.push_str(rest);
    relative.push_str(tail);
    let behind_scheme = to.scheme.map_or(0, |name| name.end + 1);
    [String::new(), tail.into(), relative, target[to.path.start..].into(), target[behind_scheme..].into()]
}

struct Base<'a> {
    url: Url<&'a str>,
    fragment: Option<&'a str>,
}

impl Base<'_> {
    fn resolve(&self, reference: &str) -> Result<Resolved, ResolveError> {
        let profile = self.url.profile();
        let base = self.url.text();
        let (url, fragment) = match reference.bytes().position(|octet| octet == b'#') {
            Some(at) => (&reference[..at], Some(&reference[at + 1..])),
            None => (reference, None),
        };
        let mut out = String::with_capacity(base.len() + reference.len() + 2);
        let mut inherited = None;
        match scheme_name(url) {
            None if url.is_empty() => {
                out.push_str(base);
                inherited = self.fragment.filter(|_| profile == Profile::Rfc1738);
            }
            Some(name) => absolute(&mut out, url, syntax(Scheme::from_name(name.as_bytes(), profile), profile)),
            None => self
                .relative(&mut out, url, syntax(self.url.scheme(), profile))
                .map_err(|fault| ResolveError { text: self.url.scheme_name().to_ascii_lowercase(), fault })?,
        }
        if let Some(fragment) = fragment.or(inherited) {
            out.push('#');
            out.push_str(fragment);
        }
        match reference::read(profile, &out) {
            Ok((layout, end)) => Ok(Resolved { text: out, layout, end }),
            Err(finding) => Err(ResolveError { text: out, fault: Fault::Invalid(finding) }),
        }
    }

    /// RFC 1808 section 4, steps 3 to 7; RFC 3986 section 5.2.2. The reference is not empty and has no scheme.
    fn relative(&self, out: &mut String, text: &str, syntax: Syntax) -> Result<(), Fault> {
        if syntax.relative == Relative::Never {
            return Err(Fault::Never);
        }
        let base = self.url.text();
        let from = Components::split(base, syntax);
        let to = Components::split(text, syntax);
        let is_current = syntax.dots == Dots::All;
        let path = &text[to.path.clone()];
        let tail = &text[to.path.end..];
        // To RFC 1808 an empty host is none.
        if let Some(authority) = to.authority
            && (is_current || !authority.is_empty())
        {
            out.push_str(&base[..from.scheme.map_or(0, |name| name.end + 1)]);
            out.push_str(&text[..authority.end]);
            whole_path(out, path, syntax.dots);
        } else if path.starts_with('/') {
            out.push_str(&base[..from.path.start]);
            whole_path(out, path, syntax.dots);
            keep_without_host(out, &from);
        } else if path.is_empty() {
            out.push_str(&base[..from.path.end]);
            // An empty component is there to RFC 3986; to RFC 1808 it is not.
            let counts = |part: &Option<Range<usize>>| part.as_ref().is_some_and(|span| is_current || !span.is_empty());
            if !counts(&to.params) {
                if let Some(params) = from.params {
                    out.push_str(&base[params.start - 1..params.end]);
                }
                if !counts(&to.query) {
                    if let Some(query) = from.query {
                        out.push_str(&base[query.start - 1..]);
                    }
                    return Ok(());
                }
                out.push_str(&text[to.query.map_or(text.len(), |query| query.start - 1)..]);
                return Ok(());
            }
        } else {
            let folder = folder(base, &from, syntax.relative).ok_or(Fault::NotHierarchical)?;
            out.push_str(&base[..from.path.start]);
            match syntax.dots {
                Dots::Names => {
                    out.push_str(folder);
                    out.push_str(path);
                }
                dots => without_dots(out, folder, path, dots),
            }
            keep_without_host(out, &from);
        }
        out.push_str(tail);
        Ok(())
    }
}

/// The base's path up to its last slash, where a relative path can be put behind it.
fn folder<'a>(base: &'a str, from: &Components, relative: Relative) -> Option<&'a str> {
    let path = &base[from.path.clone()];
    if path.is_empty() && from.authority.is_some() && relative == Relative::Always {
        return Some("/");
    }
    let slash = path.rfind('/')?;
    let is_hierarchical = path.starts_with('/') && (relative == Relative::Always || slash > 0);
    is_hierarchical.then(|| &path[..=slash])
}

/// A reference with a scheme is a URL as it stands; RFC 3986 takes its dots out.
fn absolute(out: &mut String, text: &str, syntax: Syntax) {
    let at = Components::split(text, syntax);
    if syntax.relative == Relative::Never {
        return out.push_str(text);
    }
    out.push_str(&text[..at.path.start]);
    whole_path(out, &text[at.path.clone()], syntax.dots);
    keep_without_host(out, &at);
    out.push_str(&text[at.path.end..]);
}

/// A path that is relative to nothing.
fn whole_path(out: &mut String, path: &str, dots: Dots) {
    match path.strip_prefix('/') {
        Some(segments) if dots == Dots::All => without_dots(out, "/", segments, dots),
        _ => out.push_str(path),
    }
}

/// Two slashes left at the start of a path must not begin a host where there was none (RFC 3986 section 4.2).
fn keep_without_host(out: &mut String, from: &Components) {
    if from.authority.is_none() && out[from.path.start..].starts_with("//") {
        out.insert_str(from.path.start, "/.");
    }
}

/// Appends `folder`, which begins and ends with a slash, and `path`, without the segments `.` and without those `..` that
/// take away the segment before them.
fn without_dots(out: &mut String, folder: &str, path: &str, dots: Dots) {
    let root = out.len();
    // Nothing is taken out: the usual case.
    if !has_dots(folder) && !has_dots(path) {
        out.push_str(folder);
        return out.push_str(path);
    }
    let mut segments = folder[..folder.len() - 1].split('/').skip(1).chain(path.split('/')).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                let before = out[root..].rfind('/').map(|slash| root + slash);
                match before {
                    Some(slash) if dots == Dots::All || out[slash..] != *"/.." => out.truncate(slash),
                    None if dots == Dots::All => {}
                    _ => {
                        out.push_str("/..");
                        continue;
                    }
                }
            }
            _ => {
                out.push('/');
                out.push_str(segment);
                continue;
            }
        }
        if is_last {
            out.push('/');
        }
    }
}

/// Whether a segment may be `.` or `..`: whether one begins with a dot.
fn has_dots(path: &str) -> bool {
    let mut last = b'/';
    path.bytes().any(|octet| core::mem::replace(&mut last, octet) == b'/' && octet == b'.')
}

/// What a reference means: a URL with a text of its own, and the fragment that may follow it.
///
/// ```
/// let base = urlwise::Url::parse("http://a/b/c")?;
/// let resolved = base.resolve("d#e")?;
/// assert_eq!(resolved.as_str(), "http://a/b/d#e");
/// assert_eq!(resolved.fragment().unwrap(), "e");
/// assert_eq!(resolved.into_url().as_str(), "http://a/b/d");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Resolved {
    text: String,
    layout: Layout,
    /// Where the URL ends.
    end: usize,
}

impl Resolved {
    /// The whole text, with the fragment.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The URL, without the fragment.
    pub fn url(&self) -> Url<&str> {
        Url::from_layout(&self.text[..self.end], self.layout)
    }

    /// What follows the `#`; `None` without one, empty in `http://host/#`.
    pub fn fragment(&self) -> Option<Encoded<'_>> {
        self.text.get(self.end + 1..).map(Encoded::new)
    }

    /// The URL with the text's memory; the fragment is gone.
    pub fn into_url(mut self) -> Url<String> {
        self.text.truncate(self.end);
        Url::from_layout(self.text, self.layout)
    }
}

impl fmt::Display for Resolved {
    /// The text, password and all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Resolved({}{})", self.url().masked(), &self.text[self.end..])
    }
}

/// Why a reference means nothing as seen from a base.
#[derive(Clone, PartialEq, Eq)]
pub struct ResolveError {
    /// The text that came out, or the scheme of the base.
    text: String,
    fault: Fault,
}

#[derive(Clone, PartialEq, Eq)]
enum Fault {
    Never,
    NotHierarchical,
    Invalid(Finding),
}

impl ResolveError {
    /// The text that came out and is no URL, with its fragment; `None` where nothing could come out. It may hold a password.
    pub fn text(&self) -> Option<&str> {
        self.problem().is_some().then_some(&*self.text)
    }

    /// What is wrong with that text.
    pub fn problem(&self) -> Option<Problem<'_>> {
        match self.fault {
            Fault::Invalid(finding) => Some(reference::problem(&self.text, finding)),
            Fault::Never | Fault::NotHierarchical => None,
        }
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = &self.text;
        match &self.fault {
            Fault::Never => {
                write!(f, "nothing is relative to a `{scheme}` URL (RFC 1808 section 2.3, D-09); give a whole URL")
            }
            Fault::NotHierarchical => write!(
                f,
                "the path of the base has no hierarchy for a relative path (`{scheme}`, RFC 1808 section 2.3, D-09); \
                 begin the reference with `/`, or give a whole URL"
            ),
            Fault::Invalid(finding) => {
                write!(f, "what the reference means is no URL: {}", reference::problem(&self.text, *finding))
            }
        }
    }
}

impl fmt::Debug for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResolveError({self})")
    }
}

impl core::error::Error for ResolveError {}
