//! The states of the [builders](super): which part was given last, and which may come next.
//!
//! These types hold nothing. Names that a state and a part share mean that the part was given last.

/// Scheme markers: which builder this is.
macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
    )*};
}

markers! {
    /// ftp and ftps.
    Ftp,
    /// http and https.
    Http,
    /// gopher and gophers.
    Gopher,
    /// mailto.
    Mailto,
    /// news and snews.
    News,
    /// nntp and nntps.
    Nntp,
    /// telnet and telnets.
    Telnet,
    /// wais.
    Wais,
    /// file.
    File,
    /// prospero.
    Prospero,
    /// Any other scheme.
    Other,
    /// Nothing was given yet.
    Start,
    /// The user.
    User,
    /// The password.
    Password,
    /// The host.
    Host,
    /// The port.
    Port,
    /// A cwd or a segment: what ends with a `/` as long as nothing follows.
    Path,
    /// The object itself: a name, an item, a database, an hsoname, a group.
    Name,
    /// A search.
    Search,
    /// A Gopher+ string.
    Plus,
    /// A field.
    Field,
    /// The last part that there can be.
    End,
}

/// The scheme has logins (section 3.1, D-26).
pub trait HasLogin: HasPort {}
/// The scheme has a host.
pub trait HasHost {}
/// The scheme has a host with a port.
pub trait HasPort: HasHost {}

/// After this state, `T` may come.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot follow `{Self}` in a URL",
    note = "parts come in the order of the scheme's syntax: user, password, host, port, then the url-path"
)]
pub trait Before<T> {}

/// A URL of the scheme may end in this state.
#[diagnostic::on_unimplemented(
    message = "a URL of `{K}` cannot end with `{Self}`",
    note = "a part that RFC 1738 demands is missing"
)]
pub trait Complete<K> {}

macro_rules! all {
    ($trait:ident: $($name:ident)*) => { $(impl $trait for $name {})* };
}
macro_rules! before {
    ($($state:ident: $($next:ident)*;)*) => { $($(impl Before<$next> for $state {})*)* };
}
macro_rules! complete {
    ($($scheme:ident: $($state:ident)*;)*) => { $($(impl Complete<$scheme> for $state {})*)* };
}

all!(HasLogin: Ftp Telnet Other);
all!(HasPort: Ftp Http Gopher Nntp Telnet Wais Prospero Other);
all!(HasHost: Ftp Http Gopher Nntp Telnet Wais Prospero Other File);

before! {
    Start: User Host;
    User: Password Host;
    Password: Host;
    Host: Port Path Name Search End;
    Port: Path Name Search End;
    Path: Path Name Search;
    Name: Field Plus;
    Search: Plus;
    Field: Field;
}

complete! {
    Ftp: Host Port Name End;
    Http: Host Port Path End;
    Gopher: Host Port Name Search Plus;
    Mailto: End;
    News: End;
    Nntp: Name End;
    Telnet: Host Port;
    Wais: Name End;
    File: Path;
    Prospero: Name Field;
    Other: Host Port End;
}
