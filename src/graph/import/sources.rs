//! The files of a graph, and opening them.

use super::columns::Header;
use super::format::Format;
use super::{ImportOptions, Input, edge_list};
use crate::error::{Error, Result};
use crate::graph::text::input;
use crate::graph::text::records::Records;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// The files of a graph: one or several, or `-` for the standard input.
#[derive(Debug, Clone)]
pub struct Sources {
    files: Vec<PathBuf>,
}

/// Sources, opened.
pub(super) struct Inputs {
    pub(super) all: Vec<Input>,
}

impl Sources {
    /// The files that paths mean: a folder means its files, in the order of their names, without
    /// those that start with a dot or an underscore.
    ///
    /// # Errors
    /// If a path does not exist, or if a folder has no files.
    pub fn new(paths: &[PathBuf]) -> Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let before = files.len();
            let cannot = |source| Error::io(path, "cannot read", source);
            for entry in path.read_dir().map_err(cannot)? {
                let entry = entry.map_err(cannot)?;
                let name = entry.file_name();
                let is_hidden = name.to_string_lossy().starts_with(['.', '_']);
                if !is_hidden && entry.path().is_file() {
                    files.push(entry.path());
                }
            }
            if files.len() == before {
                return Err(Error::file(path, "the folder has no files to import"));
            }
            files[before..].sort_unstable();
        }
        Ok(Sources { files })
    }

    /// The files, in the order in which they are read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    pub(super) fn open(&self, options: &ImportOptions) -> Result<Inputs> {
        let open = |path: &PathBuf| open(path, options);
        let all: Vec<Input> = self.files.iter().map(open).collect::<Result<_>>()?;
        let weighted = all.first().is_some_and(|first| first.weighted);
        if let Some(other) = all.iter().position(|input| input.weighted != weighted) {
            let (has, lacks) = if weighted { (0, other) } else { (other, 0) };
            let problem = format!(
                "arcs have no weights, but those of {} have; give all files weights, or none \
                 (--unweighted)",
                self.files[has].display()
            );
            return Err(Error::file(&self.files[lacks], problem));
        }
        Ok(Inputs { all })
    }
}

impl Inputs {
    /// A single list.
    pub(super) fn records(records: Records, options: &ImportOptions) -> Result<Self> {
        Ok(Inputs {
            all: vec![edge_list::open(records, &header(options))?],
        })
    }

    /// True if arcs get weights.
    pub(super) fn weighted(&self, options: &ImportOptions) -> bool {
        let counts = options.duplicates == Some(super::Duplicates::Sum);
        !options.unweighted && (counts || self.all.iter().any(|input| input.weighted))
    }

    /// True if nodes have numbers, not names.
    pub(super) fn are_numbered(&self, options: &ImportOptions) -> bool {
        options.ids || self.all.iter().any(|input| input.is_numbered)
    }
}

fn header(options: &ImportOptions) -> Header {
    Header {
        columns: options.columns.clone(),
        is_there: options.header,
        unweighted: options.unweighted,
    }
}

/// Bytes that show what a file is.
const FIRST: u64 = 1 << 16;

fn open(path: &Path, options: &ImportOptions) -> Result<Input> {
    let mut input = input::open(path)?;
    let mut first = Vec::new();
    let read = input.by_ref().take(FIRST).read_to_end(&mut first);
    read.map_err(|source| Error::io(path, "cannot read", source))?;
    let format = match options.from {
        Some(format) => format,
        None => Format::of(path, &first).map_err(|problem| Error::file(path, problem))?,
    };
    let input = Box::new(Cursor::new(first).chain(input));
    match format {
        Format::Edges => edge_list::open(Records::of(path, input).with_percent(), &header(options)),
        _ => todo!(),
    }
}
