//! What a browser's octets come to, without a connection: for fuzzing. Nothing here is part of the interface.

use std::io;

use crate::guard::{Admission, Names, admit};
use crate::http::fields::{Form, link};
use crate::http::request::{Request, RequestMachine};
use crate::session::Session;

/// What octets come to.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// More are needed.
    Incomplete,
    /// They are refused, with this status line.
    Rejected(&'static str),
    /// They are a request, for this page and with this body.
    Request {
        /// As written; `/` where the target is a URL without one.
        path: String,
        /// As written.
        query: String,
        /// As written.
        body: Vec<u8>,
        /// Whether it is answered with what the session sees.
        is_admitted: bool,
    },
}

/// Decides who gets in, as a gateway on a port does.
#[expect(missing_debug_implementations, reason = "it holds secrets")]
pub struct Door {
    names: Names,
    session: Session,
}

impl Door {
    /// With a new session.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new(port: u16) -> io::Result<Door> {
        Ok(Door { names: Names::new(port), session: Session::new(port)? })
    }

    /// The field `Cookie` that the session asks for.
    pub fn cookie(&self) -> String {
        self.session.cookie_field()
    }

    /// Reads a request from its pieces, as they arrive.
    pub fn receive<'o>(&self, pieces: impl IntoIterator<Item = &'o [u8]>) -> Received {
        let mut machine = RequestMachine::default();
        for piece in pieces {
            match machine.receive(piece) {
                Ok(None) => {}
                Ok(Some(request)) => return self.received(request),
                Err(rejection) => return Received::Rejected(rejection.status.line()),
            }
        }
        Received::Incomplete
    }

    fn received(&self, request: Request) -> Received {
        let is_ours = self.names.is_for_us(&request);
        let is_admitted = is_ours && admit(&request, &self.names, &self.session) == Admission::Admitted;
        let Request { path, query, body, .. } = request;
        Received::Request { path, query, body, is_admitted }
    }
}

/// The value of the first field of this name in a query or form.
pub fn field(octets: &[u8], name: &str) -> Option<Vec<u8>> {
    Form::read(octets).get(name).map(<[u8]>::to_vec)
}

/// The link of a page to itself about this URL.
pub fn link_about(url: &str) -> String {
    link("/open", url)
}
