//! The reading by RFC 1738, in the form of the others.

use crate::reading::{Reading, ReadingParts};
use std::borrow::Cow;
use urlwise::{Language, Profile, Reference, Url};

/// Parses by RFC 1738, or by its successors, in which a fragment may follow (D-08).
pub(crate) fn read(octets: &[u8], profile: Profile) -> Reading<'_> {
    let error = match Url::from_octets(octets, profile) {
        Ok(url) => return Reading(Ok(parts(&url))),
        Err(error) => error,
    };
    let may_have_fragment = profile == Profile::Current && octets.contains(&b'#');
    if let Some(reference) = may_have_fragment.then(|| Reference::from_octets(octets, profile).ok()).flatten() {
        let fragment = reference.fragment().map(|fragment| Cow::Borrowed(fragment.as_str()));
        return Reading(Ok(ReadingParts { fragment, ..parts(reference.url()) }));
    }
    Reading(Err(error.problem().message().to_string()))
}

/// Why [`read`] rejects octets, in a language.
pub(crate) fn objection_in(octets: &[u8], profile: Profile, language: Language) -> Option<String> {
    Url::from_octets(octets, profile).err().map(|error| error.problem().message_in(language).to_string())
}

/// The parts of a URL that has been read.
pub(crate) fn parts<'a>(url: &Url<&'a str>) -> ReadingParts<'a> {
    ReadingParts {
        scheme: Cow::Borrowed(url.scheme_name()),
        user: url.user().map(|user| Cow::Borrowed(user.as_str())),
        password: url.password().map(|password| Cow::Borrowed(password.as_str())),
        // Nothing connects to the host in a Message-ID, only to the server of a news URL.
        host: url.host().map(|host| Cow::Borrowed(host.as_str())),
        port: url.port().map(Cow::Borrowed),
        path: Cow::Borrowed(url.path()),
        query: url.query().map(|query| Cow::Borrowed(query.as_str())),
        fragment: None,
    }
}
