//! The loops of [`crate::pagerank::methods::many_seeds`]: sums over rows, and new
//! values for all nodes, of [`WIDTH`] vectors whose entries are stored side by side. They are
//! compiled for each width of vector instructions and compute the same bits.

use pulp::NullaryFnOnce;
use std::ops::Range;
use webrank_base::parallel::sums::compensated;
use webrank_base::parallel::tasks;
use webrank_linear::prefixes::PREFIX_BLOCK;
use webrank_linear::runs::Row;
use webrank_linear::runs::flat::FlatRows;

/// The number of vectors processed together.
pub const WIDTH: usize = 8;

/// An entry of each vector.
pub(crate) type Long = [f64; WIDTH];
/// One entry of each vector, in single precision.
pub(crate) type Short = [f32; WIDTH];

/// The number of terms added up before their sum is added with compensation.
const PIECE: usize = 64;

/// The sums of what tasks return for their indices, independent of the number of threads.
pub(crate) fn over_tasks(
    count: usize,
    task: impl Fn(Range<usize>) -> [Long; 2] + Sync,
) -> [Long; 2] {
    let parts = tasks::map(tasks::ranges(count), task);
    let total = |of: usize, lane| compensated(parts.iter().map(|part| part[of][lane]));
    [0, 1].map(|of| std::array::from_fn(|lane| total(of, lane)))
}

/// Sums over rows, by prefix sums for runs.
pub(crate) struct FastSums<'a> {
    pub(crate) rows: &'a FlatRows,
    pub(crate) block: Range<usize>,
    pub(crate) correction: &'a [Short],
    pub(crate) prefixes: &'a [Short],
    pub(crate) inflows: &'a mut [Short],
}

impl NullaryFnOnce for FastSums<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let prefix = |j: usize| j + j / PREFIX_BLOCK;
        for (inflow, row) in self.inflows.iter_mut().zip(self.block) {
            let Row { singles, runs } = self.rows.row(row);
            let mut sum = [0.0; WIDTH];
            for piece in singles.chunks(PIECE) {
                let mut part = [0.0; WIDTH];
                for &j in piece {
                    let value = &self.correction[j as usize];
                    (0..WIDTH).for_each(|lane| part[lane] += value[lane]);
                }
                (0..WIDTH).for_each(|lane| sum[lane] += part[lane]);
            }
            for &[first, end] in runs {
                let before = &self.prefixes[prefix(first as usize)];
                let after = &self.prefixes[prefix(end as usize - 1) + 1];
                (0..WIDTH).for_each(|lane| sum[lane] += after[lane] - before[lane]);
            }
            *inflow = sum;
        }
    }
}

/// The new values of corrections.
pub(crate) enum Corrections<'a> {
    /// alpha e G + r.
    Step {
        inflows: &'a [Short],
        live_rows: &'a [u32],
        residual: &'a [Short],
        alpha: f32,
    },
    /// The given values.
    These(&'a [Short]),
    /// (e - weight earlier) / (1 - weight).
    Extrapolated { earlier: &'a [Short], weight: f32 },
}

impl Corrections<'_> {
    #[inline(always)]
    fn at(&self, place: usize, old: &Short, outdegree: f32) -> Short {
        let mut new = [0.0; WIDTH];
        match self {
            Corrections::Step {
                inflows,
                live_rows,
                residual,
                alpha,
            } => {
                let (inflow, rest) = (&inflows[live_rows[place] as usize], &residual[place]);
                let factor = alpha / outdegree;
                (0..WIDTH).for_each(|lane| new[lane] = factor * inflow[lane] + rest[lane]);
            }
            Corrections::These(values) => new = values[place],
            Corrections::Extrapolated { earlier, weight } => {
                let earlier = &earlier[place];
                let value = |lane: usize| (old[lane] - weight * earlier[lane]) / (1.0 - weight);
                (0..WIDTH).for_each(|lane| new[lane] = value(lane));
            }
        }
        new
    }
}

/// New corrections for the live nodes of a block of prefixes.
pub(crate) struct Update<'a> {
    pub(crate) first: usize,
    pub(crate) prefixes: &'a mut [Short],
    pub(crate) correction: &'a mut [Short],
    pub(crate) outdegrees: &'a [u32],
    pub(crate) new: &'a Corrections<'a>,
}

impl NullaryFnOnce for Update<'_> {
    /// The l1 distances between old and new corrections.
    type Output = Long;

    #[inline(always)]
    fn call(self) -> Long {
        let (mut change, mut prefix) = ([0f32; WIDTH], [0f64; WIDTH]);
        let entries = self.correction.iter_mut().zip(self.outdegrees);
        let entries = entries.zip(&mut self.prefixes[1..]);
        for (index, ((e, &outdegree), place)) in entries.enumerate() {
            let outdegree = outdegree as f32;
            let (old, new) = (*e, self.new.at(self.first + index, e, outdegree));
            for lane in 0..WIDTH {
                change[lane] += outdegree * (new[lane] - old[lane]).abs();
                prefix[lane] += new[lane] as f64;
                place[lane] = prefix[lane] as f32;
            }
            *e = new;
        }
        change.map(f64::from)
    }
}

/// The sum over a row, term by term: pieces of [`PIECE`] terms, added up with compensation.
#[inline]
pub(crate) fn exact_sum(row: Row, values: &[Long]) -> Long {
    let Row { singles, runs } = row;
    let (mut sum, mut lost) = ([0.0; WIDTH], [0.0; WIDTH]);
    let mut add = |part: Long| {
        for lane in 0..WIDTH {
            // Knuth, "The Art of Computer Programming" 2, 4.2.2, Theorem B: without branches.
            let (a, b) = (sum[lane], part[lane]);
            let total: f64 = a + b;
            let of_b = total - a;
            lost[lane] += (a - (total - of_b)) + (b - of_b);
            sum[lane] = total;
        }
    };
    for piece in singles.chunks(PIECE) {
        add(sum_of(piece.iter().map(|&j| &values[j as usize])));
    }
    for &[first, end] in runs {
        let run = &values[first as usize..end as usize];
        run.chunks(PIECE)
            .for_each(|piece| add(sum_of(piece.iter())));
    }
    std::array::from_fn(|lane| sum[lane] + lost[lane])
}

#[inline]
fn sum_of<'a>(terms: impl Iterator<Item = &'a Long>) -> Long {
    let mut sum = [0.0; WIDTH];
    for term in terms {
        (0..WIDTH).for_each(|lane| sum[lane] += term[lane]);
    }
    sum
}
