//! The Appendix: URLs in text.
//!
//! A [`Finder`] searches octets and yields each URL as a [`Hit`] with its exact span, its text, its fragment and how it
//! was written. It is lazy, borrows the text, copies only URLs whose lines must be joined, and always runs in linear
//! time.
//!
//! ```
//! use urlwise::find::{Finder, Wrapping};
//!
//! let text = b"Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
//!    type=d> (or see http://ds.internic.net/).";
//! let hits: Vec<_> = Finder::new().hits(text).collect();
//!
//! assert_eq!(hits[0].as_str(), "ftp://info.cern.ch/pub/www/doc;type=d");
//! assert_eq!(hits[0].form(), Wrapping::Wrapped);
//! assert_eq!(hits[0].span(), 32..73); // in the text, line break and blanks included
//! assert_eq!(hits[0].source(31), 67); // the `t` of `type=d`
//!
//! assert_eq!(hits[1].as_str(), "http://ds.internic.net/");
//! assert_eq!(hits[1].form(), Wrapping::Bare);
//! ```
//!
//! # What is found
//!
//! - **Wrapped**: `<URL:...>`, the prefix in any case, any scheme (D-67). White space inside is not part of the URL
//!   (D-68). There is no match if it contains `<`, control characters, invalid UTF-8 or more than [`LONGEST_WRAPPED`]
//!   octets. Also `<scheme:...>` with a scheme listed below; there only line ends with the spaces around them are
//!   removed, and a character that ends a bare URL ends it too.
//! - **Prefixed**: `URL:` in any case, optional spaces, and a URL of a scheme listed below, or of any other scheme
//!   followed by `//` and a host.
//! - **Bare**: a URL of one of the ten schemes, their siblings over TLS or a registered scheme, in any case. The name
//!   must not be the end of a longer one (`a+https://host` is another scheme), and the text after it must fit the
//!   scheme: `//` and a host, an address with `@` after `mailto:`, a Message-ID or a group with a `.` after `news:`, a
//!   path after `file:/`. Other programs write names that look alike: `FILE:/etc/krb5.keytab` and `file:/dev/ttyS0`
//!   are not found, nor is the `file:/` of a regular expression, as in `/^file:/i`, nor a host or port with a `{` of a template in it, as in
//!   `http://www.%{HOST}/`. Behind `git+`, `hg+`, `svn+` and `bzr+`, of `git+https://host/a.git@v1.0#egg=a`, the URL
//!   `https://host/a.git` is found.
//!
//! # Where a bare URL ends
//!
//! Before white space, control characters, the characters `< > " { } | \ ^` and the backtick, except those of a Windows
//! path as in `file://c|\x\y`, which is found to be corrected (D-85); before a closing bracket
//! that it did not open, and before a `[` that is neither in a host nor in a query; before a non-ASCII octet, except
//! letters of scripts that separate words with spaces (UTF-8, up to U+058F), because `http://host/café` is one word to
//! a reader, and the letters of any script in a host; before an HTML character reference for a quote or angle bracket; before a `,` or `;` that is followed by
//! the next URL; before a `'` if there is one before the URL. Between quotation marks, all characters outside US-ASCII and `|` belong
//! to the URL behind its login. The punctuation ``. , ; : ! ? ' * _`` at the end of the
//! rest is not part of the URL, nor is the end of a comment.
//!
//! Text that looks like a URL is found even if it is not valid, such as `http://host.dom/~jim` in RFC 1738; check
//! [`Hit::is_valid`]; [`diagnose`](crate::diagnose()) says why:
//!
//! ```
//! use urlwise::{Profile, diagnose, find::Finder};
//!
//! let hit = Finder::new().hits(b"see\n  http://my_host.dom/ there").next().unwrap();
//! let diagnosis = diagnose(hit.as_str(), Profile::Rfc1738);
//! let problem = &diagnosis.problems()[0];
//! // Where in the searched text: `source` goes back over what was joined.
//! assert_eq!((problem.code(), hit.source(problem.span().start)), ("host-underscore", 15));
//! ```
//!
//! URLs in other encodings are not found: UTF-16, `http:\/\/host`, `http%3A%2F%2Fhost`.

//!
//! # Lines, columns and streams
//!
//! Spans are octets. Lines and columns are counted from the last hit on, so that the whole takes linear time; and a stream is
//! searched block by block, each as far as [`safe_cut`] says:
//!
//! ```
//! use std::io::Read;
//! use urlwise::find::{Finder, safe_cut};
//!
//! /// Calls `each` with the line, the column in characters, both from 1, and the text of every URL.
//! fn search(mut from: impl Read, mut each: impl FnMut(usize, usize, &str)) -> std::io::Result<()> {
//!     const BLOCK: usize = 1 << 16;
//!     const LIMIT: usize = 1 << 20; // a longer line is searched in pieces
//!     let (mut block, mut line, mut column) = (Vec::new(), 1, 1);
//!     loop {
//!         let read = from.by_ref().take(BLOCK as u64).read_to_end(&mut block)?;
//!         let is_end = read < BLOCK;
//!         let end = match safe_cut(&block) {
//!             _ if is_end => block.len(),
//!             Some(cut) => cut,
//!             None if block.len() >= LIMIT => block.len(),
//!             None => continue,
//!         };
//!         let mut counted = 0;
//!         let mut count = |to: usize| {
//!             for &octet in &block[counted..to] {
//!                 match octet {
//!                     b'\n' => (line, column) = (line + 1, 1),
//!                     0x80..=0xBF => {} // the rest of a character of UTF-8
//!                     _ => column += 1,
//!                 }
//!             }
//!             counted = to;
//!             (line, column)
//!         };
//!         for hit in Finder::new().hits(&block[..end]) {
//!             let (line, column) = count(hit.span().start);
//!             each(line, column, hit.as_str());
//!         }
//!         count(end);
//!         block.drain(..end);
//!         if is_end {
//!             return Ok(());
//!         }
//!     }
//! }
//!
//! let mut found = Vec::new();
//! search("A\ncaf\u{e9}: http://host.dom/a, news:comp.lang.c".as_bytes(), |line, column, url| {
//!     found.push((line, column, url.to_owned()));
//! })?;
//! assert_eq!(found, [(2, 7, "http://host.dom/a".to_owned()), (2, 26, "news:comp.lang.c".to_owned())]);
//! # Ok::<(), std::io::Error>(())
//! ```

mod cut;
mod end;
mod finder;
mod hit;
mod idn;
mod names;
mod needs;
mod search;
mod wrapper;

pub use cut::safe_cut;
pub use finder::Finder;
pub use hit::{Hit, Wrapping};
pub use wrapper::LONGEST_WRAPPED;

use core::fmt;
use core::iter::FusedIterator;

use crate::class;
use crate::profile::Profile;
use crate::scheme::{Needs, Scheme};

use search::Search;
use wrapper::Wrapper;

impl<'r> Finder<'r> {
    /// The URLs in a text in order, not overlapping. The search is lazy.
    pub fn hits<'t>(&self, text: &'t [u8]) -> Hits<'t>
    where
        'r: 't,
    {
        Hits { finder: *self, text, search: Search::default(), end: 0 }
    }

    /// The URL that a whole text is, as the value of an `href` in HTML. It need not be valid. `None` if it does not start
    /// with the name and the colon of a scheme that the finder finds, or is not UTF-8.
    ///
    /// ```
    /// use urlwise::find::{Finder, Wrapping};
    ///
    /// let hit = Finder::new().link(b"http:/host.dom/a (b)#c").unwrap();
    /// assert_eq!((hit.as_str(), hit.fragment()), ("http:/host.dom/a (b)", Some("c")));
    /// assert_eq!(hit.form(), Wrapping::Link);
    /// assert!(!hit.is_valid());
    /// assert!(Finder::new().link(b"a.html").is_none() && Finder::new().link(b"javascript:a()").is_none());
    /// ```
    pub fn link<'t>(&self, text: &'t [u8]) -> Option<Hit<'t>>
    where
        'r: 't,
    {
        let colon = class::skip(text, 0, class::SCHEME);
        let is_known = Scheme::from_name(&text[..colon], Profile::Current) != Scheme::Other
            || self.registry.is_some_and(|registry| registry.get(&text[..colon]).is_some());
        let text = core::str::from_utf8(text).ok().filter(|_| is_known && text.get(colon) == Some(&b':'))?;
        Some(Hit::as_it_stands(*self, Wrapping::Link, 0..text.len(), 0, text))
    }
}

/// The URLs in a text: see [`Finder::hits`].
#[must_use]
#[derive(Clone)]
pub struct Hits<'t> {
    finder: Finder<'t>,
    text: &'t [u8],
    search: Search,
    /// The end of the last hit. It may be followed by a colon that was removed as punctuation.
    end: usize,
}

impl<'t> Iterator for Hits<'t> {
    type Item = Hit<'t>;

    fn next(&mut self) -> Option<Hit<'t>> {
        loop {
            let colon = match self.finder.registry {
                Some(_) => self.search.any(self.text),
                None => self.search.known(self.text),
            };
            if let Some(hit) = self.hit(colon?) {
                self.end = hit.outer().end;
                self.search.at = self.end;
                return Some(hit);
            }
        }
    }
}

impl fmt::Debug for Hits<'_> {
    /// Leaves out the text, which may contain passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hits(at {} of {})", self.search.at, self.text.len())
    }
}

impl FusedIterator for Hits<'_> {}

impl<'t> Hits<'t> {
    /// The URL whose scheme or prefix ends at this colon.
    #[inline]
    fn hit(&self, colon: usize) -> Option<Hit<'t>> {
        let (start, needs) = match names::before(self.text, colon) {
            Some(found) => found,
            None => self.registered(colon)?,
        };
        match needs {
            _ if start < self.end => None,
            Needs::Prefix => self.prefixed(start, colon),
            needs => self.plain(start, colon, needs),
        }
    }

    /// The registered scheme before a colon, and what must follow it.
    fn registered(&self, colon: usize) -> Option<(usize, Needs)> {
        let registry = self.finder.registry?;
        let start = names::start(self.text, colon);
        let scheme = registry.get(&self.text[start..colon])?;
        Some((start, Needs::of_syntax(scheme.syntax())))
    }

    /// `scheme:...`, optionally in angle brackets.
    #[inline]
    fn plain(&self, start: usize, colon: usize, needs: Needs) -> Option<Hit<'t>> {
        let least = needs.met(self.text, start, colon, false)?;
        if start > 0 && self.text[start - 1] == b'<' {
            let wrapper = Wrapper::read(self.text, start, wrapper::Kind::Plain);
            if let Some(hit) = wrapper.and_then(|wrapper| wrapper.hit(self.text, start - 1, self.finder)) {
                return Some(hit);
            }
        }
        self.bare(Wrapping::Bare, start, start, colon, least)
    }

    /// `URL:...`, optionally in angle brackets.
    #[cold]
    fn prefixed(&self, start: usize, colon: usize) -> Option<Hit<'t>> {
        let inside = colon + 1;
        if start > 0 && self.text[start - 1] == b'<' {
            let wrapper = Wrapper::read(self.text, inside, wrapper::Kind::Announced);
            if let Some(hit) = wrapper.and_then(|wrapper| wrapper.hit(self.text, start - 1, self.finder)) {
                return Some(hit);
            }
        }
        let blanks = self.text[inside..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
        let name = inside + blanks;
        let end = class::skip(self.text, name, class::SCHEME);
        if end == name || self.text.get(end) != Some(&b':') {
            return None;
        }
        let needs = match names::before(self.text, end).or_else(|| self.registered(end)) {
            Some((found, needs)) if found == name && needs != Needs::Prefix => needs,
            _ => Needs::Host,
        };
        let least = needs.met(self.text, name, end, true)?;
        self.bare(Wrapping::Prefixed, start, name, end, least)
    }

    /// A URL that starts at `start` and ends where a reader would expect.
    #[inline]
    fn bare(&self, form: Wrapping, outer: usize, start: usize, colon: usize, least: usize) -> Option<Hit<'t>> {
        let end = end::of(self.text, start, colon, least)?;
        let text = core::str::from_utf8(&self.text[start..end]).ok()?;
        Some(Hit::as_it_stands(self.finder, form, outer..end, start, text))
    }
}
