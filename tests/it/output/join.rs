//! `rank join`: the columns of several tables in one.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tempfile::TempDir;
use webrank_tables::join::{JoinedTable, Joint};
use webrank_tables::read::open_table;
use webrank_tables::write::{TableFormat, write};
use webrank_testing::cli::*;

fn write_text(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    text(&path).to_owned()
}

#[test]
fn measures_of_one_graph_in_every_format() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    for (measure, name) in [
        ("pagerank", "a.csv"),
        ("lin", "b.arrow"),
        ("harmonic", "c.parquet"),
    ] {
        rank(&["-q", measure, text(&graph), "-o", &at(name)])
            .assert()
            .success();
    }
    let (a, b, c, all) = (
        at("a.csv"),
        at("b.arrow"),
        at("c.parquet"),
        at("all.parquet"),
    );
    rank(&["join", &a, &b, &c, "-o", &all]).assert().success();
    let joint = stdout(&["join", &a, &b, &c]);
    let header = "node,name,pagerank_score,pagerank_rank,certain,lin_score,lin_rank,\
                  harmonic_score,harmonic_rank\n";
    assert!(joint.starts_with(header), "{joint}");
    assert_eq!(joint.lines().count(), 5);
    // The columns are those of the tables, and their manifest says so.
    for (measure, table) in [("pagerank", &a), ("lin", &b), ("harmonic", &c)] {
        let column = format!("{measure}_score");
        let verified = stdout(&["verify", &all, "--column", &column]);
        assert!(verified.contains(measure), "{verified}");
        let compared = stdout(&["compare", table, &all, "--json"]);
        let compared: serde_json::Value = serde_json::from_str(&compared).unwrap();
        assert_eq!(compared["table"]["rows"], 4);
        let columns = compared["table"]["columns"].as_array().unwrap();
        assert_eq!(columns.len(), 4, "ranks are no scores");
    }
    let explained = stdout(&["explain", text(&graph), "b", &all]);
    assert!(explained.contains("harmonic"), "{explained}");
    let array = at("a.npy");
    rank(&["-q", "pagerank", text(&graph), "-o", &array])
        .assert()
        .success();
    let joint = stdout(&["join", &b, &array]);
    assert!(
        joint.starts_with("node,name,lin_score,rank,pagerank_score\n0,a,"),
        "{joint}"
    );
    assert!(failure(&["join", &a, &b, "-o", &array], 1).contains("write .parquet"));
}

#[test]
fn rows_that_a_table_lacks_stay_and_are_counted_in_one_line() {
    let folder = TempDir::new().unwrap();
    let a = write_text(folder.path(), "a.csv", "name,score\nx,1\ny,2\nz,3\n");
    let b = write_text(
        folder.path(),
        "b.jsonl",
        "{\"name\":\"z\",\"score\":0.5}\n{\"name\":\"w\",\"score\":null}\n",
    );
    let run = rank(&["join", &a, &b]).assert().success();
    let output = run.get_output();
    let table = "name,a_score,b_score\nx,1,\ny,2,\nz,3,0.5\nw,,\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), table);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    for words in [
        "a.csv lacks 1 of the 4 rows, the first is 'w'",
        "b.jsonl lacks 2 of the 4 rows, the first is 'x'",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let run = rank(&["join", "--inner", &a, &b]).assert().success();
    let output = run.get_output();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "name,a_score,b_score\nz,3,0.5\n"
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("2 rows of ") && said.contains("a.csv are left out, the first is 'x'"),
        "{said}"
    );
    // Empty cells are null in other formats, and are read back as such.
    let all = folder.path().join("all.arrow");
    rank(&["-q", "join", &a, &b, "-o", text(&all)])
        .assert()
        .success();
    assert_eq!(stdout(&["join", text(&all), "-q"]), table);
}

#[test]
fn tables_that_cannot_be_joined_are_refused_in_one_line() {
    let folder = TempDir::new().unwrap();
    let a = write_text(folder.path(), "a.csv", "name,score\nx,1\n");
    let b = write_text(folder.path(), "b.csv", "node,score\n0,1\n");
    let c = write_text(folder.path(), "c.csv", "url,score\nx,1\n");
    let twice = write_text(folder.path(), "d.csv", "name,score\nx,1\nx,1\n");
    for (arguments, words) in [
        (&["join", &a, &b][..], "some tables have only 'name'"),
        (
            &["join", &a, &c],
            "c.csv has neither a column 'name' nor 'node'",
        ),
        (
            &["join", &a, &c, "--on", "url"],
            "a.csv: no column 'url'; there are name, score",
        ),
        (&["join", &a, &twice], "d.csv, line 3: 'x' occurs twice"),
        (&["join", &a, &b, "-o", &a], "is an input of this run"),
    ] {
        // Without a column in common, the usage is wrong.
        let code = if words.starts_with("some") { 2 } else { 1 };
        let message = failure(arguments, code);
        let message = message
            .replace("c.csv: has", "c.csv has")
            .replace("d.csv: line", "d.csv, line");
        assert!(message.contains(words), "{message}");
    }
}

type Rows = BTreeMap<u8, (u32, Option<i8>)>;

fn csv(rows: &Rows) -> String {
    let lines = rows.iter().map(|(key, (count, number))| {
        let number = number.map_or(String::new(), |number| format!("{number}.5"));
        format!("{key},{count},{number}\n")
    });
    format!("node,count,number\n{}", lines.collect::<String>())
}

fn tables() -> impl Strategy<Value = Vec<Rows>> {
    let row = (any::<u32>(), prop::option::of(-100..100i8));
    prop::collection::vec(prop::collection::btree_map(0..20u8, row, 1..10), 1..4)
}

proptest! {
    #[test]
    fn every_cell_of_every_table_is_there(tables in tables(), inner in any::<bool>()) {
        let folder = TempDir::new().unwrap();
        let parts = tables.iter().enumerate().map(|(i, rows)| {
            let path = write_text(folder.path(), &format!("{i}.csv"), &csv(rows));
            let table = open_table(path.as_ref()).unwrap().read("node").unwrap();
            JoinedTable { prefix: format!("t{i}"), table }
        });
        let joint = Joint::new("node", parts.collect(), inner).unwrap();
        let every = |key: &u8| !inner || tables.iter().all(|rows| rows.contains_key(key));
        let keys: BTreeSet<u8> = tables.iter().flat_map(|rows| rows.keys().copied()).filter(every).collect();
        let mut expected = String::new();
        for key in &keys {
            expected += &key.to_string();
            for rows in &tables {
                let (count, number) = rows.get(key).map_or((None, None), |&(c, n)| (Some(c), n));
                let count = count.map_or(String::new(), |count| count.to_string());
                let number = number.map_or(String::new(), |number| format!("{number}.5"));
                expected += &format!(",{count},{number}");
            }
            expected += "\n";
        }
        let mut written = Vec::new();
        write(&joint.columns(), TableFormat::Csv, None, &mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        let (_, rows) = written.split_once('\n').unwrap();
        prop_assert_eq!(rows, expected);
        // Every other format gives the same table.
        for (format, name) in [
            (TableFormat::Parquet, "x.parquet"),
            (TableFormat::Arrow, "x.arrow"),
            (TableFormat::JsonLines, "x.jsonl"),
            (TableFormat::Tsv, "x.tsv"),
        ] {
            let path = folder.path().join(name);
            let mut bytes = Vec::new();
            write(&joint.columns(), format, None, &mut bytes).unwrap();
            std::fs::write(&path, bytes).unwrap();
            if keys.is_empty() && format == TableFormat::JsonLines {
                continue;
            }
            let table = open_table(&path).unwrap().read("node").unwrap();
            let again = Joint::new("node", vec![JoinedTable { prefix: String::new(), table }], false).unwrap();
            let mut bytes = Vec::new();
            write(&again.columns(), TableFormat::Csv, None, &mut bytes).unwrap();
            prop_assert_eq!(String::from_utf8(bytes).unwrap(), written.clone(), "{}", name);
        }
    }
}
