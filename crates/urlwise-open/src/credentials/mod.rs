//! Logins, and which servers a password may be sent to (S-10 to S-14).
//!
//! A user and a password belong to one [`Realm`]: scheme, host and port. They are used for the URL that was given, and never
//! for a URL that a server names.

mod netrc;

pub use netrc::Netrc;

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::protocol::{Hint, Question};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use urlwise::{Encoded, Scheme, Url, escape_for_display, padded};

/// Secret octets: `Debug` shows `***`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret(Box<[u8]>);

impl Secret {
    /// A secret of these octets.
    pub fn new(octets: impl Into<Vec<u8>>) -> Secret {
        Secret(octets.into().into_boxed_slice())
    }

    /// The octets, for sending.
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A user with a password and an account. Octets, not text: nothing is decoded or encoded.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ServerLogin {
    /// The user name, maybe empty.
    pub user: Vec<u8>,
    /// The password, maybe empty; `None`: ask the [`Prompt`].
    pub password: Option<Secret>,
    /// The account that some FTP servers require after the password; `None`: ask the [`Prompt`] if a server does.
    pub account: Option<Secret>,
}

impl ServerLogin {
    /// A user without a password, which is asked for when needed.
    pub fn of(user: impl Into<Vec<u8>>) -> ServerLogin {
        ServerLogin { user: user.into(), password: None, account: None }
    }

    /// The same user with a password.
    #[must_use]
    pub fn with_password(self, password: impl Into<Vec<u8>>) -> ServerLogin {
        ServerLogin { password: Some(Secret::new(password)), ..self }
    }

    /// The same user with an account.
    #[must_use]
    pub fn with_account(self, account: impl Into<Vec<u8>>) -> ServerLogin {
        ServerLogin { account: Some(Secret::new(account)), ..self }
    }
}

impl fmt::Debug for ServerLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerLogin")
            .field("user", &escape_for_display(&self.user).to_string())
            .field("password", &self.password)
            .field("account", &self.account)
            .finish()
    }
}

/// What a login is valid for: the scheme, host and port of a URL. Displays as `http://host:port`, for a mail server by its own
/// scheme, `smtps://host:port`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Realm {
    scheme: Scheme,
    /// What is shown before `://`.
    name: &'static str,
    host: String,
    port: u16,
}

impl Realm {
    /// The realm of a URL; `None` if it has no host or no port.
    pub fn of<T: AsRef<str>>(url: &Url<T>) -> Option<Realm> {
        let (scheme, host) = (url.scheme(), url.borrow().host()?.as_str().to_ascii_lowercase());
        Some(Realm { scheme, name: scheme.name().unwrap_or("?"), host, port: url.port_or_default()? })
    }

    /// Whether this is [the realm](Realm::of) of a URL.
    pub(crate) fn is_of(&self, url: &Url<&str>) -> bool {
        self.scheme == url.scheme()
            && url.host().is_some_and(|host| host.as_str().eq_ignore_ascii_case(&self.host))
            && url.port_or_default() == Some(self.port)
    }

    /// The realm of a mail server. mailto URLs have no host, so no URL has this realm; with and without TLS are two realms.
    #[cfg(feature = "mail")]
    pub(crate) fn of_mail(name: &'static str, host: &str, port: u16) -> Realm {
        Realm { scheme: Scheme::Mailto, name, host: host.to_ascii_lowercase(), port }
    }

    /// The scheme; `mailto` for a mail server.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host as written in the URL, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, or the default port of the scheme.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for Realm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| write!(f, "{}://{}:{}", self.name, escape_for_display(self.host.as_bytes()), self.port))
    }
}

/// Asks for passwords while a URL is opened, for instance a person at a terminal. Called one at a time.
pub trait Prompt: Send + Sync + fmt::Debug {
    /// The password of `user`; `None` without an answer. Neither the realm nor the user is [escaped](urlwise::escape_for_display).
    fn password(&self, realm: &Realm, user: &[u8]) -> Option<Secret>;

    /// The account of `user`, which some FTP servers require. `None`, the default, without an answer.
    fn account(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        let _ = (realm, user);
        None
    }
}

/// The sources of logins, in order of precedence: the URL itself, [`login`](Credentials::login), [`netrc`](Credentials::netrc).
///
/// By default only logins in ftp URLs are sent.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Credentials {
    /// The login for each given URL that names no user.
    pub login: Option<ServerLogin>,
    /// The logins for the hosts that it names.
    pub netrc: Option<Netrc>,
    /// Asks for missing passwords, at most once for each user and realm.
    pub prompt: Option<Arc<dyn Prompt>>,
    /// Also use the user and password of http URLs. RFC 1738 does not allow them there (D-26), so they are not sent unless this
    /// is set.
    pub http_userinfo: bool,
}

/// A question: what was asked, for which user of which realm.
type Asked = (Realm, Vec<u8>, Question);

/// The credentials of a client, and the answers so far.
#[derive(Debug, Default)]
pub(crate) struct Wallet {
    credentials: Credentials,
    answers: Mutex<HashMap<Asked, Option<Secret>>>,
}

impl Wallet {
    pub(crate) fn new(credentials: Credentials) -> Wallet {
        Wallet { credentials, answers: Mutex::default() }
    }

    /// Whether the login of an http URL is used.
    pub(crate) fn uses_http_userinfo(&self) -> bool {
        self.credentials.http_userinfo
    }

    /// The login for a given URL, before anybody is asked. `None`: no login, or anonymous.
    pub(crate) fn login(&self, url: &Url<&str>) -> Option<ServerLogin> {
        self.find(url, self.credentials.login.as_ref())
    }

    /// The login at a gateway: what was given is for the original URL (S-10).
    pub(crate) fn login_at_gateway(&self, url: &Url<&str>) -> Option<ServerLogin> {
        self.find(url, None)
    }

    /// The login for a link of a document: only the netrc file's, for its host, and for its user if it names one (S-58).
    pub(crate) fn login_of_link(&self, url: &Url<&str>) -> Option<ServerLogin> {
        let user = url.user().map(Encoded::decode);
        let host = url.host()?.as_str().to_ascii_lowercase();
        self.credentials.netrc.as_ref()?.login(&host, user.as_deref()).cloned()
    }

    fn find(&self, url: &Url<&str>, given: Option<&ServerLogin>) -> Option<ServerLogin> {
        let speaks_for_itself = url.scheme().base() != Scheme::Http || self.credentials.http_userinfo;
        let own = url.user().filter(|_| speaks_for_itself).map(|user| {
            let password = url.password().map(|password| Secret::new(password.decode()));
            ServerLogin { password, ..ServerLogin::of(user.decode()) }
        });
        if own.as_ref().is_some_and(|login| login.password.is_some()) {
            return own;
        }
        self.choose(url.host().map(urlwise::Host::as_str), own, given)
    }

    /// The login at a mail server; `own` is the user that its setting names, without a password.
    #[cfg(feature = "mail")]
    pub(crate) fn login_to(&self, host: Option<&str>, own: Option<ServerLogin>) -> Option<ServerLogin> {
        self.choose(host, own, self.credentials.login.as_ref())
    }

    /// The login at a host: the given one or that of the netrc file, if it is for the user of `own`; otherwise `own`.
    fn choose(&self, host: Option<&str>, own: Option<ServerLogin>, given: Option<&ServerLogin>) -> Option<ServerLogin> {
        let fits = |login: &&ServerLogin| own.as_ref().is_none_or(|own| own.user == login.user);
        let stored = || {
            let netrc = self.credentials.netrc.as_ref()?;
            netrc.login(&host?.to_ascii_lowercase(), own.as_ref().map(|own| own.user.as_slice()))
        };
        given.filter(fits).or_else(stored).cloned().or(own)
    }

    /// With its password, asked for if need be.
    ///
    /// # Errors
    /// [`ErrorKind::Login`] without an answer: an empty password is sent only if one was given.
    pub(crate) fn complete(&self, realm: &Realm, login: ServerLogin) -> Result<ServerLogin, Error> {
        let password = login.password.clone().or_else(|| self.ask(realm, &login.user, Question::Password));
        if password.is_none() {
            let user = escape_for_display(&login.user);
            return Err(Error::new(
                ErrorKind::Login,
                message!(
                    "no password was given for the user \"{user}\" of {realm}",
                    user = user.to_string(),
                    realm = realm.to_string()
                ),
            )
            .with_reference("D-35")
            .with_help(words!("a password is asked for at a terminal; elsewhere it comes from a netrc file")));
        }
        Ok(ServerLogin { password, ..login })
    }

    /// The answer to a question, asked at most once.
    pub(crate) fn ask(&self, realm: &Realm, user: &[u8], question: Question) -> Option<Secret> {
        let prompt = self.credentials.prompt.as_ref()?;
        // Other threads wait here: a terminal has room for one question, and its answer may be theirs too.
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = answers.entry((realm.clone(), user.to_vec(), question)).or_insert_with(|| match question {
            Question::Password => prompt.password(realm, user),
            Question::Account => prompt.account(realm, user),
        });
        answer.clone()
    }

    /// The error of a password that would be sent over an unencrypted connection.
    pub(crate) fn refuse_clear(realm: &Realm) -> Error {
        Error::new(
            ErrorKind::Refused,
            message!("a password for {realm} would be sent without encryption", realm = realm.to_string()),
        )
        .with_reference("RFC 1738 section 6, S-16")
        .with_help(words!("use the scheme with TLS, or do not require encryption"))
    }
}

/// The error of a login that a netrc file alone may give, since others may have chosen the URL (S-58).
pub(crate) fn by_netrc(error: Error) -> Error {
    error.with_help(words!("write the host and its login into a netrc file")).with_hint(Hint::Netrc)
}

#[cfg(test)]
mod tests {
    use super::{Credentials, Netrc, Prompt, Realm, Secret, ServerLogin, Wallet};
    use crate::error::kind::ErrorKind;
    use crate::protocol::Question;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use urlwise::{Profile, Scheme, Url};

    fn url(text: &str) -> Url<&str> {
        Url::parse_with(text, Profile::Current).expect(text)
    }

    fn user_of(credentials: &Credentials, text: &str) -> Option<String> {
        let login = Wallet::new(credentials.clone()).login(&url(text))?;
        let password = login.password.map(|password| String::from_utf8_lossy(password.reveal()).into_owned());
        Some(format!("{}:{}", String::from_utf8_lossy(&login.user), password.as_deref().unwrap_or("?")))
    }

    #[test]
    fn security_12_13_only_what_was_asked_for_logs_in() {
        let mut credentials = Credentials::default();
        for text in ["http://h.example/", "http://u:p@h.example/", "ftp://h.example/"] {
            assert_eq!(user_of(&credentials, text), None, "{text}");
        }
        assert_eq!(user_of(&credentials, "ftp://a%40b:p%3Aq@h.example/").as_deref(), Some("a@b:p:q"));
        credentials.http_userinfo = true;
        assert_eq!(user_of(&credentials, "http://a%40b:p%3Aq@h.example/").as_deref(), Some("a@b:p:q"));
    }

    #[test]
    fn what_the_url_says_comes_first_then_the_option_then_the_file() {
        let netrc = Some(Netrc::parse(b"machine h.example login stored password s").expect("well-formed"));
        let mut credentials = Credentials { netrc, ..Credentials::default() };
        assert_eq!(user_of(&credentials, "http://H.example:81/").as_deref(), Some("stored:s"));
        assert_eq!(user_of(&credentials, "http://other.example/"), None);
        assert_eq!(user_of(&credentials, "ftp://stored@h.example/").as_deref(), Some("stored:s"));
        assert_eq!(user_of(&credentials, "ftp://someone@h.example/").as_deref(), Some("someone:?"));
        credentials.login = Some(ServerLogin::of("given").with_password("g"));
        assert_eq!(user_of(&credentials, "http://h.example/").as_deref(), Some("given:g"));
        assert_eq!(user_of(&credentials, "ftp://own:p@h.example/").as_deref(), Some("own:p"));
        assert_eq!(user_of(&credentials, "ftp://:@h.example/").as_deref(), Some(":"));
    }

    #[derive(Debug, Default)]
    struct Once(AtomicUsize);

    impl Prompt for Once {
        fn password(&self, _: &Realm, user: &[u8]) -> Option<Secret> {
            assert_eq!(self.0.fetch_add(1, Ordering::Relaxed), 0, "asked before");
            Some(Secret::new([user, b"!"].concat()))
        }
    }

    #[test]
    fn the_user_is_asked_once() {
        let prompt: Arc<dyn Prompt> = Arc::new(Once::default());
        let wallet = Wallet::new(Credentials { prompt: Some(prompt), ..Credentials::default() });
        let realm = Realm::of(&url("ftp://h.example/")).expect("it has a host");
        for _ in 0..2 {
            let login = wallet.complete(&realm, ServerLogin::of("joe")).expect("somebody answers");
            assert_eq!(login.password, Some(Secret::new("joe!")));
            assert_eq!(wallet.ask(&realm, b"joe", Question::Account), None);
        }
    }

    #[test]
    fn security_12_without_an_answer_no_empty_password_is_sent() {
        let wallet = Wallet::new(Credentials::default());
        let realm = Realm::of(&url("http://h.example/")).expect("it has a host");
        let error = wallet.complete(&realm, ServerLogin::of("joe")).expect_err("nobody is asked");
        assert_eq!(error.kind(), ErrorKind::Login);
        assert!(error.to_string().contains("\"joe\" of http://h.example:80"), "{error}");
        let given = wallet.complete(&realm, ServerLogin::of("joe").with_password("")).expect("it was given");
        assert_eq!(given.password, Some(Secret::new("")));
    }

    #[test]
    #[cfg(feature = "mail")]
    fn security_10_a_mail_server_with_tls_is_another_realm_than_without() {
        let realm = |text: &str| text.parse::<crate::MailServer>().expect("a mail server").realm();
        assert_eq!(realm("smtps://M.example"), realm("smtps://joe@m.example:465"));
        for [one, other] in [["smtps", "smtp"], ["starttls", "smtp"], ["smtps", "starttls"]] {
            let [one, other] = [one, other].map(|scheme| realm(&format!("{scheme}://m.example:2525")));
            assert_ne!(one, other);
        }
        assert_eq!(realm("starttls://m.example").to_string(), "starttls://m.example:587");
    }

    #[test]
    fn security_10_a_realm_is_scheme_host_and_port() {
        let realm = |text| Realm::of(&url(text)).expect("it has a host");
        assert_eq!(realm("http://H.example/a"), realm("http://h.EXAMPLE:80/b?c"));
        for other in ["http://h.example:81/", "https://h.example/", "https://h.example:80/", "http://h.example./"] {
            assert_ne!(realm("http://h.example/"), realm(other));
        }
    }

    #[test]
    fn security_10_a_url_is_of_a_realm_by_its_scheme_host_and_port() {
        let realm = Realm::of(&url("https://H.example/a")).expect("it has a host");
        assert_eq!((realm.scheme(), realm.host(), realm.port()), (Scheme::Https, "h.example", 443));
        assert_eq!(format!("{realm:>25}|"), "    https://h.example:443|");
        for (text, is_of) in [
            ("https://h.EXAMPLE:443/b", true),
            ("http://h.example:443/", false),
            ("https://g.example/", false),
            ("https://h.example:444/", false),
        ] {
            assert_eq!(realm.is_of(&url(text)), is_of, "{text}");
        }
        assert!(!realm.is_of(&url("mailto:joe@h.example")) && Realm::of(&url("mailto:joe@h.example")).is_none());
    }

    #[test]
    fn security_10_what_was_given_is_not_for_gateways_and_links() {
        let netrc = Netrc::parse(b"machine h.example login stored password s machine h.example login joe password j");
        let login = Some(ServerLogin::of("given").with_password("g"));
        let wallet =
            Wallet::new(Credentials { login, netrc: Some(netrc.expect("well-formed")), ..Credentials::default() });
        let user = |login: Option<ServerLogin>| login.map(|login| String::from_utf8_lossy(&login.user).into_owned());
        for (text, given, at_gateway, of_link) in [
            ("ftp://H.example/", Some("given"), Some("stored"), Some("stored")),
            ("ftp://joe@h.example/", Some("joe"), Some("joe"), Some("joe")),
            ("ftp://joe:own@g.example/", Some("joe"), Some("joe"), None),
            ("ftp://g.example/", Some("given"), None, None),
        ] {
            let url = url(text);
            let found = [wallet.login(&url), wallet.login_at_gateway(&url), wallet.login_of_link(&url)].map(user);
            assert_eq!(found.each_ref().map(Option::as_deref), [given, at_gateway, of_link], "{text}");
        }
        assert!(wallet.login_of_link(&url("mailto:joe@h.example")).is_none());
        assert!(!wallet.uses_http_userinfo());
        let wallet = Wallet::new(Credentials { http_userinfo: true, ..Credentials::default() });
        assert!(wallet.uses_http_userinfo());
    }

    #[test]
    #[cfg(feature = "mail")]
    fn a_mail_server_gets_the_login_of_its_user() {
        let netrc = Netrc::parse(b"machine m.example login joe password j").expect("well-formed");
        let mut credentials = Credentials { netrc: Some(netrc), ..Credentials::default() };
        let found = |credentials: &Credentials, own: Option<&str>| {
            let login = Wallet::new(credentials.clone()).login_to(Some("M.example"), own.map(ServerLogin::of))?;
            Some((String::from_utf8_lossy(&login.user).into_owned(), login.password.is_some()))
        };
        assert_eq!(found(&credentials, None), Some(("joe".to_owned(), true)));
        assert_eq!(found(&credentials, Some("jim")), Some(("jim".to_owned(), false)));
        credentials.login = Some(ServerLogin::of("jim").with_password("p"));
        assert_eq!(found(&credentials, Some("jim")), Some(("jim".to_owned(), true)));
    }

    #[derive(Debug)]
    struct Accounts;

    impl Prompt for Accounts {
        fn password(&self, _: &Realm, _: &[u8]) -> Option<Secret> {
            None
        }

        fn account(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
            Some(Secret::new([realm.host().as_bytes(), user].concat()))
        }
    }

    #[test]
    fn each_question_has_its_own_answer() {
        let wallet = Wallet::new(Credentials { prompt: Some(Arc::new(Accounts)), ..Credentials::default() });
        let realm = Realm::of(&url("ftp://h.example/")).expect("it has a host");
        assert_eq!(wallet.ask(&realm, b"joe", Question::Password), None);
        assert_eq!(wallet.ask(&realm, b"joe", Question::Account), Some(Secret::new("h.examplejoe")));
        let login = ServerLogin::of("joe").with_password("p").with_account("a");
        assert_eq!(wallet.complete(&realm, login.clone()).expect("it is complete"), login);
        assert_eq!(login.account.expect("it was set").reveal(), b"a");
    }

    #[test]
    fn security_16_a_password_in_clear_is_refused_with_its_realm() {
        let error = Wallet::refuse_clear(&Realm::of(&url("http://h.example/")).expect("it has a host"));
        assert_eq!((error.kind(), error.reference()), (ErrorKind::Refused, Some("RFC 1738 section 6, S-16")));
        assert!(error.to_string().contains("a password for http://h.example:80 would be sent"), "{error}");
    }

    #[test]
    fn security_14_debug_texts_hide_passwords() {
        let login = Some(ServerLogin::of("joe").with_password("s3cret"));
        let netrc = Some(Netrc::parse(b"machine h login u password s3cret account s3cret").expect("well-formed"));
        let credentials = Credentials { login, netrc, ..Credentials::default() };
        let text = format!("{credentials:?} {:?}", Wallet::new(credentials.clone()));
        assert!(text.contains("***") && !text.contains("s3cret"), "{text}");
    }
}
