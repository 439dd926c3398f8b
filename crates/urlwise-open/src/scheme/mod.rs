//! One opener for each scheme: what a URL asks of its server, and what comes of the answer.

pub(crate) mod file;
pub(crate) mod ftp;
pub(crate) mod gopher;
pub(crate) mod handler;
pub(crate) mod http;
#[cfg(feature = "mail")]
pub(crate) mod mail;
pub(crate) mod mailto;
pub(crate) mod nntp;
pub(crate) mod prospero;
pub(crate) mod telnet;
pub(crate) mod wais;
