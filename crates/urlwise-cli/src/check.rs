//! `urlwise check`: reports problems and risks of URLs in arguments, lists and trees of text files.

pub(crate) mod rules;
mod texts;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use urlwise::audit::{Audit, Finding, HYPHEN_AMBIGUOUS, Provenance, READ_DIFFERENTLY};
use urlwise::find::Hit;
use urlwise::{Level, Problem, Profile, Reference, Scheme, diagnose};

use crate::Context;
use crate::access;
use crate::cli::{Check, Format, Threshold};
use crate::config::Config;
use crate::exit::{Failure, Outcome};
use crate::find::{self, Schemes};
use crate::input::{self, Record};
use crate::report::{self, Found, Report, Tally, Where};
use crate::secret::Secrets;

use rules::Rules;

/// Checks all targets and reports what was found.
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
    let config = Config::of(&check.walking)?;
    let rules = Rules::new(check, &config)?;
    let format = check.format.unwrap_or(if context.json { Format::Json } else { Format::Human });
    let audit = rules.audit();
    let checker = Checker {
        profile: profile.or(config.profile()).unwrap_or_default(),
        compares: audit.severity(READ_DIFFERENTLY, Scheme::Other).is_some(),
        audit,
        rules,
        fail_on: check.fail_on.or(config.fail_on()).unwrap_or(Threshold::Warning).into(),
        format,
        quiet: check.quiet,
        context,
        failed: AtomicBool::new(false),
    };
    let targets = Targets::of(check);
    let mut results = report::Results::new(format, out);
    if !check.quiet {
        results.begin()?;
    }
    let mut tally = Tally::default();
    let mut unread = false;
    targets.lists(check, &checker, &mut tally, &mut unread, &mut results)?;
    if !targets.walked.is_empty() && !checker.is_done() {
        let walk = find::paths(&targets.walked, &check.walking, &config);
        let (walked, found) = texts::check(&walk, &checker, &Schemes::of(&[], &config)?, &mut results)?;
        unread |= walked.failed;
        tally += found;
    }
    if !check.quiet {
        results.end(!unread)?;
        if format == Format::Human {
            results.flush()?;
            access::message(&tally.to_string());
            if let Some(line) = tally.see_also() {
                access::message(&line);
            }
        }
    }
    Ok(match (unread, checker.failed.into_inner()) {
        (true, failed) if !(failed && check.quiet) => Outcome::Unreadable,
        (_, true) => Outcome::Findings,
        (_, false) => Outcome::Fine,
    })
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
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut list = List { checker, tally, out, buffer: Vec::new() };
        for url in &self.urls {
            list.url(url.as_encoded_bytes(), Provenance::Given, Where::Argument)?;
        }
        for &file in &self.lists {
            let path = (file != Path::new("-")).then_some(file);
            let read = input::for_each_of(file, check.null, |Record { octets, place }| {
                let line = place.map_or(0, |place| place.number);
                list.url(octets, Provenance::Text, Where::Line { path, line })
            });
            match read {
                Ok(()) => {}
                Err(Failure::Input(message)) => {
                    *unread = true;
                    access::message(&message);
                }
                Err(failure) => return Err(failure),
            }
        }
        list.flush()
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
    audit: Audit,
    rules: Rules,
    /// Whether to compare with other readers (E-32), which costs more than everything else.
    compares: bool,
    fail_on: Level,
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

    /// Everything to report about a text that should be a URL, ordered by position. Does not allocate if there is
    /// nothing to report.
    fn found(&self, octets: &[u8], provenance: Provenance) -> Vec<Found> {
        let diagnosis = diagnose(octets, self.profile);
        let mut found = Vec::new();
        found.extend(diagnosis.problems().iter().filter_map(|problem| self.problem(problem)));
        if let Some(url) = diagnosis.url() {
            found.extend(self.audit.check(&url, provenance).iter().filter_map(|finding| self.finding(finding)));
            if self.compares {
                let finding = urlwise_readings::finding(&url).and_then(|finding| self.audit.weigh(finding));
                found.extend(finding.and_then(|finding| self.finding(&finding)));
            }
        }
        found.sort_by_key(|found| found.span.start);
        found
    }

    /// The same for a URL found in a text, including its fragment and hyphens at line ends, which only the text has.
    fn found_in(&self, hit: &Hit<'_>) -> Vec<Found> {
        let mut found = self.found(hit.as_str().as_bytes(), Provenance::Text);
        if hit.fragment().is_some()
            && let Err(error) = Reference::parse_with(self.profile, hit.reference())
            && error.problem().span().start >= hit.as_str().len()
        {
            found.extend(self.problem(&error.problem()));
        }
        if hit.is_ambiguous() {
            let places = hit.hyphens().iter();
            let hyphens = places.map(|&at| Finding::new(HYPHEN_AMBIGUOUS, hit.reference(), at..at + 1));
            found.extend(hyphens.filter_map(|finding| self.finding(&self.audit.weigh(finding)?)));
            found.sort_by_key(|found| found.span.start);
        }
        found
    }

    fn problem(&self, problem: &Problem<'_>) -> Option<Found> {
        Some(Found {
            code: problem.code(),
            level: self.rules.level(problem.code(), problem.level())?,
            span: problem.span(),
            section: problem.section(),
            decision: problem.decision(),
            message: problem.message().to_string(),
            help: problem.help().map(|help| help.to_string()),
        })
    }

    fn finding(&self, finding: &Finding<'_>) -> Option<Found> {
        Some(Found {
            code: finding.code(),
            level: self.rules.level(finding.code(), finding.level())?,
            span: finding.span(),
            section: finding.section(),
            decision: Some(finding.decision()),
            message: finding.message().to_string(),
            help: Some(finding.help().to_string()),
        })
    }

    /// Counts and writes what was found. `at` gives the location of each.
    fn report<'w>(
        &self,
        url: &[u8],
        found: &[Found],
        mut at: impl FnMut(&Found) -> Where<'w>,
        tally: &mut Tally,
        out: &mut Vec<u8>,
    ) {
        let secrets = Secrets::of(url, self.context.show_secrets);
        for found in found {
            tally.add(found);
            if found.level <= self.fail_on {
                self.failed.store(true, Ordering::Relaxed);
            }
            if !self.quiet {
                let report = Report { found, url, secrets: &secrets, at: at(found) };
                report::write(&report, self.format, self.context, out);
            }
        }
    }
}

/// Checks single URLs and buffers the reports.
struct List<'c, 'o> {
    checker: &'c Checker<'c>,
    tally: &'c mut Tally,
    out: &'o mut dyn Write,
    buffer: Vec<u8>,
}

impl List<'_, '_> {
    fn url(&mut self, octets: &[u8], provenance: Provenance, at: Where<'_>) -> Result<(), Failure> {
        /// The buffer is written when it has this many octets.
        const FULL: usize = 1 << 16;
        self.tally.urls += 1;
        if self.checker.is_done() {
            return Ok(());
        }
        let found = self.checker.found(octets, provenance);
        if found.is_empty() {
            return Ok(());
        }
        self.checker.report(octets, &found, |_| at, self.tally, &mut self.buffer);
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
