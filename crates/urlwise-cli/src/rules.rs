//! Which problems and findings are reported and at which level, and the page of each.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use urlwise::audit::{self, Audit, Rule, Severity};
use urlwise::{Citation, Language, Level, ProblemCode, Profile, Scheme, problem_codes};

pub(crate) mod links;
mod summaries;

use links::{DECISION, LINK_RULES, LinkRule};
use urlwise_explain::secret;
use urlwise_settings::{Config, Threshold};

use crate::cli::Check;
use crate::exit::Failure;
use crate::language::{about, language, message, said};

/// What to report.
#[derive(Debug)]
pub(crate) struct Rules {
    /// For everything that is not in `settings`.
    rest: Reported,
    settings: HashMap<&'static str, Setting>,
}

/// Whether a problem or finding is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reported {
    Never,
    /// As an error or a warning.
    UnlessNote,
    Always,
}

#[derive(Clone, Copy, Debug)]
struct Setting {
    reported: Reported,
    level: Option<Level>,
}

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the command line, or in a list of URLs.
    List,
    /// In a text, among words.
    Text,
    /// In a document, as a relative link: only its errors are reported, since its author chose neither scheme nor host.
    Relative,
}

/// What is reported only if it is selected, and where: it is true of too many good links (D-100).
const UNLESS_SELECTED: &[(&str, &[Place])] = &[
    ("host-local", &[Place::Text]),
    ("port-nondefault", &[Place::Text]),
    ("scheme-sibling", &[Place::List, Place::Text]),
];

/// What an argument of `--select`, `--ignore` or `--explain` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    All,
    One(&'static str),
}

impl Rules {
    /// From the command line and the configuration file. `--select` replaces the file's selection, `--ignore` adds to it. What makes the
    /// run fail is reported, down to notes.
    pub(crate) fn new(check: &Check, config: &Config, fail_on: Threshold) -> Result<Rules, Failure> {
        let options = |option: &str, names: &[String]| {
            let named: Result<Vec<_>, _> = names.iter().map(|name| named(name)).collect();
            named.map_err(|message| Failure::Input(about(option, message)))
        };
        let selected = match check.select.as_slice() {
            [] => config.select(named)?,
            names => Some(options("--select", names)?),
        };
        let notes = check.notes || config.notes() || fail_on == Threshold::Note;
        let rest = match (&selected, notes) {
            (Some(names), _) if !names.contains(&Named::All) => Reported::Never,
            (None, false) => Reported::UnlessNote,
            _ => Reported::Always,
        };
        let mut rules = Rules { rest, settings: HashMap::new() };
        for (name, severity) in config.severities(named)? {
            let level = match severity {
                urlwise_settings::Severity::Error => Some(Level::Error),
                urlwise_settings::Severity::Warning => Some(Level::Warning),
                urlwise_settings::Severity::Note => Some(Level::Note),
                urlwise_settings::Severity::Off => None,
            };
            rules.set(name, |setting| match level {
                Some(level) => setting.level = Some(level),
                None => setting.reported = Reported::Never,
            });
        }
        for name in selected.into_iter().flatten() {
            rules.set(name, |setting| setting.reported = Reported::Always);
        }
        let ignored = config.ignore(named)?.into_iter().chain(options("--ignore", &check.ignore)?);
        for name in ignored {
            rules.set(name, |setting| setting.reported = Reported::Never);
        }
        Ok(rules)
    }

    fn set(&mut self, name: Named, change: impl Fn(&mut Setting)) {
        let rest = Setting { reported: self.rest, level: None };
        match name {
            Named::One(id) => change(self.settings.entry(id).or_insert(rest)),
            Named::All => ids().for_each(|id| change(self.settings.entry(id).or_insert(rest))),
        }
    }

    fn setting(&self, id: &str, place: Place) -> Setting {
        let is_silent = UNLESS_SELECTED.iter().any(|(silent, places)| *silent == id && places.contains(&place));
        let reported = if is_silent { Reported::Never } else { self.rest };
        self.settings.get(id).copied().unwrap_or(Setting { reported, level: None })
    }

    /// The audit without the silenced rules, so that another rule can report the same octets.
    pub(crate) fn audit(&self, place: Place) -> Audit {
        let mut audit = Audit::new();
        for rule in audit::RULES {
            let setting = self.setting(rule.id, place);
            let severity = setting.level.map(|level| match level {
                Level::Error => Severity::High,
                Level::Warning => Severity::Medium,
                Level::Note => Severity::Low,
            });
            if setting.reported == Reported::Never || severity.is_some() {
                // The identifier comes from the table, so it is known.
                let _ = audit.set(rule.id, severity.filter(|_| setting.reported != Reported::Never));
            }
        }
        audit
    }

    /// Whether a problem or finding is selected or given a severity, by name or by `all`.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.settings.contains_key(id)
    }

    /// Whether only `--notes` is missing to report it.
    pub(crate) fn hides(&self, id: &str, level: Level, place: Place) -> bool {
        let setting = self.setting(id, place);
        place != Place::Relative
            && setting.reported == Reported::UnlessNote
            && setting.level.unwrap_or(level) == Level::Note
    }

    /// Whether it is reported of texts at some level.
    pub(crate) fn is_reported(&self, id: &str) -> bool {
        self.setting(id, Place::Text).reported == Reported::Always
            || self.level(id, Level::Error, Place::Text).is_some()
    }

    /// The level to report at; `None` if it is not reported.
    pub(crate) fn level(&self, id: &str, level: Level, place: Place) -> Option<Level> {
        if place == Place::Relative && level != Level::Error {
            return None;
        }
        let setting = self.setting(id, place);
        let level = setting.level.unwrap_or(level);
        match setting.reported {
            Reported::Never => None,
            Reported::UnlessNote => (level != Level::Note).then_some(level),
            Reported::Always => Some(level),
        }
    }
}

/// All problem codes, audit rules and rules about links.
pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
    let rules = audit::RULES.iter().map(|rule| rule.id);
    problem_codes().map(|code| code.code).chain(rules).chain(LINK_RULES.iter().map(|rule| rule.id))
}

/// The code or rule of a name or number. Texts of others may ask for one at every second octet.
pub(crate) fn id(name: &str) -> Option<&'static str> {
    static IDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ids().collect());
    let numbered = || audit::RULES.iter().find(|rule| rule.number.eq_ignore_ascii_case(name)).map(|rule| rule.id);
    IDS.get(name).copied().or_else(numbered)
}

/// Looks up a name. The error suggests a similar one.
fn named(name: &str) -> Result<Named, String> {
    if name == "all" {
        return Ok(Named::All);
    }
    if let Some(id) = id(name) {
        return Ok(Named::One(id));
    }
    let distance = |id: &str| strsim::damerau_levenshtein(id, name);
    let near = ids().map(|id| (distance(id), id)).min().filter(|(distance, _)| *distance <= name.len() / 3);
    let shown = secret::masked_option(name);
    // Every entry of the book of risks is a rule.
    if key(name).is_some_and(|(book, _)| book != 'E') {
        return Err(said!("`{name}` is no rule or code; run `urlwise explain {name}` to read it", name = shown));
    }
    Err(match near {
        Some((_, id)) => said!("unknown rule or code `{name}`; did you mean `{near}`?", name = shown, near = id),
        None => said!("unknown rule or code `{name}`; run `urlwise check --explain all` to list them", name = shown),
    })
}

/// The letter and the value of a number such as `D-31`, which names an entry of the rule books.
pub(crate) fn key(name: &str) -> Option<(char, u32)> {
    let (letter, digits) = name.split_once('-')?;
    let letter = match letter {
        "D" | "d" => 'D',
        "E" | "e" => 'E',
        "S" | "s" => 'S',
        _ => return None,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    // A number that overflows is not in a book either.
    is_number.then(|| (letter, digits.parse().unwrap_or(u32::MAX)))
}

/// The description of a code, a rule, or both if they share a name.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) id: &'static str,
    /// `E-03`, `D-10`; empty if there is no decision.
    pub(crate) number: &'static str,
    /// Under the profile `rfc1738`.
    pub(crate) level: Level,
    /// One line.
    pub(crate) title: String,
    /// The whole page.
    pub(crate) text: String,
}

/// Every page, in the order of the tables, with unique names.
pub(crate) fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = problem_codes().map(|code| page_of_code(&code)).collect();
    for rule in audit::RULES {
        let page = page_of_rule(rule);
        match pages.iter_mut().find(|page| page.id == rule.id) {
            Some(first) => first.text = format!("{}\n{}", first.text, page.text),
            None => pages.push(page),
        }
    }
    pages.extend(LINK_RULES.iter().map(page_of_link_rule));
    pages
}

fn page_of_link_rule(rule: &LinkRule) -> Page {
    let LinkRule { id, level, when, help } = rule;
    let language = language();
    let head = said!("{code}: {level} ({source})", code = *id, level = level.name_in(language), source = DECISION);
    let (condition, help) = (said!("Reported if {when}.", when = *when), sentence_of(&help.get(language)));
    let text = format!("{head}\n\n{condition}\n\n{help}\n");
    Page { id, number: DECISION, level: *level, title: when.get(language).into(), text }
}

fn page_of_rule(rule: &Rule) -> Page {
    Page {
        id: rule.id,
        number: rule.number,
        level: rule.severity.level(),
        title: rule.when_in(language()).into(),
        text: rule.display_in(language()).to_string().trim_end().to_owned() + "\n",
    }
}

fn page_of_code(code: &ProblemCode) -> Page {
    let language = language();
    let level = code.level(Profile::Rfc1738);
    let [strict, lenient] = [Profile::Rfc1738, Profile::Current].map(|profile| code.level(profile).name_in(language));
    let levels = match strict == lenient {
        true => strict.into_owned(),
        false => {
            let [first, second] = [Profile::Rfc1738, Profile::Current].map(Profile::name);
            let message = message!(
                "{strict} under {first}, {lenient} under {second}",
                strict = strict,
                first = first,
                lenient = lenient,
                second = second
            );
            message.into_text(language)
        }
    };
    let source = Citation::new(code.section, code.decision).display_in(language).to_string();
    let source = said!("RFC 1738 {citation}", citation = source);
    let mut text = said!("{code}: {level} ({source})", code = code.code, level = levels, source = source) + "\n";
    // Placeholders are filled in only for a URL at hand.
    let message =
        summaries::message(code.code).map_or_else(|| code.message_in(language), |summary| summary.get(language));
    let help = match summaries::help(code.code) {
        Some(summary) => summary.get(language),
        None if code.help == "{help}" => "".into(),
        None => code.help_in(language),
    };
    let sentences = [message, help].map(|template| template.replace('{', "<").replace('}', ">"));
    for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
        text += &format!("\n{}\n", sentence_of(sentence));
    }
    let [title, _] = sentences;
    Page { id: code.code, number: code.decision.unwrap_or_default(), level, title, text }
}

/// A template as a sentence. A question has its own mark at its end.
fn sentence_of(template: &str) -> String {
    let begun = begun(template);
    match begun.ends_with(['?', '？']) {
        true => begun,
        false => said!("{sentence}.", sentence = begun),
    }
}

/// A template as the beginning of a sentence; in English with a capital letter, but for names of schemes, which are lower case.
fn begun(template: &str) -> String {
    let first = template.split(' ').next().unwrap_or_default();
    let is_name = Scheme::from_name(first.as_bytes(), Profile::Current) != Scheme::Other;
    let mut chars = template.chars();
    match chars.next() {
        Some(c) if language() == Language::En && !is_name => c.to_uppercase().chain(chars).collect(),
        _ => template.to_owned(),
    }
}

/// The index of a page in [`pages`].
pub(crate) fn index(id: &str) -> Option<usize> {
    static INDEX: LazyLock<HashMap<&str, usize>> =
        LazyLock::new(|| pages().iter().enumerate().map(|(index, page)| (page.id, index)).collect());
    INDEX.get(id).copied()
}

/// The page of a rule or code, or for `all` one line each.
pub(crate) fn page(name: &str) -> Result<String, Failure> {
    let named = named(name).map_err(|message| Failure::Input(about("--explain", message)))?;
    let pages = pages();
    Ok(match named {
        Named::All => pages
            .iter()
            .map(|Page { id, number, level, title, .. }| format!("{id:24} {number:5} {level:8} {title}\n"))
            .collect(),
        Named::One(id) => pages.into_iter().filter(|page| page.id == id).map(|page| page.text).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_and_rule_is_found_by_id_and_number() {
        for id in ids() {
            assert_eq!(named(id), Ok(Named::One(id)));
        }
        assert_eq!(named("e-03"), Ok(Named::One("port-foreign")));
        assert_eq!(named("all"), Ok(Named::All));
    }

    #[test]
    fn what_is_reported_only_if_selected_exists() {
        for (id, _) in UNLESS_SELECTED {
            assert_eq!(named(id), Ok(Named::One(id)));
        }
    }

    #[test]
    fn no_page_has_a_placeholder_for_what_is_wrong_instead_of_saying_it() {
        for page in pages() {
            for hole in ["<detail>", "<help>", "<>"] {
                assert!(!page.title.contains(hole) && !page.text.contains(hole), "{}", page.text);
            }
            assert!(!page.title.is_empty());
            // What stands for a word must be between backticks, where it stands for what was written.
            for line in page.text.lines() {
                let outside: String = line.split('`').step_by(2).collect();
                assert!(!outside.contains('<'), "{line}");
                assert!(!line.ends_with("?."), "{line}");
            }
        }
    }

    #[test]
    fn a_similar_name_is_suggested() {
        assert!(named("port-foriegn").unwrap_err().contains("did you mean `port-foreign`?"));
        assert!(named("nonsense-of-all-kinds").unwrap_err().contains("to list them"));
    }
}
