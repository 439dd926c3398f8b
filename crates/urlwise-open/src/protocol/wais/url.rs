//! From a hit to the URL of its document: RFC 1738 section 3.9, D-62.

use super::answer::WaisHit;
use super::document_id::DocumentId;
use std::fmt::Write as _;
use urlwise::build::Draft;
use urlwise::{Locator, Profile, Scheme, Url};

impl WaisHit {
    /// The URL of the document as this type, one of [`types`](WaisHit::types), found by searching `base`: the host, the port and
    /// the database are those of `base`, since those inside the id are not for clients. `None` if `base` is not a wais URL.
    pub fn url<T: AsRef<str>>(&self, base: &Url<T>, wtype: &[u8]) -> Option<Url<String>> {
        let base = base.borrow();
        let Locator::Wais(wais) = base.locator() else {
            return None;
        };
        let (hostport, database) = (wais.hostport(), wais.database().decode());
        let port = hostport.port().and(hostport.port_or_default()).map(|port| port.to_string());
        let draft = Draft::of(Scheme::Wais).with("host", hostport.host().as_str()).with_optional("port", port);
        draft.with("database", database).with("wtype", wtype).with("wpath", &self.id).build().ok()
    }

    /// The same as Lynx reads it, with the length and the fields of the id in it: a URL under the profile `current`. `None`
    /// also where the length is not known, which of a hit of several types is that of the first, or the id is not made of the fields
    /// of freeWAIS.
    pub fn lynx_url<T: AsRef<str>>(&self, base: &Url<T>, wtype: &[u8]) -> Option<Url<String>> {
        let strict = self.url(base, wtype)?;
        let length = self.length.filter(|_| self.types.len() < 2)?;
        let wpath = DocumentId::new(self.id.as_slice()).lynx_wpath(u64::from(length))?;
        let own = strict.parts().find(|part| part.name() == "wpath")?.span();
        let mut text = strict.as_str()[..own.start].to_owned();
        // Writing to a String cannot fail.
        let _ = write!(text, "{wpath}");
        Url::parse_with(text, Profile::Current).ok()
    }
}
