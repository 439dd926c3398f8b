//! The options of a gateway.

use std::fmt;
use std::time::Duration;

use urlwise::{Language, Scheme, Url};
use urlwise_open::{Error, OpenOptions};

/// How a gateway works. Start from the [default](Options::default) and change what should differ.
///
/// ```
/// use std::time::Duration;
/// use urlwise_serve::Options;
///
/// let mut options = Options::default();
/// options.idle = Some(Duration::from_secs(60));
/// assert_eq!((options.port, options.files), (0, false));
/// ```
#[non_exhaustive]
pub struct Options {
    /// The port on loopback; 0, the default, takes one that is free.
    pub port: u16,
    /// How URLs are opened. Its policy judges every URL as a link of a document that others wrote, and no prompt is ever shown. The
    /// default limits a document to 1 GiB and a call to an hour.
    pub client: urlwise_open::Options,
    /// What is asked of every call. By default the newest 1,000 articles of a group are listed.
    pub call: OpenOptions,
    /// Open file URLs too. Not by default: what a page links to should not be able to name them.
    pub files: bool,
    /// The URL that the [address to begin with](crate::Gateway::start_url) shows; `None`, the default, for a page with a field for one.
    pub first: Option<String>,
    /// End after that time without a request; `None` never ends. Half an hour by default.
    pub idle: Option<Duration>,
    /// The most pages that are made at a time, 128 by default. Others are told to come back.
    pub pages: usize,
    /// The name under which a browser saves the document of a URL: one path component, safe on every system.
    pub file_name: fn(&Url<&str>) -> String,
    /// What a person can do about an error with the options of this program, in the language of the pages; `None` if nothing.
    pub help: fn(&Error) -> Option<String>,
    /// The options with which a command of this program (`get` or `ls`) does for a URL of a scheme what a page does, as words of its
    /// command line. Pages show them with the command, quoted for a shell; secrets in them are masked. None by default.
    pub command_options: CommandOptions,
    /// The language of the pages. English by default.
    pub language: Language,
}

/// The options of a command for URLs of a scheme.
pub type CommandOptions = Box<dyn Fn(&str, Scheme) -> Vec<String> + Send + Sync>;

impl Default for Options {
    fn default() -> Options {
        let mut client = urlwise_open::Options::default();
        client.max_size = Some(1 << 30);
        client.timeout = Some(Duration::from_secs(3600));
        let mut call = OpenOptions::default();
        call.last = Some(1000);
        Options {
            port: 0,
            client,
            call,
            files: false,
            first: None,
            idle: Some(Duration::from_secs(30 * 60)),
            pages: 128,
            file_name: |_| "document".to_owned(),
            help: |_| None,
            command_options: Box::new(|_, _| Vec::new()),
            language: Language::En,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { port, client, call, files, first, idle, pages, language, .. } = self;
        f.debug_struct("Options")
            .field("port", port)
            .field("client", client)
            .field("call", call)
            .field("files", files)
            .field("first", &first.as_deref().map(crate::pages::text::masked))
            .field("idle", idle)
            .field("pages", pages)
            .field("language", language)
            .finish_non_exhaustive()
    }
}
