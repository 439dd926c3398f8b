//! Commands, options and their help. The manual and the completions are generated from them. Options of
//! larger commands are in their own files.

#[cfg(feature = "serve")]
mod browsing;
mod building;
mod check;
mod compare;
mod duration;
mod explain;
mod find;
mod get;
mod gopher;
mod http;
mod mail;
mod news;
mod normalize;
pub(crate) mod open;
mod opening;
mod options;
mod parse;
mod recursion;
#[cfg(feature = "serve")]
mod serve;
mod telnet;
mod template;
mod walking;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

#[cfg(feature = "serve")]
use browsing::{OPEN_EXAMPLES, REGISTER_EXAMPLES, UNREGISTER_EXAMPLES};
#[cfg(feature = "serve")]
pub(crate) use browsing::{OpenInBrowser, Register, Unregister};
use building::{BUILD_EXAMPLES, BUILD_STATUS, CODING_STATUS, DECODE_EXAMPLES, ENCODE_EXAMPLES};
pub(crate) use building::{Build, Coding};
use check::{CHECK_EXAMPLES, CHECK_STATUS};
pub(crate) use check::{Check, Format};
use compare::{COMPARE_EXAMPLES, COMPARE_STATUS, GUARD_EXAMPLES, GUARD_STATUS, VECTORS_EXAMPLES, VECTORS_STATUS};
pub(crate) use compare::{Compare, Guard, Vectors};
use explain::EXPLAIN_EXAMPLES;
pub(crate) use explain::Explain;
pub(crate) use find::Find;
use find::{FIND_EXAMPLES, FIND_STATUS};
use get::GET_EXAMPLES;
pub(crate) use get::Get;
pub(crate) use mail::Mail;
pub(crate) use news::News;
pub(crate) use normalize::Normalize;
use normalize::{NORMALIZE_EXAMPLES, NORMALIZE_STATUS};
use opening::{LS_EXAMPLES, OPEN_STATUS};
pub(crate) use opening::{List, Opening};
pub(crate) use options::{Options, When};
use parse::{COLUMNS, PARSE_EXAMPLES};
pub(crate) use parse::{Parse, TableFormat};
#[cfg(feature = "serve")]
use serve::SERVE_EXAMPLES;
#[cfg(feature = "serve")]
pub(crate) use serve::{Given, Serve, given};
pub(crate) use telnet::Telnet;
pub(crate) use template::Template;
pub(crate) use walking::{Order, Walking};

use crate::exit::Failure;

/// Shown with `--help` and in the manual.
const EXIT_STATUS: &str = "\
Exit status of explain and parse:
  0  every URL is valid
  1  some URLs are not valid, or there were none
  2  the command could not run: a wrong option, a file that cannot be read, an unknown entry";

const EXAMPLES: &str = "\
Examples:
  urlwise 'gopher://gopher.example/00/about.txt'
  urlwise parse --json 'ftp://host.example/%2Fetc/motd;type=a'
  grep -o 'http://[^ ]*' notes.txt | urlwise parse
  urlwise explain D-31
  urlwise help explain

";

/// Read, explain, check, find and open URLs of RFC 1738
///
/// A URL without a command is explained. Results go to standard output, everything else to standard error. Output to a
/// closed standard output (`>&-`) is discarded without an error.
#[derive(Parser, Debug)]
#[command(name = "urlwise", version, max_term_width = 100)]
#[command(override_usage = "urlwise [OPTIONS] [URL]...\n       urlwise <COMMAND> [OPTIONS] [ARGUMENT]...")]
#[command(
    after_help = "Without a command a URL is explained: `urlwise 'http://host.example/'`.\nTry `urlwise help COMMAND`."
)]
#[command(mut_arg("urls", |urls| urls.hide_short_help(true)))]
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
    /// Explain a URL, or a number or name that messages cite
    ///
    /// Says what a URL means and what is wrong or risky about it.
    /// Labels each part of the URL, says in one sentence what it means, and draws every problem under the octets it is about, with
    /// the rule, the section of RFC 1738 and a fix. Invalid URLs are explained too, as far as they can be read.
    ///
    /// For a valid URL it also shows the findings of the audit (RFC 1738 section 6) and whether `get` would open it.
    /// Findings do not change the exit status.
    ///
    /// A number or name that messages cite is explained by its entry in the rule books: decisions about RFC 1738 (`D-31`), audit
    /// rules (`E-12`), security behaviours (`S-30`), problem codes (`bnf-char`) and rules of the policy (`redirect-scheme`).
    ///
    /// With --json, prints one object per line: the fields of `parse --json`, `meaning` (the sentence), `findings` (each with the
    /// fields of a problem and `refused`: whether `get` refuses the URL for it), `more_findings` (how many are not listed),
    /// `readings` (the verdicts of both profiles), `repaired` and `refused` (what `repair` answers), `suggestions`. For an entry:
    /// `entry` and `text`.
    ///
    /// With --html, writes a page for browsers, and with --svg a picture of the URL's parts.
    #[command(after_long_help = [EXPLAIN_EXAMPLES, EXIT_STATUS].concat())]
    Explain(Explain),

    /// Split URLs into their parts, as written and decoded
    ///
    /// Prints each part as written, its decoded octets if they differ, and the problems, one per line. A missing part is
    /// `<absent>`, an empty one `<empty>`.
    ///
    /// With --json, prints one object per line: url, profile, valid, scheme, parts, problems, `more_problems` (how many are not
    /// listed). Parts are given as written, including passwords.
    ///
    /// With --columns or --template, prints a line for each URL with the parts that are named.
    #[command(after_long_help = [COLUMNS, PARSE_EXAMPLES, EXIT_STATUS].concat())]
    Parse(Parse),

    /// Write URLs in normal form, one per line
    ///
    /// A normal form is valid, means the same as the URL, and normalizing it again changes nothing. Escapes of reserved
    /// characters stay; so do empty segments, `.` and `..`. Invalid URLs are reported on standard error and have no line.
    ///
    /// With --json, prints one object per line: url, profile, valid, level, normal (null if the URL is invalid), changes (the rules
    /// that were applied), problems, `more_problems` (how many are not listed). Passwords are not masked.
    #[command(after_long_help = [NORMALIZE_EXAMPLES, NORMALIZE_STATUS].concat())]
    Normalize(Normalize),

    /// Check whether two URLs are equivalent, and show which rules apply
    ///
    /// Compares the normal forms of `normalize --level scheme`. Prints the rules that make the URLs equivalent, or the first part
    /// that differs and why, and the normal forms.
    ///
    /// With --json, prints one object: urls, profile, same, part (the first that differs), reasons (objects with code, section,
    /// decision, message), normal (both forms). Passwords are masked.
    #[command(after_long_help = [SAME_EXAMPLES, SAME_STATUS].concat())]
    Same(Inputs),

    /// Compare how standards and programs read a URL
    ///
    /// Programs read URLs by different rules, and what one of them checks may not be what another opens. Prints the
    /// readings side by side: RFC 1738, RFC 3986 (most libraries; the crate fluent-uri) and WHATWG (browsers; the crate url),
    /// or those of --readers. Differences are marked, and one sentence says what causes them.
    ///
    /// Readings are compared by what would be opened: case of hosts, default ports and needless escapes make no difference.
    ///
    /// With --json, prints one object per line: url, readings (by the names of the readers, each an object with ok, error,
    /// scheme, user, password, host, port, path, query, fragment), agree, differs (names of fields), cause, sentence. Passwords
    /// are masked.
    #[command(after_long_help = [COMPARE_EXAMPLES, COMPARE_STATUS].concat())]
    Compare(Compare),

    /// Check whether a URL may be fetched, and where it connects
    ///
    /// A check is worth nothing if the program that fetches a URL reads it in another way than the program that checked it. Refuses
    /// URLs on whose host readers do not agree, schemes and hosts that are not allowed, and addresses that are not public, in every
    /// notation. `urlwise explain CODE` says more about each reason.
    ///
    /// With --json, prints one object per line: url, ok, reasons (objects with code and message), hosts (by the names of the
    /// readers: null if it rejects the URL, empty if it sees no host), addresses (to connect to, or null). Passwords are masked.
    #[command(after_long_help = [GUARD_EXAMPLES, GUARD_STATUS].concat())]
    Guard(Guard),

    /// Print texts that deceive checks of URLs, for your tests
    ///
    /// Prints some 300 texts about the two hosts, with what each reader sees. A check passes if it refuses each of them, or if every
    /// program behind it sees the host that it allowed.
    ///
    /// With --json, prints one object per line: name, family, url, reports, readings (as compare does), agree, ok, reasons (the
    /// codes of a guard that allows the trusted host only).
    #[command(after_long_help = [VECTORS_EXAMPLES, VECTORS_STATUS].concat())]
    Vectors(Vectors),

    /// Resolve relative references against a base URL, one per line
    ///
    /// Uses RFC 1808, or RFC 3986 under the profile `current`. ftp, http, file and nntp have relative references; gopher,
    /// prospero and wais have them where the path is hierarchical; mailto, news and telnet have none. Under `rfc1738`, `.` and `..`
    /// in an ftp path are plain names and stay.
    ///
    /// With --json, prints one object per line: base, reference, profile, resolved, url (without the fragment), fragment, error.
    /// Passwords are not masked.
    #[command(after_long_help = [RESOLVE_EXAMPLES, RESOLVE_STATUS].concat())]
    Resolve(Resolve),

    /// Turn pasted text into a valid URL, and list the changes
    ///
    /// Removes blanks, brackets and `URL:` around a URL, line ends in it and a fragment; encodes unsafe characters; writes hosts
    /// outside US-ASCII in their IDNA form; adds missing slashes. A valid URL is left as it is. Text with two readings is
    /// refused: two `@`, a backslash, a lone `%`, a hyphen at a line end.
    ///
    /// URLs go to standard output, one per line, and the changes to standard error. To repair text with line ends, pass it as an
    /// argument, or from files and pipes with --null.
    ///
    /// With --json, prints one object per line: input, profile, url (null if refused), valid, changes (objects with code, kind, span
    /// in the input, was, now, section, decision, message), `more_changes` (how many are not listed), refused (null, or an object with
    /// code, span, section, decision, message, help), suggestions (objects with url, profile, why). Passwords are not masked.
    #[command(after_long_help = [REPAIR_EXAMPLES, REPAIR_STATUS].concat())]
    Repair(Lists),

    /// Find URLs in files and folders
    ///
    /// Finds URLs in angle brackets (`<URL:...>`, with lines joined), after `URL:`, and bare in prose, markup and source code,
    /// for the schemes of RFC 1738 and their siblings over TLS. Folders are searched as ripgrep does: files listed in .gitignore,
    /// .ignore or .rgignore, hidden files and binary files are skipped, and symbolic links are not followed. Files named on the
    /// command line are always searched.
    ///
    /// Prints path, line, column and URL. Lines and columns start at 1; columns count octets. Settings may be in urlwise.toml in
    /// the current folder or one above it.
    ///
    /// With --json, prints one object per line: path (null for standard input), line, column, span in the text, form (wrapped,
    /// prefixed, bare, link), url, fragment, alternative (the URL without hyphens at line ends, or null), valid, target (a link as it
    /// is written). With --count, the objects have path and count; with --unique, url. Passwords are not masked.
    #[command(after_long_help = [FIND_EXAMPLES, FIND_STATUS].concat())]
    Find(Find),

    /// Check URLs in arguments, lists and text for problems and risks
    ///
    /// Problems make a URL invalid or are likely to go wrong; findings of the audit are risks of opening it. Each has a code, a
    /// level, a place, a section of RFC 1738 and a help text. Errors and warnings are reported by default, notes with --notes.
    ///
    /// Settings may be in urlwise.toml in the current folder or one above it, up to the one that holds .git: profile, hidden,
    /// no-ignore, schemes, select, ignore, notes, fail-on, and a table severity of RULE = "error", "warning", "note" or "off".
    /// Such a file can only silence rules; use --no-config for a tree that you do not trust.
    ///
    /// With --json, prints one object for each: code, level, span in the URL, section, decision, message, help, spans and places (of a
    /// mistake that is made more than once), path, line, column, url, `more_problems` (how many are not listed), repaired and refused
    /// (what `repair` answers), suggestions. Passwords are masked.
    #[command(after_long_help = [CHECK_EXAMPLES, CHECK_STATUS].concat(), mut_args = open::with_open)]
    Check(Box<Check>),

    /// Download URLs to standard output or to files
    ///
    /// Every URL passes the policy first: what RFC 1738 section 6 warns about is refused, and the message names the rule. A menu
    /// or directory is listed as by `ls`. Attributes of gopher items (URLs with `!` or `$`) are listed too; with --json, one
    /// object per item. A gopher form (`?`) is filled by --answer or at the terminal, and submitted once.
    ///
    /// A mailto URL makes a draft, which is shown or saved as a message file; nothing is sent without --send.
    ///
    /// A telnet URL starts a session. At a terminal, keys go to the server, except Ctrl-], which opens a prompt with help;
    /// otherwise lines of standard input go to the server until it closes. The user and password of the URL are shown and never
    /// sent.
    ///
    /// Documents go to standard output one after another, to one file with --output, or each to its own file with --remote-name.
    /// A file appears when it is complete. What arrived before a failure or Ctrl-C is kept in NAME.part, for --continue.
    /// Existing files are not overwritten without --force.
    ///
    /// With --json, prints one object per URL: `url`, `final_url`, `kind`, `bytes` (received in this run), `media_type`,
    /// `saved_as`, `seconds`, `ok`, `error`, `exit`, in the order in which the URLs finish. They go to standard error if
    /// documents go to standard output.
    #[command(after_long_help = [GET_EXAMPLES, &OPEN_STATUS].concat())]
    Get(Box<Get>),

    /// List a menu or directory, with a URL for each entry
    ///
    /// Lists gopher menus, directories of ftp servers and of this machine, results of WAIS searches, newsgroups and articles, and
    /// Prospero directories and access methods. An entry shows its kind, size and date where known, title and URL. Dates end in
    /// `Z`: they are in UTC. A document is listed by itself; of an http document only the headers are requested.
    ///
    /// With --json, prints one object per entry: url, title, kind, size, modified, type; lines, score, number, from, description
    /// and also where they are known. A note about the list is an object with note, message and rule.
    #[command(after_long_help = [LS_EXAMPLES, &OPEN_STATUS].concat())]
    Ls(Box<List>),

    /// Open URLs in your browser, through a page on this machine
    ///
    /// Starts a gateway on loopback, prints its address and opens the browser there. Menus, directories, hits and groups are tables,
    /// searches and forms can be filled in, articles are decoded, texts and pictures are shown, and everything else can be downloaded.
    /// Every page shows its URL and the command that does the same. Pages hold no script, but for the one that registers the gateway.
    ///
    /// The address works once and opens a session for that browser. Other sites cannot use the gateway. URLs are judged as links
    /// that others wrote: file URLs, local addresses and ports of other protocols are refused unless you allow them here with
    /// --files and --allow. Logins come from --netrc alone.
    ///
    /// It ends with Ctrl-C, or after the time of --idle without a request. With --port, the page `/handlers` lets you register it in your
    /// browser; `urlwise register` registers it on your desktop.
    #[cfg(feature = "serve")]
    #[command(after_long_help = SERVE_EXAMPLES, mut_args = serve::with_pages, args = options::without_use())]
    Serve(Box<Serve>),

    /// Open a URL in your browser, by the gateway of `serve`
    ///
    /// Asks the gateway that you run for an address that shows the URL, and opens the browser there. If none runs, it starts
    /// `urlwise serve`, which ends after half an hour without a request. A running gateway is found by a socket in a folder that
    /// only you can enter: `$XDG_RUNTIME_DIR`, or else one in the folder for temporary files.
    ///
    /// The browser is the first command of `$BROWSER` that starts and does not fail at once, where `%s` stands for the address, else
    /// that of the desktop. If none can be started, the error says why and gives the address.
    #[cfg(feature = "serve")]
    #[command(after_long_help = OPEN_EXAMPLES, args = options::without_use())]
    Open(OpenInBrowser),

    /// Let your desktop open URLs with `urlwise open`
    ///
    /// Asks about each scheme. Writes a desktop entry, and puts it first in `mimeapps.list` for the schemes that you choose, so that
    /// links of other programs open here. A program that was first for a scheme is second then, and `unregister` makes it first again.
    /// --dry-run shows every line. Nothing else is written, and nothing is run.
    #[cfg(feature = "serve")]
    #[command(after_long_help = REGISTER_EXAMPLES, args = options::without_use())]
    Register(Register),

    /// Undo what `register` did
    ///
    /// `mimeapps.list` is again what it was, octet for octet, and what others changed in it since stays.
    #[cfg(feature = "serve")]
    #[command(after_long_help = UNREGISTER_EXAMPLES, args = options::without_use())]
    Unregister(Unregister),

    /// Build a URL from its parts, or change parts of URLs
    ///
    /// The scheme comes first, then each part as PART=VALUE. Part names are those of `parse`, in the singular; repeat a part to
    /// build a list. Values are octets and are encoded as the part requires, so `%` becomes `%25`. `PART=` is an empty part,
    /// which is not the same as a missing one. A field or header is `field=NAME=VALUE`; `path` sets all segments of http.
    /// `urlwise encode --list` prints the parts of every scheme.
    ///
    /// With --set or --remove, URLs are read from arguments, files or a pipe and changed; all other parts stay as they are
    /// written. https and the other schemes over TLS are read under the profile `current`.
    ///
    /// With --json, prints one object per line: that of `parse --json`; if no URL can be built, `url` (null), `text` (what the
    /// parts make, or null), `profile`, `valid` (false), `error` and `problem` (as in `parse`, or null).
    #[command(after_long_help = [BUILD_EXAMPLES, BUILD_STATUS].concat())]
    Build(Build),

    /// Encode octets as a part of a URL
    ///
    /// Each part reserves different characters, so the part is required: SCHEME.PART. Prints one line per value. Values of files
    /// and pipes are lines, records that end in NUL with --null, or whole files with --whole.
    ///
    /// With --json, prints one object per line: part, raw, decoded (or octets, in hex, if it is not UTF-8); with --list part, rule,
    /// bnf, section, escapes.
    #[command(after_long_help = [ENCODE_EXAMPLES, CODING_STATUS].concat())]
    Encode(Coding),

    /// Decode a part of a URL to octets
    ///
    /// Refuses text that the part cannot hold. Octets are printed unchanged, each value followed by a line end (NUL with --null,
    /// nothing with --whole); on a terminal, control characters are escaped.
    ///
    /// With --json, prints one object per line: part, raw, decoded (or octets, in hex, if it is not UTF-8).
    #[command(after_long_help = [DECODE_EXAMPLES, CODING_STATUS].concat())]
    Decode(Coding),

    /// List schemes, their ports and whether they can be opened
    ///
    /// Lists the ten schemes of RFC 1738, their siblings over TLS, which the profile `current` reads by the rules of their base,
    /// and the names that section 4 reserves without a syntax. All other names are read by the generic syntax of section 5.
    /// Schemes that your settings open through a gateway come last; they are marked `gate`.
    ///
    /// With --json, prints one object per scheme: `scheme`, its name; `status` (`defined`, `later`, `sibling`, `reserved`, `other`);
    /// `title`; `base`, the scheme whose rules apply, or null; `default_port`, or null; `section` of RFC 1738; `profiles` that
    /// know it; `opens`, whether get and ls can open it; `later`, the RFC about a reserved name, or null; `gateway`,
    /// the template of its gateway, or null.
    #[command(after_long_help = [SCHEMES_EXAMPLES, SCHEMES_STATUS].concat())]
    Schemes(Own),

    /// Print the manual page in roff format
    ///
    /// To read it: urlwise man | man -l -
    #[command(args = options::without_use())]
    Man,

    /// Print a shell completion script
    ///
    /// For bash: urlwise completions bash >~/.local/share/bash-completion/completions/urlwise
    #[command(args = options::without_use())]
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
}

const SAME_EXAMPLES: &str = "\
Examples:
  urlwise same 'http://host.example/%7ejim' 'http://HOST.example:80/%7Ejim'
  urlwise same 'ftp://@host.example/' 'ftp://host.example/'

";

const SAME_STATUS: &str = "\
Exit status of same:
  0  the URLs are equivalent
  1  they differ
  2  the command could not run: one is not valid, or there are not two";

const RESOLVE_EXAMPLES: &str = "\
Examples:
  urlwise resolve 'http://host.example/a/b' ../c '?d'
  grep -o 'href=\"[^\"]*' page.html | cut -c 7- | urlwise resolve 'http://host.example/page.html'

";

const RESOLVE_STATUS: &str = "\
Exit status of resolve:
  0  every reference was resolved
  1  some were not, or there were none
  2  the command could not run: the base is not valid, a file cannot be read";

/// The arguments of `resolve`.
#[derive(Args, Debug)]
pub(crate) struct Resolve {
    /// Base URL of the references; it may have a fragment
    #[arg(value_name = "BASE")]
    pub(crate) base: OsString,

    #[command(flatten)]
    pub(crate) lists: Lists,
}

const REPAIR_EXAMPLES: &str = "\
Examples:
  urlwise repair '<URL:http://host.example/~jim/a b>'
  urlwise repair --profile current --json 'https://b\u{fc}cher.example/#top'
  xsel | urlwise repair --null

";

const REPAIR_STATUS: &str = "\
Exit status of repair:
  0  every text is now a valid URL
  1  some were refused, or there were none
  2  the command could not run: a wrong option, a file that cannot be read";

const SCHEMES_EXAMPLES: &str = "\
Examples:
  urlwise schemes
  urlwise schemes --json | jq -r 'select(.opens) | .scheme'

";

const SCHEMES_STATUS: &str = "\
Exit status of schemes:
  0  the list was written
  2  it could not be written";

/// Where URLs come from.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// URLs; `-` reads them from standard input
    ///
    /// Without URLs and --file, they are read from standard input unless it is a terminal. Put URLs that begin with a dash
    /// after `--`.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<OsString>,

    /// Read URLs from FILE, one per line
    ///
    /// `-` is standard input. Lines end in LF or CR LF; empty lines are skipped, and so is a byte order mark before the first. A
    /// line longer than 4 MiB is not read: it is reported, and the others are answered. May be repeated. URLs on the command line come
    /// first.
    #[arg(short, long = "file", short_alias = 'i', alias = "input-file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Input records end in NUL instead of a line end
    ///
    /// Records may then hold line ends, and none is skipped.
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
}

/// Where URLs come from, for a command whose answers do not depend on one another.
#[derive(Args, Debug)]
pub(crate) struct Lists {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Number of threads for long lists [default: one per processor, as with 0]
    #[arg(short = 'j', long, hide_short_help = true, value_name = "N", value_parser = thread_count())]
    pub(crate) threads: Option<usize>,
}

/// How many threads may be asked for.
fn thread_count() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u16).range(..=512).map(usize::from)
}

/// The usage error for an argument without a command that is nearly the name of one.
pub(crate) fn mistyped(argument: &OsStr) -> Option<clap::Error> {
    let typed = argument.to_str().filter(|typed| typed.bytes().all(|octet| octet.is_ascii_lowercase()))?;
    let slips = if typed.len() < 6 { 1 } else { 2 };
    let command = Cli::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let distance = |name: &str| strsim::osa_distance(name, typed);
    let (_, meant) = names.map(|name| (distance(name), name)).filter(|(distance, _)| *distance <= slips).min()?;
    let message = format!("unknown command `{typed}`; did you mean `{meant}`?");
    Some(Cli::command().error(ErrorKind::InvalidSubcommand, message))
}

/// A usage error of a command.
pub(crate) fn usage(command: &str, kind: ErrorKind, message: &str) -> Failure {
    let mut cli = Cli::command();
    cli.build();
    let error = match cli.find_subcommand_mut(command) {
        Some(command) => command.error(kind, message),
        None => cli.error(kind, message),
    };
    Failure::Usage(Box::new(error))
}

/// Options for the user's settings.
#[derive(Args, Debug)]
pub(crate) struct Own {
    /// Read settings from FILE instead of your config.toml
    ///
    /// The default is `~/.config/urlwise/config.toml`, or `urlwise/config.toml` under `$XDG_CONFIG_HOME`. The current folder is
    /// never searched. The table `gateway` names URL templates to open a scheme through, as in `wais =
    /// "http://gateway.example/wais?{url}"`. The table `mail` holds `from`, and `server` or `sendmail`, for sending mail, and the
    /// program that composes it, as in `compose = ["thunderbird", "-compose"]`. The table `news` names your news server, as in
    /// `server = "news.example"`.
    #[arg(long, value_name = "FILE", conflicts_with = "no_settings", hide_short_help = true)]
    pub(crate) settings: Option<PathBuf>,

    /// Ignore your config.toml
    #[arg(long, hide_short_help = true)]
    pub(crate) no_settings: bool,
}
