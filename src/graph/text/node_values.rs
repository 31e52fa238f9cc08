//! A number for each node, from a text file: preference vectors, weights of nodes.
//!
//! Either one number a line, in node order, or `name,number` or `node,number` lines for some of
//! the nodes (the others get 0). A header `node,...` or `name,...` says which; without it, keys
//! are names if the graph has names. Fields are separated by a comma or a tab; files may be
//! compressed with gzip or zstd.

use super::names::decompressed;
use crate::error::{Error, Result};
use crate::graph::Names;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Reads a nonnegative finite number for each of the `num_nodes` nodes of a graph.
///
/// # Errors
/// If the file cannot be read; if a number is missing, malformed, NaN, infinite or negative; if a
/// key is unknown or occurs twice (messages name the line); if there is one number a line, but
/// not one for each node.
pub fn read_node_values(path: &Path, num_nodes: usize, names: Option<&Names>) -> Result<Vec<f64>> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let reader = BufReader::new(decompressed(path, file)?);
    let mut values = Values {
        names,
        values: vec![0.0; num_nodes],
        seen: vec![false; num_nodes],
        keys: if names.is_some() {
            Keys::Names
        } else {
            Keys::Nodes
        },
        dense: 0,
        first: true,
    };
    for (index, text) in reader.lines().enumerate() {
        let line = index as u64 + 1;
        let text = text.map_err(|source| Error::io(path, "cannot read", source))?;
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            values
                .line(text)
                .map_err(|problem| Error::line(path, line, problem))?;
        }
    }
    if values.dense != 0 && values.dense != num_nodes {
        return Err(Error::file(
            path,
            format!(
                "{} numbers, but the graph has {num_nodes} nodes; for some of the nodes, write \
                 'name,number' or 'node,number' lines",
                values.dense
            ),
        ));
    }
    Ok(values.values)
}

enum Keys {
    Names,
    Nodes,
}

struct Values<'n> {
    names: Option<&'n Names>,
    values: Vec<f64>,
    seen: Vec<bool>,
    keys: Keys,
    /// How many numbers came without a key.
    dense: usize,
    first: bool,
}

impl Values<'_> {
    fn line(&mut self, text: &str) -> Result<(), String> {
        let first = std::mem::take(&mut self.first);
        // The last separator: names may hold commas.
        let Some((key, number)) = text.rsplit_once(['\t', ',']) else {
            let place = self.dense;
            self.dense += 1;
            if self.seen.iter().take(1).any(|&seen| seen && place == 0) {
                return Err("a number without a key, after lines with keys".into());
            }
            let number = number_of(text)?;
            if let Some(value) = self.values.get_mut(place) {
                *value = number;
            }
            return Ok(());
        };
        let key = key.trim().trim_matches('"');
        if first && number.trim().parse::<f64>().is_err() {
            self.keys = match key {
                "node" => Keys::Nodes,
                "name" if self.names.is_some() => Keys::Names,
                _ => {
                    return Err(format!(
                        "'{text}' is neither a header 'node,...' or 'name,...' nor a key and a number"
                    ));
                }
            };
            return Ok(());
        }
        if self.dense != 0 {
            return Err("a key, after numbers without keys".into());
        }
        let node = self.node(key)?;
        if std::mem::replace(&mut self.seen[node], true) {
            return Err(format!("'{key}' occurs twice"));
        }
        self.values[node] = number_of(number.trim())?;
        Ok(())
    }

    fn node(&self, key: &str) -> Result<usize, String> {
        match (&self.keys, self.names) {
            (Keys::Names, Some(names)) => names
                .find(key)
                .map(|node| node as usize)
                .ok_or_else(|| format!("no node is named '{key}'")),
            _ => {
                let node = key.parse::<usize>().ok();
                node.filter(|&node| node < self.values.len())
                    .ok_or_else(|| {
                        format!(
                            "'{key}' is not a node from 0 to {}",
                            self.values.len().wrapping_sub(1)
                        )
                    })
            }
        }
    }
}

fn number_of(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| format!("'{text}' is not a number"))?;
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err(format!(
            "the number is {text}, but it must be finite and not negative"
        ))
    }
}
