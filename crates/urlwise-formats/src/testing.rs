//! What several unit tests share.

use proptest::test_runner::Config;

/// At least so many cases; `PROPTEST_CASES` asks for more. Texts that fail are written into a test, not into a file.
pub(crate) fn at_least(cases: u32) -> Config {
    let config = Config::default();
    Config { cases: config.cases.max(cases), failure_persistence: None, ..config }
}
