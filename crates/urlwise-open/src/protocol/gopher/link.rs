//! From a menu line to the URL of its item: RFC 1738 section 3.4.

use super::item_type::Opens;
use super::menu::{MenuItem, PlusMark};
use std::net::Ipv6Addr;
use urlwise::{Change, Profile, Url, grammar};

impl MenuItem {
    /// The URL of the item in the menu at `menu`; `None` for a line that names nothing (`i`, `3`), and if the line's host, port
    /// or link does not make a valid URL.
    ///
    /// An empty host is the server that sent the menu. Items of a menu that came over TLS use TLS too (`gophers:`), so nothing
    /// falls back to plain text. A Gopher+ item is named by its default view (`%09%09+`), one with a form by its form
    /// (`%09%09?`). A telnet session (`8`) is a `telnet:` URL with the selector as the user; an `h` item whose selector is
    /// `URL:` and a URL is that URL, untrusted and without its fragment, and one whose selector is `GET` and a path is a page
    /// of an http server, an older convention than `URL:`.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise_open::protocol::gopher::MenuItem;
    ///
    /// let menu = Url::parse("gopher://host.dom/")?;
    /// let url = |line: &[u8]| MenuItem::parse(line).url(&menu).map(Url::into_inner);
    /// assert_eq!(url(b"0About us\t0/about us\tother.dom\t7070").as_deref(), Some("gopher://other.dom:7070/00/about%20us"));
    /// assert_eq!(url(b"8Log in\tguest\tother.dom\t23").as_deref(), Some("telnet://guest@other.dom/"));
    /// assert_eq!(url(b"iWelcome\t\t\t"), None);
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn url<T: AsRef<str>>(&self, menu: &Url<T>) -> Option<Url<String>> {
        if matches!(self.item_type().opens, Opens::Info | Opens::Error) {
            return None;
        }
        if let (b'h', Some(link)) = (self.gtype, self.selector.strip_prefix(b"URL:")) {
            let link = std::str::from_utf8(link).ok()?;
            return parse(menu.profile(), link.to_owned())
                .or_else(|| parse(Profile::Current, link.to_owned()))
                .or_else(|| repaired(Profile::Current, link, |change| LINK_CHANGES.contains(&change.code())));
        }
        let page = self.selector.strip_prefix(b"GET ").filter(|path| self.gtype == b'h' && path.starts_with(b"/"));
        let (scheme, default_port) = match (self.gtype, menu.scheme().is_tls()) {
            _ if page.is_some() => ("http", 80),
            (b'8', _) => ("telnet", 23),
            (_, false) => ("gopher", 70),
            (_, true) => ("gophers", 70),
        };
        let mut text = format!("{scheme}://");
        if self.gtype == b'8' && !self.selector.is_empty() {
            text.push_str(&grammar::USER.encode(&self.selector));
            text.push('@');
        }
        let (host, port) = self.place(menu)?;
        text.push_str(&host);
        if port != default_port {
            text.push_str(&format!(":{port}"));
        }
        text.push_str(match page {
            Some(page) => std::str::from_utf8(page).ok()?.trim_end(),
            None => "/",
        });
        if page.is_none() && self.gtype != b'8' {
            text.push_str(&grammar::GTYPE.encode(&[self.gtype]));
            text.push_str(&grammar::SELECTOR.encode(&self.selector));
            text.push_str(match self.plus {
                None => "",
                Some(PlusMark::Item) => "%09%09+",
                Some(PlusMark::Form) => "%09%09?",
            });
        }
        if !host.is_ascii() {
            let is_host = |change: &Change<'_>| change.code() == HOST_IDNA && change.was() == host.as_bytes();
            return repaired(menu.profile(), &text, is_host);
        }
        // A host field with a delimiter would make a URL of another server.
        parse(menu.profile(), text).filter(|url| url.host().is_some_and(|read| read.as_str() == host))
    }

    /// The host, as a URL writes it, and the port.
    fn place<T: AsRef<str>>(&self, menu: &Url<T>) -> Option<(String, u16)> {
        let host = std::str::from_utf8(self.host.trim_ascii()).ok()?;
        if host.is_empty() {
            let port = if self.port.trim_ascii().is_empty() { menu.port_or_default()? } else { self.port_number()? };
            return Some((menu.borrow().host()?.as_str().to_owned(), port));
        }
        let port = if self.port.trim_ascii().is_empty() { 70 } else { self.port_number()? };
        let host = if host.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host.to_owned() };
        Some((host, port))
    }
}

/// The change that encodes a host outside US-ASCII. It needs the feature `idna` of `urlwise`.
const HOST_IDNA: &str = "host-idna";

/// What may be changed in a link: as browsers read it, it names the same page before and after.
const LINK_CHANGES: &[&str] = &[HOST_IDNA, "fragment", "bnf-char"];

/// The URL of a text that allowed changes of [`urlwise::repair()`] make valid; `None` if it takes others.
fn repaired(profile: Profile, text: &str, is_allowed: impl Fn(&Change<'_>) -> bool) -> Option<Url<String>> {
    let repaired = urlwise::repair(text, profile).ok()?;
    repaired.changes().iter().all(is_allowed).then(|| repaired.into_url())
}

fn parse(profile: Profile, text: String) -> Option<Url<String>> {
    Url::parse_with(text, profile).ok()
}
