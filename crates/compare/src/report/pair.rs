//! The section of two rankings: their plots, who moves, all coefficients.

use super::page::plotted;
use super::{ComparisonPage, density, overlap, slope};
use crate::{Comparison, Mover};
use maud::{Markup, html};
use webrank_base::error::Result;
use webrank_base::visible::visible;
use webrank_tables::keys::Keys;

/// `names` are those of all columns, safe to show.
pub(super) fn section(
    page: &ComparisonPage,
    pair: &Comparison,
    names: &[String],
    is_open: bool,
) -> Result<Markup> {
    let [x, y] = [pair.x, pair.y].map(|i| &page.rankings[i]);
    let both = [pair.x, pair.y].map(|i| names[i].as_str());
    let [name_x, name_y] = both;
    let ranks = density::draw(x, y, both)?;
    let shares = overlap::draw(x, y)?;
    let first = slope::draw(x, y, both, page.keys)?;
    Ok(html! {
        h2 id={ "pair-" (pair.x) "-" (pair.y) } { (name_x) " and " (name_y) }
        details open[is_open] {
            summary { "coefficients, plots, climbers and fallers" }
            div.row {
                figure {
                    figcaption {
                        b { "Rank against rank" } ": 1 is best; nodes on the diagonal have equal ranks"
                    }
                    (plotted(ranks, &format!("ranks in {name_x} and {name_y}")))
                }
                figure {
                    figcaption {
                        b { "Overlap" }
                        ": the share of the first k that both have in common; dashed: at random"
                    }
                    (plotted(shares, &format!("overlap of {name_x} and {name_y}")))
                }
                figure.long {
                    figcaption {
                        b { "The first " (slope::SHOWN.min(x.len())) }
                        ": blue ranks better in " (name_y) ", orange worse; thin lines leave the list"
                    }
                    (plotted(first, &format!("the first nodes of {name_x} and {name_y}")))
                }
                (movers("Climbers", "up", &pair.movers.climbers, both, page.keys))
                (movers("Fallers", "down", &pair.movers.fallers, both, page.keys))
                (coefficients(pair))
            }
        }
    })
}

fn movers(title: &str, class: &str, movers: &[Mover], [x, y]: [&str; 2], keys: &Keys) -> Markup {
    html! {
        figure.wide {
            figcaption { b { (title) } " from " (x) " to " (y) "; ties share their average rank" }
            table {
                thead {
                    tr { th { "node" } th.n { (x) } th.n { (y) } th.n { "places" } }
                }
                tbody {
                    @for mover in movers {
                        tr {
                            td.key { (visible(keys.get(mover.node as usize))) }
                            td.n { (mover.rank_x) }
                            td.n { (mover.rank_y) }
                            td.n.(class) { (format!("{:+}", mover.rank_x - mover.rank_y)) }
                        }
                    }
                }
            }
        }
    }
}

fn coefficients(pair: &Comparison) -> Markup {
    html! {
        figure.wide {
            figcaption { b { "All coefficients" } }
            table {
                tbody {
                    @for scalar in pair.scalars() {
                        tr {
                            td { (scalar.meaning) }
                            td.n { (scalar.text().unwrap_or_else(|| "undefined".into())) }
                        }
                    }
                }
            }
        }
    }
}
