//! The nodes of other parts that arcs of a part lead to: increasing numbers, written as the gaps
//! between them in delta code.

use super::damaged;
use crate::bvgraph::bits::{Words, all};
use dsi_bitstream::prelude::{BE, BitWrite, BufBitWriter, DeltaRead, DeltaWrite, WordAdapter};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::output::{Failed, Sink};

type Bits = BufBitWriter<BE, WordAdapter<u64, BufWriter<Sink<File>>>>;

/// Writes a list of nodes.
pub struct TouchedWriter {
    path: PathBuf,
    bits: Bits,
    failed: Failed,
    next: u64,
}

impl TouchedWriter {
    /// Begins a list of nodes from `first` on.
    pub fn create(path: &Path, first: u64) -> Result<Self> {
        let file = File::create(path).map_err(|source| Error::io(path, "cannot create", source))?;
        let failed = Failed::default();
        let out = BufWriter::with_capacity(1 << 16, failed.sink(file));
        Ok(TouchedWriter {
            path: path.to_owned(),
            bits: BufBitWriter::new(WordAdapter::new(out)),
            failed,
            next: first,
        })
    }

    /// The next node: larger than the last one.
    pub fn push(&mut self, node: u64) {
        let written = self.bits.write_delta(node - self.next);
        written.expect("the writer takes all bytes");
        self.next = node + 1;
    }

    /// Writes the last nodes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        BitWrite::flush(&mut self.bits).expect("the writer takes all bytes");
        drop(self.bits);
        let written = self.failed.check();
        written.map_err(|source| Error::io(self.path, "cannot write", source))
    }
}

/// Reads a list of `count` nodes from `first` on, all below `end`.
pub fn read(path: &Path, count: u64, first: u64, end: u64) -> Result<Vec<u64>> {
    let words = Words::read(path)?;
    // Every number takes at least one bit.
    if count > words.num_bits() {
        let problem = format!(
            "{count} nodes are planned, but the file has {} bits",
            words.num_bits()
        );
        return Err(damaged(path, problem));
    }
    let mut bits = all::<BE>(words.memory()).reader;
    let (mut nodes, mut next) = (Vec::new(), first);
    reserve(&mut nodes, count as usize, "the nodes of other parts")?;
    for _ in 0..count {
        let gap = bits
            .read_delta()
            .map_err(|_| damaged(path, "the file ends too early"))?;
        let node = next.checked_add(gap).filter(|&node| node < end);
        let Some(node) = node else {
            return Err(damaged(
                path,
                "the file has a node that is not in the graph",
            ));
        };
        nodes.push(node);
        next = node + 1;
    }
    Ok(nodes)
}
