//! [`parts`]: what a URL is built of.

use crate::scheme::{PartKind, Scheme};

/// The parts that URLs of a scheme are built of, in the order they stand.
///
/// ```
/// use urlwise::{Scheme, build};
///
/// let names: Vec<_> = build::parts(Scheme::Ftp).map(|part| part.name()).collect();
/// assert_eq!(names, ["user", "password", "host", "port", "cwd", "name", "typecode"]);
/// ```
pub fn parts(scheme: Scheme) -> impl Iterator<Item = &'static PartKind> + Clone {
    scheme.parts().iter().filter(|part| part.is_written())
}
