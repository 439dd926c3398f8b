//! JSON Lines: the object of a problem with its location.

use urlwise_explain::meant::Meant;

use super::{Found, Report};
use crate::json::{self, Fields};

/// Writes what is found: the fields that every report about a URL begins with.
pub(crate) fn finding(object: &mut Fields<'_>, found: &Found) {
    let source = (found.section, found.decision);
    let Found { code, level, span, message, help, .. } = found;
    json::said(object, code, *level, span.clone(), source, message.as_str(), help.as_deref());
}

/// Writes one object. The URL is as read, with its fragment; if it has a password or is not UTF-8, it is masked and escaped.
pub(super) fn write(report: &Report<'_>, out: &mut Vec<u8>) {
    let found = report.found;
    json::line(out, |object| {
        finding(object, found);
        object.array("spans", found.spans.iter().take(json::PLACES).cloned());
        object.field("places", found.places);
        object.text("path", report.path().map(|path| path.as_os_str().as_encoded_bytes()));
        let spot = report.spot();
        object.field("line", spot.as_ref().map(|spot| spot.line));
        object.field("column", spot.map(|spot| spot.column));
        object.field("url", report.shown_url().as_str());
        object.field("more_problems", report.more());
        let meant = report.meant();
        object.field("repaired", meant.and_then(Meant::shown_url).as_deref());
        object.field("refused", meant.and_then(Meant::refused).map(json::refused).as_ref());
        object.field("suggestions", &meant.map(json::masked_suggestions).unwrap_or_default());
    });
}
