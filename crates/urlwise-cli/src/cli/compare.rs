//! The options of `compare`.

use clap::Args;
use urlwise_readings::Reader;

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

    /// Compare these: rfc1738, rfc3986, whatwg, urlsplit, urllib3 (or requests), curl, go
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

fn reader(id: &str) -> Result<Reader, String> {
    Reader::from_id(id).ok_or_else(|| {
        let known: Vec<_> = Reader::ALL.iter().map(|reader| reader.id()).collect();
        format!("the readers are {}", known.join(", "))
    })
}
