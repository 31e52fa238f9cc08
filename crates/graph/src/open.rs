//! From a path to a graph: what the path may be, which files belong together, what is missing.

use super::StoredGraph;
use super::bundle::{self, BundleManifest, NameIndex};
use super::files::{BvFiles, with_suffix};
use std::io::Read;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::input;
use webrank_tables::text::missing::nothing_at;

impl StoredGraph {
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

    /// True if there is a BVGraph at `path`, whole or not.
    pub fn is_at(path: &Path) -> bool {
        let has = |basename: &Path| with_suffix(basename, ".properties").exists();
        has(path)
            || has(&path.join(bundle::GRAPH))
            || has(&path.with_extension(""))
            || Self::bundle_around(path).is_some()
    }

    fn open_bundle(directory: &Path) -> Result<Self> {
        let forward = BvFiles::find(&directory.join(bundle::GRAPH))?.ok_or_else(|| {
            Error::file(
                directory,
                "the directory is not a bundle: it holds no graph.properties; name a bundle, a \
                 BVGraph's basename, or one of its files",
            )
        })?;
        let manifest = BundleManifest::read(directory)?;
        let transpose = BvFiles::find(&directory.join(bundle::TRANSPOSE))?;
        let names = directory.join(bundle::NAMES);
        let names = names.exists().then_some(names);
        let index = names.as_ref().map(|_| directory.join(bundle::NAMES_INDEX));
        let weights = bundle::WEIGHTS.map(|name| directory.join(name));
        let weights = weights.into_iter().find(|path| path.exists());
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
                .chain(
                    [bundle::FINGERPRINTS, bundle::PAGES, bundle::MERGED]
                        .map(|name| directory.join(name)),
                )
                .chain(index)
                .chain(weights.clone())
                .try_for_each(|path| manifest.check_listed(&path))?;
        }
        Ok(StoredGraph {
            path: directory.to_owned(),
            folder: Some(directory.to_owned()),
            forward,
            transpose,
            names,
            weights,
            manifest,
            read: Checksums::default(),
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
        let forward = BvFiles::find(&basename)?.ok_or_else(|| {
            if !path.exists() {
                return nothing_at(path);
            }
            let hint: String = if is_archive(path) {
                "it is an archive of web pages: 'rank ingest' makes a bundle of it, and with --text \
                 one for 'rank index'"
                    .into()
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
        Ok(StoredGraph {
            path: path.to_owned(),
            folder: None,
            transpose: BvFiles::find(&with_suffix(&basename, "-t"))?,
            forward,
            names: None,
            weights: None,
            manifest: None,
            read: Checksums::default(),
            is_reversed: false,
        })
    }

    /// The names of the bundle at `path`, which may be any of its files, without reading the graph or
    /// all names; none if there is no bundle with an index of its names and a manifest.
    ///
    /// # Errors
    /// If the manifest or the index is damaged.
    pub fn name_index_at(path: &Path) -> Result<Option<NameIndex>> {
        let basename = match path.extension().and_then(|e| e.to_str()) {
            Some("graph" | "properties" | "offsets" | "ef") => path.with_extension(""),
            _ => path.to_owned(),
        };
        match path.is_dir() {
            true => NameIndex::of_bundle(path),
            false => Self::bundle_around(&basename)
                .map_or(Ok(None), |(folder, _)| NameIndex::of_bundle(folder)),
        }
    }

    /// The bundle around a file, if it has a manifest: so the file is verified and names are known.
    fn open_in_bundle(basename: &Path) -> Result<Option<Self>> {
        let Some((folder, name)) = Self::bundle_around(basename) else {
            return Ok(None);
        };
        let mut source = Self::open_bundle(folder)?;
        if name == bundle::TRANSPOSE {
            let Some(transpose) = source.transpose.take() else {
                let problem =
                    "the bundle has no transpose; name the bundle, or make one with rank recode";
                return Err(Error::file(basename, problem));
            };
            source.transpose = Some(std::mem::replace(&mut source.forward, transpose));
            source.is_reversed = true;
            // They are in the order of the arcs that are not reversed.
            source.weights = None;
        }
        Ok(Some(source))
    }

    /// The folder of a bundle with a manifest, and which of its files `basename` is.
    fn bundle_around(basename: &Path) -> Option<(&Path, &str)> {
        let inside = [
            bundle::GRAPH,
            bundle::TRANSPOSE,
            bundle::NAMES,
            bundle::NAMES_INDEX,
            bundle::MANIFEST,
        ];
        let name = basename.file_name()?.to_str()?;
        let folder = match basename.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let properties = with_suffix(&folder.join(bundle::GRAPH), ".properties");
        let is_bundle = folder.join(bundle::MANIFEST).exists() && properties.exists();
        (inside.contains(&name) && is_bundle).then_some((folder, name))
    }
}

/// True if a file starts like an archive of web pages.
fn is_archive(path: &Path) -> bool {
    let mut first = [0; 5];
    let read =
        path.is_file() && input::open(path).is_ok_and(|mut it| it.read_exact(&mut first).is_ok());
    read && first == *b"WARC/"
}
