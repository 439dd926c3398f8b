//! WAIS: RFC 1738 section 3.9, the dialect of Z39.50 of 1988 that freeWAIS and its forebears speak.
//!
//! Every message has exactly one answer, and the server keeps no state: a document is fetched by searching for its id, one
//! slice after another. Requests are never pipelined: a server loses the second one.
//!
//! ```text
//! Start --Connect--> INIT --accepted--> SEARCH by words ----------------> hits --> Done
//!   |                 '-- refused       SEARCH for a description --id--.
//!   | refused             '--> Failed   SEARCH for octets of an id <---+-- full slice --.
//!   v                                        '-- short or empty slice --> Done          |
//! Failed                                     '------------------------------------------'
//! ```
//!
//! To resume a document its beginning is fetched again first: only if it is the same as before ([`WaisBeginning`]), the dialogue continues
//! with the octets that are missing.
//!
//! A [`WaisRequest`] is what a URL asks for, in plain octets; [`WaisMachine`] is the machine; a [`WaisHit`] is one document that a search
//! found; a [`WaisSource`] is a database that a description describes. The host inside a [`DocumentId`] is never connected to.

mod answer;
mod diagnostic;
mod document_id;
mod field;
mod machine;
mod message;
mod packet;
mod request;
mod rest;
mod settings;
mod source;
mod types;
mod url;

pub use answer::WaisHit;
pub use document_id::DocumentId;
pub use machine::WaisMachine;
pub use request::{WaisGoal, WaisRequest};
pub use rest::{NotABeginning, WaisBeginning, WaisRest};
pub use settings::WaisSettings;
pub use source::WaisSource;
pub use types::{is_description, media_type};
