//! The client against real servers, against hostile ones, and against the file system.

mod file;
#[cfg(unix)]
mod ftp;
mod ftp_hostile;
#[cfg(unix)]
mod ftp_tls;
mod gopher;
mod hostile;
mod http;
mod refusals;
mod support;
mod tls;
mod wais;
