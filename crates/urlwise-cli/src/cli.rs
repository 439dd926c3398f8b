//! Commands, options and their help: the one place that names them. The manual and the completions are made from it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use urlwise::Profile;

/// Shown with `--help` and in the manual.
const EXIT_STATUS: &str = "\
Exit status of explain and parse:
  0  every URL is valid
  1  some are not, or there was no URL
  2  the command could not run: a wrong option, a file that cannot be read";

const EXAMPLES: &str = "\
Examples:
  urlwise 'gopher://gopher.example/00/about.txt'
  urlwise parse --json 'ftp://host.example/%2Fetc/motd;type=a'
  grep -o 'http://[^ ]*' notes.txt | urlwise parse
  urlwise help explain

";

/// Reads, explains and opens every URL of RFC 1738, and says why.
///
/// A URL without a command is explained. Results go to standard output, everything else to standard error.
#[derive(Parser, Debug)]
#[command(name = "urlwise", version, max_term_width = 100, disable_help_subcommand = false)]
#[command(after_help = "Try `urlwise 'http://host.example/'`, or `urlwise help COMMAND`.")]
#[command(after_long_help = [EXAMPLES, EXIT_STATUS].concat())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) options: Options,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Say what a URL means, part by part, and what is wrong with it
    ///
    /// Shows the URL with a label under each part, what it means in one sentence, and every problem under the octets it is
    /// about, with the rule, its section of RFC 1738 and the way out. Broken URLs are explained as well: the parts that can
    /// be read, and what keeps the text from being a URL.
    ///
    /// With --json, one object a line: that of `parse --json` and `meaning`, the sentence.
    #[command(after_long_help = [EXPLAIN_EXAMPLES, EXIT_STATUS].concat())]
    Explain(Inputs),

    /// Take URLs apart: every part, as written and decoded
    ///
    /// Shows each part as written, the octets it stands for where they differ, and the problems, one a line. A part that is
    /// not there is `absent`, one that holds nothing is `empty`.
    ///
    /// With --json, one object a line: url, profile, valid, scheme, parts, problems. That is for programs: it holds every
    /// part as written, passwords too.
    #[command(after_long_help = [PARSE_EXAMPLES, EXIT_STATUS].concat())]
    Parse(Inputs),

    /// Print the manual page, in roff
    ///
    /// To read it: urlwise man | man -l -
    Man,

    /// Print the completions of a shell
    ///
    /// For bash: urlwise completions bash >~/.local/share/bash-completion/completions/urlwise
    Completions {
        /// The shell that is to complete the options of urlwise
        shell: clap_complete::Shell,
    },
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  urlwise explain 'ftp://host.example/%2Fetc/motd;type=a'
  urlwise 'localhost:8080'
  urlwise explain --file urls.txt | less -R

";

const PARSE_EXAMPLES: &str = "\
Examples:
  urlwise parse 'gopher://host.example/7/find%09old%20maps'
  urlwise parse --json --file urls.txt | jq -r .parts.host
  urlwise parse -- -x:y
  printf 'news:a\\0news:b\\0' | urlwise parse --null

";

/// Where URLs come from.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// The URLs; `-` reads them from standard input
    ///
    /// Without any, and without --file, they come from standard input if it is no terminal. A URL that begins with a dash
    /// comes after `--`.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<OsString>,

    /// Read URLs from FILE too, one a line; `-` is standard input
    ///
    /// Lines end in LF or CR LF; empty ones are skipped. May be given several times; URLs among the arguments come first.
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Records of files and standard input end in NUL, not in a line end
    ///
    /// So they can hold anything else, line ends too. No record is skipped.
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

/// Options of every command.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// The grammar to read by
    #[arg(long, global = true, value_enum, value_name = "PROFILE", default_value = "rfc1738")]
    pub(crate) profile: Grammar,

    /// Print one JSON object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Show passwords, which are `***` otherwise
    #[arg(long, global = true)]
    pub(crate) show_secrets: bool,

    /// Draw with ASCII alone
    ///
    /// The default where the locale (LC_ALL, LC_CTYPE, LANG) is not UTF-8.
    #[arg(long, global = true)]
    pub(crate) ascii: bool,

    /// When to use colours
    ///
    /// `auto` is: on a terminal, unless NO_COLOR is set; elsewhere if CLICOLOR_FORCE is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
}

/// The profiles, with the help of each.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Grammar {
    /// RFC 1738 to the letter
    Rfc1738,
    /// RFC 1738 as its successors changed it: https and its like, `~`, IPv6 and more
    Current,
}

impl From<Grammar> for Profile {
    fn from(grammar: Grammar) -> Profile {
        match grammar {
            Grammar::Rfc1738 => Profile::Rfc1738,
            Grammar::Current => Profile::Current,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum When {
    /// Where they can be seen
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}
