//! Sessions: a token that works once opens one, a cookie keeps it, and forms carry a token of their own.
//!
//! There is one session. `guard` asks where a request comes from as well, which keeps other sites out. Cookies do not know ports: a
//! server on another port of this machine that the browser is led to gets the cookie, and can then say the rest (S-64).

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::http::response::Value;

/// How long a ticket works that a program asked for.
const TICKET_LIFE: Duration = Duration::from_secs(60);

/// The most tickets that wait to be used.
const MOST_TICKETS: usize = 64;

/// 128 random bits.
pub(crate) fn random() -> io::Result<u128> {
    let mut octets = [0; 16];
    getrandom::fill(&mut octets).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(u128::from_ne_bytes(octets))
}

/// 128 random bits in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new() -> io::Result<Secret> {
        random().map(|random| Secret(format!("{random:032x}")))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `text` is the secret. The time it takes does not depend on where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        self.0.len() == text.len() && differing == 0
    }
}

/// A token that opens the session once, and what is shown then.
struct Ticket {
    token: Secret,
    /// The URL to open; `None` for the page to begin with.
    url: Option<String>,
    /// `None` for the one that the program prints.
    until: Option<Instant>,
}

/// The session.
pub(crate) struct Session {
    cookie: Secret,
    form: Secret,
    cookie_name: String,
    tickets: Mutex<VecDeque<Ticket>>,
}

impl Session {
    pub(crate) fn new(port: u16) -> io::Result<Session> {
        Ok(Session {
            cookie: Secret::new()?,
            form: Secret::new()?,
            cookie_name: format!("urlwise-{port}"),
            tickets: Mutex::default(),
        })
    }

    /// A token for the URL. It works once; one for a browser that is started right away does not work for long.
    pub(crate) fn ticket(&self, url: Option<String>, is_short: bool) -> io::Result<Secret> {
        let token = Secret::new()?;
        let until = is_short.then(|| Instant::now() + TICKET_LIFE);
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        if tickets.len() == MOST_TICKETS {
            tickets.pop_front();
        }
        tickets.push_back(Ticket { token: token.clone(), url, until });
        Ok(token)
    }

    /// Uses a token up. The URL it was for, if it works.
    pub(crate) fn redeem(&self, token: &str) -> Option<Option<String>> {
        self.with_ticket(token, |tickets, at| tickets.remove(at).map(|ticket| ticket.url))
    }

    /// The URL a token is for, if it works. It is not used up.
    pub(crate) fn look_up(&self, token: &str) -> Option<Option<String>> {
        self.with_ticket(token, |tickets, at| tickets.get(at).map(|ticket| ticket.url.clone()))
    }

    fn with_ticket<T>(&self, token: &str, then: impl FnOnce(&mut VecDeque<Ticket>, usize) -> Option<T>) -> Option<T> {
        let now = Instant::now();
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.retain(|ticket| ticket.until.is_none_or(|until| now < until));
        let at = tickets.iter().position(|ticket| ticket.token.is(token))?;
        then(&mut tickets, at)
    }

    /// The field that gives a browser the cookie.
    pub(crate) fn set_cookie(&self) -> Option<Value> {
        Value::checked(format!("{}; Path=/; HttpOnly; SameSite=Strict", self.cookie_field()))
    }

    /// The field that a browser sends back.
    pub(crate) fn cookie_field(&self) -> String {
        format!("{}={}", self.cookie_name, self.cookie.as_str())
    }

    /// Whether the field `Cookie` holds the cookie of this session.
    pub(crate) fn knows(&self, cookies: Option<&str>) -> bool {
        let pairs = cookies.unwrap_or_default().split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == self.cookie_name).any(|(_, value)| self.cookie.is(value))
    }

    /// The token that forms carry.
    pub(crate) fn form_token(&self) -> &str {
        self.form.as_str()
    }

    /// Whether a form carried it.
    pub(crate) fn is_form_token(&self, token: Option<&str>) -> bool {
        token.is_some_and(|token| self.form.is(token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_64_a_token_works_once_and_a_short_one_not_for_long() {
        let session = Session::new(8000).expect("random numbers");
        let token = session.ticket(Some("gopher://h/".into()), false).expect("a ticket");
        assert_eq!(token.as_str().len(), 32);
        assert_eq!(session.redeem("0123"), None);
        assert_eq!(session.redeem(&"0".repeat(32)), None);
        for _ in 0..2 {
            assert_eq!(session.look_up(token.as_str()), Some(Some("gopher://h/".to_owned())));
        }
        assert_eq!(session.redeem(token.as_str()), Some(Some("gopher://h/".to_owned())));
        assert_eq!(session.look_up(token.as_str()), None, "it was used");
        assert_eq!(session.redeem(token.as_str()), None, "it was used");
        let short = session.ticket(None, true).expect("a ticket");
        let mut tickets = session.tickets.lock().expect("nobody panicked");
        let until = tickets[0].until.expect("it ends");
        assert!(until <= Instant::now() + TICKET_LIFE);
        tickets[0].until = Some(Instant::now());
        drop(tickets);
        assert_eq!(session.redeem(short.as_str()), None, "it is too late");
    }

    #[test]
    fn security_64_tickets_that_nobody_uses_do_not_pile_up() {
        let session = Session::new(8000).expect("random numbers");
        let first = session.ticket(None, false).expect("a ticket");
        for _ in 0..MOST_TICKETS {
            session.ticket(None, false).expect("a ticket");
        }
        assert_eq!(session.tickets.lock().expect("nobody panicked").len(), MOST_TICKETS);
        assert_eq!(session.redeem(first.as_str()), None);
    }

    #[test]
    fn security_64_only_the_cookie_of_this_session_is_known() {
        let session = Session::new(8000).expect("random numbers");
        let value = session.cookie.as_str();
        for (cookies, is_known) in [
            (format!("urlwise-8000={value}"), true),
            (format!("a=b; urlwise-8000={value}; c=d"), true),
            (format!("urlwise-8000=x; urlwise-8000={value}"), true),
            (format!("urlwise-8001={value}"), false),
            (format!("urlwise-8000={}", &value[1..]), false),
            (format!("urlwise-8000={value}0"), false),
            ("urlwise-8000=".to_owned(), false),
            (value.to_owned(), false),
        ] {
            assert_eq!(session.knows(Some(&cookies)), is_known, "{cookies}");
        }
        assert!(!session.knows(None) && !session.is_form_token(None) && !session.is_form_token(Some(value)));
        assert!(session.is_form_token(Some(session.form_token())));
        let other = Session::new(8000).expect("random numbers");
        assert!(!other.knows(Some(&format!("urlwise-8000={value}"))));
    }
}
