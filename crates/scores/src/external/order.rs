//! The order of nodes whose scores are in a file.

use super::Place;
use super::sort::{Item, sorted};
use crate::proved_order::Proof;
use crate::ranking::{check_rows, increasing_bits, score_of_bits};
use std::sync::Arc;
use webrank_base::error::Result;
use webrank_base::file_vector::FileVector;
use webrank_base::memory::filled;
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Progress;

/// A place as it is in a file: the halves of the bits of the score, the node, the rank, and whether it is
/// proved.
type Stored = [u32; 5];

/// A node in its order, as it is in a file: the node, its rank, whether that is proved.
type Found = [u32; 3];

/// Places, or nodes, that are written at a time.
const AT_ONCE: usize = if cfg!(test) { 3 } else { 1 << 13 };

/// Parts of the nodes at most: each has a buffer.
const PARTS: usize = 64;

/// The least bytes of memory that ranking so many nodes takes: a part of them at a time.
pub fn least_bytes(nodes: u64) -> u64 {
    OF_NODE * nodes.div_ceil(PARTS as u64) + (AT_ONCE * (PARTS * 12 + 20)) as u64 + (1 << 20)
}

/// The bytes of memory with which it is fastest.
pub fn most_bytes(nodes: u64) -> u64 {
    least_bytes(nodes).max(OF_NODE.saturating_mul(nodes))
}

/// The bytes for each node of a part.
const OF_NODE: u64 = 20;

/// The places of all nodes.
pub(super) struct Ranks {
    /// By position.
    pub(super) places: FileVector<Stored>,
    /// The rank of each node, and 1 if it is proved.
    pub(super) of_nodes: FileVector<[u32; 2]>,
    /// How many positions from the first on are proved.
    pub(super) proved: usize,
}

pub(super) fn place([low, high, node, rank, certain]: Stored) -> Place {
    Place {
        node,
        score: f64::from_bits(u64::from(high) << 32 | u64::from(low)),
        rank,
        is_certain: certain == 1,
    }
}

impl Ranks {
    pub(super) fn new(
        scores: &FileVector<f64>,
        proof: Proof,
        bytes: u64,
        folder: &Arc<TemporaryFolder>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n = scores.len();
        check_rows(n)?;
        progress.begin("rank", Some(n as u64));
        let mut ranking = Placing::new(n, bytes, folder, proof)?;
        let make = |range, items: &mut [Item]| items_of(scores, range, items);
        sorted(n, bytes, make, folder, progress, |item| {
            if ranking.position.is_multiple_of(1 << 20) {
                progress.check()?;
            }
            ranking.push(item)
        })?;
        let ranks = ranking.finish(progress);
        progress.end();
        ranks
    }
}

/// The nodes of a range with their scores, as they are sorted: larger scores first, and equal ones by
/// node.
fn items_of(
    scores: &FileVector<f64>,
    range: std::ops::Range<usize>,
    items: &mut [Item],
) -> Result<()> {
    let mut buffer = [0.0; AT_ONCE];
    for (nodes, items) in range.step_by(AT_ONCE).zip(items.chunks_mut(AT_ONCE)) {
        let part = &mut buffer[..items.len()];
        scores.fill(nodes, part)?;
        for (index, (item, &score)) in items.iter_mut().zip(part.iter()).enumerate() {
            let key = !increasing_bits(score);
            *item = [(key >> 32) as u32, key as u32, (nodes + index) as u32];
        }
    }
    Ok(())
}

/// Places nodes, which come best first.
struct Placing {
    places: FileVector<Stored>,
    of_nodes: FileVector<[u32; 2]>,
    /// The ranks of the nodes of each part, in any order.
    found: FileVector<Found>,
    /// Nodes in a part.
    part: usize,
    parts: Vec<Part>,
    buffer: Vec<Stored>,
    proof: Proof,
    /// Nodes that have come.
    position: usize,
    rank: u32,
    /// The last node, until it is known whether the next one is below it for certain.
    last: Option<Stored>,
}

/// The ranks of the nodes of a part.
struct Part {
    end: usize,
    buffer: Vec<Found>,
}

impl Placing {
    fn new(n: usize, bytes: u64, folder: &Arc<TemporaryFolder>, proof: Proof) -> Result<Self> {
        let fits = usize::try_from(bytes / OF_NODE).unwrap_or(n);
        let part = fits.clamp(n.div_ceil(PARTS), n.max(1)).max(1);
        let parts = (0..n).step_by(part).map(|end| Part {
            end,
            buffer: Vec::new(),
        });
        Ok(Placing {
            places: FileVector::zeros(folder, n)?,
            of_nodes: FileVector::zeros(folder, n)?,
            found: FileVector::zeros(folder, n)?,
            part,
            parts: parts.collect(),
            buffer: Vec::new(),
            proof,
            position: 0,
            rank: 1,
            last: None,
        })
    }

    /// Places the next node.
    fn push(&mut self, [high, low, node]: Item) -> Result<()> {
        let score = score_of_bits(!(u64::from(high) << 32 | u64::from(low)));
        if let Some(last) = self.last.take() {
            let before = place(last).score;
            if before != score {
                self.rank = self.position as u32 + 1;
            }
            let certain = self.proof.take(1, before, Some(score));
            self.put(last, certain)?;
        }
        let bits = score.to_bits();
        self.last = Some([bits as u32, (bits >> 32) as u32, node, self.rank, 0]);
        self.position += 1;
        Ok(())
    }

    fn put(&mut self, [low, high, node, rank, _]: Stored, certain: bool) -> Result<()> {
        let certain = u32::from(certain);
        self.buffer.push([low, high, node, rank, certain]);
        if self.buffer.len() == AT_ONCE {
            self.write(self.position)?;
        }
        let part = &mut self.parts[node as usize / self.part];
        part.buffer.push([node, rank, certain]);
        match part.buffer.len() {
            AT_ONCE => part.write(&self.found),
            _ => Ok(()),
        }
    }

    /// Writes the places before this position.
    fn write(&mut self, end: usize) -> Result<()> {
        self.places.put(end - self.buffer.len(), &self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Puts what was found in the order of the nodes.
    fn finish(mut self, progress: &dyn Progress) -> Result<Ranks> {
        if let Some(last) = self.last.take() {
            let certain = self.proof.take(1, place(last).score, None);
            self.put(last, certain)?;
        }
        self.write(self.position)?;
        for (index, mut part) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            progress.check()?;
            part.write(&self.found)?;
            let nodes = index * self.part..part.end;
            let found = self.found.read(nodes.clone())?;
            let mut ranks = filled([0; 2], nodes.len(), "a ranking")?;
            for [node, rank, certain] in found {
                // A file that somebody has changed may name any node.
                if let Some(entry) = ranks.get_mut((node as usize).wrapping_sub(nodes.start)) {
                    *entry = [rank, certain];
                }
            }
            self.of_nodes.write(nodes.start, &ranks)?;
        }
        Ok(Ranks {
            places: self.places,
            of_nodes: self.of_nodes,
            proved: self.proof.proved(),
        })
    }
}

impl Part {
    fn write(&mut self, found: &FileVector<Found>) -> Result<()> {
        found.put(self.end, &self.buffer)?;
        self.end += self.buffer.len();
        self.buffer.clear();
        Ok(())
    }
}
