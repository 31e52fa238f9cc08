//! A positive number for each arc, from a file.
//!
//! Files ending in `.f32` or `.f64` hold numbers of that type, little-endian, in the order of the
//! arcs: by source, then by target. Others are text, `source,target,weight` lines in any order,
//! one for every arc, with nodes by name if the graph has names, else by number; fields are
//! separated by a comma or a tab, and the file may be compressed with gzip or zstd.

use super::names::decompressed;
use crate::error::{Error, Result};
use crate::graph::{Csr, Names, Node};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Reads the weight of each arc of a graph given by its rows of successors.
///
/// # Errors
/// If the file cannot be read; if it has not one weight for each arc; if a weight is not positive
/// and finite, a node unknown, an arc not in the graph or twice in the file (messages name the
/// arc or the line).
pub fn read_weights(path: &Path, successors: &Csr, names: Option<&Names>) -> Result<Vec<f64>> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("f32") => read_raw(path, successors, |bytes| f32::from_le_bytes(bytes) as f64),
        Some("f64") => read_raw(path, successors, f64::from_le_bytes),
        _ => read_lines(path, successors, names),
    }
}

fn read_raw<const BYTES: usize>(
    path: &Path,
    successors: &Csr,
    number: impl Fn([u8; BYTES]) -> f64,
) -> Result<Vec<f64>> {
    let bytes = std::fs::read(path).map_err(|source| Error::io(path, "cannot read", source))?;
    let expected = successors.num_arcs() * BYTES as u64;
    if bytes.len() as u64 != expected {
        return Err(Error::file(
            path,
            format!(
                "{} bytes, but {expected} are needed for the {} arcs of the graph",
                bytes.len(),
                successors.num_arcs()
            ),
        ));
    }
    let weights: Vec<f64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|&bytes| number(bytes))
        .collect();
    match weights.iter().position(|&weight| !is_weight(weight)) {
        None => Ok(weights),
        Some(arc) => Err(Error::file(
            path,
            format!(
                "arc {arc} weighs {}; weights must be positive and finite",
                weights[arc]
            ),
        )),
    }
}

fn read_lines(path: &Path, successors: &Csr, names: Option<&Names>) -> Result<Vec<f64>> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let mut weights = vec![0.0; successors.num_arcs() as usize];
    for (index, text) in BufReader::new(decompressed(path, file)?)
        .lines()
        .enumerate()
    {
        let text = text.map_err(|source| Error::io(path, "cannot read", source))?;
        let is_header = index == 0 && text.starts_with("source");
        if text.trim().is_empty() || text.starts_with('#') || is_header {
            continue;
        }
        let (arc, weight) = entry(text.trim(), successors, names)
            .map_err(|problem| Error::line(path, index as u64 + 1, problem))?;
        if std::mem::replace(&mut weights[arc], weight) != 0.0 {
            let problem = "the arc has a weight already".to_owned();
            return Err(Error::line(path, index as u64 + 1, problem));
        }
    }
    let missing = weights.iter().filter(|&&weight| weight == 0.0).count();
    match missing {
        0 => Ok(weights),
        _ => Err(Error::file(
            path,
            format!(
                "{missing} of the {} arcs of the graph have no weight",
                weights.len()
            ),
        )),
    }
}

/// The arc and the weight of a line.
fn entry(text: &str, successors: &Csr, names: Option<&Names>) -> Result<(usize, f64), String> {
    let separator = if text.contains('\t') { '\t' } else { ',' };
    let fields: Vec<&str> = text.split(separator).map(str::trim).collect();
    let [source, target, weight] = fields[..] else {
        return Err(format!("'{text}' is not 'source,target,weight'"));
    };
    let node = |key: &str| match names {
        Some(names) => names
            .find(key)
            .ok_or_else(|| format!("no node is named '{key}'")),
        None => {
            let node = key.parse::<Node>().ok();
            node.filter(|&node| (node as usize) < successors.num_nodes())
                .ok_or_else(|| format!("'{key}' is not a node of the graph"))
        }
    };
    let (from, to) = (node(source)?, node(target)?);
    let place = successors.row(from).binary_search(&to);
    let place = place.map_err(|_| format!("the graph has no arc {source} -> {target}"))?;
    match weight.parse::<f64>() {
        Ok(weight) if is_weight(weight) => {
            Ok((successors.offsets()[from as usize] as usize + place, weight))
        }
        _ => Err(format!("'{weight}' is not a positive number")),
    }
}

fn is_weight(weight: f64) -> bool {
    weight.is_finite() && weight > 0.0
}

/// The transposed rows, with weights in their order. O(n + m).
///
/// # Errors
/// If there is not enough memory.
pub fn transpose(rows: &Csr, weights: &[f64]) -> Result<(Csr, Vec<f64>)> {
    let transposed = rows.transpose()?;
    let mut next: Vec<u64> = transposed.offsets().to_vec();
    let mut result = vec![0.0; weights.len()];
    // Sources come in increasing order, as in the rows of the result.
    for (&target, &weight) in rows.targets().iter().zip(weights) {
        let place = &mut next[target as usize];
        result[*place as usize] = weight;
        *place += 1;
    }
    Ok((transposed, result))
}
