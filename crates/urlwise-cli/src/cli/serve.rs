//! The options of `serve`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory};

use urlwise_explain::secret;

use super::Cli;
use super::duration::duration;
use super::opening::Opening;

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  urlwise serve
  urlwise serve --no-browser --port 8070
  urlwise serve --files --idle 8h
  urlwise serve --allow local-from-public --news-server localhost

Exit status of serve:
  0  it ended after the time of --idle without a request
  2  it could not start: a wrong option, a port in use
";

/// The arguments of `serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// URL to show first
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Print the address, and start no browser
    #[arg(long)]
    pub(crate) no_browser: bool,

    /// Listen on this port of loopback [default: a random one]
    ///
    /// With a port of your choice, the page `/handlers` lets you register the gateway in your browser, for links to ftp, news and nntp
    /// URLs.
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,

    /// End after that time without a request, as in `8h`
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    pub(crate) idle: Duration,

    /// Open file URLs too
    ///
    /// Files and folders of this machine are then shown in the browser. Without this option no page and no menu can name one.
    #[arg(long)]
    pub(crate) files: bool,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// The options of `get` among those of `serve`. Logins of pages come from a netrc file alone, so there is no `--user`. Pages have limits
/// where `get` has none.
pub(super) fn with_pages(arg: Arg) -> Arg {
    match arg.get_long() {
        Some("user") => arg.hide(true),
        Some("last") => arg.help("List only the newest COUNT articles of a group [default: 1000]"),
        Some("max-size") => arg.help("Maximum size of a document, as in `10M` [default: 1G]"),
        Some("max-time") => arg.help("Maximum time for one URL, as in `2m` [default: 1h]").long_help(None::<&str>),
        _ => arg,
    }
}

/// An option of the command line, as words that give it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// Its long name.
    pub(crate) name: String,
    /// The option with its values. Passwords and the values of header fields are masked.
    pub(crate) words: Vec<String>,
    /// Whether it is about news alone.
    pub(crate) is_of_news: bool,
}

/// The options of this process's command line that all of these commands have.
pub(crate) fn given(commands: &[&str]) -> Vec<Given> {
    given_in(std::env::args_os(), commands)
}

fn given_in(arguments: impl Iterator<Item = OsString>, commands: &[&str]) -> Vec<Given> {
    let cli = Cli::command();
    let Ok(matches) = cli.clone().try_get_matches_from(arguments) else { return Vec::new() };
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let has = |command: &Command, arg: &&Arg| command.get_arguments().any(|other| other.get_long() == arg.get_long());
    let all_have =
        |arg: &&Arg| commands.iter().filter_map(|name| cli.find_subcommand(name)).all(|command| has(command, arg));
    let own = cli.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    own.filter(all_have).filter_map(|arg| one(arg, matches)).collect()
}

fn one(arg: &Arg, matches: &ArgMatches) -> Option<Given> {
    let (name, id) = (arg.get_long()?, arg.get_id().as_str());
    // What it prints is not on the page.
    if name == "verbose" || matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    let option = ["--", name].concat();
    let is_path = matches!(matches.try_get_many::<PathBuf>(id), Ok(Some(_)));
    let values = matches.get_raw(id).into_iter().flatten().filter(|_| arg.get_action().takes_values());
    let mut words: Vec<String> = values.flat_map(|value| [option.clone(), word(name, value, is_path)]).collect();
    if words.is_empty() {
        words.push(option);
    }
    Some(Given { name: name.into(), words, is_of_news: arg.get_help_heading() == Some("News") })
}

/// A value. The command may be typed in another folder, so paths are absolute.
fn word(name: &str, value: &OsStr, is_path: bool) -> String {
    let absolute =
        |path: &OsStr| std::path::absolute(path).unwrap_or_else(|_| path.into()).to_string_lossy().into_owned();
    let text = value.to_string_lossy();
    match text.strip_prefix('@').filter(|_| name == "header") {
        _ if is_path => absolute(value),
        Some(file) => ["@", &absolute(OsStr::new(file))].concat(),
        None if name == "header" => {
            text.split_once(':').map_or(text.clone().into_owned(), |(field, _)| format!("{field}: ***"))
        }
        None => secret::covered_option(&text).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::given_in;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn words(arguments: &str) -> String {
        let arguments = arguments.split(' ').map(Into::into);
        let words: Vec<_> = given_in(arguments, &["ls", "get"]).into_iter().flat_map(|given| given.words).collect();
        words.join(" ")
    }

    #[test]
    fn the_limits_that_the_help_names_are_those_of_the_gateway() {
        let limits = urlwise_serve::Options::default();
        let (last, size, time) = (limits.call.last, limits.client.max_size, limits.client.timeout);
        assert_eq!((last, size, time.map(|time| time.as_secs())), (Some(1000), Some(1 << 30), Some(3600)));
        let cli = Cli::command();
        let serve = cli.find_subcommand("serve").unwrap();
        for (name, default) in
            [("last", "[default: 1000]"), ("max-size", "[default: 1G]"), ("max-time", "[default: 1h]")]
        {
            let arg = serve.get_arguments().find(|arg| arg.get_long() == Some(name)).unwrap();
            assert!(arg.get_help().unwrap().to_string().ends_with(default), "{name}");
        }
    }

    #[test]
    fn options_are_given_again_if_the_commands_have_them() {
        assert_eq!(words("urlwise serve --no-browser --port 8017 --idle 8h --files -v gopher://h.example/"), "");
        assert_eq!(
            words("urlwise serve --allow port-foreign --no-proxy --allow=local-from-public --news-server h --last 20"),
            "--allow port-foreign --allow local-from-public --no-proxy --news-server h --last 20"
        );
    }

    #[test]
    fn paths_are_absolute_and_secrets_are_masked() {
        let here = std::env::current_dir().unwrap().display().to_string();
        assert_eq!(words("urlwise serve --netrc-file a/b"), format!("--netrc-file {here}/a/b"));
        assert_eq!(words("urlwise serve -H @fields"), format!("--header @{here}/fields"));
        assert_eq!(words("urlwise serve -H X-Key:s3cret"), "--header X-Key: ***");
        assert_eq!(
            words("urlwise serve --proxy http://joe:s3cret@h.example:8080/"),
            "--proxy http://joe:***@h.example:8080/"
        );
        assert_eq!(words("urlwise serve --proxy joe:s3cret@h.example:8080"), "--proxy joe:***@h.example:8080");
    }
}
