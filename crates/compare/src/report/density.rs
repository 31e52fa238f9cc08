//! Rank against rank: counts of nodes in cells, both axes logarithmic.

use super::chart::{DrawResult, draw_axes, log_axis, log_tick, svg, text_style, with_margins};
use super::palette::{MUTED, RAMP};
use crate::Ranking;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;

/// Cells along each axis.
const CELLS: usize = 44;
const SIZE: (u32, u32) = (496, 460);
const ROWS_PER_TASK: usize = 1 << 16;

/// Number of nodes in each cell of a square of logarithmic ranks; tied nodes share their average
/// rank.
struct CellCounts {
    /// `cells[y * CELLS + x]`
    cells: Vec<u64>,
    /// One more than the largest rank.
    end: f64,
}

impl CellCounts {
    fn new(x: &Ranking, y: &Ranking) -> Self {
        let n = x.universe();
        let end = n as f64 + 1.0;
        let cell = |ranking: &Ranking, node: usize| {
            let rank = ranking.twice_mid_position(node) as f64 / 2.0 + 1.0;
            ((CELLS as f64 * rank.ln() / end.ln()) as usize).min(CELLS - 1)
        };
        let none = || vec![0u64; CELLS * CELLS];
        let counts = tasks::map((0..n).step_by(ROWS_PER_TASK), |start| {
            let mut cells = none();
            for node in start..n.min(start + ROWS_PER_TASK) {
                cells[cell(y, node) * CELLS + cell(x, node)] += 1;
            }
            cells
        });
        let cells = counts.into_iter().fold(none(), |mut sums, counts| {
            let pairs = sums.iter_mut().zip(counts);
            pairs.for_each(|(sum, count)| *sum += count);
            sums
        });
        CellCounts { cells, end }
    }

    fn largest(&self) -> u64 {
        self.cells.iter().copied().max().unwrap_or(0)
    }

    /// The logarithm of the rank at which a cell begins.
    fn edge(&self, cell: usize) -> f64 {
        self.end.log10() * cell as f64 / CELLS as f64
    }

    /// Runs of adjacent cells of a row on the same step of the ramp: first, one past the last,
    /// step.
    fn runs(&self, row: usize) -> Vec<(usize, usize, usize)> {
        let largest = self.largest();
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (cell, &count) in self.cells[row * CELLS..][..CELLS].iter().enumerate() {
            let Some(step) = step(count, largest) else {
                continue;
            };
            match runs.last_mut() {
                Some(run) if run.1 == cell && run.2 == step => run.1 = cell + 1,
                _ => runs.push((cell, cell + 1, step)),
            }
        }
        runs
    }
}

/// The step of the ramp for a count, in equal ratios from 1 to the largest; none for 0.
fn step(count: u64, largest: u64) -> Option<usize> {
    let share = (count.max(1) as f64).ln() / (largest as f64 + 1.0).ln();
    (count > 0).then(|| (share * RAMP.len() as f64) as usize)
}

/// Draws the ranks of all nodes; `names` are the names of the two rankings.
pub(super) fn draw(x: &Ranking, y: &Ranking, names: [&str; 2]) -> Result<String> {
    let counts = CellCounts::new(x, y);
    svg(SIZE, |canvas| {
        let (legend, plot) = canvas.split_vertically(26);
        draw_legend(&legend, counts.largest())?;
        let ranks = || log_axis(0.0..counts.end.log10());
        let mut chart = with_margins(&plot).build_cartesian_2d(ranks(), ranks())?;
        let axes = names.map(|name| format!("rank in {name}"));
        draw_axes(&mut chart, [&axes[0], &axes[1]], &log_tick)?;
        let cells = (0..CELLS).flat_map(|row| {
            let counts = &counts;
            counts.runs(row).into_iter().map(move |(first, end, step)| {
                let corners = [
                    (counts.edge(first), counts.edge(row)),
                    (counts.edge(end), counts.edge(row + 1)),
                ];
                Rectangle::new(corners, RAMP[step].light.filled())
            })
        });
        chart.draw_series(cells).map(drop)
    })
}

fn draw_legend(area: &super::chart::Canvas, largest: u64) -> DrawResult {
    let middle = 14;
    let start = SIZE.0 as i32 - 18 - 16 * RAMP.len() as i32 - 90;
    let label = |text: &str, x: i32, h_pos| {
        let style = text_style(MUTED.light, h_pos);
        area.draw(&Text::new(text.to_owned(), (x, middle), style))
    };
    label("nodes in a cell: 1", start - 6, HPos::Right)?;
    for (step, paint) in RAMP.iter().enumerate() {
        let left = start + 16 * step as i32;
        let corners = [(left, middle - 7), (left + 16, middle + 7)];
        area.draw(&Rectangle::new(corners, paint.light.filled()))?;
    }
    let end = start + 16 * RAMP.len() as i32 + 6;
    label(&format!("to {largest}"), end, HPos::Left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_in_one_cell() {
        let n = 3 * ROWS_PER_TASK + 7;
        let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let y: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1000) as f64).collect();
        let counts = CellCounts::new(&Ranking::new(&x).unwrap(), &Ranking::new(&y).unwrap());
        assert_eq!(counts.cells.iter().sum::<u64>(), n as u64);
    }

    #[test]
    fn equal_rankings_lie_on_the_diagonal() {
        let scores: Vec<f64> = (0..1000).map(|i| -f64::from(i)).collect();
        let ranking = Ranking::new(&scores).unwrap();
        let counts = CellCounts::new(&ranking, &ranking);
        let off = (0..CELLS * CELLS).filter(|i| i / CELLS != i % CELLS);
        assert_eq!(off.map(|i| counts.cells[i]).sum::<u64>(), 0);
        assert_eq!(step(0, 9), None);
        assert_eq!(step(1, 9), Some(0));
        assert_eq!(step(9, 9), Some(RAMP.len() - 1));
        assert_eq!(step(1, 1), Some(0));
    }
}
