//! Union links: the entries of their targets belong to the requested directory.

use super::link::Link;
use super::object::Object;
use std::collections::VecDeque;
use std::net::SocketAddr;

/// The union links of one listing.
#[derive(Debug, Default)]
pub(super) struct Unions {
    /// The links whose targets are still to be listed.
    pub(super) left: VecDeque<Box<Link>>,
    /// The link whose target is being listed; `None` for the directory itself.
    pub(super) current: Option<Box<Link>>,
    /// All directories listed so far, and how many of them are targets of union links.
    pub(super) listed: Vec<Object>,
    pub(super) count: usize,
    /// The requested directories by the addresses of their servers, since a host may have several names.
    places: Vec<Place>,
}

#[derive(Debug, PartialEq, Eq)]
struct Place {
    server: SocketAddr,
    hsoname: Vec<u8>,
    version: u64,
}

impl Unions {
    /// Whether the directory has been listed already, under any name of its host. If not, it counts as listed now.
    pub(super) fn is_listed_at(&mut self, server: SocketAddr, directory: &Object) -> bool {
        let place = Place { server, hsoname: directory.hsoname.clone(), version: directory.version };
        let is_listed = self.places.contains(&place);
        if !is_listed {
            self.places.push(place);
        }
        is_listed
    }
}
