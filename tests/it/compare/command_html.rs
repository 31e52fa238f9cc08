//! `rank compare --html`: one complete file that fetches and runs nothing.

use tempfile::TempDir;
use webrank_testing::cli::*;

/// The page that compares tables of these scores of three nodes, one of them with an odd name.
fn page(tables: &[[f64; 3]]) -> String {
    page_of(["<script>alert(1)</script>", "a & \"\"b\"\"", "c"], tables)
}

/// [`page`] for nodes with these names.
fn page_of(names: [&str; 3], tables: &[[f64; 3]]) -> String {
    let folder = TempDir::new().unwrap();
    let mut arguments = vec!["compare".to_owned()];
    for (index, scores) in tables.iter().enumerate() {
        let path = folder.path().join(format!("table{index}.csv"));
        let rows = names.iter().zip(scores);
        let rows: String = rows
            .map(|(name, score)| format!("\"{name}\",{score}\n"))
            .collect();
        std::fs::write(&path, format!("name,score\n{rows}")).unwrap();
        arguments.push(text(&path).to_owned());
    }
    let html = folder.path().join("report.html");
    arguments.extend(["--html".to_owned(), text(&html).to_owned()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    rank(&arguments).assert().success();
    std::fs::read_to_string(html).unwrap()
}

#[test]
fn every_pair_has_its_plots() {
    let page = page(&[[0.5, 0.25, 2.5], [0.1, 7.5, 0.3], [10.0, 0.5, 0.25]]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for [x, y] in [[0, 1], [0, 2], [1, 2]] {
        assert!(page.contains(&format!("id=\"pair-{x}-{y}\"")));
    }
    // A distribution for each table; density, overlap and slopes for each pair.
    assert_eq!(page.matches("<svg").count(), 3 + 3 * 3);
    assert_eq!(page.matches("</svg>").count(), 12);
    assert!(page.contains("prefers-color-scheme:dark"));
}

#[test]
fn names_are_text() {
    let page = page(&[[0.5, 0.25, 2.5], [0.1, 7.5, 0.3]]);
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;"));
    assert!(page.contains("a &amp; "));
}

#[test]
fn nothing_is_fetched() {
    let page = page(&[[0.5, 0.25, 2.5], [0.1, 7.5, 0.3]]);
    let without_namespaces = page.replace("http://www.w3.org/2000/svg", "");
    for reference in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!without_namespaces.contains(reference), "{reference}");
    }
}

#[test]
fn tables_without_positive_scores_have_a_page_too() {
    let page = page(&[[0.0, -1.0, -2.0], [-0.5, -0.5, -0.5]]);
    assert!(page.contains("Comparison of table0, table1"));
}

/// Their ratios, and margins around them, are out of the range of doubles.
#[test]
fn scores_of_any_size_have_a_page() {
    let page = page(&[[1e200, 1e-200, 1.0], [1.7e308, 1e-320, -1e308]]);
    assert_eq!(page.matches("<svg").count(), 5);
    assert!(!page.contains("NaN"));
}

#[test]
fn names_that_would_act_are_spelled_out() {
    let names = ["\u{1b}]0;title\u{7}", "\u{9b}2J", "gpj\u{202e}exe"];
    let page = page_of(names, &[[0.5, 0.25, 2.5], [0.1, 7.5, 0.3]]);
    let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!page.contains(acts));
    // In the slopes and among the movers.
    assert!(page.matches("gpj\\u{202e}exe").count() >= 2);
}

/// 30 nodes by falling scores, and by other ones.
fn page_of_30(other: impl Fn(usize) -> usize) -> String {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let table = |score: &dyn Fn(usize) -> usize| {
        let rows = (0..30).map(|i| format!("node{i:02},{}\n", score(i)));
        format!("name,score\n{}", rows.collect::<String>())
    };
    std::fs::write(at("one.csv"), table(&|i| 1000 - i)).unwrap();
    std::fs::write(at("two.csv"), table(&other)).unwrap();
    let (one, two, html) = (at("one.csv"), at("two.csv"), at("c.html"));
    let arguments = ["compare", text(&one), text(&two), "--html", text(&html)];
    rank(&[&arguments[..], &["--movers", "0", "-q"]].concat())
        .assert()
        .success();
    std::fs::read_to_string(html).unwrap()
}

#[test]
fn the_first_25_change_places() {
    // The second half comes first.
    let page = page_of_30(|i| (i + 15) % 30 * 10 + 1);
    let slopes = page.split("<svg").last().unwrap();
    let place = |i: usize| slopes.matches(&format!("node{i:02}")).count();
    // In one, nodes 0 to 24; in two, the scores fall from node 14 to 0, then from 29 to 20.
    for i in 0..30 {
        let expected = usize::from(i < 25) + usize::from(i <= 14 || i >= 20);
        assert_eq!(place(i), expected, "node {i}");
    }
}

#[test]
fn heat_maps_hold_the_coefficients() {
    let folder = TempDir::new().unwrap();
    let names = ["one", "two", "three"];
    let scores = [[4, 3, 2, 1], [4, 3, 1, 2], [1, 2, 3, 4]];
    let paths = names.iter().zip(scores).map(|(name, scores)| {
        let path = folder.path().join(format!("{name}.csv"));
        let rows = scores
            .iter()
            .enumerate()
            .map(|(i, score)| format!("n{i},{score}.5\n"));
        std::fs::write(&path, format!("name,score\n{}", rows.collect::<String>())).unwrap();
        path
    });
    let paths: Vec<_> = paths.collect();
    let html = folder.path().join("c.html");
    let tables: Vec<&str> = paths.iter().map(|path| text(path)).collect();
    let run = [&["compare"], &tables[..], &["--html", text(&html), "-q"]].concat();
    rank(&run).assert().success();
    let page = std::fs::read_to_string(html).unwrap();
    let maps: Vec<&str> = page.split("<table class=\"matrix\">").skip(1).collect();
    assert_eq!(
        maps.len(),
        4,
        "weighted tau, tau-b, rho, rank-biased overlap"
    );
    for (map, [one_two, one_three]) in maps.into_iter().skip(1).zip([
        // Numbers 1 and 6 of 6 pairs are reversed; rho is 1 - 6 (0 + 0 + 1 + 1) / 60.
        ["0.667", "-1.000"],
        ["0.800", "-1.000"],
    ]) {
        let map = map.split("</table>").next().unwrap();
        assert_eq!(map.matches("<td class=\"self\">1</td>").count(), 3);
        assert_eq!(map.matches(&format!(">{one_two}</td>")).count(), 2, "{map}");
        assert_eq!(
            map.matches(&format!(">{one_three}</td>")).count(),
            2,
            "{map}"
        );
        // Colours are the squares of coefficients: how much they agree, or differ.
        let value: f64 = one_two.parse().unwrap();
        let colour = format!("var(--agree) {}%", (100.0 * value * value).round());
        assert!(map.contains("var(--differ) 100%"), "{map}");
        assert!(one_two == "0.667" || map.contains(&colour), "{map}");
    }
}
