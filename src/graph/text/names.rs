//! Node id <-> name: one name a line, in node order.

use crate::error::{Error, Result};
use crate::graph::Node;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// The names of all nodes: the text, and 8 bytes a node.
pub struct Names {
    text: String,
    /// Where each name ends, which is at a line feed.
    ends: Vec<u64>,
    /// The nodes by name, when that is not their order.
    by_name: OnceLock<Option<Vec<Node>>>,
}

impl Names {
    /// Reads names from a plain, gzip or zstd file (by extension).
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or does not have `num_nodes` lines.
    pub fn read(path: &Path, num_nodes: usize) -> Result<Self> {
        let names = Self::from_text(read_text(path)?);
        if names.len() != num_nodes {
            return Err(Error::file(
                path,
                format!(
                    "the file has {} names, but the graph has {num_nodes} nodes; it belongs to \
                     another graph",
                    names.len()
                ),
            ));
        }
        Ok(names)
    }

    fn from_text(mut text: String) -> Self {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let ends = newlines.map(|(place, _)| place as u64).collect();
        Names {
            text,
            ends,
            by_name: OnceLock::new(),
        }
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a node.
    ///
    /// # Panics
    /// If `node` is not in the graph.
    pub fn get(&self, node: Node) -> &str {
        let node = node as usize;
        let start = match node {
            0 => 0,
            _ => self.ends[node - 1] as usize + 1,
        };
        self.text[start..self.ends[node] as usize].trim_end_matches('\r')
    }

    /// The node of a name; the smallest if several share it. O(log n), after the first call has
    /// sorted names that are not in order.
    pub fn find(&self, name: &str) -> Option<Node> {
        let order = self.by_name.get_or_init(|| {
            let nodes = 0..self.len() as Node;
            let sorted = nodes.clone().map(|node| self.get(node)).is_sorted();
            (!sorted).then(|| {
                let mut order: Vec<Node> = nodes.collect();
                order.sort_by_key(|&node| self.get(node));
                order
            })
        });
        let node_at = |place: usize| match order {
            Some(order) => order[place],
            None => place as Node,
        };
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(node_at(middle)) < name {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.len() && self.get(node_at(low)) == name).then(|| node_at(low))
    }
}

/// Reads a text file whole; `.gz` and `.zst` files are decompressed.
fn read_text(path: &Path) -> Result<String> {
    let cannot = |source| Error::io(path, "cannot read", source);
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let mut text = String::new();
    decompressed(path, file)?
        .read_to_string(&mut text)
        .map_err(cannot)?;
    Ok(text)
}

/// The contents of a file whose extension tells its compression.
pub(crate) fn decompressed(path: &Path, file: File) -> Result<Box<dyn Read + Send>> {
    Ok(match path.extension().and_then(|e| e.to_str()) {
        Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(file)),
        Some("zst") => Box::new(
            zstd::Decoder::new(file).map_err(|source| Error::io(path, "cannot read", source))?,
        ),
        _ => Box::new(file),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_order_are_found() {
        for text in ["a\nb\ncc\n", "cc\na\nb", "b\r\ncc\r\na\r\n"] {
            let names = Names::from_text(text.into());
            assert_eq!(names.len(), 3);
            for node in 0..3 {
                assert_eq!(names.find(names.get(node)), Some(node));
            }
            assert_eq!(names.find("c"), None);
            assert_eq!(names.find("d"), None);
        }
    }

    #[test]
    fn no_names() {
        let names = Names::from_text(String::new());
        assert!(names.is_empty());
        assert_eq!(names.find("a"), None);
    }
}
