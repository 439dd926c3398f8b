//! One opener for each scheme: what a URL asks its server for, and what the answer becomes.

pub(crate) mod context;
pub(crate) mod file;
#[cfg(feature = "finger")]
pub(crate) mod finger;
#[cfg(feature = "ftp")]
pub(crate) mod ftp;
#[cfg(feature = "gopher")]
pub(crate) mod gopher;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "mail")]
pub(crate) mod mail;
pub(crate) mod mail_domains;
mod mailto;
#[cfg(feature = "news")]
pub(crate) mod news_readers;
#[cfg(feature = "news")]
pub(crate) mod news_server;
#[cfg(feature = "news")]
pub(crate) mod nntp;
pub(crate) mod opener;
pub(crate) mod options;
pub(crate) mod plan;
#[cfg(feature = "prospero")]
pub(crate) mod prospero;
#[cfg(feature = "telnet")]
pub(crate) mod telnet;
#[cfg(feature = "wais")]
pub(crate) mod wais;

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use opener::Opener;
use options::OpenOptions;
use urlwise::{Profile, Scheme, Url, escape_for_display};

/// How a scheme is opened.
struct Row {
    scheme: Scheme,
    /// The cargo feature that it needs, if any.
    feature: Option<&'static str>,
    /// `None` without that feature.
    opener: Option<&'static dyn Opener>,
}

/// A row for each scheme: its opener and its feature. Siblings over TLS use the row of their base scheme.
macro_rules! openers {
    ($($scheme:ident $module:ident::$opener:ident $($feature:literal)?;)*) => {
        static OPENERS: &[Row] = &[$(
            $(#[cfg(feature = $feature)])?
            Row { scheme: Scheme::$scheme, feature: feature!($($feature)?), opener: Some(&$module::$opener) },
            $(
                #[cfg(not(feature = $feature))]
                Row { scheme: Scheme::$scheme, feature: Some($feature), opener: None },
            )?
        )*];
    };
}

macro_rules! feature {
    () => {
        None
    };
    ($feature:literal) => {
        Some($feature)
    };
}

openers! {
    Ftp ftp::FtpOpener "ftp";
    Http http::HttpOpener "http";
    Gopher gopher::GopherOpener "gopher";
    Mailto mailto::MailtoOpener;
    News nntp::NewsOpener "news";
    Nntp nntp::NewsOpener "news";
    Telnet telnet::TelnetOpener "telnet";
    Wais wais::WaisOpener "wais";
    File file::FileOpener;
    Prospero prospero::ProsperoOpener "prospero";
    Finger finger::FingerOpener "finger";
}

/// Whether a [`Client`](crate::Client) opens URLs of a scheme by itself, siblings over TLS included. Without another
/// [opener](crate::Opener), all others are refused with [`ErrorKind::NoAccess`].
///
/// ```
/// use urlwise::Scheme;
///
/// assert!(urlwise_open::opens(Scheme::Gophers));
/// assert!(!urlwise_open::opens(Scheme::Other));
/// ```
pub fn opens(scheme: Scheme) -> bool {
    row(scheme).is_some_and(|row| row.opener.is_some())
}

fn row(scheme: Scheme) -> Option<&'static Row> {
    OPENERS.iter().find(|row| row.scheme == scheme.base())
}

/// The opener for a URL; an error if it cannot do what the options ask for.
pub(crate) fn opener_of(url: &Url<&str>, options: &OpenOptions) -> Result<&'static dyn Opener, Error> {
    let name = || escape_for_display(url.scheme_name().as_bytes()).to_string();
    let row = row(url.scheme()).ok_or_else(|| no_opener(url))?;
    let Some(opener) = row.opener else {
        return Err(Error::new(
            ErrorKind::NoAccess,
            message!("this program is built without {scheme}", scheme = name()),
        )
        .with_help(message!(
            "build urlwise-open with the feature `{feature}`",
            feature = row.feature.unwrap_or_default()
        )));
    };
    if url.scheme().is_tls() && cfg!(not(feature = "tls")) {
        return Err(Error::new(
            ErrorKind::NoAccess,
            message!("this program is built without TLS, which {scheme} needs", scheme = name()),
        )
        .with_help(words!("build urlwise-open with the feature `tls`")));
    }
    if options.view.is_some() && url.scheme().base() != Scheme::Gopher {
        let what = message!("{scheme} URLs have no views to choose from", scheme = name());
        return Err(Error::new(ErrorKind::Refused, what).with_reference("RFC 1738 section 3.4.8"));
    }
    Ok(opener)
}

/// The error of a scheme without an opener. It is never assumed to be another scheme (S-1).
fn no_opener(url: &Url<&str>) -> Error {
    let name = escape_for_display(url.scheme_name().as_bytes()).to_string();
    let error =
        Error::new(ErrorKind::NoAccess, message!("the scheme {scheme} is not supported", scheme = name.as_str()));
    let is_known = |scheme: Scheme| scheme != Scheme::Other;
    if is_known(url.scheme()) {
        return error.with_help(words!("configure a gateway or an opener for it"));
    }
    if is_known(Scheme::from_name(url.scheme_name().as_bytes(), Profile::Current)) {
        return error.with_help(words!("use the profile `current`, which defines it"));
    }
    error
        .with_reference("RFC 1738 section 3")
        .with_help(words!("check the spelling, write the scheme before a host, or configure a gateway for it"))
}
