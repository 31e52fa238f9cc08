//! Opening a graph of any kind.

use super::formats::metis;
use super::recognise::{FIRST, First, Verdict};
use super::{ImportFiles, ImportOptions, ImportReport, read, source, unused_options};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_graph::bundle;
use webrank_graph::shards::Shards;
use webrank_graph::{Graph, StoredGraph};

/// True if `path` is no BVGraph, and a file or folder that may be a graph in another format.
pub fn is_foreign(path: &Path, options: &ImportOptions) -> bool {
    if options.from.is_some() || path.as_os_str() == "-" {
        return true;
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_part = ["graph", "properties", "offsets", "ef"].contains(&extension.unwrap_or(""));
    let is_other = extension == Some("graph")
        && (is_metis(path) || !path.with_extension("properties").exists() && is_text(path));
    let is_part = is_part && !is_other;
    // A bundle that lost a file is one nevertheless.
    let is_bundle = extension == Some("bv") || path.join(bundle::MANIFEST).exists();
    let is_cut = Shards::is_at(path);
    let is_graph = is_part || is_cut || StoredGraph::is_at(path) || path.is_dir() && is_bundle;
    path.exists() && !is_graph || source::is_part(path)
}

/// Opens a graph in any format: a BVGraph stays on disk until its arcs are needed, anything else is
/// read into memory, and there is a report.
///
/// # Errors
/// As for [`Graph::open`] and [`read`].
pub fn open(
    path: &Path,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, Option<ImportReport>)> {
    if is_foreign(path, options) || options.symmetric || options.nodes.is_some() {
        let read =
            ImportFiles::new(&[path.to_owned()]).and_then(|all| read(&all, options, progress));
        let (graph, report) = read.map_err(|problem| match problem {
            Error::Line { .. } | Error::File { .. } if path.is_dir() => {
                let problem = format!("is not a bundle, and not a folder to import: {problem}");
                Error::file(path, problem)
            }
            other => other,
        })?;
        return Ok((graph.read_from(path), Some(report)));
    }
    check_options(path, options)?;
    if Shards::is_at(path) {
        return Ok((Graph::open(path)?, None));
    }
    let mut source = StoredGraph::open(path)?;
    if let Some(names) = &options.names {
        source.set_names(names);
    }
    let graph = Graph::from_source(source)?;
    match options.unweighted {
        true => Ok((graph.without_weights(), None)),
        false => Ok((graph, None)),
    }
}

/// Checks that no option is given that only files of other formats use; for a path that is a BVGraph.
///
/// # Errors
/// With the first such option.
pub fn check_options(path: &Path, options: &ImportOptions) -> Result<()> {
    unused_options::check_bundle(options, path)
}

/// The first bytes of a file, if it can be read.
fn first_bytes(path: &Path) -> Option<Vec<u8>> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FIRST).read_to_end(&mut first));
    read.ok().map(|_| first)
}

/// True for a text of METIS: files of BVGraphs are named `.graph`, too.
fn is_metis(path: &Path) -> bool {
    first_bytes(path).is_some_and(|first| {
        let is_whole = (first.len() as u64) < FIRST;
        metis::recognise(&First::new(path, &first, is_whole)) != Verdict::No
    })
}

/// True for a text of lines.
fn is_text(path: &Path) -> bool {
    let is_of_line = |byte: &u8| *byte >= b' ' || b"\t\r\n".contains(byte);
    first_bytes(path).is_some_and(|first| !first.is_empty() && first.iter().all(is_of_line))
}
