//! The options of `parse`.

use clap::{ArgGroup, Args, ValueEnum};
use urlwise_columns::Column;

use super::Lists;
use super::template::{Template, named};

pub(super) const PARSE_EXAMPLES: &str = "\
Examples:
  urlwise parse 'gopher://host.example/7/find%09old%20maps'
  urlwise parse --json --file urls.txt | jq -r .parts.host
  urlwise parse --columns scheme,host,port < urls.txt
  urlwise parse --template '{host:lower}' --count < urls.txt | head
  urlwise parse -- -x:y
  printf 'news:a\\0news:b\\0' | urlwise parse --null

";

pub(super) const COLUMNS: &str = "\
Names of columns:
  url                     the text, valid or not
  scheme user password host path query fragment
                          as written; NULL if absent
  port                    the port in force: the one written, or the default of the scheme
  host_kind               name, ipv4 or ipv6
  address                 the class of a host that is an address: public, loopback, private, ...
  valid                   true or false
  problem                 the code of the first error, NULL for a URL
  normal:safe normal:scheme
                          the normal forms of `normalize --level`; no fragment
  agree                   whether readers by RFC 1738, RFC 3986 and WHATWG see the same URL
  selector, group, ...    any part by its name in the output of --json, in every scheme that has it
  ftp.name, ...           the same in one scheme only

  With a suffix, as in `host:lower`:
  :lower                  in lower case
  :decoded                with its escapes decoded. A list (cwds, segments or
                          fields) keeps those of `%` and of what stands between
                          its parts: split it first, and decode these then
  :start :end             its offsets in octets of the text; also of `port` and
                          `problem`

  A row is a URL and the fragment that may follow it: `http://a.example/#top`
  is valid here. Without columns, the `#` is an error (D-08).

";

/// The arguments of `parse`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("table").args(["columns", "template"]))]
pub(crate) struct Parse {
    #[command(flatten)]
    pub(crate) lists: Lists,

    /// Write these columns, as in `scheme,host,port`: one line for each URL, NULL for what is absent
    ///
    /// A text that is not a URL has a line, too: its parts are NULL, `problem` says why. URLs are read by the profile
    /// `current` unless --profile is given. `--help` lists the columns.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = named, help_heading = "Columns")]
    pub(crate) columns: Vec<Column>,

    /// Write this text for each URL, with `{NAME}` for the columns, as in `{scheme}://{host}{path}`
    ///
    /// Values are written with the escapes of tsv; what is absent is empty. `{{` and `}}` stand for braces. A text that is not a URL is reported on standard error and
    /// has no line, unless the template has a column that such a text has, too: `url`, `valid`, `problem` or `agree`.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["format", "header"], help_heading = "Columns")]
    pub(crate) template: Option<Template>,

    /// How columns are written [default: tsv, with --json: jsonl]
    #[arg(long, value_enum, requires = "columns", help_heading = "Columns")]
    pub(crate) format: Option<TableFormat>,

    /// Begin with a line of the columns' names (tsv and csv)
    #[arg(long, requires = "columns", help_heading = "Columns")]
    pub(crate) header: bool,

    /// Read lines as databases write them: `\t`, `\n`, `\\` and `\xHH` are escapes, `\N` is NULL, no line is skipped
    ///
    /// So each line of input has one of output: as the executable function of a database has to answer. An empty line is an empty
    /// text. NULL is NULL in every column.
    #[arg(long, requires = "table", conflicts_with = "null", help_heading = "Columns")]
    pub(crate) escaped: bool,

    /// Write each distinct line once, where it first appears
    ///
    /// Distinct lines are kept in memory: each takes its length and 20 to 32 octets, and 8 more with --count.
    #[arg(short, long, requires = "table", help_heading = "Columns")]
    pub(crate) unique: bool,

    /// Write each distinct line once with its number of occurrences, most frequent first
    #[arg(short, long, requires = "table", conflicts_with = "unique", help_heading = "Columns")]
    pub(crate) count: bool,
}

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Values separated by tabs; NULL is `\N`, and `\t`, `\n`, `\\` and `\xHH` are escapes (as databases read it)
    Tsv,
    /// Values separated by commas, quoted where needed (RFC 4180); NULL is nothing, an empty value is `""`
    Csv,
    /// An object on each line
    Jsonl,
}
