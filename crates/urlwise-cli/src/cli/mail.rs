//! The options of `get` about mail.

use std::ffi::OsString;

use clap::Args;

/// What becomes of the draft that a mailto URL makes; without any of them it is shown, or saved as a message file.
#[derive(Args, Debug)]
#[command(next_help_heading = "What becomes of mail")]
pub(crate) struct Mail {
    /// Hand the URL of a draft to your mailer, as one argument and without a shell
    ///
    /// The mailer is what the settings name, else `xdg-email`, `xdg-open`, or what the system opens URLs with. What it gets is
    /// the address, the subject and the body, and nothing else. At a terminal you are asked first.
    #[arg(long, conflicts_with_all = ["saving", "send"])]
    pub(crate) compose: bool,

    /// Send the draft as a mail, after a question
    ///
    /// It needs a sender and a way: --from, and --mail-server or --sendmail, or the settings. It goes to the one address of the
    /// URL, with the headers From, Date and Message-ID beside those of the URL. It is sent once: --retry is not for mail.
    #[arg(long, conflicts_with = "saving")]
    pub(crate) send: bool,

    /// Send as ADDRESS, `joe@host.example` or `Joe Doe <joe@host.example>`
    #[arg(long, value_name = "ADDRESS", requires = "send")]
    pub(crate) from: Option<String>,

    /// Send by SERVER: `smtps://HOST` (TLS, port 465), `starttls://HOST` or HOST (587), `smtp://HOST` (no TLS, 25)
    ///
    /// A port may follow the host. Who logs in stands before it, as in `smtps://joe@mail.example`, or is said by --user or netrc;
    /// the password is asked for. TLS that is not there is never done without.
    #[arg(long, value_name = "SERVER", requires = "send", conflicts_with = "sendmail")]
    pub(crate) mail_server: Option<String>,

    /// Send by a program of this machine that takes mail as sendmail does; `/usr/sbin/sendmail` if none is named
    #[arg(
        long,
        value_name = "PROGRAM",
        requires = "send",
        num_args = 0..=1,
        require_equals = true
    )]
    pub(crate) sendmail: Option<Option<OsString>>,

    /// Do not ask before a draft is sent or handed on
    #[arg(long)]
    pub(crate) yes: bool,
}
