//! The language of URLs: every URL of RFC 1738, read exactly.
//!
//! A URL is a text with one exact reading. This crate knows the grammar of the ten schemes of [RFC 1738] (ftp, http, gopher,
//! mailto, news, nntp, telnet, wais, file, prospero) and the generic syntax of all others and gives every part a type. If a
//! text is not a URL, it reports where it is wrong, by which rule of which section, and how to fix it. It does no I/O,
//! needs no `std` and depends on nothing.
//!
//! [RFC 1738]: https://www.rfc-editor.org/rfc/rfc1738
//!
//! # Reading
//!
//! [`Url::parse`] keeps the text as it came and finds its parts without copying or allocating. [`Url::locator`] gives the
//! typed view of the scheme:
//!
//! ```
//! use urlwise::{Locator, Url};
//!
//! let url = Url::parse("ftp://myname@host.dom/%2Fetc/motd")?;
//! match url.locator() {
//!     Locator::Ftp(ftp) => {
//!         // Split first, decode after: one directory, `/etc` (section 3.2.2).
//!         assert_eq!(ftp.cwds().decode(), [&b"/etc"[..]]);
//!         assert_eq!(ftp.name().unwrap(), "motd");
//!     }
//!     _ => unreachable!(),
//! }
//! # Ok::<(), urlwise::ParseError>(())
//! ```
//!
//! The text may be borrowed from anywhere: a [`ParseError`] borrows nothing, so `?` takes it into `Box<dyn Error>`, `anyhow::Error`
//! and the errors of your own program:
//!
//! ```
//! use std::error::Error;
//! use urlwise::Url;
//!
//! fn print_hosts(list: &str) -> Result<(), Box<dyn Error>> {
//!     for line in list.lines() {
//!         let url = Url::parse(line)?;
//!         println!("{:?}", url.host());
//!     }
//!     Ok(())
//! }
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     let list = String::from("ftp://host.dom/motd\nhttp://host.dom/a b\n");
//!     let error = print_hosts(&list).unwrap_err();
//!     assert_eq!(error.to_string(), "error[bnf-char] at 17..18: a space (20) is not allowed in an http path \
//!         (section 2.2, D-10); write `%20`");
//!     Ok(())
//! }
//! ```
//!
//! Absent, empty and present are three states everywhere: `ftp://@host/` has an empty user, `ftp://host/` has none.
//! An [`Encoded`] part decodes to octets; a URL carries no charset.
//!
//! # Explaining
//!
//! [`diagnose`] takes any octets, continues after errors, and returns every [`Problem`] with its octets, code, section
//! and help:
//!
//! ```
//! use urlwise::{Profile, diagnose};
//!
//! let diagnosis = diagnose("gopher://host.dom/0a%0D%0Ab", Profile::Rfc1738);
//! let problem = &diagnosis.problems()[0];
//! assert_eq!(problem.to_string(), "error[gopher-selector-ctl] at 20..26: CR LF (0D 0A) is not allowed in a gopher selector \
//!     (section 3.4.1, D-44); remove it: HT, LF and CR are the only octets that a selector cannot contain");
//! ```
//!
//! # Building
//!
//! A [`Draft`](build::Draft) takes parts by their names: octets in, a valid URL out. [`Url::with`] changes one part and keeps all others as they
//! are written, and [`path`] turns file paths into URLs and back.
//!
//! ```
//! use urlwise::{Scheme, build::Draft};
//!
//! let url = Draft::of(Scheme::Ftp).with("host", "host.dom").with("cwd", "/etc").with("name", "a;b").build()?;
//! assert_eq!(url.as_str(), "ftp://host.dom/%2Fetc/a%3Bb");
//! assert_eq!(url.with("name", b"motd")?.as_str(), "ftp://host.dom/%2Fetc/motd");
//! # Ok::<(), urlwise::build::BuildError>(())
//! ```
//!
//! # Comparing and resolving
//!
//! [`Url::compare`] says whether two URLs are equivalent and by which rules, [`Url::normalize`] writes equivalent URLs in one
//! way, [`Url::resolve`] resolves a relative reference:
//!
//! ```
//! use urlwise::{NormalForm, Url};
//!
//! let url = Url::parse("HTTP://Host.dom/%7ejim/x")?;
//! assert_eq!(url.normalize(NormalForm::Scheme).as_str(), "http://host.dom/%7Ejim/x");
//! assert_eq!(url.resolve("../y#z")?.as_str(), "HTTP://Host.dom/y#z");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Auditing
//!
//! A valid URL may still do harm (section 6). [`audit`] reports such risks, each with its octets and a help:
//!
//! ```
//! use urlwise::Url;
//! use urlwise::audit::{Audit, Provenance};
//!
//! let url = Url::parse("gopher://host.dom:25/0HELO%20me")?;
//! let ids: Vec<_> = Audit::new().check(&url, Provenance::Given).iter().map(|finding| finding.code()).collect();
//! assert_eq!(ids, ["gopher-smtp", "gopher-smtp"]);
//! # Ok::<(), urlwise::ParseError>(())
//! ```
//!
//! # Two profiles
//!
//! [`Profile::Rfc1738`] is RFC 1738, strictly. [`Profile::Current`] also accepts what its successors allow and what can still
//! be read in one way only; each such acceptance is reported. Neither repairs anything. [`Url::parse`] reads strictly,
//! [`Url::parse_current`] by `current`; for `FromStr` and serde there are [`Url`] and [`Current`].
//!
//! # New schemes
//!
//! Section 4 lets schemes be added: a [`registry`] reads those that a program registers, by a syntax, a default port and a check
//! of their own.
//!
//! # Repairing
//!
//! [`repair()`] makes pasted text a valid URL where there is one way to do so, and lists what it changed.
//!
//! # Finding
//!
//! [`find`] finds URLs in text, written as the Appendix recommends or as people write them:
//!
//! ```
//! use urlwise::find::Finder;
//!
//! let text = b"Note the warning in <URL:http://ds.internic.\nnet/instructions/overview.html#WARNING>.";
//! let hit = Finder::new().hits(text).next().unwrap();
//! assert_eq!(hit.as_str(), "http://ds.internic.net/instructions/overview.html");
//! assert_eq!(hit.fragment(), Some("WARNING"));
//! ```
//!
//! # Decisions
//!
//! Where the RFC is silent, ambiguous or at odds with itself, a numbered decision (`D-10`) settles it; problems and
//! documentation name it.
//!
//! # Features
//!
//! - `memchr`: [`find`] searches with the vector instructions of the crate memchr; with `std`, with the best that the processor has.
//! - `serde`: [`Url`] and [`Current`] as strings; the module `with_serde` is for fields that name their profile.
//! - `simd`: where colons are dense, [`find`] searches with the vectors of the crate wide.
//! - `std`: `Url::from_file_path` and `Url::to_file_path`, whose rules are in [`path`] without it; translations, which are kept packed, are
//!   unpacked once and not for each use.
//! - `idna`: [`repair()`] writes host names outside US-ASCII in their IDNA form.
//! - `ja`, `zh`: messages in Japanese and in Chinese, see [`Language`].

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod addr_spec;
pub mod audit;
mod block;
pub mod build;
mod character;
mod class;
mod code;
mod common;
mod current;
mod decode;
mod diagnosis;
mod display;
mod encoded;
mod equivalence;
pub mod find;
mod gopherplus;
pub mod grammar;
mod host;
mod language;
mod layout;
mod level;
mod mistakes;
mod named;
mod own_section;
mod owned_reference;
mod parts;
pub mod path;
mod problem;
mod profile;
mod quick;
mod raw_problem;
mod raw_reference;
mod reader;
mod reason;
mod recent;
mod reference;
pub mod registry;
mod repair;
mod resolve;
mod scheme;
mod scheme_name;
mod section;
mod start;
mod text;
mod unknown_name;
mod url;
#[cfg(feature = "serde")]
pub mod with_serde;
mod word;

pub use character::first_character;
pub use current::Current;
pub use diagnosis::{Diagnosis, diagnose};
pub use display::{escape_for_display, is_harmful, is_shown_as_written, padded, write_for_display};
pub use encoded::{Encoded, Octets, Segments, decode, encode_raw};
pub use equivalence::{Comparison, NormalForm};
pub use gopherplus::{Attributes, GopherPlus};
pub use host::{Host, HostKind};
pub use language::{FilledWords, Language, Message, MessageValue, Phrases, Words};
pub use level::Level;
pub use owned_reference::OwnedReference;
pub use parts::{Part, Parts};
pub use problem::{Problem, ProblemCode, problem_codes};
pub use profile::{Profile, UnknownProfile};
pub use raw_reference::{FirstError, RawReference};
pub use reason::Reason;
pub use reference::{Reference, ReferenceError};
pub use repair::{Change, ChangeKind, RepairError, Repaired, Suggestion, Verdict, repair, verdict};
pub use resolve::ResolveError;
pub use scheme::exports::*;
pub use scheme::mark::last_at_sign;
pub use scheme::nested::NestedSecrets;
pub use scheme::secret::{Secrets, each_secret, masked, secrets, secrets_left_out, secrets_of_login, without_secrets};
pub use scheme::{Fields, Hostport, Locator, Login, Other, Scheme};
pub use scheme_name::UnknownScheme;
pub use section::{Citation, Section};
pub use text::Text;
pub use unknown_name::UnknownName;
pub use url::Url;
pub use url::common::Spans;
pub use url::parse_error::ParseError;

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
