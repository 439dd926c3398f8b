//! The targets, by name. Each file says what it proves, and what its input is.

mod ardp;
mod article;
mod cache;
mod columns;
mod comments;
mod diff;
mod dns;
mod find;
mod finger;
mod ftp;
mod gateway;
mod gopher;
mod guard;
mod gzip;
mod http;
mod ignored;
mod links;
mod mail;
mod many;
mod names;
mod netrc;
mod nntp;
mod parse;
mod partial;
mod probes;
mod prospero;
mod proxies;
mod readings;
mod repair;
mod requests;
mod resolv;
mod robots;
mod settings;
mod smtp;
mod stored;
mod telnet;
mod wais;
mod whole;

/// A target: it panics if what it proves is not true of an input.
pub type Target = fn(&[u8]);

/// All targets, in the order of their names. Each has a dictionary in `fuzz/dicts`.
#[rustfmt::skip]
pub const ALL: &[(&str, Target)] = &[
    ("ardp", ardp::run),
    ("article", article::run),
    ("cache", cache::run),
    ("columns", columns::run),
    ("comments", comments::run),
    ("diff", diff::run),
    ("dns", dns::run),
    ("find", find::run),
    ("finger", finger::run),
    ("ftp", ftp::run),
    ("gateway", gateway::run),
    ("gopher", gopher::run),
    ("guard", guard::run),
    ("gzip", gzip::run),
    ("http", http::run),
    ("ignored", ignored::run),
    ("links", links::run),
    ("mail", mail::run),
    ("many", many::run),
    ("names", names::run),
    ("netrc", netrc::run),
    ("nntp", nntp::run),
    ("parse", parse::run),
    ("partial", partial::run),
    ("probes", probes::run),
    ("prospero", prospero::run),
    ("proxies", proxies::run),
    ("readings", readings::run),
    ("repair", repair::run),
    ("requests", requests::run),
    ("resolv", resolv::run),
    ("robots", robots::run),
    ("settings", settings::run),
    ("smtp", smtp::run),
    ("stored", stored::run),
    ("telnet", telnet::run),
    ("wais", wais::run),
    ("whole", whole::run),
];

/// The target of this name.
pub fn named(name: &str) -> Option<Target> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}
