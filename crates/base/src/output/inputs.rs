//! An output never replaces an input of the same run.

use super::is_written_directly;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// Refuses outputs that are, hold or lie in an input, and outputs at the same place. Nothing may be
/// there yet.
///
/// # Errors
/// The first such output.
pub fn refuse_inputs(outputs: &[PathBuf], inputs: &[PathBuf]) -> Result<()> {
    let inputs: Vec<PathBuf> = inputs.iter().filter_map(|input| place(input)).collect();
    let mut before: Vec<PathBuf> = Vec::new();
    for output in outputs {
        let Some(place) = place(output).filter(|_| !is_written_directly(output)) else {
            continue;
        };
        if before.contains(&place) {
            let problem = "would be written twice by this run; name two different files";
            return Err(Error::file(output, problem));
        }
        let relation = |input: &PathBuf| match () {
            () if *input == place => Some("is an input of this run, which would be lost"),
            () if input.starts_with(&place) => Some("holds an input of this run"),
            () if place.starts_with(input) => Some("lies in an input of this run"),
            () => None,
        };
        if let Some(relation) = inputs.iter().find_map(relation) {
            return Err(Error::file(output, format!("{relation}; write elsewhere")));
        }
        before.push(place);
    }
    Ok(())
}

/// The one path of what is, or will be, at `path`.
fn place(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_place_is_found_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("g.bv")).unwrap();
        std::fs::write(at("g.bv/names"), "").unwrap();
        std::fs::write(at("p.csv"), "").unwrap();
        let refused = |output: &str, input: &str| {
            let refused = refuse_inputs(&[at(output)], &[at(input)]);
            refused.err().map(|problem| problem.to_string())
        };
        for (output, input, words) in [
            ("p.csv", "p.csv", "is an input"),
            ("g.bv/../p.csv", "p.csv", "is an input"),
            ("later", "g.bv/../later", "is an input"),
            ("g.bv/names", "g.bv", "lies in an input"),
            ("g.bv/new", "g.bv", "lies in an input"),
            ("g.bv", "g.bv/names", "holds an input"),
        ] {
            let problem = refused(output, input).unwrap();
            assert!(problem.contains(words), "{output}, {input}: {problem}");
        }
        assert_eq!(refused("g.bv2", "g.bv"), None);
        assert_eq!(refused("no/such/folder", "p.csv"), None);
        assert!(refuse_inputs(&[at("x"), at("./x")], &[]).is_err());
    }
}
