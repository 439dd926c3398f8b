//! The options that `find` and `check` share: which files are read, and in which order.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Which files are read, and how.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
pub(crate) struct Walking {
    /// Search hidden files and folders
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Ignore .gitignore, .ignore and .rgignore
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Search .gz files too
    #[arg(short = 'z', long, hide_short_help = true)]
    pub(crate) search_zip: bool,

    /// Order of files; `path` uses one thread
    #[arg(long, hide_short_help = true, value_enum, value_name = "ORDER", default_value = "none")]
    pub(crate) sort: Order,

    /// Number of threads [default: one per processor, as with 0]
    #[arg(short = 'j', long, hide_short_help = true, value_name = "N", value_parser = super::thread_count())]
    pub(crate) threads: Option<usize>,

    /// Read all files as FORMAT
    ///
    /// Their names do not matter then. Without it, files that end in .md, .markdown, .mdown, .mkd or .mkdn are read as Markdown, files that end in .html, .htm or .xhtml
    /// as HTML, and files that end in .mdx as MDX. In these the links are found too, relative ones as well, and character references are
    /// decoded. All other files are text, in which manual pages (.1 to .9, .man, .mdoc, .roff), catalogues of translations (.po, .pot), Org
    /// (.org) and AsciiDoc (.adoc, .asciidoc) write URLs in their own ways. A document above 16 MiB is read as text. So is the rest of a
    /// Markdown document, from the first block with more than 65,536 punctuation marks.
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    pub(crate) read_as: Option<DocumentFormat>,

    /// The folder that relative links with a leading `/` start in
    ///
    /// Without it and --base-url, such links are left out.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub(crate) root_dir: Option<PathBuf>,

    /// The URL where the files will be published, for relative links
    ///
    /// It takes the place of the folder of --root-dir, or of the current one. Without it, relative links are resolved against the place
    /// of their file and become file URLs.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub(crate) base_url: Option<String>,

    /// Endings of files that relative links may leave out, as in `md,html`
    #[arg(long, value_name = "ENDING", value_delimiter = ',', hide_short_help = true)]
    pub(crate) fallback_extensions: Vec<String>,

    /// Files that a relative link to a folder means, as in `index.html,README.md`
    #[arg(long, value_name = "NAME", value_delimiter = ',', hide_short_help = true)]
    pub(crate) index_files: Vec<String>,

    /// Read settings from FILE instead of the nearest urlwise.toml
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Do not read urlwise.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocumentFormat {
    /// Markdown as GitHub reads it
    Markdown,
    /// Markdown with components
    Mdx,
    /// HTML
    Html,
    /// Manual pages, in which `\-` is a hyphen
    Roff,
    /// Translations, the strings of which go on in the next line
    Gettext,
    /// Org, in which `=` and `~` end a URL that they stand before
    Org,
    /// AsciiDoc, in which `+` does
    Asciidoc,
    /// Text without links
    Text,
}

impl From<DocumentFormat> for urlwise_links::Format {
    fn from(format: DocumentFormat) -> Self {
        match format {
            DocumentFormat::Markdown => urlwise_links::Format::Markdown,
            DocumentFormat::Mdx => urlwise_links::Format::Mdx,
            DocumentFormat::Html => urlwise_links::Format::Html,
            DocumentFormat::Roff => urlwise_links::Format::Roff,
            DocumentFormat::Gettext => urlwise_links::Format::Gettext,
            DocumentFormat::Org => urlwise_links::Format::Org,
            DocumentFormat::Asciidoc => urlwise_links::Format::AsciiDoc,
            DocumentFormat::Text => urlwise_links::Format::Text,
        }
    }
}

/// The orders in which files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// In no particular order
    None,
    /// By path
    Path,
}
