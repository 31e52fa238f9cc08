//! The commands of geometric measures, and `rank distances`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn several_measures_have_a_column_each() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let measures = "harmonic,closeness,lin,reachable,eccentricity,integration";
    let table = stdout(&["geometric", text(&bundle), "--measures", measures]);
    let expected = "node,name,harmonic,closeness,lin,reachable,eccentricity,integration\n\
                    0,a,2.5,0.25,4.0,3.0,2.0,2.6666666666666665\n\
                    1,b,2.5,0.25,4.0,3.0,2.0,2.6666666666666665\n\
                    2,c,1.8333333333333333,0.16666666666666666,2.6666666666666665,3.0,3.0,2.0\n\
                    3,d,0.0,0.0,1.0,0.0,0.0,0.0\n";
    assert_eq!(table, expected);
    let decay = stdout(&[
        "decay",
        text(&bundle),
        "--base",
        "0.25",
        "--direction",
        "out",
    ]);
    assert!(decay.contains("3,d,0.328125,2"), "{decay}");
}

#[test]
fn the_best_nodes_are_those_of_the_whole_table() {
    for measure in ["harmonic", "lin", "decay", "reachable", "integration"] {
        let all = stdout(&[measure, DEBIAN, "--sort", "score"]);
        let best = stdout(&[measure, DEBIAN, "--sort", "score", "--top", "7"]);
        let expected: Vec<&str> = all.lines().take(8).collect();
        assert_eq!(best.lines().collect::<Vec<_>>(), expected, "{measure}");
    }
}

#[test]
fn approximations_say_what_they_are() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    for (arguments, word) in [
        (
            &["--method", "hyperball", "--log2m", "6"][..],
            "relative_standard_error",
        ),
        (
            &["--method", "sample", "--epsilon", "0.05"],
            "\"epsilon\": 0.05",
        ),
        (&["--method", "sample"], "\"sources\": 4096"),
        (
            &["--method", "sample", "--sources", "700"],
            "\"intervals\": \"estimated\"",
        ),
        (
            &[
                "--method",
                "sample",
                "--sources",
                "700",
                "--intervals",
                "proved",
            ],
            "\"proved\": true",
        ),
        (
            &["--method", "sample", "--relative", "2%"],
            "a pilot of 1024 had a relative standard error of",
        ),
        (
            &["--method", "sample", "--sources", "32000"],
            "no more than the sample would: these are exact",
        ),
        (
            &["--time-budget", "0s"],
            "these are from a sample of sources; the exact method",
        ),
        (&["--time-budget", "0s"], "more than the time budget"),
    ] {
        let run = [
            &["harmonic", "graphs/rust-doc.bv", "-q", "-o", text(&table)],
            arguments,
        ]
        .concat();
        rank(&run).assert().success();
        let manifest = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
        assert!(manifest.contains(word), "{manifest}");
    }
}

#[test]
fn measures_and_methods_that_do_not_fit_are_refused() {
    for (arguments, word) in [
        (["decay", "--base", "1"], "--base is 1"),
        (["harmonic", "--log2m", "3"], "--log2m is 3"),
        (["harmonic", "--sources", "0"], "--sources is 0"),
        (["harmonic", "--relative", "0"], "--relative is 0"),
        (["harmonic", "--relative", "100%"], "--relative is 1"),
        (["harmonic", "--relative", "much"], "such as 0.005, or 0.5%"),
        (["decay", "--sources", "x"], "--sources"),
    ] {
        let run = [&arguments[..1], &[DEBIAN], &arguments[1..]].concat();
        let message = failure(&run, 2);
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn engines_that_do_not_know_a_measure_are_refused() {
    for (measures, method, word) in [
        (
            "eccentricity",
            "sample",
            "eccentricity cannot be computed by sampling",
        ),
        (
            "harmonic,eccentricity",
            "sample",
            "eccentricity cannot be computed by sampling",
        ),
        (
            "eccentricity",
            "hyperball",
            "eccentricity cannot be computed by HyperBall",
        ),
    ] {
        let run = [
            "geometric",
            DEBIAN,
            "--measures",
            measures,
            "--method",
            method,
        ];
        let message = failure(&run, 2);
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn what_only_searches_find_says_how_long_they_take() {
    for arguments in [
        &["eccentricity", DEBIAN][..],
        &["geometric", DEBIAN, "--measures", "harmonic,eccentricity"],
    ] {
        let message = failure(&[arguments, &["--time-budget", "0s"]].concat(), 1);
        let words = "rank: eccentricity would take about ";
        assert!(message.starts_with(words), "{message}");
        assert!(
            message.contains("type 'rank ")
                && message.contains(" --time-budget ")
                && !message.contains("--method"),
            "{message}"
        );
    }
}

#[test]
fn what_no_sample_proves_is_refused() {
    let measures = ["geometric", DEBIAN, "--measures", "harmonic,lin"];
    for (option, value) in [("--epsilon", "0.1"), ("--intervals", "proved")] {
        let sample = ["--method", "sample", option, value];
        let message = failure(&[&measures[..], &sample].concat(), 2);
        let words = format!("{option} is {value}: no ");
        assert!(
            message.contains(&words) && message.contains("of lin"),
            "{message}"
        );
    }
}

/// Options of engines that do not know the measure of a command are neither shown nor ignored.
#[test]
fn commands_have_the_options_of_their_engines_alone() {
    let sampling = [
        "--sources",
        "--relative",
        "--epsilon",
        "--delta",
        "--intervals",
    ];
    let counting = ["--log2m", "--seed", "--temp", "--workers"];
    let every = [&sampling[..], &counting, &["--confidence"]].concat();
    let unproved = [&counting[..], &["--confidence"], &sampling[..2]].concat();
    for (command, options, methods) in [
        ("harmonic", &every[..], "auto exact sample hyperball"),
        ("reachable", &every, "auto exact sample hyperball"),
        ("decay", &every, "auto exact sample hyperball"),
        ("closeness", &unproved, "auto exact sample hyperball"),
        ("lin", &unproved, "auto exact sample hyperball"),
        ("integration", &every, "auto exact sample hyperball"),
        ("distances", &counting, "auto exact sample hyperball"),
        ("eccentricity", &[], "auto exact"),
    ] {
        let help = stdout(&["help", command]);
        for option in &every {
            let is_shown = help.contains(&format!("{option} <"));
            assert_eq!(is_shown, options.contains(option), "{command} {option}");
            if !is_shown {
                let message = failure(&[command, DEBIAN, option, "1"], 2);
                assert!(message.contains("unexpected argument"), "{message}");
            }
        }
        for method in ["auto", "exact", "sample", "hyperball"] {
            let is_shown = help.contains(&format!("- {method}:"));
            let is_known = methods.split(' ').any(|known| known == method);
            assert_eq!(is_shown, is_known, "{command} {method}");
            if !is_known {
                let message = failure(&[command, DEBIAN, "--method", method], 2);
                assert!(message.contains("invalid value"), "{message}");
            }
        }
        assert!(help.contains("--time-budget <"), "{command}");
    }
}

#[test]
fn distances_are_described() {
    let json = stdout(&["distances", "graphs/rust-doc.bv", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let pairs = json["pairs_at_distance"].as_array().unwrap();
    assert_eq!(pairs.len() as u64, json["diameter"].as_u64().unwrap());
    // The arcs that are not self-loops.
    assert_eq!(pairs[0], 721_835.0);
}

#[test]
fn distances_of_no_pairs_are_zero_and_of_no_sources_refused() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("loop.tsv");
    std::fs::write(&edges, "a\ta\n").unwrap();
    let bundle = folder.path().join("loop.bv");
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    for extra in [&[][..], &["--json"], &["--method", "sample"]] {
        let said = stdout(&[&["distances", text(&bundle)], extra].concat());
        assert!(!said.contains("-0"), "{said}");
    }
    let none = ["--method", "sample", "--samples", "0"];
    let message = failure(&[&["distances", text(&bundle)], &none[..]].concat(), 2);
    assert!(message.contains("--samples is 0"), "{message}");
}
