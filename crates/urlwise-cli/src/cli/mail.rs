//! The mail options of `get`.

use std::ffi::OsString;

use clap::Args;

/// Options for composing or sending the draft of a mailto URL.
#[derive(Args, Debug)]
#[command(next_help_heading = "Mail")]
pub(crate) struct Mail {
    /// Open the draft in your mail program
    ///
    /// The program is `compose` of your settings, otherwise `xdg-email`, `xdg-open` or the system's URL handler. It gets a URL with
    /// the address, the subject and the body as one argument, without a shell. At a terminal you are asked first.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["saving", "send"])]
    pub(crate) compose: bool,

    /// Send the draft, after asking
    ///
    /// Needs a sender and a server: --from, and --mail-server or --sendmail, or the settings. The mail goes to the address of the
    /// URL only, with the headers From, Date and Message-ID added. It is sent once; --retry does not apply.
    #[arg(long, hide_short_help = true, conflicts_with = "saving")]
    pub(crate) send: bool,

    /// Sender, as `joe@host.example` or `Joe Doe <joe@host.example>`
    #[arg(long, hide_short_help = true, value_name = "ADDRESS", requires = "send")]
    pub(crate) from: Option<String>,

    /// Mail server: `smtps://HOST`, `starttls://HOST` or HOST, `smtp://HOST`
    ///
    /// `smtps` uses TLS on port 465, `starttls` and a bare host use STARTTLS on port 587, `smtp` uses port 25 without TLS. A port
    /// may follow the host and a user name may precede it, as in `smtps://joe@mail.example`; --user and netrc work too, and the
    /// password is asked for. There is no fallback to plain text.
    #[arg(long, hide_short_help = true, value_name = "SERVER", requires = "send", conflicts_with = "sendmail")]
    pub(crate) mail_server: Option<String>,

    /// Send through PROGRAM, which works like sendmail [default: /usr/sbin/sendmail]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "PROGRAM",
        requires = "send",
        num_args = 0..=1,
        require_equals = true
    )]
    pub(crate) sendmail: Option<Option<OsString>>,

    /// Do not ask before sending or opening a draft
    #[arg(long, hide_short_help = true)]
    pub(crate) yes: bool,
}
