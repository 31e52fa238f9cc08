//! The frame of the page: head, contents, the distributions of scores, and a section for each pair.
//!
//! All text in the markup is escaped unless it is marked `PreEscaped`: the style sheet, and the
//! plots, which escape the text that they receive.

use super::{ComparisonPage, matrices, pair, palette, tail};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use webrank_base::error::Result;
use webrank_base::visible::visible;

const STYLE: &str = include_str!("style.css");
/// The page fetches nothing and runs no script, whatever a name contains.
const POLICY: &str = "default-src 'none';style-src 'unsafe-inline'";
/// Up to this many pairs of rankings, all sections are unfolded.
const UNFOLDED: usize = 6;

pub(super) fn page(page: &ComparisonPage) -> Result<String> {
    let columns = page.comparisons.columns.iter();
    let names: Vec<String> = columns
        .map(|column| visible(&column.name).into_owned())
        .collect();
    let title = format!("Comparison of {}", names.join(", "));
    let scores = scores(page, &names)?;
    let pairs = &page.comparisons.comparisons;
    let is_open = pairs.len() <= UNFOLDED;
    let sections = pairs
        .iter()
        .map(|of| pair::section(page, of, &names, is_open));
    let sections: Vec<Markup> = sections.collect::<Result<_>>()?;
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(palette::rules())) (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p.muted {
                    (grouped(page.comparisons.rows)) " nodes in common. Larger scores rank first; "
                    "nodes with equal scores share a rank. Made by webrank "
                    (env!("CARGO_PKG_VERSION")) "."
                }
                @for note in page.notes { p { (visible(note)) } }
                @if pairs.len() > 1 { (contents(page, &names)) }
                (matrices::section(page.comparisons, &names))
                (scores)
                @for section in sections { (section) }
            }
        }
    };
    Ok(markup.into_string() + "\n")
}

fn contents(page: &ComparisonPage, names: &[String]) -> Markup {
    html! {
        nav {
            ul {
                @for pair in &page.comparisons.comparisons {
                    li {
                        a href={ "#pair-" (pair.x) "-" (pair.y) } {
                            (names[pair.x]) " and " (names[pair.y])
                        }
                    }
                }
            }
        }
    }
}

fn scores(page: &ComparisonPage, names: &[String]) -> Result<Markup> {
    let mut figures = Vec::new();
    for (index, column) in page.columns.iter().enumerate() {
        let distinct = page.comparisons.columns[index].distinct;
        let plot = tail::draw(column.scores, &page.rankings[index])?;
        let left_out = column.scores.iter().filter(|&&score| score <= 0.0).count();
        figures.push(html! {
            figure {
                figcaption { b { (names[index]) } ": " (grouped(distinct)) " different scores" }
                @match plot {
                    Some(svg) => (plotted(svg, &format!("scores of {}", names[index]))),
                    None => p { "No score is positive." },
                }
                @if left_out > 0 {
                    figcaption { (grouped(left_out as u64)) " scores of 0 or less are not shown" }
                }
            }
        });
    }
    Ok(html! {
        h2 { "Scores" }
        p {
            "How many nodes have a score of at least s: a straight line is a power law, a cliff means "
            "many nearly equal scores. Both axes are logarithmic."
        }
        div.row { @for figure in figures { (figure) } }
    })
}

/// A plot with a text alternative for screen readers.
pub(super) fn plotted(svg: String, label: &str) -> Markup {
    html! { div role="img" aria-label=(label) { (PreEscaped(svg)) } }
}

/// 1234567 as 1,234,567.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let text = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(text, ["0", "999", "1,000", "1,234,567"]);
    }
}
