//! What the plots share: a canvas that becomes SVG, axes, ticks at powers of ten.

use super::palette::{GRID, INK, MUTED};
use crate::error::{Error, Result};
use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange, LogCoord, WithKeyPoints};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

pub(super) type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Drawing fails only if a plot does not fit its canvas.
pub(super) type Drawn = std::result::Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Text of 12 pixels: plotters divides sizes by 1.24.
const TEXT: f64 = 12.0 * 1.24;

/// Draws on a canvas of this many pixels and returns the SVG.
pub(super) fn svg(size: (u32, u32), draw: impl FnOnce(&Canvas) -> Drawn) -> Result<String> {
    let mut text = String::new();
    let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
    draw(&canvas)
        .and_then(|()| canvas.present())
        .map_err(|problem| Error::Unsupported(format!("cannot draw a plot: {problem}")))?;
    drop(canvas);
    Ok(text)
}

pub(super) fn text_style(color: RGBColor, h_pos: HPos) -> TextStyle<'static> {
    let anchor = Pos::new(h_pos, VPos::Center);
    ("sans-serif", TEXT).into_font().color(&color).pos(anchor)
}

/// A logarithmic axis over positive numbers, with ticks at powers of ten, or, on a short one, at
/// 1, 2 and 5 times these.
pub(super) fn log_axis(range: Range<f64>) -> WithKeyPoints<LogCoord<f64>> {
    let exponents = range.start.log10().floor() as i32..=range.end.log10().floor() as i32;
    let all = |digits: &[u8]| -> Vec<f64> {
        let ticks = exponents.clone().flat_map(|exponent| {
            let ticks = digits.iter();
            ticks.map(move |&digit| f64::from(digit) * 10f64.powi(exponent))
        });
        ticks.filter(|tick| range.contains(tick)).collect()
    };
    let mut ticks = all(&[1]);
    if ticks.len() < 3 {
        ticks = all(&[1, 2, 5]);
    }
    // At most eight labels, so that they do not run into each other.
    let step = ticks.len().div_ceil(8).max(1);
    let ticks = ticks.into_iter().step_by(step).collect();
    range.log_scale().with_key_points(ticks)
}

/// A tick of a logarithmic axis: 1, 10, 100, 1000, 10⁴, 2·10⁴, ...
pub(super) fn log_tick(value: &f64) -> String {
    let exponent = (value.log10() + 1e-9).floor() as i32;
    let digit = (value / 10f64.powi(exponent)).round();
    match exponent {
        // Parsed, so that 5 * 10^-2 is the double nearest to 0.05.
        -2..=3 => format!("{digit}e{exponent}")
            .parse::<f64>()
            .map_or(String::new(), |value| value.to_string()),
        _ => {
            let factor = match digit {
                1.0 => String::new(),
                _ => format!("{digit}·"),
            };
            let digit = |c: char| match c {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                c => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).expect("a superscript"),
            };
            let digits: String = exponent.to_string().chars().map(digit).collect();
            format!("{factor}10{digits}")
        }
    }
}

/// A chart with room for labels at the left and below.
pub(super) fn with_margins<'a, 'b>(canvas: &'a Canvas<'b>) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(canvas);
    chart
        .margin_top(12)
        .margin_right(18)
        .set_label_area_size(LabelAreaPosition::Left, 62)
        .set_label_area_size(LabelAreaPosition::Bottom, 46);
    chart
}

/// Draws the grid, the axes and their names.
pub(super) fn draw_axes<X, Y>(
    chart: &mut ChartContext<SVGBackend, Cartesian2d<X, Y>>,
    names: [&str; 2],
    y_label: &dyn Fn(&f64) -> String,
) -> Drawn
where
    X: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
{
    let label = ("sans-serif", TEXT).into_font();
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.light)
        .axis_style(MUTED.light)
        .label_style(label.color(&MUTED.light))
        .axis_desc_style(label.color(&INK.light))
        .x_label_formatter(&log_tick)
        .y_label_formatter(y_label)
        .x_desc(names[0])
        .y_desc(names[1])
        .draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short() {
        let text = [0.01, 0.05, 1.0, 5000.0, 1e4, 2e4, 1e-5, 5e-12].map(|tick| log_tick(&tick));
        let expected = [
            "0.01",
            "0.05",
            "1",
            "5000",
            "10⁴",
            "2·10⁴",
            "10⁻⁵",
            "5·10⁻¹²",
        ];
        assert_eq!(text, expected);
    }
}
