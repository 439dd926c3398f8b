//! The run: asks about every URL, and keeps the answers.

use std::collections::BTreeSet;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use urlwise::Url;
use urlwise_open::{Cancel, Realm};

use super::gather::{self, Draft};
use super::links::{Links, Origin, To};
use super::pool::{Next, Schedule};
use super::prove::{Answer, Question};
use super::queue::{Limits, Queue};
use super::site::Site;
use super::verdict::Proof;

/// How many URLs are remembered before no more pages are read for links.
const MOST_TARGETS: usize = 1_000_000;

/// Everything that a run keeps.
pub(super) struct Run {
    pub(super) links: Links,
    queue: Queue,
    cancel: Cancel,
    bar: ProgressBar,
    site: Site,
}

impl Run {
    pub(super) fn new(links: Links, limits: Limits, site: Site, cancel: Cancel, is_shown: bool) -> Run {
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(links.targets.len() as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{human_pos} of {human_len} links, {elapsed}") {
            bar.set_style(style);
        }
        let mut queue = Queue::new(limits);
        let unknown = links.targets.iter().enumerate().filter(|(_, target)| target.proof.is_none());
        for (number, target) in unknown {
            queue.add(number, server(&target.url, target.file.is_some()));
        }
        Run { links, queue, cancel, bar, site }
    }

    /// How many questions can be asked at a time at most.
    pub(super) fn width(&self) -> usize {
        self.queue.width()
    }

    /// Ends the progress line. Returns the links, and the bound that was reached.
    pub(super) fn finish(self) -> (Links, Option<&'static str>) {
        self.bar.finish_and_clear();
        (self.links, self.site.reached)
    }
}

/// The server that a URL is asked at; `None` is this machine.
fn server(url: &Url<String>, is_file: bool) -> Option<String> {
    if is_file {
        return None;
    }
    // Servers of schemes without a host are those of the settings.
    Some(Realm::of(&url.borrow()).map_or_else(|| url.scheme_name().to_owned(), |realm| realm.to_string()))
}

impl Schedule for Run {
    type Job = Question;
    type Done = (Answer, Option<Vec<Draft>>);

    fn next(&mut self, now: Instant) -> Next<Question> {
        if self.cancel.is_requested() {
            return Next::End;
        }
        match self.queue.next(now) {
            Next::Job(number) => {
                let target = &mut self.links.targets[number];
                target.is_asked = true;
                target.asked_fragments.clone_from(&target.fragments);
                Next::Job(Question {
                    number,
                    url: target.url.clone(),
                    from: target.from.clone(),
                    file: target.file.clone(),
                    fragments: target.fragments.clone(),
                    is_page: target.follow.is_some(),
                })
            }
            Next::Wait(time) => Next::Wait(time),
            Next::End => Next::End,
        }
    }

    fn done(&mut self, (answer, drafts): Self::Done, now: Instant) {
        let Answer { number, proof, came, page } = answer;
        // What an interrupt has ended is not known.
        if self.cancel.is_requested() && proof.cause == Some("cancelled") {
            return;
        }
        for alike in self.queue.done(number, came, now) {
            self.keep(alike, Proof { elapsed: None, final_url: None, ..proof.clone() });
        }
        self.keep(number, proof);
        if let (Some(page), Some(drafts)) = (page, drafts) {
            let depth = self.links.targets[number].follow.unwrap_or_default();
            if self.links.targets[number].from.is_none() {
                // Where the URL that was given redirects, its links are at home.
                self.site.add(&self.links.targets[number].url);
                self.site.add(page.url());
            }
            self.add(Origin::Page(page.url().masked().to_string()), drafts, depth);
        }
    }
}

impl Run {
    /// Adds the links of a page, which are followed so many in a row.
    fn add(&mut self, origin: Origin, drafts: Vec<Draft>, depth: u32) {
        if self.links.targets.len() > MOST_TARGETS {
            self.site.reached = Some("the number of links that are remembered");
            return;
        }
        let (known, text) = (self.links.targets.len(), self.links.texts.len());
        gather::add(&mut self.links, origin, drafts, Vec::new());
        // What was asked about before is asked again if its fragments are wanted now.
        let again = self.links.texts[text..].iter().flat_map(|text| &text.places).filter_map(|place| match place.to {
            To::Target(number) if number < known => {
                let target = &self.links.targets[number];
                (target.is_asked && !target.fragments.is_subset(&target.asked_fragments)).then_some(number)
            }
            To::Target(_) | To::Known(_) => None,
        });
        let again: BTreeSet<_> = again.collect();
        for number in again.into_iter().chain(known..self.links.targets.len()) {
            let target = &mut self.links.targets[number];
            target.is_asked = false;
            if number >= known && depth > 0 && self.site.follows(&target.url) {
                target.follow = Some(depth - 1);
            }
            self.queue.add(number, server(&target.url, target.file.is_some()));
        }
        self.bar.set_length(self.links.targets.len() as u64);
    }

    fn keep(&mut self, number: usize, proof: Proof) {
        let kept = &mut self.links.targets[number].proof;
        if kept.replace(proof).is_none() {
            self.bar.inc(1);
        }
    }
}
