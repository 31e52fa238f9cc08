//! The fingerprints of the nodes of a bundle.

use super::FINGERPRINTS;
use crate::StoredGraph;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::regular;
use xxhash_rust::xxh3::Xxh3;

/// Writes a file of fingerprints.
pub fn write_fingerprints(path: &Path, of: impl IntoIterator<Item = u64>) -> Result<()> {
    let cannot = |source| Error::io(path, "cannot write", source);
    let file = File::create(path).map_err(cannot)?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let mut words = of.into_iter();
    let write = |word: u64| out.write_all(&word.to_le_bytes());
    words.try_for_each(write).map_err(cannot)?;
    out.flush().map_err(cannot)
}

impl StoredGraph {
    /// The file of the fingerprints of the nodes, if the graph is a bundle that has one.
    pub fn fingerprints_path(&self) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join(FINGERPRINTS);
        path.exists().then_some(path)
    }

    /// The fingerprints of the texts of the nodes, 0 for nodes without text, if the graph is a bundle
    /// that has them. 8 bytes a node.
    ///
    /// # Errors
    /// If the file cannot be read, has another length, or is not the one in the manifest.
    pub fn fingerprints(&self) -> Result<Option<Vec<u64>>> {
        let Some(path) = self.fingerprints_path() else {
            return Ok(None);
        };
        let (words, checksum) = read_fingerprints(&path, self.properties().nodes)?;
        if let Some(manifest) = &self.manifest {
            manifest.check(&path, checksum.1)?;
        }
        self.read.note(&path, checksum);
        Ok(Some(words))
    }
}

/// The fingerprints in a file for so many nodes, and its length and checksum.
fn read_fingerprints(path: &Path, nodes: usize) -> Result<(Vec<u64>, (u64, u128))> {
    let cannot = |source| Error::io(path, "cannot read", source);
    let file = regular::open(path)?;
    let bytes = file.metadata().map_err(cannot)?.len();
    if bytes != 8 * nodes as u64 {
        let problem = format!(
            "has {bytes} bytes, but {nodes} nodes have fingerprints of {} bytes; make the bundle again",
            8 * nodes
        );
        return Err(Error::file(path, problem));
    }
    let mut words = Vec::new();
    reserve(&mut words, nodes, "fingerprints")?;
    let mut input = BufReader::with_capacity(1 << 18, file);
    let (mut hasher, mut word) = (Xxh3::new(), [0; 8]);
    for _ in 0..nodes {
        input.read_exact(&mut word).map_err(cannot)?;
        hasher.update(&word);
        words.push(u64::from_le_bytes(word));
    }
    Ok((words, (bytes, hasher.digest128())))
}
