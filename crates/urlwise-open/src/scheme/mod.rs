//! One opener for each scheme: what a URL asks of its server, and what comes of the answer.

pub(crate) mod context;
pub(crate) mod file;
pub(crate) mod ftp;
pub(crate) mod gopher;
pub(crate) mod http;
#[cfg(feature = "mail")]
pub(crate) mod mail;
pub(crate) mod mailto;
pub(crate) mod nntp;
pub(crate) mod opener;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod prospero;
pub(crate) mod telnet;
pub(crate) mod wais;

use crate::error::Error;
use crate::error::class::Class;
use opener::Opener;
use options::OpenOptions;
use urlwise::{Profile, Scheme, Url, shown};

/// The opener of each scheme. A sibling over TLS is opened by the opener of the scheme that it is a sibling of.
static OPENERS: &[(Scheme, &dyn Opener)] = &[
    (Scheme::Ftp, &ftp::Opener),
    (Scheme::Http, &http::Opener),
    (Scheme::Gopher, &gopher::Opener),
    (Scheme::Mailto, &mailto::Opener),
    (Scheme::News, &nntp::Opener),
    (Scheme::Nntp, &nntp::Opener),
    (Scheme::Telnet, &telnet::Opener),
    (Scheme::Wais, &wais::Opener),
    (Scheme::File, &file::Opener),
    (Scheme::Prospero, &prospero::Opener),
];

/// Whether a [`Client`](crate::Client) opens URLs of a scheme by itself, siblings over TLS included. Without another
/// [opener](crate::Opener), all others are refused with [`Class::NoAccess`].
///
/// ```
/// use urlwise::Scheme;
///
/// assert!(urlwise_open::opens(Scheme::Gophers));
/// assert!(!urlwise_open::opens(Scheme::Other));
/// ```
pub fn opens(scheme: Scheme) -> bool {
    opener(scheme).is_some()
}

fn opener(scheme: Scheme) -> Option<&'static dyn Opener> {
    OPENERS.iter().find(|(known, _)| *known == scheme.base()).map(|(_, opener)| *opener)
}

/// The opener of a URL, which must be able to do what the options ask for.
pub(crate) fn opener_of(url: &Url<&str>, options: &OpenOptions) -> Result<&'static dyn Opener, Error> {
    let opener = opener(url.scheme()).ok_or_else(|| no_opener(url))?;
    if options.view.is_some() && url.scheme().base() != Scheme::Gopher {
        let what = format!("{} URLs have no views", shown(url.scheme_name().as_bytes()));
        return Err(Error::new(Class::Refused, what).ground("RFC 1738 section 3.4.8"));
    }
    Ok(opener)
}

/// Nothing here opens the scheme. It is never guessed to be another one (S-1).
fn no_opener(url: &Url<&str>) -> Error {
    let name = shown(url.scheme_name().as_bytes());
    let error = Error::new(Class::NoAccess, format!("the scheme {name} is not supported"));
    match Scheme::from_name(url.scheme_name().as_bytes(), Profile::Current) {
        Scheme::Other => error
            .ground("RFC 1738 section 3")
            .help("check the spelling, write the scheme before a host, or configure a gateway for it"),
        _ => error.help("use the profile `current`, which defines it"),
    }
}
