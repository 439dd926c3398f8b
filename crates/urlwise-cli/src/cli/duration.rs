//! Durations on the command line: `10s`, `500ms`, `2m`; a plain number is in seconds.

use std::time::Duration;

/// The units in milliseconds; `ms` comes before its suffix `s`.
const UNITS: [(&str, f64); 5] = [("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3_600e3), ("d", 86_400e3)];

/// Parses a duration longer than zero.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let unit = UNITS.iter().find_map(|(unit, milliseconds)| Some((text.strip_suffix(unit)?, milliseconds / 1e3)));
    let (number, seconds) = unit.unwrap_or((text, 1.0));
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.');
    let number: Option<f64> = number.parse().ok().filter(|_| is_number);
    match number.map(|number| Duration::try_from_secs_f64(number * seconds)) {
        Some(Ok(duration)) if !duration.is_zero() => Ok(duration),
        Some(Ok(_)) => Err("a time must be longer than 0".into()),
        Some(Err(_)) => Err("the time is too long".into()),
        None => {
            Err("expected a number with a unit, as in `10s`, `500ms`, `2m`, `1h` or `7d`; a plain number is seconds"
                .into())
        }
    }
}

/// Parses a duration that may be zero.
pub(super) fn pause(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { duration(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_may_be_none() {
        assert_eq!(pause("0"), Ok(Duration::ZERO));
        assert_eq!(pause("250ms"), Ok(Duration::from_millis(250)));
        assert!(pause("").is_err() && pause("-1").is_err());
    }

    #[test]
    fn durations_have_a_unit_or_are_in_seconds() {
        for (text, milliseconds) in [
            ("10", 10_000),
            ("0.5", 500),
            ("10s", 10_000),
            ("1.5s", 1_500),
            ("500ms", 500),
            ("2m", 120_000),
            ("1h", 3_600_000),
            ("7d", 604_800_000),
            ("0.25m", 15_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in
            ["", "s", "-1", "+1", "1e3", "inf", "nan", "10 s", "10S", "10x", "1w", ".5", "5.", "1.2.3", "\u{661}s"]
        {
            assert!(duration(text).unwrap_err().contains("`10s`"), "{text}");
        }
        assert_eq!(duration("0ms").unwrap_err(), "a time must be longer than 0");
        assert_eq!(duration(&"9".repeat(40)).unwrap_err(), "the time is too long");
    }
}
