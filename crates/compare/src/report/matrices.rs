//! Coefficients of all pairs as heat maps.

use crate::{Comparison, Comparisons};
use maud::{Markup, html};

/// A coefficient as a matrix.
struct CoefficientMatrix {
    title: &'static str,
    meaning: &'static str,
    value: fn(&Comparison) -> Option<f64>,
}

const MATRICES: [CoefficientMatrix; 4] = [
    CoefficientMatrix {
        title: "Weighted tau",
        meaning: "same order, the top above all (Vigna)",
        value: |pair| pair.weighted_tau,
    },
    CoefficientMatrix {
        title: "Kendall's tau-b",
        meaning: "same order, all pairs of nodes equally",
        value: |pair| pair.tau_b,
    },
    CoefficientMatrix {
        title: "Spearman's rho",
        meaning: "same ranks",
        value: |pair| pair.rho,
    },
    CoefficientMatrix {
        title: "Rank-biased overlap",
        meaning: "same first nodes, in expectation over ties",
        value: |pair| pair.rbo.map(|rbo| rbo.a),
    },
];

pub(super) fn section(comparisons: &Comparisons, names: &[String]) -> Markup {
    html! {
        h2 { "Agreement" }
        p {
            "1 is the same ranking, 0 no agreement, -1 the reverse. The stronger the colour, the "
            "stronger the agreement (blue) or the reversal (orange)."
        }
        div.row { @for matrix in &MATRICES { (figure(matrix, comparisons, names)) } }
    }
}

fn figure(matrix: &CoefficientMatrix, comparisons: &Comparisons, names: &[String]) -> Markup {
    let value = |a, b| comparisons.comparison(a, b).and_then(matrix.value);
    html! {
        figure.wide {
            figcaption { b { (matrix.title) } ": " (matrix.meaning) }
            table.matrix {
                thead {
                    tr {
                        td {}
                        @for name in names { th scope="col" { (name) } }
                    }
                }
                tbody {
                    @for (a, name) in names.iter().enumerate() {
                        tr {
                            th scope="row" { (name) }
                            @for b in 0..names.len() {
                                @if a == b { td.self { "1" } } @else { (entry(value(a, b))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A cell of the matrix, without a number if the coefficient is undefined.
fn entry(value: Option<f64>) -> Markup {
    let Some(value) = value else {
        return html! { td { "undefined" } };
    };
    // The square spreads values near 1, where most coefficients of real rankings lie.
    let percent = (100.0 * value * value).round();
    let end = if value < 0.0 { "differ" } else { "agree" };
    let paint = format!("background:color-mix(in srgb,var(--{end}) {percent}%,var(--panel))");
    html! { td.strong[percent > 60.0] style=(paint) { (format!("{value:.3}")) } }
}
