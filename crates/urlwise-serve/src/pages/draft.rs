//! Mail drafts: shown, and handed to the person's own mailer on a click. Nothing here sends anything.

use maud::{Markup, html};
use urlwise::Language;
use urlwise_open::MessageDraft;

use super::text;
use crate::language::said;

/// The draft. `compose` is the command that hands it over.
pub(crate) fn markup(draft: &MessageDraft, compose: &str, language: Language) -> Markup {
    let address = draft.to().iter().map(|address| address.as_str().to_owned()).collect::<Vec<_>>().join(", ");
    html! {
        p {
            (said!(
                language,
                "A mailto URL proposes a mail (RFC 1738 section 3.5). Nothing has been sent, and this page cannot send it."
            ))
        }
        dl class="headers" {
            dt { (said!(language, "To")) } dd { (text::visible(&address)) }
            @if let Some(subject) = draft.subject() { dt { (said!(language, "Subject")) } dd { (text::visible(subject)) } }
        }
        @if let Some(body) = draft.body() {
            pre class="text" tabindex="0" aria-label=(said!(language, "Text of the mail")) {
                @for line in body.split_inclusive('\n') { (text::visible(line.trim_end_matches('\n'))) "\n" }
            }
        }
        @if let Ok(url) = draft.mailto() {
            p { a class="button" href=(url.as_str()) rel="noreferrer" { (said!(language, "Write it in your mail program")) } }
            p {
                (text::message(said!(
                    language,
                    "If this page comes back, mail links open here. This command leads to your mail program, if your setting `compose` \
                     names it or the desktop opens mail links with it:"
                )))
            }
            pre class="command" tabindex="0" aria-label=(said!(language, "Command")) { code { (compose) } }
        }
        (super::problem::notes(draft.notes(), language))
    }
}
