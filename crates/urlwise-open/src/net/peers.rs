//! Which servers are public: what a redirect or a link may name depends on which server sent it (S-9).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use urlwise::audit::AddressClass;

use crate::policy::{Place, SendingServer};

/// The most hosts that are remembered. A redirect follows the answer that named it, so older ones matter little.
const MOST: usize = 4_096;

/// For each host that was connected to, what its address is for. What a proxy connects to is known only if the host says it itself.
#[derive(Debug, Default)]
pub(crate) struct Peers(Mutex<HashMap<String, AddressClass>>);

impl Peers {
    /// A server was connected to, directly or through a proxy.
    pub(crate) fn saw(&self, host: &str, place: Place) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST {
            hosts.clear();
        }
        hosts.insert(key(host), place.class());
    }

    /// What is known of a host that sent a URL.
    pub(crate) fn sending(&self, host: &str) -> SendingServer {
        SendingServer { class: self.class(host) }
    }

    /// Whether a host, as written in a URL, was last seen at a local address, but not at that of a metadata service.
    pub(crate) fn is_local(&self, host: &str) -> bool {
        self.class(host).is_some_and(|class| !class.is_public() && class != AddressClass::Metadata)
    }

    /// What the address is for at which a host was last seen; `None` if it was not.
    pub(crate) fn class(&self, host: &str) -> Option<AddressClass> {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(&key(host)).copied()
    }
}

fn key(host: &str) -> String {
    host.trim_matches(['[', ']']).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{AddressClass, MOST, Peers};
    use crate::policy::Place;
    use std::net::{IpAddr, Ipv4Addr};

    const PUBLIC: Place = Place::Address(IpAddr::V4(Ipv4Addr::new(8, 8, 8, 8)));

    fn is_public(peers: &Peers, host: &str) -> bool {
        peers.class(host).is_some_and(AddressClass::is_public)
    }

    #[test]
    fn security_9_a_host_is_what_it_was_last() {
        let peers = Peers::default();
        assert!(!is_public(&peers, "h.example") && !peers.is_local("h.example"));
        peers.saw("h.example", PUBLIC);
        peers.saw("::ffff:8.8.8.8", PUBLIC);
        assert!(is_public(&peers, "H.example") && is_public(&peers, "[::ffff:8.8.8.8]"));
        assert!(!peers.is_local("h.example"));
        peers.saw("h.example", Place::Address(Ipv4Addr::LOCALHOST.into()));
        assert!(!is_public(&peers, "h.example") && peers.is_local("H.example"));
        peers.saw("h.example", Place::Address(Ipv4Addr::new(169, 254, 169, 254).into()));
        assert!(!is_public(&peers, "h.example") && !peers.is_local("h.example"));
    }

    #[test]
    fn security_49_only_so_many_hosts_are_remembered() {
        let peers = Peers::default();
        for number in 0..=MOST {
            peers.saw(&number.to_string(), PUBLIC);
        }
        assert!(peers.0.lock().expect("nobody panicked").len() <= MOST);
        assert!(is_public(&peers, &MOST.to_string()));
    }
}
