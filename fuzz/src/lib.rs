//! What is fuzzed, and how.
//!
//! A [target](targets) is a function that takes any octets, and panics where something that should be true of them is not. Two
//! programs run the targets: `guided` is libFuzzer, which looks for inputs that reach new branches; `blind` changes the inputs
//! that the other found, without looking where they lead, which is many times as fast.

pub mod calls;
pub mod corpus;
pub mod mutate;
pub mod targets;
pub mod text;
