//! The options of `get`.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::gopher::Gopher;
use super::opening::{OUTPUT, TRANSFER, size};
use super::recursion::Recursion;
use super::{Inputs, Mail, Opening, Telnet};

pub(super) const GET_EXAMPLES: &str = "\
Examples:
  urlwise get 'http://host.example/a~b?c'
  urlwise get --output motd 'file:///etc/motd'
  urlwise get -O --continue --retry 5 'http://host.example/large.iso'
  urlwise get -O --output-dir mirror --parallel 4 -f urls.txt
  urlwise get -r --depth 2 --include '*.txt' 'ftp://host.example/pub/'
  urlwise get --view text/html 'gopher://host.example/1/docs'
  urlwise get --answer 'Your name=Jim' 'gopher://host.example/0/survey%09%09?'
  urlwise get 'mailto:joe@host.example?subject=Hello'
  urlwise get 'nntp://news.example/comp.lang.c/12'
  urlwise get 'telnet://guest@library.example/'
  urlwise get --dry-run 'gopher://host.example/7/find%09old%20maps'

";

/// The arguments of `get`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("saving").args(["output", "remote_name", "recursive"]))]
// The usage line names the URLs; `-h` fits 24 lines.
#[command(mut_arg("urls", |urls| urls.hide_short_help(true)))]
pub(crate) struct Get {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Write the document to FILE; `-` is standard output
    ///
    /// If FILE is a directory, the document is saved in it under the name that --remote-name gives it. Otherwise
    /// FILE must not exist unless --force is given. It appears when it is complete; until then the data is in FILE.part, or in a file
    /// without a name if it is announced to be shorter than 1 MiB. Devices and pipes are written to directly. A news article is saved
    /// as it was posted; on standard output its headers and text are decoded unless --raw is given. FILE cannot end in `.part` or
    /// `.part.json`, the names of partial transfers.
    #[arg(help_heading = OUTPUT, short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write each document to a file named after its URL
    ///
    /// The name is the last segment of the URL, decoded, except for characters that file names should not hold: separators and
    /// controls, a dot or dash at the beginning, a dot or blank at the end, names of devices. Without a segment it is `index`.
    /// Redirects and servers never choose the name. If the file exists, that is an error.
    #[arg(help_heading = OUTPUT, short = 'O', long)]
    pub(crate) remote_name: bool,

    /// Write files to FOLDER, creating it if needed
    #[arg(help_heading = OUTPUT, hide_short_help = true, long, value_name = "FOLDER", requires = "saving")]
    pub(crate) output_dir: Option<PathBuf>,

    /// Overwrite existing files and partial files
    #[arg(help_heading = OUTPUT, hide_short_help = true, long, requires = "saving")]
    pub(crate) force: bool,

    /// Resume partial downloads
    ///
    /// A transfer that ends early leaves NAME.part, and NAME.part.json, which describes the document. If the document has changed
    /// since, it is downloaded from the beginning, and so is every document of gopher, prospero, news and finger, which cannot
    /// resume. A complete file is left as it is.
    #[arg(help_heading = OUTPUT, short = 'c', long = "continue", requires = "saving", conflicts_with = "force")]
    pub(crate) resume: bool,

    /// With --continue, adopt a partial file that another program left
    ///
    /// NAME.part without a description, or a NAME that is shorter than the document, is taken for the beginning of the document as
    /// the server has it now. Nothing can show that it is: if the document has changed since, the file is a mixture of both.
    #[arg(help_heading = OUTPUT, hide_short_help = true, long, requires = "resume")]
    pub(crate) trust_partial: bool,

    /// Give files the date of saving instead of that of the document
    ///
    /// Without it, a file gets the date of the last change if the server reports one; ftp servers are asked for it (MDTM).
    #[arg(help_heading = OUTPUT, hide_short_help = true, long)]
    pub(crate) no_date: bool,

    /// Print the status line and headers of http answers instead of documents
    #[arg(help_heading = OUTPUT, hide_short_help = true, short = 'I', long, conflicts_with = "resume")]
    pub(crate) head: bool,

    /// Print what an http server sends with an error
    ///
    /// It goes to standard output, and the exit status is that of the error.
    #[arg(help_heading = OUTPUT, hide_short_help = true, long, conflicts_with = "saving")]
    pub(crate) show_error_body: bool,

    /// Receive at most SIZE octets per second, all transfers together; units as in --max-size, 0 is no limit
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "SIZE", value_parser = size)]
    pub(crate) limit_rate: Option<u64>,

    /// Retry up to COUNT times after temporary failures
    ///
    /// Waits 1 second before the first retry, then 2, 4 and so on, up to a minute, and resumes where the transfer ended, as --continue does. Temporary
    /// failures are those of exit codes 7, 11, 13 and 15, unless the server's answer says that they are permanent.
    #[arg(help_heading = TRANSFER, long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    pub(crate) retry: u32,

    /// Download COUNT URLs at a time, with -O [default: 1]
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "COUNT", default_value_t = 1, hide_default_value = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) parallel: u16,

    /// Stop at the first URL that fails
    #[arg(help_heading = TRANSFER, hide_short_help = true, long)]
    pub(crate) fail_fast: bool,

    /// Print errors only: no progress, no notes; --verbose still shows the dialogue
    #[arg(help_heading = OUTPUT, hide_short_help = true, short, long)]
    pub(crate) quiet: bool,

    /// Print what would be sent, without connecting
    ///
    /// Shows at most 100 steps of each URL, and says if there are more.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) recursion: Recursion,

    #[command(flatten)]
    pub(crate) gopher: Gopher,

    #[command(flatten)]
    pub(crate) mail: Mail,

    #[command(flatten)]
    pub(crate) telnet: Telnet,
}

impl Get {
    /// Whether documents go to files instead of standard output.
    pub(crate) fn saves(&self) -> bool {
        self.remote_name || self.recursion.recursive || self.output_path().is_some()
    }

    /// The file or directory of `--output`; `None` without it, or for standard output.
    pub(crate) fn output_path(&self) -> Option<PathBuf> {
        let output = self.output.as_deref().filter(|output| output.as_os_str() != "-")?;
        Some(self.within_output_dir(output))
    }

    /// The path within the folder of `--output-dir`, if there is one.
    pub(crate) fn within_output_dir(&self, name: &Path) -> PathBuf {
        self.output_dir.as_ref().map_or_else(|| name.to_owned(), |folder| folder.join(name))
    }
}
