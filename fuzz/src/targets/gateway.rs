//! Any template of a gateway and any URLs: what leads through it is a URL, its host and port are those of the template, whatever the
//! URL is, unless the template asks for the URL's; and what is said about a template that is refused is clean.
//!
//! The input is: the scheme, then the template and two URLs, parted by LF.

use crate::text::is_clean;
use urlwise::{Profile, Url};
use urlwise_open::Gateways;

const SCHEMES: &[&str] = &["wais", "gopher", "ftp", "prospero", "news", "x-y", "http", "mailto"];

pub(crate) fn run(input: &[u8]) {
    let [scheme, rest @ ..] = input else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let mut lines = text.splitn(3, '\n');
    let scheme = SCHEMES[usize::from(*scheme) % SCHEMES.len()];
    let mut gateways = Gateways::default();
    let template = lines.next().unwrap_or_default();
    if let Err(error) = gateways.route(scheme, template) {
        assert!(is_clean(&error));
        return;
    }
    let mut led = Vec::new();
    for rest in lines {
        let Ok(url) = Url::parse_with(format!("{scheme}:{rest}"), Profile::Current) else { continue };
        match gateways.lead(&url) {
            Ok(Some(target)) => {
                assert!(Url::parse_with(target.as_str(), Profile::Current).is_ok(), "{target}");
                led.push(target);
            }
            Ok(None) => panic!("{scheme} has a gateway"),
            Err(error) => assert!(is_clean(&error)),
        }
    }
    let is_fixed = !["host}", "port}"].iter().any(|variable| template.contains(variable));
    if let ([one, other], true) = (&led[..], is_fixed) {
        let place = |url: &Url<String>| {
            let host = url.host().map(|host| host.as_str().to_owned());
            (url.scheme_name().to_owned(), host, url.port_or_default())
        };
        assert_eq!(place(one), place(other));
    }
}
