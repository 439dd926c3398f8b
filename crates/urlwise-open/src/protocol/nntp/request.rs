//! The request of a news or nntp URL, in plain octets.

use super::command::{argument, message_id};
use crate::language::words;
use crate::protocol::{Fault, FaultKind};
use std::fmt;
use urlwise::{Locator, NewsKind, Url, escape_for_display};

changeable!(NntpRequest);

/// The login.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NntpLogin {
    /// The argument of `AUTHINFO USER`.
    pub user: Vec<u8>,
    /// The argument of `AUTHINFO PASS`; `None` asks a person if the server requires it.
    pub password: Option<Vec<u8>>,
}

impl NntpLogin {
    /// A user, and a password unless a person is to be asked for it.
    pub fn new(user: impl Into<Vec<u8>>, password: Option<Vec<u8>>) -> NntpLogin {
        NntpLogin { user: user.into(), password }
    }
}

impl fmt::Debug for NntpLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let password = self.password.as_ref().map(|_| "***");
        f.debug_struct("NntpLogin")
            .field("user", &escape_for_display(&self.user).to_string())
            .field("password", &password)
            .finish()
    }
}

/// The request of one URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NntpRequest {
    /// The login to use before any request; `None` for no login.
    pub login: Option<NntpLogin>,
    /// What is asked for.
    pub goal: NntpGoal,
    /// Get only the overview of an article.
    pub list: bool,
    /// Find out whether it exists (`STAT`, `GROUP`) and get nothing: no answer begins. Of all groups, whether the server may be
    /// read.
    pub stat: bool,
}

/// What is asked for. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NntpGoal {
    /// The groups on the server.
    Groups {
        /// Only those whose names match this wildmat (RFC 3977 section 4). `None` for all.
        wildmat: Option<Vec<u8>>,
    },
    /// The articles of a group.
    Group {
        /// Its name.
        name: Vec<u8>,
        /// At most this many articles, the newest; `None` for all.
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

impl NntpRequest {
    /// A request without a login.
    pub fn new(goal: NntpGoal) -> NntpRequest {
        NntpRequest { login: None, goal, list: false, stat: false }
    }

    /// The request of a news or nntp URL; `None` for a URL of another scheme. The Message-ID is decoded, because NNTP has no
    /// escapes.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise_open::protocol::nntp::{NntpGoal, NntpRequest};
    ///
    /// let goal = |url: &str| NntpRequest::from_url(&Url::parse(url).expect(url)).map(|request| request.goal);
    ///
    /// let message = NntpGoal::Message { id: b"a/b?c#d%e+f@host.dom".to_vec() };
    /// assert_eq!(goal("news:a%2Fb%3Fc%23d%25e+f@host.dom"), Some(message));
    ///
    /// let number = NntpGoal::Number { group: b"comp.lang.c++".to_vec(), number: b"12".to_vec() };
    /// assert_eq!(goal("nntp://host.dom/comp.lang.c++/12"), Some(number));
    ///
    /// assert_eq!(goal("ftp://host.dom/"), None);
    /// ```
    pub fn from_url(url: &Url<&str>) -> Option<NntpRequest> {
        let goal = match url.locator() {
            Locator::News(news) => match news.kind() {
                NewsKind::All => NntpGoal::Groups { wildmat: None },
                NewsKind::Group(group) => NntpGoal::Group { name: group.into(), last: None },
                NewsKind::Article { unique, host } => {
                    NntpGoal::Message { id: [&unique.decode()[..], b"@", &host.decode()].concat() }
                }
            },
            Locator::Nntp(nntp) => {
                let group = nntp.group().as_bytes().to_vec();
                match nntp.article() {
                    None => NntpGoal::Group { name: group, last: None },
                    Some(number) => NntpGoal::Number { group, number: number.into() },
                }
            }
            _ => return None,
        };
        Some(NntpRequest::new(goal))
    }

    /// Whether the answer is a list.
    pub fn is_list(&self) -> bool {
        self.list || matches!(self.goal, NntpGoal::Groups { .. } | NntpGoal::Group { .. })
    }

    /// Whether all of it may be sent.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match &self.goal {
            NntpGoal::Groups { wildmat: None } => {}
            NntpGoal::Groups { wildmat: Some(wildmat) } => argument(words!("group pattern"), wildmat)?,
            NntpGoal::Group { name, .. } => argument(words!("group"), name)?,
            NntpGoal::Number { group, number } => {
                argument(words!("group"), group)?;
                article_number(number)?;
            }
            NntpGoal::Message { id } => message_id(id)?,
        }
        Ok(())
    }
}

/// The most digits of a number.
const MOST_DIGITS: usize = 16;

fn article_number(number: &[u8]) -> Result<(), Fault> {
    if (1..=MOST_DIGITS).contains(&number.len()) && number.iter().all(u8::is_ascii_digit) {
        return Ok(());
    }
    let what = words!("an article number must be 1 to 16 digits");
    Err(Fault::new(FaultKind::Refused, "RFC 3977 section 9.8", what).octets(number))
}
