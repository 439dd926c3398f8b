//! `urlwise man`: the manual as one page, generated from the definitions in [`cli`](crate::cli).

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
    for (title, lines) in more(&command) {
        verbatim(".SH", &title, &lines, out)?;
    }
    let statuses = command.get_subcommands().flat_map(more).filter(|(title, _)| title.starts_with("Exit status"));
    // Several commands may share one section.
    let mut written: Vec<String> = more(&command).into_iter().map(|(title, _)| title).collect();
    for (title, lines) in statuses {
        if !written.contains(&title) {
            verbatim(".SH", &title, &lines, out)?;
            written.push(title);
        }
    }
    page.render_version_section(out)?;
    Ok(Outcome::Fine)
}

/// One command as a section: its sections become subsections, and global options are left out.
fn section(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_uppercase();
    let own = command.clone().mut_args(|arg| {
        let everywhere = arg.is_global_set() || arg.get_id() == "help";
        arg.hide(everywhere)
    });
    let page = Man::new(own);
    let mut text = Vec::new();
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    writeln!(out, ".SH \"{name}\"")?;
    for line in String::from_utf8_lossy(&text).lines() {
        match line.strip_prefix(".SH ") {
            Some(title) => writeln!(out, ".SS {title}")?,
            None => writeln!(out, "{line}")?,
        }
    }
    // Exit statuses come at the end, once for all commands that share them.
    for (title, lines) in more(command).into_iter().filter(|(title, _)| title.starts_with("Examples")) {
        verbatim(".SS", &title, &lines, out)?;
    }
    Ok(())
}

/// The paragraphs after a command's options, each with its title.
fn more(command: &Command) -> Vec<(String, Vec<String>)> {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let paragraphs = text.split("\n\n").filter_map(|paragraph| {
        let (title, lines) = paragraph.split_once(":\n")?;
        Some((title.trim().to_owned(), lines.lines().map(str::to_owned).collect()))
    });
    paragraphs.collect()
}

/// A section with preformatted lines.
fn verbatim(macro_name: &str, title: &str, lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{macro_name} \"{}\"\n.nf", title.to_uppercase())?;
    for line in lines {
        // `\&` prevents a line from being read as a request.
        writeln!(out, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq"))?;
    }
    writeln!(out, ".fi")
}
