//! The page around the plots: headings, tables, words.

use super::{ComparisonPage, density, overlap, palette, slope, tail};
use crate::compare::comparisons::Comparison;
use crate::compare::{Comparisons, Mover};
use crate::error::Result;
use crate::scores::keys::Keys;
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
/// The matrices: coefficient, name, what it is.
const MATRICES: [(&str, &str, &str); 4] = [
    (
        "weighted_tau",
        "Weighted tau",
        "same order, the top above all (Vigna)",
    ),
    (
        "tau_b",
        "Kendall's tau-b",
        "same order, all pairs of nodes alike",
    ),
    ("rho", "Spearman's rho", "same ranks"),
    (
        "rbo_a",
        "Rank-biased overlap",
        "same first nodes, in expectation over ties",
    ),
];
/// Pairs of rankings up to which all are unfolded.
const UNFOLDED: usize = 6;

/// Strings grow: writing to one cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { write!($out, $($arg)*).expect("strings grow") };
}

pub(super) fn page(report: &ComparisonPage) -> Result<String> {
    let mut out = String::new();
    let names = names(report.table);
    let title = format!("Comparison of {}", names.join(", "));
    put!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none';style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        palette::rules()
    );
    put!(
        out,
        "<p class=\"muted\">{} nodes in common. Larger scores rank first; nodes with equal scores \
         share a rank. Made by webrank {}.</p>\n",
        grouped(report.table.rows),
        env!("CARGO_PKG_VERSION")
    );
    for note in report.notes {
        put!(out, "<p>{}</p>\n", escaped(note));
    }
    put_contents(&mut out, report.table, &names);
    put_matrices(&mut out, report.table, &names);
    put_scores(&mut out, report, &names)?;
    let unfolded = report.table.comparisons.len() <= UNFOLDED;
    for pair in &report.table.comparisons {
        put_pair(&mut out, report, pair, &names, unfolded)?;
    }
    out.push_str("</body>\n</html>\n");
    Ok(out)
}

fn names(table: &Comparisons) -> Vec<String> {
    let columns = table.columns.iter();
    columns.map(|column| escaped(&column.name)).collect()
}

fn put_contents(out: &mut String, table: &Comparisons, names: &[String]) {
    if table.comparisons.len() < 2 {
        return;
    }
    out.push_str("<nav><ul>\n");
    for pair in &table.comparisons {
        let (x, y) = (pair.x, pair.y);
        put!(
            out,
            "<li><a href=\"#pair-{x}-{y}\">{} and {}</a></li>\n",
            names[x],
            names[y]
        );
    }
    out.push_str("</ul></nav>\n");
}

fn put_matrices(out: &mut String, table: &Comparisons, names: &[String]) {
    out.push_str(
        "<h2>Agreement</h2>\n<p>1 is the same ranking, 0 none in common, -1 the reverse. The \
         stronger the colour the stronger the agreement (blue) or the reversal (orange).</p>\n\
         <div class=\"row\">\n",
    );
    for (coefficient, title, meaning) in MATRICES {
        put!(
            out,
            "<figure class=\"wide\"><figcaption><b>{title}</b>: {meaning}</figcaption>\n\
             <table class=\"matrix\"><thead><tr><td></td>"
        );
        for name in names {
            put!(out, "<th scope=\"col\">{name}</th>");
        }
        out.push_str("</tr></thead><tbody>\n");
        for (a, name) in names.iter().enumerate() {
            put!(out, "<tr><th scope=\"row\">{name}</th>");
            for b in 0..names.len() {
                put_entry(out, (a != b).then(|| value(table, a, b, coefficient)));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></figure>\n");
    }
    out.push_str("</div>\n");
}

fn value(table: &Comparisons, a: usize, b: usize, coefficient: &str) -> Option<f64> {
    let mut scalars = table.comparison(a, b)?.scalars().into_iter();
    scalars.find(|(name, _)| name == coefficient)?.1
}

/// An entry of a matrix: none on the diagonal, none inside where undefined.
fn put_entry(out: &mut String, entry: Option<Option<f64>>) {
    match entry {
        None => out.push_str("<td class=\"self\">1</td>"),
        Some(None) => out.push_str("<td>undefined</td>"),
        Some(Some(value)) => {
            // The square spreads the values near 1, where most coefficients of real rankings lie.
            let percent = (100.0 * value * value).round();
            let end = if value < 0.0 { "differ" } else { "agree" };
            let strong = if percent > 60.0 {
                " class=\"strong\""
            } else {
                ""
            };
            put!(
                out,
                "<td{strong} style=\"background:color-mix(in srgb,var(--{end}) {percent}%,\
                 var(--panel))\">{value:.3}</td>"
            );
        }
    }
}

fn put_scores(out: &mut String, report: &ComparisonPage, names: &[String]) -> Result<()> {
    out.push_str(
        "<h2>Scores</h2>\n<p>How many nodes have a score of at least s: a straight line is a power \
         law, a cliff means that scores are alike. Both axes are logarithmic.</p>\n\
         <div class=\"row\">\n",
    );
    for (index, column) in report.columns.iter().enumerate() {
        let summary = &report.table.columns[index];
        put!(
            out,
            "<figure><figcaption><b>{}</b>: {} different scores</figcaption>\n",
            names[index],
            grouped(summary.distinct)
        );
        match tail::draw(column.scores, &report.rankings[index])? {
            Some(plot) => out.push_str(&labelled(&plot, &format!("scores of {}", names[index]))),
            None => out.push_str("<p>No score is positive.</p>\n"),
        }
        let dropped = column.scores.iter().filter(|&&score| score <= 0.0).count();
        if dropped > 0 {
            let dropped = grouped(dropped as u64);
            put!(
                out,
                "<figcaption>{dropped} scores of 0 or less are not shown</figcaption>\n"
            );
        }
        out.push_str("</figure>\n");
    }
    out.push_str("</div>\n");
    Ok(())
}

fn put_pair(
    out: &mut String,
    report: &ComparisonPage,
    pair: &Comparison,
    names: &[String],
    unfolded: bool,
) -> Result<()> {
    let (x, y) = (&report.rankings[pair.x], &report.rankings[pair.y]);
    let (name_x, name_y) = (&names[pair.x], &names[pair.y]);
    // Plots escape what they are given.
    let raw = [pair.x, pair.y].map(|i| report.table.columns[i].name.as_str());
    let open = if unfolded { " open" } else { "" };
    put!(
        out,
        "<h2 id=\"pair-{}-{}\">{name_x} and {name_y}</h2>\n<details{open}><summary>coefficients, \
         plots, climbers and fallers</summary>\n<div class=\"row\">\n",
        pair.x,
        pair.y
    );
    put!(
        out,
        "<figure><figcaption><b>Rank against rank</b>: 1 is best; nodes on the diagonal rank \
         alike</figcaption>\n{}</figure>\n",
        labelled(
            &density::draw(x, y, raw)?,
            &format!("ranks in {name_x} and {name_y}")
        )
    );
    put!(
        out,
        "<figure><figcaption><b>Overlap</b>: the share of the first k of both that is the same; \
         dashed: at random</figcaption>\n{}</figure>\n",
        labelled(
            &overlap::draw(x, y)?,
            &format!("overlap of {name_x} and {name_y}")
        )
    );
    put!(
        out,
        "<figure><figcaption><b>The first {}</b>: blue ranks better in {name_y}, orange worse; \
         thin lines leave the list</figcaption>\n{}</figure>\n",
        slope::SHOWN.min(x.len()),
        labelled(
            &slope::draw(x, y, raw, report.keys)?,
            &format!("the first nodes of {name_x} and {name_y}")
        )
    );
    let movers = &pair.movers;
    put_movers(
        out,
        report.keys,
        (&movers.climbers, "Climbers", "up"),
        [name_x, name_y],
    );
    put_movers(
        out,
        report.keys,
        (&movers.fallers, "Fallers", "down"),
        [name_x, name_y],
    );
    put_coefficients(out, pair);
    out.push_str("</div></details>\n");
    Ok(())
}

fn put_movers(
    out: &mut String,
    keys: &Keys,
    (movers, title, class): (&[Mover], &str, &str),
    [x, y]: [&str; 2],
) {
    put!(
        out,
        "<figure class=\"wide\"><figcaption><b>{title}</b> from {x} to {y}; ties rank in their \
         middle</figcaption>\n<table><thead><tr><th>node</th><th class=\"n\">{x}</th>\
         <th class=\"n\">{y}</th><th class=\"n\">places</th></tr></thead><tbody>\n"
    );
    for mover in movers {
        put!(
            out,
            "<tr><td class=\"key\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n {class}\">{:+}</td></tr>\n",
            escaped(keys.get(mover.node as usize)),
            mover.rank_x,
            mover.rank_y,
            mover.rank_x - mover.rank_y
        );
    }
    out.push_str("</tbody></table></figure>\n");
}

fn put_coefficients(out: &mut String, pair: &Comparison) {
    out.push_str(
        "<figure class=\"wide\"><figcaption><b>All coefficients</b></figcaption>\n<table><tbody>\n",
    );
    for (name, value) in pair.scalars() {
        let value = match value {
            None => "undefined".to_owned(),
            Some(value) if value != 0.0 && value.abs() < 1e-4 => format!("{value:.3e}"),
            // How many of the first are in common.
            Some(count) if name.starts_with("overlap_") => format!("{count}"),
            Some(value) => format!("{value:.6}"),
        };
        let meaning = meaning(&name);
        put!(
            out,
            "<tr><td>{meaning}</td><td class=\"n\">{value}</td></tr>\n"
        );
    }
    out.push_str("</tbody></table></figure>\n");
}

/// A coefficient in words.
fn meaning(name: &str) -> String {
    let known = match name {
        "tau_b" => "Kendall's tau-b",
        "weighted_tau" => "Vigna's weighted tau",
        "rho" => "Spearman's rho",
        "pearson_log" => "Pearson on logarithms of scores",
        "gamma" => "Goodman and Kruskal's gamma",
        "ap_x_is_truth" => "AP correlation, the first is the truth",
        "ap_y_is_truth" => "AP correlation, the second is the truth",
        "ap_symmetric" => "AP correlation, symmetric",
        "rbo_w" => "Rank-biased overlap, ties as one rank",
        "rbo_a" => "Rank-biased overlap, expectation over ties",
        "rbo_b" => "Rank-biased overlap, corrected for ties",
        "l1" => "l1 distance of normalised scores",
        "l_infinity" => "l-infinity distance of normalised scores",
        "certified_tau_b" => "tau-b, what error bounds leave undecided as ties",
        "certified_gamma" => "gamma of pairs that error bounds decide",
        "undecided_share" => "share of pairs that error bounds leave undecided",
        other => {
            return match (
                other.strip_prefix("overlap_"),
                other.strip_prefix("jaccard_"),
            ) {
                (Some(k), _) => format!("the first {k} in common"),
                (_, Some(k)) => format!("Jaccard coefficient of the first {k}"),
                _ => other.to_owned(),
            };
        }
    };
    known.to_owned()
}

/// A plot that says to those who cannot see it what it shows.
fn labelled(svg: &str, label: &str) -> String {
    svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{label}\" "),
        1,
    )
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
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
