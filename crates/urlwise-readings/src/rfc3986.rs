//! The reading by RFC 3986, using `fluent-uri`.

use crate::reading::ReadingParts;
use crate::text::Text;
use fluent_uri::Uri;
use fluent_uri::component::Authority;
use fluent_uri::pct_enc::EStr;
use std::borrow::Cow;
use urlwise::escape_for_display;

/// Parses by RFC 3986.
pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    let text = std::str::from_utf8(octets).map_err(|_| "it is not US-ASCII".to_owned())?;
    let uri = Uri::parse(text).map_err(|error| escape_for_display(error.to_string().as_bytes()).to_string())?;
    let authority = uri.authority();
    let (host, port) = match &authority {
        Some(authority) => (Some(authority.host()), authority.port().map(EStr::as_str)),
        None => (None, None),
    };
    // The first `:` separates user and password, as in RFC 1738; RFC 3986 deprecates this but defines no other way.
    let userinfo = authority.as_ref().and_then(Authority::userinfo).map(EStr::as_str);
    let (user, password) = match userinfo.map(|userinfo| userinfo.split_once(':').ok_or(userinfo)) {
        Some(Ok((user, password))) => (Some(user), Some(password)),
        Some(Err(user)) => (Some(user), None),
        None => (None, None),
    };
    Ok(ReadingParts {
        scheme: Cow::Borrowed(uri.scheme().as_str()),
        user: user.map(Text::from),
        password: password.map(Text::from),
        host: host.map(Text::from),
        port: port.map(Cow::Borrowed),
        path: Text::from(uri.path().as_str()),
        query: uri.query().map(|query| Text::from(query.as_str())),
        fragment: uri.fragment().map(|fragment| Text::from(fragment.as_str())),
    })
}
