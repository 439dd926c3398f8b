//! Dates as text, which the standard library does not provide.

use std::time::SystemTime;

/// A point in time as RFC 3339 text in UTC, whole seconds: `1994-12-01T00:00:00Z`.
///
/// `None` for times before 1970 and after the year 9999.
pub(crate) fn rfc3339(time: SystemTime) -> Option<String> {
    const DAY: u64 = 86_400;
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
    if seconds > 253_402_300_799 {
        return None;
    }
    // Days since 0000-03-01, so that the leap day is the last of its year (Howard Hinnant's civil_from_days).
    let days = seconds / DAY + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds % DAY / 3_600, seconds % 3_600 / 60, seconds % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::rfc3339;
    use std::time::{Duration, SystemTime};

    #[test]
    fn times_are_the_calendars() {
        let at = |seconds| rfc3339(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(at(951_782_399).as_deref(), Some("2000-02-28T23:59:59Z"));
        assert_eq!(at(951_782_400).as_deref(), Some("2000-02-29T00:00:00Z"));
        assert_eq!(at(951_868_800).as_deref(), Some("2000-03-01T00:00:00Z"));
        assert_eq!(at(786_240_000).as_deref(), Some("1994-12-01T00:00:00Z"));
        assert_eq!(at(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(at(253_402_300_800), None);
        assert_eq!(rfc3339(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
    }

    #[test]
    fn the_first_and_the_last_day_of_every_month_are_those_of_a_calendar_that_counts() {
        let mut day = 0;
        for year in 1970..2405 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (month, length) in
                (1..).zip([31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
            {
                for number in [1, length] {
                    let time = Duration::from_secs((day + number - 1) * 86_400 + 4 * 3_600 + 5 * 60 + 6);
                    let expected = format!("{year}-{month:02}-{number:02}T04:05:06Z");
                    assert_eq!(rfc3339(SystemTime::UNIX_EPOCH + time), Some(expected));
                }
                day += length;
            }
        }
    }
}
