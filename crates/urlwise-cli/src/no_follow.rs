//! Opens files without following links and without waiting, in folders that others may write to.

use std::fs::OpenOptions;

/// Does not follow a link, and does not wait for the other end of a pipe.
#[cfg(unix)]
pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    // The sign does not matter: the system takes flags as an int.
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
}

#[cfg(not(unix))]
pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
