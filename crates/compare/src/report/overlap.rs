//! The share of the first k nodes that two rankings have in common, against k.

use super::chart::{draw_axes, log_axis, svg, with_margins};
use super::palette::{BLUE, MUTED};
use crate::Ranking;
use crate::overlap::{curve_sizes, top_overlap};
use plotters::prelude::*;
use webrank_base::error::Result;

/// Sizes k at which the overlap is computed.
const POINTS: usize = 80;
const SIZE: (u32, u32) = (496, 460);

/// Draws overlap(k)/k for k from 1 to n, and k/n, the expectation for random rankings.
pub(super) fn draw(x: &Ranking, y: &Ranking) -> Result<String> {
    let n = x.len();
    let sizes = curve_sizes(n, POINTS);
    let share = |&k: &usize| Ok(((k as f64).log10(), top_overlap(x, y, k)?.agreement));
    let shares: Vec<(f64, f64)> = sizes.iter().map(share).collect::<Result<_>>()?;
    svg(SIZE, |canvas| {
        let mut chart = with_margins(canvas)
            .build_cartesian_2d(log_axis(0.0..(n as f64).max(2.0).log10()), 0.0..1.02)?;
        draw_axes(
            &mut chart,
            ["k", "share of the first k in common"],
            &|share| format!("{share:.1}"),
        )?;
        let chance = sizes.iter().map(|&k| k as f64);
        let chance = chance.map(|k| (k.log10(), k / n as f64));
        chart.draw_series(DashedLineSeries::new(
            chance,
            6,
            5,
            MUTED.light.stroke_width(1),
        ))?;
        chart.draw_series(LineSeries::new(
            shares.iter().copied(),
            BLUE.light.stroke_width(2),
        ))?;
        let dots = shares
            .iter()
            .filter(|(logarithm, _)| shares.len() <= 30 || logarithm.fract() == 0.0);
        chart
            .draw_series(dots.map(|&point| Circle::new(point, 4, BLUE.light.filled())))
            .map(drop)
    })
}
