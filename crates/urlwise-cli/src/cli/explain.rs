//! The options of `explain`.

use clap::Args;

use super::{Lists, Own};

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  urlwise explain 'ftp://host.example/%2Fetc/motd;type=a'
  urlwise 'localhost:8080'
  urlwise explain D-31
  urlwise explain --file urls.txt | less -R
  urlwise explain --html 'ftp://host.example/%2Fetc/motd' > page.html
  urlwise explain --svg 'ftp://host.example/%2Fetc/motd' > parts.svg

";

/// The arguments of `explain`.
#[derive(Args, Debug)]
#[command(mut_arg("urls", |urls| {
    urls.help("URLs, or entries such as D-31, E-12, S-30 and bnf-char; `-` reads them from standard input")
}))]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) lists: Lists,

    #[command(flatten)]
    pub(crate) own: Own,

    #[cfg(feature = "serve")]
    #[command(flatten)]
    pub(crate) drawing: Drawing,
}

/// Other forms of an explanation than text.
#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(crate) struct Drawing {
    /// Write a page for browsers about one URL
    ///
    /// It is the page of `urlwise serve` as a file: it loads nothing, holds no script and no links. It also shows what three standards
    /// and some programs read, side by side. Passwords are masked.
    #[arg(long, conflicts_with = "svg", hide_short_help = true)]
    pub(crate) html: bool,

    /// Write an SVG picture of the parts of one URL
    ///
    /// It is readable on light and dark pages and has a description for people who do not see it. Passwords are masked.
    #[arg(long, hide_short_help = true)]
    pub(crate) svg: bool,
}

impl Explain {
    /// Whether any argument was given.
    pub(crate) fn is_given(&self) -> bool {
        let Lists { inputs, threads } = &self.lists;
        let any_input = !inputs.urls.is_empty() || !inputs.files.is_empty();
        let any_setting = self.own.settings.is_some() || self.own.no_settings;
        any_input || threads.is_some() || any_setting || self.is_drawn()
    }

    /// Whether a page or a picture is asked for.
    pub(crate) fn is_drawn(&self) -> bool {
        #[cfg(feature = "serve")]
        return self.drawing.html || self.drawing.svg;
        #[cfg(not(feature = "serve"))]
        return false;
    }
}
