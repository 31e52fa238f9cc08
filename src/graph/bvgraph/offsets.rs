//! Where each successor list starts: from the `.offsets` file, or collected by a parser.
//!
//! `.ef` files are never read: they are images of memory whose reader must trust them, while
//! parsing the graph once for its offsets is safe, cannot be stale, and costs a fraction of
//! decoding it.

use super::bits::{Words, read_code};
use super::properties::Properties;
use crate::error::{Error, Result};
use dsi_bitstream::dispatch::StaticCodeRead;
use dsi_bitstream::prelude::BE;
use std::path::Path;
use sux::dict::elias_fano::{EfSeq, EliasFanoBuilder};
use sux::traits::IndexedSeq;

/// The positions, in bits, of the n lists of a graph and of the end of the last one: n + 1
/// nondecreasing numbers in Elias-Fano representation, 1 to 2 bytes a node.
pub(crate) struct Offsets(EfSeq<u64>);

impl Default for Offsets {
    /// The offsets of a graph without nodes.
    fn default() -> Self {
        let mut builder = EliasFanoBuilder::new(1, 0);
        builder.push(0);
        Offsets(builder.build_with_seq())
    }
}

impl Offsets {
    /// Collects `position(node)`, nondecreasing and at most `num_bits`, for every node and for
    /// the end of the last list.
    pub(crate) fn build(
        num_nodes: usize,
        num_bits: u64,
        mut position: impl FnMut(usize) -> Result<u64>,
    ) -> Result<Self> {
        let mut builder = EliasFanoBuilder::new(num_nodes + 1, num_bits);
        for node in 0..=num_nodes {
            builder.push(position(node)?);
        }
        Ok(Offsets(builder.build_with_seq()))
    }

    /// Reads the `.offsets` file at `path`, of a graph file of `num_bits` bits. Returns the
    /// offsets and the checksum of the file.
    ///
    /// # Errors
    /// If the file does not hold n + 1 gaps, or if they lead beyond the graph file.
    pub(crate) fn read(
        path: &Path,
        properties: &Properties,
        num_bits: u64,
    ) -> Result<(Self, u128)> {
        let words = Words::read(path)?;
        let mut bits = words.reader::<BE>();
        let code = read_code::<BE, _>(properties.offsets_code);
        let mut position = 0u64;
        let offsets = Self::build(properties.nodes, num_bits, |node| {
            let gap = code.read(&mut bits).map_err(|_| {
                Error::file(
                    path,
                    format!(
                        "the file ends at node {node} of {}; delete it and the offsets will be \
                         computed",
                        properties.nodes
                    ),
                )
            })?;
            position = position.saturating_add(gap);
            if position > num_bits {
                return Err(Error::file(
                    path,
                    format!(
                        "the offset of node {node} is {position}, but the graph has {num_bits} \
                         bits; if the file is stale, delete it and the offsets will be computed"
                    ),
                ));
            }
            Ok(position)
        })?;
        Ok((offsets, words.checksum()))
    }

    /// The position of the list of `node`; for the number of nodes, the end of the last list.
    pub(crate) fn get(&self, node: usize) -> u64 {
        self.0.get(node)
    }

    /// The positions from that of `node` on.
    pub(crate) fn iter_from(&self, node: usize) -> impl Iterator<Item = u64> + '_ {
        self.0.iter_from(node)
    }
}
