//! The program `urlwise`.
fn main() {}
