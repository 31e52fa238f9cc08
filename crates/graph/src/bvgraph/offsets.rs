//! Where each successor list starts: from the `.offsets` file, or collected by a parser.
//!
//! `.ef` files are never read: they are images of memory whose reader must trust them, while
//! parsing the graph once for its offsets is safe, cannot be stale, and costs a fraction of
//! decoding it.

use super::bits::{Words, all};
use super::codes::read_code;
use super::properties::Properties;
use dsi_bitstream::prelude::BE;
use std::path::Path;
use sux::dict::elias_fano::{EfSeq, EliasFanoBuilder};
use sux::traits::IndexedSeq;
use webrank_base::error::{Error, Result};

/// The positions, in bits, of the n lists of a graph and of the end of the last one: n + 1
/// nondecreasing numbers in Elias-Fano representation, 1 to 2 bytes a node.
pub(crate) struct Offsets(EfSeq<u64>);

impl Default for Offsets {
    /// The offsets of a graph without nodes.
    fn default() -> Self {
        let mut builder = OffsetsBuilder::new(0, 0);
        builder.push(0);
        builder.build()
    }
}

/// Collects offsets.
pub(crate) struct OffsetsBuilder(EliasFanoBuilder<u64>);

impl OffsetsBuilder {
    /// For the offsets of so many nodes, none above `num_bits`.
    pub(crate) fn new(num_nodes: usize, num_bits: u64) -> Self {
        OffsetsBuilder(EliasFanoBuilder::new(num_nodes + 1, num_bits))
    }

    /// Adds the offset of the next node, or the end of the last list: no less than the one before.
    pub(crate) fn push(&mut self, offset: u64) {
        self.0.push(offset);
    }

    /// The offsets, once there are as many as announced.
    pub(crate) fn build(self) -> Offsets {
        Offsets(self.0.build_with_seq())
    }
}

impl Offsets {
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
        let mut bits = all::<BE>(words.memory()).reader;
        let read = read_code::<BE, _>(properties.offsets_code);
        let mut position = 0u64;
        let mut offsets = OffsetsBuilder::new(properties.nodes, num_bits);
        for node in 0..=properties.nodes {
            let gap = read(&mut bits).map_err(|_| {
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
            offsets.push(position);
        }
        Ok((offsets.build(), words.checksum()))
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
