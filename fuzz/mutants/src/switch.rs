//! The switch of mutants: which one is on, or which are reached. Allocates nothing, as some tests count allocations.
#![allow(warnings, clippy::all)]

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn atoi(text: *const c_char) -> c_int;
    fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int;
    fn write(file: c_int, octets: *const c_void, length: usize) -> isize;
}

const UNKNOWN: u32 = u32::MAX;
const RECORDS: u32 = u32::MAX - 1;
/// `O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC` of Linux.
const APPEND: c_int = 0o1 | 0o100 | 0o2000 | 0o2000000;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static FILE: AtomicU32 = AtomicU32::new(0);
static REACHED: [AtomicU8; 65536] = [const { AtomicU8::new(0) }; 65536];

/// Whether this mutant is on: `MUTANT` is its number. With `MUTANT_REACHED` each is written to that file when first asked for.
#[inline(always)]
pub fn on(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    if active < RECORDS { active == number } else { slow(number) }
}

#[cold]
#[inline(never)]
fn slow(number: u32) -> bool {
    if ACTIVE.load(Relaxed) == UNKNOWN {
        let file = unsafe { getenv(c"MUTANT_REACHED".as_ptr()) };
        if file.is_null() {
            let active = unsafe { getenv(c"MUTANT".as_ptr()) };
            ACTIVE.store(if active.is_null() { 0 } else { (unsafe { atoi(active) }) as u32 }, Relaxed);
            return on(number);
        }
        FILE.store((unsafe { open(file, APPEND, 0o644) }) as u32, Relaxed);
        ACTIVE.store(RECORDS, Relaxed);
    }
    if REACHED[number as usize].swap(1, Relaxed) == 0 {
        let octets = number.to_ne_bytes();
        unsafe { write(FILE.load(Relaxed) as c_int, octets.as_ptr().cast(), 4) };
    }
    false
}
