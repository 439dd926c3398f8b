//! The run: asks about every URL, and keeps the answers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use urlwise::{Locator, Url};
use urlwise_open::{Cancel, Realm};

use super::links::{Links, Origin, Place, Text, To, Wanted};
use super::pool::{Next, Schedule};
use super::prove::{Answer, Question, Rules};
use super::queue::{Came, Limits, Queue};
use super::read::Draft;
use super::site::Site;
use super::verdict::Proof;
use crate::language::{said, words};

/// How many URLs are remembered before no more pages are read for links.
const MOST_TARGETS: usize = 1_000_000;

/// Everything that a run keeps.
pub(super) struct Run {
    pub(super) links: Links,
    queue: Queue,
    cancel: Cancel,
    bar: ProgressBar,
    site: Site,
    /// robots.txt is asked for.
    obeys: bool,
    /// What is said at the end.
    remarks: Vec<String>,
}

/// What came of a question: the answer, the links of the page, and the sitemaps that each robots.txt names.
pub(super) struct Found {
    pub(super) answer: Answer,
    pub(super) links: Option<Vec<Draft>>,
    pub(super) sitemaps: Vec<Vec<Draft>>,
}

impl Run {
    pub(super) fn new(links: Links, limits: Limits, site: Site, obeys: bool, cancel: Cancel, is_shown: bool) -> Run {
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(links.targets.len() as u64), target);
        if let Ok(style) = ProgressStyle::with_template(&progress()) {
            bar.set_style(style);
        }
        let mut queue = Queue::new(limits);
        let unknown = links.targets.iter().enumerate().filter(|(_, target)| target.proof.is_none());
        for (number, target) in unknown {
            queue.add(number, server(&target.wanted));
        }
        Run { links, queue, cancel, bar, site, obeys, remarks: Vec::new() }
    }

    /// How many questions can be asked at a time at most.
    pub(super) fn width(&self) -> usize {
        self.queue.width()
    }

    /// Ends the progress line. Returns the links, and what else there is to say.
    pub(super) fn finish(self) -> (Links, Vec<String>) {
        self.bar.finish_and_clear();
        let mut remarks = self.remarks;
        let reached = self.site.reached;
        remarks.extend(
            reached.map(|bound| said!("not all pages were followed: the limit of {bound} is reached", bound = bound)),
        );
        (self.links, remarks)
    }
}

/// The template of the progress line.
fn progress() -> String {
    said!("{asked} of {all} links, {elapsed}", asked = "{human_pos}", all = "{human_len}", elapsed = "{elapsed}")
}

/// The server that a URL is asked at; `None` is this machine.
fn server(Wanted { url, file }: &Wanted) -> Option<String> {
    if file.is_some() {
        return None;
    }
    if let Locator::Mailto(mail) = url.locator() {
        // Its domain is what DNS is asked about.
        let address = mail.address().decode().to_ascii_lowercase();
        let domain = address.rsplit(|octet| *octet == b'@').next().unwrap_or_default();
        return Some(format!("mailto:{}", String::from_utf8_lossy(domain)));
    }
    // Servers of other schemes without a host are those of the settings.
    Some(Realm::of(&url.borrow()).map_or_else(|| url.scheme_name().to_owned(), |realm| realm.to_string()))
}

impl Schedule for Run {
    type Job = Question;
    type Done = Found;

    fn next(&mut self, now: Instant) -> Next<Question> {
        if self.cancel.is_requested() {
            return Next::End;
        }
        match self.queue.next(now) {
            Next::Job(number) => {
                let target = &mut self.links.targets[number];
                target.is_asked = true;
                target.asked_fragments = target.fragments.len();
                Next::Job(Question {
                    number,
                    wanted: Arc::clone(&target.wanted),
                    from: target.from.clone(),
                    fragments: target.fragments.clone(),
                    is_page: target.follow.is_some() && !target.is_read,
                    is_sitemap: target.is_sitemap,
                    asks_robots: self.obeys && target.from.is_none() && target.follow.is_some_and(|depth| depth > 0),
                })
            }
            Next::Wait(time) => Next::Wait(time),
            Next::End => Next::End,
        }
    }

    fn done(&mut self, found: Found, now: Instant) {
        let Answer { number, proof, came, page, unread, rules } = found.answer;
        // What an interrupt has ended is not known.
        if self.cancel.is_requested() && proof.cause == Some("cancelled") {
            return;
        }
        let alike = self.queue.done(number, came, now);
        if !alike.is_empty() {
            let unasked = proof.of_another_link(came == Came::NoHost);
            alike.into_iter().for_each(|alike| self.keep(alike, unasked.clone()));
        }
        self.keep(number, proof);
        self.remarks.extend(unread);
        let (Some(page), Some(drafts)) = (page, found.links) else { return };
        let target = &mut self.links.targets[number];
        target.is_read = true;
        let (depth, is_narrow) = (target.follow.unwrap_or_default(), target.is_narrow);
        if target.from.is_none() {
            // Where the URL that was given redirects, its links are at home.
            self.site.add(&target.wanted.url);
            self.site.add(page.url());
        }
        for (Rules { server, url, robots, why }, sitemaps) in rules.into_iter().zip(found.sitemaps) {
            self.site.rule(server, robots);
            self.remarks.extend(why);
            self.add(&url, sitemaps, depth, true);
        }
        self.add(page.url(), drafts, depth, is_narrow);
    }
}

impl Run {
    /// Adds the links of a page, which are followed so many in a row; if `is_narrow`, only those within the sites.
    fn add(&mut self, page: &Url<String>, mut drafts: Vec<Draft>, depth: u32, is_narrow: bool) {
        if self.links.targets.len() > MOST_TARGETS {
            self.site.reached = Some(words!("the number of links that are remembered"));
            return;
        }
        drafts.retain(|draft| match &draft.place.to {
            To::New(wanted) if is_narrow && !draft.is_sitemap => self.site.contains(&wanted.url),
            To::New(_) | To::Target(..) | To::Known(_) => true,
        });
        let (known, text, from) = (self.links.targets.len(), self.links.texts.len(), Arc::new(page.clone()));
        let places: Box<[Place]> = drafts.into_iter().map(|draft| self.links.add(draft, Some(&from))).collect();
        self.links.add_text(Origin::Page(page.masked().to_string()), false, vec![places], Vec::new());
        // What was asked about before is asked again if its fragments are wanted now.
        let again = self.links.texts[text..].iter().flat_map(Text::places).filter_map(|place| match place.to {
            To::Target(number, _) if number < known => {
                let target = &self.links.targets[number];
                (target.is_asked && target.fragments.len() > target.asked_fragments).then_some(number)
            }
            To::New(_) | To::Target(..) | To::Known(_) => None,
        });
        let again: BTreeSet<_> = again.collect();
        for number in again.into_iter().chain(known..self.links.targets.len()) {
            let target = &mut self.links.targets[number];
            target.is_asked = false;
            if number >= known {
                if self.site.forbids(&target.wanted.url) && !target.is_sitemap {
                    let why = said!("`robots.txt` of the server forbids it; see `--ignore-robots`");
                    self.keep(number, Proof::skipped("robots", why));
                    continue;
                }
                target.is_narrow = is_narrow;
                target.follow = match target.is_sitemap {
                    // A sitemap is not a page on the way.
                    true => (depth > 0 && self.site.follows_sitemap(&target.wanted.url)).then_some(depth),
                    false => (depth > 0 && self.site.follows(&target.wanted.url)).then(|| depth - 1),
                };
            }
            self.queue.add(number, server(&target.wanted));
        }
        self.bar.set_length(self.links.targets.len() as u64);
    }

    fn keep(&mut self, number: usize, proof: Proof) {
        let kept = &mut self.links.targets[number].proof;
        if kept.replace(Box::new(proof)).is_none() {
            self.bar.inc(1);
        }
    }
}
