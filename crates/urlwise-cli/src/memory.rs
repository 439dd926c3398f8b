//! Keeps freed memory for reuse.

use std::hint;

/// More than is allocated at once for a part of a document, the lines of a list or a page of a server.
const LONGEST_KEPT: usize = 16 << 20;

/// Makes the allocator keep freed memory instead of returning it to the kernel.
///
/// glibc returns blocks of 128 KiB and more as soon as they are freed, and the kernel clears every page when they are allocated again,
/// which was a third of the time that dense Markdown took. Freeing a larger block once raises that threshold to its size
/// (`M_MMAP_THRESHOLD` in mallopt(3)). The block is never written to, so it takes no memory. Other allocators are not affected.
pub(crate) fn keep() {
    drop(hint::black_box(Vec::<u8>::with_capacity(LONGEST_KEPT)));
}
