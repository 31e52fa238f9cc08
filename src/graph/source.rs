//! From a path to a graph: what the path may be, which files belong together, what is missing.

use super::bundle::{self, BundleManifest};
use super::bvgraph::bits::Words;
use super::bvgraph::load;
use super::bvgraph::properties::Properties;
use super::files::{Files, with_suffix};
use super::text::names::{LineEnds, Names};
use super::{ArcHash, Compressed, Csr, Direction};
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::path::{Path, PathBuf};

/// A graph on disk: its files are known and its properties parsed, its arcs not yet read.
///
/// ```no_run
/// use webrank::{Silent, internals::graph::Source};
///
/// let source = Source::open("graphs/rust-doc.bv".as_ref())?;
/// let successors = source.successors(&Silent)?;
/// println!("{} nodes, {} arcs", successors.num_nodes(), successors.num_arcs());
/// # Ok::<(), webrank::Error>(())
/// ```
pub struct Source {
    path: PathBuf,
    /// The directory of a bundle.
    folder: Option<PathBuf>,
    forward: Files,
    transpose: Option<Files>,
    names: Option<PathBuf>,
    manifest: Option<BundleManifest>,
    /// True if this is the transpose of a bundle, opened as a graph.
    is_reversed: bool,
}

/// The predecessor rows of a graph.
pub struct Backward {
    /// Row `x` holds the `y` with an arc `y -> x`.
    pub rows: Csr,
    /// The outdegree of every node, when known at no cost.
    pub outdegrees: Option<Vec<u32>>,
}

impl Source {
    /// Finds the graph that `path` means: a bundle (a directory, or a file in it), the basename of a
    /// BVGraph, or any one file of a BVGraph. The transpose of `x` is looked for in `x-t`. The
    /// transpose of a bundle, named by one of its files, is a graph too, whose transpose is the
    /// graph.
    ///
    /// # Errors
    /// If there is no graph there; if a properties file cannot be understood; if the transpose has
    /// other numbers of nodes or arcs; if a file of a bundle differs from the manifest in any bit,
    /// or is not in it.
    pub fn open(path: &Path) -> Result<Self> {
        let mut source = if path.is_dir() {
            Self::open_bundle(path)?
        } else {
            Self::open_file(path)?
        };
        if let Some(transpose) = &source.transpose {
            source.forward.check_counts(transpose)?;
        }
        source.path = path.to_owned();
        Ok(source)
    }

    fn open_bundle(directory: &Path) -> Result<Self> {
        let forward = Files::find(&directory.join(bundle::GRAPH))?.ok_or_else(|| {
            Error::file(
                directory,
                "the directory is not a bundle: it holds no graph.properties; name a bundle, a \
                 BVGraph's basename, or one of its files",
            )
        })?;
        let manifest = BundleManifest::read(directory)?;
        let transpose = Files::find(&directory.join(bundle::TRANSPOSE))?;
        let names = directory.join(bundle::NAMES);
        let names = names.exists().then_some(names);
        if let Some(manifest) = &manifest {
            manifest.verify(directory)?;
            let declared = (manifest.nodes, manifest.arcs);
            let actual = (forward.properties.nodes as u64, forward.properties.arcs);
            if declared != actual {
                return Err(Error::file(
                    directory.join(bundle::MANIFEST),
                    format!(
                        "the manifest says {} nodes and {} arcs, graph.properties {} and {}; make \
                         the bundle again",
                        declared.0, declared.1, actual.0, actual.1
                    ),
                ));
            }
            let graphs = [Some(&forward), transpose.as_ref()].into_iter().flatten();
            let used = graphs.flat_map(|files| [".properties", ".graph"].map(|s| files.file(s)));
            used.chain(names.clone())
                .try_for_each(|path| manifest.check_listed(&path))?;
        }
        Ok(Source {
            path: directory.to_owned(),
            folder: Some(directory.to_owned()),
            forward,
            transpose,
            names,
            manifest,
            is_reversed: false,
        })
    }

    /// A graph by its basename, or by one of its files.
    fn open_file(path: &Path) -> Result<Self> {
        let mut basename = path.to_owned();
        let extension = path.extension().and_then(|e| e.to_str());
        if let Some("graph" | "properties" | "offsets" | "ef") = extension
            && !with_suffix(path, ".properties").exists()
        {
            basename.set_extension("");
        }
        if let Some(source) = Self::open_in_bundle(&basename)? {
            return Ok(source);
        }
        let forward = Files::find(&basename)?.ok_or_else(|| {
            let bundle = with_suffix(path, ".bv");
            let hint = if bundle.is_dir() {
                format!("did you mean {}?", bundle.display())
            } else {
                "name a bundle directory, a BVGraph's basename, or one of its files".into()
            };
            let missing = with_suffix(&basename, ".properties");
            Error::file(
                path,
                format!(
                    "no graph there: {} does not exist; {hint}",
                    missing.display()
                ),
            )
        })?;
        Ok(Source {
            path: path.to_owned(),
            folder: None,
            transpose: Files::find(&with_suffix(&basename, "-t"))?,
            forward,
            names: None,
            manifest: None,
            is_reversed: false,
        })
    }

    /// The bundle around a file, if it has a manifest: so the file is verified and names are known.
    fn open_in_bundle(basename: &Path) -> Result<Option<Self>> {
        let inside = [
            bundle::GRAPH,
            bundle::TRANSPOSE,
            bundle::NAMES,
            bundle::MANIFEST,
        ];
        let name = basename.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| inside.contains(name)) else {
            return Ok(None);
        };
        let folder = match basename.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.join(bundle::MANIFEST).exists()
            || !folder
                .join(bundle::GRAPH)
                .with_extension("properties")
                .exists()
        {
            return Ok(None);
        }
        let mut source = Self::open_bundle(folder)?;
        if name == bundle::TRANSPOSE
            && let Some(transpose) = source.transpose.take()
        {
            source.transpose = Some(std::mem::replace(&mut source.forward, transpose));
            source.is_reversed = true;
        }
        Ok(Some(source))
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the properties file declares.
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

    /// True if the transpose lies beside the graph.
    pub fn has_transpose(&self) -> bool {
        self.transpose.is_some()
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
        let names = self.names.clone();
        let folder = self.folder.as_ref().filter(|_| self.manifest.is_some());
        let manifest = folder.map(|folder| folder.join(bundle::MANIFEST));
        paths
            .chain(names)
            .chain(manifest)
            .filter_map(|path| Some((path.clone(), path.metadata().ok()?.len())))
            .collect()
    }

    /// The names of the nodes, if they are known.
    ///
    /// # Errors
    /// If the file of names cannot be read or has another number of lines.
    pub fn names(&self) -> Result<Option<Names>> {
        let Some(path) = &self.names else {
            return Ok(None);
        };
        let in_bundle = self
            .folder
            .as_ref()
            .map(|folder| folder.join(bundle::NAMES));
        let line_ends = if in_bundle.as_ref() == Some(path) {
            LineEnds::Feed
        } else {
            LineEnds::Guess
        };
        Names::read(path, self.properties().nodes, line_ends).map(Some)
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
        // What was read, not what may have replaced it since.
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
    pub fn predecessors(&self, progress: &dyn Progress) -> Result<Backward> {
        if let Some(transpose) = self.compressed_transpose()? {
            return Ok(Backward {
                rows: load::decode(&transpose, progress)?,
                outdegrees: None,
            });
        }
        let transposed = load::decode_transposed(&self.compressed()?, progress)?;
        Ok(Backward {
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
        let Some(transpose) = &self.transpose else {
            return Ok(());
        };
        let forward = ArcHash::of(successors, Direction::Out);
        self.check_arcs(&self.forward, forward)?;
        if forward == ArcHash::of(predecessors, Direction::In) {
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

    fn check_arcs(&self, files: &Files, hash: ArcHash) -> Result<()> {
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
