//! Gopher: RFC 1738 section 3.4, RFC 1436, and of Gopher+ (the paper of July 1993) what a URL can ask for.
//!
//! One request line goes out, one answer comes back, the server closes. No greeting, no status line: only the
//! [item type](ItemType) the client already knows says what the answer is.
//!
//! ```text
//! Start --Connect--> Connected --Send--+-- Gopher+ string --> Header --+N +-1 +-2--> Body --> Done
//!   |                                  |                       |  '-- -N --1 --2 --> ServerError --> Failed
//!   | refused, or not for gopher       |                       '-- no header: Note --.
//!   v                                  +-- none ---------------------------------> Probe --> Body
//! Failed
//! ```
//!
//! A [`Request`] is what a URL asks for, in plain octets; [`Gopher`] is the machine; an [`Item`] is one line of a menu.
//! Answers are read as today's servers send them (they disagree about line ends, doubled dots and the closing dot);
//! [`Settings::strict`] reads texts by RFC 1436 instead.

mod attributes;
mod dots;
mod form;
mod header;
mod item_type;
mod link;
mod machine;
mod menu;
mod note;
mod request;
mod settings;

pub use attributes::{AttributeList, AttributeReader, Block, View};
pub use form::{AnswerLine, Field, FieldKind, fill};
pub use item_type::{ItemType, Opens, Transfer};
pub use machine::Gopher;
pub use menu::{Item, PlusMark};
pub use request::Request;
pub use settings::{Limits, Settings};
