//! Proxies: only those that were configured, never for files, and their credentials go to them alone (S-51).
//!
//! | variable | for |
//! |---|---|
//! | `http_proxy` | http URLs. Only in lower case: in a CGI program, `HTTP_PROXY` is a header of the request |
//! | `https_proxy`, `HTTPS_PROXY` | https URLs |
//! | `all_proxy`, `ALL_PROXY` | both, where the variable above is not set |
//! | `no_proxy`, `NO_PROXY` | hosts that need no proxy: `example.com` with all its subdomains, addresses, `*` for all |
//!
//! A proxy is written as an http URL, with the user and password it requires, or as `host:port`. It sees complete http URLs;
//! https passes through it encrypted. Proxies that need TLS or SOCKS are refused when they are needed.

use crate::credentials::{Secret, ServerLogin};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::endpoint::Hop;
use crate::protocol::shown;
use std::env;
use urlwise::{Locator, Profile, Scheme, Url};
use urlwise::{Message, Words};

/// Which proxies to use. None, by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    http: Option<ProxySetting>,
    https: Option<ProxySetting>,
    /// Hosts without a proxy, in lower case and without a dot before.
    except: Vec<String>,
}

/// The setting of one proxy; an error in it matters only when the proxy is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ProxySetting {
    Proxy(Proxy),
    Unusable { why: Message, help: Words },
}

/// One proxy, used over plain http.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Proxy {
    pub(crate) hop: Hop,
    pub(crate) login: Option<ServerLogin>,
}

impl Proxies {
    /// The proxies that the environment names; see [`from_variables`](Proxies::from_variables) for the variables.
    pub fn from_env() -> Proxies {
        Proxies::from_variables(|name| env::var(name).ok())
    }

    /// The proxies that these variables name: `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, `no_proxy`
    /// and `NO_PROXY`. An empty variable counts as not set.
    ///
    /// ```
    /// use urlwise_open::Proxies;
    ///
    /// let proxies = Proxies::from_variables(|name| (name == "HTTP_PROXY").then(|| "http://h.example:3128".into()));
    /// assert_eq!(proxies, Proxies::default());
    /// ```
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Proxies {
        let first = |names: &[&'static str]| {
            names.iter().find_map(|name| Some((*name, variable(name).filter(|value| !value.is_empty())?)))
        };
        let setting = |names: &[&'static str]| {
            first(names).map(|(name, text)| match ProxySetting::read(&text) {
                ProxySetting::Unusable { why, help } => ProxySetting::Unusable {
                    why: message!("{context}: {sentence}", context = name, sentence = why),
                    help,
                },
                setting => setting,
            })
        };
        let proxies = Proxies {
            http: setting(&["http_proxy", "all_proxy", "ALL_PROXY"]),
            https: setting(&["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
            except: Vec::new(),
        };
        proxies.except(&first(&["no_proxy", "NO_PROXY"]).map(|(_, hosts)| hosts).unwrap_or_default())
    }

    /// One proxy for everything.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if it is not the URL of a supported proxy.
    pub fn all(proxy: &str) -> Result<Proxies, Error> {
        match ProxySetting::read(proxy) {
            ProxySetting::Unusable { why, help } => Err(Error::new(ErrorKind::Setting, why).with_help(help)),
            setting => Ok(Proxies { http: Some(setting.clone()), https: Some(setting), except: Vec::new() }),
        }
    }

    /// The same, but not for these hosts: a list separated by commas or blanks.
    #[must_use]
    pub fn except(mut self, hosts: &str) -> Proxies {
        let names = hosts.split([',', ' ']).map(|name| name.trim().trim_start_matches('.').trim_matches(['[', ']']));
        self.except.extend(names.filter(|name| !name.is_empty()).map(str::to_ascii_lowercase));
        self
    }

    /// The proxy for a URL.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if it cannot be used. Opening the URL without it would show the server and the network what was
    /// meant to go through the proxy.
    pub(crate) fn of(&self, url: &Url<&str>) -> Result<Option<&Proxy>, Error> {
        let setting = match url.scheme() {
            Scheme::Http => &self.http,
            Scheme::Https => &self.https,
            _ => return Ok(None),
        };
        let host =
            url.host().map(|host| host.as_str().trim_matches(['[', ']']).to_ascii_lowercase()).unwrap_or_default();
        match setting {
            Some(_) if self.excepts(host.trim_end_matches('.')) => Ok(None),
            Some(ProxySetting::Unusable { why, help }) => {
                Err(Error::new(ErrorKind::Setting, why.clone()).with_help(*help))
            }
            Some(ProxySetting::Proxy(proxy)) => Ok(Some(proxy)),
            None => Ok(None),
        }
    }

    fn excepts(&self, host: &str) -> bool {
        let is_below = |name: &str| host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        self.except.iter().any(|name| name == "*" || is_below(name.trim_end_matches('.')))
    }
}

impl ProxySetting {
    fn read(text: &str) -> ProxySetting {
        let full = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let unusable = |why: Message, help| ProxySetting::Unusable {
            why: message!("cannot use the proxy {proxy}: {cause}", proxy = shown(&full), cause = why),
            help,
        };
        const FORM: Words = words!("write the proxy as `http://host:port`");
        let url = match Url::parse_with(full.as_str(), Profile::Current) {
            Ok(url) => url,
            Err(error) => return unusable(Message::of_each(|language| error.problem().message_in(language)), FORM),
        };
        let Locator::Http(http) = url.locator() else {
            return unusable(words!("it is not an http URL").into(), FORM);
        };
        if url.scheme().is_tls() {
            return unusable(
                words!("proxies over TLS are not supported").into(),
                words!("use an http proxy; it cannot read https URLs that go through it"),
            );
        }
        if !matches!(http.selector().to_string().as_str(), "/") {
            return unusable(words!("only a host and a port are allowed").into(), FORM);
        }
        let hop = Hop::new(http.hostport());
        if hop.port == 0 {
            return unusable(words!("its port is 0").into(), FORM);
        }
        let login = url.user().map(|user| {
            let password = url.password().map(|password| Secret::new(password.decode()));
            ServerLogin { password, ..ServerLogin::of(user.decode()) }
        });
        ProxySetting::Proxy(Proxy { hop, login })
    }
}

#[cfg(test)]
mod tests {
    use super::Proxies;
    use crate::error::kind::ErrorKind;
    use urlwise::{Profile, Url};

    fn url(text: &str) -> Url<&str> {
        Url::parse_with(text, Profile::Current).expect(text)
    }

    fn of(proxies: &Proxies, text: &str) -> Result<Option<String>, ErrorKind> {
        let proxy = proxies.of(&url(text)).map_err(|error| error.kind())?;
        Ok(proxy.map(|proxy| format!("{}:{}", proxy.hop.host, proxy.hop.port)))
    }

    fn from(variables: &[(&str, &str)]) -> Proxies {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Proxies::from_variables(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn security_51_variables_are_those_of_the_table() {
        let proxies =
            from(&[("HTTP_PROXY", "http://evil.example:1"), ("https_proxy", "p.example:3128"), ("ALL_PROXY", "")]);
        assert_eq!(of(&proxies, "http://h.example/"), Ok(None));
        assert_eq!(of(&proxies, "https://h.example/"), Ok(Some("p.example:3128".to_owned())));
        let all = from(&[("all_proxy", "http://[::1]:3128/"), ("http_proxy", "http://q.example")]);
        assert_eq!(of(&all, "https://h.example/"), Ok(Some("::1:3128".to_owned())));
        assert_eq!(of(&all, "http://h.example/"), Ok(Some("q.example:80".to_owned())));
    }

    #[test]
    fn security_51_the_variables_are_those_of_the_environment() {
        // The environment of a process that runs cannot be changed safely, so another process tries its own.
        const TEST: &str = "net::proxy::tests::security_51_the_variables_are_those_of_the_environment";
        const IS_OTHER: &str = "URLWISE_TEST_PROXIES";
        if std::env::var_os(IS_OTHER).is_some() {
            assert_eq!(of(&Proxies::from_env(), "http://h.example/"), Ok(Some("p.example:3128".to_owned())));
            assert_eq!(of(&Proxies::from_env(), "http://direct.example/"), Ok(None));
            return;
        }
        let program = std::env::current_exe().expect("the tests have a program");
        let mut other = std::process::Command::new(program);
        other.args([TEST, "--exact"]).envs([(IS_OTHER, "1"), ("http_proxy", "p.example:3128")]);
        other.env("no_proxy", "direct.example");
        let output = other.output().expect("it starts");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && shown.contains("1 passed"), "{shown}");
    }

    #[test]
    fn security_51_files_and_other_schemes_never_go_through_a_proxy() {
        let proxies = Proxies::all("http://p.example:3128").expect("it is well-formed");
        for text in ["file:///etc/motd", "ftp://h.example/x", "gopher://h.example/"] {
            assert_eq!(of(&proxies, text), Ok(None), "{text}");
        }
    }

    #[test]
    fn hosts_without_a_proxy_are_names_with_their_subdomains_and_addresses() {
        let proxies =
            Proxies::all("p.example:1").expect("well-formed").except("Example.com, .in.example 192.0.2.1,[::1]");
        for host in ["example.com", "a.EXAMPLE.com", "example.com.", "x.in.example", "in.example", "192.0.2.1", "[::1]"]
        {
            assert_eq!(of(&proxies, &format!("http://{host}/")), Ok(None), "{host}");
        }
        for host in ["badexample.com", "example.com.evil.example", "192.0.2.11", "com"] {
            assert!(of(&proxies, &format!("http://{host}/")).expect("usable").is_some(), "{host}");
        }
        assert_eq!(of(&proxies.except("*"), "http://other.example/"), Ok(None));
    }

    #[test]
    fn security_51_a_proxy_that_cannot_be_used_is_refused_when_it_is_needed() {
        for text in [
            "socks5://u:s3cret@p.example:1080",
            "https://u:s3cret@p.example",
            "http://u:s3cret@p.example:0",
            "http://p.example/x?s3cret",
            "http://u:s3cret@p q",
        ] {
            let error = Proxies::all(text).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Setting);
            assert!(text.contains('?') || !error.to_string().contains("s3cret"), "{error}");
            let proxies = from(&[("all_proxy", text), ("no_proxy", "direct.example")]);
            assert_eq!(of(&proxies, "http://h.example/"), Err(ErrorKind::Setting), "{text}");
            let error = proxies.of(&url("http://h.example/")).expect_err(text).to_string();
            assert!(error.starts_with("all_proxy: cannot use the proxy "), "{error}");
            assert_eq!(of(&proxies, "http://direct.example/"), Ok(None), "{text}");
        }
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_named_with_the_reason() {
        for (text, why) in [
            (
                "https://u:s3cret@p.example",
                "cannot use the proxy https://u:***@p.example: proxies over TLS are not supported",
            ),
            ("ftp://p.example\u{1b}", r"cannot use the proxy ftp://p.example\x1b: "),
            ("p.example:0", "cannot use the proxy http://p.example:0: its port is 0"),
            ("p.example/x", "cannot use the proxy http://p.example/x: only a host and a port are allowed"),
            ("gopher://p.example", "cannot use the proxy gopher://p.example: it is not an http URL"),
        ] {
            let what = Proxies::all(text).expect_err(text).what().to_string();
            assert!(what.starts_with(why), "{what}");
        }
        assert!(Proxies::all("p.example:1/").is_ok());
    }

    #[test]
    fn security_14_the_password_of_a_proxy_is_masked_in_debug_texts() {
        let proxies = Proxies::all("http://joe:s3cret@p.example:1").expect("well-formed");
        assert!(!format!("{proxies:?}").contains("s3cret"));
    }
}
