//! Graphs in temporary files, for what reads their rows some times.

use super::{ImportFiles, ImportOptions, ImportReport, write};
use std::path::Path;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::Graph;
use webrank_graph::bundle::TemporaryBundle;

/// A graph whose rows, of both directions, are in temporary files, which are removed with it.
pub struct OnDisk {
    /// The graph.
    pub graph: Graph,
    /// The report on reading it.
    pub report: ImportReport,
    _bundle: TemporaryBundle,
}

/// Reads files as a graph in temporary files in a folder, within the memory that may be used. O(m log m).
///
/// # Errors
/// As for [`super::import()`].
pub fn read_to_disk(
    sources: &ImportFiles,
    options: &ImportOptions,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<OnDisk> {
    let inputs = sources.open(options)?;
    let bundle = TemporaryBundle::create(folder, true)?;
    let report = write(inputs, options, folder, (&bundle, None), progress)?;
    Ok(OnDisk {
        graph: Graph::open(bundle.path())?,
        report,
        _bundle: bundle,
    })
}
