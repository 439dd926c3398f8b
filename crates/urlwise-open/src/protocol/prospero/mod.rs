//! Prospero: RFC 1738 section 3.11, and version 5 of the protocol.
//!
//! A prospero URL names an object on a host. The server says what the object is: it has access methods, mostly URLs of other schemes,
//! or it is a directory of links. Each request is one message and has one answer, both in datagrams ([ARDP](super::ardp)); both
//! consist of lines of quoted tokens. The server may forward a request to another server.
//!
//! ```text
//! Methods --access methods, to open: the first that works --+-- Follow another URL
//!   |                       | none works, or it is empty    '-- Contents --> document --> Done
//!   | NOT-FOUND: All        |
//!   | none, or to list      |
//!   v                       v
//! Links --> methods, entries --> Links of union links --> Done
//!   |
//!   '-- not a directory --> the methods, the empty document or the first failure
//! ```
//!
//! A [`ProsperoRequest`] is what a URL asks for, [`ProsperoMachine`] the machine, a [`Link`] an entry of a directory, and an
//! [`AccessMethod`] a way to retrieve an object.

mod access_method;
mod answer;
mod attribute;
mod failure;
mod line;
mod link;
mod machine;
mod note;
mod object;
mod request;
mod settings;
mod token;
mod unions;

pub use access_method::{AccessMethod, MethodKind};
pub use line::Role;
pub use link::Link;
pub use machine::{Found, ProsperoMachine};
pub use object::Object;
pub use request::{ProsperoGoal, ProsperoRequest};
pub use settings::ProsperoSettings;
