//! Which links are followed: those to the server of the URL that was given, and to hosts that are named.

use urlwise::{Scheme, Url};
use urlwise_open::Realm;

/// The schemes that can be saved recursively.
pub(super) const SCHEMES: &[Scheme] = &[Scheme::Http, Scheme::Ftp, Scheme::Gopher, Scheme::File, Scheme::Prospero];

/// The servers whose links are followed.
#[derive(Clone, Debug, Default)]
pub(in crate::get) struct Scope {
    servers: Vec<Realm>,
    /// Files of this machine.
    files: bool,
    /// Hosts of `--host`, in lower case.
    hosts: Vec<String>,
}

impl Scope {
    pub(super) fn new(hosts: &[String]) -> Scope {
        Scope { hosts: hosts.iter().map(|host| host.to_lowercase()).collect(), ..Scope::default() }
    }

    /// Adds the server of a URL.
    pub(super) fn add(&mut self, url: &Url<&str>) {
        self.files |= url.scheme() == Scheme::File;
        let server = Realm::of(url).filter(|server| !self.servers.contains(server));
        self.servers.extend(server);
    }

    /// Whether a URL is followed.
    pub(in crate::get) fn admits(&self, url: &Url<&str>) -> bool {
        if !is_savable(url) {
            return false;
        }
        let Some(server) = Realm::of(url) else { return url.scheme() == Scheme::File && self.files };
        let is_named = self.hosts.iter().any(|host| host == server.host());
        is_named || self.servers.iter().any(|known| *known == server || is_sibling(known, &server))
    }
}

/// Whether a URL is one of the schemes that can be saved.
fn is_savable(url: &Url<&str>) -> bool {
    SCHEMES.contains(&url.scheme().base())
}

/// Whether a URL would be followed if `--host` named its server.
pub(super) fn is_of_a_server(url: &Url<&str>) -> bool {
    is_savable(url) && Realm::of(url).is_some()
}

/// Whether these are http and https of one host, both on their usual ports.
fn is_sibling(one: &Realm, other: &Realm) -> bool {
    let is_usual =
        |realm: &Realm| (realm.scheme().base(), realm.scheme().default_port()) == (Scheme::Http, Some(realm.port()));
    one.host() == other.host() && is_usual(one) && is_usual(other)
}

#[cfg(test)]
mod tests {
    use super::Scope;
    use urlwise::{Profile, Url};

    fn url(text: &'static str) -> Url<&'static str> {
        Url::parse_with(text, Profile::Current).expect(text)
    }

    #[test]
    fn security_57_links_stay_on_the_server_of_the_url_and_hosts_that_are_named() {
        let mut scope = Scope::new(&["Named.example".to_owned()]);
        scope.add(&url("http://H.example/a"));
        for (link, admitted) in [
            ("http://h.example/b", true),
            ("http://h.example:80/", true),
            ("https://h.example/", true),
            ("http://h.example:8080/", false),
            ("https://h.example:8443/", false),
            ("ftp://h.example/", false),
            ("http://www.h.example/", false),
            ("http://named.example:81/", true),
            ("gopher://named.example/", true),
            ("telnet://named.example/", false),
            ("mailto:a@named.example", false),
            ("file:///etc/motd", false),
        ] {
            assert_eq!(scope.admits(&url(link)), admitted, "{link}");
        }
        let mut files = Scope::new(&[]);
        files.add(&url("file:///a/"));
        assert!(files.admits(&url("file:///b")) && !files.admits(&url("http://h.example/")));
        let mut odd = Scope::new(&[]);
        odd.add(&url("http://h.example:8080/"));
        assert!(odd.admits(&url("http://h.example:8080/x")) && !odd.admits(&url("https://h.example/")));
    }
}
