//! How long to wait before a retry. [`Error::is_transient`](urlwise_open::Error::is_transient)
//! says which errors are worth one.

use std::time::Duration;

/// The wait before the first retry; it doubles for each later one.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The wait before a retry, counted from 0.
pub(super) fn wait(retry: u32) -> Duration {
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(retry)).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::wait;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::time::Duration;
    use urlwise_open::ErrorKind;

    #[test]
    fn waits_double_up_to_a_minute() {
        let seconds: Vec<u64> = (0..8).map(|retry| wait(retry).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(wait(u32::MAX), Duration::from_secs(60));
    }

    #[test]
    fn the_help_lists_the_exit_codes_of_transient_errors() {
        let cli = Cli::command();
        let get = cli.find_subcommand("get").expect("there is get");
        let retry =
            get.get_arguments().find(|argument| argument.get_long() == Some("retry")).expect("there is --retry");
        let help = retry.get_long_help().expect("it has help").to_string();
        let codes: Vec<String> =
            ErrorKind::TRANSIENT.iter().map(|kind| crate::exit::code((*kind).into()).to_string()).collect();
        let (last, others) = codes.split_last().expect("there are some");
        assert!(help.contains(&format!("exit codes {} and {last}", others.join(", "))), "{help}");
    }
}
