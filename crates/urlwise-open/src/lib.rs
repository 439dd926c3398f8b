//! Opens URLs.
