//! Commands, options and their help: the one place that names them. The manual and the completions are made from it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use urlwise::Profile;
use urlwise_open::Class;

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
#[command(name = "urlwise", version, max_term_width = 100)]
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
    /// not there is `<absent>`, one that holds nothing is `<empty>`.
    ///
    /// With --json, one object a line: url, profile, valid, scheme, parts, problems. That is for programs: it holds every
    /// part as written, passwords too.
    #[command(after_long_help = [PARSE_EXAMPLES, EXIT_STATUS].concat())]
    Parse(Inputs),

    /// Get what URLs name: write their octets to standard output or to a file
    ///
    /// Opens file, http, https, gopher and gophers URLs. Every URL passes the policy first: what RFC 1738 section 6 warns of
    /// is refused, and the message names the rule. A menu or directory is listed as `ls` does.
    ///
    /// With --json, one object for each URL: `url`, `final_url`, `kind`, `bytes`, `media_type`, `saved_as`, `seconds`, `ok`,
    /// `error`, `exit`. It goes to standard error where the document goes to standard output.
    #[command(after_long_help = [GET_EXAMPLES, &OPEN_STATUS].concat())]
    Get(Get),

    /// List a menu or directory, each entry with a URL that can be opened again
    ///
    /// Gopher menus and directories of this machine. An entry shows its kind, its size and date where they are known, its
    /// title and its URL.
    ///
    /// With --json, one object for each entry: url, title, kind, size, modified, type.
    #[command(after_long_help = [LS_EXAMPLES, &OPEN_STATUS].concat())]
    Ls(List),

    /// List the schemes: default port, section, who knows them, what can be opened
    ///
    /// The ten schemes of RFC 1738, their siblings over TLS, which the profile `current` reads by the rules of their base, and
    /// the names that section 4 sets aside without a syntax. All other names are read by the generic syntax of section 5.
    ///
    /// With --json, one object for each scheme: `scheme`, its name; `status` (`defined`, `sibling`, `reserved`); `title`;
    /// `base`, the scheme whose rules apply, or null; `default_port`, or null; `section` of RFC 1738; `profiles` that know it;
    /// `opens`, whether get and ls can open it; `later`, the RFC about a name that was set aside, or null.
    #[command(after_long_help = [SCHEMES_EXAMPLES, SCHEMES_STATUS].concat())]
    Schemes,

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

const GET_EXAMPLES: &str = "\
Examples:
  urlwise get 'http://host.example/a~b?c'
  urlwise get --output motd 'file:///etc/motd'
  urlwise get --dry-run 'gopher://host.example/7/find%09old%20maps'

";

const LS_EXAMPLES: &str = "\
Examples:
  urlwise ls 'gopher://host.example/'
  urlwise ls --json 'file:///etc/' | jq -r .url

";

const SCHEMES_EXAMPLES: &str = "\
Examples:
  urlwise schemes
  urlwise schemes --json | jq -r 'select(.opens) | .scheme'

";

const SCHEMES_STATUS: &str = "\
Exit status of schemes:
  0  the list was written
  2  it could not be";

/// What `get` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Get {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Write the document to FILE, which must not exist yet
    ///
    /// The file appears when it is whole, and not before.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Let --output overwrite
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Print the dialogue that would be held; open nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// What `ls` was asked for.
#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// How URLs are opened.
#[derive(Args, Debug)]
pub(crate) struct Opening {
    /// Lift one rule of the policy, by the name the refusal gives; may be given several times
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,

    /// Believe the certificates in this PEM file, and no others
    #[arg(long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,

    /// The longest document, in octets
    #[arg(long, value_name = "OCTETS")]
    pub(crate) max_size: Option<u64>,

    /// The most redirects to follow; 20 by default
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_redirs: Option<u32>,

    /// How long to wait for a connection, in seconds; 30 by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) connect_timeout: Option<Duration>,

    /// How long one URL may take in all, in seconds; no end by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,
}

/// Seconds, with a fraction if need be.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "give seconds, as in `10` or `0.5`".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("give seconds above 0, as in `10` or `0.5`".into()),
    }
}

/// The exit codes of `get` and `ls`, from the table of the access crate.
static OPEN_STATUS: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("Exit status of get and ls, that of the first failure:\n");
    for class in Class::ALL {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {:>3}  {}", class.code(), class.meaning());
    }
    text
});

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
    /// The grammar to read by: `rfc1738` by default, `current` for get and ls
    #[arg(long, global = true, value_enum, value_name = "PROFILE")]
    pub(crate) profile: Option<Grammar>,

    /// Print one JSON object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Show passwords, which are `***` otherwise
    #[arg(long, global = true)]
    pub(crate) show_secrets: bool,

    /// Draw with ASCII alone
    ///
    /// The default where the locale (`LC_ALL`, `LC_CTYPE`, `LANG`) is not UTF-8.
    #[arg(long, global = true)]
    pub(crate) ascii: bool,

    /// When to use colours
    ///
    /// `auto` is: on a terminal, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is set.
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
