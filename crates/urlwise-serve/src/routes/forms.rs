//! Searches and forms that the person has filled in.

use std::io;

use urlwise::{Scheme, Url};
use urlwise_open::Resource;

use super::Reply;
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

    /// Fills in a form of Gopher+ and sends it, once.
    pub(super) fn submit(&self, url: &Url<&str>, fields: &Fields) -> io::Result<()> {
        let waiting = self.shared.waiting(self.stream)?;
        if url.scheme().base() != Scheme::Gopher {
            return self.not_found();
        }
        let asked = match self.shared.opening.open(url, Wish::default(), &waiting.cancel) {
            Ok(Resource::Form(asked)) => asked,
            Ok(_) => return self.not_found(),
            Err(error) => return self.failed(url, &error),
        };
        let answers = form::answers(&asked, fields);
        let sent = asked.fill(&answers).and_then(|filled| self.shared.opening.submit(&filled, &waiting.cancel));
        match sent {
            Ok(resource) => {
                Reply { answers: form::options(&asked, &answers), ..*self }.show(url, resource, Wish::default())
            }
            Err(error) => self.failed(url, &error),
        }
    }
}
