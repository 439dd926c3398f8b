//! Any octets as `/etc/resolv.conf`: one to three servers are read of it, at the port of DNS, in its order; lines of other kinds change
//! nothing, and what it names is what a setting may name.

use urlwise_open::NameServers;
use urlwise_open::testing::name_servers_in;

pub(crate) fn run(input: &[u8]) {
    let servers = name_servers_in(input);
    let addresses = servers.addresses();
    assert!((1..=3).contains(&addresses.len()) && addresses.iter().all(|address| address.port() == 53));
    let with_others =
        [b"# nameserver 192.0.2.9\nsearch h.dom\n", input, b"\noptions rotate\nnameserver h.dom\n"].concat();
    assert_eq!(name_servers_in(&with_others).addresses(), addresses);
    let setting: Vec<_> = addresses.iter().map(ToString::to_string).collect();
    assert_eq!(NameServers::parse(&setting.join(",")).expect("addresses").addresses(), addresses);
    let written: String = addresses.iter().map(|address| format!("nameserver {}\n", address.ip())).collect();
    assert_eq!(name_servers_in(written.as_bytes()).addresses(), addresses);
}
