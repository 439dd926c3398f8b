//! NNTP: RFC 1738 sections 3.6 and 3.7 over RFC 3977, with TLS of RFC 4642 and logins of RFC 4643; servers of RFC 977 work too.
//!
//! ```text
//! Connect -> greeting -> [STARTTLS -> StartTls] -> CAPABILITIES -> [MODE READER -> CAPABILITIES]
//!                                                       '-> [STARTTLS -> StartTls] -> [AUTHINFO USER -> PASS]
//!                                                             |      Ask, where there is a user and no password
//!                                                             v
//!   all groups: LIST NEWSGROUPS -> LIST ACTIVE, else LIST ---------------------------------------------.
//!   one group:  GROUP -> [LISTGROUP] -> OVER, else XOVER, else HEAD of each of the last articles ------+-> [QUIT] -> Done
//!   an article: ARTICLE of a Message-ID, or GROUP -> ARTICLE of a number ------------------------------'
//! ```
//!
//! A [`NntpRequest`] is what a URL asks for, in plain octets; [`NntpMachine`] is the machine; an [`NntpItem`] is one group or article of a list.
//!
//! | URL | what is asked for |
//! |---|---|
//! | `nntp://h/group/12` | the article with that number |
//! | `nntp://h/group`, `news:group` | the articles of the group, the newest last |
//! | `news:unique@host` | the article with that Message-ID |
//! | `news:*` | all groups |
//!
//! With TLS on the port of plain NNTP, `STARTTLS` comes before anything else if it is [required](StartTls::Required), and
//! before a login wherever the server offers it. If a server asks for TLS in the middle of the dialogue (483), TLS is started.

mod block;
mod command;
mod list;
mod machine;
mod note;
mod overview;
mod phase;
mod reply;
mod request;
mod settings;

pub use list::Group;
pub use machine::NntpMachine;
pub(crate) use machine::QUIT;
pub use overview::Article;
pub use request::{NntpGoal, NntpLogin, NntpRequest};
pub use settings::{NntpLimits, NntpSettings, StartTls};

/// One line of a list. There may be others: RFC 3977 leaves room for lists of other kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NntpItem {
    /// A group that the server has.
    Group(Group),
    /// An article of the group.
    Article(Box<Article>),
}
