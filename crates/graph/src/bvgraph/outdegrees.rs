//! The lengths of all lists, from the start of each.

use super::bits::{PartReader, Storage, all};
use super::codes::{Bits, Order};
use super::compressed::Compressed;
use super::decode::Parser;
use super::properties::Endianness;
use crate::Rows;
use dsi_bitstream::prelude as bitstream;
use std::ops::Range;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;

/// Bits (plus nodes) that a task reads at a time.
const BLOCK_BITS: u64 = 1 << 21;

impl Compressed {
    /// The number of successors of every node. Reads only the first number of each list. O(n),
    /// parallel.
    ///
    /// # Errors
    /// If the file is damaged, cannot be read, or holds another number of arcs than its properties
    /// declare; if there is not enough memory.
    pub fn outdegrees(&self) -> Result<Vec<u32>> {
        let mut outdegrees = Vec::new();
        let too_large = |_| Error::memory("the outdegrees", 4 * self.num_nodes() as u64);
        let room = outdegrees.try_reserve_exact(self.num_nodes());
        room.map_err(too_large)?;
        for wave in self
            .blocks(BLOCK_BITS)
            .chunks(4 * rayon::current_num_threads())
        {
            let parts = tasks::try_map(wave, |range| self.outdegrees_of(range.clone()))?;
            parts.into_iter().for_each(|part| outdegrees.extend(part));
        }
        self.check_count(outdegrees.iter().map(|&degree| u64::from(degree)).sum())?;
        Ok(outdegrees)
    }

    /// The number of successors of each node of a range, unchecked: they need not add up to the number of
    /// arcs. Parallel.
    ///
    /// # Errors
    /// As for [`Self::outdegrees`].
    pub fn outdegrees_within(&self, range: Range<usize>) -> Result<Vec<u32>> {
        let parts = self.blocks_within(range, BLOCK_BITS);
        let parts = tasks::try_map(parts, |part| self.outdegrees_of(part))?;
        Ok(parts.concat())
    }

    fn outdegrees_of(&self, range: Range<usize>) -> Result<Vec<u32>> {
        use bitstream::{BE, LE};
        let bits = self.bits_of(range.start).start..self.bits_of(range.end - 1).end;
        match (self.storage(), self.properties().endianness) {
            (Storage::Memory(words), Endianness::Big) => self.starts::<BE, _>(all(words), range),
            (Storage::Memory(words), Endianness::Little) => self.starts::<LE, _>(all(words), range),
            (Storage::File(file), Endianness::Big) => self.starts::<BE, _>(file.part(bits)?, range),
            (Storage::File(file), Endianness::Little) => {
                self.starts::<LE, _>(file.part(bits)?, range)
            }
        }
    }

    fn starts<E: Order, R: Bits<E>>(
        &self,
        part: PartReader<R>,
        range: Range<usize>,
    ) -> Result<Vec<u32>> {
        let mut parser = Parser::<E, R>::new(part, self.properties(), ());
        let degree = |node: usize| {
            let start = self.bits_of(node).start;
            let degree = parser.seek(start).and_then(|()| parser.outdegree());
            degree
                .map(|degree| degree as u32)
                .map_err(|problem| self.damaged(node, start, problem))
        };
        range.map(degree).collect()
    }
}
