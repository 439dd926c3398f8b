//! Mail that leaves this program: a [`MessageDraft`] as a message file, and as a [`Letter`] that is sent (RFC 1738 section 3.5).
//!
//! Opening a mailto URL never comes here (S-38): sending takes a sender, a way, and a call of [`Client::send`]. Beyond the URL
//! it needs what RFC 5322 requires of every message: an author, a date and an id.

mod letter;
mod message;
pub(crate) mod send;
mod server;

pub use letter::{Letter, Sender};
pub use send::{Delivery, Sent};
pub use server::MailServer;

#[cfg(doc)]
use crate::{Client, MessageDraft};
