//! Any octets before a guard: the verdict is the same each time, a reader alone refuses no more of what it reads than all do, what is
//! refused stays refused when addresses are looked up, and no reason has control characters.

use crate::text::is_clean;
use std::net::{IpAddr, Ipv4Addr};
use urlwise::Profile;
use urlwise_readings::guard::Guard;

const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(1, 1, 1, 1));
const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

pub(crate) fn run(octets: &[u8]) {
    for &profile in Profile::ALL {
        let guard = Guard::new().profile(profile);
        let verdict = guard.check(octets);
        assert!(verdict.reasons().iter().all(|reason| is_clean(reason)));
        assert_eq!(verdict.is_ok(), verdict.reasons().is_empty());
        for (reader, host) in verdict.hosts().filter(|_| verdict.is_ok()) {
            let alone = guard.clone().readers(&[reader]).check(octets);
            assert!(alone.is_ok() || host.is_none(), "{reader:?} alone refuses what all allow");
        }
        for address in [PUBLIC, PRIVATE] {
            let mut asked = false;
            let resolved = guard.check_resolved(octets, |_, _| {
                asked = true;
                Ok::<_, String>(vec![address])
            });
            assert!(!asked || verdict.is_ok(), "a name is looked up of what is refused");
            assert_eq!(resolved.is_ok(), verdict.is_ok() && !(asked && address == PRIVATE));
            if resolved.is_ok() && asked {
                assert_eq!(resolved.addresses(), Some(&[address][..]));
            }
        }
    }
}
