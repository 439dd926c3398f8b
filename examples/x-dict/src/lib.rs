//! A worked example: the experimental scheme `x-dict`, for words in the dictionaries of a server (DICT, RFC 2229).
//!
//! RFC 1738 section 4 lets schemes be added, and sets names that begin with `x-` aside for experiments. All that one takes is here:
//!
//! | step | where | what of urlwise it uses |
//! |---|---|---|
//! | say what its URLs look like | [`scheme`] | `registry::NewScheme`, a check with `Objection` |
//! | say what a URL asks for, and build URLs | [`DictRequest`] | typed views, `build::Draft` |
//! | speak the protocol, without a socket | [`DictMachine`] | `protocol::Machine` |
//! | open, list and plan URLs | [`DictOpener`] | `Opener`, `Call::dialogue` |
//! | put it together | [`client`], `src/main.rs` | `Options::openers` |
//!
//! The rest comes by itself: the policy looks at every URL first, connections keep to its rules about addresses and to the deadlines,
//! `-v` and dry runs show the dialogue, sizes are bounded.
//!
//! | URL | opened | listed |
//! |---|---|---|
//! | `x-dict://host/` | the dictionaries | the same |
//! | `x-dict://host/dictionary/` | what the dictionary says of itself | |
//! | `x-dict://host/dictionary/word` | what it says of the word | the words that begin so |
//! | `x-dict://host/*/word` | what all dictionaries say of it | the words that begin so |
//!
//! ```
//! let url = x_dict::scheme().parse("x-dict://dict.example/wn/url")?;
//! assert_eq!(url.port_or_default(), Some(2628));
//! let plan = x_dict::client(urlwise_open::Options::default())?.plan(&url)?;
//! let lines: Vec<_> = plan.lines().iter().map(|line| format!("{} {line}", line.kind())).collect();
//! assert_eq!(lines[..3], ["connect dict.example port 2628", "expect 220, the greeting", r#"send DEFINE wn "url"\r\n"#]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod machine;
mod opener;
mod request;

pub use machine::{DictItem, DictMachine};
pub use opener::{DictOpener, client};
pub use request::{DictRequest, SCHEME, scheme};
