//! `--recursive`: which links are followed to other pages.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use urlwise::{Scheme, Url, Words};
use urlwise_open::Realm;

use crate::robots::Robots;

/// The schemes whose pages, menus and directories are followed.
const SCHEMES: [Scheme; 4] = [Scheme::Http, Scheme::Ftp, Scheme::Gopher, Scheme::Prospero];

/// The endings of names that are no pages. Such links are opened like all others and not read for links.
const NO_PAGES: [&str; 36] = [
    "7z", "apk", "avi", "bin", "bz2", "css", "csv", "deb", "dmg", "exe", "gif", "gz", "ico", "iso", "jar", "jpeg",
    "jpg", "js", "json", "mp3", "mp4", "ogg", "pdf", "png", "ps", "rar", "rpm", "svg", "tar", "tgz", "ttf", "webm",
    "webp", "woff", "woff2", "zip",
];

/// Bounds of a walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) pages: usize,
    pub(super) time: Duration,
}

/// The sites of the URLs that were given.
#[derive(Debug)]
pub(super) struct Site {
    bounds: Bounds,
    roots: Vec<(Realm, String)>,
    started: Instant,
    pages: usize,
    rules: HashMap<Realm, Robots>,
    /// The bound that was reached.
    pub(super) reached: Option<Words>,
}

impl Site {
    pub(super) fn new(bounds: Bounds) -> Site {
        Site { bounds, roots: Vec::new(), started: Instant::now(), pages: 0, rules: HashMap::new(), reached: None }
    }

    /// Adds the folder of a URL.
    pub(super) fn add(&mut self, url: &Url<String>) {
        let path = path_of(url);
        let folder = &path[..path.rfind('/').map_or(0, |slash| slash + 1)];
        if let Some(server) = Realm::of(url) {
            self.roots.push((server, folder.to_owned()));
        }
    }

    /// Keeps the rules of a server.
    pub(super) fn rule(&mut self, server: Realm, robots: Robots) {
        self.rules.insert(server, robots);
    }

    /// Whether robots.txt of a server of the sites forbids to ask for a URL.
    pub(super) fn forbids(&self, url: &Url<String>) -> bool {
        let url = url.borrow();
        url.scheme().base() == Scheme::Http
            && Realm::of(&url).and_then(|server| self.rules.get(&server)).is_some_and(|robots| !robots.permits(&url))
    }

    /// Whether a URL is on one of the servers, below the folder that was given.
    pub(super) fn contains(&self, url: &Url<String>) -> bool {
        let path = path_of(url);
        self.is_home(url, |folder| path.starts_with(folder))
    }

    /// Whether a link is followed. Then it counts.
    pub(super) fn follows(&mut self, url: &Url<String>) -> bool {
        SCHEMES.contains(&url.scheme().base()) && !is_no_page(url) && self.contains(url) && self.count()
    }

    /// The same of a sitemap, which stands where it wants to on a server.
    pub(super) fn follows_sitemap(&mut self, url: &Url<String>) -> bool {
        self.is_home(url, |_| true) && self.count()
    }

    /// Whether a URL is on one of the servers, and its folder is one of those.
    fn is_home(&self, url: &Url<String>, is_below: impl Fn(&str) -> bool) -> bool {
        let server = Realm::of(url);
        server.is_some_and(|server| self.roots.iter().any(|(known, folder)| *known == server && is_below(folder)))
    }

    /// Counts a page, unless a bound is reached.
    fn count(&mut self) -> bool {
        if self.pages >= self.bounds.pages {
            self.reached = Some(Words::same("--max-pages"));
        } else if self.started.elapsed() >= self.bounds.time {
            self.reached = Some(Words::same("--max-run"));
        } else {
            self.pages += 1;
            return true;
        }
        false
    }
}

/// The path without its search; of a gopher URL without its type.
fn path_of(url: &Url<String>) -> &str {
    let path = &url.as_str()[url.spans().path.start..];
    let path = path.split(['?', '#']).next().unwrap_or_default();
    match url.scheme().base() {
        Scheme::Gopher => path.get(2..).unwrap_or_default(),
        _ => path,
    }
}

fn is_no_page(url: &Url<String>) -> bool {
    let name = path_of(url).rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| NO_PAGES.binary_search(&ending.as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlwise::Profile;

    fn url(text: &str) -> Url<String> {
        Url::parse_with(text.to_owned(), Profile::Current).unwrap()
    }

    fn site(root: &str, pages: usize) -> Site {
        let mut site = Site::new(Bounds { pages, time: Duration::from_secs(60) });
        site.add(&url(root));
        site
    }

    #[test]
    fn endings_are_sorted() {
        assert!(NO_PAGES.is_sorted());
    }

    #[test]
    fn links_below_the_folder_of_the_url_are_followed() {
        for (root, link, is_followed) in [
            ("http://h.dom/docs/index.html", "http://h.dom/docs/a", true),
            ("http://h.dom/docs/index.html", "http://H.dom:80/docs/sub/b.html?x=/y", true),
            ("http://h.dom/docs/index.html", "http://h.dom/documents/a", false),
            ("http://h.dom/docs/index.html", "http://h.dom/docs2/a", false),
            ("http://h.dom/docs/index.html", "http://h.dom/", false),
            ("http://h.dom/docs", "http://h.dom/other", true),
            ("http://h.dom", "http://h.dom/x", true),
            ("http://h.dom/", "http://other.dom/", false),
            ("http://h.dom/", "http://h.dom:8080/", false),
            ("http://h.dom/", "https://h.dom/", false),
            ("http://h.dom/", "http://h.dom/a.PNG", false),
            ("http://h.dom/", "http://h.dom/a.png?b=/c", false),
            ("gopher://h.dom/1/docs/", "gopher://h.dom/0/docs/a", true),
            ("gopher://h.dom/1/docs/", "gopher://h.dom/1/other", false),
            ("gopher://h.dom/", "gopher://h.dom/1/other", true),
            ("ftp://h.dom/pub/", "ftp://h.dom/pub/x/", true),
            ("ftp://h.dom/pub/", "ftp://h.dom/x/", false),
            ("mailto:a@h.dom", "mailto:a@h.dom", false),
        ] {
            assert_eq!(site(root, 9).follows(&url(link)), is_followed, "{root} {link}");
        }
    }

    #[test]
    fn sitemaps_are_followed_anywhere_on_the_server() {
        for (link, is_followed) in [
            ("http://h.dom/sitemap.xml.gz", true),
            ("http://h.dom/docs/map.xml", true),
            ("http://other.dom/sitemap.xml", false),
            ("https://h.dom/sitemap.xml", false),
        ] {
            assert_eq!(site("http://h.dom/docs/", 9).follows_sitemap(&url(link)), is_followed, "{link}");
        }
        let mut full = site("http://h.dom/", 0);
        assert!(!full.follows_sitemap(&url("http://h.dom/sitemap.xml")));
        assert_eq!(full.reached, Some(Words::same("--max-pages")));
    }

    #[test]
    fn rules_are_for_their_server_alone() {
        let mut site = site("http://h.dom/", 9);
        let server = Realm::of(&url("http://h.dom/")).unwrap();
        site.rule(server, Robots::parse(b"User-agent: *\nDisallow: /x?a\n"));
        for (link, is_forbidden) in [
            ("http://h.dom/x?a=1", true),
            ("http://H.dom:80/x?a", true),
            ("http://h.dom/x", false),
            ("https://h.dom/x?a", false),
            ("http://h.dom:8080/x?a", false),
            ("gopher://h.dom:80/x?a", false),
        ] {
            assert_eq!(site.forbids(&url(link)), is_forbidden, "{link}");
        }
    }

    #[test]
    fn no_page_is_followed_once_the_time_is_over() {
        let mut site = Site::new(Bounds { pages: 9, time: Duration::ZERO });
        site.add(&url("http://h.dom/"));
        assert_eq!((site.follows(&url("http://h.dom/1")), site.reached), (false, Some(Words::same("--max-run"))));
    }

    #[test]
    fn no_more_pages_than_asked_for_are_followed() {
        let mut site = site("http://h.dom/", 2);
        let followed: Vec<_> = (0..3).map(|number| site.follows(&url(&format!("http://h.dom/{number}")))).collect();
        assert_eq!((followed, site.reached), (vec![true, true, false], Some(Words::same("--max-pages"))));
    }
}
