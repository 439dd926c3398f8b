//! `urlwise man`: the whole manual as one page, made from the definitions in [`cli`](crate::cli).

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::exit::Outcome;

/// Writes the page in roff.
pub(crate) fn show(out: &mut dyn Write) -> io::Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    let page = Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        section(subcommand, out)?;
    }
    page.render_extra_section(out)?;
    page.render_version_section(out)?;
    Ok(Outcome::Fine)
}

/// One command as a section: its sections become subsections, and options that all commands have are left out.
fn section(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_uppercase();
    let own = command.clone().mut_args(|arg| {
        let global = arg.is_global_set();
        arg.hide(global)
    });
    let page = Man::new(own);
    let mut text = Vec::new();
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    page.render_extra_section(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    writeln!(out, ".SH \"{name}\"")?;
    for line in text.lines().filter(|line| !line.starts_with(".ie") && !line.starts_with(".el")) {
        match line.strip_prefix(".SH ") {
            Some(title) => writeln!(out, ".SS {title}")?,
            None => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}
