//! One request, and its octets.

use super::field::RequestField;
use super::part;
use crate::language::{message, words};
use crate::protocol::Resume;
use crate::protocol::{Command, Fault, FaultKind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use ureq_proto::client::state::RecvResponse;
use ureq_proto::client::{Call, SendRequestResult};
use ureq_proto::http::uri::PathAndQuery;
use ureq_proto::http::{HeaderName, Method, Uri, header};
use urlwise::{Locator, Message, Url, escape_for_display};

changeable!(HttpRequest);

/// One GET or HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// https.
    pub tls: bool,
    /// As written in the URL, IPv6 literals with brackets.
    pub host: String,
    /// The port; it is sent only if it is not the scheme's default.
    pub port: u16,
    /// As written in the URL: `/`, or `/path`, or `/path?search` (D-40).
    pub selector: String,
    /// The `User-Agent`.
    pub user_agent: String,
    /// What to request.
    pub goal: HttpGoal,
    /// The login, if any.
    pub login: Option<HttpLogin>,
    /// Let the server compress the document with gzip. Ignored for the rest of a document or only its metadata.
    pub gzip: bool,
    /// Fields that somebody adds. One replaces a field of its name that the request would have.
    pub fields: Vec<RequestField>,
    /// Hand out the body of an answer that is an error, too; [`HttpMachine::refusal`](super::HttpMachine::refusal) has the error.
    pub error_body: bool,
    /// The way to the server.
    pub route: Route,
}

/// A login by the scheme Basic (RFC 7617): plain octets, either maybe empty. `Debug` masks the password.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpLogin {
    /// The user; a request whose user contains a colon is refused.
    pub user: Vec<u8>,
    /// The password.
    pub password: Vec<u8>,
}

impl HttpLogin {
    /// A user and a password.
    pub fn new(user: impl Into<Vec<u8>>, password: impl Into<Vec<u8>>) -> HttpLogin {
        HttpLogin { user: user.into(), password: password.into() }
    }

    /// As one text, which is sent in Base64.
    fn pair(&self) -> Vec<u8> {
        [&self.user, &b":"[..], &self.password].concat()
    }
}

impl fmt::Debug for HttpLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpLogin")
            .field("user", &escape_for_display(&self.user).to_string())
            .field("password", &"***")
            .finish()
    }
}

/// The goal of a request. There may be others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpGoal {
    /// The document.
    #[default]
    Document,
    /// What follows a part of it that was already transferred.
    Rest(Resume),
    /// Its metadata: HEAD.
    Metadata,
    /// The status line and the headers as the document, whatever the status: HEAD.
    Head,
}

/// The way from here to the server. There may be others, as there are other kinds of proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// Directly.
    #[default]
    Direct,
    /// Through a proxy, with the login for it: for http in the absolute form, for https by `CONNECT`.
    Proxy(Option<HttpLogin>),
}

/// The octets of a request, and the reader of its answer.
pub(super) struct Written {
    /// The request that opens a tunnel through a proxy, and the reader of its answer.
    pub(super) tunnel: Option<(Command, Call<RecvResponse>)>,
    pub(super) command: Command,
    pub(super) call: Call<RecvResponse>,
}

impl HttpRequest {
    /// A direct GET over plain http.
    pub fn new(host: impl Into<String>, port: u16, selector: impl Into<String>) -> HttpRequest {
        HttpRequest {
            tls: false,
            host: host.into(),
            port,
            selector: selector.into(),
            user_agent: String::new(),
            goal: HttpGoal::Document,
            login: None,
            gzip: false,
            fields: Vec::new(),
            error_body: false,
            route: Route::Direct,
        }
    }

    /// The GET of an http or https URL, direct and without a login; `None` for a URL of another scheme.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise_open::protocol::http::HttpRequest;
    ///
    /// let request = HttpRequest::from_url(&Url::parse_current("https://host.dom/a?b")?).unwrap();
    /// assert_eq!((request.host.as_str(), request.port, request.selector.as_str()), ("host.dom", 443, "/a?b"));
    /// assert!(request.tls);
    /// assert_eq!(HttpRequest::from_url(&Url::parse("ftp://host.dom/")?), None);
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn from_url(url: &Url<&str>) -> Option<HttpRequest> {
        let Locator::Http(http) = url.locator() else { return None };
        let request =
            HttpRequest::new(http.hostport().host().as_str(), url.port_or_default()?, http.selector().to_string());
        Some(HttpRequest { tls: url.scheme().is_tls(), ..request })
    }

    /// Whether the answer may come compressed.
    pub(super) fn takes_gzip(&self) -> bool {
        self.gzip && self.goal == HttpGoal::Document
    }

    /// What must not be shown of the logins: the passwords, and the form in which they are sent.
    pub(super) fn secrets(&self) -> Vec<Vec<u8>> {
        let for_proxy = match &self.route {
            Route::Direct => None,
            Route::Proxy(login) => login.as_ref(),
        };
        let of = |login: &HttpLogin| [STANDARD.encode(login.pair()).into_bytes(), login.password.clone()];
        let logins = self.login.iter().chain(for_proxy).flat_map(of);
        let fields = self.fields.iter().filter(|field| field.is_credential());
        let fields = fields.map(|field| field.value().as_bytes().to_vec());
        logins.chain(fields).filter(|secret| !secret.is_empty()).collect()
    }

    /// # Errors
    /// [`FaultKind::Refused`] if it cannot be written, or not unchanged: before anything is connected.
    pub(super) fn write(&self) -> Result<Written, Fault> {
        let (scheme, default) = if self.tls { ("https", 443) } else { ("http", 80) };
        let authority = if self.port == default { self.host.clone() } else { format!("{}:{}", self.host, self.port) };
        let uri = Uri::builder().scheme(scheme).authority(authority.as_str()).path_and_query(self.selector.as_str());
        let uri = uri.build().map_err(|error| unwritable(&error))?;
        // http::Uri must read what was written: no login in the host, nothing lost or changed in the selector.
        let selector = uri.path_and_query().map(PathAndQuery::as_str);
        if uri.host() != Some(&self.host) || selector != Some(&self.selector) {
            return Err(refused(words!("the HTTP library would change the host or selector").into()));
        }
        /// As many as most requests have.
        const USUAL_HEADERS: usize = 4;
        let mut headers = Vec::with_capacity(USUAL_HEADERS);
        if !self.user_agent.is_empty() {
            headers.push((header::USER_AGENT, self.user_agent.clone()));
        }
        headers.push((header::ACCEPT, "*/*".to_owned()));
        if self.takes_gzip() {
            headers.push((header::ACCEPT_ENCODING, "gzip".to_owned()));
        }
        if let HttpGoal::Rest(resume) = &self.goal {
            headers.extend(part::headers(resume).into_iter().flatten());
        }
        if let Some(login) = &self.login {
            headers.push((header::AUTHORIZATION, basic(login)?));
        }
        headers.retain(|(name, _)| !self.fields.iter().any(|field| field.name() == name.as_str()));
        headers.extend(self.fields.iter().map(RequestField::header));
        let method = match &self.goal {
            HttpGoal::Metadata | HttpGoal::Head => Method::HEAD,
            HttpGoal::Document | HttpGoal::Rest(_) => Method::GET,
        };
        let Route::Proxy(proxy_login) = &self.route else {
            let (octets, call) = written(method, uri, headers)?;
            return Ok(Written { tunnel: None, command: self.masked(octets), call });
        };
        let proxy_login = proxy_login.as_ref().map(basic).transpose()?;
        let for_proxy = proxy_login.map(|value| (header::PROXY_AUTHORIZATION, value));
        if self.tls {
            let (octets, call) = written(method, uri, headers)?;
            let tunnel = self.tunnel(for_proxy)?;
            return Ok(Written { tunnel: Some(tunnel), command: self.masked(octets), call });
        }
        headers.extend(for_proxy);
        let verb = format!("{method} ").len();
        let (mut octets, call) = written(method, uri, headers)?;
        // The absolute form (RFC 9112 section 3.2.2): the same, with scheme and authority before the selector.
        octets.splice(verb..verb, format!("{scheme}://{authority}").into_bytes());
        Ok(Written { tunnel: None, command: self.masked(octets), call })
    }

    /// `CONNECT` always has the port. The host has been parsed by then, and contains nothing that ends a line.
    fn tunnel(&self, login: Option<(HeaderName, String)>) -> Result<(Command, Call<RecvResponse>), Fault> {
        let authority = format!("{}:{}", self.host, self.port);
        let mut text = format!("CONNECT {authority} HTTP/1.1\r\nhost: {authority}\r\n");
        if !self.user_agent.is_empty() {
            text += &format!("{}: {}\r\n", header::USER_AGENT, self.user_agent);
        }
        if let Some((name, value)) = login {
            text += &format!("{name}: {value}\r\n");
        }
        text += "\r\n";
        // Its answer is read like that of any other request: only the status matters.
        let (_, call) = written(Method::HEAD, Uri::from_static("http://proxy/"), Vec::new())?;
        Ok((self.masked(text.into_bytes()), call))
    }

    /// The command, in which the values of added fields and everything after `authorization: Basic` and
    /// `proxy-authorization: Basic` are secret.
    fn masked(&self, octets: Vec<u8>) -> Command {
        let mut secrets = Vec::new();
        let mut at = 0;
        for line in octets.split_inclusive(|octet| *octet == b'\n') {
            let end = at + line.trim_ascii_end().len();
            let is = |name: &str| line.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b":"));
            let secret = if self.fields.iter().any(|field| is(field.name())) {
                line.iter().position(|octet| *octet == b':').map(|colon| colon + 2)
            } else if is(header::AUTHORIZATION.as_str()) || is(header::PROXY_AUTHORIZATION.as_str()) {
                Some(line.windows(6).position(|word| word == b"Basic ").map_or(0, |place| place + 6))
            } else {
                None
            };
            secrets.extend(secret.map(|start| at + start..end));
            at += line.len();
        }
        secrets.into_iter().fold(Command::new(octets), Command::secret).never_showing(self.secrets())
    }
}

fn refused(why: Message) -> Fault {
    Fault::new(FaultKind::Refused, "D-40", message!("cannot write the request: {cause}", cause = why))
}

/// The refusal of the library, which gives its reasons in English.
fn unwritable(why: &dyn fmt::Display) -> Fault {
    refused(why.to_string().into())
}

/// The request in octets.
fn written(
    method: Method,
    uri: Uri,
    headers: Vec<(HeaderName, String)>,
) -> Result<(Vec<u8>, Call<RecvResponse>), Fault> {
    /// More than the lines have beside headers, host and selector.
    const REST: usize = 128;
    let fields: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    let host = uri.authority().map_or(0, |authority| authority.as_str().len());
    let selector = uri.path_and_query().map_or(0, |selector| selector.as_str().len());
    let mut octets = vec![0; REST + fields + host + selector];
    let mut request = ureq_proto::http::Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let call = Call::new(request.body(()).map_err(|error| unwritable(&error))?);
    let mut call = call.map_err(|error| unwritable(&error))?.proceed();
    let mut used = 0;
    while !call.can_proceed() {
        used += call.write(&mut octets[used..]).map_err(|error| unwritable(&error))?;
    }
    octets.truncate(used);
    match call.proceed() {
        Ok(Some(SendRequestResult::RecvResponse(call))) => Ok((octets, call)),
        Ok(_) => Err(refused(words!("a GET has no body").into())),
        Err(error) => Err(unwritable(&error)),
    }
}

/// The value of a header for the scheme Basic.
fn basic(login: &HttpLogin) -> Result<String, Fault> {
    let refuse = |what| Fault::new(FaultKind::Refused, "RFC 7617 section 2", what);
    if login.user.contains(&b':') {
        return Err(refuse(words!("HTTP basic authentication does not allow a colon in the user name")));
    }
    let pair = login.pair();
    if pair.iter().any(u8::is_ascii_control) {
        let what = words!("HTTP basic authentication does not allow control characters in the user name or password");
        return Err(refuse(what));
    }
    Ok(format!("Basic {}", STANDARD.encode(pair)))
}
