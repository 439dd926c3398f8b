//! JSON Lines: the object of a problem with its location.

use serde_json::Value;

use super::{Found, Report};
use crate::json::{self, Object};

/// Writes one object. The URL is as read, with its fragment; if it has a password or is not UTF-8, it is masked and escaped.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let Found { code, level, span, section, decision, message, help } = report.found;
    let mut object = Object::new();
    object.insert("code".into(), (*code).into());
    object.insert("level".into(), level.name().into());
    object.insert("span".into(), vec![span.start, span.end].into());
    object.insert("section".into(), (*section).into());
    object.insert("decision".into(), (*decision).into());
    object.insert("message".into(), message.as_str().into());
    object.insert("help".into(), help.as_deref().into());
    json::path(&mut object, report.path());
    let spot = report.spot();
    object.insert("line".into(), spot.as_ref().map(|spot| spot.line).into());
    object.insert("column".into(), spot.map(|spot| spot.column).into());
    match std::str::from_utf8(report.url) {
        Ok(url) if report.secrets.is_empty() => object.insert("url".into(), url.into()),
        _ => object.insert("url".into(), Value::String(report.shown_url())),
    };
    json::push_line(out, &object);
}
