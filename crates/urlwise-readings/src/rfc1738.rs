//! The reading by RFC 1738, in the form of the others.

use crate::reading::ReadingParts;
use crate::text::Text;
use std::borrow::Cow;
use urlwise::{Language, Profile, Reference, Url};

/// Parses by RFC 1738, or by its successors, in which a fragment may follow (D-08).
pub(crate) fn read(octets: &[u8], profile: Profile) -> Result<ReadingParts<'_, Text<'_>>, String> {
    accepted(octets, profile).ok_or_else(|| objection_in(octets, profile, Language::En).unwrap_or_default())
}

/// The parts alone: to say why a text is refused takes another reading of it.
pub(crate) fn accepted(octets: &[u8], profile: Profile) -> Option<ReadingParts<'_, Text<'_>>> {
    if let Some(url) = Url::accept(octets, profile) {
        return Some(parts(&url));
    }
    let may_have_fragment = profile == Profile::Current && octets.contains(&b'#');
    let reference = may_have_fragment.then(|| Reference::from_octets(octets, profile).ok()).flatten()?;
    let fragment = reference.fragment().map(|fragment| Text::from(fragment.as_str()));
    Some(ReadingParts { fragment, ..parts(reference.url()) })
}

/// Why [`read`] rejects octets, in a language.
pub(crate) fn objection_in(octets: &[u8], profile: Profile, language: Language) -> Option<String> {
    Url::first_error(octets, profile).map(|problem| problem.message_in(language).to_string())
}

/// The parts of a URL that has been read.
pub(crate) fn parts<'a>(url: &Url<&'a str>) -> ReadingParts<'a, Text<'a>> {
    ReadingParts {
        scheme: Cow::Borrowed(url.scheme_name()),
        user: url.user().map(|user| Text::from(user.as_str())),
        password: url.password().map(|password| Text::from(password.as_str())),
        // Nothing connects to the host in a Message-ID, only to the server of a news URL.
        host: url.host().map(|host| Text::from(host.as_str())),
        port: url.port().map(Cow::Borrowed),
        path: Text::from(url.path()),
        query: url.query().map(|query| Text::from(query.as_str())),
        fragment: None,
    }
}
