//! The names of pages that became one with another: a line for each, its name, a tab, and the name of
//! the node that it became.

use super::MERGED;
use crate::StoredGraph;
use crate::recode::copy;
use std::path::{Path, PathBuf};
use webrank_base::error::Result;

impl StoredGraph {
    /// The file of the names of merged pages, if the graph is a bundle that has one.
    pub fn merged_path(&self) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join(MERGED);
        path.exists().then_some(path)
    }

    /// Copies it into the folder of another bundle of the same pages.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub(crate) fn copy_merged(&self, folder: &Path) -> Result<()> {
        let path = self.merged_path();
        path.map_or(Ok(()), |path| copy(&path, &folder.join(MERGED)))
    }
}
