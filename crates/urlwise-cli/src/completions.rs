//! `urlwise completions`: generated from the definitions in [`cli`](crate::cli).

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::Outcome;

/// Writes the completions of a shell.
pub(crate) fn show(shell: Shell, out: &mut dyn Write) -> io::Result<Outcome> {
    // Written to memory first: the generators panic if writing fails.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "urlwise", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Fine)
}
