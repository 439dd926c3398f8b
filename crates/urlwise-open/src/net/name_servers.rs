//! The name servers of a client.

use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::protocol::setting_shown;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

/// The port of DNS.
const PORT: u16 = 53;
/// Where systems other than Windows name their servers.
const FILE: &str = "/etc/resolv.conf";
/// Of more servers than this the system's resolver asks none either (resolv.conf(5)).
const MOST: usize = 3;

/// Name servers, which are asked in turn until one of them knows. They recurse: they ask others for what they do not know.
///
/// ```
/// use urlwise_open::NameServers;
///
/// let servers = NameServers::parse("192.0.2.53")?;
/// assert_eq!(servers.addresses()[0].to_string(), "192.0.2.53:53");
/// assert_eq!(NameServers::parse("[::1]:5353")?.addresses()[0].port(), 5353);
/// assert!(NameServers::parse("ns.example").is_err());
/// # Ok::<(), urlwise_open::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameServers(Vec<SocketAddr>);

impl NameServers {
    /// One to three servers with commas between: each is `ADDRESS` or `ADDRESS:PORT`, an IPv6 address with a port in brackets. The port
    /// is 53 by default.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if one is not an address, or there are more.
    pub fn parse(text: &str) -> Result<NameServers, Error> {
        let address = |text: &str| {
            let alone = || text.parse::<IpAddr>().map(|address| SocketAddr::new(address, PORT)).ok();
            text.parse().ok().or_else(alone)
        };
        let servers: Option<Vec<_>> = text.split(',').map(address).collect();
        match servers.filter(|servers| servers.len() <= MOST) {
            Some(servers) => Ok(NameServers(servers)),
            None => Err(Error::new(
                ErrorKind::Setting,
                message!("`{text}` is not the address of a name server", text = setting_shown(text)),
            )
            .with_help(words!("write it as in `192.0.2.53`, `192.0.2.53:5353` or `[2001:db8::53]:53`"))),
        }
    }

    /// Those of the system: the first three of `/etc/resolv.conf`, or this machine if that names none.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if the file cannot be read; Windows has none.
    pub fn system() -> Result<NameServers, Error> {
        NameServers::of_file(Path::new(FILE))
    }

    fn of_file(path: &Path) -> Result<NameServers, Error> {
        let text = fs::read(path).map_err(|error| {
            Error::new(
                ErrorKind::Setting,
                message!(
                    "cannot find the name servers: {path}: {cause}",
                    path = path.display().to_string(),
                    cause = system_words(&error)
                ),
            )
            .with_source(error)
        })?;
        Ok(NameServers::of_text(&String::from_utf8_lossy(&text)))
    }

    pub(crate) fn of_text(text: &str) -> NameServers {
        let named = text.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let is_server = words.next() == Some("nameserver");
            let address = words.next().filter(|_| is_server)?;
            // The zone of an address, as in `fe80::1%eth0`, is a name, which is not looked up.
            Some(SocketAddr::new(address.parse().ok()?, PORT))
        });
        let mut servers: Vec<_> = named.take(MOST).collect();
        if servers.is_empty() {
            servers.push(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT));
        }
        NameServers(servers)
    }

    /// Their addresses, in the order in which they are asked; at least one.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::NameServers;
    use std::path::Path;

    #[track_caller]
    fn servers(text: &str, expected: &[&str]) {
        let found: Vec<_> = NameServers::of_text(text).addresses().iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_servers_of_resolv_conf_are_read() {
        servers("# nameserver 192.0.2.9\nsearch x.dom\n nameserver\t192.0.2.1 # one\n", &["192.0.2.1:53"]);
        servers("nameserver ::1\nnameserver x\nnameserver\nnameservers 192.0.2.1\n", &["[::1]:53"]);
        let many: String = (1..9).map(|number| format!("nameserver 192.0.2.{number}\n")).collect();
        servers(&many, &["192.0.2.1:53", "192.0.2.2:53", "192.0.2.3:53"]);
        servers("", &["127.0.0.1:53"]);
    }

    #[test]
    fn addresses_have_ports_or_get_one() {
        let parsed = |text: &str| {
            let servers = NameServers::parse(text).map(|servers| servers.addresses().to_vec());
            servers.map(|servers| servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).ok()
        };
        for (text, expected) in [
            ("192.0.2.1", Some("192.0.2.1:53")),
            ("2001:db8::1", Some("[2001:db8::1]:53")),
            ("[2001:db8::1]:5353,192.0.2.1:54", Some("[2001:db8::1]:5353 192.0.2.1:54")),
            ("192.0.2.1,192.0.2.1,192.0.2.1", Some("192.0.2.1:53 192.0.2.1:53 192.0.2.1:53")),
            ("192.0.2.1,192.0.2.1,192.0.2.1,192.0.2.1", None),
            ("192.0.2.1,", None),
            ("", None),
            ("host.dom", None),
            ("192.0.2.1:x", None),
        ] {
            assert_eq!(parsed(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_a_setting_that_cannot_be_used() {
        let error = NameServers::of_file(Path::new("/nonexistent")).unwrap_err();
        assert!(error.to_string().contains("cannot find the name servers: /nonexistent"), "{error}");
    }
}
