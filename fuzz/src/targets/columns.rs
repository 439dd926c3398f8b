//! Any rows as columns: each row has the value that it has alone, and a row is a URL where the parser says so.
//!
//! The input is rows, each ended by LF.

use urlwise::{Profile, Reference};
use urlwise_columns::{Column, Packed, Reader, Values};

const COLUMNS: &[&str] = &[
    "url",
    "scheme",
    "host",
    "host:lower",
    "port",
    "path:decoded",
    "query",
    "fragment",
    "valid",
    "problem",
    "normal:safe",
];

fn read(rows: &[&[u8]], profile: Profile) -> Vec<Values<i64>> {
    let columns: Vec<Column> = COLUMNS.iter().map(|name| name.parse().expect("a column")).collect();
    let mut offsets = vec![0_i64];
    for row in rows {
        offsets.push(offsets[offsets.len() - 1] + i64::try_from(row.len()).expect("a short row"));
    }
    let octets = rows.concat();
    Reader::new(&columns, profile).read(&Packed::new(&offsets, &octets)).expect("a short table")
}

/// The value of a row in a column, as text.
fn value(values: &Values<i64>, row: usize) -> String {
    match values {
        Values::Text(strings) | Values::Octets(strings) => format!("{:?}", strings.get(row)),
        Values::Numbers(numbers) => format!("{:?}", numbers.get(row)),
        Values::Flags(flags) => format!("{:?}", flags.get(row)),
        _ => panic!("no column here has values of another kind"),
    }
}

pub(crate) fn run(input: &[u8]) {
    let rows: Vec<&[u8]> = input.split(|octet| *octet == b'\n').take(16).collect();
    for &profile in Profile::ALL {
        let table = read(&rows, profile);
        for (number, row) in rows.iter().enumerate() {
            let alone = read(&[row], profile);
            for (column, name) in COLUMNS.iter().enumerate() {
                assert_eq!(value(&table[column], number), value(&alone[column], 0), "{name} of row {number}");
            }
            let is_url = str::from_utf8(row).is_ok_and(|text| Reference::parse_with(text, profile).is_ok());
            assert_eq!(value(&alone[8], 0), format!("{:?}", Some(is_url)), "row {number}");
        }
    }
}
