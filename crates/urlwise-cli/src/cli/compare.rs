//! The options of `compare`, `guard` and `vectors`.

use clap::Args;
use urlwise_readings::Reader;
use urlwise_readings::guard::{HostPattern, SchemeName};
use urlwise_readings::vectors::HostName;

use super::Lists;

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  urlwise compare 'ftp://evil.example?@good.example/'
  urlwise compare --profile current 'https://0x7f.1/'
  urlwise compare --readers urlsplit,requests,curl 'http://127.0.0.1\\@1.1.1.1'
  urlwise compare --json --file urls.txt | jq -r 'select(.agree | not) | .url'

";

pub(super) const COMPARE_STATUS: &str = "\
Exit status of compare:
  0  all readings of every URL agree
  1  some differ or refuse, or there were no URLs
  2  the command could not run: a wrong option, a file that cannot be read";

/// The arguments of `compare`.
#[derive(Args, Debug)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) lists: Lists,

    /// Compare these: rfc1738, rfc3986, whatwg, urlsplit, urllib3 (also named requests), curl, go
    ///
    /// The programs are read by models of their parsers, tested against urlsplit of Python 3.11.2 with its security fixes,
    /// urllib3 2.8.0, libcurl 8.23.0 and net/url of Go 1.27.3. Other versions may differ.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = reader,
        default_value = "rfc1738,rfc3986,whatwg",
        hide_default_value = true
    )]
    pub(crate) readers: Vec<Reader>,
}

pub(super) fn reader(id: &str) -> Result<Reader, String> {
    Reader::from_id(id).ok_or_else(|| {
        let known: Vec<_> = Reader::ALL.iter().map(|reader| reader.id()).collect();
        format!("the readers are {}", known.join(", "))
    })
}

pub(super) const GUARD_EXAMPLES: &str = "\
Examples:
  urlwise guard 'http://127.0.0.1\\@1.1.1.1'
  urlwise guard --allow-host '*.host.example' --readers urlsplit,requests --file urls.txt
  urlwise guard --resolve --json 'https://www.host.example/' | jq -r '.addresses[]'

";

pub(super) const GUARD_STATUS: &str = "\
Exit status of guard:
  0  every URL may be fetched
  1  some are refused, or there were no URLs
  2  the command could not run: a wrong option, a file that cannot be read";

/// The arguments of `guard`.
#[derive(Args, Debug)]
pub(crate) struct Guard {
    #[command(flatten)]
    pub(crate) lists: Lists,

    /// Allow these schemes only [default: http,https]
    #[arg(long = "allow-scheme", value_name = "SCHEME", value_delimiter = ',')]
    pub(crate) schemes: Vec<SchemeName>,

    /// Allow these hosts only; `*.host.example` stands for all below it
    ///
    /// The host itself is not below it. Case and a final dot make no difference. May be repeated.
    #[arg(long = "allow-host", value_name = "HOST", value_delimiter = ',')]
    pub(crate) hosts: Vec<HostPattern>,

    /// Allow addresses that are not public, and local names
    ///
    /// Those of metadata services, from which machines in a cloud get their credentials, stay refused.
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Ask these readers [default: all]
    ///
    /// rfc1738, rfc3986, whatwg, urlsplit, urllib3 (also named requests), curl, go: those that check and fetch the URL, as for compare.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = reader)]
    pub(crate) readers: Vec<Reader>,

    /// Look up the host, and print the addresses to connect to
    ///
    /// A name with an address that is not allowed is refused. The name may have other addresses later, so a program that fetches the
    /// URL has to connect to those that are printed.
    #[arg(long)]
    pub(crate) resolve: bool,
}

pub(super) const VECTORS_EXAMPLES: &str = "\
Examples:
  urlwise vectors --trusted good.example --hostile evil.example --json >vectors.jsonl
  urlwise vectors --json | jq -r 'select(.family == \"backslash\") | .url'

";

pub(super) const VECTORS_STATUS: &str = "\
Exit status of vectors:
  0  they were written
  2  they could not be written: a wrong option";

/// The arguments of `vectors`.
#[derive(Args, Debug)]
pub(crate) struct Vectors {
    /// Host that a check should allow
    #[arg(long, value_name = "HOST", default_value = "good.example")]
    pub(crate) trusted: HostName,

    /// Host that a check should refuse
    #[arg(long, value_name = "HOST", default_value = "evil.example")]
    pub(crate) hostile: HostName,
}
