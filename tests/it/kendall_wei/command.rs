//! `rank kendall-wei`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn kendall_wei_says_what_kind_of_tournament_it_is() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("games.bv");
    let edges = folder.path().join("edges.tsv");
    // Ann, Bob and Cy beat each other in turn and Dan, and Eve beat all but Dan, whom she did not meet.
    let wins =
        "ann\tbob\nbob\tcy\ncy\tann\nann\tdan\nbob\tdan\ncy\tdan\neve\tann\neve\tbob\neve\tcy\n";
    std::fs::write(&edges, wins).unwrap();
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    let table = folder.path().join("scores.csv");
    let run = |more: &[&str]| {
        let command = [
            &["kendall-wei", text(&bundle), "-o", text(&table)][..],
            more,
        ]
        .concat();
        let said = rank(&command).assert().success();
        String::from_utf8(said.get_output().stderr.clone()).unwrap()
    };
    let said = run(&["--sort", "score"]);
    assert!(
        said.contains("of 10 pairs 1 never met, and 0 have arcs both ways"),
        "{said}"
    );
    assert!(said.contains("there are 3 groups"), "{said}");
    assert!(said.contains("eve; 3 with ann; dan"), "{said}");
    assert!(
        said.contains("the scores of 1 players are undefined"),
        "{said}"
    );
    let text_of = std::fs::read_to_string(&table).unwrap();
    assert!(text_of.lines().nth(1).unwrap().contains("eve"), "{text_of}");
    run(&["--direction", "in", "--sort", "score"]);
    let text_of = std::fs::read_to_string(&table).unwrap();
    assert!(text_of.lines().nth(1).unwrap().contains("dan"), "{text_of}");
}
