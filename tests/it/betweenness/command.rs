//! `rank betweenness`.

use tempfile::TempDir;
use webrank_testing::cli::*;

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
fn sources_are_given_by_name_or_in_a_file() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let file = folder.path().join("sources.txt");
    std::fs::write(&file, "d\n0\n").unwrap();
    let sources = ["betweenness", text(&bundle), "--method", "sources"];
    let named = stdout(&[&sources[..], &["--sources", "a,d"]].concat());
    // d reaches b and c through a, and both reach c through b: twice, for two of four nodes.
    let expected = "node,name,score,rank\n0,a,4.0,1\n1,b,4.0,1\n2,c,0.0,3\n3,d,0.0,3\n";
    assert_eq!(named, expected);
    let from_file = [&sources[..], &["--sources-file", text(&file)]].concat();
    assert_eq!(stdout(&from_file), expected);
    // With ends, the paths from the sources alone count: d is the first node of three, a of two.
    let with_ends = stdout(&[&from_file[..], &["--endpoints"]].concat());
    assert!(with_ends.contains("\n3,d,6.0,"), "{with_ends}");
    assert!(with_ends.contains("\n0,a,10.0,1"), "{with_ends}");
    let table = folder.path().join("t.csv");
    let output = ["--normalize", "-o", text(&table)];
    rank(&[&from_file[..], &output].concat()).assert().success();
    let manifest = std::fs::read_to_string(folder.path().join("t.csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let column = &manifest["columns"]["score"];
    assert_eq!(column["parameters"]["sources"], 2);
    assert_eq!(column["outcome"]["kind"], "from_sources");
    let inputs = manifest["inputs"].as_object().unwrap();
    assert!(inputs.contains_key(text(&file)), "{manifest:#}");
    let exact = ["betweenness", text(&bundle), "--sources", "a"];
    let message = failure(&exact, 2);
    assert!(
        message.contains("--method is exact: with given sources"),
        "{message}"
    );
    for (wrong, says) in [
        (
            &["--sources", "a,x"][..],
            "--sources is 'x': no node has this name",
        ),
        (&["--sources", "a,0"], "name each source once"),
    ] {
        let message = failure(&[&sources[..], wrong].concat(), 2);
        assert!(message.contains(says), "{message}");
    }
    for other in [
        &["--samples", "3"][..],
        &["--seed", "3"],
        &["--sources-file", "x"],
        &["--arcs"],
    ] {
        let both = [&sources[..], &["--sources", "a"], other].concat();
        let (code, _, problem) = run_in(".".as_ref(), &both);
        assert_eq!(code, Some(2), "{problem}");
        assert!(problem.contains("cannot be used with"), "{problem}");
    }
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
        table.starts_with("node,name,score,lower,upper,rank,rank_from,rank_to\n0,a,"),
        "{table}"
    );
    assert!(table.ends_with("\n3,d,0.0,0.0,0.0,4,4,4\n"), "{table}");
    let best = stdout(&[&approx[..], &["--epsilon", "0.2", "--top", "1"]].concat());
    assert!(
        best.starts_with("node,name,score,lower,upper,rank,rank_from,rank_to,certain\n"),
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
