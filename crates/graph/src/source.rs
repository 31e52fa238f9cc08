//! A graph on disk: its files, its names, and its rows when they are read.
//!
//! `open` finds the files.

use super::bundle::{self, BundleManifest, NameIndex};
use super::bvgraph::bits::Words;
use super::bvgraph::load;
use super::bvgraph::properties::Properties;
use super::files::BvFiles;
use super::{ArcHash, Compressed, Csr, Direction};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::{LineEnds, Names};

/// A graph on disk: its files are known and its properties parsed, its arcs not yet read.
///
/// ```no_run
/// use webrank_base::progress::Silent;
/// use webrank_graph::StoredGraph;
///
/// let source = StoredGraph::open("graphs/rust-doc.bv".as_ref())?;
/// let successors = source.successors(&Silent)?;
/// println!("{} nodes, {} arcs", successors.num_nodes(), successors.num_arcs());
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
pub struct StoredGraph {
    pub(super) path: PathBuf,
    /// The directory of a bundle.
    pub(super) folder: Option<PathBuf>,
    pub(super) forward: BvFiles,
    pub(super) transpose: Option<BvFiles>,
    pub(super) names: Option<PathBuf>,
    /// The weights of the arcs in a bundle.
    pub(super) weights: Option<PathBuf>,
    pub(super) manifest: Option<BundleManifest>,
    /// Files outside the graph that were read.
    pub(super) read: Checksums,
    /// True if this is the transpose of a bundle, opened as a graph.
    pub(super) is_reversed: bool,
}

/// The predecessor rows of a graph.
pub struct IncomingRows {
    /// Row `x` holds the `y` with an arc `y -> x`.
    pub rows: Csr,
    /// The outdegree of every node, when known at no cost.
    pub outdegrees: Option<Vec<u32>>,
}

impl StoredGraph {
    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content of the properties file.
    pub fn properties(&self) -> &Properties {
        &self.forward.properties
    }

    /// The manifest, if the graph is a bundle that has one.
    pub fn manifest(&self) -> Option<&BundleManifest> {
        self.manifest.as_ref()
    }

    /// True if the graph is a bundle without a manifest, whose files cannot be verified.
    pub fn lacks_manifest(&self) -> bool {
        self.folder.is_some() && self.manifest.is_none()
    }

    /// True if the names of the nodes are known.
    pub fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// The file of the names of the nodes, if they are known.
    pub fn names_path(&self) -> Option<&Path> {
        self.names.as_deref()
    }

    /// True if the transpose lies beside the graph.
    pub fn has_transpose(&self) -> bool {
        self.transpose.is_some()
    }

    /// The file with the weights of the arcs, if the graph is a bundle that has one.
    pub fn weights(&self) -> Option<&Path> {
        self.weights.as_deref()
    }

    /// Takes the names of the nodes from a file: one per line, in node order; plain, gzip or zstd.
    pub fn set_names(&mut self, path: &Path) {
        self.names = Some(path.to_owned());
    }

    /// Every file that the graph consists of, with its length in bytes.
    pub fn files(&self) -> Vec<(PathBuf, u64)> {
        let suffixes = [".graph", ".properties", ".offsets", ".ef"];
        let graphs = [Some(&self.forward), self.transpose.as_ref()];
        let files = graphs.into_iter().flatten();
        let paths = files.flat_map(|files| suffixes.map(|suffix| files.file(suffix)));
        let names = self.names.clone().into_iter().chain(self.index_path());
        let names = names.chain(self.weights.clone());
        let names = names.chain(self.fingerprints_path());
        let names = names.chain(self.pages_path()).chain(self.merged_path());
        let folder = self.folder.as_ref().filter(|_| self.manifest.is_some());
        let manifest = folder.map(|folder| folder.join(bundle::MANIFEST));
        paths
            .chain(names)
            .chain(manifest)
            .filter_map(|path| Some((path.clone(), path.metadata().ok()?.len())))
            .collect()
    }

    /// The length of the larger of the two compressed graphs, which is held while it is decoded.
    pub fn largest_graph(&self) -> u64 {
        let graphs = [Some(&self.forward), self.transpose.as_ref()];
        let lengths = graphs.into_iter().flatten().filter_map(|files| {
            let file = files.file(".graph").metadata();
            file.ok().map(|file| file.len())
        });
        lengths.max().unwrap_or(0)
    }

    /// The names of the nodes, if they are known.
    ///
    /// # Errors
    /// If the file of names cannot be read or has another number of lines.
    pub fn names(&self) -> Result<Option<Names>> {
        let Some(path) = &self.names else {
            return Ok(None);
        };
        let num_nodes = self.properties().nodes;
        let names = if self.has_own_names() {
            Names::read(path, num_nodes, LineEnds::Feed)
        } else {
            Names::read_noting(path, num_nodes, LineEnds::Guess, &self.read)
        };
        names.map(Some)
    }

    /// True if the names are those in the bundle.
    pub(super) fn has_own_names(&self) -> bool {
        let own = self
            .folder
            .as_ref()
            .map(|folder| folder.join(bundle::NAMES));
        self.names.is_some() && self.names == own
    }

    /// The index of the names in the bundle, if there is one.
    pub(super) fn index_path(&self) -> Option<PathBuf> {
        let names = self.names.as_ref().filter(|_| self.has_own_names())?;
        let index = names.with_file_name(bundle::NAMES_INDEX);
        index.exists().then_some(index)
    }

    /// The names in the bundle, on disk, if they have an index.
    ///
    /// # Errors
    /// If the index is damaged or belongs to other names.
    pub fn name_index(&self) -> Result<Option<NameIndex>> {
        let names = self.names.as_ref().filter(|_| self.index_path().is_some());
        names.map(|names| NameIndex::open(names)).transpose()
    }

    /// xxh3-128 of the `.graph` file as first read, in hexadecimal: the same for equal graphs.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn fingerprint(&self) -> Result<String> {
        let path = self.forward.file(".graph");
        if let Some(manifest) = &self.manifest
            && let Some(name) = path.file_name().and_then(|name| name.to_str())
            && let Some(entry) = manifest.files.get(name)
        {
            return Ok(entry.xxh3_128.clone());
        }
        // The file that was read counts, not one that has replaced it since.
        let first_read = match self.forward.checksum.get() {
            Some(&checksum) => checksum,
            None => {
                let (_, checksum) = bundle::hash_file(&path)?;
                *self.forward.checksum.get_or_init(|| checksum)
            }
        };
        Ok(bundle::hex(first_read))
    }

    /// The compressed graph, in memory.
    ///
    /// # Errors
    /// If a file cannot be read, or if graph, offsets and properties contradict each other.
    pub fn compressed(&self) -> Result<Compressed> {
        self.forward.load(Words::read, self.manifest.as_ref())
    }

    /// The compressed graph, which stays in its file and is read part by part.
    ///
    /// # Errors
    /// As for [`Self::compressed`]. Scans fail if the file has changed since it was opened.
    pub fn streamed(&self) -> Result<Compressed> {
        self.forward.load(Words::open, self.manifest.as_ref())
    }

    /// The compressed transpose, if it lies beside the graph; it stays in its file and is read part
    /// by part.
    ///
    /// # Errors
    /// As for [`Self::streamed`].
    pub fn streamed_transpose(&self) -> Result<Option<Compressed>> {
        let transpose = self.transpose.as_ref();
        let load = |files: &BvFiles| files.load(Words::open, self.manifest.as_ref());
        transpose.map(load).transpose()
    }

    /// The compressed transpose, in memory, if it lies beside the graph.
    ///
    /// # Errors
    /// As for [`Self::compressed`].
    pub fn compressed_transpose(&self) -> Result<Option<Compressed>> {
        let Some(transpose) = &self.transpose else {
            return Ok(None);
        };
        // Scores from the transpose are scores of this graph, not of one that replaces it later.
        self.fingerprint()?;
        transpose
            .load(Words::read, self.manifest.as_ref())
            .map(Some)
    }

    /// Decodes the rows of successors. O(n + m), parallel.
    ///
    /// # Errors
    /// If a file is damaged or missing, or if memory is short.
    pub fn successors(&self, progress: &dyn Progress) -> Result<Csr> {
        load::decode(&self.compressed()?, progress)
    }

    /// Decodes the rows of predecessors: from the transpose if it lies beside the graph, otherwise
    /// from the graph, without ever holding both directions. O(n + m), parallel.
    ///
    /// # Errors
    /// As for [`Self::successors`].
    pub fn predecessors(&self, progress: &dyn Progress) -> Result<IncomingRows> {
        if let Some(transpose) = self.compressed_transpose()? {
            return Ok(IncomingRows {
                rows: load::decode(&transpose, progress)?,
                outdegrees: None,
            });
        }
        let transposed = load::decode_transposed(&self.compressed()?, progress)?;
        Ok(IncomingRows {
            rows: transposed.rows,
            outdegrees: Some(transposed.degrees),
        })
    }

    /// Decodes the rows of predecessors from the transpose, if it lies beside the graph.
    ///
    /// # Errors
    /// As for [`Self::successors`].
    pub fn stored_predecessors(&self, progress: &dyn Progress) -> Result<Option<Csr>> {
        let transpose = self.compressed_transpose()?;
        transpose
            .map(|transpose| load::decode(&transpose, progress))
            .transpose()
    }

    /// Decodes the rows of successors and those of predecessors, for measures that need both.
    /// O(n + m), parallel.
    ///
    /// # Errors
    /// As for [`Self::successors`]; if the transpose is that of another graph.
    pub fn both(&self, progress: &dyn Progress) -> Result<(Csr, Csr)> {
        let successors = self.successors(progress)?;
        let predecessors = self.reverse(&successors, progress)?;
        Ok((successors, predecessors))
    }

    /// The rows of predecessors: from the transpose, if it lies beside the graph.
    ///
    /// # Errors
    /// As for [`Self::both`].
    pub fn reverse(&self, successors: &Csr, progress: &dyn Progress) -> Result<Csr> {
        let Some(predecessors) = self.stored_predecessors(progress)? else {
            return successors.transpose();
        };
        self.compare(successors, &predecessors)?;
        Ok(predecessors)
    }

    /// Compares the arcs of both directions by their hash, if the rows of predecessors come from a
    /// transpose beside the graph, and with the hash in the manifest.
    ///
    /// # Errors
    /// If they differ.
    pub fn compare(&self, successors: &Csr, predecessors: &Csr) -> Result<()> {
        if self.transpose.is_none() {
            return Ok(());
        }
        let forward = ArcHash::of(successors, Direction::Out);
        self.compare_hashes(forward, ArcHash::of(predecessors, Direction::In))
    }

    /// [`Self::compare`] for the hashes of the arcs of both directions.
    ///
    /// # Errors
    /// If they differ.
    pub fn compare_hashes(&self, forward: ArcHash, backward: ArcHash) -> Result<()> {
        let Some(transpose) = &self.transpose else {
            return Ok(());
        };
        self.check_arcs(&self.forward, forward)?;
        if forward == backward {
            return Ok(());
        }
        Err(Error::file(
            transpose.file(".graph"),
            "these are not the reversed arcs of the graph: one of the two is damaged; copy both \
             again, or remove the transpose and it will be computed",
        ))
    }

    /// Compares the hash of the arcs with the one in the manifest.
    ///
    /// # Errors
    /// If they differ.
    pub(crate) fn check_arcs_of(&self, successors: &Csr) -> Result<()> {
        self.check_arcs(&self.forward, ArcHash::of(successors, Direction::Out))
    }

    fn check_arcs(&self, files: &BvFiles, hash: ArcHash) -> Result<()> {
        let declared = self
            .manifest
            .as_ref()
            .and_then(|manifest| manifest.arc_hash);
        match declared {
            // The transpose opened as a graph has the arcs of the manifest reversed.
            Some(declared) if declared != hash && !self.is_reversed => Err(Error::file(
                files.file(".graph"),
                "the arcs are not those of the manifest; make the bundle again",
            )),
            _ => Ok(()),
        }
    }
}
