//! Prospero: RFC 1738 section 3.11, and version 5 of the protocol.
//!
//! A prospero URL names an object on a host. What that is, its server says: it has access methods, mostly URLs of other schemes, or
//! it is a directory of links. Each request goes out whole, in datagrams, and one answer comes back ([ARDP](super::ardp) carries both);
//! both are lines of tokens in quotes. The server may forward the question to another one.
//!
//! ```text
//! Methods --access methods, to open: the first that works --+-- Follow another URL
//!   |                       | none works, or nothing in it  '-- Contents --> document --> Done
//!   | NOT-FOUND: All        |
//!   | none, or to list      |
//!   v                       v
//! Links --> methods, entries --> Links of union links --> Done
//!   |
//!   '-- no directory --> the methods, the empty document or the first failure
//! ```
//!
//! A [`ProsperoRequest`] is what a URL asks for, [`ProsperoMachine`] the machine, a [`Link`] an entry of a directory, an [`AccessMethod`] a way to
//! have an object.

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
