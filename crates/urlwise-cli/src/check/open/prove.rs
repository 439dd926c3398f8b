//! Finds out about one URL: a file is looked up, everything else is probed by the client.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use memchr::memmem;
use urlwise::{Scheme, Url};
use urlwise_formats::BYTE_ORDER_MARK;
use urlwise_links::{Format, Fragments};
use urlwise_open::{Cause, Client, OpenOptions, Probe, ProbeBody, ProbeOptions, ProbeVerdict, Realm};

use super::files::Files;
use super::links::Wanted;
use super::queue::Came;
use super::verdict::{Proof, Verdict};
use crate::language::{about, language, message, said};
use crate::page_text;
use crate::pages::{self, LONGEST_PAGE, is_followed, names_menu};
use crate::robots::{self, Robots};

/// How much of a sitemap is read for its links, also unpacked, in octets: what its format allows.
const LONGEST_SITEMAP: usize = 50 << 20;
/// How many entries of a menu are read.
const MOST_ENTRIES: usize = 50_000;

/// A URL to find out about.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) number: usize,
    pub(super) wanted: Arc<Wanted>,
    /// The URL of the text where it is written; `None` if a person gave it.
    pub(super) from: Option<Arc<Url<String>>>,
    pub(super) fragments: BTreeSet<String>,
    /// Its links are wanted.
    pub(super) is_page: bool,
    /// It is a sitemap, which may be longer than other pages.
    pub(super) is_sitemap: bool,
    /// What robots.txt of its server says is wanted, too.
    pub(super) asks_robots: bool,
}

/// What robots.txt of a server says.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) server: Realm,
    /// The URL of the file.
    pub(super) url: Url<String>,
    pub(super) robots: Robots,
    /// Why nothing is known: a sentence.
    pub(super) why: Option<String>,
}

/// Something with links.
#[derive(Debug)]
pub(super) enum Page {
    Document(Url<String>, ProbeBody),
    /// A menu or directory, with the URLs of its entries.
    Menu(Url<String>, Vec<Url<String>>),
}

impl Page {
    /// The URL that it was found at.
    pub(super) fn url(&self) -> &Url<String> {
        match self {
            Page::Document(url, _) | Page::Menu(url, _) => url,
        }
    }
}

/// What was found out.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) number: usize,
    pub(super) proof: Proof,
    pub(super) came: Came,
    /// The page that was asked for, if it is one.
    pub(super) page: Option<Page>,
    /// Why the links of the page are not known although it is one: a sentence.
    pub(super) unread: Option<String>,
    /// The rules of the servers whose links are followed.
    pub(super) rules: Vec<Rules>,
}

impl Answer {
    /// What nothing was sent for.
    fn here(number: usize, proof: Proof) -> Answer {
        Answer { number, proof, came: Came::Answer(Duration::ZERO), page: None, unread: None, rules: Vec::new() }
    }
}

/// Finds out.
pub(super) struct Prover {
    pub(super) client: Client,
    pub(super) files: Files,
    /// No server is asked.
    pub(super) offline: bool,
    pub(super) timeout: Duration,
    /// Links that have moved are rewritten, so that it must be known what the new ones are.
    pub(super) rewrites: bool,
}

impl Prover {
    pub(super) fn ask(&self, question: Question) -> Answer {
        let Question { number, wanted, from, fragments, is_page, is_sitemap, asks_robots } = question;
        let Wanted { url, file } = &*wanted;
        if let Some(path) = file {
            return Answer::here(number, self.files.look_up(path, from.as_deref(), &fragments));
        }
        if self.offline {
            return Answer::here(number, Proof::skipped("offline", said!("no server is asked with `--offline`")));
        }
        let mut options = ProbeOptions::default();
        options.linked_from = from.as_deref().cloned();
        options.timeout = Some(self.timeout);
        let longest = if is_sitemap { LONGEST_SITEMAP } else { LONGEST_PAGE };
        options.body_limit = (is_page || !fragments.is_empty()).then_some(longest);
        let mut probe = self.client.probe(url, &options);
        let is_named = probe.fragment.as_ref().is_some_and(|named| !named.is_empty());
        if self.rewrites && is_named && probe.verdict == ProbeVerdict::Moved && options.body_limit.is_none() {
            // A new URL is not written with a fragment that is not there.
            options.body_limit = Some(longest);
            probe = self.client.probe(url, &options);
        }
        // The fragment of a redirect replaces those of links (RFC 9110 section 10.2.2).
        let fragments = probe.fragment.clone().map_or(fragments, |named| BTreeSet::from([named]));
        let mut proof = Proof::from(&probe);
        let body = probe.body.take().map(unpacked);
        if let Some(body) = &body {
            let absent = absent(probe.final_url.as_ref().unwrap_or(url), body, &fragments);
            if !absent.is_empty() {
                proof.more_mut().absent = absent;
            }
        }
        let came = came(url, &probe);
        let works = matches!(proof.verdict, Verdict::Alive | Verdict::Moved);
        let has_links = |body: &ProbeBody| is_sitemap || body.media_type.as_deref().and_then(pages::format).is_some();
        let is_unread = is_page && works && body.as_ref().is_some_and(|body| body.is_coded && has_links(body));
        let unread = is_unread.then(|| {
            let why = said!("its links are not checked: the page is compressed in a way that was not asked for");
            about(url.masked().to_string(), why)
        });
        let page = match body {
            _ if !is_page || !works => None,
            Some(body) if body.is_coded => None,
            Some(body) if !names_menu(&url.borrow()) => {
                let at = probe.final_url.take().unwrap_or_else(|| url.clone());
                Some(Page::Document(at, body))
            }
            _ if has_menus(url) => self.list(url, from.as_deref()),
            _ => None,
        };
        let rules = match page.as_ref().filter(|_| asks_robots) {
            Some(page) => self.rules(&[url, page.url()]),
            None => Vec::new(),
        };
        Answer { number, proof, came, page, unread, rules }
    }

    /// The rules of the servers of these URLs, each of them once.
    fn rules(&self, urls: &[&Url<String>]) -> Vec<Rules> {
        let mut rules: Vec<Rules> = Vec::new();
        for url in urls.iter().filter(|url| url.scheme().base() == Scheme::Http) {
            let server = Realm::of(&url.borrow()).filter(|server| rules.iter().all(|known| known.server != *server));
            rules.extend(server.and_then(|server| self.rules_of(server)));
        }
        rules
    }

    fn rules_of(&self, server: Realm) -> Option<Rules> {
        let url = robots::url_of(&server)?;
        let mut options = ProbeOptions::default();
        options.timeout = Some(self.timeout);
        options.body_limit = Some(robots::LONGEST);
        let probe = self.client.probe(&url, &options);
        let robots = match (&probe.error, &probe.body) {
            (None, Some(body)) => Robots::parse(&body.octets),
            (None, None) => Robots::absent(),
            (Some(error), _) => Robots::unread(error),
        };
        let why = probe.error.filter(|_| robots.is_unknown()).map(|error| {
            let error = error.message_in(language()).to_string();
            let why = message!("{error}; no links of this server are followed (see `--ignore-robots`)", error = error);
            about(url.masked().to_string(), why)
        });
        Some(Rules { server, url, robots, why })
    }

    /// The entries of a menu; `None` if they cannot be read, which then is not known.
    fn list(&self, url: &Url<String>, from: Option<&Url<String>>) -> Option<Page> {
        let mut options = OpenOptions::default();
        options.linked_from = from.cloned();
        let mut menu = self.client.list_with(url, &options).ok()?;
        let entries = menu.by_ref().take(MOST_ENTRIES).map_while(Result::ok);
        let entries = entries.filter(|entry| is_followed(entry.kind)).filter_map(|entry| entry.url).collect();
        Some(Page::Menu(menu.final_url().clone(), entries))
    }
}

/// Whether a scheme has menus or directories, whose entries are links.
fn has_menus(url: &Url<String>) -> bool {
    matches!(url.scheme().base(), Scheme::Ftp | Scheme::Gopher | Scheme::Prospero)
}

/// What a sitemap lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SitemapKind {
    Pages,
    /// More sitemaps.
    Sitemaps,
}

/// In how many octets from its start the first element of a sitemap must stand.
const HEAD: usize = 4 << 10;

/// What a page lists, if it is a sitemap. Many servers know no media type for these.
pub(super) fn sitemap(octets: &[u8], media_type: Option<&str>) -> Option<SitemapKind> {
    let head = &octets[..octets.len().min(HEAD)];
    let is_markup = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start().starts_with(b"<");
    if !is_markup || media_type.and_then(pages::format).is_some() {
        return None;
    }
    let roots = [(&b"<urlset"[..], SitemapKind::Pages), (b"<sitemapindex", SitemapKind::Sitemaps)];
    roots.into_iter().find(|(root, _)| memmem::find(head, root).is_some()).map(|(_, kind)| kind)
}

/// A page without gzip, with which sitemaps may be stored: what can be read of it.
fn unpacked(mut body: ProbeBody) -> ProbeBody {
    if !page_text::is_packed(&body.octets) {
        return body;
    }
    let (head, _) = page_text::unpacked(&body.octets, HEAD);
    let is_sitemap = sitemap(&head, None).is_some();
    if is_sitemap {
        // Its type is that of all that is packed.
        body.media_type = None;
    }
    body.is_complete &= page_text::unpack(&mut body.octets, if is_sitemap { LONGEST_SITEMAP } else { LONGEST_PAGE });
    body
}

/// The host of a URL, without the `www.` that many sites add by a redirect, as they change to https.
fn site(url: &Url<String>) -> Option<String> {
    let host = url.host()?.as_str().to_ascii_lowercase();
    Some(host.strip_prefix("www.").map(str::to_owned).unwrap_or(host))
}

/// What a probe says about the server of its URL.
pub(super) fn came(url: &Url<String>, probe: &Probe) -> Came {
    // What a server redirects to may be gone or busy; that says nothing about its other URLs, unless it is the same site.
    let is_elsewhere = probe.final_url.as_ref().is_some_and(|last| site(last) != site(url));
    match probe.verdict {
        verdict if is_elsewhere => Came::Redirect { is_suspect: verdict.is_suspect() },
        ProbeVerdict::Unknown(Cause::RateLimit) => Came::TooMany(probe.retry_after),
        ProbeVerdict::Unknown(Cause::ServerError) if probe.retry_after.is_some() => Came::TooMany(probe.retry_after),
        ProbeVerdict::Unknown(Cause::Timeout | Cause::NoRoute | Cause::Resolver) => Came::Nothing,
        ProbeVerdict::Dead(Cause::NoSuchHost) => Came::NoHost,
        verdict if verdict.is_suspect() => Came::Failed,
        _ => Came::Answer(probe.elapsed),
    }
}

/// The fragments that the page at a URL does not have. Of a page that is not HTML or Markdown, or is not complete, nothing is said.
fn absent(at: &Url<String>, body: &ProbeBody, fragments: &BTreeSet<String>) -> BTreeSet<String> {
    match body.media_type.as_deref().and_then(pages::format) {
        Some(format) if body.is_complete && !body.is_coded && !is_finished_by_scripts(at) => {
            missing(format, &body.octets, body.media_type.as_deref(), fragments)
        }
        _ => BTreeSet::new(),
    }
}

/// Whether a site adds headings, comments and other parts that links name to its pages by scripts, so that nothing is missing for certain.
fn is_finished_by_scripts(url: &Url<String>) -> bool {
    const HOSTS: [&str; 2] = ["github.com", "gist.github.com"];
    url.host().is_some_and(|host| HOSTS.iter().any(|site| host.as_str().eq_ignore_ascii_case(site)))
}

/// The fragments that a document does not have. What cannot be compared is not missing: names in a charset that is not known, and those of
/// octets that are not UTF-8, which a browser may read in the charset of the document.
pub(super) fn missing(
    format: Format,
    octets: &[u8],
    media_type: Option<&str>,
    fragments: &BTreeSet<String>,
) -> BTreeSet<String> {
    if fragments.is_empty() {
        return BTreeSet::new();
    }
    let text = page_text::text(format, octets, media_type);
    let known = match &text {
        Some(text) => Fragments::of(format, text),
        // Names in US-ASCII are the same in all charsets of which nothing is said.
        None if format == Format::Html => Fragments::of(format, octets),
        None => return BTreeSet::new(),
    };
    let is_comparable = |fragment: &str| {
        let name = urlwise::decode(fragment.as_bytes());
        match &text {
            Some(Cow::Borrowed(_)) => true,
            Some(Cow::Owned(_)) => str::from_utf8(&name).is_ok(),
            None => name.is_ascii(),
        }
    };
    let is_missing = |fragment: &&String| {
        !known.contains(fragment) && is_comparable(fragment) && !fragment.contains(char::REPLACEMENT_CHARACTER)
    };
    fragments.iter().filter(is_missing).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlwise::Profile;

    fn url(text: &str) -> Url<String> {
        Url::parse_with(text.to_owned(), Profile::Current).unwrap()
    }

    fn page(octets: &[u8], media_type: &str) -> ProbeBody {
        let mut body = ProbeBody::default();
        (body.octets, body.media_type, body.is_complete) = (octets.to_vec(), Some(media_type.to_owned()), true);
        body
    }

    #[test]
    fn of_a_page_in_gzip_no_more_is_unpacked_than_is_read_of_others() {
        use flate2::{Compression, write::GzEncoder};
        use std::io::Write;

        for (start, most) in [("<p>", LONGEST_PAGE), ("<?xml version=\"1.0\"?><urlset>", LONGEST_SITEMAP)] {
            for (length, is_complete) in [(LONGEST_PAGE, true), (most + 1, false)] {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                let text = [start.as_bytes(), &vec![b' '; length - start.len()]].concat();
                encoder.write_all(&text).unwrap();
                let body = unpacked(page(&encoder.finish().unwrap(), "text/html"));
                assert_eq!((body.octets.len(), body.is_complete), (length.min(most), is_complete), "{start}");
                assert_eq!(body.media_type.is_some(), most == LONGEST_PAGE);
            }
        }
    }

    #[test]
    fn a_limit_behind_a_redirect_counts_within_a_site() {
        let from = url("http://host.dom/x");
        for (last, is_one_site) in [
            (None, true),
            (Some("http://host.dom/y"), true),
            (Some("https://HOST.dom/x"), true),
            (Some("http://host.dom:8080/x"), true),
            (Some("https://www.host.dom/x"), true),
            (Some("https://other.dom/x"), false),
            (Some("https://a.host.dom/x"), false),
            (Some("https://wwwhost.dom/x"), false),
        ] {
            let error = urlwise_open::Error::new(urlwise_open::ErrorKind::Server, "no");
            let mut probe = Probe::failed(Cause::RateLimit, error);
            probe.final_url = last.map(url);
            let expected = if is_one_site { Came::TooMany(None) } else { Came::Redirect { is_suspect: true } };
            assert_eq!(came(&from, &probe), expected, "{last:?}");
        }
    }

    #[test]
    fn of_a_site_that_finishes_its_pages_by_scripts_no_fragment_is_missing() {
        let body = page(b"<p id=a>", "text/html");
        let fragments = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        for (at, expected) in [
            ("https://github.com/x/y", &[][..]),
            ("https://GitHub.com/x/y", &[]),
            ("https://gist.github.com/x", &[]),
            ("https://docs.github.com/x", &["b"]),
            ("https://mygithub.com/x", &["b"]),
            ("http://host.dom/github.com", &["b"]),
        ] {
            assert!(absent(&url(at), &body, &fragments).iter().eq(expected), "{at}");
        }
    }

    #[test]
    fn a_sitemap_is_known_by_its_first_element() {
        let far = format!("<?xml version=\"1.0\"?>{}<urlset>", " ".repeat(4 << 10));
        for (octets, media_type, expected) in [
            ("<urlset xmlns=\"x\">", None, Some(SitemapKind::Pages)),
            ("\u{feff}\n <sitemapindex>", Some("application/xml"), Some(SitemapKind::Sitemaps)),
            ("urlset <urlset>", None, None),
            ("<rss><link>", None, None),
            (far.as_str(), None, None),
            ("<urlset>", Some("text/html"), None),
        ] {
            assert_eq!(sitemap(octets.as_bytes(), media_type), expected, "{octets:.20} {media_type:?}");
        }
    }

    #[test]
    fn a_failure_that_names_a_time_is_a_limit() {
        let wait = Some(Duration::from_secs(7));
        for (cause, retry_after, expected) in [
            (Cause::ServerError, wait, Came::TooMany(wait)),
            (Cause::RateLimit, wait, Came::TooMany(wait)),
            (Cause::RateLimit, None, Came::TooMany(None)),
            (Cause::ServerError, None, Came::Failed),
            (Cause::Broken, wait, Came::Failed),
            (Cause::Timeout, wait, Came::Nothing),
            (Cause::NoRoute, None, Came::Nothing),
            (Cause::Resolver, None, Came::Nothing),
            (Cause::NoSuchHost, None, Came::NoHost),
            (Cause::NotFound, wait, Came::Answer(Duration::ZERO)),
            (Cause::Challenge, wait, Came::Answer(Duration::ZERO)),
        ] {
            let error = urlwise_open::Error::new(urlwise_open::ErrorKind::Server, "no");
            let mut probe = Probe::failed(cause, error);
            probe.retry_after = retry_after;
            assert_eq!(came(&url("http://host.dom/x"), &probe), expected, "{cause}");
        }
    }
}
