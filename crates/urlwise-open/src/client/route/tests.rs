//! The route of URLs whose openers lead on: how far it is followed, by what it is known, and where else it goes.

use super::{MAX_ATTEMPTS, Stop};
use crate::client::{Client, Options};
use crate::credentials::ServerLogin;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::probe::{Cause, Probe, ProbeOptions, ProbeVerdict};
use crate::protocol::{Metadata, Note};
use crate::resource::{Document, Resource};
use crate::scheme::opener::{By, Call, Elsewhere, Opener, OrElse, Outcome};
use crate::scheme::options::OpenOptions;
use crate::scheme::plan::{Plan, PlanLine};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use urlwise::{Url, Words};

type Open = dyn Fn(&Call<'_>) -> Result<Outcome<Resource>, Error> + Send + Sync;

/// An opener by a function.
struct Ways(Box<Open>);

impl Opener for Ways {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        (self.0)(call)
    }

    fn metadata(&self, call: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
        Ok(match (self.0)(call)? {
            Outcome::Here(_) => Metadata::default().with_size(4).into(),
            Outcome::Elsewhere(there) => Outcome::Elsewhere(Elsewhere::new(there.url, there.by)),
        })
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        Ok(match (self.0)(call)? {
            Outcome::Here(_) => Plan::new(Vec::new()).into(),
            Outcome::Elsewhere(there) => Outcome::Elsewhere(Elsewhere::new(there.url, there.by)),
        })
    }
}

fn url(text: impl Into<String>) -> Url<String> {
    Url::parse_current(text.into()).expect("a URL")
}

fn here(call: &Call<'_>) -> Outcome<Resource> {
    Resource::Document(Document::from_reader(call.url().to_owned(), io::Cursor::new("here"), Metadata::default()))
        .into()
}

fn missing() -> Error {
    Error::new(ErrorKind::NotFound, "it is not there")
}

fn client_with(
    change: impl FnOnce(&mut Options),
    open: impl Fn(&Call<'_>) -> Result<Outcome<Resource>, Error> + Clone + Send + Sync + 'static,
) -> Client {
    let mut options = Options::default();
    for scheme in ["x-a", "x-b", "http"] {
        options.openers.register(scheme, Arc::new(Ways(Box::new(open.clone())))).expect(scheme);
    }
    change(&mut options);
    Client::new(options)
}

/// A client in which `x-a:` and a number lead to the number below, down to 0.
fn counting_down(by: By, max_redirects: u32) -> Client {
    client_with(
        |options| options.max_redirects = max_redirects,
        move |call| {
            let left: u32 = call.url().schemepart().parse().expect("a number");
            match left.checked_sub(1) {
                Some(next) => Ok(Outcome::Elsewhere(Elsewhere::new(url(format!("x-a:{next}")), by))),
                None => Ok(here(call)),
            }
        },
    )
}

fn document(found: Result<Resource, Error>) -> Document {
    match found.expect("it opens") {
        Resource::Document(document) => document,
        other => panic!("{other:?}"),
    }
}

#[test]
fn as_many_urls_are_followed_as_may_be_and_gateways_do_not_count() {
    for most in [0, 1, 3] {
        let client = counting_down(By::Opener, most);
        let reached = document(client.open(&url(format!("x-a:{most}"))));
        assert_eq!((reached.final_url().as_str(), reached.redirects().len()), ("x-a:0", most as usize));
        let error = client.open(&url(format!("x-a:{}", most + 1))).expect_err("one too many");
        assert_eq!(error.kind(), ErrorKind::Redirects);
        assert_eq!(error.what().to_string(), format!("there are more than {most} redirects"));
        assert_eq!(
            (error.redirects().len(), error.reference()),
            (most as usize + 1, Some("RFC 9110 section 15.4, S-21"))
        );
        assert_eq!(error.url(), Some("x-a:0"));
    }
    assert_eq!(document(counting_down(By::Gateway, 0).open(&url("x-a:3"))).redirects().len(), 3);
}

/// A client in which each of these URLs leads to the one after it, the last one to the first.
fn in_a_circle(by: By, urls: &'static [&'static str]) -> Client {
    client_with(
        |_| {},
        move |call| {
            let at = urls.iter().position(|url| *url == call.url().as_str()).expect("it is of the circle");
            Ok(Outcome::Elsewhere(Elsewhere::new(url(urls[(at + 1) % urls.len()]), by)))
        },
    )
}

#[test]
fn a_circle_ends_where_it_closes_and_its_length_is_told() {
    let error = in_a_circle(By::Opener, &["x-a:1"]).open(&url("x-a:1")).expect_err("a circle");
    assert_eq!(
        (error.kind(), error.what().to_string().as_str()),
        (ErrorKind::Redirects, "redirect loop after 1 redirect")
    );
    let error = in_a_circle(By::Opener, &["x-a:1", "x-a:2", "x-a:3"]).open(&url("x-a:1")).expect_err("a circle");
    assert_eq!(error.what().to_string(), "redirect loop after 3 redirects");
    assert_eq!(error.redirects(), ["x-a:1", "x-a:2", "x-a:3"]);
    assert_eq!(error.help().expect("there is help").to_string(), "open the last URL to see where it goes");
}

fn note(code: &'static str) -> Note {
    Note::new(code, "S-1", Words::same("it is so"))
}

#[test]
fn what_was_passed_and_noted_on_the_way_is_kept_in_its_order() {
    let client = client_with(
        |_| {},
        |call| {
            Ok(match call.url().schemepart() {
                "1" => Outcome::Elsewhere(Elsewhere {
                    via: vec![url("x-b:between")],
                    notes: vec![note("first")],
                    ..Elsewhere::new(url("x-a:2"), By::Opener)
                }),
                "2" => Outcome::Elsewhere(Elsewhere {
                    notes: vec![note("second")],
                    ..Elsewhere::new(url("x-a:3"), By::Opener)
                }),
                _ => here(call),
            })
        },
    );
    let reached = document(client.open(&url("x-a:1")));
    assert_eq!(reached.redirects(), ["x-a:1", "x-b:between", "x-a:2"].map(url));
    assert_eq!(reached.notes(), [note("first"), note("second")]);
    let probe = client.probe(&url("x-a:1"), &ProbeOptions::default());
    assert_eq!(probe.notes, [note("first"), note("second")]);
    assert_eq!(probe.final_url, Some(url("x-a:3")));
    assert_eq!(client.probe(&url("x-a:3"), &ProbeOptions::default()).final_url, None, "it led nowhere");
    assert_eq!(client.metadata(&url("x-a:1")).expect("it is there").size, Some(4));
    let lines = client.plan(&url("x-a:1")).expect("a plan");
    let lines: Vec<_> = lines.lines().iter().map(PlanLine::kind).collect();
    assert_eq!(lines, ["gateway", "gateway"], "one line for each URL after the first");
}

#[test]
fn a_url_has_moved_if_every_step_was_for_good_and_its_end_is_alive() {
    let probed = |steps: &'static [bool], is_there: bool| {
        let client = client_with(
            |_| {},
            move |call| {
                let at: usize = call.url().schemepart().parse().expect("a number");
                match steps.get(at) {
                    Some(&is_permanent) => Ok(Outcome::Elsewhere(Elsewhere {
                        is_permanent,
                        ..Elsewhere::new(url(format!("x-a:{}", at + 1)), By::Opener)
                    })),
                    None if is_there => Ok(here(call)),
                    None => Err(missing()),
                }
            },
        );
        client.probe(&url("x-a:0"), &ProbeOptions::default()).verdict
    };
    for (steps, verdict) in [
        (&[][..], ProbeVerdict::Alive),
        (&[true], ProbeVerdict::Moved),
        (&[false], ProbeVerdict::Alive),
        (&[true, true], ProbeVerdict::Moved),
        (&[true, false], ProbeVerdict::Alive),
        (&[false, true], ProbeVerdict::Alive),
    ] {
        assert_eq!(probed(steps, true), verdict, "{steps:?}");
    }
    assert_eq!(probed(&[true], false), ProbeVerdict::Dead(Cause::NotFound));
}

#[test]
fn an_end_that_is_not_alive_has_not_moved() {
    use super::Reached;
    let mut stop = Stop::asked(&url("x-a:1").borrow(), &OpenOptions::default());
    stop.has_moved = Some(true);
    let refused = Probe { verdict: ProbeVerdict::Refused, ..Probe::alive() };
    assert_eq!(refused.via(stop.clone()).verdict, ProbeVerdict::Refused);
    assert_eq!(Probe::alive().via(stop).verdict, ProbeVerdict::Moved);
}

/// Ways without an end: each leads to a URL at which nothing is.
fn ways(tried: Arc<AtomicU32>) -> OrElse<Resource> {
    Box::new(move |_| {
        let number = tried.fetch_add(1, Ordering::Relaxed) + 1;
        let or_else = Some(ways(tried));
        Ok(Outcome::Elsewhere(Elsewhere { or_else, ..Elsewhere::new(url(format!("x-b:{number}")), By::Link) }))
    })
}

#[test]
fn another_way_is_tried_until_there_were_256_and_not_after_a_cancellation() {
    for (kind, expected) in [(ErrorKind::NotFound, MAX_ATTEMPTS), (ErrorKind::Cancelled, 1)] {
        let tried = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&tried);
        let client = client_with(
            |_| {},
            move |call| match call.url().scheme_name() {
                "x-a" => ways(Arc::clone(&counted))(missing()),
                _ => Err(Error::new(kind, "it is not there")),
            },
        );
        let error = client.open(&url("x-a:1")).expect_err("there is nothing");
        assert_eq!((error.kind(), tried.load(Ordering::Relaxed)), (kind, expected));
        assert_eq!(error.url(), Some(format!("x-b:{expected}").as_str()));
        assert_eq!(error.redirects(), ["x-a:1"], "each way begins where the others do");
    }
    let client = client_with(
        |_| {},
        |call| match call.url().as_str() {
            "x-a:1" => Ok(Outcome::Elsewhere(Elsewhere {
                or_else: Some(Box::new(|error| {
                    assert_eq!(error.kind(), ErrorKind::NotFound);
                    Ok(Outcome::Elsewhere(Elsewhere::new(url("x-b:there"), By::Link)))
                })),
                ..Elsewhere::new(url("x-b:nothing"), By::Link)
            })),
            "x-b:there" => Ok(here(call)),
            _ => Err(missing()),
        },
    );
    let reached = document(client.open(&url("x-a:1")));
    assert_eq!((reached.final_url().as_str(), reached.redirects()), ("x-b:there", &[url("x-a:1")][..]));
}

/// Where each URL of a route came from, in the words of its policy.
fn sources(by: By, options: &OpenOptions) -> Vec<String> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let client = client_with(
        |_| {},
        move |call| {
            let source = match call.provenance() {
                crate::policy::UrlSource::Given => "given".to_owned(),
                crate::policy::UrlSource::Redirect { from } => format!("redirect of {from}"),
                crate::policy::UrlSource::Link { from } => format!("link of {from}"),
            };
            told.lock().expect("nobody panicked").push(format!("{source}, {}", call.is_origin));
            match call.url().as_str() {
                "http://h.dom/1" => Ok(Outcome::Elsewhere(Elsewhere::new(url("http://h.dom/2"), by))),
                "http://h.dom/2" => Ok(Outcome::Elsewhere(Elsewhere::new(url("http://other.dom/"), by))),
                "http://other.dom/" => Ok(Outcome::Elsewhere(Elsewhere::new(url("http://h.dom/3"), by))),
                _ => Ok(here(call)),
            }
        },
    );
    client.open_with(&url("http://h.dom/1"), options).expect("it opens");
    let seen = seen.lock().expect("nobody panicked");
    seen.clone()
}

#[test]
fn each_url_is_judged_by_who_named_it_and_is_of_the_realm_until_the_route_leaves_it() {
    let given = OpenOptions::default();
    let redirects = ["redirect of http://h.dom/1", "redirect of http://h.dom/2", "redirect of http://other.dom/"];
    assert_eq!(
        sources(By::Redirect, &given),
        [
            "given, true".to_owned(),
            format!("{}, true", redirects[0]),
            format!("{}, false", redirects[1]),
            format!("{}, false", redirects[2]),
        ],
        "what belongs to the realm is not sent after the route has left it"
    );
    let links = redirects.map(|text| format!("{}, false", text.replace("redirect", "link")));
    assert_eq!(sources(By::Link, &given)[1..], links);
    assert_eq!(sources(By::Opener, &given), ["given, true", "given, true", "given, false", "given, false"]);
    let from = |host: &str| {
        let linked_from = Some(url(format!("http://{host}/a")));
        sources(By::Opener, &OpenOptions { linked_from, ..OpenOptions::default() }).swap_remove(0)
    };
    assert_eq!(from("h.dom"), "link of http://h.dom/a, true");
    assert_eq!(from("other.dom"), "link of http://other.dom/a, false");
    assert_eq!(from("h.dom:8080"), "link of http://h.dom:8080/a, false");
    let untrusted = OpenOptions { untrusted: true, ..OpenOptions::default() };
    assert_eq!(sources(By::Opener, &untrusted)[0], "given, false", "others chose it: it gets nothing of the realm");
}

#[test]
fn a_client_shows_what_opens_its_urls() {
    let client = client_with(
        |options| options.gateways.route("x-c", "http://g.dom/{url}").expect("a template"),
        |_| Err(missing()),
    );
    assert_eq!(client.gateways().iter().len(), 1);
    let shown = format!("{client:?}");
    assert!(shown.contains("x-b") && shown.contains("g.dom"), "{shown}");
}

#[test]
fn a_login_of_the_options_is_for_what_was_given_and_for_links_within_its_realm() {
    let has_login = |linked_from: Option<&str>| {
        let seen = Arc::new(Mutex::new(None));
        let told = Arc::clone(&seen);
        let client = client_with(
            |options| options.credentials.login = Some(ServerLogin::of("joe").with_password("s3cret")),
            move |call| {
                *told.lock().expect("nobody panicked") = Some(call.login.is_some());
                Ok(here(call))
            },
        );
        let linked_from = linked_from.map(url);
        let options = OpenOptions { linked_from, ..OpenOptions::default() };
        client.open_with(&url("http://h.dom/1"), &options).expect("it opens");
        let seen = *seen.lock().expect("nobody panicked");
        seen.expect("it was opened")
    };
    assert!(has_login(None));
    assert!(has_login(Some("http://h.dom/menu")));
    assert!(!has_login(Some("http://other.dom/menu")));
}
