//! The gopher options of `get`.

use std::ffi::OsString;

use clap::Args;

/// Options for Gopher+ views and forms.
#[derive(Args, Debug)]
#[command(next_help_heading = "Gopher")]
pub(crate) struct Gopher {
    /// Request a Gopher+ item as TYPE, for example `text/html`
    ///
    /// The server is first asked which views it has. A URL can also name one: `%09%09+TYPE%20LANGUAGE`.
    #[arg(long, hide_short_help = true, value_name = "TYPE")]
    pub(crate) view: Option<String>,

    /// Request a Gopher+ item in LANGUAGE, such as `de` or `De_DE`
    ///
    /// Without --view, the first view in that language is taken.
    #[arg(long, hide_short_help = true, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,

    /// Answer a question of a gopher form; may be repeated
    ///
    /// A form is a URL that ends in `%09%09?`. NAME is the question, with or without its final `:` or `?`, or its number. Questions without an answer take the default
    /// of the form, or are asked at the terminal. A yes-or-no question takes `yes` or `no`, one with choices a choice or its
    /// number, and one for a file its name: the file is sent as lines of text. Type secret answers at the terminal instead.
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE")]
    pub(crate) answer: Vec<OsString>,

    /// Print the URL of the filled form to standard error
    ///
    /// RFC 1738 section 3.4.9 defines such URLs. Secret answers are masked unless --show-secrets is given.
    #[arg(long, hide_short_help = true)]
    pub(crate) form_url: bool,
}
