//! JSON Lines: the object of a problem with its location.

use super::{Found, Report};
use crate::json::{self, Object};
use crate::meant::{self, Meant};

/// Writes one object. The URL is as read, with its fragment; if it has a password or is not UTF-8, it is masked and escaped.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let Found { code, level, span, spans, places, section, decision, message, help } = report.found;
    let mut object = Object::new();
    object.insert("code".into(), (*code).into());
    object.insert("level".into(), level.name().into());
    object.insert("span".into(), vec![span.start, span.end].into());
    object.insert("section".into(), (*section).into());
    object.insert("decision".into(), (*decision).into());
    object.insert("message".into(), message.as_str().into());
    object.insert("help".into(), help.as_deref().into());
    json::places(&mut object, spans.iter().cloned(), *places);
    json::path(&mut object, report.path());
    let spot = report.spot();
    object.insert("line".into(), spot.as_ref().map(|spot| spot.line).into());
    object.insert("column".into(), spot.map(|spot| spot.column).into());
    object.insert("url".into(), report.shown_url().into());
    object.insert("more_problems".into(), report.more().into());
    let meant = report.meant();
    object.insert("repaired".into(), meant.and_then(Meant::shown_url).into());
    object.insert("refused".into(), meant.and_then(Meant::refused).map(meant::refused).into());
    object.insert("suggestions".into(), meant.map(Meant::shown_suggestions).unwrap_or_default().into());
    json::push_line(out, &object);
}
