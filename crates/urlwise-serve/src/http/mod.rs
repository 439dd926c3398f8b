//! HTTP/1.1 towards the browser: one request a connection, a bounded head, and answers whose fields cannot hold what others wrote.
//!
//! Every connection is closed after its answer. So there is no second request for a first one to smuggle, and nothing to be told
//! apart from the first.

pub(crate) mod body;
pub(crate) mod fields;
pub(crate) mod request;
pub(crate) mod response;
