//! config.schema.json: what `urlwise.toml` may hold, for editors. The types that read the file know all of it but the names of rules.

use std::collections::HashSet;

use snapbox::{Data, assert_data_eq};

use crate::rules;

/// What names a rule or code: see `named` in rules.rs. The first of each: a problem and a finding may share a name, and JSON Schema
/// wants none twice.
fn names() -> Vec<String> {
    let numbers = urlwise::audit::RULES.iter().map(|rule| rule.number);
    let names = ["all"].into_iter().chain(rules::ids()).map(str::to_owned);
    let mut seen = HashSet::new();
    names
        .chain(numbers.flat_map(|number| [number.to_owned(), number.to_lowercase()]))
        .filter(|name| seen.insert(name.clone()))
        .collect()
}

/// `SNAPSHOTS=overwrite cargo test -p urlwise-cli --bin urlwise schema` writes the file anew.
#[test]
fn the_schema_is_that_of_the_types_that_read_the_file() {
    let text = serde_json::to_string_pretty(&urlwise_settings::schema(names())).unwrap() + "\n";
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config.schema.json");
    assert_data_eq!(text, Data::read_from(&committed, Some(snapbox::data::DataFormat::Text)).raw());
}
