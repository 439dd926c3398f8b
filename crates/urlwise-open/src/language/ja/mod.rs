//! Japanese: である調, terms of the RFC's Japanese translations where they are right (D-108), no space beside Latin letters.

mod errors;
mod functions;
mod gateway;
mod net;
mod notes;
mod plan;
mod policy;
mod probe;
mod resource;
mod schemes;

/// All texts of this crate, by the English ones: a file for each subject.
#[rustfmt::skip]
pub(crate) const PHRASES: &[&[(&str, &str)]] = &[
    errors::ERRORS,
    functions::FUNCTIONS,
    gateway::GATEWAY,
    net::NET,
    notes::NOTES,
    plan::PLAN,
    policy::POLICY,
    probe::PROBE,
    resource::RESOURCE,
    schemes::SCHEMES,
];
