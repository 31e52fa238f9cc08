//! Dijkstra's algorithm on whole lengths, one source after the other, without allocation.

use super::distance::{ByWidth, Distance, Length};
use super::queue::RadixHeap;
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_distances::betweenness::path_count::PathCount;
use webrank_distances::betweenness::single_source::PathSearch;
use webrank_distances::traversal::ring::ShortArcs;
use webrank_graph::Csr;

/// Targets beside the lengths of the arcs to them.
type Beside<L> = Vec<(Node, L)>;

/// The rows of a graph in one direction, each target beside the length of its arc.
#[derive(Clone)]
pub(crate) struct LongArcs<D> {
    rows: Arc<[u64]>,
    pub arcs: ByWidth<Beside<u32>, Beside<D>>,
    /// No path is longer than this.
    pub longest: BigUint,
}

impl<D: Distance> LongArcs<D> {
    /// The rows of successors, with lengths by source and target.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn outgoing(rows: &Csr, lengths: ByWidth<Vec<u32>, Vec<D>>) -> Result<Self> {
        let longest: Option<BigUint> = match &lengths {
            ByWidth::Short(lengths) => lengths.iter().max().map(|&it| it.into()),
            ByWidth::Long(lengths) => lengths.iter().max().map(D::big),
        };
        Ok(LongArcs {
            rows: rows.offsets().into(),
            arcs: match lengths {
                ByWidth::Short(lengths) => ByWidth::Short(beside(rows, lengths)?),
                ByWidth::Long(lengths) => ByWidth::Long(beside(rows, lengths)?),
            },
            longest: longest.unwrap_or_default() * (rows.num_nodes() as u64 + 1),
        })
    }

    /// These arcs by their targets.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn reversed(self) -> Result<Self> {
        let (rows, arcs) = match self.arcs {
            ByWidth::Short(arcs) => {
                let (rows, arcs) = reversed(&self.rows, arcs)?;
                (rows, ByWidth::Short(arcs))
            }
            ByWidth::Long(arcs) => {
                let (rows, arcs) = reversed(&self.rows, arcs)?;
                (rows, ByWidth::Long(arcs))
            }
        };
        Ok(LongArcs { rows, arcs, ..self })
    }

    /// The arcs for searches from many sources at a time, if lengths have 32 bits.
    pub fn short(&self) -> Option<ShortArcs<'_>> {
        match &self.arcs {
            ByWidth::Long(_) => None,
            ByWidth::Short(arcs) => Some(ShortArcs {
                offsets: &self.rows,
                arcs,
            }),
        }
    }

    /// The shortest length.
    pub fn shortest(&self) -> Option<BigUint> {
        match &self.arcs {
            ByWidth::Short(arcs) => arcs.iter().map(|arc| arc.1).min().map(BigUint::from),
            ByWidth::Long(arcs) => arcs.iter().map(|arc| &arc.1).min().map(D::big),
        }
    }

    pub fn num_nodes(&self) -> usize {
        self.rows.len() - 1
    }

    pub fn num_arcs(&self) -> usize {
        self.rows.last().copied().unwrap_or(0) as usize
    }

    /// The target and the length of the arc at a place.
    #[inline(always)]
    fn at(&self, place: usize) -> (Node, Length<'_, D>) {
        match &self.arcs {
            ByWidth::Short(arcs) => {
                let (w, length) = arcs[place];
                (w, ByWidth::Short(length))
            }
            ByWidth::Long(arcs) => {
                let (w, length) = &arcs[place];
                (*w, ByWidth::Long(length))
            }
        }
    }

    /// The places of the arcs of a node.
    #[inline(always)]
    pub fn row(&self, node: Node) -> Range<usize> {
        self.rows[node as usize] as usize..self.rows[node as usize + 1] as usize
    }
}

/// A loop over the arcs of a node: their places, targets and lengths. There is one for each width, and neither calls a
/// function: as a method with a visitor, it takes a tenth more time.
macro_rules! for_row {
    ($all:expr, $node:expr, ($place:pat, $target:ident, $length:ident) => $body:block) => {{
        let row = $all.row($node);
        match &$all.arcs {
            ByWidth::Short(arcs) => {
                for ($place, &($target, length)) in row.clone().zip(&arcs[row]) {
                    let $length = ByWidth::Short(length);
                    $body
                }
            }
            ByWidth::Long(arcs) => {
                for ($place, ($target, length)) in row.clone().zip(&arcs[row]) {
                    let ($target, $length) = (*$target, ByWidth::Long(length));
                    $body
                }
            }
        }
    }};
}
pub(crate) use for_row;

/// The targets of all rows, each beside its length.
fn beside<L>(rows: &Csr, lengths: Vec<L>) -> Result<Beside<L>> {
    let mut arcs = reserved(lengths.len())?;
    arcs.extend(rows.targets().iter().copied().zip(lengths));
    Ok(arcs)
}

/// Arcs by their targets, and where the rows of these begin.
fn reversed<L: Clone>(rows: &[u64], arcs: Beside<L>) -> Result<(Arc<[u64]>, Beside<L>)> {
    let n = rows.len() - 1;
    let mut offsets = vec![0u64; n + 1];
    for (target, _) in &arcs {
        offsets[*target as usize + 1] += 1;
    }
    for node in 0..n {
        offsets[node + 1] += offsets[node];
    }
    let mut next = offsets.clone();
    // Where each arc goes; places are taken by sources in order.
    let mut by_target = reserved(arcs.len())?;
    if let Some(arc) = arcs.first() {
        by_target.resize(arcs.len(), arc.clone());
    }
    for source in 0..n {
        for (target, length) in &arcs[rows[source] as usize..rows[source + 1] as usize] {
            let place = &mut next[*target as usize];
            by_target[*place as usize] = (source as Node, length.clone());
            *place += 1;
        }
    }
    Ok((offsets.into(), by_target))
}

fn reserved<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    let bytes = (count * size_of::<T>()) as u64;
    let reserved = list.try_reserve_exact(count);
    reserved.map_err(|_| Error::memory("arcs with their lengths", bytes))?;
    Ok(list)
}

/// A search that does not count paths.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Uncounted;

impl PathCount for Uncounted {
    const ONE: Self = Uncounted;

    #[inline(always)]
    fn plus(self, _other: Self) -> Self {
        Uncounted
    }
}

/// Distances, and numbers of shortest paths, from one source after another; each search clears only what
/// the last one touched.
///
/// Nodes without arcs wait in no queue: a quarter of the time on real graphs. Where paths are counted, arcs
/// that were shortest when they were followed are kept: a tenth of all, so that the way back takes little.
pub(crate) struct LengthSearch<'g, D, C> {
    arcs: &'g LongArcs<D>,
    /// Nodes farther than this are not reached.
    cutoff: Option<&'g D>,
    far: D,
    distance: Vec<D>,
    paths: Vec<C>,
    heap: RadixHeap<D>,
    order: Vec<Node>,
    /// Nodes without arcs that were reached.
    ends: Vec<Node>,
    is_in_order: bool,
    /// The places of arcs that were shortest when they were followed, source by source.
    kept: Vec<usize>,
    /// Where those of each node begin, and end.
    kept_of: Vec<[usize; 2]>,
}

impl<'g, D: Distance, C: PathCount> LengthSearch<'g, D, C> {
    /// Whether paths are counted.
    const IS_COUNTING: bool = size_of::<C>() > 0;

    pub fn new(arcs: &'g LongArcs<D>, cutoff: Option<&'g D>) -> Self {
        let (n, far) = (arcs.num_nodes(), D::far(&arcs.longest));
        LengthSearch {
            arcs,
            cutoff,
            distance: vec![far.clone(); n],
            paths: vec![C::ONE; n],
            heap: RadixHeap::new(),
            order: Vec::with_capacity(n),
            far,
            ends: Vec::new(),
            is_in_order: false,
            kept: Vec::new(),
            kept_of: vec![[0; 2]; if Self::IS_COUNTING { n } else { 0 }],
        }
    }

    /// Lets nodes without arcs be visited by distance too, not behind all others.
    pub fn in_order(mut self) -> Self {
        self.is_in_order = true;
        self
    }

    /// Searches from `source`; calls `visit` with each other node that is reached: those with arcs in the
    /// order of distances, then those without. False, and without a valid result, if a number of paths is
    /// too large for `C`.
    pub fn search(&mut self, source: Node, visit: &mut dyn FnMut(&D, Node)) -> bool {
        for &node in &self.order {
            self.distance[node as usize] = self.far.clone();
        }
        self.order.clear();
        self.kept.clear();
        self.heap.clear();
        self.distance[source as usize] = D::zero();
        self.paths[source as usize] = C::ONE;
        self.heap.push(D::zero(), source);
        let mut is_counted = true;
        while let Some((near, v)) = {
            let distance = &self.distance;
            self.heap.pop(|key, node| distance[node as usize] == *key)
        } {
            self.order.push(v);
            if v != source {
                visit(&near, v);
            }
            is_counted &= !self.paths[v as usize].is_too_large();
            self.follow(&near, v);
        }
        for &end in &self.ends {
            visit(&self.distance[end as usize], end);
            is_counted &= !self.paths[end as usize].is_too_large();
        }
        self.order.append(&mut self.ends);
        is_counted
    }

    /// After a search, the nodes behind a node that was reached on shortest paths from the source.
    pub fn following(&self, node: Node) -> impl Iterator<Item = Node> {
        let near = &self.distance[node as usize];
        let row = self.arcs.row(node).map(|place| self.arcs.at(place));
        row.filter(|&(w, length)| self.distance[w as usize] == near.plus(length))
            .map(|(w, _)| w)
    }

    /// Follows the arcs of a node whose distance is known.
    #[inline(always)]
    fn follow(&mut self, near: &D, v: Node) {
        let (arcs, paths, first) = (self.arcs, self.paths[v as usize], self.kept.len());
        for_row!(arcs, v, (place, w, length) => {
            let below = near.plus(length);
            let known = &mut self.distance[w as usize];
            if below < *known {
                if self.cutoff.is_some_and(|cutoff| below > *cutoff) {
                    continue;
                }
                if !arcs.row(w).is_empty() || self.is_in_order {
                    self.heap.push(below.clone(), w);
                } else if *known == self.far {
                    self.ends.push(w);
                }
                *known = below;
                self.paths[w as usize] = paths;
            } else if Self::IS_COUNTING && below == *known {
                let number = &mut self.paths[w as usize];
                *number = number.plus(paths);
            } else {
                continue;
            }
            if Self::IS_COUNTING {
                self.kept.push(place);
            }
        });
        if Self::IS_COUNTING {
            self.kept_of[v as usize] = [first, self.kept.len()];
        }
    }
}

impl<D: Distance, C: PathCount> PathSearch for LengthSearch<'_, D, C> {
    type Count = C;

    fn search(&mut self, source: Node) -> bool {
        LengthSearch::search(self, source, &mut |_, _| ())
    }

    /// The source, nodes with arcs in the order of their distances, and those without.
    fn order(&self) -> &[Node] {
        &self.order
    }

    #[inline(always)]
    fn number(&self, node: Node) -> C {
        self.paths[node as usize]
    }

    #[inline(always)]
    fn arcs_below(&self, v: Node) -> impl Iterator<Item = (usize, Node)> {
        let near = &self.distance[v as usize];
        let [first, end] = match self.arcs.row(v).is_empty() {
            true => [0; 2],
            false => self.kept_of[v as usize],
        };
        let kept = self.kept[first..end].iter().map(|&place| {
            let (w, length) = self.arcs.at(place);
            (place, w, length)
        });
        kept.filter(|&(_, w, length)| self.distance[w as usize] == near.plus(length))
            .map(|(place, w, _)| (place, w))
    }
}
