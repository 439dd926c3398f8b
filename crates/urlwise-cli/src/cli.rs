//! Commands, options and their help: the one place that names them. The manual and the completions are made from it. Options of
//! a larger command stand in a file of its own.

mod building;
mod check;
mod find;
mod get;
mod gopher;
mod mail;
mod news;
mod opening;
mod telnet;
mod walking;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use urlwise::{Form, Profile};

use building::{BUILD_EXAMPLES, BUILD_STATUS, CODING_STATUS, DECODE_EXAMPLES, ENCODE_EXAMPLES};
pub(crate) use building::{Build, Coding};
use check::{CHECK_EXAMPLES, CHECK_STATUS};
pub(crate) use check::{Check, Format};
pub(crate) use find::Find;
use find::{FIND_EXAMPLES, FIND_STATUS};
use get::GET_EXAMPLES;
pub(crate) use get::Get;
pub(crate) use mail::Mail;
pub(crate) use news::News;
use opening::{LS_EXAMPLES, OPEN_STATUS};
pub(crate) use opening::{List, Opening};
pub(crate) use telnet::Telnet;
pub(crate) use walking::{Order, Threshold, Walking};

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
    pub(crate) explain: Explain,

    #[command(flatten)]
    pub(crate) options: Options,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Say what a URL means, part by part, and what is wrong or risky about it
    ///
    /// Shows the URL with a label under each part, what it means in one sentence, and every problem under the octets it is
    /// about, with the rule, its section of RFC 1738 and the way out. Broken URLs are explained as well: the parts that can
    /// be read, and what keeps the text from being a URL.
    ///
    /// Of a valid URL it also shows what the audit finds: what is risky about it (RFC 1738 section 6), and whether it would be
    /// opened in spite of that. A risk does not change the exit status.
    ///
    /// With --json, one object a line: that of `parse --json`, `meaning`, the sentence, and `findings`, each in the shape of a
    /// problem, with `refused` for those that keep the URL from being opened by default.
    #[command(after_long_help = [EXPLAIN_EXAMPLES, EXIT_STATUS].concat())]
    Explain(Explain),

    /// Take URLs apart: every part, as written and decoded
    ///
    /// Shows each part as written, the octets it stands for where they differ, and the problems, one a line. A part that is
    /// not there is `<absent>`, one that holds nothing is `<empty>`.
    ///
    /// With --json, one object a line: url, profile, valid, scheme, parts, problems. That is for programs: it holds every
    /// part as written, passwords too.
    #[command(after_long_help = [PARSE_EXAMPLES, EXIT_STATUS].concat())]
    Parse(Inputs),

    /// Write URLs in normal form, one a line
    ///
    /// A normal form means the same, is valid, and is its own normal form. What is encoded because it is reserved stays encoded;
    /// empty segments, `.` and `..` stay too. A text that is no URL is told on standard error, and has no line.
    ///
    /// With --json, one object a line: url, profile, valid, level, normal (null for what is no URL), changes (the rules by which
    /// the normal form differs), problems. Passwords are written as they are.
    #[command(after_long_help = [NORMALIZE_EXAMPLES, NORMALIZE_STATUS].concat())]
    Normalize(Normalize),

    /// Say whether two URLs mean the same, and by which rule
    ///
    /// Compares their normal forms by all that RFC 1738 says of the scheme (`normalize --level scheme`), names the rules that
    /// make them the same, or the first part that differs and why, and shows the normal forms.
    ///
    /// With --json, one object: urls, profile, same, part (the first that differs), reasons (objects of code, section, decision,
    /// message), normal (both forms). Passwords are masked.
    #[command(after_long_help = [SAME_EXAMPLES, SAME_STATUS].concat())]
    Same(Inputs),

    /// Show what readers by RFC 1738, RFC 3986 and WHATWG see in a URL
    ///
    /// Programs read URLs by different rules, and what one of them checks may not be what another opens. Shows the three readings
    /// side by side: ours, that of most libraries (RFC 3986, as the crate fluent-uri has it) and that of browsers (WHATWG, as
    /// the crate url has it). What differs is marked, and one sentence says why and who would open what.
    ///
    /// What would be opened counts, not how it is written: case of hosts, default ports and needless escapes make no
    /// difference. A text that all three refuse is shown with their reasons.
    ///
    /// With --json, one object a line: url, readings (rfc1738, rfc3986 and whatwg, each an object of ok, error, scheme, user,
    /// password, host, port, path, query, fragment), agree, differs (the fields that do), cause, sentence. Passwords are written
    /// as they are.
    #[command(after_long_help = [COMPARE_EXAMPLES, COMPARE_STATUS].concat())]
    Compare(Inputs),

    /// Resolve relative references against a base, one a line
    ///
    /// By RFC 1808; under the profile `current` by RFC 3986. References are read where other commands read URLs. ftp, http,
    /// file and nntp have relative references; gopher, prospero and wais have them where the path is hierarchical; mailto, news
    /// and telnet have none. `.` and `..` of an ftp path are names under `rfc1738`, and stay.
    ///
    /// With --json, one object a line: base, reference, profile, resolved, url (without the fragment), fragment, error.
    /// Passwords are written as they are.
    #[command(after_long_help = [RESOLVE_EXAMPLES, RESOLVE_STATUS].concat())]
    Resolve(Resolve),

    /// Make pasted text a valid URL, and say what was changed
    ///
    /// Takes away blanks, brackets and `URL:` around a URL, line ends in it and a fragment behind it; encodes what may not
    /// stand raw; writes hosts outside US-ASCII as IDNA has them; puts in missing slashes. A valid URL stays as it is. What has
    /// two readings is refused, never guessed: two `@`, a backslash, a lone `%`, a hyphen at a line end.
    ///
    /// URLs go to standard output, one a line, the changes to standard error. Text with line ends comes as an argument, or from
    /// files and pipes with --null.
    ///
    /// With --json, one object a line: input, profile, url (null if refused), valid, changes (objects of code, span in the
    /// input, was, now, section, decision, message), refused (null, or an object of code, span, section, decision, message,
    /// help). Passwords are written as they are.
    #[command(after_long_help = [REPAIR_EXAMPLES, REPAIR_STATUS].concat())]
    Repair(Inputs),

    /// Find the URLs in text, in whole trees of files
    ///
    /// What stands in angle brackets (`<URL:...>`, lines joined), behind `URL:`, or bare in prose, markup and source code; the ten
    /// schemes of RFC 1738 and their siblings over TLS. Folders are searched as ripgrep does: files that .gitignore, .ignore or
    /// .rgignore leave out, hidden files and binary files (with a NUL) are skipped; links in folders are not followed. A file
    /// that is named is searched whatever it is.
    ///
    /// Prints path, line, column and URL. Lines and columns count from 1, columns in octets. Settings may stand in urlwise.toml, in
    /// this folder or one above it.
    ///
    /// With --json, one object a line: path (null for standard input), line, column, span in the text, form (wrapped, prefixed,
    /// bare), url, fragment, alternative (the URL without the hyphens at its line ends, or null), valid. Passwords are
    /// written as they are.
    #[command(after_long_help = [FIND_EXAMPLES, FIND_STATUS].concat())]
    Find(Find),

    /// Say what is wrong with URLs, or risky, in lists or in whole trees of text
    ///
    /// Problems say what keeps a text from being a URL, or is likely to go wrong; findings of the audit say what is risky about
    /// opening it. Both have a code, a level, the octets they are about, a section of RFC 1738 and a way out. Errors and
    /// warnings are reported, notes when they are asked for.
    ///
    /// Settings may stand in urlwise.toml, in this folder or one above it, up to the one that holds .git: profile, hidden,
    /// no-ignore, schemes, select, ignore, notes, fail-on, and a table severity of RULE = "error", "warning", "note" or "off". It
    /// can silence rules and do nothing else; --no-config judges a tree without it.
    ///
    /// With --json, one object for each: code, level, span in the URL, section, decision, message, help, path, line, column,
    /// url. Passwords are masked.
    #[command(after_long_help = [CHECK_EXAMPLES, CHECK_STATUS].concat())]
    Check(Check),

    /// Get what URLs name: write their octets to standard output or to files
    ///
    /// Every URL passes the policy first: what RFC 1738 section 6 warns of is refused, and the message names the rule. A menu
    /// or directory is listed as `ls` does. So are the attributes of gopher items (URLs with `!` or `$`); with --json, one
    /// object for each item, and files get what the server sends. A gopher form (`?`) is filled by --answer or at the
    /// terminal, sent once, and its result got.
    ///
    /// A mailto URL makes a draft, which is shown or saved as a message file; nothing is sent without --send.
    ///
    /// A telnet URL is a session. At a terminal its keys go to the server, but for Ctrl-], which leads to a prompt with help;
    /// otherwise lines of standard input do, and what the server writes goes to standard output until the server closes. The
    /// user and password of the URL are told, and never sent.
    ///
    /// Documents go to standard output one after the other, to one file with --output, or each to its own with --remote-name.
    /// A file appears when it is whole. What arrived of it before a failure or Ctrl-C is kept in NAME.part, for --continue to
    /// go on from. Nothing is overwritten unasked. For lists of URLs, -i is the same as -f.
    ///
    /// With --json, one object for each URL: `url`, `final_url`, `kind`, `bytes` (that arrived in this run), `media_type`,
    /// `saved_as`, `seconds`, `ok`, `error`, `exit`, in the order in which they end. It goes to standard error where documents
    /// go to standard output.
    #[command(after_long_help = [GET_EXAMPLES, &OPEN_STATUS].concat())]
    Get(Box<Get>),

    /// List a menu or directory, each entry with a URL that can be opened again
    ///
    /// Gopher menus, directories of ftp servers and of this machine, what a WAIS search finds, directories of Prospero and the
    /// ways to have its objects. An entry shows its kind, its size and date where they are known, its title and its URL. A
    /// document is listed by itself: of http it is asked what it is, and it is not got.
    ///
    /// With --json, one object for each entry: url, title, kind, size, modified, type; lines, score and description where they
    /// are known.
    #[command(after_long_help = [LS_EXAMPLES, &OPEN_STATUS].concat())]
    Ls(Box<List>),

    /// Build a URL from its parts, or change parts of URLs
    ///
    /// The scheme comes first, then each part as PART=VALUE; names are those of `parse`, in the singular, and a list is built
    /// by giving its part again. Values are octets: they are encoded as the part demands, and `%` becomes `%25`. `PART=` is an
    /// empty part, which is not an absent one. A field or header is `field=NAME=VALUE`; `path` is short for all segments of
    /// http. `urlwise encode --list` prints the parts of every scheme.
    ///
    /// With --set or --remove, URLs are read from arguments, files or a pipe, and changed: all other parts stay as they are
    /// written, octet for octet. https and its like are built and changed under the profile `current`.
    ///
    /// With --json, one object a line: that of `parse --json`; where no URL can be built, `url` (null), `text` (what the parts
    /// make, or null), `profile`, `valid` (false), `error` and `problem` (as in `parse`, or null).
    #[command(after_long_help = [BUILD_EXAMPLES, BUILD_STATUS].concat())]
    Build(Build),

    /// Encode octets as a part of a URL
    ///
    /// Each part reserves other characters, so its name is needed: SCHEME.PART. Prints one line for each value. Values of files
    /// and pipes are lines, or end in NUL with --null, or are whole files with --whole.
    ///
    /// With --json, one object a line: part, raw, decoded (octets in hex where it is not UTF-8).
    #[command(after_long_help = [ENCODE_EXAMPLES, CODING_STATUS].concat())]
    Encode(Coding),

    /// Decode a part of a URL to the octets it stands for
    ///
    /// Refuses what cannot stand in the part. The octets are printed as they are, each value with a line end (NUL with --null,
    /// nothing with --whole); on a terminal, what could harm it is escaped.
    ///
    /// With --json, one object a line: part, raw, decoded (octets in hex where it is not UTF-8).
    #[command(after_long_help = [DECODE_EXAMPLES, CODING_STATUS].concat())]
    Decode(Coding),

    /// List the schemes: default port, section, who knows them, what can be opened
    ///
    /// The ten schemes of RFC 1738, their siblings over TLS, which the profile `current` reads by the rules of their base, and
    /// the names that section 4 sets aside without a syntax. All other names are read by the generic syntax of section 5. Last
    /// come the schemes that your settings route through a gateway, which are `gate` above.
    ///
    /// With --json, one object for each scheme: `scheme`, its name; `status` (`defined`, `sibling`, `reserved`, `other`);
    /// `title`; `base`, the scheme whose rules apply, or null; `default_port`, or null; `section` of RFC 1738; `profiles` that
    /// know it; `opens`, whether get and ls can open it; `later`, the RFC about a name that was set aside, or null; `gateway`,
    /// the template of the URLs it is opened through, or null.
    #[command(after_long_help = [SCHEMES_EXAMPLES, SCHEMES_STATUS].concat())]
    Schemes(Own),

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

const NORMALIZE_EXAMPLES: &str = "\
Examples:
  urlwise normalize 'HTTP://Host.example:80/%7ejim/%61'
  urlwise normalize --level safe --file urls.txt | sort -u

";

const NORMALIZE_STATUS: &str = "\
Exit status of normalize:
  0  every URL is valid
  1  some are not, or there was no URL
  2  the command could not run: a wrong option, a file that cannot be read";

const SAME_EXAMPLES: &str = "\
Examples:
  urlwise same 'http://host.example/%7ejim' 'http://HOST.example:80/%7Ejim'
  urlwise same 'ftp://@host.example/' 'ftp://host.example/'

";

const SAME_STATUS: &str = "\
Exit status of same:
  0  they mean the same
  1  they differ
  2  the command could not run: one is no URL, or there are not two";

const COMPARE_EXAMPLES: &str = "\
Examples:
  urlwise compare 'ftp://evil.example?@good.example/'
  urlwise compare --profile current 'https://0x7f.1/'
  urlwise compare --json --file urls.txt | jq -r 'select(.agree | not) | .url'

";

const COMPARE_STATUS: &str = "\
Exit status of compare:
  0  all three see the same in every URL
  1  some differ or refuse, or there was no URL
  2  the command could not run: a wrong option, a file that cannot be read";

const RESOLVE_EXAMPLES: &str = "\
Examples:
  urlwise resolve 'http://host.example/a/b' ../c '?d'
  grep -o 'href=\"[^\"]*' page.html | cut -c 7- | urlwise resolve 'http://host.example/page.html'

";

const RESOLVE_STATUS: &str = "\
Exit status of resolve:
  0  every reference leads to a URL
  1  some do not, or there was no reference
  2  the command could not run: the base is no URL, a file cannot be read";

/// What `normalize` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Normalize {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// How far to go
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "scheme")]
    pub(crate) level: Level,
}

/// The normal forms, with the help of each.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Level {
    /// What is safe whoever reads the URL next: only letters, digits and $-_.+!*'(), are decoded
    Safe,
    /// All that RFC 1738 says of the scheme: what is not reserved there is decoded, and what means the same is written one way
    Scheme,
}

impl From<Level> for Form {
    fn from(level: Level) -> Form {
        match level {
            Level::Safe => Form::Safe,
            Level::Scheme => Form::Scheme,
        }
    }
}

/// What `resolve` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Resolve {
    /// The URL that the references are relative to; it may have a fragment
    #[arg(value_name = "BASE")]
    pub(crate) base: OsString,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

const REPAIR_EXAMPLES: &str = "\
Examples:
  urlwise repair '<URL:http://host.example/~jim/a b>'
  urlwise repair --profile current --json 'https://b\u{fc}cher.example/#top'
  xsel | urlwise repair --null

";

const REPAIR_STATUS: &str = "\
Exit status of repair:
  0  every text is a valid URL now
  1  some are refused, or there was no text
  2  the command could not run: a wrong option, a file that cannot be read";

const SCHEMES_EXAMPLES: &str = "\
Examples:
  urlwise schemes
  urlwise schemes --json | jq -r 'select(.opens) | .scheme'

";

const SCHEMES_STATUS: &str = "\
Exit status of schemes:
  0  the list was written
  2  it could not be";

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
    #[arg(short, long = "file", short_alias = 'i', alias = "input-file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Records of files and standard input end in NUL, not in a line end
    ///
    /// So they can hold anything else, line ends too. No record is skipped.
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

/// What `explain` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) own: Own,
}

impl Explain {
    /// Whether anything was asked for.
    pub(crate) fn is_given(&self) -> bool {
        let Explain { inputs, own } = self;
        !inputs.urls.is_empty() || !inputs.files.is_empty() || own.settings.is_some() || own.no_settings
    }
}

/// Where the user's own settings come from.
#[derive(Args, Debug)]
pub(crate) struct Own {
    /// Take your settings from FILE, not from config.toml in your own folder
    ///
    /// Yours is `~/.config/urlwise/config.toml`, or that in the folder which the variable `XDG_CONFIG_HOME` names; the current
    /// folder is never looked at. Its table `gateway` says through which URLs a scheme is opened, as in
    /// `wais = "http://gateway.example/wais?{url}"`; its table `mail` says how mail is sent, by `from` and `server` or `sendmail`,
    /// and which program composes it, as in `compose = ["thunderbird", "-compose"]`; its table `news` names your news server, as
    /// in `server = "news.example"`.
    #[arg(long, value_name = "FILE", conflicts_with = "no_settings")]
    pub(crate) settings: Option<PathBuf>,

    /// Take no settings from your own folder
    #[arg(long)]
    pub(crate) no_settings: bool,
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
