//! Workspaces for searches, lent to one task at a time, so that each thread makes only one.

use std::sync::{Mutex, MutexGuard};

/// Values that wait for the next task.
pub struct Pool<T, F> {
    make: F,
    free: Mutex<Vec<T>>,
}

impl<T, F: Fn() -> T> Pool<T, F> {
    /// An empty pool; `make` makes a value when none waits.
    pub fn new(make: F) -> Self {
        Pool {
            make,
            free: Mutex::new(Vec::new()),
        }
    }

    /// Lends a value to `work`, as the last task left it.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let waiting = self.free().pop();
        let mut value = waiting.unwrap_or_else(&self.make);
        let result = work(&mut value);
        self.free().push(value);
        result
    }

    fn free(&self) -> MutexGuard<'_, Vec<T>> {
        let free = self.free.lock();
        free.expect("nothing panics while it holds the pool")
    }
}
