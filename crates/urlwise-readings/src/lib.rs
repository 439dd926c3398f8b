//! How standards and programs read the same text.
//!
//! Security checks fail if one program checks a URL and another one, which reads it differently, opens it. Besides RFC
//! 1738 there are two families of parsers today: those of [RFC 3986] (most libraries; here [`fluent_uri`]) and those of
//! [WHATWG] (browsers, Node; here [`url`]). This crate returns the three readings in one form and says where and why
//! they differ.
//!
//! [RFC 3986]: https://www.rfc-editor.org/rfc/rfc3986
//! [WHATWG]: https://url.spec.whatwg.org/
//!
//! ```
//! use urlwise::Profile;
//! use urlwise_readings::{Difference, Reader, Readings};
//!
//! let readings = Readings::of(br"http://good.example\@evil.example/", Profile::Rfc1738);
//! assert!(!readings.reading(Reader::Rfc1738).expect("it was asked for").is_ok());
//! let whatwg = readings.reading(Reader::Whatwg).and_then(|reading| reading.parts()).expect("WHATWG repairs it");
//! assert_eq!(whatwg.host.as_deref(), Some("good.example"));
//!
//! let readings = Readings::of(b"http://host.dom/a", Profile::Rfc1738);
//! assert!(readings.agree());
//!
//! // Only RFC 1738 reads `?` as data in ftp.
//! let readings = Readings::of(b"ftp://user?@host.dom/", Profile::Rfc1738);
//! assert!(readings.differs().contains(Difference::Host));
//! assert_eq!(readings.sentence().to_string(), "`?` ends the host in RFC 3986 and WHATWG, but is data in RFC 1738, even in \
//!     a user name; RFC 1738 opens host.dom, RFC 3986 and WHATWG open user");
//! ```
//!
//! # Programs
//!
//! [`Reader`] also has models of the parsers that programs use: Python's `urlsplit`, urllib3 (on which requests is built), curl and
//! Go's `net/url`. [`Readings::by`] compares any of them; [`Reader::read`] is one alone. Each model is tested against the
//! program itself on 100,000 texts; the head of its file in `src/programs` says which version that is, and which others
//! read differently.
//!
//! # What is a difference
//!
//! The comparison is about what would be opened, not how it is written. These are equal: host names that differ in
//! case, different notations of an address, a default port and none, an empty host of `file:` and `localhost`, an empty
//! path and `/`, and escapes that do not change the meaning. Users and passwords have three states: `//@h` logs in with
//! an empty name, `//h` without one. A path whose `..` is resolved by one standard and kept by another is different.
//!
//! # Classes
//!
//! The test data of this crate contains 285 texts that eleven programs read differently, and the two other parsers must
//! still read them the same way. Their causes:
//!
//! | class | [`Cause`]s | what it is |
//! |---|---|---|
//! | `userinfo` | [`TwoAts`](Cause::TwoAts), [`Login`](Cause::Login) | where a login ends, and whether there may be one |
//! | `terminator` | [`QuestionMark`](Cause::QuestionMark), [`Fragment`](Cause::Fragment) | which octets end a host: `?`, `#`, `;`, `&` |
//! | `backslash` | [`Backslash`](Cause::Backslash) | WHATWG reads `\` as `/` in the schemes it calls special |
//! | `slashes` | [`Slashes`](Cause::Slashes) | WHATWG skips slashes that are too many or missing there |
//! | `scheme` | [`Scheme`](Cause::Scheme) | what a scheme may be; programs that guess one, or drop `URL:` |
//! | `control` | [`Control`](Cause::Control), [`Blank`](Cause::Blank) | WHATWG drops tabs and line ends, and blanks at both ends |
//! | `percent-host` | [`EscapedHost`](Cause::EscapedHost) | WHATWG decodes escapes in hosts, RFC 3986 keeps them, RFC 1738 has none |
//! | `ipv4` | [`OddAddress`](Cause::OddAddress) | WHATWG reads `0x7f.1`, `017700000001` and `2130706433` as 127.0.0.1 |
//! | `ipv6` | [`Brackets`](Cause::Brackets) | RFC 1738 has no brackets; zones and forms of addresses |
//! | `unicode` | [`Unicode`](Cause::Unicode), [`Puny`](Cause::Puny) | WHATWG maps letters outside US-ASCII, others refuse them |
//! | `port` | [`Port`](Cause::Port) | empty ports, zeros before them, ports above 65535 |
//! | `odd-host` | [`OddHost`](Cause::OddHost) | octets that only some readers allow in a host |
//! | `ten-schemes` | [`Authority`](Cause::Authority), [`Query`](Cause::Query), [`Grammar`](Cause::Grammar) | the rules of a scheme that only RFC 1738 knows |

//!
//! # Conversions
//!
//! [`convert`] has the same URL for the crates [`url`] and, with the feature `http`, [`http`](https://docs.rs/http); what they
//! would change or misread is an error.
//!
//! # Features
//!
//! - `http`: conversions to and from the URIs of the crate http.
//! - `ja`, `zh`: messages in Japanese and in Chinese.

#![forbid(unsafe_code)]

mod cause;
mod compare;
pub mod convert;
mod difference;
mod finding;
pub mod guard;
mod language;
mod mask;
mod octet_set;
mod part;
mod password;
mod plain;
mod programs;
mod reader;
mod reading;
mod rfc1738;
mod rfc3986;
mod sentence;
mod text;
pub mod vectors;
mod whatwg;
mod whatwg_gaps;

pub use cause::Cause;
pub use compare::{Readings, agree};
pub use difference::{Difference, Differences};
pub use finding::{disagreement, disagreement_about, disagreement_by, finding, finding_by};
pub use password::passwords;
pub use reader::Reader;
pub use reading::{Reading, ReadingParts};
pub use sentence::Sentence;

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
