//! Gopher: RFC 1738 section 3.4, RFC 1436, and what a URL can ask for of Gopher+ (the paper of July 1993).
//!
//! The client sends one request line, the server one answer, and closes. There is no greeting and no status line: only the
//! [item type](ItemType), which the client already knows, says what the answer is.
//!
//! ```text
//! Start --Connect--> Connected --Send--+-- GopherMachine+ string --> PlusHeader --+N +-1 +-2--> BodyReader --> Done
//!   |                                  |                       |  '-- -N --1 --2 --> ServerError --> Failed
//!   | refused, or not for gopher       |                       '-- no header: Note --.
//!   v                                  +-- none ---------------------------------> Probe --> BodyReader
//! Failed
//! ```
//!
//! A [`GopherRequest`] is what a URL asks for, in plain octets; [`GopherMachine`] is the machine; a [`MenuItem`] is one line of
//! a menu.
//! Answers are read as today's servers send them (they disagree about line ends, doubled dots and the closing dot);
//! [`GopherSettings::strict`] reads texts by RFC 1436 instead.

mod attributes;
mod charset;
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
pub use charset::text;
pub use form::{AnswerLine, FieldKind, FormField, fill};
pub use item_type::{ItemType, Opens, Transfer};
pub use machine::GopherMachine;
pub use menu::{MenuItem, PlusMark};
pub use request::GopherRequest;
pub use settings::{GopherLimits, GopherSettings};
