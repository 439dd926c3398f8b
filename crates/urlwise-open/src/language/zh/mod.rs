//! Chinese: simplified characters, terms of the mainland (D-108), no space beside Latin letters.

mod datagrams;
mod dialogues;
mod errors;
mod finger;
mod ftp;
mod functions;
mod gateway;
mod gopher;
mod http;
mod mail;
mod net;
mod news;
mod notes;
mod plan;
mod policy;
mod probe;
mod prospero;
mod resource;
mod schemes;
mod telnet;
mod wais;

/// All texts of this crate, by the English ones: a file for each subject.
#[rustfmt::skip]
pub(crate) const PHRASES: &[&[(&str, &str)]] = &[
    datagrams::DATAGRAMS,
    dialogues::DIALOGUES,
    errors::ERRORS,
    finger::FINGER,
    ftp::FTP,
    functions::FUNCTIONS,
    gateway::GATEWAY,
    gopher::GOPHER,
    http::HTTP,
    mail::MAIL,
    net::NET,
    news::NEWS,
    notes::NOTES,
    plan::PLAN,
    policy::POLICY,
    probe::PROBE,
    prospero::PROSPERO,
    resource::RESOURCE,
    schemes::SCHEMES,
    telnet::TELNET,
    wais::WAIS,
];
