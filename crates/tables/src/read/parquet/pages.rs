//! How large the pages of a column are, so that a batch ends before it holds too many.
//!
//! Texts that were read lie in their page, which stays as long as they do. Where each text is told by what
//! it shares with the one before, each is a copy of its own.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The pages that the reader of a column has taken.
#[derive(Default)]
pub(super) struct Seen {
    /// The bytes of the pages since the batch began.
    bytes: AtomicU64,
    /// Values of the page that were not read.
    left: AtomicU64,
    /// Each of them is a copy.
    copies: AtomicBool,
}

impl Seen {
    /// A batch begins. The page that is being read is there anyway.
    pub(super) fn begin(&self) {
        self.bytes.store(0, Relaxed);
    }

    /// The bytes of the pages that were taken since then.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// How many rows may be read: those of the page, or one, which shows how large the next page is.
    pub(super) fn rows_at_once(&self) -> usize {
        match self.copies.load(Relaxed) {
            true => 1,
            false => usize::try_from(self.left.load(Relaxed))
                .unwrap_or(usize::MAX)
                .max(1),
        }
    }

    /// Rows were read; true if their values are copies.
    pub(super) fn took(&self, rows: usize) -> bool {
        let left = self.left.load(Relaxed).saturating_sub(rows as u64);
        self.left.store(left, Relaxed);
        self.copies.load(Relaxed)
    }

    fn page(&self, page: &Page) {
        self.bytes.fetch_add(page.buffer().len() as u64, Relaxed);
        if !matches!(page, Page::DictionaryPage { .. }) {
            self.left.store(page.num_values().into(), Relaxed);
            let copies = matches!(page.encoding(), Encoding::DELTA_BYTE_ARRAY);
            self.copies.store(copies, Relaxed);
        }
    }
}

/// Pages that are seen on their way.
pub(super) struct WatchedPages {
    pub(super) pages: Box<dyn PageReader>,
    pub(super) seen: Arc<Seen>,
}

impl PageReader for WatchedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.seen.page(page);
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for WatchedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
