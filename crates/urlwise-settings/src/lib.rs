//! The settings files of `urlwise`.
//!
//! There are two, because they are trusted differently. [`Config`] is `urlwise.toml`, which comes with the files of a project, who
//! may be anybody. [`Settings`] is `config.toml`, which belongs to the user, and may name hosts and programs. Both are TOML, are read
//! whole or refused, and an [`Error`] names the line and character of the first mistake. Passwords in it are masked.
//!
//! ```
//! use std::path::Path;
//! use urlwise_settings::{Config, Threshold, TomlFile};
//!
//! let read = |text: &str| Config::in_file(TomlFile::of(Path::new("urlwise.toml"), text.as_bytes())?);
//! let config = read("hidden = true\nfail-on = 'error'\n")?;
//! assert!(config.hidden() && !config.notes());
//! assert_eq!(config.fail_on(), Some(Threshold::Error));
//!
//! let error = read("hidden = true\nnotes = 'x'\n").unwrap_err();
//! assert!(error.to_string().starts_with("urlwise.toml:2:9: invalid type"));
//! # Ok::<(), urlwise_settings::Error>(())
//! ```
//!
//! Which file is read is the choice of a program and of its options.

mod config;
mod error;
mod language;
mod settings;
mod toml_file;

#[cfg(feature = "schema")]
pub use config::schema::schema;
pub use config::{Config, Severity, Threshold};
pub use error::Error;
pub use settings::{Mail, Settings};
pub use toml_file::TomlFile;

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
