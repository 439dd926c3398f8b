//! The verdict about a text: its repaired URL, or the reason why it cannot be repaired, and what may have been meant.

use serde_json::Value;
use urlwise::{RepairError, Suggestion};
use urlwise_explain::meant::Meant;

use super::Object;
use crate::language::language;

/// A longer URL is not repeated in the JSON of an explanation.
const LONG_URL: usize = 4 << 10;

/// The verdict with passwords masked: `repaired`, `refused` and `suggestions`.
pub(crate) fn verdict(meant: &Meant<'_>) -> Object {
    let mut object = Object::new();
    // `repair` prints a longer one.
    let url = meant.repaired().map(|repaired| repaired.url().as_str()).filter(|url| url.len() <= LONG_URL);
    object.insert("repaired".into(), url.map(|url| meant.masked(url)).into());
    object.insert("refused".into(), meant.refused().map(refused).into());
    object.insert("suggestions".into(), masked_suggestions(meant).into());
    object
}

/// Why a text is not repaired.
pub(crate) fn refused(refused: &RepairError) -> Object {
    let mut object = Object::new();
    object.insert("code".into(), refused.code().into());
    object.insert("span".into(), vec![refused.span().start, refused.span().end].into());
    object.insert("section".into(), refused.section().into());
    object.insert("decision".into(), refused.decision().into());
    object.insert("message".into(), refused.message_in(language()).into());
    object.insert("help".into(), refused.help_in(language()).into());
    object
}

/// The suggestions, with their passwords masked.
pub(crate) fn masked_suggestions(meant: &Meant<'_>) -> Vec<Value> {
    let short = meant.suggestions().iter().filter(|suggestion| suggestion.url().len() <= LONG_URL);
    short.map(|one| suggested(&meant.masked(one.url()), one)).collect()
}

/// A URL that may have been meant.
pub(crate) fn suggestion(suggestion: &Suggestion) -> Value {
    suggested(suggestion.url(), suggestion)
}

fn suggested(url: &str, suggestion: &Suggestion) -> Value {
    let mut object = Object::new();
    object.insert("url".into(), url.into());
    object.insert("profile".into(), suggestion.profile().name().into());
    object.insert("why".into(), suggestion.why_in(language()).into());
    object.into()
}
