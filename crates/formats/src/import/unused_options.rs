//! Options that a format does not use are refused, not ignored.

use super::{Format, ImportOptions, Negative};
use std::path::Path;
use webrank_base::error::{Error, Result};

/// Checks that a format uses the options that are given.
///
/// # Errors
/// With the first option that it does not use.
pub(super) fn check(options: &ImportOptions, path: &Path, format: Format) -> Result<()> {
    use Format::{
        Arrow, BvGraph, Edges, Gexf, Graph6, GraphMl, Json, NTriples, Npz, Parquet, Xlsx,
    };
    let columns = options.columns.as_ref().map(|columns| columns.join(","));
    let separator = options
        .separator
        .map(|separator| separator.plural().to_owned());
    let has_columns = matches!(format, Edges | Json | Parquet | Arrow | Xlsx);
    // XML says its encoding itself; others hold no text, or have one.
    let is_decoded = !matches!(
        format,
        Parquet | Arrow | Npz | Xlsx | BvGraph | GraphMl | Gexf | Graph6
    );
    let predicate = options.predicates.first().cloned();
    let header = options.header.map(|is_there| is_there.to_string());
    let given = [
        ("columns", columns, has_columns),
        ("separator", separator, format == Edges),
        ("header", header, matches!(format, Edges | Xlsx)),
        ("encoding", options.encoding.clone(), is_decoded),
        ("predicate", predicate, format == NTriples),
    ];
    for (name, value, is_used) in given {
        if let Some(value) = value.filter(|_| !is_used) {
            let (path, format) = (path.display(), format.title());
            let remedy = format!(
                "{path} is read as {format}, which does not use it: leave it out, or say by --from \
                 what the file is"
            );
            return Err(Error::argument(name, value, remedy));
        }
    }
    Ok(())
}

/// Checks that no option is given that only texts use, for a BVGraph.
///
/// # Errors
/// With the first such option.
pub(super) fn check_bundle(options: &ImportOptions, path: &Path) -> Result<()> {
    let given = [
        ("ids", options.ids),
        ("negative", options.negative != Negative::Error),
        ("allow_empty", options.allow_empty),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => check(options, path, Format::BvGraph),
        Some((name, _)) => {
            let path = path.display();
            let remedy = format!("{path} is a BVGraph, which does not use it: leave it out");
            Err(Error::argument(name, "given", remedy))
        }
    }
}
