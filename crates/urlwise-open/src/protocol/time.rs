//! Times on the wire: RFC 3659 section 2.3, `YYYYMMDDHHMMSS` and an optional fraction, in UTC, and dates in other forms.

use std::time::{Duration, SystemTime};

/// The time, without its fraction; `None` if it is malformed or before 1970.
pub(crate) fn timestamp(text: &[u8]) -> Option<SystemTime> {
    let (whole, fraction) = text.split_at_checked(14)?;
    let fraction_is_good = match fraction {
        [] => true,
        [b'.', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if !fraction_is_good || !whole.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |from: usize, to: usize| whole[from..to].iter().fold(0, |n, digit| n * 10 + u64::from(digit - b'0'));
    date((number(0, 4), number(4, 6), number(6, 8)), (number(8, 10), number(10, 12), number(12, 14)))
}

/// The time of a year, month and day, and an hour, minute and second, in UTC; `None` if there is no such time, or if it is before
/// 1970.
pub(crate) fn date((year, month, day): (u64, u64, u64), (hour, minute, second): (u64, u64, u64)) -> Option<SystemTime> {
    let is_time = hour < 24 && minute < 60 && second <= 60;
    if !is_time || !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month)
    {
        return None;
    }
    // Days since 0000-03-01, so that the leap day is the last of its year (Howard Hinnant's days_from_civil).
    let shifted = if month > 2 { year } else { year - 1 };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + day_of_year - 719_468;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400 + hour * 3_600 + minute * 60 + second))
}

fn days_in(year: u64, month: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::timestamp;
    use std::time::SystemTime;

    fn seconds(text: &str) -> Option<u64> {
        let time = timestamp(text.as_bytes())?;
        Some(time.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs())
    }

    #[test]
    fn times_are_the_calendars() {
        for (text, at) in [
            ("19700101000000", 0),
            ("20000228235959", 951_782_399),
            ("20000229000000", 951_782_400),
            ("20000301000000.123", 951_868_800),
            ("19941201000000", 786_240_000),
            ("99991231235959", 253_402_300_799),
            ("19940430000000", 767_664_000),
            ("19940531000000", 770_342_400),
            ("19900101000060", 631_152_060),
        ] {
            assert_eq!(seconds(text), Some(at), "{text}");
        }
        for bad in [
            "",
            "1994120100000",
            "199412010000000",
            "19941301000000",
            "19940229000000",
            "19941200000000",
            "19941201240000",
            "19941201000000.",
            "19941201000000.x",
            "1994120100000x",
            "+9941201000000",
            "19691231235959",
            "19941201236000",
            "19941201235961",
            "19940431000000",
            "19940631000000",
            "19940931000000",
            "19941131000000",
            "19940132000000",
            "21000229000000",
        ] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}
