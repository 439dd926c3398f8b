//! Memory that is used again and again.

use std::hint;

/// More than the parts of a document, the lines of a list or the pages of a server take at a time.
const LONGEST_KEPT: usize = 16 << 20;

/// Has the allocator keep memory that is given back, for whoever asks next.
///
/// That of glibc returns blocks of 128 KiB and more to the kernel at once, which clears them page by page when they are needed again: a third
/// of the time that dense Markdown took. After a block of this length was returned, shorter ones are kept (`M_MMAP_THRESHOLD` in
/// mallopt(3)). Nothing is written to it, so it takes no memory. Other allocators take no notice.
pub(crate) fn keep() {
    drop(hint::black_box(Vec::<u8>::with_capacity(LONGEST_KEPT)));
}
