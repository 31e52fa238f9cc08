//! Measures of rankings in files, against trec_eval (`tests/fixtures/make_trec_runs.py`).

use serde_json::Value;
use std::fs;
use tempfile::TempDir;
use webrank_testing::cli::*;

const RUN: &str = webrank_testing::at!("tests/fixtures/trec/run.txt");
const QRELS: &str = webrank_testing::at!("tests/fixtures/trec/qrels.txt");

fn json_of(options: &[&str]) -> Value {
    let from = ["evaluate", "--run", RUN, "--judgements", QRELS, "--json"];
    serde_json::from_str(&stdout(&[&from[..], options].concat())).unwrap()
}

/// To the digits that trec_eval prints, and nearly to all of a 64-bit number.
fn compare(found: &Value, expected: &Value, what: &str) {
    let [found, expected] = [found, expected].map(|values| values.as_object().unwrap());
    assert_eq!(found.len(), expected.len(), "{what}");
    for (name, expected) in expected {
        let [found, expected] = [&found[name], expected].map(|value| value.as_f64().unwrap());
        assert!(
            (found - expected).abs() < 1e-11,
            "{what} {name}: {found}, not {expected}"
        );
        assert_eq!(
            format!("{found:.4}"),
            format!("{expected:.4}"),
            "{what} {name}"
        );
    }
}

#[test]
fn measures_of_a_run_are_those_of_trec_eval() {
    let path = webrank_testing::at!("tests/fixtures/trec/values.json");
    let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(cases.len(), 4);
    for case in &cases {
        let options: Vec<&str> = case["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it.as_str().unwrap())
            .collect();
        let found = json_of(&[&options[..], &["--measures", "all", "--each-query"]].concat());
        compare(&found["measures"], &case["all"], "all");
        let each = case["each"].as_object().unwrap();
        assert_eq!(found["each_query"].as_object().unwrap().len(), each.len());
        for (query, expected) in each {
            compare(&found["each_query"][query], expected, query);
        }
    }
}

/// Two relevant pages of three, at ranks 1 and 4; the page whose name is last is first of equal scores.
#[test]
fn a_ranking_by_hand() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let run = at(
        "run.txt",
        // A mark of the order of bytes is no part of a name.
        "\u{feff}q Q0 a 9 2 x\nq Q0 d 9 2 x\nq Q0 c 9 2 x y\n\nq Q0 b 9 1.5 x\nother Q0 a 1 1 x\n",
    );
    let qrels = at("qrels.txt", "q 0 d 1\nq 0 b 2\nq 0 z 1\nq 0 a 0\n");
    let from = ["evaluate", "--run", &run, "--judgements", &qrels];
    let measures = [
        "--measures",
        "map,P_4,recall_1,bpref,num_ret,iprec_at_recall_0.5,ndcg_cut_1",
    ];
    let table = stdout(&[&from[..], &measures].concat());
    let expected = [
        "query,measure,value",
        "all,map,0.5",
        "all,P_4,0.5",
        "all,recall_1,0.3333333333333333",
        // One page that is not relevant stands before `b`, and it is the only one.
        "all,bpref,0.3333333333333333",
        "all,num_ret,4.0",
        "all,iprec_at_recall_0.50,0.5",
        "all,ndcg_cut_1,0.5",
    ];
    assert_eq!(table.lines().collect::<Vec<_>>(), expected);
    let table = stdout(
        &[
            &from[..],
            &["--measures", "map,gm_map,num_q", "--each-query"],
        ]
        .concat(),
    );
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "q,map,0.5",
            "all,map,0.5",
            "all,gm_map,0.5",
            "all,num_q,1.0"
        ]
    );
    // A table of a run is made again.
    let output = folder.path().join("e.csv");
    stdout(&[&from[..], &["-o", text(&output)]].concat());
    let again = |path: &str| run_in(folder.path(), &["rerun", path]);
    let (code, said, problem) = again("e.csv.json");
    assert_eq!(code, Some(0), "{problem}");
    assert!(said.contains("the same bits again"), "{said}");
    at("run.txt", "q Q0 a 9 2 x\n");
    let (code, _, problem) = again("e.csv.json");
    assert!(
        code == Some(1) && problem.contains("run.txt: is not what"),
        "{problem}"
    );
}

#[test]
fn wrong_runs_are_one_line() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (good, judged) = ("q Q0 a 1 2 x\n", "q 0 a 1\n");
    for (run, qrels, word) in [
        (
            "q Q0 a 1 2\n",
            judged,
            "run.txt, line 1: has not six fields",
        ),
        (
            "\nq Q0 a 1 two x\n",
            judged,
            "run.txt, line 2: score two is not a number; give one",
        ),
        (
            "q Q0 a 1 nan x\n",
            judged,
            "run.txt, line 1: score nan is not a number; give one",
        ),
        (
            "q Q0 a 1 2 x\nq Q0 b 1 2 x\nq Q0 a 1 1 x\n",
            judged,
            "run.txt, line 3: page a is in line 1",
        ),
        (
            "r Q0 a 1 2 x\n",
            judged,
            "qrels.txt judges none of its queries; give",
        ),
        ("", judged, "judges none of its queries"),
        (good, "q 0 a\n", "qrels.txt, line 1: has not four fields"),
        (good, "q 0 a 1.5\n", "grade 1.5 is not a whole number"),
        (
            good,
            "q 0 a 99999999999\n",
            "is not a whole number up to 4294967296; give one",
        ),
        (
            good,
            "q 0 a 1\nq 0 a 0\n",
            "qrels.txt, line 2: page a was judged",
        ),
    ] {
        let [run, qrels] = [at("run.txt", run), at("qrels.txt", qrels)];
        let problem = failure(&["evaluate", "--run", &run, "--judgements", &qrels], 1);
        assert!(problem.replace('\'', "").contains(word), "{problem}");
    }
    let [run, qrels] = [at("run.txt", good), at("qrels.txt", judged)];
    let from = ["evaluate", "--run", &run, "--judgements", &qrels];
    for (more, word) in [
        (&["--measures", "mapp"][..], "--measures is mapp"),
        (
            &["--measures", "P_0,foo"],
            "--measures is P_0: the cutoff must be at least 1",
        ),
        (&["--measures", "map_0"], "success, set_P"),
        (&["--measures", "iprec_at_recall_2"], "--measures is"),
        (&["--depth", "0"], "--depth is 0"),
        (&["--least-grade", "0"], "--least-grade"),
        (&["--known-items", "titles"], "--judgements"),
        (
            &["--static", "s.csv"],
            "--static is given: it needs an INDEX",
        ),
        (&["--seed", "3"], "--seed is given: it needs an INDEX"),
        (
            &["--k1", "2"],
            "--k1 is given: it needs an INDEX; leave it out",
        ),
        (&["--fields", "body=1"], "--fields is given"),
        (&["--tune"], "--tune"),
        (&["--sample", "3"], "--sample is given: it needs an INDEX"),
        (&["--qrels", "q.txt"], "--qrels is given"),
    ] {
        let problem = failure(&[&from[..], more].concat(), 2);
        assert!(problem.contains(word), "{problem}");
    }
    assert!(failure(&["evaluate", "--run", &run], 2).contains("--judgements"));
    assert!(failure(&["evaluate"], 2).contains("INDEX"));
    let index = folder.path().join("no.index");
    let problem = failure(
        &[
            "evaluate",
            text(&index),
            "--each-query",
            "--known-items",
            "titles",
        ],
        2,
    );
    assert!(problem.contains("--each-query"), "{problem}");
    // Queries are of one kind.
    let of_index = ["evaluate", text(&index)];
    let items = ["--known-items", "titles", "--queries", "q.tsv"];
    let problem = failure(&[&of_index[..], &items].concat(), 2);
    assert!(problem.contains("--queries"), "{problem}");
    let judged = [
        "--queries",
        "q.tsv",
        "--judgements",
        &qrels,
        "--sample",
        "3",
    ];
    let problem = failure(&[&of_index[..], &judged].concat(), 2);
    assert!(problem.contains("--sample is given"), "{problem}");
    let problem = failure(&[&from[..], &["--memory", "1M"]].concat(), 1);
    assert!(problem.contains("--memory"), "{problem}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Whatever the files say, there is a value from 0 to 1, or a line about what is wrong.
    #[test]
    fn any_ranking_has_values_within_their_bounds(
        run in proptest::collection::vec((0..3u8, 0..9u8, -2..3i8), 0..40),
        judged in proptest::collection::vec((0..3u8, 0..12u8, -1..4i8), 0..40),
        depth in 1..9usize,
        judged_only in proptest::prelude::any::<bool>(),
    ) {
        use webrank_retrieval::runs::{Options, parse_measures, read_judgements, read_run, summary};
        let folder = TempDir::new().unwrap();
        let [run_path, qrels_path] = ["run", "qrels"].map(|name| folder.path().join(name));
        let lines = |rows: &[(u8, u8, i8)], line: fn(&(u8, u8, i8)) -> String| {
            let mut rows = rows.to_vec();
            rows.sort_unstable();
            rows.dedup_by_key(|row| (row.0, row.1));
            rows.iter().map(line).collect::<String>()
        };
        fs::write(&run_path, lines(&run, |(q, page, score)| format!("{q} Q0 {page} 0 {score} x\n"))).unwrap();
        fs::write(&qrels_path, lines(&judged, |(q, page, grade)| format!("{q} 0 {page} {grade}\n"))).unwrap();
        let options = Options { depth, judged_only, ..Options::default() };
        let measures = parse_measures("all").unwrap();
        let (run, judged) = (read_run(&run_path).unwrap(), read_judgements(&qrels_path).unwrap());
        let Ok(found) = summary([&run_path, &qrels_path], &run, &judged, &measures, &options) else {
            proptest::prop_assert!(run.keys().all(|query| !judged.contains_key(query)));
            return Ok(());
        };
        for (_, values) in &found.queries {
            for (measure, value) in measures.iter().zip(values) {
                let most = if measure.is_count() { 40.0 } else { 1.0 + 1e-12 };
                proptest::prop_assert!((0.0..=most).contains(value), "{measure} {value}");
            }
        }
    }
}
