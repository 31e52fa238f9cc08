//! The PageRank map, and the certificate of a vector close to its fixed point.
//!
//! `F(x) = alpha x G + alpha D(x) u + (1 - alpha) v`, where D(x) is the mass of x on dangling
//! nodes. F contracts the l1 norm by alpha. So if z is F(x) computed with an error of at most
//! delta in the l1 norm, and x* = F(x*), then
//!
//! ```text
//! ||z - x*|| <= delta + ||F(x) - F(x*)|| <= delta + alpha (||x - z|| + ||z - x*||),
//! ```
//!
//! hence `||z - x*|| <= (alpha ||x - z|| + delta) / (1 - alpha)`, however x was found. All terms of
//! F are nonnegative, so delta is at most ||z|| times the relative error of one entry. That error
//! comes from a sum of shares ([`sums::ROUNDOFFS`]), the division behind each share, the sum over
//! dangling nodes, and a few products and additions.

use super::equation::Equation;
use super::parameters::Method;
use super::walk::RandomWalk;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::checkpoint::StateVisitor;
use webrank_base::error::Result;
use webrank_base::parallel::sums;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;

/// The map F.
pub struct PageRankMap<'a> {
    /// The walk.
    pub walk: &'a RandomWalk,
    /// The rest of F.
    pub equation: Equation<'a>,
}

/// A method that finds the fixed point of F by sweeps over the arcs, for any form of the walk.
pub trait Iteration {
    /// Makes one sweep; returns the l1 norm of the change of the scores of live nodes.
    ///
    /// # Errors
    /// If rows are read from a file that turns out to be damaged.
    fn sweep(&mut self) -> Result<f64>;

    /// The certificate of the current state of the iteration: see [`PageRankMap::certify`]. The
    /// iteration ends with it, or [goes on](Self::go_on).
    ///
    /// # Errors
    /// As for [`Self::sweep`].
    fn certify(&mut self) -> Result<Certified>;

    /// Goes on after a certificate, whose vector may be that of the iteration.
    fn go_on(&mut self, _certified: Certified) {}

    /// Approximately the smallest bound that rounding allows.
    fn floor(&self) -> f64;

    /// The number of sweeps over the arcs so far, certificates included, if it is not the number of
    /// calls.
    fn sweeps(&self) -> Option<u32> {
        None
    }

    /// The method, if it was chosen on the way.
    fn method(&self) -> Option<Method> {
        None
    }

    /// The name of the iteration in checkpoints, if its state can be kept between two sweeps.
    fn stage(&self) -> Option<&'static str> {
        None
    }

    /// The words of the first of several workers; this is the only one, unless an iteration knows others.
    ///
    /// # Errors
    /// If another worker fails.
    fn first(&mut self, own: Vec<u64>) -> Result<Vec<u64>> {
        Ok(own)
    }

    /// Writes the state to a checkpoint, or takes up one that an iteration of the same map has written. The
    /// first of several workers has the file.
    ///
    /// # Errors
    /// If the file cannot be written or read, or is not of the same map.
    fn visit(&mut self, _visitor: StateVisitor) -> Result<()> {
        Ok(())
    }
}

/// A vector close to the fixed point.
pub struct Certified {
    /// The vector.
    pub scores: Vec<f64>,
    /// Certified bound on its l1 distance to the fixed point.
    pub bound: f64,
}

/// Units of roundoff in the relative error of an entry of F(x), with a margin.
pub(crate) const ENTRY_ROUNDOFFS: f64 = 2.0 * sums::ROUNDOFFS + 20.0;

impl PageRankMap<'_> {
    /// True if the equation is the same for both nodes: they have the same predecessors and the
    /// same entries in u and v.
    pub fn same_row(&self, a: Node, b: Node) -> bool {
        let row_of = |node: Node| self.walk.rows().row_of(node as usize);
        row_of(a) == row_of(b)
            && self.equation.preference.same(a, b)
            && self.equation.dangling.is_none_or(|u| u.same(a, b))
    }

    /// Applies F, without shortcuts, to the vector x given by the shares of live nodes; they
    /// determine the entries on dangling nodes. O(n + m).
    ///
    /// The result has equal bits for nodes with equal rows and equal entries in u and v.
    ///
    /// # Errors
    /// If rows cannot be read.
    pub fn certify(&self, shares: &[f64]) -> Result<Certified> {
        let (rows, outdegrees) = (self.walk.rows(), self.walk.live_outdegrees());
        let sums = self.inflows(shares)?;
        let score = |place: usize| shares[place] * outdegrees[place] as f64;
        let mass = self.sum_over(shares.len(), score);
        // Any nonnegative x is allowed.
        let base = self
            .equation
            .base(self.equation.dangling_mass(mass).max(0.0));
        // z without its base, and the mass of x on dangling nodes.
        let mut z = vec![0.0; self.walk.num_nodes()];
        let [dangling_mass] = self.over_nodes(&mut z, |nodes, z| {
            for (z, node) in z.iter_mut().zip(nodes.clone()) {
                *z = self.equation.alpha * sums[rows.row_of(node)];
            }
            let dangling = self.walk.dangling_within(nodes.clone());
            let of_dangling = dangling.map(|node| z[node - nodes.start] + base.at(node));
            [sums::chained(of_dangling)]
        });
        let dangling_mass = self.equation.dangling.map_or(0.0, |_| dangling_mass);
        let new_base = self.equation.base(dangling_mass);
        let live = self.walk.live();
        let [mass, change] = self.over_nodes(&mut z, |nodes, z| {
            for (z, node) in z.iter_mut().zip(nodes.clone()) {
                *z += new_base.at(node);
            }
            let of_live = self.walk.live_within(nodes.clone());
            let changes =
                of_live.map(|place| (z[live[place] as usize - nodes.start] - score(place)).abs());
            let dangling = self.walk.dangling_within(nodes.clone());
            let of_dangling = dangling.map(|node| (new_base.at(node) - base.at(node)).abs());
            [
                sums::chained(z.iter().copied()),
                sums::chained(changes) + sums::chained(of_dangling),
            ]
        });
        Ok(Certified {
            bound: self.equation.bound(change, rounding(mass)),
            scores: z,
        })
    }

    /// The sums of shares over all rows, term by term.
    pub(crate) fn inflows(&self, shares: &[f64]) -> Result<Vec<f64>> {
        let rows = self.walk.rows();
        let mut inflows = vec![0.0; rows.num_rows()];
        rows.sums(&rows.blocks(), &mut inflows, |row| {
            row.exact_sum(|j| shares[j as usize])
        })?;
        Ok(inflows)
    }

    /// The sum of a term for each index below `count`.
    pub(crate) fn sum_over(&self, count: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
        sums::sum_of_tasks(count, |indices| sums::chained(indices.map(&term)))
    }

    /// Passes the entries of consecutive nodes to tasks; adds up what the tasks return.
    fn over_nodes<const K: usize>(
        &self,
        entries: &mut [f64],
        task: impl Fn(Range<usize>, &mut [f64]) -> [f64; K] + Sync,
    ) -> [f64; K] {
        let chunks = entries.chunks_mut(INDICES_PER_TASK).enumerate();
        let parts = tasks::map(chunks, |(index, entries)| {
            let start = index * INDICES_PER_TASK;
            task(start..start + entries.len(), entries)
        });
        std::array::from_fn(|of| sums::compensated(parts.iter().map(|part| part[of])))
    }

    /// About the least bound that rounding allows.
    pub fn floor(&self) -> f64 {
        self.equation.bound(0.0, rounding(1.0))
    }
}

/// A bound on the l1 error of a computed F(x) of this norm.
pub(crate) fn rounding(mass: f64) -> f64 {
    let roundoff = f64::EPSILON / 2.0;
    ENTRY_ROUNDOFFS * roundoff * mass
}
