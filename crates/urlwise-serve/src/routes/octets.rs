//! Documents as octets: downloads, pictures, and pages of others for the frame of the second origin.

use std::io::{self, Write};

use urlwise::Url;
use urlwise_open::{Document, Resource};

use super::Reply;
use crate::http::body::Body;
use crate::http::response::{Head, Rights, Status, Value};
use crate::opening::{self, Form, Wish};

impl Reply<'_> {
    /// A document, opened for its octets.
    fn octets(&self, url: &Url<&str>, then: impl FnOnce(Document) -> io::Result<()>) -> io::Result<()> {
        if let Some((_, answer)) = self.answer {
            return match answer.resource() {
                Some(Resource::Document(document)) => then(document),
                _ => self.not_found(),
            };
        }
        let waiting = self.shared.waiting(self.connection.stream)?;
        match self.shared.opening.open(url, Wish::default(), &waiting.cancel) {
            Ok(Resource::Document(document)) => then(document),
            Ok(_) => self.not_found(),
            Err(error) => self.failed(url, &error),
        }
    }

    /// Sends the rest of a document as it comes. What breaks off is seen to break off.
    fn send(&self, url: &Url<&str>, head: Head, mut document: Document) -> io::Result<()> {
        let mut body = match document.size() {
            Some(size) => Body::of_length(self.connection, head.clone(), size).copied(self.copy(&head)),
            None => self.begin(head),
        };
        match document.write_to(&mut body) {
            // What broke off is seen to break off again.
            Ok(_) if self.answer.is_some_and(|(_, answer)| answer.failure.is_some()) => Ok(body.flush()?),
            Ok(_) => body.finish(),
            Err(error) if body.is_unsent() => self.failed(url, &error),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn save(&self, url: &Url<&str>) -> io::Result<()> {
        self.octets(url, |document| {
            let mut name = (self.shared.file_name)(url);
            // A Message-ID ends in a host: `1@host.com` would be saved as a program.
            if opening::is_article(&document) && !name.ends_with(".eml") {
                name.push_str(".eml");
            }
            let name = Value::attachment(&name);
            let head =
                Head::new(Status::Ok, Rights::Octets, "application/octet-stream").with("Content-Disposition", name);
            self.send(url, head, document)
        })
    }

    /// A picture for a page of ours, if it is one.
    pub(super) fn picture(&self, url: &Url<&str>) -> io::Result<()> {
        self.octets(url, |mut document| match opening::form(&mut document, Wish::default()) {
            Ok(Form::Picture(media_type)) => {
                self.send(url, Head::new(Status::Ok, Rights::Octets, media_type), document)
            }
            Ok(_) => self.not_found(),
            Err(error) => self.failed(url, &error),
        })
    }

    /// A page of others, for the frame of the second origin.
    pub(super) fn framed(&self, url: &Url<&str>) -> io::Result<()> {
        self.octets(url, |mut document| match opening::form(&mut document, Wish::default()) {
            Ok(Form::Page(media_type)) => {
                self.send(url, Head::new(Status::Ok, Rights::Foreign(self.shared.port), media_type), document)
            }
            Ok(_) => self.not_found(),
            Err(error) => self.failed(url, &error),
        })
    }
}
