//! Searches and forms that the person has filled in.

use std::io;

use urlwise::{Scheme, Url};
use urlwise_open::Resource;

use super::Reply;
use crate::answers::{Answer, Content};
use crate::http::fields::Form as Fields;
use crate::http::response::{Status, Value};
use crate::language::words;
use crate::opening::Wish;
use crate::pages::{form, problem};

impl Reply<'_> {
    /// The URL of a search with its words, which the browser then opens.
    pub(super) fn search(&self, url: &Url<&str>, fields: &Fields) -> io::Result<()> {
        match url.with("search", fields.get("words").unwrap_or_default()) {
            Ok(found) => self.see(Value::path("/open", found.as_str())),
            Err(error) => {
                let language = self.language();
                let why = error.message_in(language).to_string();
                let title = words!("This cannot be searched for");
                let page = problem::refused(title, &why, words!("Go back and change the words."), language);
                self.page(Status::BadRequest, &page)
            }
        }
    }

    /// Fills in a form of Gopher+, sends it once, and keeps the answer.
    pub(super) fn submit(&self, url: &Url<&str>, fields: &Fields) -> io::Result<()> {
        let waiting = self.shared.waiting(self.connection.stream)?;
        if url.scheme().base() != Scheme::Gopher {
            return self.not_found();
        }
        let asked = match self.shared.opening.open(url, Wish::default(), &waiting.cancel) {
            Ok(Resource::Form(asked)) => asked,
            Ok(_) => return self.not_found(),
            Err(error) => return self.failed(url, &error),
        };
        let answers = form::answers(&asked, fields);
        let mut answer = Answer {
            url: url.to_owned(),
            options: form::options(&asked, &answers),
            advice: form::advice(&asked, self.language()),
            content: Content::Nothing,
            notes: Vec::new(),
            failure: None,
        };
        let mut room = self.shared.answers.room();
        match asked.fill(&answers).and_then(|filled| self.shared.opening.submit(&filled, &waiting.cancel)) {
            Ok(resource) => {
                if !answer.receive(resource, &mut room) {
                    return self.not_found();
                }
            }
            Err(error) => answer.failure = Some(error),
        }
        // Nobody waits for it any longer.
        if waiting.cancel.is_requested() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        // The browser goes on to the answer, so that going back to it or reloading it does not send the form again (D-111).
        let key = room.keep(answer)?;
        self.see(Value::answer(key.as_str()))
    }
}
