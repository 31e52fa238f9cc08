//! Turning panics of a reader of foreign files into errors.

use std::cell::Cell;
use std::panic::{UnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

static QUIET: Once = Once::new();

/// The result of `read`; none if it panics. Such a panic is not printed. `read` must not use other threads.
pub fn catch_panic<T>(read: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    QUIET.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                report(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let read = catch_unwind(read);
    GUARDED.set(before);
    read.ok()
}
