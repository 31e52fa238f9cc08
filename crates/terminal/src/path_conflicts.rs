//! No command writes over what it reads, and none writes twice to one place.

use clap::ArgMatches;
use std::path::{Path, PathBuf};
use webrank_base::error::Result;
use webrank_base::output::refuse_inputs;
use webrank_scores::manifest::path_beside;

/// The arguments that name what is written; all other paths are read.
const OUTPUTS: [&str; 6] = ["output", "html", "svg", "directory", "run", "qrels"];

/// Checks the paths among the arguments of a command.
///
/// # Errors
/// If one that is written is, holds or lies in one that is read.
pub fn check(name: &str, command: &ArgMatches) -> Result<()> {
    let has_manifest = writes_table(name, command);
    let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
    for id in command.ids() {
        let Ok(Some(paths)) = command.try_get_many::<PathBuf>(id.as_str()) else {
            continue;
        };
        for path in paths.filter(|path| path.as_os_str() != "-") {
            match id.as_str() {
                // Nothing that lies there is read or replaced.
                "temp" => {}
                // Dumps of tables are read of a folder, and nothing else.
                "dumps" if path.is_dir() => {}
                "output" if command.try_contains_id("scores").is_ok() && has_list(path) => {
                    outputs.extend([path.clone(), nodes_beside(path)]);
                }
                "checkpoint" | "trace" => outputs.push(path.clone()),
                "graph" => inputs.extend(possible_files(path)),
                id if OUTPUTS.contains(&id) => outputs.extend(written(path, has_manifest)),
                _ => inputs.extend([path.clone(), path_beside(path)]),
            }
        }
    }
    // SCORES:K of `rank subgraph`.
    if let Ok(Some(top)) = command.try_get_one::<String>("top")
        && let Some((table, _)) = top.rsplit_once(':')
    {
        inputs.push(table.into());
    }
    refuse_inputs(&outputs, &inputs)
}

/// True for lists of arcs, which may have a table of nodes beside them.
fn has_list(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    [".csv", ".tsv", ".txt", ".tab", ".edges"]
        .iter()
        .any(|it| name.contains(it))
}

/// The table of nodes beside a list of arcs: `edges.nodes.csv.gz` for `edges.csv.gz`.
pub fn nodes_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The first letter may be a point.
    let point = name
        .char_indices()
        .skip(1)
        .find(|(_, letter)| *letter == '.');
    let (stem, extension) = name.split_at(point.map_or(name.len(), |(place, _)| place));
    path.with_file_name(format!("{stem}.nodes{extension}"))
}

/// True for commands that write a table with a manifest.
pub fn writes_table(name: &str, command: &ArgMatches) -> bool {
    // Tables of ranked nodes have an order of rows, which has a default.
    let is_merged = command.try_get_one("merge").ok().flatten() == Some(&true);
    let tables = ["join", "components", "duplicates", "search", "evaluate"];
    let writes = tables.contains(&name) && !is_merged;
    writes || command.ids().any(|id| id == "sort")
}

/// The files that appear when an output is written.
fn written(path: &Path, has_manifest: bool) -> impl Iterator<Item = PathBuf> {
    let manifest = has_manifest.then(|| path_beside(path));
    [path.to_owned()].into_iter().chain(manifest)
}

/// Every file that a graph at `path` may consist of, whether it is there or not; for a directory,
/// the directory.
fn possible_files(path: &Path) -> Vec<PathBuf> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        return files;
    }
    for basename in [path.to_owned(), path.with_extension("")] {
        for direction in ["", "-t"] {
            let suffixes = ["graph", "properties", "offsets", "ef"].into_iter();
            files.extend(suffixes.map(|suffix| {
                let mut file = basename.clone().into_os_string();
                file.push(format!("{direction}.{suffix}"));
                PathBuf::from(file)
            }));
        }
    }
    files
}
