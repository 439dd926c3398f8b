//! `urlwise man`: the manual as one page, generated from the definitions in [`cli`](crate::cli).

use std::io::{self, Write};

use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::exit::Outcome;

/// Writes the page in roff.
pub(crate) fn show(out: &mut dyn Write) -> io::Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    let page = Man::new(command.clone().mut_args(described));
    page.render_title(out)?;
    page.render_name_section(out)?;
    writeln!(out, ".SH SYNOPSIS")?;
    synopsis(&command, out)?;
    page.render_description_section(out)?;
    writeln!(out, ".SH COMMANDS")?;
    for subcommand in command.get_subcommands() {
        writeln!(out, ".TP")?;
        synopsis(subcommand, out)?;
        writeln!(out, "\\&{}", escaped(&subcommand.get_about().map(ToString::to_string).unwrap_or_default()))?;
    }
    page.render_options_section(out)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        section(subcommand, out)?;
    }
    for (title, lines) in more(&command) {
        verbatim(".SH", &title, &lines, out)?;
    }
    let statuses = command.get_subcommands().flat_map(more).filter(|(title, _)| is_status(title));
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
    let own = command.clone().mut_args(|arg| if is_everywhere(&arg) { arg.hide(true) } else { described(arg) });
    let page = Man::new(own);
    let mut text = b".SH SYNOPSIS\n".to_vec();
    synopsis(command, &mut text)?;
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
    for (title, lines) in more(command).into_iter().filter(|(title, _)| !is_status(title)) {
        verbatim(".SS", &title, &lines, out)?;
    }
    Ok(())
}

/// The forms of a command, one a line: words that are typed are bold, and what stands for others is italic.
fn synopsis(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let usage = command.clone().render_usage().to_string();
    let forms = usage.trim_start_matches("Usage: ").lines().map(str::trim);
    for (index, form) in forms.enumerate() {
        if index > 0 {
            writeln!(out, ".br")?;
        }
        let words = form.split(' ').map(|word| {
            let name = word.trim_end_matches("...");
            let (before, name, after) = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
                Some(name) => ("[", name, "]"),
                None => ("", name, ""),
            };
            let plain = escaped(name.trim_matches(['<', '>']));
            let font = if plain.bytes().any(|octet| octet.is_ascii_lowercase()) { 'B' } else { 'I' };
            format!("{before}\\f{font}{plain}\\fR{after}{}", &word[word.trim_end_matches("...").len()..])
        });
        writeln!(out, "{}", words.collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

/// Whether an option is one of all commands, and described at the top.
fn is_everywhere(arg: &Arg) -> bool {
    arg.is_global_set() || arg.get_id() == "help"
}

/// Of an option that the short help leaves out the page has the description too, also where it is of one line.
fn described(arg: Arg) -> Arg {
    arg.hide_short_help(false)
}

fn is_status(title: &str) -> bool {
    title.starts_with("Exit status")
}

/// What follows a command's options, each paragraph with its title; what is indented continues the one before.
fn more(command: &Command) -> Vec<(String, Vec<String>)> {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut paragraphs: Vec<(String, Vec<String>)> = Vec::new();
    for paragraph in text.split("\n\n") {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        match paragraphs.last_mut() {
            Some((_, before)) if paragraph.starts_with(' ') => {
                before.push(String::new());
                before.extend(lines(paragraph));
            }
            _ => paragraphs
                .extend(paragraph.split_once(":\n").map(|(title, text)| (title.trim().to_owned(), lines(text)))),
        }
    }
    paragraphs
}

/// A section with preformatted lines.
fn verbatim(macro_name: &str, title: &str, lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{macro_name} \"{}\"\n.nf", title.to_uppercase())?;
    for line in lines {
        // `\&` prevents a line from being read as a request.
        writeln!(out, "\\&{}", escaped(line))?;
    }
    writeln!(out, ".fi")
}

/// Text of which roff makes the same characters.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let mut page = Vec::new();
        show(&mut page).unwrap();
        String::from_utf8(page).unwrap().replace("\\-", "-")
    }

    fn section<'p>(page: &'p str, title: &str) -> &'p str {
        let start = page.find(&format!(".SH {title}\n")).expect(title);
        page[start..].split("\n.SH ").next().unwrap()
    }

    /// The long names of the options that a section lists, in alphabetical order. All it lists, operands too, has a description.
    fn listed<'s>(section: &'s str, operands: usize) -> Vec<&'s str> {
        let entries = section.split("\n.TP\n").skip(1);
        let described = entries.map(|entry| {
            let mut lines = entry.lines();
            let head = lines.next().unwrap();
            assert!(lines.next().is_some_and(|line| !line.is_empty()), "no description: {entry}");
            head
        });
        let heads: Vec<&str> = described.collect();
        let name = |head: &'s str| head.split_once("\\fB--")?.1.split_once('\\').map(|(name, _)| name);
        let mut names: Vec<&str> = heads.iter().filter_map(|head| name(head)).collect();
        assert_eq!(heads.len(), names.len() + operands, "{heads:?}");
        names.sort_unstable();
        names
    }

    /// The long names of options, in alphabetical order, and how many other arguments there are.
    fn declared<'a>(arguments: impl Iterator<Item = &'a Arg>) -> (Vec<&'a str>, usize) {
        let (options, operands): (Vec<_>, Vec<_>) =
            arguments.filter(|arg| !arg.is_hide_set()).partition(|arg| arg.get_long().is_some());
        let mut names: Vec<&str> = options.iter().filter_map(|arg| arg.get_long()).collect();
        names.sort_unstable();
        (names, operands.len())
    }

    #[test]
    fn every_option_that_is_not_hidden_is_listed_with_its_description() {
        let page = page();
        let mut command = Cli::command();
        command.build();
        let (names, operands) = declared(command.get_arguments());
        assert_eq!(listed(section(&page, "OPTIONS"), operands), names);
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            let title = format!("\"URLWISE {}\"", command.get_name().to_uppercase());
            let section = section(&page, &title);
            let (names, operands) = declared(command.get_arguments().filter(|arg| !is_everywhere(arg)));
            assert_eq!(listed(section, operands), names, "{title}");
            for hidden in command.get_arguments().filter(|arg| arg.is_hide_set()).filter_map(Arg::get_long) {
                assert!(!section.contains(&format!("--{hidden}\\fR]")), "{title}: --{hidden} in its synopsis");
            }
        }
    }

    #[test]
    fn the_synopsis_has_the_forms_that_the_help_shows() {
        let page = page();
        let expected = "\\fBurlwise\\fR [\\fIOPTIONS\\fR] [\\fIURL\\fR]...\n.br\n\\fBurlwise\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENT\\fR]...";
        assert_eq!(section(&page, "SYNOPSIS").split_once('\n').unwrap().1.split("\n.ie").next().unwrap(), expected);
        let resolve = "\\fBurlwise\\fR \\fBresolve\\fR [\\fIOPTIONS\\fR] \\fIBASE\\fR [\\fIURL\\fR]...\n";
        let check = "\\fBurlwise\\fR \\fBcheck\\fR [\\fIOPTIONS\\fR] [\\fIURL|PATH\\fR]...\n";
        let commands = section(&page, "COMMANDS");
        for (name, form) in [("RESOLVE", resolve), ("CHECK", check)] {
            assert!(
                section(&page, &format!("\"URLWISE {name}\"")).contains(&format!(".SS SYNOPSIS\n{form}")),
                "{name}"
            );
            assert!(commands.contains(&format!(".TP\n{form}\\&")), "{commands}");
        }
        let mut command = Cli::command();
        command.build();
        for command in command.get_subcommands() {
            assert!(commands.contains(&command.get_about().unwrap().to_string()), "{}", command.get_name());
        }
    }

    #[test]
    fn what_follows_the_options_of_a_command_is_in_its_section_but_exit_statuses_are_at_the_end() {
        let page = page();
        let parse = section(&page, "\"URLWISE PARSE\"");
        let at = |text: &str| parse.find(text).unwrap_or_else(|| panic!("{text} is missing"));
        let places =
            [".SS \"NAMES OF COLUMNS\"\n", "  host_kind ", "  With a suffix", "  :decoded ", ".SS \"EXAMPLES\"\n"];
        assert!(places.map(at).is_sorted(), "{parse}");
        assert!(!parse.contains("EXIT STATUS"));
        assert_eq!(page.matches(".SH \"EXIT STATUS OF EXPLAIN AND PARSE\"\n").count(), 1);
    }
}
