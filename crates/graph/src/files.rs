//! The files of one BVGraph.

use super::Compressed;
use super::bundle::BundleManifest;
use super::bvgraph::bits::Words;
use super::bvgraph::offsets::Offsets;
use super::bvgraph::properties::Properties;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use webrank_base::error::{Error, Result};
use webrank_base::regular;

/// The files of one BVGraph.
pub(super) struct BvFiles {
    pub(super) basename: PathBuf,
    pub(super) properties: Properties,
    /// xxh3-128 of the `.graph` file, once it was read.
    pub(super) checksum: OnceLock<u128>,
}

/// The longest properties file: they have a few hundred bytes.
const MAX_PROPERTIES: u64 = 16 << 20;

impl BvFiles {
    /// The graph with this basename, if its properties file exists.
    pub(super) fn find(basename: &Path) -> Result<Option<Self>> {
        let path = with_suffix(basename, ".properties");
        let Some(bytes) = regular::read(&path, MAX_PROPERTIES)? else {
            return Ok(None);
        };
        Ok(Some(BvFiles {
            basename: basename.to_owned(),
            properties: Properties::parse(&path, &bytes)?,
            checksum: OnceLock::new(),
        }))
    }

    pub(super) fn file(&self, suffix: &str) -> PathBuf {
        with_suffix(&self.basename, suffix)
    }

    /// Refuses a transpose with other counts than the graph's.
    ///
    /// # Errors
    /// If they differ.
    pub(super) fn check_counts(&self, transpose: &Self) -> Result<()> {
        let (graph, reversed) = (&self.properties, &transpose.properties);
        if (graph.nodes, graph.arcs) == (reversed.nodes, reversed.arcs) {
            return Ok(());
        }
        Err(Error::file(
            transpose.file(".properties"),
            format!(
                "the transpose has {} nodes and {} arcs, the graph {} and {}; remove the transpose \
                 and it will be computed",
                reversed.nodes, reversed.arcs, graph.nodes, graph.arcs
            ),
        ))
    }

    /// The compressed graph; `read` brings its bits. Its files must be those of the manifest.
    ///
    /// # Errors
    /// If a file cannot be read or has changed, or if they contradict each other.
    pub(super) fn load(
        &self,
        read: impl Fn(&Path) -> Result<Words>,
        manifest: Option<&BundleManifest>,
    ) -> Result<Compressed> {
        let path = self.file(".graph");
        let words = read(&path)?;
        let check = |path: &Path, checksum| match manifest {
            Some(manifest) => manifest.check(path, checksum),
            None => Ok(()),
        };
        check(&path, words.checksum())?;
        if *self.checksum.get_or_init(|| words.checksum()) != words.checksum() {
            let problem =
                "the file has changed since it was read; run again when it stays as it is";
            return Err(Error::file(&path, problem));
        }
        // Every list takes at least one bit.
        if self.properties.nodes as u64 > words.num_bits() {
            return Err(Error::file(
                self.file(".properties"),
                format!(
                    "{} nodes are declared, but {} has only {} bits; the two do not belong \
                     together, or one is damaged",
                    self.properties.nodes,
                    path.display(),
                    words.num_bits()
                ),
            ));
        }
        let offsets_path = self.file(".offsets");
        let offsets = if offsets_path.exists() {
            let (offsets, checksum) =
                Offsets::read(&offsets_path, &self.properties, words.num_bits())?;
            check(&offsets_path, checksum)?;
            Some(offsets)
        } else {
            None
        };
        Compressed::new(path, words, self.properties.clone(), offsets)
    }
}

/// Appends to the last component of a path, and keeps its dots.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
