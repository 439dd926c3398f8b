//! Any octets repaired: the result is valid, the changes produce it, repairing it again changes nothing, and a valid URL
//! without a prefix is left alone.

use crate::text::is_clean;
use urlwise::{Profile, Url, repair};

pub(crate) fn run(octets: &[u8]) {
    for &profile in Profile::ALL {
        let is_prefixed = octets.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"URL:"));
        let is_valid = Url::from_octets(octets, profile).is_ok() && !is_prefixed;
        let repaired = match repair(octets, profile) {
            Ok(repaired) => repaired,
            Err(refused) => {
                assert!(!is_valid, "{refused}");
                assert!(octets.get(refused.span()).is_some(), "{refused}");
                assert!(is_clean(&refused));
                continue;
            }
        };
        let url = repaired.url().as_str();
        assert!(Url::parse_with(url, profile).is_ok());
        assert!(!is_valid || repaired.changes().is_empty());
        let mut text = Vec::new();
        let mut at = 0;
        for change in repaired.changes() {
            text.extend_from_slice(&octets[at..change.span().start]);
            text.extend_from_slice(change.now().as_bytes());
            at = change.span().end;
        }
        text.extend_from_slice(&octets[at..]);
        assert_eq!(text, url.as_bytes());
        assert!(repair(url, profile).is_ok_and(|again| again.changes().is_empty()));
    }
}
