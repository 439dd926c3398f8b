//! What a news or nntp URL asks for, in plain octets.

use super::command::{argument, message_id};
use crate::protocol::{Fault, FaultKind};
use std::fmt;
use urlwise::{NewsKind, escape_for_display};

/// Who logs in.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Login {
    /// The argument of `AUTHINFO USER`.
    pub user: Vec<u8>,
    /// The argument of `AUTHINFO PASS`; `None` asks a person if the server asks.
    pub password: Option<Vec<u8>>,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let password = self.password.as_ref().map(|_| "***");
        f.debug_struct("Login")
            .field("user", &escape_for_display(&self.user).to_string())
            .field("password", &password)
            .finish()
    }
}

/// One URL, and who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who logs in, before anything is asked for; `None` is nobody.
    pub login: Option<Login>,
    /// What is asked for.
    pub wanted: Wanted,
    /// Of an article only what a list says of it.
    pub list: bool,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The groups that the server has.
    Groups {
        /// Only those whose names match: a wildmat of RFC 3977 section 4. `None` is all of them.
        wildmat: Option<Vec<u8>>,
    },
    /// What a group holds.
    Group {
        /// Its name.
        name: Vec<u8>,
        /// At most so many articles, the newest; `None` is all.
        last: Option<u64>,
    },
    /// An article by its number in a group.
    Number {
        /// The name of the group.
        group: Vec<u8>,
        /// Digits.
        number: Vec<u8>,
    },
    /// An article by its Message-ID.
    Message {
        /// Without `<` and `>`, decoded.
        id: Vec<u8>,
    },
}

impl Request {
    /// A request by nobody in particular.
    pub fn new(wanted: Wanted) -> Request {
        Request { login: None, wanted, list: false }
    }

    /// What a news URL asks for. The Message-ID is decoded: on the wire it has no escapes.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::nntp::{Request, Wanted};
    ///
    /// let url = Url::parse("news:a%2Fb%3Fc%23d%25e+f@host.dom")?;
    /// let Locator::News(news) = url.locator() else { unreachable!() };
    /// assert_eq!(Request::of_news(news).wanted, Wanted::Message { id: b"a/b?c#d%e+f@host.dom".to_vec() });
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn of_news(url: urlwise::News<'_>) -> Request {
        Request::new(match url.kind() {
            NewsKind::All => Wanted::Groups { wildmat: None },
            NewsKind::Group(group) => Wanted::Group { name: group.into(), last: None },
            NewsKind::Article { unique, host } => {
                Wanted::Message { id: [&unique.decode()[..], b"@", &host.decode()].concat() }
            }
        })
    }

    /// What an nntp URL asks for.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::nntp::{Request, Wanted};
    ///
    /// let url = Url::parse("nntp://host.dom/comp.lang.c++/12")?;
    /// let Locator::Nntp(nntp) = url.locator() else { unreachable!() };
    /// let wanted = Wanted::Number { group: b"comp.lang.c++".to_vec(), number: b"12".to_vec() };
    /// assert_eq!(Request::of_nntp(nntp).wanted, wanted);
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn of_nntp(url: urlwise::Nntp<'_>) -> Request {
        let group = url.group().as_bytes().to_vec();
        Request::new(match url.article() {
            None => Wanted::Group { name: group, last: None },
            Some(number) => Wanted::Number { group, number: number.into() },
        })
    }

    /// Whether the answer is a list.
    pub fn is_list(&self) -> bool {
        self.list || matches!(self.wanted, Wanted::Groups { .. } | Wanted::Group { .. })
    }

    /// Whether all of it may be sent.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match &self.wanted {
            Wanted::Groups { wildmat: None } => {}
            Wanted::Groups { wildmat: Some(wildmat) } => argument("group pattern", wildmat)?,
            Wanted::Group { name, .. } => argument("group", name)?,
            Wanted::Number { group, number } => {
                argument("group", group)?;
                article_number(number)?;
            }
            Wanted::Message { id } => message_id(id)?,
        }
        Ok(())
    }
}

/// The most digits of a number, whatever it is.
const MOST_DIGITS: usize = 16;

fn article_number(number: &[u8]) -> Result<(), Fault> {
    if (1..=MOST_DIGITS).contains(&number.len()) && number.iter().all(u8::is_ascii_digit) {
        return Ok(());
    }
    let what = "an article number must be 1 to 16 digits";
    Err(Fault::new(FaultKind::Refused, "RFC 3977 section 9.8", what).octets(number))
}
