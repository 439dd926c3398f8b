//! What every text that is shown must be.

use std::fmt::{self, Display, Write};

/// Whether what is printed holds no control character. Nothing is allocated.
pub fn is_clean(shown: &dyn Display) -> bool {
    struct Clean;
    impl Write for Clean {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if text.contains(char::is_control) { Err(fmt::Error) } else { Ok(()) }
        }
    }
    write!(Clean, "{shown}").is_ok()
}
