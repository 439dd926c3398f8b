//! What the headers of an answer say beside the document: whether it moved, when to ask again, and whether the answer is meant for
//! programs at all.

use std::time::{Duration, SystemTime};
use ureq_proto::http::{HeaderMap, StatusCode, header};

/// The answer to a request, apart from the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// When the server wants to be asked again (`Retry-After`); `None` if it does not say.
    pub retry_after: Option<RetryAfter>,
    /// Whether it wants proof that a person asks: a page with a puzzle or a script stands in place of the answer.
    pub is_challenge: bool,
}

/// When to ask again (RFC 9110 section 10.2.3). There will be no others: the RFC has these two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// After this time.
    Delay(Duration),
    /// At this time.
    Date(SystemTime),
}

impl RetryAfter {
    fn of(value: &[u8]) -> Option<RetryAfter> {
        let value = std::str::from_utf8(value).ok()?.trim_ascii();
        if value.bytes().all(|octet| octet.is_ascii_digit()) {
            return value.parse().ok().map(|seconds| RetryAfter::Delay(Duration::from_secs(seconds)));
        }
        httpdate::parse_http_date(value).ok().map(RetryAfter::Date)
    }

    /// How long to wait, if it is `now`: a year at most, so that it can be added to a time.
    pub fn wait(self, now: SystemTime) -> Duration {
        const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
        let wait = match self {
            RetryAfter::Delay(delay) => delay,
            RetryAfter::Date(date) => date.duration_since(now).unwrap_or_default(),
        };
        wait.min(YEAR)
    }
}

impl HttpAnswer {
    pub(super) fn of(status: StatusCode, headers: &HeaderMap) -> HttpAnswer {
        let retry_after = headers.get(header::RETRY_AFTER).and_then(|value| RetryAfter::of(value.as_bytes()));
        let says = |sign: &Sign| {
            let is_met = |value: &[u8]| value.to_ascii_lowercase().starts_with(sign.value.as_bytes());
            (sign.statuses.is_empty() || sign.statuses.contains(&status.as_u16()))
                && headers.get_all(sign.field).iter().any(|value| is_met(value.as_bytes()))
        };
        HttpAnswer { status: status.as_u16(), retry_after, is_challenge: SIGNS.iter().any(says) }
    }
}

/// A sign of a challenge: a field whose value begins like this, in lower case.
struct Sign {
    /// The statuses with which it is one; empty for any.
    statuses: &'static [u16],
    field: &'static str,
    value: &'static str,
}

const fn sign(statuses: &'static [u16], field: &'static str, value: &'static str) -> Sign {
    Sign { statuses, field, value }
}

/// The statuses with which services that guard servers answer in their place.
const GUARDED: &[u16] = &[403, 429, 503];

/// Fields that say so in so many words, then those that guards add to each of their answers.
const SIGNS: &[Sign] = &[
    sign(&[], "cf-mitigated", "challenge"),
    sign(&[], "x-amzn-waf-action", ""),
    sign(&[], "x-vercel-mitigated", ""),
    sign(&[403], "server", "cloudflare"),
    sign(&[403, 503], "server", "ddos-guard"),
    sign(&[403], "server", "akamaighost"),
    sign(GUARDED, "x-sucuri-block", ""),
    sign(GUARDED, "x-datadome", ""),
    sign(GUARDED, "x-px-action", ""),
];

#[cfg(test)]
mod tests {
    use super::{HttpAnswer, RetryAfter};
    use std::time::{Duration, SystemTime};
    use ureq_proto::http::{HeaderMap, HeaderName, StatusCode};

    fn answer(status: u16, fields: &[(&'static str, &str)]) -> HttpAnswer {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(HeaderName::from_static(name), value.parse().expect("a value"));
        }
        HttpAnswer::of(StatusCode::from_u16(status).expect("a status"), &headers)
    }

    #[test]
    fn a_challenge_is_known_by_its_fields() {
        for (status, field, value) in [
            (403, "cf-mitigated", "challenge"),
            (503, "cf-mitigated", "challenge"),
            (403, "server", "cloudflare"),
            (202, "x-amzn-waf-action", "challenge"),
            (405, "x-amzn-waf-action", "captcha"),
            (403, "server", "AkamaiGHost"),
            (503, "server", "ddos-guard"),
        ] {
            assert!(answer(status, &[(field, value)]).is_challenge, "{status} {field}: {value}");
        }
        for (status, field, value) in [
            (403, "server", "nginx"),
            (404, "server", "cloudflare"),
            (200, "server", "cloudflare"),
            (503, "server", "cloudflare"),
            (404, "server", "AkamaiGHost"),
            (200, "cf-ray", "1"),
        ] {
            assert!(!answer(status, &[(field, value)]).is_challenge, "{status} {field}: {value}");
        }
    }

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 5);
        for (value, expected) in
            [("120", Some(120)), ("0", Some(0)), (date, Some(5)), ("-1", None), ("soon", None), ("", None)]
        {
            let wait = answer(429, &[("retry-after", value)]).retry_after.map(|after| after.wait(now).as_secs());
            assert_eq!(wait, expected, "{value}");
        }
        let past = RetryAfter::Date(now - Duration::from_secs(9));
        assert_eq!(past.wait(now), Duration::ZERO);
        let endless = answer(503, &[("retry-after", "18446744073709551615")]).retry_after.map(|after| after.wait(now));
        assert_eq!(endless, Some(Duration::from_secs(365 * 24 * 60 * 60)));
        assert_eq!(answer(503, &[]).retry_after, None);
        assert_eq!(answer(503, &[("retry-after", "99999999999999999999")]).retry_after, None);
    }
}
