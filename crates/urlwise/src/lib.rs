//! The language of URLs.
