//! Lists of measures, completions, manual pages, summaries, and the seconds and bytes in manifests.

use serde_json::Value;
use std::process::Command;
use std::time::Instant;
use tempfile::TempDir;
use webrank::MEASURES;
use webrank_testing::cli::*;

#[test]
fn every_measure_is_described() {
    let said = stdout(&["measures"]);
    let mut lines = said.lines();
    for about in MEASURES {
        for expected in [
            about.name.to_owned(),
            format!("    definition  {}", about.definition),
            format!("    direction   {}", about.direction),
            format!("    cost        {}", about.cost),
            format!("    guarantee   {}", about.guarantee),
        ] {
            assert_eq!(lines.next(), Some(&*expected));
        }
        let fields = [
            about.definition,
            about.direction,
            about.cost,
            about.guarantee,
        ];
        assert!(fields.iter().all(|text| text.len() > 3), "{}", about.name);
        assert!(
            subcommands().iter().any(|name| name == about.name),
            "{}",
            about.name
        );
    }
    assert_eq!(lines.next(), None);
    let json: Value = serde_json::from_str(&stdout(&["measures", "--json"])).unwrap();
    let names = json
        .as_array()
        .unwrap()
        .iter()
        .map(|about| about["name"].as_str().unwrap());
    assert!(names.eq(MEASURES.iter().map(|about| about.name)));
}

#[test]
fn every_measure_names_its_source() {
    for about in MEASURES {
        let help = stdout(&["help", about.name]);
        // Degrees, and what is defined by counting, need none.
        let has_none = ["indegree", "outdegree", "reachable", "eccentricity"];
        assert_eq!(
            help.contains("Source: "),
            !has_none.contains(&about.name),
            "{}",
            about.name
        );
    }
}

#[test]
fn completions_know_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for name in subcommands().iter().chain(TOOLS.iter()) {
            assert!(script.contains(name), "{shell}: {name}");
        }
        for option in ["certify-top", "time-budget", "rank-by-table", "memory"] {
            assert!(script.contains(option), "{shell}: {option}");
        }
    }
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("rank.bash");
    std::fs::write(&script, stdout(&["completions", "bash"])).unwrap();
    // The shell's offers after `rank trustr` and after `rank hits --al`.
    let ask = "source \"$0\"; COMP_WORDS=(rank $1); COMP_CWORD=$2; _rank rank \"${COMP_WORDS[COMP_CWORD]}\"; \
               echo ${COMPREPLY[*]}";
    let offered = |words: &str, place: &str| {
        let shell = Command::new("bash")
            .args(["-c", ask, text(&script), words, place])
            .output();
        shell
            .ok()
            .map(|output| String::from_utf8(output.stdout).unwrap())
    };
    if let Some(offered) = offered("trustr", "1") {
        assert_eq!(offered, "trustrank\n");
    }
    if let Some(offered) = offered("duplic", "1") {
        assert_eq!(offered, "duplicates\n");
    }
    if let Some(offered) = offered("hits --allow-u", "2") {
        assert_eq!(offered, "--allow-unconverged\n");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = stdout(&["man"]);
    assert!(page.contains(".TH rank 1"), "{page}");
    for name in TOOLS.iter() {
        assert!(
            page.contains(&format!("rank\\-{name}(1)")),
            "{name}: {page}"
        );
    }
    let folder = TempDir::new().unwrap();
    build_tools();
    stdout(&["man", text(folder.path())]);
    let mut expected = vec!["rank.1".to_owned()];
    let names = subcommands().into_iter().filter(|name| name != "help");
    let names = names.chain(TOOLS.iter().cloned());
    expected.extend(names.map(|name| format!("rank-{name}.1")));
    expected.sort();
    assert_eq!(files(folder.path()), expected);
    let page = std::fs::read_to_string(folder.path().join("rank-trustrank.1")).unwrap();
    for part in [".TH rank-trustrank 1", "\\-\\-seeds\\-file", "Gyongyi"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let message = failure(&["man", "no/such/folder"], 1);
    assert!(message.contains("no/such/folder"), "{message}");
}

#[test]
fn summaries_say_what_scores_may_hide() {
    let summary = |arguments: &[&str]| {
        let said = stdout(&[arguments, &["--summary", "--top", "1"]].concat());
        said.split_once("\n\n").unwrap().0.to_owned()
    };
    let said = summary(&["closeness", DEBIAN]);
    let note =
        "only 0.6% of the pairs of nodes are reachable: closeness scores small components high";
    assert!(said.contains(note), "{said}");
    let folder = TempDir::new().unwrap();
    let cycle = folder.path().join("cycle.tsv");
    std::fs::write(&cycle, "a\tb\nb\tc\nc\ta\n").unwrap();
    let bundle = folder.path().join("cycle.bv");
    rank(&["-q", "import", text(&cycle), "-o", text(&bundle)])
        .assert()
        .success();
    let said = summary(&["closeness", text(&bundle)]);
    assert!(!said.contains("reachable"), "{said}");

    let budget = ["--time-budget", "0s"];
    let said = summary(&[&["closeness", DEBIAN][..], &budget].concat());
    assert!(
        said.contains("4096 sampled sources, without a bound"),
        "{said}"
    );
    assert!(
        said.contains("these are from a sample of sources"),
        "{said}"
    );
    assert!(said.contains(note), "{said}");
    let said = summary(&[&["integration", DEBIAN][..], &budget].concat());
    assert!(
        said.contains("these are from a sample of sources")
            && said.contains("the diameter is 27, exactly"),
        "{said}"
    );
    let counting = ["--method", "hyperball", "--log2m", "6"];
    let said = summary(&[&["integration", "graphs/rust-doc.bv"][..], &counting].concat());
    // About 1.04 / sqrt(2^6).
    assert!(
        said.contains("method    hyperball, relative standard error 13."),
        "{said}"
    );

    let said = summary(&["hits", DEBIAN]);
    let (_, count) = said.split_once("note      ").unwrap();
    let (count, words) = count.split_once(' ').unwrap();
    assert!(
        words.starts_with("nodes with predecessors have an authority that is 0"),
        "{said}"
    );
    let table = stdout(&["hits", DEBIAN]);
    let zeros = table
        .lines()
        .skip(1)
        .filter(|row| row.split(',').nth(2) == Some("0.0"));
    let degrees = stdout(&["indegree", DEBIAN]);
    let rows = degrees.lines().skip(1);
    let without_predecessors = rows.filter(|row| row.split(',').nth(2) == Some("0.0"));
    let expected = zeros.count() - without_predecessors.count();
    assert_eq!(count.parse::<usize>().unwrap(), expected);
}

#[test]
fn manifests_hold_the_seconds_and_the_memory_of_the_run() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("t.csv");
    let start = Instant::now();
    let run = ["pagerank", DEBIAN, "-o", text(&table), "-v"];
    let said = rank(&run).assert().success().get_output().stderr.clone();
    let whole = start.elapsed().as_secs_f64();
    let said = String::from_utf8(said).unwrap();
    let manifest = std::fs::read_to_string(folder.path().join("t.csv.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let phases = manifest["phases"].as_array().unwrap();
    let names: Vec<&str> = phases
        .iter()
        .map(|phase| phase["phase"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["load", "prepare", "iterate", "rank", "write"]);
    let seconds = phases
        .iter()
        .map(|phase| phase["seconds"].as_f64().unwrap());
    let (least, sum) = seconds.fold((f64::INFINITY, 0.0), |(least, sum), s| {
        (s.min(least), sum + s)
    });
    assert!(least > 0.0 && sum < whole, "{sum} of {whole}: {phases:?}");
    // The log has the plan, and the peak at the very end.
    let logged = |what: &str| {
        let line = said.lines().find(|line| line.contains(what)).unwrap();
        let mut words = line.split(' ');
        words.find_map(|word| word.parse::<u64>().ok()).unwrap()
    };
    let peak = manifest["peak_memory_bytes"].as_u64().unwrap();
    let (plan, end) = (logged("bytes at "), logged("were held"));
    assert!(
        peak < end + end / 4 && end < 2 * peak && peak < 2 * plan,
        "{peak}: {said}"
    );
    assert!(manifest["threads"].as_u64().unwrap() >= 1);
}
