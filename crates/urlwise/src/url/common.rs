//! The parts that URLs of every scheme have, and the place of any part by its kind.

use core::ops::Range;

use crate::encoded::Encoded;
use crate::layout::{self, Layout};
use crate::scheme::PartKind;
use crate::text::Text;
use crate::url::Url;

impl<T: AsRef<str>> Url<T> {
    /// Where the part of this kind stands; `None` where it is absent, empty where it is empty. A list is one span, from its
    /// first element to its last.
    ///
    /// The kinds of a scheme are its [`parts`](crate::Scheme::parts); one of another scheme gives no meaningful place. Asking
    /// for a kind is faster than looking for its name among the [parts of the URL](Url::parts).
    ///
    /// ```
    /// use urlwise::{Scheme, Url};
    ///
    /// let name = Scheme::Ftp.parts().iter().find(|kind| kind.name() == "name").unwrap();
    /// let url = Url::parse("ftp://host.dom/pub/motd")?;
    /// assert_eq!(url.span_of(name), Some(19..23));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    #[inline]
    pub fn span_of(&self, kind: &PartKind) -> Option<Range<usize>> {
        self.layout().slots[kind.slot].range()
    }

    /// Where the parts stand that schemes have in common.
    ///
    /// ```
    /// let spans = urlwise::Url::parse("http://host.dom:81/a?b")?.spans();
    /// assert_eq!((spans.host, spans.port, spans.path, spans.query), (Some(7..15), Some(16..18), 18..20, Some(21..22)));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    #[inline]
    pub fn spans(&self) -> Spans {
        spans(self.layout(), self.as_str().len())
    }
}

/// Where the parts stand of a URL of this length.
#[inline]
pub(crate) fn spans(layout: &Layout, length: usize) -> Spans {
    let slot = |slot: usize| layout.slots[slot].range();
    let (user, password) = (slot(layout::USER), slot(layout::PASSWORD));
    let (host, port) = (slot(layout::HOST), slot(layout::PORT));
    Spans { user, password, host, port, path: path(layout, length), query: query(layout) }
}

/// Where the parts stand that schemes have in common; `None` where one is absent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Spans {
    /// Of [`Url::user`].
    pub user: Option<Range<usize>>,
    /// Of [`Url::password`].
    pub password: Option<Range<usize>>,
    /// Of [`Url::host`].
    pub host: Option<Range<usize>>,
    /// Of [`Url::port`].
    pub port: Option<Range<usize>>,
    /// Of [`Url::path`].
    pub path: Range<usize>,
    /// Of [`Url::query`].
    pub query: Option<Range<usize>>,
}

impl<'i, 't, T: Text<'i, 't>> Url<T> {
    /// The text after host and port, or after the scheme's colon where no host is written, up to the [query](Url::query). It
    /// begins with the `/` after the host; empty where nothing follows.
    ///
    /// This is what schemes have in common; the [view](Url::locator) of a scheme divides it by that scheme's rules.
    ///
    /// ```
    /// use urlwise::Url;
    ///
    /// assert_eq!(Url::parse("http://host.dom:81/a/b?c")?.path(), "/a/b");
    /// assert_eq!(Url::parse("ftp://host.dom/a?b;type=i")?.path(), "/a?b;type=i"); // `?` is data in ftp
    /// assert_eq!(Url::parse("news:comp.lang.c")?.path(), "comp.lang.c");
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn path(&'i self) -> &'t str {
        let text = self.text.text();
        text.get(path(&self.layout, text.len())).unwrap_or_default()
    }

    /// What follows a `?`, in the schemes where that is not data: `None` where none is written, empty in `http://host/?`.
    pub fn query(&'i self) -> Option<Encoded<'t>> {
        let span = query(&self.layout)?;
        self.text.text().get(span).map(Encoded::new)
    }
}

#[inline]
fn path(layout: &Layout, length: usize) -> Range<usize> {
    let end = query(layout).map_or(length, |query| query.start - 1);
    let host = [layout::PORT, layout::HOST].into_iter().find_map(|slot| layout.slots[slot].range());
    let start = match host {
        Some(host) => host.end,
        None => layout.scheme_name.range().map_or(0, |name| name.end + 1),
    };
    start..end
}

#[inline]
fn query(layout: &Layout) -> Option<Range<usize>> {
    let slot = layout.scheme()?.definition().references.query?;
    layout.slots[slot].range()
}
