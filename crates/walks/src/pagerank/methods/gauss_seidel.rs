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
//! Rows are cut into a few chunks that depend on the graph only. Chunks are swept in parallel: new
//! values are used immediately within a chunk, and values of the previous sweep across chunks. Most
//! arcs of a web graph stay within a chunk, so little is lost, and results do not depend on
//! threads.

use crate::pagerank::certificate::{Certified, Iteration, PageRankMap};
use crate::pagerank::equation::{ConstantTerm, Equation};
use crate::pagerank::parameters::Method;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::blocks::{cut_by, split_mut};
use webrank_base::parallel::{sums, tasks};
use webrank_linear::runs::flat::FlatRows;

/// The number of chunks swept in parallel, for any number of threads.
const CHUNKS: u64 = 8;

/// The state of an iteration.
pub struct GaussSeidel<'a> {
    map: &'a PageRankMap<'a>,
    rows: &'a FlatRows,
    chunks: Vec<Range<usize>>,
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
    /// The shares that chunks read from each other: those after the last sweep.
    published: Vec<f64>,
    /// The shares that chunks write, and read from themselves.
    current: Vec<f64>,
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
        let mut weight = vec![0u64];
        for (place, &row) in live_rows.iter().enumerate() {
            weight.push(weight[place] + rows.row(row as usize).len() as u64 + 1);
        }
        let mass = map.sum_over(live.len(), |place| x[live[place] as usize]);
        // Exact for the fixed point if u = v.
        let scale = (1.0 - map.equation.alpha)
            / (1.0 - map.equation.alpha + map.equation.alpha * map.equation.dangling_mass(mass));
        let system = |right, scale: f64| {
            let shares = tasks::tabulate(live.len(), |place| {
                scale * x[live[place] as usize] / walk.live_outdegrees()[place] as f64
            });
            ColumnSystem {
                right,
                current: shares.clone(),
                published: shares,
                mass: scale * mass,
            }
        };
        let needs_both = map
            .equation
            .dangling
            .is_some_and(|u| u != map.equation.preference);
        Ok(GaussSeidel {
            map,
            rows,
            chunks: cut_by(live.len(), weight[live.len()].div_ceil(CHUNKS), |place| {
                weight[place]
            }),
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
    /// One sweep over chunks of live nodes with these rows and self-loops; returns the l1 norm of
    /// the change.
    fn sweep(
        &mut self,
        map: &PageRankMap,
        rows: &FlatRows,
        chunks: &[Range<usize>],
        live_rows: &[u32],
        self_loops: &[bool],
    ) -> f64 {
        let (right, published) = (&self.right, &self.published);
        let live = map.walk.live();
        let changes = tasks::map(
            chunks.iter().zip(split_mut(&mut self.current, chunks)),
            |(chunk, current)| {
                let (mut change, mut mass) = (0.0, 0.0);
                for place in chunk.clone() {
                    let outdegree = map.walk.live_outdegrees()[place] as f64;
                    let old = current[place - chunk.start];
                    let self_loop = f64::from(self_loops[place]);
                    let share = |j: Node| match (j as usize).checked_sub(chunk.start) {
                        Some(place) if place < current.len() => current[place],
                        _ => published[j as usize],
                    };
                    let row = rows.row(live_rows[place] as usize);
                    let inflow = row.exact_sum(share) - self_loop * old;
                    let new = (map.equation.alpha * inflow + right.at(live[place] as usize))
                        / (outdegree - map.equation.alpha * self_loop);
                    current[place - chunk.start] = new;
                    change += outdegree * (new - old).abs();
                    mass += outdegree * new;
                }
                [change, mass]
            },
        );
        tasks::update_with(&mut self.published, &self.current, |published, current| {
            *published = *current;
        });
        let total = |of: usize| sums::compensated(changes.iter().map(|chunk| chunk[of]));
        self.mass = total(1);
        total(0)
    }
}

impl Iteration for GaussSeidel<'_> {
    fn sweep(&mut self) -> Result<f64> {
        let (live_rows, self_loops) = (&self.live_rows, &self.self_loops);
        let sweep = |system: &mut ColumnSystem| {
            system.sweep(self.map, self.rows, &self.chunks, live_rows, self_loops)
        };
        let of_y = sweep(&mut self.by_preference);
        let of_w = self.by_dangling.as_mut().map_or(0.0, sweep);
        let [p, q] = self.coefficients();
        Ok(p * of_y + q * of_w)
    }

    fn certify(&mut self) -> Result<Certified> {
        let [p, q] = self.coefficients();
        let mut shares = self.by_preference.published.clone();
        match &self.by_dangling {
            Some(w) => tasks::update_with(&mut shares, &w.published, |y, w| *y = p * *y + q * w),
            None => tasks::update(&mut shares, |_, y| *y *= p),
        }
        self.map.certify(&shares)
    }

    fn floor(&self) -> f64 {
        self.map.floor()
    }
}
