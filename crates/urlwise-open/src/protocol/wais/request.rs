//! The request of a wais URL (RFC 1738 section 3.9).

use super::document_id::DocumentId;
use super::rest::WaisRest;
use super::settings::WaisSettings;
use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind};
use std::fmt;
use urlwise::{Words, escape_for_display};

changeable!(WaisRequest);

/// The request of a wais URL, in plain octets: nothing is percent-encoded here.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisRequest {
    /// The database. It is sent with every request.
    pub database: Vec<u8>,
    /// What to request from it.
    pub goal: WaisGoal,
    /// Where to resume a document; `None` from its beginning. Of anything else there is nothing to resume.
    pub rest: Option<WaisRest>,
}

/// What to request from a database. There may be others.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaisGoal {
    /// Its source description: a document of type `WSRC`.
    Description,
    /// What is available without a search: the description and the catalog, as hits.
    Help,
    /// The documents that match these words.
    Search(Vec<u8>),
    /// One document.
    Document {
        /// Its type, from the hit: `TEXT`, `GIF`.
        wtype: Vec<u8>,
        /// Its id.
        id: DocumentId,
    },
}

/// Joins several databases in one name.
const JOINER: u8 = 0x1f;

/// The longest database name, in octets, that a message has room for.
const LONGEST_DATABASE: usize = 32 * 1024;

impl WaisRequest {
    /// A request about one database.
    pub fn new(database: impl Into<Vec<u8>>, goal: WaisGoal) -> WaisRequest {
        WaisRequest { database: database.into(), goal, rest: None }
    }

    /// The request of a wais URL; for a database alone, its description.
    ///
    /// ```
    /// use urlwise::{Locator, Url};
    /// use urlwise_open::protocol::wais::{WaisRequest, WaisGoal};
    ///
    /// let url = Url::parse("wais://host.dom/archie?gopher%20client").expect("a wais URL");
    /// let Locator::Wais(wais) = url.locator() else { unreachable!() };
    /// let request = WaisRequest::from_url(wais);
    /// assert_eq!(request.database, b"archie");
    /// assert!(matches!(request.goal, WaisGoal::Search(words) if words == b"gopher client"));
    /// ```
    pub fn from_url(url: urlwise::Wais<'_>) -> WaisRequest {
        let goal = match (url.search(), url.wtype(), url.wpath()) {
            (Some(words), ..) => WaisGoal::Search(words.decode().into_owned()),
            (None, Some(wtype), Some(wpath)) => {
                WaisGoal::Document { wtype: wtype.decode().into_owned(), id: DocumentId::from_wpath(wpath) }
            }
            _ => WaisGoal::Description,
        };
        WaisRequest::new(url.database().decode(), goal)
    }

    /// Refuses what would turn this request into another one (S-4 and S-5).
    pub(super) fn check(&self, settings: &WaisSettings) -> Result<(), Fault> {
        if self.database.len() > LONGEST_DATABASE {
            let what = message!("the database is longer than {count} octets", count = LONGEST_DATABASE);
            return Err(Fault::new(FaultKind::Limit, "S-7", what));
        }
        let refused = |octet: u8, what: Words| {
            let at = self.database.iter().position(|found| *found == octet)?;
            Some(Fault::new(FaultKind::Refused, "RFC 1738 section 3.9", what).octets(&self.database).at(at))
        };
        if let Some(fault) = refused(JOINER, words!("the database contains 1F, which separates two databases")) {
            return Err(fault.with_help(words!("search one database at a time")));
        }
        let what = words!("the database contains `@`, which makes the server forward the request to another host");
        match refused(b'@', what) {
            Some(fault) if !settings.forwarding => Err(fault.with_help(words!("ask that host directly"))),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for WaisRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("WaisRequest");
        debug
            .field("database", &format_args!("{}", escape_for_display(&self.database)))
            .field("goal", &self.goal)
            .field("rest", &self.rest)
            .finish()
    }
}

impl fmt::Debug for WaisGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaisGoal::Description => f.write_str("Description"),
            WaisGoal::Help => f.write_str("Help"),
            WaisGoal::Search(words) => write!(f, "Search({})", escape_for_display(words)),
            WaisGoal::Document { wtype, id } => write!(f, "Document({} {id})", escape_for_display(wtype)),
        }
    }
}
