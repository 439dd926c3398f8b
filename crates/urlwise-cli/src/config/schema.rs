//! config.schema.json: what `urlwise.toml` may hold, for editors. It is written from the types that read the file.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use snapbox::{Data, assert_data_eq};

use super::ConfigFile;
use crate::rules;

/// The name of a rule or code, or the number of a rule; see `named` in rules.rs.
pub(super) struct RuleName;

impl JsonSchema for RuleName {
    fn schema_name() -> Cow<'static, str> {
        "RuleName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let numbers = urlwise::audit::RULES.iter().map(|rule| rule.number);
        let names: Vec<String> = ["all"]
            .into_iter()
            .chain(rules::ids())
            .map(str::to_owned)
            .chain(numbers.flat_map(|number| [number.to_owned(), number.to_lowercase()]))
            .collect();
        json_schema!({
            "description": "A rule or code of `urlwise check --explain all`, or `all`.",
            "type": "string",
            "enum": unique(names),
        })
    }
}

/// The first of each: a problem and a finding may share a name, and JSON Schema wants none twice.
fn unique(names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

/// The name of a scheme; see `scheme` in find.rs.
pub(super) struct SchemeName;

impl JsonSchema for SchemeName {
    fn schema_name() -> Cow<'static, str> {
        "SchemeName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name of a scheme, without a colon.",
            "type": "string",
            "pattern": "^[A-Za-z0-9+.-]+$",
        })
    }
}

/// `SNAPSHOTS=overwrite cargo test -p urlwise-cli --bin urlwise schema` writes the file anew.
#[test]
fn the_schema_is_that_of_the_types_that_read_the_file() {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<ConfigFile>();
    // TOML has no null: what is absent has no default.
    let properties = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut).unwrap();
    for property in properties.values_mut().filter_map(serde_json::Value::as_object_mut) {
        if property.get("default").is_some_and(serde_json::Value::is_null) {
            property.remove("default");
        }
    }
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config.schema.json");
    assert_data_eq!(text, Data::read_from(&committed, Some(snapbox::data::DataFormat::Text)).raw());
}
