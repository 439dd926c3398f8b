//! What there is to say about a URL, as data and drawn as text.
//!
//! An [`Explanation`] reads a text once by RFC 1738 and once as it is read today, and knows its [parts](Explanation::marks) with
//! what they stand for, its [meaning](Explanation::meaning) in one sentence, what its readings [imply](Explanation::implied), its
//! [problems](Explanation::problems), [what was meant](Explanation::meant), the [risks](Explanation::findings) that the audit finds
//! and, with the feature `open`, the dialogue that opening it would cause. [`Explanation::text`] draws all of it, as
//! `urlwise explain` prints it, and with the feature `svg` [`Explanation::svg`] makes a picture of the parts. The other modules are what it is drawn with.
//!
//! ```
//! use urlwise_explain::{Explanation, Look};
//!
//! let explanation = Explanation::of(b"ftp://jim:s3cret@host.dom/%2Fetc/motd", None, false);
//! let [.., cwd, name] = &explanation.marks()[..] else { panic!("it has parts") };
//! assert_eq!((cwd.span.clone(), &*cwd.name, cwd.decoded.as_deref()), (26..32, "cwd", Some("/etc")));
//! assert_eq!((&*name.name, name.decoded.as_deref()), ("name", None));
//! assert!(explanation.text(Look::default(), 20, &[]).starts_with("ftp://jim:***@host.dom/%2Fetc/motd\n"));
//! ```
//!
//! # What is safe to show
//!
//! Passwords are masked unless they are asked for, harmful characters are escaped, and output is bounded: the middle of long
//! text is elided, and of many problems only the worst are drawn and the others counted.

pub mod alike;
#[cfg(feature = "open")]
mod dialogue;
pub mod drawn;
mod ends;
mod explanation;
pub mod findings;
mod labels;
mod language;
mod meaning;
pub mod meant;
pub mod outline;
mod parts;
mod readings;
pub mod secret;
pub mod snippets;
pub mod style;
#[cfg(feature = "svg")]
mod svg;
mod text;
pub mod view;
pub mod wrap;

pub use explanation::{Explanation, Row};
pub use labels::Mark;
pub use meaning::gopher_type;
pub use readings::{Readings, profile_of};
pub use style::Look;
pub use text::row_name_in;

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
