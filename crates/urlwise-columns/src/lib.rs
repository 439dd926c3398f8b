//! The parts of many URLs as columns.
//!
//! This crate reads texts by the million and returns the requested parts as plain vectors: offsets, octets, numbers
//! and validity, laid out in Arrow's layout. It does not depend on Arrow, opens no files and starts no threads; engines and bindings wrap the
//! vectors without a copy.
//!
//! ```
//! use urlwise::Profile;
//! use urlwise_columns::{Column, Packed, Reader, Values};
//!
//! // Two rows in one buffer, as an engine hands them in.
//! let (offsets, octets) = ([0_i64, 30, 45], b"http://host.dom:8001/a/b?q=%7Egopher://h.dom/");
//! let columns: Vec<Column> = ["host", "query:decoded", "problem"].iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
//! let table = Reader::new(&columns, Profile::Current).read::<i64>(&Packed::new(&offsets, octets))?;
//! let [Values::Text(host), Values::Octets(query), Values::Text(problem)] = &table[..] else { unreachable!() };
//! assert_eq!((host.get(0), host.get(1)), (Some(&b"host.dom"[..]), Some(&b"h.dom"[..])));
//! assert_eq!((query.get(0), query.get(1)), (Some(&b"q=~"[..]), None));
//! assert_eq!(problem.validity.unset(), 2); // both are valid
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rows
//!
//! A row is a URL, with the fragment that may follow it ([`Reference`](urlwise::Reference)). A row that is null is null in
//! every column. A text that is not a URL is null in the columns of its parts, and has a value in `valid`, `problem` and `url`;
//! it never affects another row. An absent part is null, an empty one is empty.
//!
//! # Columns
//!
//! | name | type | value |
//! |---|---|---|
//! | `url` | octets | the text, valid or not |
//! | `scheme`, `user`, `password`, `host` | text | as written |
//! | `host_kind` | text | `name`, `ipv4` or `ipv6` |
//! | `address` | text | the [class](urlwise::audit::AddressClass) of a host that is an address: `public`, `loopback`, `private` ... |
//! | `port`, `port_number` | number | the port in force: the one written, or the default of the scheme |
//! | `path` | text | from the `/` after the host, or from the scheme's colon, up to the query ([`Url::path`](urlwise::Url::path)) |
//! | `query` | text | behind the `?`, where that is not data ([`Url::query`](urlwise::Url::query)) |
//! | `fragment` | text | behind the `#` |
//! | `valid` | flag | whether the text is a URL |
//! | `problem` | text | the code of the first error, where the text is not a URL |
//! | `normal:safe`, `normal:scheme` | text | the [normal forms](urlwise::NormalForm), without the fragment |
//! | `agree` | flag | whether readers by RFC 1738, RFC 3986 and WHATWG see the same URL (feature `agree`) |
//! | `cwds`, `selector`, `gtype` ... | text | a part by its name in the machine-readable contract, in every scheme that has it; a list as one text |
//! | `kind`, `form` | text | what a news URL names (`all`, `group`, `article`), the form of a wais URL (`database`, `index`, `doc`) |
//! | `ftp.name`, `http.path` ... | text | the same in one scheme only |
//! | `file.local` | flag | whether a file URL names a file of this machine |
//!
//! A suffix may follow a part's name: `host:lower` is the host in lower case, `path:decoded` has its escapes decoded (octets, not
//! always UTF-8), `host:start` and `host:end` are offsets in octets of the text, and so are `port:start`, `port:end`, `problem:start`
//! and `problem:end`. A list that is decoded keeps the escapes of what [divides](urlwise::build::PartKind::divides) it and of `%`: it
//! can be split, and its parts decoded after that.
//!
//! # Costs
//!
//! A row is parsed once, for all columns, and allocates nothing: vectors grow, and a [`Scratch`] serves all rows for what is made
//! of a text. The exception is `agree` on URLs that readers may disagree about: those are parsed three times, and the parser of
//! WHATWG returns a URL of its own. Web URLs with a plain host and a plain path are certain to be read alike, and are not.
//!
//! [`Reader::read`] copies a part that is a slice of the text once. [`Reader::cells`] copies nothing: it says where a part stands, for
//! programs that write rows one by one or point to parts as Arrow's views do.
//!
//! # Passwords
//!
//! `url`, `password` and the normal forms are not masked: they contain passwords as written.

#![forbid(unsafe_code)]

mod cell;
mod column;
mod reader;
mod source;
mod values;

pub use cell::Cell;
pub use column::{Column, ColumnType, UnknownColumn};
pub use reader::{Reader, Row, Scratch};
pub use source::{Offset, Optional, Packed, Source};
pub use values::{Bits, Flags, Numbers, Strings, TooLarge, Values};

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
