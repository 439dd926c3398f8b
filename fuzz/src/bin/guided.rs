//! libFuzzer over the target that `URLWISE_TARGET` names; it takes libFuzzer's arguments.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::env;
use std::sync::LazyLock;
use urlwise_fuzz::targets::{self, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("URLWISE_TARGET").expect("URLWISE_TARGET names the target");
    targets::named(&name).expect("URLWISE_TARGET is the name of a target")
});

fuzz_target!(|octets: &[u8]| TARGET(octets));
