//! Lengths of code words against the distribution of the numbers, a panel for each component of the
//! lists of a graph.
//!
//! A number of probability p would take -log2 p bits under a code made for it: the dots. A code is
//! good where its line follows them.

use crate::{Laboratory, Trial};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use webrank_base::error::Result;
use webrank_compare::report::chart::{
    Canvas, DrawResult, draw_axes, log_axis, svg, text_style, with_margins,
};
use webrank_compare::report::palette::{BLUE, INK, MUTED, ORANGE, PAGE, Paint};
use webrank_graph::codes::LabCode;

const SIZE: (u32, u32) = (1240, 1080);
const HEADER: i32 = 44;
const TITLE: i32 = 40;
/// Cells to each doubling of a number; small numbers have a cell each.
const CELLS: f64 = 6.0;
/// No panel shows longer words.
const LONGEST: f64 = 64.0;

/// The plot, as SVG.
///
/// # Errors
/// [`Error::Plot`](webrank_base::error::Error::Plot) if it cannot be drawn.
pub fn code_lengths(found: &Laboratory) -> Result<String> {
    svg(SIZE, |canvas| {
        canvas.fill(&PAGE.light)?;
        let (header, panels) = canvas.split_vertically(HEADER);
        draw_header(&header)?;
        for (panel, trial) in panels.split_evenly((3, 3)).iter().zip(&found.trials) {
            draw_panel(panel, trial, found.arcs)?;
        }
        Ok(())
    })
}

/// The colour of codes that are neither in the file nor the best.
fn other() -> RGBAColor {
    MUTED.light.mix(0.3)
}

fn draw_header(area: &Canvas) -> DrawResult {
    let entries = [
        (INK.light.to_rgba(), "-log2 of the share of a number"),
        (BLUE.light.to_rgba(), "code of the file"),
        (
            ORANGE.light.to_rgba(),
            "best code for files, where it differs",
        ),
        (other(), "all other codes"),
    ];
    let mut left = 70;
    for (place, (color, text)) in entries.into_iter().enumerate() {
        if place == 0 {
            area.draw(&Circle::new((left + 10, 24), 3, color.filled()))?;
        } else {
            let line = [(left, 24), (left + 22, 24)];
            area.draw(&PathElement::new(line, color.stroke_width(3)))?;
        }
        let style = text_style(INK.light, HPos::Left);
        area.draw(&Text::new(text, (left + 30, 24), style))?;
        left += 60 + 7 * text.len() as i32;
    }
    Ok(())
}

fn draw_panel(panel: &Canvas, trial: &Trial, arcs: u64) -> DrawResult {
    let (title, plot) = panel.split_vertically(TITLE);
    let write = |text: String, height: i32, paint: Paint| {
        let style = text_style(paint.light, HPos::Left);
        title.draw(&Text::new(text, (62, height), style))
    };
    let name = trial.field.name();
    let numbers = &trial.numbers;
    if numbers.is_empty() {
        return write(format!("{name}: none"), 12, INK);
    }
    write(format!("{name}: {}", summary(trial, arcs)), 12, INK)?;
    write(format!("entropy {:.2} bits", numbers.entropy()), 30, MUTED)?;
    let dots = dots(trial);
    let end = (numbers.max() as f64 + 1.0).log10().max(2f64.log10());
    let longest = |code: LabCode| code.length(numbers.max()) as f64;
    let highest = dots.iter().map(|&(_, bits)| bits).fold(4.0, f64::max);
    let highest = highest.max(longest(trial.best.code));
    // A long code of the file would hide everything else.
    let top = longest(trial.own.code).min(1.5 * highest).max(highest);
    let top = (top * 1.08).min(LONGEST);
    let mut chart = with_margins(&plot)
        .margin_left(8)
        .build_cartesian_2d(log_axis(-0.02 * end..end * 1.02), 0.0..top)?;
    let bits = |bits: &f64| format!("{bits:.0}");
    draw_axes(&mut chart, ["number + 1", "bits"], &bits)?;
    let mut draw = |code: LabCode, style: ShapeStyle| {
        let line = steps(code, numbers.max(), top);
        chart.draw_series(LineSeries::new(line, style)).map(drop)
    };
    for cost in &trial.costs {
        draw(cost.code, other().stroke_width(1))?;
    }
    draw(trial.best.code, ORANGE.light.stroke_width(2))?;
    draw(trial.own.code, BLUE.light.stroke_width(2))?;
    let dots = dots.into_iter().filter(|&(_, bits)| bits <= top);
    chart
        .draw_series(dots.map(|dot| Circle::new(dot, 2, INK.light.filled())))
        .map(drop)
}

fn summary(trial: &Trial, arcs: u64) -> String {
    let per_arc = |bits: u128| bits as f64 / arcs.max(1) as f64;
    let own = format!("{} {:.3}", trial.own.code, per_arc(trial.own.bits));
    if trial.best.code == trial.own.code {
        return format!("{own} bits an arc");
    }
    let best = format!("{} {:.3}", trial.best.code, per_arc(trial.best.bits));
    format!("{own}, {best} bits an arc")
}

/// The logarithms of the numbers plus 1 in each cell, and the bits that their mean share is worth.
fn dots(trial: &Trial) -> Vec<(f64, f64)> {
    let place = |number: f64| (number + 1.0).log10();
    let all = trial.numbers.len() as f64;
    let mut counts = trial.numbers.counts().iter().peekable();
    let mut dots = Vec::new();
    let mut start = 0u64;
    while let Some(&&(next, _)) = counts.peek() {
        let width = |start: u64| ((start as f64 + 1.0) * (2f64.powf(1.0 / CELLS) - 1.0)) as u64;
        // The cell in which the next number is.
        while next - start >= width(start).max(1) {
            start += width(start).max(1);
        }
        let cell = width(start).max(1);
        let mut count = 0;
        while let Some((_, more)) = counts.next_if(|&&(number, _)| number - start < cell) {
            count += more;
        }
        let share = count as f64 / all / cell as f64;
        let middle = start as f64 + (cell - 1) as f64 / 2.0;
        dots.push((place(middle), -share.log2()));
        start += cell;
    }
    dots
}

/// The lengths of the words for the numbers up to `max`, as a line of steps that ends at `top`. Words
/// never get shorter.
fn steps(code: LabCode, max: u64, top: f64) -> Vec<(f64, f64)> {
    let place = |number: u64| (number as f64 + 1.0).log10();
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        let length = code.length(number);
        if length as f64 > top {
            return line;
        }
        // The first number with a longer word, or the last number.
        let (mut low, mut high) = (number, max);
        while low < high {
            let middle = low + (high - low) / 2;
            match code.length(middle) > length {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        line.push((place(number), length as f64));
        line.push((place(high), length as f64));
        if high == number || code.length(high) == length {
            return line;
        }
        number = high;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dsi_bitstream::dispatch::Codes;

    #[test]
    fn gamma_has_a_step_at_every_power_of_two() {
        let line = steps(LabCode::standard(Codes::Gamma), 6, 64.0);
        let lengths: Vec<f64> = line.iter().map(|&(_, length)| length).collect();
        assert_eq!(lengths, [1.0, 1.0, 3.0, 3.0, 5.0, 5.0]);
        let places: Vec<f64> = line.iter().map(|&(place, _)| 10f64.powf(place)).collect();
        for (place, number) in places.into_iter().zip([1.0, 2.0, 2.0, 4.0, 4.0, 7.0]) {
            assert!((place - number).abs() < 1e-9);
        }
        assert!(steps(LabCode::standard(Codes::Unary), 1 << 40, 20.0).len() <= 40);
        assert_eq!(steps(LabCode::standard(Codes::Unary), 0, 20.0).len(), 2);
    }
}
