//! The options of all commands.

use clap::builder::{EnumValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Args, ValueEnum};
use urlwise::{Language, Profile};

use super::{Cli, Command, Format};

/// Options of all commands.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Grammar to use
    ///
    /// The default is `current` for check, get, guard, ls, vectors and parse with --columns or --template, and `rfc1738` for all
    /// others. Schemes that RFC 1738 does not know, such as https, are explained, repaired and built under `current` unless this
    /// option is given. open and serve always use `current`. Without this option, explain also says how the other profile
    /// differs.
    #[arg(long, global = true, value_enum, value_name = "PROFILE")]
    pub(crate) profile: Option<Grammar>,

    /// Print one JSON object per line
    ///
    /// The file docs/json.md of the sources describes every field.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Show up to 1000 problems of a URL, not only the worst 20
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) all_problems: bool,

    /// Show passwords instead of `***`
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) show_secrets: bool,

    /// Language of messages
    ///
    /// The default is that of the locale (`LC_ALL`, `LC_MESSAGES`, `LANG`), but English for JSON, SARIF, JUnit and GitHub workflow
    /// commands. Codes and names of fields are the same in every language; help and manual are in English.
    #[arg(long, global = true, hide_short_help = true, value_name = "LANGUAGE", value_parser = languages())]
    pub(crate) lang: Option<Language>,

    /// Draw diagrams and reports with ASCII characters only
    ///
    /// The default if the locale (`LC_ALL`, `LC_CTYPE`, `LANG`) is not UTF-8. What `explain` prints and the problems
    /// that `check` draws have escapes for other characters; everything else prints URLs and names as they are. Messages in Japanese and Chinese keep their characters.
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) ascii: bool,

    /// When to use colours
    ///
    /// `auto` means on a terminal unless `NO_COLOR` is set, and elsewhere if `CLICOLOR_FORCE` is set.
    #[arg(long, global = true, hide_short_help = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
}

impl Cli {
    /// An option of those given that the command has no use for.
    pub(crate) fn without_use(&self) -> Option<&'static str> {
        let Options { profile, json, all_problems, show_secrets, .. } = self.options;
        let given = [
            ("--profile", profile.is_some()),
            ("--json", json),
            ("--all-problems", all_problems),
            ("--show-secrets", show_secrets),
        ];
        let has_no_use = match self.command {
            Some(Command::Man | Command::Completions { .. }) => true,
            #[cfg(feature = "serve")]
            Some(Command::Serve(_) | Command::Open(_) | Command::Register(_) | Command::Unregister(_)) => true,
            _ => false,
        };
        given.into_iter().find(|(_, is_given)| has_no_use && *is_given).map(|(name, _)| name)
    }
}

/// The options of all commands that these have no use for, since what they print is no report, or is on a page: hidden here, and
/// refused if they are given.
pub(super) fn without_use() -> [Arg; 4] {
    let flag = |id, long| Arg::new(id).long(long).hide(true).action(ArgAction::SetTrue);
    let profile = Arg::new("profile").long("profile").hide(true).value_parser(EnumValueParser::<Grammar>::new());
    [profile, flag("json", "json"), flag("all_problems", "all-problems"), flag("show_secrets", "show-secrets")]
}

/// The tags of the languages that are built in.
fn languages() -> impl TypedValueParser<Value = Language> {
    let tags = Language::ALL.iter().map(|language| PossibleValue::new(language.tag()).help(language.name()));
    PossibleValuesParser::new(tags).map(|tag| Language::from_tag(&tag).unwrap_or_default())
}

impl Cli {
    /// Whether programs read the output: its language must not depend on the locale.
    pub(crate) fn writes_for_programs(&self) -> bool {
        let is_report = |format: Format| !matches!(format, Format::Human | Format::Markdown);
        match &self.command {
            Some(Command::Check(check)) => check.format.map_or(self.options.json, is_report),
            _ => self.options.json,
        }
    }
}

/// The profiles.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Grammar {
    /// RFC 1738, strictly
    Rfc1738,
    /// RFC 1738 as later RFCs changed it: https and other schemes over TLS, `~`, IPv6 and more
    Current,
}

impl From<Grammar> for Profile {
    fn from(grammar: Grammar) -> Profile {
        match grammar {
            Grammar::Rfc1738 => Profile::Rfc1738,
            Grammar::Current => Profile::Current,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
