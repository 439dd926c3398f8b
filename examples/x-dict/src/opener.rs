//! Opens URLs of the scheme: puts its machine into the client.

use crate::machine::Dict;
use crate::request::{Request, SCHEME};
use std::sync::Arc;
use urlwise::Url;
use urlwise::registry::RegisterError;
use urlwise_open::{Call, Client, Entry, EntryKind, Error, Handler, Options, Plan, Resource, Wish};

/// The handler of the scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opener;

impl Opener {
    fn hold(url: &Url<&str>, request: Request, call: &Call<'_>) -> Result<Resource, Error> {
        let base = url.to_owned();
        let lists_dictionaries = request == Request::Dictionaries;
        call.dialogue(Dict::new(request)).open(move |item| {
            // The text is a word, or the full name of the dictionary.
            let word = if lists_dictionaries { &b""[..] } else { &item.text };
            let mut entry = Entry::new(item.text.clone(), EntryKind::Document);
            entry.url = Request::url(&base.borrow(), &item.dictionary, word);
            entry.media_type = Some("text/plain; charset=utf-8".to_owned());
            entry
        })
    }
}

impl Handler for Opener {
    fn open(&self, url: &Url<&str>, _: &Wish, call: &Call<'_>) -> Result<Resource, Error> {
        Opener::hold(url, Request::of_url(url), call)
    }

    fn list(&self, url: &Url<&str>, call: &Call<'_>) -> Result<Resource, Error> {
        Opener::hold(url, Request::to_list(url), call)
    }

    fn plan(&self, url: &Url<&str>, call: &Call<'_>) -> Result<Plan, Error> {
        call.dialogue(Dict::new(Request::of_url(url))).plan()
    }
}

/// A client that opens the URLs of the scheme too.
///
/// # Errors
/// None: the name is one that a scheme may have.
pub fn client(mut options: Options) -> Result<Client, RegisterError> {
    options.handlers.register(SCHEME, Arc::new(Opener))?;
    Ok(Client::new(options))
}
