//! config.schema.json: what `urlwise.toml` may hold, for editors. It is written from the types that read the file.

use std::borrow::Cow;
use std::cell::RefCell;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::ConfigFile;

thread_local! {
    /// The names of [`schema`], because types alone are asked for theirs.
    static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The JSON Schema of `urlwise.toml`. The program alone knows what its rules and codes are called: these are the names, each once.
pub fn schema(names: Vec<String>) -> Schema {
    NAMES.set(names);
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<ConfigFile>();
    // TOML has no null: what is absent has no default.
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        if property.get("default").is_some_and(Value::is_null) {
            property.remove("default");
        }
    }
    schema
}

/// The name of a rule or code, or the number of a rule.
pub(super) struct RuleName;

impl JsonSchema for RuleName {
    fn schema_name() -> Cow<'static, str> {
        "RuleName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A rule or code of `urlwise check --explain all`, or `all`.",
            "type": "string",
            "enum": NAMES.with_borrow(Vec::clone),
        })
    }
}

/// The name of a scheme.
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
