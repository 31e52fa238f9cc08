//! The colours of the page and of its plots, for light and dark screens.
//!
//! Plots are drawn in the light colours. The style sheet gives every colour a variable, which
//! differs on dark screens, and replaces light colours in plots with their variables. So a plot
//! follows the reader's choice, and still looks right when it is saved from the page.
//!
//! Blue and orange (after Okabe and Ito) are distinct for every kind of colour blindness; the ramp
//! is one hue in which only lightness changes.

use plotters::style::RGBColor;
use std::fmt::Write;

/// A colour on light and on dark screens.
pub struct Paint {
    name: &'static str,
    /// The colour on light screens.
    pub light: RGBColor,
    dark: RGBColor,
}

const fn paint(name: &'static str, light: u32, dark: u32) -> Paint {
    Paint {
        name,
        light: rgb(light),
        dark: rgb(dark),
    }
}

const fn rgb(hex: u32) -> RGBColor {
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The page behind everything.
pub const PAGE: Paint = paint("page", 0xFFFFFF, 0x14171B);
pub(super) const PANEL: Paint = paint("panel", 0xF6F7F9, 0x1D2126);
/// Text.
pub const INK: Paint = paint("ink", 0x1C1F23, 0xE8EAED);
/// Labels, and text of less weight.
pub const MUTED: Paint = paint("muted", 0x5B6169, 0xA3A9B2);
pub(super) const GRID: Paint = paint("grid", 0xDFE2E6, 0x363C44);
/// Rises, and the line of a plot with one line.
pub const BLUE: Paint = paint("blue", 0x0067A5, 0x56B4E9);
/// Falls.
pub const ORANGE: Paint = paint("orange", 0xB84A00, 0xF0A03C);
/// The ends of the colour scale of matrices, on which text is written.
const AGREE: Paint = paint("agree", 0x0B4F8A, 0x2573B8);
const DIFFER: Paint = paint("differ", 0x9A4A00, 0xA85A10);

/// The ramp, from few to many.
pub(super) const RAMP: [Paint; 8] = [
    paint("ramp0", 0xBCD6EE, 0x2A4A70),
    paint("ramp1", 0xA3C7E6, 0x2A5587),
    paint("ramp2", 0x86B6DC, 0x2C629E),
    paint("ramp3", 0x62A1D1, 0x3172B4),
    paint("ramp4", 0x448EC5, 0x3F86C9),
    paint("ramp5", 0x2470B3, 0x63A2DE),
    paint("ramp6", 0x0B5294, 0x97C2EE),
    paint("ramp7", 0x08335F, 0xD8EAFC),
];

fn all() -> impl Iterator<Item = &'static Paint> {
    const NAMED: [Paint; 9] = [PAGE, PANEL, INK, MUTED, GRID, BLUE, ORANGE, AGREE, DIFFER];
    NAMED.iter().chain(&RAMP)
}

/// The style rules that define the variables and paint plots with them.
pub(super) fn rules() -> String {
    let mut text = String::new();
    let mut line = |rule: std::fmt::Arguments| writeln!(text, "{rule}").expect("strings grow");
    let define = |dark: bool| -> String {
        let shade = |paint: &Paint| hex(if dark { paint.dark } else { paint.light });
        all()
            .map(|paint| format!("--{}:{};", paint.name, shade(paint)))
            .collect()
    };
    line(format_args!(":root{{{}}}", define(false)));
    line(format_args!(
        "@media (prefers-color-scheme:dark){{:root{{{}}}}}",
        define(true)
    ));
    for paint in all() {
        let (name, light) = (paint.name, hex(paint.light));
        line(format_args!("svg [fill=\"{light}\"]{{fill:var(--{name})}}"));
        line(format_args!(
            "svg [stroke=\"{light}\"]{{stroke:var(--{name})}}"
        ));
    }
    text
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn light_colours_differ_so_each_has_one_variable() {
        let lights: HashSet<String> = all().map(|paint| hex(paint.light)).collect();
        assert_eq!(lights.len(), all().count());
    }

    /// WCAG's relative luminance.
    fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            c if c <= 0.04045 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    #[test]
    fn text_and_lines_stand_out_on_both_screens() {
        for (paint, contrast) in [(INK, 7.0), (MUTED, 4.5), (BLUE, 4.5), (ORANGE, 4.5)] {
            for (ink, page) in [
                (paint.light, PAGE.light),
                (paint.light, PANEL.light),
                (paint.dark, PAGE.dark),
                (paint.dark, PANEL.dark),
            ] {
                let mut both = [luminance(ink), luminance(page)];
                both.sort_by(f64::total_cmp);
                let found = (both[1] + 0.05) / (both[0] + 0.05);
                assert!(found >= contrast, "{}: {found}", paint.name);
            }
        }
    }

    #[test]
    fn the_ramp_moves_away_from_the_page() {
        assert!(RAMP.is_sorted_by(|a, b| luminance(a.light) > luminance(b.light)));
        assert!(RAMP.is_sorted_by(|a, b| luminance(a.dark) < luminance(b.dark)));
    }
}
