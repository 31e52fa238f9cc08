//! From a path to a graph: what the path may be, which files belong together, what is missing.

use super::bundle::{self, BundleManifest};
use super::bvgraph::bits::Words;
use super::bvgraph::load;
use super::bvgraph::offsets::Offsets;
use super::bvgraph::properties::Properties;
use super::text::names::{LineEnds, Names};
use super::{Compressed, Csr};
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
    forward: Files,
    transpose: Option<Files>,
    names: Option<PathBuf>,
    manifest: Option<BundleManifest>,
    /// The checksum of the `.graph` file when it was first read.
    read: OnceLock<u128>,
}

/// The predecessor rows of a graph.
pub struct Backward {
    /// Row `x` holds the `y` with an arc `y -> x`.
    pub rows: Csr,
    /// The outdegree of every node, when known at no cost.
    pub outdegrees: Option<Vec<u32>>,
}

/// The files of one BVGraph.
struct Files {
    basename: PathBuf,
    properties: Properties,
}

impl Source {
    /// Finds the graph that `path` means: a bundle (a directory), the basename of a BVGraph, or
    /// any one file of a BVGraph. The transpose of `x` is looked for in `x-t`.
    ///
    /// # Errors
    /// If there is no graph there; if a properties file cannot be understood; if the transpose has
    /// other numbers of nodes or arcs; if a file of a bundle differs from the manifest in any bit.
    pub fn open(path: &Path) -> Result<Self> {
        let mut source = if path.is_dir() {
            Self::open_bundle(path)?
        } else {
            Self::open_basename(path)?
        };
        source.check_transpose()?;
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
        }
        let names = directory.join(bundle::NAMES);
        Ok(Source {
            path: directory.to_owned(),
            forward,
            transpose: Files::find(&directory.join(bundle::TRANSPOSE))?,
            names: names.exists().then_some(names),
            manifest,
            read: OnceLock::new(),
        })
    }

    fn open_basename(path: &Path) -> Result<Self> {
        let mut basename = path.to_owned();
        let extension = path.extension().and_then(|e| e.to_str());
        if let Some("graph" | "properties" | "offsets" | "ef") = extension
            && !with_suffix(path, ".properties").exists()
        {
            basename.set_extension("");
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
            transpose: Files::find(&with_suffix(&basename, "-t"))?,
            forward,
            names: None,
            manifest: None,
            read: OnceLock::new(),
        })
    }

    fn check_transpose(&self) -> Result<()> {
        let Some(transpose) = &self.transpose else {
            return Ok(());
        };
        let (graph, reversed) = (&self.forward.properties, &transpose.properties);
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
        let manifest = self
            .manifest
            .as_ref()
            .map(|_| self.path.join(bundle::MANIFEST));
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
        let line_ends = if *path == self.path.join(bundle::NAMES) {
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
        if let Some(&checksum) = self.read.get() {
            return Ok(bundle::hex(checksum));
        }
        let (_, checksum) = bundle::hash_file(&path)?;
        self.remember(checksum)?;
        Ok(bundle::hex(checksum))
    }

    /// Refuses another checksum of the `.graph` file than the first.
    fn remember(&self, checksum: u128) -> Result<()> {
        if *self.read.get_or_init(|| checksum) == checksum {
            return Ok(());
        }
        let problem = "the file has changed since this run began to read it; run it again";
        Err(Error::file(self.forward.file(".graph"), problem))
    }

    /// The compressed graph, in memory.
    ///
    /// # Errors
    /// If a file cannot be read, or if graph, offsets and properties contradict each other.
    pub fn compressed(&self) -> Result<Compressed> {
        self.load(Words::read)
    }

    /// The compressed graph, its file mapped: the system can reclaim the memory. The file must not
    /// be truncated while it is in use.
    ///
    /// # Errors
    /// As for [`Self::compressed`].
    pub fn mapped(&self) -> Result<Compressed> {
        self.load(Words::map)
    }

    fn load(&self, read: impl Fn(&Path) -> Result<Words>) -> Result<Compressed> {
        let compressed = self.forward.load(read, self.manifest.as_ref())?;
        self.remember(compressed.checksum())?;
        Ok(compressed)
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
    /// As for [`Self::successors`].
    pub fn both(&self, progress: &dyn Progress) -> Result<(Csr, Csr)> {
        let successors = self.successors(progress)?;
        let predecessors = match self.stored_predecessors(progress)? {
            Some(predecessors) => predecessors,
            None => successors.transpose()?,
        };
        Ok((successors, predecessors))
    }
}

impl Files {
    /// The graph with this basename, if its properties file exists.
    fn find(basename: &Path) -> Result<Option<Self>> {
        let path = with_suffix(basename, ".properties");
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io(path, "cannot read", e)),
        };
        Ok(Some(Files {
            basename: basename.to_owned(),
            properties: Properties::parse(&path, &bytes)?,
        }))
    }

    fn file(&self, suffix: &str) -> PathBuf {
        with_suffix(&self.basename, suffix)
    }

    fn load(
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
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
