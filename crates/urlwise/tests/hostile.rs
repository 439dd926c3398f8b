//! Inputs made to hurt: each has a verdict, and soon. At these lengths anything worse than linear time would take hours.

use urlwise::{Profile, Scheme, Url, diagnose};

const MEGABYTE: usize = 1 << 20;
/// Enough for the many combinations: a quadratic reader would need hours for them.
const LENGTH: usize = 1 << 16;

#[track_caller]
fn verdict(text: &[u8], valid: bool) {
    for &profile in Profile::ALL {
        let diagnosis = diagnose(text, profile);
        assert_eq!(diagnosis.is_valid(), valid, "{:?}", diagnosis.problems().first());
        assert_eq!(Url::from_octets(text, profile).is_ok(), valid);
        for problem in diagnosis.problems().iter().take(100) {
            assert!(problem.to_string().len() < 1000, "a message as long as its input");
        }
        assert!(diagnosis.parts().count() <= text.len());
    }
}

fn starts() -> impl Iterator<Item = String> {
    let schemes = Scheme::RFC1738.iter().filter_map(|scheme| scheme.name());
    schemes.flat_map(|scheme| [format!("{scheme}:"), format!("{scheme}://"), format!("{scheme}://h.dom/")])
}

#[test]
fn a_long_run_of_any_octet_behind_any_start_gets_a_verdict() {
    for start in starts() {
        for octet in *b"%@:/.?;-a0 &\"[\x00\xFF" {
            let text = [start.as_bytes(), &vec![octet; LENGTH]].concat();
            for &profile in Profile::ALL {
                let valid = diagnose(&text, profile).is_valid();
                let parsed = Url::from_octets(&text, profile).is_ok();
                assert_eq!(parsed, valid, "{profile} {start} {octet:02X}");
            }
        }
    }
}

#[test]
fn a_long_run_of_alternating_problems_gets_a_verdict() {
    for pair in ["%~", "@:", "a%", "..-", "%09", "%0A", "a@", ";=", "/?", "\"<", "é~"] {
        for start in starts() {
            let text = [start.as_bytes(), pair.repeat(LENGTH / pair.len()).as_bytes()].concat();
            for &profile in Profile::ALL {
                let valid = diagnose(&text, profile).is_valid();
                assert_eq!(Url::from_octets(&text, profile).is_ok(), valid);
            }
        }
    }
}

#[test]
fn a_megabyte_of_percent_signs_gets_a_verdict() {
    verdict(["http://h.dom/", &"%".repeat(MEGABYTE)].concat().as_bytes(), false);
}

#[test]
fn ten_thousand_at_signs_are_refused() {
    verdict(["ftp://", &"@".repeat(10_000), "host.dom/"].concat().as_bytes(), false);
    verdict(["ftp://", &"u@".repeat(10_000), "host.dom/"].concat().as_bytes(), false);
}

#[test]
fn endless_digits_in_ports_and_hosts_are_refused_without_overflow() {
    verdict(["http://h.dom:", &"9".repeat(MEGABYTE), "/"].concat().as_bytes(), false);
    verdict(["http://", &"9".repeat(MEGABYTE), ".1.1.1/"].concat().as_bytes(), false);
    verdict(["nntp://h.dom/g/", &"9".repeat(MEGABYTE)].concat().as_bytes(), true);
}

#[test]
fn endless_zeros_are_still_a_port() {
    verdict(["http://h.dom:", &"0".repeat(MEGABYTE), "80/"].concat().as_bytes(), true);
}

#[test]
fn an_endless_scheme_is_an_unknown_scheme() {
    verdict(["a".repeat(MEGABYTE).as_str(), ":"].concat().as_bytes(), true);
}

#[test]
fn every_pair_of_octets_after_every_start_gets_a_verdict() {
    for start in starts() {
        let mut text = start.into_bytes();
        let length = text.len();
        for first in 0..=255 {
            for second in 0..=255 {
                text.truncate(length);
                text.extend([first, second]);
                for &profile in Profile::ALL {
                    let valid = Url::from_octets(&text, profile).is_ok();
                    // The whole diagnosis of 4 million texts would take minutes; its verdict is compared for some.
                    if (usize::from(first) * 256 + usize::from(second)) % 17 == 0 {
                        assert_eq!(valid, diagnose(&text, profile).is_valid());
                    }
                }
            }
        }
    }
}
