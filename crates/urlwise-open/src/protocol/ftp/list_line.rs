//! Lines of `LIST` (RFC 959 section 4.1.3), which no standard describes: the two forms that servers send, those of `ls -l` and of
//! the DOS command `dir` (D-97).
//!
//! ```text
//! -rw-r--r--    1 ftp      ftp         18 Dec 01  1994 a file.txt
//! lrwxrwxrwx    1 ftp      ftp          4 Nov 22 08:14 current -> 1994
//! 12-01-94  12:00AM       <DIR>          pub
//! 12-01-1994  01:30PM                 18 a file.txt
//! ```
//!
//! The name is what follows one blank after the date or the size, in the octets of the server.

use super::listing::{FtpItem, ItemKind};
use crate::protocol::digits::number;
use crate::protocol::time::date;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

/// How far a date without a year may lie in the future: clocks and time zones differ by up to a day.
const TOMORROW: Duration = Duration::from_secs(24 * 60 * 60);

/// The mean length of a year.
const YEAR: u64 = 31_556_952;

/// Whether a line is not about an entry: it is empty, or the `total 12` before the lines of `ls -l`.
pub(super) fn is_heading(line: &[u8]) -> bool {
    line.is_empty() || line.strip_prefix(b"total ").is_some_and(|count| number::<u64>(count.trim_ascii()).is_some())
}

impl FtpItem {
    /// Parses a line of `LIST`, without its end; `None` if it has neither of the usual forms. Dates are read as UTC, although
    /// servers write their own time. One without a year is of the past year up to `now`; without `now` it is left out.
    ///
    /// ```
    /// use urlwise_open::protocol::ftp::{FtpItem, ItemKind};
    ///
    /// let item = FtpItem::of_list(b"-rw-r--r--  1 ftp ftp  18 Dec 01  1994 a b.txt", None).expect("like ls -l");
    /// assert_eq!((&item.name[..], item.kind, item.size), (&b"a b.txt"[..], ItemKind::File, Some(18)));
    /// ```
    pub fn of_list(line: &[u8], now: Option<SystemTime>) -> Option<FtpItem> {
        of_unix(line, now).or_else(|| of_dos(line))
    }
}

/// A line of `ls -l`: a mode of ten characters, some columns, the size, the date, the name.
fn of_unix(line: &[u8], now: Option<SystemTime>) -> Option<FtpItem> {
    let (mode, _) = word(line)?;
    let (letter, bits) = mode.split_first()?;
    // A `+` or `.` after the mode tells of access lists.
    let is_mode = (9..=10).contains(&bits.len()) && bits[..9].iter().all(|bit| b"-rwxsStTlL".contains(bit));
    let kind = match letter {
        b'-' => ItemKind::File,
        b'd' => ItemKind::Directory,
        b'l' | b'b' | b'c' | b'p' | b's' => ItemKind::Unknown,
        _ => return None,
    };
    if !is_mode {
        return None;
    }
    // Owners and groups may be missing or look like anything, so the first date after a number ends the columns.
    let (mut before, mut rest) = (mode, word(line)?.1);
    let (size, modified, rest) = loop {
        let (this, after) = word(rest)?;
        if let (Some(size), Some((modified, name))) = (number(before), unix_date(rest, now)) {
            break (size, modified, name);
        }
        (before, rest) = (this, after);
    };
    let mut name = rest.strip_prefix(b" ").filter(|name| !name.is_empty())?;
    if *letter == b'l' {
        // The target of a link follows; a name that holds an arrow cannot be told from it.
        name = name.windows(4).position(|window| window == b" -> ").map_or(name, |arrow| &name[..arrow]);
    }
    let size = (kind == ItemKind::File).then_some(size);
    Some(FtpItem { size, modified, ..FtpItem::new(name, kind) })
}

/// The date at the beginning, `Dec 01  1994`, `Nov 22 08:14`, `22 Nov 08:14` or `1994-12-01 00:00`, and what follows it. The date
/// is absent if its year is unknown.
fn unix_date(text: &[u8], now: Option<SystemTime>) -> Option<(Option<SystemTime>, &[u8])> {
    let (first, rest) = word(text)?;
    let (second, rest) = word(rest)?;
    if let Some(day) = iso_day(first) {
        return Some((date(day, clock(second)?), rest));
    }
    let (third, rest) = word(rest)?;
    let (month, day) = match (month(first), month(second)) {
        (Some(month), _) => (month, number(second)?),
        (None, Some(month)) => (month, number(first)?),
        (None, None) => return None,
    };
    let modified = match clock(third) {
        Some(time) => now.and_then(|now| last(now, (month, day), time)),
        None if third.len() == 4 => Some(date((number(third)?, month, day), (0, 0, 0))?),
        None => return None,
    };
    (1..=31).contains(&day).then_some((modified, rest))
}

/// The last such day and time up to `now`, or within a day after it.
fn last(now: SystemTime, (month, day): (u64, u64), time: (u64, u64, u64)) -> Option<SystemTime> {
    let year = 1970 + now.duration_since(UNIX_EPOCH).ok()?.as_secs() / YEAR;
    // The mean year may be one off at the turn of a year.
    let years = [year + 1, year, year - 1, year - 2];
    years.into_iter().filter_map(|year| date((year, month, day), time)).find(|found| *found <= now + TOMORROW)
}

/// A line of `dir`: the date with the month first, the time, `<DIR>` or the size, the name.
fn of_dos(line: &[u8]) -> Option<FtpItem> {
    let (day, rest) = word(line)?;
    let (time, rest) = word(rest)?;
    let modified = date(dos_day(day)?, dos_clock(time)?);
    let (what, rest) = word(rest)?;
    let (kind, size, name) = match what {
        // The name begins at a fixed column, ten blanks later.
        b"<DIR>" => (ItemKind::Directory, None, rest.trim_ascii_start()),
        b"<JUNCTION>" | b"<SYMLINKD>" | b"<SYMLINK>" => (ItemKind::Unknown, None, rest.trim_ascii_start()),
        size => (ItemKind::File, Some(number(size)?), rest.strip_prefix(b" ")?),
    };
    (!name.is_empty()).then(|| FtpItem { size, modified, ..FtpItem::new(name, kind) })
}

/// `12-01-94` or `12-01-1994`; two digits are a year from 1970 to 2069.
fn dos_day(text: &[u8]) -> Option<(u64, u64, u64)> {
    let [month, day, year] = fields(text, b'-')?;
    let year = match (text.len() - text.iter().rposition(|octet| *octet == b'-')? - 1, year) {
        (2, 70..) => 1900 + year,
        (2, _) => 2000 + year,
        (4, _) => year,
        _ => return None,
    };
    Some((year, month, day))
}

/// `01:30PM`, or `13:30`.
fn dos_clock(text: &[u8]) -> Option<(u64, u64, u64)> {
    let upper = text.to_ascii_uppercase();
    let (time, noon) = match (upper.strip_suffix(b"AM"), upper.strip_suffix(b"PM")) {
        (Some(time), _) => (time, Some(0)),
        (None, Some(time)) => (time, Some(12)),
        (None, None) => (&upper[..], None),
    };
    let (hour, minute, second) = clock(time)?;
    match noon {
        None => Some((hour, minute, second)),
        Some(noon) => (1..=12).contains(&hour).then_some((hour % 12 + noon, minute, second)),
    }
}

/// `1994-12-01`.
fn iso_day(text: &[u8]) -> Option<(u64, u64, u64)> {
    let [year, month, day] = fields(text, b'-')?;
    (text.len() == 10 && text[4] == b'-').then_some((year, month, day))
}

/// `08:14`.
fn clock(text: &[u8]) -> Option<(u64, u64, u64)> {
    let colon = text.iter().position(|octet| *octet == b':')?;
    Some((number(&text[..colon])?, number(&text[colon + 1..])?, 0))
}

/// Three numbers.
fn fields(text: &[u8], separator: u8) -> Option<[u64; 3]> {
    let mut fields = text.split(|octet| *octet == separator).map(number);
    let found = [fields.next()??, fields.next()??, fields.next()??];
    fields.next().is_none().then_some(found)
}

/// The number of a month, from 1.
fn month(text: &[u8]) -> Option<u64> {
    (1..).zip(MONTHS).find(|(_, name)| text.eq_ignore_ascii_case(name)).map(|(number, _)| number)
}

/// The first word, without the blanks before it, and what follows it.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(|octet| *octet == b' ').unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::super::listing::{FtpItem, ItemKind};
    use super::is_heading;
    use crate::protocol::time::date;
    use proptest::prelude::*;
    use std::time::SystemTime;

    /// 2026-11-22 08:14.
    fn now() -> Option<SystemTime> {
        date((2026, 11, 22), (8, 14, 0))
    }

    fn at(year: u64, month: u64, day: u64, hour: u64, minute: u64) -> Option<SystemTime> {
        date((year, month, day), (hour, minute, 0))
    }

    #[track_caller]
    fn is(line: &str, name: &[u8], kind: ItemKind, size: Option<u64>, modified: Option<SystemTime>) {
        let item = FtpItem::of_list(line.as_bytes(), now()).expect(line);
        assert_eq!((&item.name[..], item.kind, item.size, item.modified), (name, kind, size, modified), "{line}");
        assert!(item.inside, "{line}");
    }

    #[test]
    fn lines_of_ls_have_kind_size_date_and_name() {
        use ItemKind::{Directory, File, Unknown};
        let old = at(1994, 12, 1, 0, 0);
        is("-rw-r--r--    1 ftp      ftp            18 Dec 01  1994 a b.txt", b"a b.txt", File, Some(18), old);
        is("-rw-r--r--    1 0        0               0 Dec  1  1994 0", b"0", File, Some(0), old);
        is("-rw-r--r--+   1 0        0               7 Dec  1  1994  x", b" x", File, Some(7), old);
        is("-rw-r--r--.   1 0        0               7 Dec  1  1994 x ", b"x ", File, Some(7), old);
        is("drwxr-xr-x    2 ftp      ftp          4096 Dec 01  1994 pub", b"pub", Directory, None, old);
        is("drwxrwsr-t    2 ftp      ftp          4096 Dec 01  1994 -la", b"-la", Directory, None, old);
        is("lrwxrwxrwx    1 ftp      ftp             4 Dec 01  1994 now -> a -> b", b"now", Unknown, None, old);
        is("-rw-r--r--    1 ftp      ftp             4 Dec 01  1994 now -> a", b"now -> a", File, Some(4), old);
        is("prw-r--r--    1 ftp      ftp             4 Dec 01  1994 pipe", b"pipe", Unknown, None, old);
        is("crw-r--r--    1 root     root       1,   3 Dec 01  1994 null", b"null", Unknown, None, old);
        // Without a group, with a group of several words, with a month as owner, and in other orders.
        is("-rw-r--r-- 1 ftp 18 Dec 01 1994 x", b"x", File, Some(18), old);
        is("-rw-r--r-- 1 ftp Domain Users 18 Dec 01 1994 x", b"x", File, Some(18), old);
        is("-rw-r--r-- 1 may 12 18 Dec 01 1994 x", b"x", File, Some(18), old);
        is("-rw-r--r-- 1 ftp ftp 18 01 dec 1994 x", b"x", File, Some(18), old);
        is("-rw-r--r-- 1 ftp ftp 18 1994-12-01 00:00 x", b"x", File, Some(18), old);
    }

    #[test]
    fn a_date_without_a_year_is_the_last_one() {
        for (text, year) in [
            ("Nov 22 08:14", 2026),
            ("Nov 23 08:14", 2026),
            ("Nov 23 08:15", 2025),
            ("Jan 01 00:00", 2026),
            ("Dec 31 23:59", 2025),
        ] {
            let line = format!("-rw-r--r-- 1 ftp ftp 18 {text} x");
            let item = FtpItem::of_list(line.as_bytes(), now()).expect(text);
            let long = format!("-rw-r--r-- 1 ftp ftp 18 {} {year} x", &text[..6]);
            let day = FtpItem::of_list(long.as_bytes(), now()).expect(text).modified.expect("a date");
            let time = item.modified.expect("a date").duration_since(day).expect("after midnight");
            let (hour, minute): (u64, u64) = (text[7..9].parse().expect("digits"), text[10..].parse().expect("digits"));
            assert_eq!(time.as_secs(), hour * 3600 + minute * 60, "{text}");
            assert_eq!(FtpItem::of_list(line.as_bytes(), None).expect(text).modified, None, "nobody knows the year");
        }
        // At the turn of a year.
        let new_year = date((2027, 1, 1), (0, 0, 0));
        let item = FtpItem::of_list(b"-rw-r--r-- 1 a b 1 Dec 31 23:00 x", new_year).expect("a line");
        assert_eq!(item.modified, at(2026, 12, 31, 23, 0));
        let old_year = date((2026, 12, 31), (12, 0, 0));
        let item = FtpItem::of_list(b"-rw-r--r-- 1 a b 1 Jan 01 00:30 x", old_year).expect("a line");
        assert_eq!(item.modified, at(2027, 1, 1, 0, 30), "where the server is, it is tomorrow");
        for year in [2025, 2026] {
            let leap = FtpItem::of_list(b"-rw-r--r-- 1 a b 1 Feb 29 23:00 x", date((year, 3, 1), (0, 0, 0)));
            assert_eq!(leap.expect("a line").modified, at(2024, 2, 29, 23, 0));
        }
    }

    #[test]
    fn lines_of_dir_have_kind_size_date_and_name() {
        use ItemKind::{Directory, File, Unknown};
        is("12-01-94  12:00AM       <DIR>          my files", b"my files", Directory, None, at(1994, 12, 1, 0, 0));
        is("12-01-1994  12:30PM                 18 a b", b"a b", File, Some(18), at(1994, 12, 1, 12, 30));
        is("12-01-24  01:30pm                    0  x", b" x", File, Some(0), at(2024, 12, 1, 13, 30));
        is("12-01-69  13:30                      0 x", b"x", File, Some(0), at(2069, 12, 1, 13, 30));
        is("12-01-70  11:59AM       <JUNCTION>     x [C:\\x]", b"x [C:\\x]", Unknown, None, at(1970, 12, 1, 11, 59));
    }

    #[test]
    fn anything_else_is_no_entry() {
        for line in [
            "",
            "x",
            "total 12",
            "-rw-r--r--",
            "-rw-r--r-- 1 ftp ftp 18 Dec 01 1994",
            "-rw-r--r-- 1 ftp ftp 18 Dec 01 1994 ",
            "-rw-r--r-- 1 ftp ftp 18 Dec 32 1994 x",
            "-rw-r--r-- 1 ftp ftp 18 Dec 00 08:14 x",
            "-rw-r--r-- 1 ftp ftp 18 Dec 32 08:14 x",
            "-rw-r--r-- 1 ftp ftp 18 Dec 01 01994 x",
            "-rw-r--r-- 1 ftp ftp 18 1994-12-010 08:14 x",
            "-rw-r--r-- 1 ftp ftp 18 Dec 01 94 x",
            "-rw-r--r-- 1 ftp ftp 18 Dez 01 1994 x",
            "-rw-r--r 1 ftp ftp 18 Dec 01 1994 x",
            "-rw-r--r--++ 1 ftp ftp 18 Dec 01 1994 x",
            "-rw-r--q-- 1 ftp ftp 18 Dec 01 1994 x",
            "?rw-r--r-- 1 ftp ftp 18 Dec 01 1994 x",
            "12-01-94  12:00AM       <DIR>",
            "12-01-94  12:00AM       <DIR>          ",
            "12-01-94  00:00AM       <DIR>          x",
            "12-01-94  13:00PM       18 x",
            "12-01-994  12:00AM      18 x",
            "12-01-94-1  12:00AM     18 x",
            "+i8388621.29609,m824255902,/,\tdev",
            "README.TXT;1   2/2   1-DEC-1994 12:00  [ANONYMOUS]  (RWED,RE,,)",
        ] {
            assert_eq!(FtpItem::of_list(line.as_bytes(), now()), None, "{line}");
        }
        assert!(is_heading(b"") && is_heading(b"total 12") && is_heading(b"total 0 "));
        assert!(!is_heading(b"total") && !is_heading(b"total eclipse.txt") && !is_heading(b"totals 1"));
    }

    proptest! {
        #[test]
        fn security_55_no_line_makes_it_panic(line in any::<Vec<u8>>(), text in "[-drwx0-9 :A-Za-z<>]{0,80}") {
            let _ = (FtpItem::of_list(&line, now()), FtpItem::of_list(text.as_bytes(), now()));
        }

        #[test]
        fn security_32_names_are_kept_octet_for_octet(name in proptest::collection::vec(any::<u8>(), 1..20)) {
            let line = [&b"-rw-r--r--    1 ftp      ftp            18 Dec 01  1994 "[..], &name].concat();
            prop_assert_eq!(FtpItem::of_list(&line, now()).expect("a line").name, name);
        }
    }
}
