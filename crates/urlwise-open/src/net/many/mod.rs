//! Many calls at a time: jobs that use the ordinary, blocking API, and one thread that drives them all.
//!
//! Each job runs as a coroutine with a stack of its own. Where it would block on a socket, a name or the clock, the [event
//! loop](event_loop) runs another one. Where there is no event loop, each job at a time has a thread.

#[cfg(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) mod event_loop;
#[cfg(not(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "threads.rs"]
pub(crate) mod event_loop;
#[cfg(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod feed;

use std::fmt;
use std::io;
use std::time::Duration;

/// What a socket is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interest {
    /// Octets, a connection or the end.
    Read,
    /// Room for octets, or the end of connecting.
    Write,
}

/// The most jobs that [`run_many`] runs at a time, whatever it is asked for.
pub const MOST_AT_A_TIME: usize = 1024;

/// Where [`run_many`] takes its jobs from. The calling thread [adds](Jobs::push) them.
pub struct Jobs<'f, J>(event_loop::Queue<'f, J>);

impl<J> Jobs<'_, J> {
    /// Adds a job, in the order in which they are to begin. Blocks while enough of them wait.
    pub fn push(&self, job: J) {
        event_loop::push(&self.0, job);
    }
}

impl<J> fmt::Debug for Jobs<'_, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").finish_non_exhaustive()
    }
}

/// Runs many jobs, `at_a_time` of them at once (at least one, at most [`MOST_AT_A_TIME`]), on one thread.
///
/// `feed` runs on the calling thread and [adds](Jobs::push) the jobs, `work` does one. In `work`, the calls of this crate look as if
/// they blocked: a [`Client`](crate::Client) opens a URL, its document is read to the end. Meanwhile the thread runs other jobs, so
/// nothing else should block there for long; to wait, call [`sleep`]. A lock that is held while one of these calls waits keeps all
/// other jobs from taking it; if it is a `Mutex`, they deadlock. Jobs have 512 KiB of stack.
///
/// On Linux on x86-64 and ARM64, with the feature `many`. Elsewhere each of the `at_a_time` jobs has its own thread. So `work` must
/// be `Sync` everywhere.
///
/// Returns what `feed` returns, once all jobs have ended. To end them early, use a [`Cancel`](crate::Cancel).
///
/// ```
/// use std::sync::Mutex;
/// use urlwise::Url;
/// use urlwise_open::{Client, Options, Resource, run_many};
///
/// # let folder = std::env::temp_dir().join(format!("urlwise-many-{}", std::process::id()));
/// # std::fs::create_dir(&folder)?;
/// # for name in ["a", "b", "c"] { std::fs::write(folder.join(name), name)?; }
/// let client = Client::new(Options::default());
/// let sizes = Mutex::new(Vec::new());
/// run_many(
///     64,
///     |jobs| {
///         for name in ["a", "b", "c"] {
///             jobs.push(format!("file://{}/{name}", folder.display()));
///         }
///     },
///     |url| {
///         let url = Url::parse(url).expect("a valid URL");
///         let Ok(Resource::Document(mut document)) = client.open(&url) else { return };
///         let size = document.write_to(&mut std::io::sink()).expect("it can be read");
///         sizes.lock().expect("no job panics").push(size);
///     },
/// )?;
/// assert_eq!(sizes.into_inner().expect("no job panics"), [1, 1, 1]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The system has no thread, no descriptor or no memory for them. `feed` has then not run.
///
/// # Panics
/// When a job panics: the jobs that have begun end first, the others do not begin.
pub fn run_many<J: Send, R>(
    at_a_time: usize,
    feed: impl FnOnce(&Jobs<'_, J>) -> R,
    work: impl Fn(J) + Sync,
) -> io::Result<R> {
    event_loop::run(at_a_time.clamp(1, MOST_AT_A_TIME), |queue| feed(&Jobs(queue)), &work)
}

/// Waits. In a job of [`run_many`], others run meanwhile.
pub fn sleep(duration: Duration) {
    event_loop::sleep(duration);
}
