//! The client against real servers, against hostile ones, and against the file system.

mod file;
#[cfg(unix)]
mod ftp;
mod ftp_forms;
mod ftp_hostile;
#[cfg(unix)]
mod ftp_tls;
mod gopher;
mod gopher_plus;
mod hostile;
mod http;
mod http_compressed;
mod http_kept;
mod http_login;
mod http_proxy;
mod http_resume;
mod prospero;
#[path = "../gopher/recorded.rs"]
mod recorded;
mod refusals;
#[path = "../gopher/replayed.rs"]
mod replayed;
mod support;
mod tls;
mod wais;
mod watched;
