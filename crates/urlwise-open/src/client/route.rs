//! The route of every URL: past the policy, through the gateway of its scheme if there is one, to its opener, and on to the URL
//! that the opener names instead, if it does.
//!
//! This is the only place where URLs are admitted and logins are chosen. Redirects of http, access methods of Prospero,
//! gateways and the openers of programs all go through the same loop.

use super::Client;
use crate::credentials::{self, Realm, ServerLogin};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::gateway::THROUGH_GATEWAY;
use crate::language::{message, words};
use crate::net::deadlines::Clock;
use crate::net::shared::AdmitHop;
use crate::policy::{Policy, Sender, UrlSource};
use crate::probe::{Probe, ProbeVerdict};
use crate::protocol::Metadata;
use crate::protocol::Note;
use crate::resource::Resource;
use crate::scheme::opener::{By, Call, Elsewhere, Opener, OrElse, Outcome};
use crate::scheme::opener_of;
use crate::scheme::options::OpenOptions;
use crate::scheme::plan::Plan;
use std::sync::Arc;
use urlwise::Url;

/// The most URLs that one call tries: with alternatives, a Prospero server chooses how many there are.
const MAX_ATTEMPTS: u32 = 256;

/// A URL on the route, and how it was reached.
#[derive(Clone)]
pub(super) struct Stop {
    url: Url<String>,
    provenance: OwnedSource,
    /// The URLs before this one, the one given first.
    via: Vec<Url<String>>,
    notes: Vec<Note>,
    /// How many of them were followed, not counting gateways.
    followed: u32,
    login: Who,
    /// The realm of the URL that was given, as long as the route stays in it (S-56).
    origin: Option<Realm>,
    /// After a gateway, no other gateway applies.
    is_routed: bool,
    /// Whether every step so far was a permanent redirect; `None` before the first.
    has_moved: Option<bool>,
    /// The fragment of the last redirect that has one, which replaces that of the URL that was given (RFC 9110 section 10.2.2).
    fragment: Option<String>,
}

/// An [`UrlSource`] that owns its URL.
#[derive(Clone)]
enum OwnedSource {
    Given,
    Redirect(Url<String>),
    Link(Url<String>),
}

/// The logins that may be used at a stop.
#[derive(Clone)]
enum Who {
    /// The URL was given: its own login, or that of the options or the netrc file.
    Named,
    /// A gateway: the login of its own URL or of the netrc file. A login that was given for the URL is never sent to a gateway (S-10).
    Gateway,
    /// A link of a document that others wrote: the login of the netrc file (S-58).
    Netrc,
    /// A redirect: the login of the URL before, as long as redirects stay in its realm (S-11).
    Kept(Option<(Realm, ServerLogin)>),
}

/// The result of a route, which records how it was reached.
pub(super) trait Reached: Sized {
    fn via(self, stop: Stop) -> Self;
}

impl Reached for Resource {
    fn via(self, stop: Stop) -> Resource {
        Resource::via(self, stop.via, stop.notes)
    }
}

impl Reached for Probe {
    fn via(mut self, stop: Stop) -> Probe {
        if self.verdict == ProbeVerdict::Alive && stop.has_moved == Some(true) {
            self.verdict = ProbeVerdict::Moved;
        }
        self.fragment = stop.fragment;
        let own = std::mem::take(&mut self.notes);
        stop.notes.into_iter().chain(own).fold(self, Probe::noting)
    }
}

impl Reached for Metadata {
    fn via(self, _: Stop) -> Metadata {
        self
    }
}

impl Reached for Plan {
    /// The URLs on the way, one line each.
    fn via(self, stop: Stop) -> Plan {
        let plan = self.hiding(stop.url.as_str());
        // All but the first, the last one first.
        let targets = std::iter::once(&stop.url).chain(stop.via.iter().rev()).take(stop.via.len());
        targets.fold(plan, |plan, target| plan.through(&target.borrow()))
    }
}

impl OwnedSource {
    fn from(&self) -> Option<&Url<String>> {
        match self {
            OwnedSource::Given => None,
            OwnedSource::Redirect(from) | OwnedSource::Link(from) => Some(from),
        }
    }
}

impl Stop {
    /// The first one, as the options of the call say.
    pub(super) fn asked(url: &Url<&str>, options: &OpenOptions) -> Stop {
        let stop = match options.linked_from.as_ref().map(Url::borrow) {
            Some(from) => Stop::first(url, UrlSource::Link { from: &from }),
            None => Stop::first(url, UrlSource::Given),
        };
        if options.untrusted { Stop { login: Who::Netrc, origin: None, ..stop } } else { stop }
    }

    /// The first one.
    pub(super) fn first(url: &Url<&str>, provenance: UrlSource<'_>) -> Stop {
        let provenance = match provenance {
            UrlSource::Given => OwnedSource::Given,
            UrlSource::Redirect { from } => OwnedSource::Redirect(from.to_owned()),
            UrlSource::Link { from } => OwnedSource::Link(from.to_owned()),
        };
        let here = Realm::of(url);
        let origin = match &provenance {
            OwnedSource::Given => here,
            // A link within the realm of what was given.
            OwnedSource::Link(from) => here.filter(|here| Realm::of(from).as_ref() == Some(here)),
            OwnedSource::Redirect(_) => None,
        };
        let (via, notes) = Default::default();
        Stop {
            url: url.to_owned(),
            provenance,
            via,
            notes,
            followed: 0,
            login: Who::Named,
            origin,
            is_routed: false,
            has_moved: None,
            fragment: None,
        }
    }

    /// The first one of a probe: a link of a document gets no login but that of the netrc file.
    pub(super) fn probed(url: &Url<&str>, options: &OpenOptions) -> Stop {
        let stop = Stop::asked(url, options);
        match stop.provenance {
            OwnedSource::Given => stop,
            OwnedSource::Redirect(_) | OwnedSource::Link(_) => Stop { login: Who::Netrc, ..stop },
        }
    }

    /// The stop after this one, at the URL that `elsewhere` names.
    fn next<T>(self, elsewhere: Elsewhere<T>, max_redirects: u32) -> Result<Stop, Error> {
        let Elsewhere { url, by, via, notes, is_permanent, fragment, .. } = elsewhere;
        let mut next = Stop { via: self.via, notes: self.notes, ..Stop::first(&url.borrow(), UrlSource::Given) };
        next.via.push(self.url);
        next.via.extend(via);
        next.notes.extend(notes);
        next.has_moved = Some(self.has_moved.unwrap_or(true) && is_permanent);
        next.fragment = fragment.or(self.fragment);
        let from = next.via.last().cloned();
        next.provenance = match (by, from) {
            (By::Redirect, Some(from)) => OwnedSource::Redirect(from),
            (By::Link, Some(from)) => OwnedSource::Link(from),
            _ => self.provenance,
        };
        (next.login, next.is_routed) = match by {
            By::Gateway => (Who::Gateway, true),
            By::Redirect => (self.login, self.is_routed),
            By::Opener | By::Link => (Who::Named, false),
        };
        next.origin = match by {
            By::Redirect | By::Opener => self.origin,
            By::Gateway | By::Link => None,
        };
        next.followed = self.followed + u32::from(by != By::Gateway);
        let what = if by != By::Gateway && next.via.contains(&next.url) {
            match next.via.len() {
                1 => words!("redirect loop after 1 redirect").into(),
                count => message!("redirect loop after {count} redirects", count = count),
            }
        } else if next.followed > max_redirects {
            message!("there are more than {count} redirects", count = max_redirects)
        } else {
            return Ok(next);
        };
        let error = Error::new(ErrorKind::Redirects, what)
            .with_reference("RFC 9110 section 15.4, S-21")
            .with_help(words!("open the last URL to see where it goes"));
        Err(next.blame(error, &OpenOptions::default()))
    }

    /// The error with the URL at which it happened and those before it.
    fn blame(&self, error: Error, options: &OpenOptions) -> Error {
        let via = self.via.iter().map(|url| url.masked().to_string());
        // A proxy has its own login, and one that was sent came from there.
        let needs_netrc = options.untrusted
            && error.kind() == ErrorKind::Login
            && error.server_code() != Some(407)
            && !matches!(self.login, Who::Kept(Some(_)));
        let error = if needs_netrc { credentials::by_netrc(error) } else { error };
        match options.form().filter(|_| self.via.is_empty()) {
            Some(filled) => error.at(filled).hiding(self.url.as_str()),
            None => error.at_url(&self.url),
        }
        .after(via)
        .noting(self.notes.clone())
    }
}

/// The only place that admits URLs.
fn admit(policy: &Policy, url: &Url<&str>, provenance: UrlSource<'_>, sender: Option<Sender>) -> Result<(), Error> {
    Ok(policy.admit_sent(url, provenance, sender)?)
}

/// Admits servers that other servers name within one dialogue, as Prospero servers do.
pub(super) fn hops(policy: Policy) -> AdmitHop {
    Arc::new(move |url, from| admit(&policy, &url.borrow(), UrlSource::Link { from: &from.borrow() }, None))
}

impl Client {
    /// Follows the route from its first stop to its end. `ask` is called with each opener on the way.
    pub(super) fn route<T: Reached>(
        &self,
        first: Stop,
        options: &OpenOptions,
        clock: &Clock,
        ask: impl Fn(&dyn Opener, &Call<'_>) -> Result<Outcome<T>, Error>,
    ) -> Result<T, Error> {
        let mut stop = first;
        let mut attempts = 0;
        // Where to continue if what follows fails, the last one first.
        let mut others: Vec<(Stop, OrElse<T>)> = Vec::new();
        let mut outcome = self.visit(&mut stop, options, clock, &ask);
        loop {
            let error = match outcome {
                Ok(Outcome::Here(found)) => return Ok(found.via(stop)),
                Ok(Outcome::Elsewhere(mut elsewhere)) => {
                    others.extend(elsewhere.or_else.take().map(|or_else| (stop.clone(), or_else)));
                    attempts += 1;
                    match stop.next(elsewhere, self.max_redirects) {
                        Ok(next) => {
                            stop = next;
                            outcome = self.visit(&mut stop, options, clock, &ask);
                            continue;
                        }
                        Err(error) => error,
                    }
                }
                Err(error) => stop.blame(error, options),
            };
            match others.pop() {
                Some((before, or_else)) if error.kind() != ErrorKind::Cancelled && attempts < MAX_ATTEMPTS => {
                    stop = before;
                    outcome = or_else(error);
                }
                _ => return Err(error),
            }
        }
    }

    /// Handles one stop: the policy, the gateways, then the opener.
    fn visit<T>(
        &self,
        stop: &mut Stop,
        options: &OpenOptions,
        clock: &Clock,
        ask: &impl Fn(&dyn Opener, &Call<'_>) -> Result<Outcome<T>, Error>,
    ) -> Result<Outcome<T>, Error> {
        let Stop { url, provenance, login, origin, is_routed, via, .. } = stop;
        let (url, from) = (url.borrow(), provenance.from().map(Url::borrow));
        let provenance = match (&*provenance, &from) {
            (OwnedSource::Redirect(_), Some(from)) => UrlSource::Redirect { from },
            (OwnedSource::Link(_), Some(from)) => UrlSource::Link { from },
            _ => UrlSource::Given,
        };
        admit(&self.policy, &url, provenance, clock.sender())?;
        let peers = &self.context.shared.peers;
        // A gateway is the user's choice, so it may be local.
        let sender = from.filter(|from| via.last().is_none_or(|last| last.as_str() == from.as_str()));
        let server = sender.and_then(|from| from.host()).map(|host| peers.sending(host.as_str()));
        // The answers of a form go to the server that asked, and nowhere else.
        if !*is_routed
            && options.form().is_none()
            && let Some(target) = self.gateways.lead(&url)?
        {
            return Ok(Outcome::Elsewhere(Elsewhere::new(target, By::Gateway).with_notes(vec![THROUGH_GATEWAY])));
        }
        let opener = match self.openers.get(&url).filter(|_| options.form().is_none()) {
            Some(opener) => opener,
            None => opener_of(&url, options)?,
        };
        // Once the route has left the realm, what belongs to it is not sent, not even if the route returns.
        *origin = origin.take().filter(|origin| origin.is_of(&url));
        let is_origin = origin.is_some();
        let mut call =
            Call { url, provenance, server: None, login: None, is_origin, options, context: &self.context, clock };
        call.server = opener.server(&call)?;
        // A server that the URL does not name is the user's choice, so it may be local.
        let is_named_by_url = call.server.is_none() || url.host().is_some();
        let clock = clock.clone().sent_from(server.filter(|_| is_named_by_url));
        // So is a gateway, but not where it redirects to.
        let sender = clock.sender().filter(|_| is_named_by_url && !matches!(login, Who::Gateway));
        // And a link within a local server leads to nothing that its reader does not know (S-58).
        let sender = sender.filter(|_| !(is_origin && url.host().is_some_and(|host| peers.is_local(host.as_str()))));
        let clock = clock.sent_by(sender);
        // Nobody else sees what is sent.
        let clock = if self.context.shared().observer.is_some() { clock.hiding(&url) } else { clock };
        call.clock = &clock;
        if let Some(server) = &call.server {
            // The server comes from an option or a setting, and its port may be that of another protocol.
            admit(&self.policy, &server.borrow(), UrlSource::Given, None)?;
        }
        let there = call.server.as_ref().map_or(url, Url::borrow);
        let is_named = is_origin || matches!(provenance, UrlSource::Given);
        call.login = self.login(login, &there, is_named);
        // Once redirects have left the realm, no login is sent, not even if they return.
        *login = Who::Kept(call.login.clone().and_then(|login| Some((Realm::of(&there)?, login))));
        ask(opener, &call)
    }

    fn login(&self, who: &Who, url: &Url<&str>, is_named: bool) -> Option<ServerLogin> {
        let wallet = self.context.wallet();
        match who {
            Who::Named => is_named.then(|| wallet.login(url)).flatten(),
            Who::Gateway => wallet.login_at_gateway(url),
            Who::Netrc => wallet.login_of_link(url),
            Who::Kept(kept) => {
                let here = Realm::of(url)?;
                kept.as_ref().filter(|(realm, _)| *realm == here).map(|(_, login)| login.clone())
            }
        }
    }
}

#[cfg(test)]
mod tests;
