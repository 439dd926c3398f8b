//! Opens URLs of the scheme: puts its machine into the client.

use crate::machine::DictMachine;
use crate::request::{DictRequest, SCHEME};
use std::sync::Arc;
use urlwise::registry::RegisterError;
use urlwise_open::{Call, Client, Entry, EntryKind, Error, Opener, Options, Outcome, Plan, Resource};

/// The opener of the scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct DictOpener;

impl DictOpener {
    fn hold(request: DictRequest, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let base = call.url().to_owned();
        let lists_dictionaries = request == DictRequest::Dictionaries;
        call.dialogue(DictMachine::new(request)).open(move |item| {
            // The text is a word, or the full name of the dictionary.
            let word = if lists_dictionaries { &b""[..] } else { &item.text };
            let mut entry = Entry::new(item.text.clone(), EntryKind::Document);
            entry.url = DictRequest::url(&base.borrow(), &item.dictionary, word);
            entry.media_type = Some("text/plain; charset=utf-8".to_owned());
            entry
        })
    }
}

impl Opener for DictOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        DictOpener::hold(DictRequest::from_url(call.url()), call)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        DictOpener::hold(DictRequest::to_list(call.url()), call)
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        call.dialogue(DictMachine::new(DictRequest::from_url(call.url()))).plan()
    }
}

/// A client that opens the URLs of the scheme too.
///
/// # Errors
/// None: the name is one that a scheme may have.
pub fn client(mut options: Options) -> Result<Client, RegisterError> {
    options.openers.register(SCHEME, Arc::new(DictOpener))?;
    Ok(Client::new(options))
}
