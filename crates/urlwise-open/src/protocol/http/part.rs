//! Metadata of documents, and resuming from a part of one (RFC 9110 sections 8.8 and 14; S-31).

use crate::language::{message, words};
use crate::protocol::digits::number;
use crate::protocol::{Fault, FaultKind};
use crate::protocol::{Metadata, Resume};
use ureq_proto::http::{HeaderMap, HeaderName, HeaderValue, header};
use urlwise::escape_for_display;

const RULE: &str = "RFC 9110 section 15.3.7";

/// The headers that request the rest of a document, or all of it if it has changed. `None` if nothing is known by which the
/// server could tell.
pub(super) fn headers(resume: &Resume) -> Option<[(HeaderName, String); 2]> {
    let modified = || resume.metadata.modified.map(httpdate::fmt_http_date);
    let validator = resume.metadata.validator.clone().or_else(modified)?;
    Some([(header::RANGE, format!("bytes={}-", resume.offset)), (header::IF_RANGE, validator)])
}

/// The metadata in the headers of a document of which `size` octets follow.
pub(super) fn metadata(headers: &HeaderMap, size: Option<u64>) -> Metadata {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    Metadata {
        size,
        modified: text(header::LAST_MODIFIED).and_then(|date| httpdate::parse_http_date(date).ok()),
        // Documents with the same weak validator may differ in octets.
        validator: text(header::ETAG).filter(|tag| tag.starts_with('"')).map(str::to_owned),
        media_type: headers.get(header::CONTENT_TYPE).map(|value| escape_for_display(value.as_bytes()).to_string()),
    }
}

/// What an answer says of the document that it is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The size of the complete document.
    pub(super) whole: u64,
    /// How many octets follow behind the part: a server may send less than was asked for.
    pub(super) behind: u64,
}

impl Part {
    /// The fault of a part that has ended before the document does; `None` if it does not.
    pub(super) fn cut(self) -> Option<Fault> {
        let what = message!(
            "the server sent less than the rest of the document: {count} octets are missing",
            count = self.behind
        );
        (self.behind > 0).then(|| Fault::new(FaultKind::Partial, RULE, what).with_help(words!("try again")))
    }
}

/// Checks that an answer of `length` octets is the requested part, or the beginning of it.
///
/// # Errors
/// [`FaultKind::Malformed`] if it is any other part, or part of another document.
pub(super) fn part(headers: &HeaderMap, resume: &Resume, length: Option<u64>) -> Result<Part, Fault> {
    let help = words!("restart the transfer from the beginning");
    let fault = |what| Fault::new(FaultKind::Malformed, RULE, what).with_help(help);
    let range = headers.get(header::CONTENT_RANGE).map(HeaderValue::as_bytes).unwrap_or_default();
    let Some((first, last, whole)) = std::str::from_utf8(range).ok().and_then(content_range) else {
        return Err(fault(words!("the server sends part of the document without saying which")).octets(range));
    };
    let is_of_the_rest = first == resume.offset && first <= last && last < whole;
    if !is_of_the_rest || length.is_some_and(|length| length != last - first + 1) {
        return Err(fault(words!("the server sends a different part of the document than requested")).octets(range));
    }
    let now = metadata(headers, Some(whole));
    let differs = |known: Option<&str>, now: Option<&str>| known.is_some() && now.is_some() && known != now;
    if resume.metadata.size.is_some_and(|size| size != whole)
        || differs(resume.metadata.validator.as_deref(), now.validator.as_deref())
    {
        return Err(fault(words!("the document has changed on the server")).octets(range));
    }
    Ok(Part { whole, behind: whole - 1 - last })
}

/// Whether the part already transferred is the complete document, so there is no rest: `416` with `bytes */SIZE`.
pub(super) fn is_complete(headers: &HeaderMap, resume: &Resume) -> bool {
    let range = headers.get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
    let size = range.and_then(|range| number(range.strip_prefix("bytes */")?.as_bytes()));
    // Without a condition the server did not check whether it is the same document.
    size == Some(resume.offset)
        && resume.metadata.size.is_none_or(|known| known == resume.offset)
        && self::headers(resume).is_some()
}

/// The length that an answer without a body declares.
pub(super) fn declared(headers: &HeaderMap) -> Option<u64> {
    number(headers.get(header::CONTENT_LENGTH)?.as_bytes())
}

/// `bytes FIRST-LAST/WHOLE`, all of them numbers.
fn content_range(text: &str) -> Option<(u64, u64, u64)> {
    let (range, whole) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    Some((number(first.as_bytes())?, number(last.as_bytes())?, number(whole.as_bytes())?))
}

#[cfg(test)]
mod tests {
    use super::{Part, content_range, headers, metadata, part};
    use crate::protocol::{FaultKind, Metadata, Resume};
    use std::time::{Duration, UNIX_EPOCH};
    use ureq_proto::http::HeaderMap;

    fn answer(fields: &[(&'static str, &str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect()
    }

    fn resume(offset: u64, validator: Option<&str>) -> Resume {
        let metadata = Metadata { size: Some(10), validator: validator.map(str::to_owned), ..Metadata::default() };
        Resume { offset, metadata }
    }

    #[test]
    fn security_31_a_rest_is_asked_for_only_by_what_tells_documents_apart() {
        assert_eq!(headers(&resume(5, None)), None);
        let [range, condition] = headers(&resume(5, Some("\"a\""))).expect("there is a validator");
        assert_eq!((range.1.as_str(), condition.1.as_str()), ("bytes=5-", "\"a\""));
        let mut dated = resume(5, None);
        dated.metadata.modified = Some(UNIX_EPOCH + Duration::from_secs(786_240_000));
        let [_, condition] = headers(&dated).expect("there is a date");
        assert_eq!(condition.1, "Thu, 01 Dec 1994 00:00:00 GMT");
    }

    #[test]
    fn weak_validators_and_broken_dates_are_not_metadata() {
        let known = metadata(&answer(&[("etag", "W/\"a\""), ("last-modified", "yesterday")]), None);
        assert_eq!(known, Metadata::default());
    }

    #[test]
    fn security_31_only_the_rest_of_the_same_document_is_taken() {
        let check = |fields: &[(&'static str, &str)]| part(&answer(fields), &resume(4, Some("\"a\"")), Some(6));
        let rest = Ok(Part { whole: 10, behind: 0 });
        assert_eq!(check(&[("content-range", "bytes 4-9/10")]), rest);
        assert_eq!(check(&[("content-range", "bytes 4-9/10"), ("etag", "\"a\"")]), rest);
        let ranges = [
            "bytes 3-9/10",
            "bytes 4-8/10",
            "bytes 4-9/11",
            "bytes 4-10/11",
            "bytes 4-9/9",
            "bytes 4-9/*",
            "4-9/10",
            "",
        ];
        for range in ranges {
            assert!(check(&[("content-range", range)]).is_err(), "{range}");
        }
        assert!(part(&answer(&[("content-range", "bytes 4-3/10")]), &resume(4, None), Some(0)).is_err());
        assert!(check(&[]).is_err());
        assert!(check(&[("content-range", "bytes 4-9/10"), ("etag", "\"b\"")]).is_err());
    }

    #[test]
    fn a_part_may_end_before_the_document() {
        let check = |range, length| part(&answer(&[("content-range", range)]), &resume(4, None), length);
        assert_eq!(check("bytes 4-8/10", Some(5)), Ok(Part { whole: 10, behind: 1 }));
        assert_eq!(check("bytes 4-4/10", None), Ok(Part { whole: 10, behind: 5 }));
        let cut = |behind| Part { whole: 10, behind }.cut().map(|fault| fault.kind());
        assert_eq!((cut(0), cut(1)), (None, Some(FaultKind::Partial)));
    }

    #[test]
    fn ranges_are_numbers_and_nothing_else() {
        assert_eq!(content_range("bytes 0-1/2"), Some((0, 1, 2)));
        for text in ["bytes +0-1/2", "bytes 0-1/99999999999999999999", "bytes 0-1", "bytes -1/2", "Bytes 0-1/2"] {
            assert_eq!(content_range(text), None, "{text}");
        }
    }
}
