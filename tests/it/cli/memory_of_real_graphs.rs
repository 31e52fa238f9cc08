//! Plans of real graphs are no lower than what is held, and not twice as high.

use super::memory::held_and_needed;
use tempfile::TempDir;
use webrank_base::memory::PROCESS;
use webrank_testing::cli::*;

/// Commands whose plans were up to four times as high, or too low.
const COMMANDS: [&str; 14] = [
    "join ONE TWO -o OUT.csv",
    "compare ONE TWO",
    "top ONE",
    "verify ONE",
    "explain GRAPH FIRST ONE",
    "path GRAPH FIRST SECOND",
    "export GRAPH -o OUT.tsv",
    "export GRAPH --scores ONE -o OUT.gexf",
    "recode GRAPH -o OUT.bv",
    "recode GRAPH --order degree -o OUT2.bv",
    "codes GRAPH",
    "pagerank GRAPH --form compact",
    "shard GRAPH -n 4 -o OUT.s",
    "distances GRAPH --method hyperball",
];

#[test]
fn plans_of_real_graphs_are_not_twice_as_high() {
    for (graph, first, second) in [
        ("graphs/rust-doc.bv", "alloc/all.html", "core/all.html"),
        ("graphs/debian.bv", "0ad", "0ad-data"),
    ] {
        let folder = TempDir::new().unwrap();
        let [one, two, out] = ["one.csv", "two.csv", "out"].map(|name| folder.path().join(name));
        stdout(&["pagerank", graph, "-o", text(&one), "-q"]);
        stdout(&["indegree", graph, "-o", text(&two), "-q"]);
        for command in COMMANDS {
            let words = command.split(' ').map(|word| {
                let word = match word {
                    "ONE" => text(&one),
                    "TWO" => text(&two),
                    "GRAPH" => graph,
                    "FIRST" => first,
                    "SECOND" => second,
                    word => word,
                };
                word.replace("OUT", text(&out))
            });
            let line = words.collect::<Vec<_>>().join(" ");
            let mut words: Vec<&str> = line.split(' ').collect();
            words.extend(["--threads", "2", "-v"]);
            let output = rank(&words).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{line}: {said}");
            let (held, needed) = held_and_needed(&said);
            assert!(held <= needed, "{line}: {held} > {needed}");
            // A small run holds little but the program, and that of the codes is a small one.
            let program = if command.starts_with("codes") {
                PROCESS / 2
            } else {
                PROCESS
            };
            let most = 2 * held.max(program);
            assert!(needed <= most, "{line}: {needed} > {most}");
        }
    }
}
