//! Lengths from files and weights, and what is refused.

use std::fs;
use webrank_base::error::Result;
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::integration::Integration;
use webrank_graph::Graph;
use webrank_lengths::{Cutoff, LengthRanking, LengthSource};
use webrank_measure::Measure;
use webrank_tables::text::names::Names;

/// a -> b -> c, a -> c.
fn graph() -> Graph {
    let graph = Graph::from_arcs(3, [(0, 1), (0, 2), (1, 2)]).unwrap();
    graph.with_names(Names::from_text("a\nb\nc\n")).unwrap()
}

fn closeness(graph: &Graph, lengths: LengthSource) -> Result<Vec<f64>> {
    let ranking = LengthRanking::of(Geometric::of(Closeness::default()), lengths);
    Ok(ranking.run(graph)?.values().to_vec())
}

fn of_file(name: &str, bytes: impl AsRef<[u8]>) -> Result<Vec<f64>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    closeness(&graph(), LengthSource::File(path))
}

#[test]
fn lengths_of_every_source_are_the_same() {
    let expected = [0.0, 10.0, 2.0];
    let text = "source,target,length\nb,c,0.2\na,b,0.1\na,c,.3000\n";
    assert_eq!(of_file("lengths.csv", text).unwrap(), expected);
    let doubles = [0.1, 0.3, 0.2f64].map(f64::to_le_bytes).concat();
    assert_eq!(of_file("lengths.f64", doubles).unwrap(), expected);
    let singles = [0.1, 0.3, 0.2f32].map(f32::to_le_bytes).concat();
    assert_eq!(of_file("lengths.f32", singles).unwrap(), expected);
    let weighted = graph().with_arc_weights(vec![0.1, 0.3, 0.2]).unwrap();
    assert_eq!(
        closeness(&weighted, LengthSource::Weights).unwrap(),
        expected
    );
    // 1/0.1 = 10, 1/0.3 = 3.33..., 1/0.2 = 5.
    let inverse = closeness(&weighted, LengthSource::Inverse).unwrap();
    assert_eq!(inverse, [0.0, 0.1, 1.0 / (5.0 + 10.0 / 3.0)]);
}

#[test]
fn inverses_are_exact_fractions() {
    // 1/6 + 1/3 = 1/2: two ways tie.
    let graph = Graph::from_arcs(3, [(0, 1), (0, 2), (1, 2)]).unwrap();
    let graph = graph.with_arc_weights(vec![6.0, 2.0, 3.0]).unwrap();
    let ranking = webrank_lengths::LengthBetweenness {
        of: Default::default(),
        lengths: LengthSource::Inverse,
        cutoff: None,
    };
    assert_eq!(ranking.run(&graph).unwrap().values(), [0.0, 0.5, 0.0]);
}

#[test]
fn inverses_without_a_small_multiple_are_doubles_with_a_note() {
    let n = 100u32;
    let graph = Graph::from_arcs(n as usize, (1..n).map(|x| (x - 1, x))).unwrap();
    let weights = (1..n).map(|x| 1.0 + f64::from(x * x) / 9973.0);
    let graph = graph.with_arc_weights(weights.collect()).unwrap();
    let ranking = LengthRanking::of(Geometric::of(Closeness::default()), LengthSource::Inverse);
    let ranked = ranking.run(&graph).unwrap();
    assert!(
        ranked.notes()[0].contains("nearest to the inverses"),
        "{:?}",
        ranked.notes()
    );
    let first = 1.0 + 1.0 / 9973.0;
    assert!((ranked.values()[1] - first).abs() < 1e-14);
}

#[test]
fn what_is_no_length_is_refused() {
    for (name, bytes, words) in [
        (
            "a.csv",
            "a,b,1\na,c,0\nb,c,0\n",
            "2 of the 3 arcs of the graph have the length 0",
        ),
        (
            "a.csv",
            "a,b,1\na,c,2\n",
            "1 of the 3 arcs of the graph have no length",
        ),
        (
            "a.csv",
            "a,b,1\na,b,2\n",
            "line 2: the arc already has a length",
        ),
        (
            "a.csv",
            "a,b,-1\n",
            "line 1: '-1' is not a positive decimal number",
        ),
        (
            "a.csv",
            "a,b,nan\n",
            "line 1: 'nan' is not a positive decimal number",
        ),
        ("a.csv", "b,a,1\n", "no arc b -> a"),
        (
            "a.csv",
            "a,b,1\na,c,1e-1500\nb,c,1e1500\n",
            "more than 10^2400 times",
        ),
        ("a.f64", "12345678", "8 bytes, but 24 are needed"),
    ] {
        let problem = of_file(name, bytes).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    }
    for (values, words) in [
        (vec![1.0, -2.0, 3.0], "the arc a -> c has the length -2"),
        (
            vec![1.0, 2.0, f64::NAN],
            "the arc b -> c has the length NaN",
        ),
        (
            vec![f64::INFINITY, 2.0, 1.0],
            "the arc a -> b has the length inf",
        ),
        (vec![0.0, 2.0, 0.0], "2 of 3 arcs have the length 0"),
        (vec![1.0, 2.0], "the graph has 3 arcs"),
    ] {
        let lengths = LengthSource::Values(values.into());
        let problem = closeness(&graph(), lengths).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    }
    let problem = closeness(&graph(), LengthSource::Weights)
        .unwrap_err()
        .to_string();
    assert!(problem.contains("the graph has no weights"), "{problem}");
    for text in [
        "0",
        "-1",
        "nan",
        "inf",
        "",
        "1e400",
        "x",
        "0.1000000000000000001",
    ] {
        assert!(text.parse::<Cutoff>().is_err(), "{text}");
    }
}

/// 0 - 1 - 2 - 0 in both directions.
fn undirected(text: &str) -> Result<(Vec<f64>, String)> {
    let arcs = [(0, 1), (1, 2), (0, 2)];
    let graph = Graph::from_arcs(3, arcs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lengths.csv");
    fs::write(&path, text).unwrap();
    let closeness = Geometric::of(Closeness::default());
    let ranked = LengthRanking::of(closeness, LengthSource::File(path)).run(&graph.unwrap())?;
    Ok((ranked.values().to_vec(), ranked.notes().join("; ")))
}

#[test]
fn a_line_for_one_direction_does_for_both() {
    let expected = [0.25, 0.25, 0.25];
    for (text, filled) in [
        ("0,1,2\n2,1,2.0\n0,2,2\n", 3),
        ("0,1,2\n2,1,2\n0,2,2\n1,2,2.00\n", 2),
        ("0,1,2\n2,1,2\n0,2,2\n1,2,2\n1,0,2\n2,0,2\n", 0),
    ] {
        let (found, notes) = undirected(text).unwrap();
        assert_eq!(found, expected);
        let words = format!("{filled} arcs are as long as their reverse");
        assert_eq!(notes.contains(&words), filled > 0, "{notes}");
    }
    // With a line for each arc, directions may differ.
    let (found, _) = undirected("0,1,1\n1,0,3\n1,2,2\n2,1,2\n0,2,2\n2,0,2\n").unwrap();
    assert_eq!(found, [0.2, 1.0 / 3.0, 0.25]);
    let problem = undirected("0,1,1\n1,0,3\n1,2,2\n0,2,2\n")
        .unwrap_err()
        .to_string();
    assert!(
        problem.contains("node 0 -> node 1 have different lengths"),
        "{problem}"
    );
    let problem = undirected("0,1,1\n1,2,2\n").unwrap_err().to_string();
    assert!(
        problem.contains("2 of the 6 arcs of the graph have no length"),
        "{problem}"
    );
}

#[test]
fn lengths_beyond_doubles_are_refused_where_they_are_added() {
    for (text, words) in [
        ("a,b,1e400\na,c,2e400\nb,c,3e400\n", "is too long"),
        ("a,b,1e307\na,c,1e307\nb,c,1e308\n", "is too long"),
        ("a,b,1e-400\na,c,2e-400\nb,c,3e-400\n", "is too short"),
        ("a,b,1e-320\na,c,1\nb,c,1\n", "is too short"),
    ] {
        let problem = of_file("a.csv", text).unwrap_err().to_string();
        assert!(
            problem.contains(words) && problem.contains("multiply all lengths"),
            "{problem}"
        );
    }
    // Betweenness has no distances in its scores.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lengths.csv");
    fs::write(&path, "a,b,1e400\na,c,3e400\nb,c,2e400\n").unwrap();
    let betweenness = webrank_lengths::LengthBetweenness {
        of: Default::default(),
        lengths: LengthSource::File(path),
        cutoff: None,
    };
    assert_eq!(betweenness.run(&graph()).unwrap().values(), [0.0, 0.5, 0.0]);
}

#[test]
fn differences_of_numbers_that_are_far_apart_are_refused() {
    let lengths = LengthSource::Values([1e-300, 1e300, 1.0].into());
    let ranking = LengthRanking::of(Geometric::of(Integration), lengths);
    let problem = ranking.run(&graph()).err().unwrap().to_string();
    assert!(
        problem.contains("differences of their sums are not exact"),
        "{problem}"
    );
}
