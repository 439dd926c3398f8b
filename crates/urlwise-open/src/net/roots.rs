//! The choice of trusted certificates, which exists with and without TLS built in.

use std::path::PathBuf;

/// Whose certificates are trusted. There may be others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Roots {
    /// The certificate authorities that this system trusts; if it has none, Mozilla's list. They are read once in a process, when they are
    /// first needed.
    #[default]
    System,
    /// The certificates in this PEM file, and no others.
    Pem(PathBuf),
}
