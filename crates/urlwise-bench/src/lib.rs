//! What the benches need apart from the parsers: the sets of URLs, the counting of instructions, the tables, and the race
//! between programs that do the same.
//!
//! `cargo bench` prints, for each set, our figures beside those of the rivals, all of one run; DESIGN.md holds the
//! bars. No figure ever fails a test: times belong to a machine and a moment, and are read by people.

pub mod callgrind;
pub mod long;
pub mod race;
pub mod sets;
pub mod table;
