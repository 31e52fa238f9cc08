//! Parts that all plots share: a canvas that becomes SVG, axes, ticks at powers of ten.

use super::palette::{GRID, INK, MUTED};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;
use webrank_base::error::{Error, Result};

/// An SVG to draw on, in pixels.
pub type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Drawing fails only if a plot does not fit its canvas.
pub type DrawResult = std::result::Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Text of 12 pixels: plotters divides sizes by 1.24.
const TEXT: f64 = 12.0 * 1.24;

/// Draws on a canvas of this many pixels and returns the SVG.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Canvas) -> DrawResult) -> Result<String> {
    let mut text = String::new();
    let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
    draw(&canvas)
        .and_then(|()| canvas.present())
        .map_err(|problem| Error::Plot(problem.to_string()))?;
    drop(canvas);
    Ok(text)
}

/// Text of this colour that is aligned with its position, centred vertically.
pub fn text_style(color: RGBColor, h_pos: HPos) -> TextStyle<'static> {
    let anchor = Pos::new(h_pos, VPos::Center);
    ("sans-serif", TEXT).into_font().color(&color).pos(anchor)
}

/// A logarithmic axis: its coordinates are decimal logarithms. So numbers, and margins around them,
/// may span the whole range of doubles without overflow.
pub struct LogAxis {
    logarithms: RangedCoordf64,
    ticks: Vec<f64>,
}

/// The axis over these logarithms. Ticks are at powers of ten; on a short axis, also at 2 and 5
/// times these.
pub fn log_axis(logarithms: Range<f64>) -> LogAxis {
    let exponents = logarithms.start.floor() as i32..=logarithms.end.floor() as i32;
    let at = |digits: &[f64]| -> Vec<f64> {
        let ticks = exponents.clone().flat_map(|exponent| {
            let ticks = digits.iter();
            ticks.map(move |digit| digit.log10() + f64::from(exponent))
        });
        ticks.filter(|tick| logarithms.contains(tick)).collect()
    };
    let mut ticks = at(&[1.0]);
    if ticks.len() < 3 {
        ticks = at(&[1.0, 2.0, 5.0]);
    }
    // At most eight labels, so that they do not overlap.
    let step = ticks.len().div_ceil(8).max(1);
    LogAxis {
        ticks: ticks.into_iter().step_by(step).collect(),
        logarithms: logarithms.into(),
    }
}

impl Ranged for LogAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, logarithm: &f64, pixels: (i32, i32)) -> i32 {
        self.logarithms.map(logarithm, pixels)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Lines between the ticks are not drawn.
        let lines = hint.weight().allow_light_points();
        if lines {
            Vec::new()
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.logarithms.range()
    }
}

/// The number whose decimal logarithm is at a tick: 1, 10, 100, 1000, 10⁴, 2·10⁴, ...
pub(super) fn log_tick(logarithm: &f64) -> String {
    let exponent = (logarithm + 1e-9).floor();
    let digit = 10f64.powf(logarithm - exponent).round();
    if (-2.0..=3.0).contains(&exponent) {
        // Parsed, so that 5 * 10^-2 is the double nearest to 0.05.
        let number = format!("{digit}e{exponent}").parse::<f64>();
        return number.map_or(String::new(), |number| number.to_string());
    }
    let factor = if digit == 1.0 {
        String::new()
    } else {
        format!("{digit}·")
    };
    let superscript = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).expect("a superscript"),
    };
    let digits: String = exponent.to_string().chars().map(superscript).collect();
    format!("{factor}10{digits}")
}

/// A chart with space for labels on the left and below.
pub fn with_margins<'a, 'b>(canvas: &'a Canvas<'b>) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(canvas);
    chart
        .margin_top(12)
        .margin_right(18)
        .set_label_area_size(LabelAreaPosition::Left, 62)
        .set_label_area_size(LabelAreaPosition::Bottom, 46);
    chart
}

/// Draws the grid, the axes and their names.
pub fn draw_axes<X, Y>(
    chart: &mut ChartContext<SVGBackend, Cartesian2d<X, Y>>,
    names: [&str; 2],
    y_label: &dyn Fn(&f64) -> String,
) -> DrawResult
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
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
    use plotters::coord::ranged1d::BoldPoints;

    #[test]
    fn ticks_are_short() {
        let text = [0.01, 0.05, 1.0, 5000.0, 1e4, 2e4, 1e-5, 5e-12]
            .map(|number: f64| log_tick(&number.log10()));
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

    #[test]
    fn ticks_of_short_axes_are_at_one_two_and_five() {
        let ticks = log_axis(2.5..3.5).key_points(BoldPoints(8));
        let expected = [500f64, 1000.0, 2000.0].map(f64::log10);
        assert_eq!(ticks.len(), 3);
        assert!(
            ticks
                .iter()
                .zip(expected)
                .all(|(tick, log)| (tick - log).abs() < 1e-12)
        );
    }

    #[test]
    fn an_axis_over_all_doubles_has_few_ticks() {
        for [least, most] in [[-324.0, 309.0], [-200.0, 200.0], [0.0, 1.0], [-0.1, 0.1]] {
            let ticks = log_axis(least..most).key_points(BoldPoints(8));
            assert!((1..=8).contains(&ticks.len()), "{ticks:?}");
            assert!(ticks.iter().all(|tick| (least..most).contains(tick)));
        }
    }
}
