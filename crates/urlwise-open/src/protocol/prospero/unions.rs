//! Union links: directories whose entries belong to the one asked for.

use super::link::Link;
use super::object::Object;
use std::collections::VecDeque;
use std::net::SocketAddr;

/// The directories of one listing.
#[derive(Debug, Default)]
pub(super) struct Unions {
    /// Links that are still to be listed.
    pub(super) left: VecDeque<Box<Link>>,
    /// The one that is being listed, if it is not the directory itself.
    pub(super) current: Option<Box<Link>>,
    /// All that have been listed, and how many of them belonged to another.
    pub(super) listed: Vec<Object>,
    pub(super) count: usize,
    /// Those that have been asked for, by the addresses of their servers: one host may have several names.
    places: Vec<Place>,
}

#[derive(Debug, PartialEq, Eq)]
struct Place {
    server: SocketAddr,
    hsoname: Vec<u8>,
    version: u64,
}

impl Unions {
    /// Whether the directory has been listed, under this name or another of its host. If not, it is now.
    pub(super) fn is_listed_at(&mut self, server: SocketAddr, directory: &Object) -> bool {
        let place = Place { server, hsoname: directory.hsoname.clone(), version: directory.version };
        let is_listed = self.places.contains(&place);
        if !is_listed {
            self.places.push(place);
        }
        is_listed
    }
}
