//! Mail that leaves this program: a [`MessageDraft`] as a message file, and as a [`Letter`] that is sent (RFC 1738 section 3.5).
//!
//! Opening a mailto URL never comes here (S-38): sending takes a sender, a way, and a call of
//! [`Client::send`]. What it needs beyond the URL is what RFC 5322 wants of every message: who wrote it, when, and an id.

mod letter;
mod message;
pub(crate) mod send;
mod server;

pub use letter::{Letter, Sender};
pub use send::{Delivery, Sent};
pub use server::MailServer;

#[cfg(doc)]
use crate::{Client, MessageDraft};
