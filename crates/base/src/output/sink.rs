//! Writing for crates whose writers panic, or print a line, when bytes are refused.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// A writer that never fails: it keeps its first error and drops all later bytes.
pub struct Sink<W> {
    out: W,
    failed: Failed,
}

/// The first error of some [`Sink`]s.
#[derive(Clone, Default)]
pub struct Failed(Rc<RefCell<Option<io::Error>>>);

impl Failed {
    /// A sink whose first error is kept here.
    pub fn sink<W: Write>(&self, out: W) -> Sink<W> {
        Sink {
            out,
            failed: self.clone(),
        }
    }

    /// Whether there is an error.
    pub fn is_some(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// The error, if there is one.
    ///
    /// # Errors
    /// It.
    pub fn check(&self) -> io::Result<()> {
        self.0.take().map_or(Ok(()), Err)
    }
}

impl<W: Write> Sink<W> {
    fn unless_failed(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        let mut failed = self.failed.0.borrow_mut();
        if failed.is_none() {
            *failed = write(&mut self.out).err();
        }
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_failed(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_failed(W::flush);
        Ok(())
    }
}
