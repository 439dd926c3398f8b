//! Resolves relative references against a base (RFC 1808; RFC 3986 section 5 in the profile `current`).
//!
//! RFC 1738 leaves relative links to another document (section 2.3). RFC 1808 section 2.3 says which schemes have them:
//! ftp, http, file and nntp always; gopher, prospero and wais if the path is hierarchical; mailto, news and telnet
//! never (D-09); a registered scheme as its registry says. A character that is data in a scheme is not a delimiter: `?` does not start a query in ftp, file,
//! gopher and prospero (D-33), nor `;` a parameter in gopher. In `rfc1738`, `.` and `..` in an ftp path are names and
//! are kept (D-32).

use alloc::string::{String, ToString};
use core::fmt;
use core::ops::Range;

use crate::class;
use crate::encoded::Encoded;
use crate::language::{Language, message};
use crate::layout::{self, Layout};
use crate::owned_reference::OwnedReference;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reference::{self, Reference};
use crate::scheme::Scheme;
use crate::scheme::definition::{References, Relative};
use crate::scheme::other;
use crate::url::Url;
use crate::url::rules::SchemeRules;

/// How the references of a scheme are split and joined.
#[derive(Clone, Copy)]
struct Syntax {
    relative: Relative,
    /// Whether a `;` starts parameters.
    params: bool,
    /// The slot of the part that a `?` starts, if any.
    query: Option<usize>,
    /// Whether the layout of a URL does not have the query, so that it is looked for in the text.
    is_searched: bool,
    /// How `.` and `..` are handled.
    dots: Dots,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    /// They are names.
    Names,
    /// Removed from relative paths; excess `..` are kept (RFC 1808 section 4, step 6).
    Relative,
    /// Removed from all paths, including excess `..` (RFC 3986 section 5.2.4).
    All,
}

/// The syntax of references from a base of this scheme, or of a registered one.
fn syntax(scheme: Scheme, rules: Option<SchemeRules>, profile: Profile) -> Syntax {
    let is_current = profile == Profile::Current;
    if !is_current && rules.is_some_and(|rules| rules.has_references) {
        // The generic syntax of RFC 1808 section 2.1, which reads what RFC 1738 calls a url-path.
        let (relative, dots) = (Relative::Always, Dots::Relative);
        return Syntax { relative, params: true, query: Some(other::QUERY), is_searched: true, dots };
    }
    let &References { relative, params, query, dots_are_names } = &scheme.definition().references;
    let relative = match relative {
        Relative::ByRfc3986 if is_current => Relative::Always,
        Relative::ByRfc3986 => Relative::Never,
        Relative::Always | Relative::WhenHierarchical | Relative::Never => relative,
    };
    let dots = match (is_current, dots_are_names) {
        (true, _) => Dots::All,
        (false, true) => Dots::Names,
        (false, false) => Dots::Relative,
    };
    // RFC 3986 has no parameters: a `;` belongs to its segment.
    Syntax { relative, params: params && !is_current, query, is_searched: false, dots }
}

/// The spans of the components of a reference or URL without fragment (RFC 1808 section 2.4).
struct Components {
    /// The scheme's name; its colon follows.
    scheme: Option<Range<usize>>,
    /// The text between `//` and the path.
    authority: Option<Range<usize>>,
    /// Including its leading slash.
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
        let mut authority = None;
        if octets[at..].starts_with(b"//") {
            let start = at + 2;
            let ends_at_query = syntax.query.is_some() && syntax.dots == Dots::All;
            let is_end = |&octet: &u8| octet == b'/' || octet == b'?' && ends_at_query;
            at = octets[start..].iter().position(is_end).map_or(octets.len(), |length| start + length);
            authority = Some(start..at);
        }
        let query = syntax.query.and_then(|_| first(octets, at..octets.len(), b'?'));
        Components::behind(octets, scheme, authority, at, query.map(|at| at + 1..octets.len()), syntax)
    }

    /// The components of a URL, whose parts are known.
    fn of(text: &str, layout: &Layout, syntax: Syntax) -> Components {
        let slot = |slot: usize| layout.slots[slot].range();
        let scheme = layout.scheme_name.range();
        let colon = scheme.as_ref().map_or(0, |name| name.end);
        let Some(host) = slot(layout::HOST).filter(|_| !syntax.is_searched) else {
            // There may be something after `//` that RFC 1738 does not read as a host.
            return Components::split(text, syntax);
        };
        let path = slot(layout::PORT).map_or(host.end, |port| port.end);
        let query = syntax.query.and_then(slot);
        Components::behind(text.as_bytes(), scheme, Some(colon + 3..path), path, query, syntax)
    }

    /// The components from the path on, if the query is known.
    fn behind(
        octets: &[u8],
        scheme: Option<Range<usize>>,
        authority: Option<Range<usize>>,
        path: usize,
        query: Option<Range<usize>>,
        syntax: Syntax,
    ) -> Components {
        let mut end = query.as_ref().map_or(octets.len(), |query| query.start - 1);
        let semicolon = if syntax.params { first(octets, path..end, b';') } else { None };
        let params = semicolon.map(|at| at + 1..end);
        end = semicolon.unwrap_or(end);
        Components { scheme, authority, path: path..end, params, query }
    }
}

/// The first position of the octet in a range.
fn first(octets: &[u8], within: Range<usize>, wanted: u8) -> Option<usize> {
    let start = within.start;
    octets[within].iter().position(|&octet| octet == wanted).map(|length| start + length)
}

/// The scheme at the start of a reference (RFC 1808 section 2.4.2).
fn scheme_name(text: &str) -> Option<&str> {
    let end = text.bytes().position(|octet| !class::is(octet, class::SCHEME))?;
    (end > 0 && text.as_bytes()[end] == b':').then(|| &text[..end])
}

impl<T: AsRef<str>> Url<T> {
    /// Resolves a reference, relative or not, against this URL by RFC 1808, or by RFC 3986 in the profile `current`.
    ///
    /// ```
    /// use urlwise::{Profile, Url};
    ///
    /// let base = Url::parse("http://a/b/c/d;p?q")?;
    /// assert_eq!(base.resolve("../g")?.as_str(), "http://a/b/g");
    /// assert_eq!(base.resolve("?y#s")?.as_str(), "http://a/b/c/d;p?y#s");
    /// assert_eq!(base.resolve("../../../g")?.as_str(), "http://a/../g"); // RFC 1808 section 5.2
    ///
    /// let base = Url::parse_with("http://a/b/c/d;p?q", Profile::Current)?;
    /// assert_eq!(base.resolve("../../../g")?.as_str(), "http://a/g"); // RFC 3986 section 5.4.2
    ///
    /// let base = Url::parse("ftp://host.dom/a/b")?;
    /// assert_eq!(base.resolve("../c")?.as_str(), "ftp://host.dom/a/../c"); // `CWD ..` is the server's: D-32
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A URL that was read by a [registry](crate::registry) is the base of references by RFC 1808 if its scheme was registered
    /// [with them](crate::registry::NewScheme::with_relative_references), in the profile `current` always. The result is read
    /// by the same rules, unless the reference names another scheme: that one is read as without a registry.
    ///
    /// # Errors
    /// If the scheme has no relative references (D-09), if the path of the base is not hierarchical, or if the result
    /// is not a valid URL in the profile of the base.
    pub fn resolve(&self, reference: &str) -> Result<OwnedReference, ResolveError> {
        Base { url: self.borrow(), fragment: None }.resolve(reference)
    }

    /// The reference that resolves to `target` from this URL: `self.resolve(&reference)` gives exactly `target`.
    /// Relative to the path if possible, otherwise with the whole path, otherwise with the host; empty for this URL
    /// itself.
    ///
    /// `None` if only the absolute URL works: for another scheme, or if a path contains `.` or `..` that resolving
    /// would remove.
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
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn relativize<U: AsRef<str>>(&self, target: &Url<U>) -> Option<String> {
        let text = target.as_str();
        let gives_target = |reference: &String| self.resolve(reference).is_ok_and(|resolved| resolved.as_str() == text);
        if self.borrow().scheme_name() != target.borrow().scheme_name() {
            return None;
        }
        let syntax = syntax(self.scheme(), self.rules(), self.profile());
        candidates(self.as_str(), text, syntax).into_iter().find(gives_target)
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
    /// # Ok::<(), urlwise::ReferenceError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Url::resolve`].
    pub fn resolve(&self, reference: &str) -> Result<OwnedReference, ResolveError> {
        Base { url: *self.url(), fragment: self.fragment().map(Encoded::as_str) }.resolve(reference)
    }
}

/// The references that may resolve to `target` from `base`, shortest kind first.
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
    // A first segment that is empty or looks like a scheme needs a prefix (RFC 1808 section 5.3).
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
    fn resolve(&self, reference: &str) -> Result<OwnedReference, ResolveError> {
        let profile = self.url.profile();
        let base = self.url.text();
        // What the reference says of the scheme is read by the rules of the base, if it is the same one.
        let mut rules = self.url.rules();
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
            Some(name) => {
                rules = rules.filter(|_| name.eq_ignore_ascii_case(self.url.scheme_name()));
                absolute(&mut out, url, syntax(Scheme::from_name(name.as_bytes(), profile), rules, profile));
            }
            None => {
                let syntax = syntax(self.url.scheme(), rules, profile);
                let refused = |fault| ResolveError { text: self.url.scheme_name().to_ascii_lowercase(), fault };
                self.relative(&mut out, url, syntax).map_err(refused)?;
            }
        }
        if let Some(fragment) = fragment.or(inherited) {
            out.push('#');
            out.push_str(fragment);
        }
        let end = out.len() - fragment.or(inherited).map_or(0, |fragment| fragment.len() + 1);
        match reference::read(profile, rules, out.as_bytes(), end) {
            Ok(layout) => Ok(OwnedReference::new(out, layout, rules.and_then(|rules| rules.check), end)),
            Err(finding) => Err(ResolveError { text: out, fault: Fault::Invalid(finding) }),
        }
    }

    /// RFC 1808 section 4, steps 3 to 7; RFC 3986 section 5.2.2. The reference is not empty and has no scheme.
    fn relative(&self, out: &mut String, text: &str, syntax: Syntax) -> Result<(), Fault> {
        if syntax.relative == Relative::Never {
            return Err(Fault::Never);
        }
        let base = self.url.text();
        let from = Components::of(base, self.url.layout(), syntax);
        let to = Components::split(text, syntax);
        let is_current = syntax.dots == Dots::All;
        let path = &text[to.path.clone()];
        let tail = &text[to.path.end..];
        // In RFC 1808 an empty host counts as absent.
        if let Some(authority) = to.authority.filter(|authority| is_current || !authority.is_empty()) {
            out.push_str(&base[..from.scheme.map_or(0, |name| name.end + 1)]);
            out.push_str(&text[..authority.end]);
            whole_path(out, path, syntax.dots);
        } else if path.starts_with('/') {
            out.push_str(&base[..from.path.start]);
            whole_path(out, path, syntax.dots);
            keep_without_host(out, &from);
        } else if path.is_empty() {
            out.push_str(&base[..from.path.end]);
            // An empty component is present in RFC 3986 but not in RFC 1808.
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

/// The base's path up to its last slash, if a relative path can be appended to it.
fn folder<'a>(base: &'a str, from: &Components, relative: Relative) -> Option<&'a str> {
    let path = &base[from.path.clone()];
    if path.is_empty() && from.authority.is_some() && relative == Relative::Always {
        return Some("/");
    }
    let slash = path.bytes().rposition(|octet| octet == b'/')?;
    let is_hierarchical = path.starts_with('/') && (relative == Relative::Always || slash > 0);
    is_hierarchical.then(|| &path[..=slash])
}

/// A reference with a scheme is already a URL; RFC 3986 removes its dot segments.
fn absolute(out: &mut String, text: &str, syntax: Syntax) {
    if syntax.relative == Relative::Never || syntax.dots != Dots::All {
        return out.push_str(text);
    }
    let at = Components::split(text, syntax);
    out.push_str(&text[..at.path.start]);
    whole_path(out, &text[at.path.clone()], syntax.dots);
    keep_without_host(out, &at);
    out.push_str(&text[at.path.end..]);
}

/// A path that is not relative.
fn whole_path(out: &mut String, path: &str, dots: Dots) {
    match path.strip_prefix('/') {
        Some(segments) if dots == Dots::All => without_dots(out, "/", segments, dots),
        _ => out.push_str(path),
    }
}

/// Two slashes at the start of a path must not become a host (RFC 3986 section 4.2).
fn keep_without_host(out: &mut String, from: &Components) {
    if from.authority.is_none() && out[from.path.start..].starts_with("//") {
        out.insert_str(from.path.start, "/.");
    }
}

/// Appends `folder`, which starts and ends with a slash, and `path`, removing the segments `.` and each `..` with the
/// segment before it.
fn without_dots(out: &mut String, folder: &str, path: &str, dots: Dots) {
    let root = out.len();
    out.push('/');
    append(out, root, &folder[1..], dots);
    append(out, root, path, dots);
}

/// Appends segments to the path that starts at `root` and ends with a slash.
fn append(out: &mut String, root: usize, mut segments: &str, dots: Dots) {
    while let Some(at) = dotted(segments) {
        out.push_str(&segments[..at]);
        segments = &segments[at..];
        let end = segments.bytes().position(|octet| octet == b'/');
        let (segment, rest) = segments.split_at(end.map_or(segments.len(), |slash| slash + 1));
        segments = rest;
        match segment {
            "." | "./" => {}
            ".." | "../" => {
                let path = &out.as_bytes()[root..out.len() - 1];
                match path.iter().rposition(|&octet| octet == b'/') {
                    Some(slash) if dots == Dots::All || path[slash..] != *b"/.." => out.truncate(root + slash + 1),
                    None if dots == Dots::All => {}
                    _ => out.push_str(segment),
                }
            }
            _ => out.push_str(segment),
        }
    }
    out.push_str(segments);
}

/// The position of the first segment that starts with a dot.
fn dotted(segments: &str) -> Option<usize> {
    let octets = segments.as_bytes();
    (0..octets.len()).find(|&at| octets[at] == b'.' && (at == 0 || octets[at - 1] == b'/'))
}

/// Why a reference cannot be resolved against a base.
#[derive(Clone, PartialEq, Eq)]
pub struct ResolveError {
    /// The resulting text, or the scheme of the base.
    text: String,
    fault: Fault,
}

#[derive(Clone, PartialEq, Eq)]
enum Fault {
    Never,
    NotHierarchical,
    Invalid(RawProblem),
}

impl ResolveError {
    /// The resulting text that is not a valid URL, with its fragment; `None` if there is no result. It may contain a
    /// password.
    pub fn text(&self) -> Option<&str> {
        self.problem().is_some().then_some(&*self.text)
    }

    /// What is wrong with that text.
    pub fn problem(&self) -> Option<Problem<'_>> {
        match self.fault {
            Fault::Invalid(finding) => Some(reference::problem(self.text.as_bytes(), finding)),
            Fault::Never | Fault::NotHierarchical => None,
        }
    }
}

impl ResolveError {
    /// What `Display` writes, in a language.
    ///
    /// ```
    /// use urlwise::{Language, Reference};
    ///
    /// let error = Reference::parse("mailto:joe@h.dom")?.resolve("x").unwrap_err();
    /// let message = error.message_in(Language::from_locale("ja_JP.UTF-8")).to_string();
    /// # #[cfg(feature = "ja")]
    /// assert_eq!(message, "`mailto`のURLは基底になれない。絶対URLを書く（RFC 1808の2.3節、D-09）");
    /// # #[cfg(not(feature = "ja"))]
    /// # assert_eq!(message, error.to_string());
    /// # Ok::<(), urlwise::ReferenceError>(())
    /// ```
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = match &self.fault {
            Fault::Never => message!(
                "a `{scheme}` URL cannot be a base; give an absolute URL (RFC 1808 section 2.3, D-09)",
                scheme = &*self.text
            ),
            Fault::NotHierarchical => message!(
                "the path of a `{scheme}` URL is not hierarchical, so a relative path cannot be resolved; start the reference with `/` or give an absolute URL (RFC 1808 section 2.3, D-09)",
                scheme = &*self.text
            ),
            Fault::Invalid(finding) => {
                let problem = reference::problem(self.text.as_bytes(), *finding).display_in(language).to_string();
                message!("the resolved reference is not a valid URL: {problem}", problem = problem)
            }
        };
        message.into_text(language)
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl fmt::Debug for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResolveError({self})")
    }
}

/// It has no source: `Display` says all that its [problem](ResolveError::problem) does.
impl core::error::Error for ResolveError {}

#[cfg(test)]
mod tests {
    use super::dotted;

    #[test]
    fn a_dotted_segment_begins_with_a_dot() {
        for (segments, at) in [("", None), ("a.b/c.", None), (".", Some(0)), ("a.b/.c", Some(4)), ("a/b/../.", Some(4))]
        {
            assert_eq!(dotted(segments), at, "{segments}");
        }
    }
}
