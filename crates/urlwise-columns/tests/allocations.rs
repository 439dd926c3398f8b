//! Rows cost no allocation of their own.

use allocation_counter::measure;
use urlwise::Profile;
use urlwise_columns::{Column, Reader, Scratch};

/// Good and bad texts, short and long.
fn rows(count: usize) -> Vec<String> {
    let texts = ["http://Host.dom/%7Ea?b#c", "ftp://h.dom/a b", "", "news:comp.*", "gopher://h.dom/00/%zz"];
    let long = format!("http://h.dom/{} ", "a/".repeat(500));
    (0..count).map(|index| texts.get(index % 6).map_or_else(|| long.clone(), |text| (*text).to_owned())).collect()
}

#[test]
fn allocations_do_not_grow_with_the_rows_but_for_the_vectors() {
    let names = [
        "scheme",
        "host:lower",
        "port",
        "path:decoded",
        "query",
        "fragment",
        "valid",
        "problem",
        "problem:start",
        "segments",
        "address",
        "host_kind",
        "normal:safe",
        "normal:scheme",
    ];
    let columns: Vec<Column> = names.iter().map(|name| name.parse().expect(name)).collect();
    let reader = Reader::new(&columns, Profile::Current);
    let allocations = |count: usize| {
        let rows = rows(count);
        measure(|| drop(reader.read::<i64>(&rows[..]))).count_total
    };
    // Vectors that double grow by one allocation each.
    let (some, more) = (allocations(600), allocations(60_000));
    assert!(more < some + 8 * names.len() as u64 + 8, "{some} allocations for 600 rows, {more} for 60,000");
}

#[test]
fn cells_of_rows_are_read_without_any_allocation() {
    let names =
        ["url", "host:lower", "port", "path:decoded", "query", "problem", "problem:end", "normal:scheme", "address"];
    let columns: Vec<Column> = names.iter().map(|name| name.parse().expect(name)).collect();
    let reader = Reader::new(&columns, Profile::Current);
    let rows = rows(60);
    let mut scratch = Scratch::default();
    let mut read = || {
        let mut cells = 0;
        for text in &rows {
            reader.cells(Some(&reader.row(text.as_bytes())), &mut scratch, |_, cell| {
                cells += usize::from(cell.is_some());
            });
        }
        assert!(cells > rows.len());
    };
    read(); // The scratch grows.
    assert_eq!(measure(read).count_total, 0);
}

#[cfg(feature = "agree")]
#[test]
fn agreement_on_plain_urls_is_found_without_any_allocation() {
    let plain = [&b"https://Host.dom:8080/a/b;c?d=e%20f#g"[..], b"http://127.0.0.1/", b"http://a-b.c.d"];
    let odd = b"http://127.1/";
    let columns = ["agree".parse::<Column>().expect("a column")];
    let reader = Reader::new(&columns, Profile::Current);
    let mut scratch = Scratch::default();
    let mut read = |text: &[u8]| reader.cells(Some(&reader.row(text)), &mut scratch, |_, _| {});
    assert_eq!(measure(|| plain.into_iter().for_each(&mut read)).count_total, 0);
    assert!(measure(|| read(odd)).count_total > 0);
}
