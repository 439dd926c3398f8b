//! `urlwise check`: reports problems and risks of URLs in arguments, lists and trees of text files.

mod candidate;
mod fix;
pub(crate) mod open;
mod placeholder;
mod remarks;
mod texts;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use urlwise::audit::{
    Audit, Finding, HYPHEN_AMBIGUOUS, OTHER_URL_MEANT, Provenance, READ_DIFFERENTLY, SECRET_PASSWORD,
};
use urlwise::find::Hit;
use urlwise::{Diagnosis, Level, Profile, Reference, Scheme, diagnose};
use urlwise_explain::alike::Alike;
use urlwise_explain::meant::Meant;
use urlwise_explain::secret::Secrets;
use urlwise_explain::snippets;
use urlwise_formats::comments::Suppressions;
use urlwise_readings::Reader;
use urlwise_settings::{Config, Threshold};

use crate::access;
use crate::cli::{Check, Format};
use crate::config;
use crate::console;
use crate::context::Context;
use crate::document::{Seen, Written};
use crate::exit::{Failure, Outcome};
use crate::find::{self, Schemes};
use crate::input::{self, Blocks, Record};
use crate::language::{about, language, words};
use crate::position::Position;
use crate::report::{self, Found, Report, Subject, Tally, Where};
use crate::rules::{self, Place, Rules};
use crate::walk;

use candidate::Candidate;
use placeholder::Placeholders;

/// The problem of a mistyped scheme, which needs no finding beside it.
const TRAP: &str = "scheme-trap";

/// Checks all targets and reports.
pub(crate) fn run(
    check: &Check,
    profile: Option<Profile>,
    context: &Context,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    if let Some(name) = &check.explain {
        out.write_all(rules::page(name)?.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let config = config::of(&check.walking)?;
    let fail_on = threshold(check, &config)?;
    let rules = Rules::new(check, &config, fail_on)?;
    let format = check.format.unwrap_or(if context.json { Format::Json } else { Format::Human });
    let [listed, in_text] = [Place::List, Place::Text].map(|place| rules.audit(place));
    let checker = Checker {
        profile: profile.or(config.profile()).unwrap_or(access::PROFILE),
        compares: listed.severity(READ_DIFFERENTLY, Scheme::Other).is_some(),
        readers: &check.readers,
        listed,
        in_text,
        rules,
        fail_on: fail_on.level(),
        format,
        quiet: check.quiet,
        context,
        failed: AtomicBool::new(false),
    };
    let targets = Targets::of(check);
    let schemes = Schemes::of(&[], &config)?;
    if !check.quiet && !targets.walked.is_empty() {
        schemes.say_unknown();
    }
    if check.links.open {
        return open::run(check, &targets, &config, &schemes, &checker, fail_on, out);
    }
    let mut unread = false;
    if check.fix || check.diff {
        fix::admit(&targets.lists, &targets.walked)?;
        let walk = || find::paths(&targets.walked, &check.walking, check.code, &config);
        let walk = (!targets.walked.is_empty()).then(walk).transpose()?;
        let fixed = fix::run(check, &targets.lists, walk, &checker, &schemes, None, out)?;
        unread |= fixed.failed;
        if !check.quiet {
            out.flush()?;
            console::message(&fixed.summary(!check.diff));
        }
        if check.diff {
            return Ok(fix::outcome(unread, fixed));
        }
    }
    let mut results = report::Results::new(format, out);
    if !check.quiet {
        results.begin()?;
    }
    let mut tally = Tally::default();
    targets.lists(check, &checker, &mut tally, &mut unread, &mut results)?;
    if !targets.walked.is_empty() && !checker.is_done() {
        let walk = find::paths(&targets.walked, &check.walking, check.code, &config)?;
        let (walked, found) = texts::check(&walk, &checker, &schemes, &mut results)?;
        unread |= walked.failed;
        tally += found;
    }
    if !check.quiet {
        results.end(!unread)?;
        if format == Format::Human {
            results.flush()?;
            console::message(&tally.summary());
            if let Some(line) = tally.see_also() {
                console::message(&line);
            }
        }
    }
    Ok(match (unread, checker.failed.into_inner()) {
        (true, failed) if !(failed && check.quiet) => Outcome::Unreadable,
        (_, true) => Outcome::Findings,
        (_, false) => Outcome::Fine,
    })
}

/// What makes the run fail. Levels about links are for --open.
fn threshold(check: &Check, config: &Config) -> Result<Threshold, Failure> {
    match check.fail_on {
        Some(asked) if asked.level().is_none() && !check.links.open => {
            Err(Failure::Input(about("--fail-on", words!("this level is about links that are opened; add `--open`"))))
        }
        Some(asked) => Ok(asked),
        None if check.links.open => {
            Ok(config.fail_on().filter(|level| level.level().is_none()).unwrap_or(Threshold::Dead))
        }
        None => Ok(config.fail_on().filter(|level| level.level().is_some()).unwrap_or(Threshold::Warning)),
    }
}

/// The targets, by kind.
struct Targets<'c> {
    urls: Vec<&'c OsStr>,
    /// Lists of URLs; `-` is standard input.
    lists: Vec<&'c Path>,
    /// Files and folders to search for URLs; `-` is standard input.
    walked: Vec<PathBuf>,
}

impl<'c> Targets<'c> {
    fn of(check: &'c Check) -> Self {
        let mut targets = Targets { urls: Vec::new(), lists: Vec::new(), walked: Vec::new() };
        let stdin = Path::new("-");
        for target in &check.targets {
            match target {
                dash if dash == stdin && check.text => targets.walked.push(stdin.into()),
                dash if dash == stdin => targets.lists.push(stdin),
                url if has_scheme(url.as_encoded_bytes()) => targets.urls.push(url),
                path => targets.walked.push(path.into()),
            }
        }
        targets.urls.extend(check.urls.iter().map(OsString::as_os_str));
        targets.lists.extend(check.files.iter().map(PathBuf::as_path));
        targets.walked.extend(check.paths.iter().cloned());
        if targets.urls.is_empty() && targets.lists.is_empty() && targets.walked.is_empty() {
            match find::is_redirected() {
                true if !check.text => targets.lists.push(stdin),
                true => targets.walked.push(stdin.into()),
                false => targets.walked.push("./".into()),
            }
        }
        targets
    }

    /// Checks the URLs of the command line, then the lists.
    fn lists(
        &self,
        check: &Check,
        checker: &Checker<'_>,
        tally: &mut Tally,
        unread: &mut bool,
        out: &mut (dyn Write + Send),
    ) -> Result<(), Failure> {
        let mut reports = Vec::new();
        for url in &self.urls {
            checker.url(url.as_encoded_bytes(), Provenance::Given, None, tally, &mut reports);
            out.write_all(&reports)?;
            reports.clear();
        }
        let threads = walk::threads(check.walking.threads);
        for &file in &self.lists {
            let path = (file != Path::new("-")).then_some(file);
            let blocks = Blocks::of_file(file, check.null);
            let (tallies, read) =
                input::write_each(blocks, threads, out, |Record { octets, place, too_long }, tally, answers, _| {
                    let start = place.map_or(Position::START, |place| place.start());
                    match too_long {
                        Some(long) => checker.too_long(&long, path, start, tally, &mut answers.out),
                        None => checker.url(octets, Provenance::Text, Some((path, start)), tally, &mut answers.out),
                    }
                    Ok(())
                });
            tallies.into_iter().for_each(|counted| *tally += counted);
            match read {
                Ok(()) => {}
                Err(Failure::Input(message)) => {
                    *unread = true;
                    console::message(&message);
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }
}

/// Whether an argument looks like a URL: a scheme of two or more characters, and a colon. One letter is a drive.
fn has_scheme(octets: &[u8]) -> bool {
    let is_scheme = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    let length = octets.iter().take_while(|octet| is_scheme(octet)).count();
    length > 1 && octets.get(length) == Some(&b':')
}

/// The rules that URLs are checked against, and how results are reported.
struct Checker<'c> {
    profile: Profile,
    /// For URLs of the command line and of lists, and for those in texts.
    listed: Audit,
    in_text: Audit,
    rules: Rules,
    /// Whether to compare with other readers (E-32), which costs more than everything else.
    compares: bool,
    /// Whom it compares.
    readers: &'c [Reader],
    /// `None` if only links matter.
    fail_on: Option<Level>,
    format: Format,
    quiet: bool,
    context: &'c Context,
    /// Something was found at the level of `fail_on` or above.
    failed: AtomicBool,
}

impl Checker<'_> {
    /// The rest of the input can change neither the exit status nor the output.
    fn is_done(&self) -> bool {
        self.quiet && self.failed.load(Ordering::Relaxed)
    }

    /// Whether what is found at a level makes the run fail.
    fn fails(&self, level: Level) -> bool {
        self.fail_on.is_some_and(|least| level >= least)
    }

    /// Whether something was found at the level of `--fail-on` or above.
    fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// All that is to be reported of a text that should be a URL, in the order of its octets. Allocates nothing if there is
    /// nothing to report. `hides` says which rules are ignored here.
    fn found<'a>(
        &self,
        diagnosis: &Diagnosis<'a>,
        place: Place,
        provenance: Provenance,
        hides: &dyn Fn(&str) -> bool,
        tally: &mut Tally,
    ) -> Findings<'a> {
        let octets = diagnosis.octets();
        let audit = match place {
            Place::List => Some(&self.listed),
            Place::Text => Some(&self.in_text),
            Place::Relative => None,
        };
        let mut findings = Vec::new();
        if let Some((url, audit)) = diagnosis.url().zip(audit) {
            findings = audit.check(&url, provenance);
            if self.compares {
                let finding = urlwise_readings::finding_by(&url, self.readers).and_then(|finding| audit.weigh(finding));
                findings.extend(finding);
            }
        }
        let mut meant = self.doubted(diagnosis, place, provenance);
        let is_trap = diagnosis.problems().iter().any(|problem| problem.code() == TRAP);
        let suggestion = meant.as_ref().and_then(|meant| meant.suggestions().first());
        if let Some((suggestion, audit)) = suggestion.filter(|_| !is_trap).zip(audit) {
            let finding =
                Finding::new(OTHER_URL_MEANT, octets, 0..octets.len()).with_detail(suggestion.why_in(language()));
            findings.extend(audit.weigh(finding));
        }
        let has_suggestion = findings.iter().any(|finding| finding.rule() == OTHER_URL_MEANT);
        let has_password = findings.iter().any(|finding| finding.rule() == SECRET_PASSWORD);
        let problems = snippets::relevant(diagnosis).map(Candidate::Problem);
        let findings = Alike::of(&findings);
        let candidates = problems.chain(findings.iter().map(Candidate::Finding));
        // A login is one mistake, and its password the worse part; so is a doubled scheme, and what it was meant to be.
        let is_said = |code: &str| has_password && code == "http-userinfo" || has_suggestion && code == "host-scheme";
        let mut candidates: Vec<_> = candidates.filter(|candidate| !is_said(candidate.code())).collect();
        if place != Place::List && !candidates.is_empty() {
            let placeholders = Placeholders::of(diagnosis);
            candidates.retain(|candidate| !placeholders.excuse(candidate));
        }
        let (found, more) = self.chosen(candidates.into_iter(), octets, place, hides, tally);
        if !found.is_empty() && !diagnosis.is_valid() {
            meant = Some(Meant::of_diagnosis(diagnosis, self.context.show_secrets).by(self.readers));
        }
        Findings { found, more, meant, written: None }
    }

    /// What a valid URL may have been meant to be, where that would be said: it costs as much as everything else.
    fn doubted<'a>(&self, diagnosis: &Diagnosis<'a>, place: Place, provenance: Provenance) -> Option<Meant<'a>> {
        let is_said = |code| self.rules.level(code, Level::Note, place).is_some();
        let is_wanted = provenance == Provenance::Given || is_said(OTHER_URL_MEANT.id) || is_said(TRAP);
        let meant =
            (diagnosis.is_valid() && is_wanted).then(|| Meant::of_diagnosis(diagnosis, self.context.show_secrets))?;
        (!meant.suggestions().is_empty()).then_some(meant)
    }

    /// The same of a URL in a text, and what only its text shows: its fragment, and hyphens at line ends.
    fn found_in<'h>(
        &self,
        seen: &Seen<'h>,
        diagnosis: &Diagnosis<'h>,
        comments: &Suppressions,
        tally: &mut Tally,
    ) -> Findings<'h> {
        let at = seen.span().start;
        let hides = |rule: &str| comments.hides(at, rule);
        let (hit, place) = (seen.hit, if seen.is_relative { Place::Relative } else { Place::Text });
        let mut findings = self.found(diagnosis, place, Provenance::Text, &hides, tally);
        let error = hit.fragment().and_then(|_| Reference::parse_with(&self.judged(hit), self.profile).err());
        let problem = error.as_ref().map(|error| error.problem());
        let problem = problem.filter(|problem| problem.span().start >= hit.as_str().len());
        let places = if hit.is_ambiguous() { hit.hyphens() } else { &[] };
        let hyphens = places.iter().map(|&at| Finding::new(HYPHEN_AMBIGUOUS, hit.reference(), at..at + 1));
        let hyphens: Vec<_> = hyphens.filter_map(|finding| self.in_text.weigh(finding)).collect();
        let hyphens = Alike::of(&hyphens);
        let candidates = problem.iter().map(Candidate::Problem).chain(hyphens.iter().map(Candidate::Finding));
        let (found, more) = self.chosen(candidates, diagnosis.octets(), place, &hides, tally);
        if !found.is_empty() {
            findings.found.extend(found);
            findings.found.sort_by_key(|found| found.span.start);
            findings.more += more;
        }
        if let Some(written) = seen.written().filter(|_| !findings.found.is_empty())
            && findings.found.iter().all(|found| written.place(&found.span).is_some())
        {
            // The resolved URL, which is not in the text, would be what was meant.
            (findings.written, findings.meant) = (Some(written), None);
        }
        findings
    }

    /// The reference whose fragment is judged. HTML allows all scripts in fragments, and sites that are programs have a `#` in theirs:
    /// these are judged only if their code is selected (D-100).
    fn judged<'h>(&self, hit: &'h Hit<'_>) -> Cow<'h, str> {
        let fragment = hit.fragment().unwrap_or_default();
        let is_allowed = |c: char| c == '#' || !c.is_ascii() && !urlwise::is_harmful(c);
        if self.profile == Profile::Rfc1738 || self.rules.names("bnf-char") || !fragment.contains(is_allowed) {
            return Cow::Borrowed(hit.reference());
        }
        // In their place stand as many octets that do: the offsets of the others stay.
        let judged = |c: char| if is_allowed(c) { "-".repeat(c.len_utf8()) } else { c.to_string() };
        Cow::Owned(format!("{}#{}", hit.as_str(), fragment.chars().map(judged).collect::<String>()))
    }

    /// Counts everything that is to be reported; the worst of it in the order of the text, and how much is left out.
    fn chosen<'c>(
        &self,
        candidates: impl Iterator<Item = Candidate<'c>>,
        url: &[u8],
        place: Place,
        hides: &dyn Fn(&str) -> bool,
        tally: &mut Tally,
    ) -> (Vec<Found>, usize) {
        let mut reported = Vec::new();
        // A text may break the same few rules at every octet.
        let mut judged: Vec<Judged> = Vec::new();
        for candidate in candidates {
            let (code, level) = (candidate.code(), candidate.level());
            let known = judged.iter().position(|known| std::ptr::eq(known.code, code) && known.level == level);
            let known = known.unwrap_or_else(|| {
                let is_hidden = self.rules.hides(code, level, place);
                judged.push(Judged { code, level, is_hidden, reported_at: self.rules.level(code, level, place) });
                judged.len() - 1
            });
            let Judged { is_hidden, reported_at, .. } = judged[known];
            if (is_hidden || reported_at.is_some()) && hides(code) {
                continue;
            }
            if is_hidden {
                tally.hidden += 1;
            }
            if let Some(level) = reported_at {
                tally.count(level, candidate.decision().unwrap_or(code));
                if self.fails(level) {
                    self.failed.store(true, Ordering::Relaxed);
                }
                reported.push((level, candidate));
            }
        }
        let most = self.context.most_problems(url);
        let more = reported.len().saturating_sub(most);
        if more > 0 {
            reported.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
            reported.truncate(most);
        }
        reported.sort_by_key(|(_, candidate)| candidate.start());
        (reported.iter().map(|(level, candidate)| candidate.found(*level)).collect(), more)
    }

    /// Checks one URL; `line` is the list and where it starts there.
    fn url(
        &self,
        octets: &[u8],
        provenance: Provenance,
        line: Option<(Option<&Path>, Position)>,
        tally: &mut Tally,
        reports: &mut Vec<u8>,
    ) {
        tally.urls += 1;
        if self.is_done() {
            return;
        }
        let findings = self.found(&diagnose(octets, self.profile), Place::List, provenance, &|_| false, tally);
        if findings.found.is_empty() {
            return;
        }
        // Findings come in order, so the URL is walked once.
        let (mut last, mut before) = (line.map_or(Position::START, |(_, start)| start), 0);
        let at = |found: &Found| match line {
            None => Where::Argument,
            Some((path, Position { line, .. })) => {
                let Range { start, end } = found.span;
                last = last.after(&octets[before..start]);
                before = start;
                Where::Line { path, line, start: last, end: last.after(&octets[start..end]) }
            }
        };
        self.report(octets, &findings, at, reports);
    }

    /// Puts into words what was found. `at` gives the place of each.
    fn report<'w>(
        &self,
        url: &[u8],
        findings: &Findings<'_>,
        mut at: impl FnMut(&Found) -> Where<'w>,
        out: &mut Vec<u8>,
    ) {
        if self.quiet {
            return;
        }
        let url = findings.written.map_or(url, |written| written.text);
        let secrets = Secrets::of_url(url, self.context.show_secrets);
        let codes: Vec<_> = findings.found.iter().map(|found| found.code).collect();
        let subject =
            Subject { url, secrets: &secrets, meant: findings.meant.as_ref(), codes: &codes, more: findings.more };
        let lead = findings.found.iter().position(|found| found.level == Level::Error).unwrap_or(0);
        for (i, found) in findings.found.iter().enumerate() {
            let is_last = i + 1 == findings.found.len();
            let fails = self.fails(found.level);
            let at = at(found);
            let found = &*findings.written.map_or(Cow::Borrowed(found), |written| Cow::Owned(found.written(&written)));
            let report = Report { found, subject: &subject, at, is_lead: i == lead, is_last, fails };
            report::write(&report, self.format, self.context, out);
        }
    }
}

/// What was found in one URL.
struct Findings<'a> {
    found: Vec<Found>,
    /// How many problems and findings are left out.
    more: usize,
    /// What it was meant to be, if it is not valid or looks mistyped.
    meant: Option<Meant<'a>>,
    /// Of a relative link, what is shown in place of the resolved one.
    written: Option<Written<'a>>,
}

/// What the rules say of a code at a level.
struct Judged {
    code: &'static str,
    level: Level,
    is_hidden: bool,
    reported_at: Option<Level>,
}
