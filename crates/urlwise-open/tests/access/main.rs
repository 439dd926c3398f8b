//! The client against real servers, against hostile ones, and against the file system.

mod file;
mod finger;
#[cfg(unix)]
mod ftp;
mod ftp_forms;
mod ftp_hostile;
#[cfg(unix)]
mod ftp_tls;
mod gateways;
mod gopher;
mod gopher_plus;
mod hostile;
mod http;
mod http_compressed;
mod http_fields;
mod http_kept;
mod http_login;
mod http_proxy;
mod http_resume;
#[cfg(all(unix, feature = "mail"))]
mod mail;
#[cfg(all(unix, feature = "mail"))]
mod mail_hostile;
#[cfg(unix)]
mod many;
#[cfg(unix)]
mod nntp;
mod nntp_hostile;
mod openers;
mod pauses;
mod probes;
mod prospero;
#[path = "../gopher/recorded.rs"]
mod recorded;
mod refusals;
#[path = "../gopher/replayed.rs"]
mod replayed;
#[cfg(unix)]
mod stopped;
mod support;
#[cfg(unix)]
mod telnet;
mod telnet_hostile;
mod tls;
mod wais;
mod wais_hostile;
mod watched;
