//! The distribution of scores: the share of nodes with a score of at least s, against s.

use super::chart::{draw_axes, log_axis, log_tick, svg, with_margins};
use super::palette::BLUE;
use crate::Ranking;
use crate::overlap::curve_sizes;
use plotters::prelude::*;
use webrank_base::error::Result;

/// Maximum number of positions whose scores are drawn.
const POINTS: usize = 200;
const SIZE: (u32, u32) = (316, 270);

/// The complementary cumulative distribution: increasing scores above 0, each with the share of
/// nodes that score at least as much; at most [`POINTS`], evenly spaced in the logarithm of the
/// share.
fn tail(scores: &[f64], ranking: &Ranking) -> Vec<(f64, f64)> {
    let n = ranking.len();
    let mut points: Vec<(f64, f64)> = curve_sizes(n, POINTS)
        .into_iter()
        .map(|k| {
            let class = ranking.class_at(k as u32 - 1);
            let score = scores[ranking.order()[k - 1] as usize];
            (score, f64::from(ranking.positions(class).end) / n as f64)
        })
        .filter(|&(score, _)| score > 0.0)
        .collect();
    points.dedup();
    points.reverse();
    points
}

/// Draws the distribution, both axes logarithmic; none if no score is positive.
pub(super) fn draw(scores: &[f64], ranking: &Ranking) -> Result<Option<String>> {
    let logarithms = |(score, share): (f64, f64)| (score.log10(), share.log10());
    let points: Vec<(f64, f64)> = tail(scores, ranking).into_iter().map(logarithms).collect();
    let (Some(&(least, _)), Some(&(most, rarest))) = (points.first(), points.last()) else {
        return Ok(None);
    };
    // Leave space at both ends, so that equal scores still make a visible plot.
    let margin = (0.03 * (most - least)).max(1.5f64.log10());
    let drawn = svg(SIZE, |canvas| {
        let mut chart = with_margins(canvas).build_cartesian_2d(
            log_axis(least - margin..most + margin),
            log_axis(rarest - 1.5f64.log10()..1.2f64.log10()),
        )?;
        draw_axes(&mut chart, ["score s", "nodes with s or more"], &log_tick)?;
        chart.draw_series(LineSeries::new(
            points.iter().copied(),
            BLUE.light.stroke_width(2),
        ))?;
        let dots = points.iter().filter(|_| points.len() <= 40);
        chart
            .draw_series(dots.map(|&point| Circle::new(point, 3, BLUE.light.filled())))
            .map(drop)
    })?;
    Ok(Some(drawn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_count_the_scores_that_are_as_large() {
        let scores = [4.0, 1.0, 1.0, 0.0];
        let ranking = Ranking::new(&scores).unwrap();
        assert_eq!(tail(&scores, &ranking), [(1.0, 0.75), (4.0, 0.25)]);
        let none = [0.0, -1.0];
        assert_eq!(draw(&none, &Ranking::new(&none).unwrap()).unwrap(), None);
    }

    /// The ratio of the two largest numbers here to the two smallest is too large for a double.
    #[test]
    fn scores_of_any_size_are_drawn() {
        let sizes = [
            f64::MIN,
            -1.0,
            0.0,
            5e-324,
            1e-320,
            1e-200,
            1.0,
            1e200,
            1.7e308,
            f64::MAX,
        ];
        for least in sizes {
            for most in sizes {
                let scores = [least, most];
                let plot = draw(&scores, &Ranking::new(&scores).unwrap()).unwrap();
                assert_eq!(plot.is_some(), least > 0.0 || most > 0.0);
                let plot = plot.unwrap_or_default();
                assert!(!plot.contains("NaN") && !plot.contains("inf"), "{plot}");
            }
        }
    }
}
