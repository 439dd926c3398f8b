//! Rows cost no allocation of their own.

use allocation_counter::measure;
use urlwise::Profile;
use urlwise_columns::{Column, Reader};

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
