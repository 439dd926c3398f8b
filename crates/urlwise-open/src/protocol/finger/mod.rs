//! finger: RFC 1288. One line is sent, and the answer is text until the server closes.
//!
//! ```text
//! Start --Connect--> Connected --Send--> Sent --the first octets--> Body --closed--> Done
//!   '-- a request that must not be sent --> Failed                    '-- broken --> Failed
//! ```

mod machine;
mod request;

pub use machine::FingerMachine;
pub use request::{FingerRequest, FingerSettings};
