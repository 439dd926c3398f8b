//! The options of `get` about gopher.

use std::ffi::OsString;

use clap::Args;

/// What of a gopher item is wanted, and what a form is answered.
#[derive(Args, Debug)]
#[command(next_help_heading = "How gopher is spoken")]
pub(crate) struct Gopher {
    /// Get a gopher item as TYPE, one of the views the server has of it, such as `text/html`
    ///
    /// The server is asked first which views there are. A URL can also name one itself: `%09%09+TYPE%20LANGUAGE`.
    #[arg(long, value_name = "TYPE")]
    pub(crate) view: Option<String>,

    /// The view in this language, such as `de` or `De_DE`
    #[arg(long, value_name = "LANGUAGE", requires = "view")]
    pub(crate) language: Option<String>,

    /// Answer a question of a gopher form (a URL that ends in `%09%09?`); may be given several times
    ///
    /// NAME is the question, or its number. Questions without an answer have their default, if the form names one; others are
    /// asked at the terminal. A question for yes or no takes `yes` or `no`, one with choices a choice or its number, one
    /// for a file its name: the file is sent as lines of text. What nobody should see is better typed than given here.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) answer: Vec<OsString>,

    /// Tell the URL that stands for the filled form (RFC 1738 section 3.4.9), on standard error
    ///
    /// Answers that nobody should see are masked in it, unless --show-secrets is given.
    #[arg(long)]
    pub(crate) form_url: bool,
}
