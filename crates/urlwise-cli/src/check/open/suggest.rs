//! `--suggest`: copies of dead links in an archive.

use std::collections::HashMap;
use std::time::Instant;

use urlwise::{Host, Profile, Url};
use urlwise_explain::secret;
use urlwise_open::{Cancel, Cause, Probe, ProbeOptions, Realm};

use super::links::{Links, Target};
use super::pool::{self, Next, Schedule};
use super::prove::{self, Prover};
use super::queue::{Limits, Queue};
use super::verdict::{Proof, Verdict};
use crate::exit::Failure;
use crate::input;
use crate::language::said;

/// Where copies are asked for unless the user says otherwise. It redirects to the latest copy.
const ARCHIVE: &str = "https://web.archive.org/web/{url}";
/// What stands for the link.
const LINK: &str = "{url}";

/// An archive of pages.
#[derive(Debug)]
pub(super) struct Archive {
    before: String,
    behind: String,
}

impl Archive {
    /// From a template: the URL of an archive, with `{url}` where the link goes, behind the host. The error is a sentence.
    pub(super) fn of(template: Option<&str>) -> Result<Archive, String> {
        let template = template.unwrap_or(ARCHIVE);
        let shown = || secret::masked_option(template);
        let Some((before, behind)) = template.split_once(LINK) else {
            return Err(said!(
                "`{template}` has no `{link}`, as in `{example}`",
                template = shown(),
                link = LINK,
                example = ARCHIVE
            ));
        };
        let archive = Archive { before: before.to_owned(), behind: behind.to_owned() };
        let example =
            archive.url("x").ok_or_else(|| said!("`{template}` is not the template of a URL", template = shown()))?;
        let is_behind = before.len() >= example.spans().path.start;
        let has_host = example.host().is_some_and(|host| !host.as_str().is_empty());
        if !is_behind || !has_host || behind.contains(LINK) {
            return Err(said!(
                "in `{template}`, `{link}` must stand once, behind the host",
                template = shown(),
                link = LINK
            ));
        }
        Ok(archive)
    }

    /// Where to ask for a copy of a link, which goes in as it is: a `?` in it may start the search of the archive's URL.
    fn url(&self, link: &str) -> Option<Url<String>> {
        Url::parse_with(format!("{}{link}{}", self.before, self.behind), Profile::Current).ok()
    }

    /// Asks for copies of all dead links, and keeps what is found.
    pub(super) fn ask(
        &self,
        links: &mut Links,
        prover: &Prover,
        limits: Limits,
        at_a_time: usize,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let mut search = Search { queue: Queue::new(limits), wanted: HashMap::new(), found: Vec::new(), cancel };
        for (number, target) in links.targets.iter().enumerate().filter(|(_, target)| is_wanted(target)) {
            if let Some(url) = self.url(target.wanted.url.as_str()) {
                search.queue.add(number, Realm::of(&url.borrow()).map(|server| server.to_string()));
                search.wanted.insert(number, url);
            }
        }
        let width = search.queue.width().min(at_a_time);
        let search = pool::run(search, width, |(number, url)| {
            let mut options = ProbeOptions::default();
            options.timeout = Some(prover.timeout);
            let probe = prover.client.probe(&url, &options);
            (number, url, probe)
        });
        let search = search.map_err(|error| input::cannot_start(&error))?;
        for (number, url) in search.found {
            if let Some(proof) = &mut links.targets[number].proof {
                proof.more_mut().suggestion = Some(url);
            }
        }
        Ok(())
    }
}

/// Whether a copy would help, and may be asked for: a login is nobody else's business.
fn is_wanted(target: &Target) -> bool {
    let is_dead = |proof: &Proof| proof.verdict == Verdict::Dead && proof.cause != Some(Cause::NoMail.name());
    let has_server = Realm::of(&target.wanted.url.borrow()).is_some();
    target.proof.as_deref().is_some_and(is_dead)
        && target.wanted.file.is_none()
        && has_server
        && target.wanted.url.user().is_none()
}

/// The questions to an archive.
struct Search<'c> {
    queue: Queue,
    wanted: HashMap<usize, Url<String>>,
    found: Vec<(usize, String)>,
    cancel: &'c Cancel,
}

impl Schedule for Search<'_> {
    type Job = (usize, Url<String>);
    type Done = (usize, Url<String>, Probe);

    fn next(&mut self, now: Instant) -> Next<Self::Job> {
        if self.cancel.is_requested() {
            return Next::End;
        }
        match self.queue.next(now) {
            Next::Job(number) => match self.wanted.get(&number) {
                Some(url) => Next::Job((number, url.clone())),
                None => Next::End,
            },
            Next::Wait(time) => Next::Wait(time),
            Next::End => Next::End,
        }
    }

    fn done(&mut self, (number, asked, probe): Self::Done, now: Instant) {
        self.queue.done(number, prove::came(&asked, &probe), now);
        let works = matches!(Proof::from(&probe).verdict, Verdict::Alive | Verdict::Moved);
        let copy = probe.final_url.as_ref().unwrap_or(&asked);
        // Somebody else's page is not a copy.
        if works && host(copy) == host(&asked) {
            self.found.push((number, secret::masked(copy.as_str().as_bytes(), false)));
        }
    }
}

fn host(url: &Url<String>) -> Option<String> {
    url.host().map(|host: Host<'_>| host.as_str().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::Archive;

    #[test]
    fn the_link_goes_in_as_it_is() {
        let asked = |template: Option<&str>, link| Archive::of(template).unwrap().url(link).unwrap().to_string();
        let web = "https://web.archive.org/web/http://h.dom/a?b=c&d";
        assert_eq!(asked(None, "http://h.dom/a?b=c&d"), web);
        let query = Some("http://archive.dom:8080/find?link={url}&latest");
        assert_eq!(asked(query, "ftp://h.dom/a"), "http://archive.dom:8080/find?link=ftp://h.dom/a&latest");
    }

    #[test]
    fn a_template_that_a_link_could_leave_is_refused() {
        for (template, why) in [
            ("https://archive.dom/", "has no `{url}`"),
            ("https://{url}/", "behind the host"),
            ("https://archive.dom{url}", "behind the host"),
            ("{url}", "is not the template of a URL"),
            ("https://archive.dom/{url}{url}", "is not the template of a URL"),
            ("https://archive.dom/{url}/{url}", "is not the template of a URL"),
            ("mailto:joe@archive.dom?subject={url}", "behind the host"),
            ("ht tp://archive.dom/{url}", "is not the template of a URL"),
        ] {
            let error = Archive::of(Some(template)).unwrap_err();
            assert!(error.contains(why), "{template}: {error}");
        }
    }
}
