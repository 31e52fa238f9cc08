//! The message about a file that is not there: perhaps its name was mistyped.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::shown;

/// A folder with more entries is not searched for similar names.
const ENTRIES: usize = 10_000;

/// The error for a path at which there is nothing: what is missing, and the file or folder beside it
/// whose name is most similar, if one is.
pub fn nothing_at(path: &Path) -> Error {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let mut problem = match extension {
        Some("bv") => "no such bundle".to_owned(),
        Some(_) => "no such file".to_owned(),
        None => format!(
            "no such file, and no graph of this name: {}.properties does not exist",
            path.display()
        ),
    };
    if let Some(similar) = similar(path) {
        problem += &format!("; did you mean {}?", similar.display());
    }
    Error::file(path, problem)
}

/// Opens a file for reading.
///
/// # Errors
/// If it cannot be opened; if it is not there, the message names a similar one.
pub fn open_file(path: &Path) -> Result<File> {
    File::open(path).map_err(|mut source| {
        if source.kind() == io::ErrorKind::NotFound {
            let similar = similar(path).map(|it| format!("; did you mean {}?", it.display()));
            let problem = format!("no such file{}", similar.unwrap_or_default());
            source = io::Error::new(io::ErrorKind::NotFound, problem);
        }
        Error::io(path, "cannot open", source)
    })
}

/// The path of the most similar name in the same folder: at most one edit, plus one for every four
/// letters, and never more than four; or the same name with another extension or another case.
fn similar(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.to_lowercase();
    let parent = path.parent()?;
    let folder = match parent.as_os_str().is_empty() {
        true => Path::new("."),
        false => parent,
    };
    let limit = (1 + name.len() / 4).min(4);
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let distance = |other: &str| {
        let lower = other.to_lowercase();
        let edits = strsim::osa_distance(&name, &lower);
        let has_stem = stem(&name) == stem(&lower);
        (edits <= limit.min(name.len() / 2) || has_stem).then_some(edits)
    };
    let entries = folder.read_dir().ok()?.flatten().take(ENTRIES);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let visible = names.filter(|other| !other.starts_with('.'));
    let near = visible.filter_map(|other| Some((distance(&other)?, other)));
    near.min().map(|(_, other)| parent.join(shown(&other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similar_name_is_suggested() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["edges.csv", "Links.tsv.gz", "web.bv", ".edge.csv", "zebra"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        for (name, expected) in [
            ("edgse.csv", "no such file; did you mean PATH/edges.csv?"),
            (
                "links.tsv.gz",
                "no such file; did you mean PATH/Links.tsv.gz?",
            ),
            ("edges.tsv", "no such file; did you mean PATH/edges.csv?"),
            ("wbe.bv", "no such bundle; did you mean PATH/web.bv?"),
            ("nosuch.csv", "no such file"),
            (
                "cnr-2000",
                "no such file, and no graph of this name: PATH/cnr-2000.properties does not exist",
            ),
        ] {
            let path = folder.path().join(name);
            let expected = expected.replace("PATH", folder.path().to_str().unwrap());
            let problem = nothing_at(&path).to_string();
            assert_eq!(problem, format!("{}: {expected}", path.display()));
        }
    }
}
