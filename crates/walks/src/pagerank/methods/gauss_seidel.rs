//! Gauss-Seidel sweeps over the rows of predecessors: new values are used immediately.
//!
//! The method solves the linear systems
//!
//! ```text
//! y = alpha y G + (1 - alpha) v,        w = alpha w G + alpha u,
//! ```
//!
//! without the feedback through dangling nodes. So their matrix is an M-matrix and every regular
//! splitting of it converges, and faster if more mass is lost in dangling nodes. Then
//! `x = y + D w`, where D is the mass of x on dangling nodes: with D_y and D_w the masses of y and
//! w there, `D = D_y / (1 - D_w)`. Adding up the equations gives `D_y = (1 - alpha) (1 - M_y)` and
//! `D_w = alpha - (1 - alpha) M_w`, with M the mass on the other nodes. So the rows of dangling
//! nodes, which give nothing, are left out of the sweeps and computed once, at the end. If u = v, w
//! is a multiple of y and one system is enough; if u = 0, x = y. (Lee, Golub and Zenios, "A fast
//! two-stage algorithm for computing PageRank", 2003; Ipsen and Selee, "PageRank computation, with
//! special attention to dangling nodes", SIMAX 2007; Del Corso, Gulli and Romani, "Fast PageRank
//! computation via a sparse linear system", Internet Mathematics 2005.)
//!
//! The unknowns are the shares `c_i = y_i / d_i` that node i gives to each of its d_i successors.
//! With s_i = 1 if i has a self-loop, row i of `y = alpha y G + b` reads
//!
//! ```text
//! d_i c_i = alpha (sum of c_j over the predecessors j != i + s_i c_i) + b_i,
//! ```
//!
//! so `c_i = (alpha sum of c_j + b_i) / (d_i - alpha s_i)`: self-loops are solved for directly,
//! without iteration.
//!
//! Rows are swept in the order of the nodes, each with the newest values of all others, as the textbooks
//! have it (Golub and Van Loan, Matrix Computations, 2013, section 11.2.2). So one thread sweeps a system,
//! and results do not depend on threads; the two systems are swept side by side.

use crate::pagerank::certificate::{Certified, Iteration, PageRankMap};
use crate::pagerank::equation::{ConstantTerm, Equation};
use crate::pagerank::parameters::Method;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::{sums, tasks};
use webrank_linear::runs::flat::FlatRows;

/// Rows whose changes are added up before those of all blocks are.
const BLOCK: usize = 1 << 12;

/// The state of an iteration.
pub struct GaussSeidel<'a> {
    map: &'a PageRankMap<'a>,
    rows: &'a FlatRows,
    /// The distinct row of each live node, and whether the node is in it.
    live_rows: Vec<u32>,
    self_loops: Vec<bool>,
    /// y, with right-hand side (1 - alpha) v.
    by_preference: ColumnSystem<'a>,
    /// w, with right-hand side alpha u, unless it follows from y.
    by_dangling: Option<ColumnSystem<'a>>,
}

/// A system and its current solution.
struct ColumnSystem<'a> {
    right: ConstantTerm<'a>,
    shares: Vec<f64>,
    /// The sum of the entries of live nodes.
    mass: f64,
}

impl<'a> GaussSeidel<'a> {
    /// Starts from the scores `x`.
    ///
    /// # Errors
    /// If the rows are not in memory.
    pub fn new(map: &'a PageRankMap<'a>, x: &[f64]) -> Result<Self> {
        let walk = map.walk;
        let rows = walk.flat_rows("method", Method::GaussSeidel.name())?;
        let (live, live_rows) = (walk.live(), walk.live_rows());
        let mass = map.sum_over(live.len(), |place| x[live[place] as usize]);
        // Exact for the fixed point if u = v.
        let scale = (1.0 - map.equation.alpha)
            / (1.0 - map.equation.alpha + map.equation.alpha * map.equation.dangling_mass(mass));
        let system = |right, scale: f64| ColumnSystem {
            right,
            shares: tasks::tabulate(live.len(), |place| {
                scale * x[live[place] as usize] / walk.live_outdegrees()[place] as f64
            }),
            mass: scale * mass,
        };
        let needs_both = map
            .equation
            .dangling
            .is_some_and(|u| u != map.equation.preference);
        Ok(GaussSeidel {
            map,
            rows,
            self_loops: tasks::tabulate(live.len(), |place| {
                rows.row(live_rows[place] as usize).contains(place as Node)
            }),
            live_rows,
            by_preference: system(map.equation.combined(1.0 - map.equation.alpha, 0.0), scale),
            by_dangling: needs_both.then(|| {
                let scale = scale * map.equation.alpha / (1.0 - map.equation.alpha);
                system(map.equation.combined(0.0, map.equation.alpha), scale)
            }),
        })
    }

    /// The p and q with `x = p y + q w`.
    fn coefficients(&self) -> [f64; 2] {
        let w = self.by_dangling.as_ref().map(|w| w.mass);
        coefficients(&self.map.equation, self.by_preference.mass, w)
    }
}

/// The p and q with `x = p y + q w`, given the masses of y and w, if w is not a multiple of y, on
/// live nodes.
pub(crate) fn coefficients(equation: &Equation, of_y: f64, of_w: Option<f64>) -> [f64; 2] {
    let alpha = equation.alpha;
    if equation.dangling.is_none() {
        return [1.0, 0.0];
    }
    let lost = 1.0 - of_y;
    let dangling_of_w = match of_w {
        Some(mass) => alpha - (1.0 - alpha) * mass,
        None => alpha * lost,
    };
    let dangling_mass = (1.0 - alpha) * lost.max(0.0) / (1.0 - dangling_of_w.clamp(0.0, alpha));
    match of_w {
        Some(_) => [1.0, dangling_mass],
        None => [1.0 + dangling_mass * alpha / (1.0 - alpha), 0.0],
    }
}

impl ColumnSystem<'_> {
    /// One sweep over the live nodes with these rows and self-loops; returns the l1 norm of the
    /// change.
    fn sweep(
        &mut self,
        map: &PageRankMap,
        rows: &FlatRows,
        live_rows: &[u32],
        self_loops: &[bool],
    ) -> f64 {
        let (right, shares) = (&self.right, &mut self.shares);
        let (walk, alpha) = (map.walk, map.equation.alpha);
        let mut blocks = Vec::with_capacity(shares.len().div_ceil(BLOCK));
        for start in (0..shares.len()).step_by(BLOCK) {
            let (mut change, mut mass) = (0.0, 0.0);
            for place in start..shares.len().min(start + BLOCK) {
                let outdegree = walk.live_outdegrees()[place] as f64;
                let old = shares[place];
                let self_loop = f64::from(self_loops[place]);
                let row = rows.row(live_rows[place] as usize);
                let inflow = row.exact_sum(|j: Node| shares[j as usize]) - self_loop * old;
                let new = (alpha * inflow + right.at(walk.live()[place] as usize))
                    / (outdegree - alpha * self_loop);
                shares[place] = new;
                change += outdegree * (new - old).abs();
                mass += outdegree * new;
            }
            blocks.push([change, mass]);
        }
        let total = |of: usize| sums::compensated(blocks.iter().map(|block| block[of]));
        self.mass = total(1);
        total(0)
    }
}

impl Iteration for GaussSeidel<'_> {
    fn sweep(&mut self) -> Result<f64> {
        let systems = [Some(&mut self.by_preference), self.by_dangling.as_mut()];
        let changes = tasks::map(systems.into_iter().flatten(), |system| {
            system.sweep(self.map, self.rows, &self.live_rows, &self.self_loops)
        });
        let (of_y, of_w) = (changes[0], changes.get(1).copied().unwrap_or(0.0));
        let [p, q] = self.coefficients();
        Ok(p * of_y + q * of_w)
    }

    fn certify(&mut self) -> Result<Certified> {
        let [p, q] = self.coefficients();
        let mut shares = self.by_preference.shares.clone();
        match &self.by_dangling {
            Some(w) => tasks::update_with(&mut shares, &w.shares, |y, w| *y = p * *y + q * w),
            None => tasks::update(&mut shares, |_, y| *y *= p),
        }
        self.map.certify(&shares)
    }

    fn floor(&self) -> f64 {
        self.map.floor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pagerank::PageRank;
    use crate::pagerank::methods::power::Power;
    use crate::pagerank::methods::reference::reference;
    use crate::pagerank::walk::RandomWalk;
    use proptest::prelude::*;
    use webrank_graph::{Csr, IncomingRows, Successors};

    /// One sweep of the shares of live nodes, in the order of the nodes, each with the newest values.
    fn textbook_sweep(rows: &Csr, alpha: f64, right: impl Fn(usize) -> f64, shares: &mut [f64]) {
        for i in 0..rows.num_nodes() {
            let outdegree = rows.row(i as Node).len() as f64;
            if outdegree == 0.0 {
                continue;
            }
            let (mut inflow, mut loops) = (0.0, 0.0);
            for (j, share) in shares.iter().enumerate() {
                match rows.row(j as Node).contains(&(i as Node)) {
                    true if i == j => loops = 1.0,
                    true => inflow += share,
                    false => {}
                }
            }
            shares[i] = (alpha * inflow + right(i)) / (outdegree - alpha * loops);
        }
    }

    proptest! {
        #[test]
        fn sweeps_are_those_of_the_textbooks(
            arcs in prop::collection::vec((0u32..12, 0u32..12), 1..60), sweeps in 1usize..6
        ) {
            let rows = Csr::from_arcs(12, arcs).unwrap();
            let params = PageRank::default();
            let backward = || IncomingRows { rows: rows.transpose().unwrap(), outdegrees: None };
            let walk = RandomWalk::new(backward()).unwrap();
            let map = PageRankMap { walk: &walk, equation: params.equation(12) };
            let start = [1.0 / 12.0; 12];
            let mut found = GaussSeidel::new(&map, &start).unwrap();
            let mut plain = Power::<f64>::new(&map, &start).plain();
            let mut shares = vec![0.0; 12];
            for (&node, &share) in walk.live().iter().zip(&found.by_preference.shares) {
                shares[node as usize] = share;
            }
            for _ in 0..sweeps {
                found.sweep().unwrap();
                plain.sweep().unwrap();
                textbook_sweep(&rows, 0.85, |_| 0.15 / 12.0, &mut shares);
            }
            for (&node, &share) in walk.live().iter().zip(&found.by_preference.shares) {
                prop_assert!((share - shares[node as usize]).abs() < 1e-14);
            }
            let expected = reference(Successors(&rows), &params, sweeps as u32);
            for (&node, share) in walk.live().iter().zip(plain.total()) {
                let score = share * rows.row(node).len() as f64;
                prop_assert!((score - expected[node as usize]).abs() < 1e-14);
            }
        }
    }
}
