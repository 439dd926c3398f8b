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

#[cfg(test)]
mod tests {
    use super::{Object, Unions};

    #[test]
    fn a_directory_is_listed_once_at_each_server() {
        let object = |host: &str, hsoname: &[u8], version| Object {
            host: host.to_owned(),
            port: 1525,
            hsoname: hsoname.to_vec(),
            version,
        };
        let [one, other] = ["192.0.2.1:1525", "192.0.2.2:1525"].map(|server| server.parse().expect("an address"));
        let mut unions = Unions::default();
        assert!(!unions.is_listed_at(one, &object("h", b"/a", 0)));
        assert!(unions.is_listed_at(one, &object("another-name-of-h", b"/a", 0)));
        assert!(!unions.is_listed_at(other, &object("h", b"/a", 0)));
        assert!(!unions.is_listed_at(one, &object("h", b"/b", 0)));
        assert!(!unions.is_listed_at(one, &object("h", b"/a", 1)));
        assert!(unions.is_listed_at(other, &object("h", b"/a", 0)));
    }
}
