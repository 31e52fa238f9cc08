//! `rank betweenness`.

use crate::support::cli::*;
use tempfile::TempDir;

#[test]
fn nodes_have_scores_and_ranks() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = stdout(&["betweenness", text(&bundle)]);
    // a -> b -> c -> a, c -> b, d -> a: through a d-b, d-c; through b a-c, d-c; through c b-a.
    let expected = "node,name,score,rank\n0,a,2.0,1\n1,b,2.0,1\n2,c,1.0,3\n3,d,0.0,4\n";
    assert_eq!(table, expected);
    let normalized = stdout(&["betweenness", text(&bundle), "--normalize", "--top", "1"]);
    assert!(
        normalized.contains("0,a,0.3333333333333333,1"),
        "{normalized}"
    );
    let with_ends = stdout(&["betweenness", text(&bundle), "--endpoints"]);
    // d reaches three nodes; a reaches two and is reached by three.
    assert!(with_ends.contains("0,a,7.0,1"), "{with_ends}");
    assert!(with_ends.contains("3,d,3.0,4"), "{with_ends}");
}

#[test]
fn arcs_have_scores_and_the_names_of_their_ends() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = stdout(&["betweenness", text(&bundle), "--arcs"]);
    let expected = "source,target,source_name,target_name,score\n\
                    0,1,a,b,4.0\n1,2,b,c,4.0\n2,0,c,a,2.0\n2,1,c,b,1.0\n3,0,d,a,3.0\n";
    assert_eq!(table, expected);
    let best = stdout(&[
        "betweenness",
        text(&bundle),
        "--arcs",
        "--top",
        "2",
        "--sort",
        "score",
    ]);
    assert_eq!(best.lines().nth(2).unwrap(), "1,2,b,c,4.0");
    let output = folder.path().join("arcs.csv.gz");
    let arguments = ["betweenness", text(&bundle), "--arcs", "-o", text(&output)];
    rank(&arguments).assert().success();
    let manifest = std::fs::read_to_string(folder.path().join("arcs.csv.gz.json")).unwrap();
    assert!(manifest.contains("arc-betweenness"), "{manifest}");
}

#[test]
fn above_the_time_budget_it_stops_or_samples() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    let debian = ["betweenness", DEBIAN, "--time-budget", "0s"];
    let message = failure(&[&debian[..], &["-o", text(&table)]].concat(), 1);
    assert!(
        message.contains("more than the time budget of 0 s"),
        "{message}"
    );
    assert!(message.contains("--method"), "{message}");
    assert!(files(folder.path()).is_empty());
    let sampled = [
        "--method",
        "auto",
        "--epsilon",
        "0.1",
        "-q",
        "-o",
        text(&table),
    ];
    rank(&[&debian[..], &sampled].concat()).assert().success();
    let manifest = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    assert!(manifest.contains("sampled_paths"), "{manifest}");
    assert!(manifest.contains("these are estimates"), "{manifest}");
}

#[test]
fn samples_are_fixed_by_their_seed() {
    let sample = |seed| {
        let options = ["--method", "sources", "--samples", "30", "--seed", seed];
        stdout(&[&["betweenness", DEBIAN, "--top", "50"][..], &options].concat())
    };
    assert_eq!(sample("1"), sample("1"));
    assert_ne!(sample("1"), sample("2"));
}

#[test]
fn arguments_without_meaning_are_refused() {
    let arguments = ["betweenness", DEBIAN, "--method", "sources"];
    let message = failure(&[&arguments[..], &["--arcs"]].concat(), 2);
    assert!(message.contains("always exact"), "{message}");
    let message = failure(&[&arguments[..], &["--samples", "0"]].concat(), 2);
    assert!(message.contains("at least 1"), "{message}");
}

#[test]
fn approximations_have_bounds() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let approx = ["betweenness", text(&bundle), "--method", "approx"];
    let table = stdout(&[&approx[..], &["--epsilon", "0.2"]].concat());
    assert!(
        table.starts_with("node,name,score,lower,upper,rank\n0,a,"),
        "{table}"
    );
    assert!(table.ends_with("\n3,d,0.0,0.0,0.0,4\n"), "{table}");
    let best = stdout(&[&approx[..], &["--epsilon", "0.2", "--top", "1"]].concat());
    assert!(
        best.starts_with("node,name,score,lower,upper,rank,certain\n"),
        "{best}"
    );
    assert_eq!(best.lines().count(), 2);
    for (wrong, says) in [
        (&["--epsilon", "0"][..], "--epsilon"),
        (&["--delta", "1"], "--delta"),
        (&["--epsilon", "1e-300"], "--epsilon"),
        (&["--epsilon", "1e-9"], "--epsilon"),
        (&["--endpoints"], "endpoints"),
        (&["--arcs"], "always exact"),
    ] {
        let message = failure(&[&approx[..], wrong].concat(), 2);
        assert!(message.contains(says), "{message}");
    }
}
