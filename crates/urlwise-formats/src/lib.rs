//! The small text formats of `urlwise` beside documents and settings.
//!
//! | module | format | who writes it |
//! |---|---|---|
//! | [`cache`] | `.urlwise-cache`: what `check --open` found out before | urlwise, or whose folder it is |
//! | [`partial`] | `NAME.part.json`: what a partial file of `get` is a part of | urlwise, or whose folder it is |
//! | [`diff`] | unified diffs, of which the added lines count | who asks for a change |
//! | [`comments`] | `urlwise: ignore[RULE]` in documents | their authors |
//! | [`stored`] | texts of files: UTF-16, gzip | whose folder it is |
//! | [`ignored`] | ignore files: `.gitignore` and its like | whose folder it is |
//!
//! Others write all of them, so any octets are read, or refused. Nothing panics, and what is kept takes no more memory than a small
//! multiple of the text; of comments less than 50 MB, because so many names count, of a stored text no more than two of the longest blocks, and of an ignore file
//! less than 200 MB, since its patterns are compiled.
//! Nothing here opens or writes a file: that is the program.
//!
//! ```
//! use urlwise_formats::comments::Suppressions;
//!
//! let text = b"http://a.example/ <!-- urlwise: ignore[link-dead] -->\nhttp://b.example/\n";
//! let comments = Suppressions::of(text, |_| None);
//! assert!(comments.hides(0, "link-dead") && !comments.hides(54, "link-dead"));
//! ```

pub mod cache;
pub mod comments;
pub mod diff;
pub mod ignored;
pub mod partial;
pub mod stored;
#[cfg(test)]
mod testing;

/// What programs of Windows write at the start of a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
