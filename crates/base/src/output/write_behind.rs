//! Files that go to the disk while more is written to them.

use super::is_unsupported;
use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// The bytes after which the disk gets what is there.
const PART: u64 = 8 << 20;

/// Brings a file to the disk as it grows, on a thread of its own, so that little is left to do at its end.
pub(super) struct Early {
    file: Option<File>,
    thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
    /// The bytes since the disk was last asked.
    bytes: u64,
}

impl Early {
    /// For this handle of a file; without one, nothing happens.
    pub(super) fn of(file: Option<File>) -> Self {
        Early {
            file,
            thread: None,
            bytes: 0,
        }
    }

    /// Notes that so many more bytes were written.
    pub(super) fn wrote(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        if self.bytes < PART {
            return;
        }
        self.bytes = 0;
        if let Some(file) = self.file.take() {
            let (ask, asked) = sync_channel(1);
            let work = move || asked.iter().try_for_each(|()| bring(&file));
            // Without a thread, all is left for the end.
            let thread = thread::Builder::new().spawn(work).ok();
            self.thread = thread.map(|thread| (ask, thread));
        }
        if let Some((ask, _)) = &self.thread {
            // If it is still at work, it brings this with the next part.
            let _ = ask.try_send(());
        }
    }

    /// Waits until the disk has what it was asked for.
    ///
    /// # Errors
    /// If it could not be written: the system says so once, to whom asks first.
    pub(super) fn end(self) -> io::Result<()> {
        let Some((ask, thread)) = self.thread else {
            return Ok(());
        };
        drop(ask);
        let died = |_| Err(io::Error::other("the thread that writes to the disk died"));
        thread.join().unwrap_or_else(died)
    }
}

fn bring(file: &File) -> io::Result<()> {
    match file.sync_data() {
        Err(problem) if is_unsupported(&problem) => Ok(()),
        brought => brought,
    }
}
