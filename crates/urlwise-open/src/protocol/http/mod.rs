//! HTTP: one GET or HEAD and its answer (RFC 1738 section 3.3 over RFC 9110 and RFC 9112).
//!
//! The octets on the wire are those of [`ureq_proto`], the sans-I/O half of ureq; this module is the [`Machine`](super::Machine)
//! around it that bounds what a server may send and turns answers into steps. The selector is sent as it is written in the URL
//! (D-40). No cookies and no referrer are ever sent, and no credentials, ranges, codings or other fields but those of the [`HttpRequest`]:
//! what is not sent cannot leak (S-10, S-13, S-15, S-34, S-35, S-51).
//!
//! ```text
//! Connect -> [CONNECT -> 2xx -> StartTls] -> GET -> [1xx]... -> 2xx: Begin -> Data ... -> Done
//!    |               through a proxy                         -> 3xx: Done, and HttpMachine::moved says where to
//!    +-- left out on a connection that was kept              -> 4xx, 5xx: Fail, or a Begin if the body is wanted
//! ```
//!
//! Redirects are not followed here, and nothing is decompressed: the client does both.

mod answer;
mod chunked;
mod field;
mod framing;
mod head;
mod machine;
mod part;
mod request;

pub use answer::{HttpAnswer, RetryAfter};
pub use field::RequestField;
pub use machine::HttpMachine;
pub use request::{HttpGoal, HttpLogin, HttpRequest, Route};

#[cfg(test)]
mod tests;
