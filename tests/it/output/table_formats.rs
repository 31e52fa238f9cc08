//! Tables as Arrow files, arrays of numpy and JSON lines: from other programs, from `rank`, damaged.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use webrank_tables::keys::Keys;
use webrank_tables::read::{ScoreFile, read_scores};
use webrank_tables::table::{Column, Table};
use webrank_tables::write::{TableFormat, write};

/// See make_table_fixtures.py.
fn fixture(name: &str) -> PathBuf {
    PathBuf::from("tests/fixtures/tables").join(name)
}

const SCORES: [f64; 5] = [0.5, 3.0, 0.0, 1.25, 7.0];

/// Tables of the same five rows.
const SAME_ROWS: [&str; 11] = [
    "pyarrow.arrow",
    "pyarrow_zstd.arrow",
    "pyarrow_large.arrow",
    "pyarrow_dictionary.arrow",
    "pandas_lz4.feather",
    "polars.arrow",
    "pandas.jsonl",
    "polars.ndjson",
    "double.npy",
    "single_big_endian.npy",
    "integers.npy",
];

#[test]
fn tables_of_other_programs() {
    let names: Keys = ["libc6", "perl", "na\u{ef}ve, \"quoted\"", "null", "zlib1g"]
        .into_iter()
        .collect();
    let nodes: Keys = ["0", "1", "2", "3", "4"].into_iter().collect();
    for name in SAME_ROWS {
        let read = read_scores(&fixture(name), None).unwrap();
        let keys = if read.key_column == "node" {
            &nodes
        } else {
            &names
        };
        assert_eq!(read.keys, *keys, "{name}");
        let scale = match name {
            "integers.npy" | "pyarrow_large.arrow" => 4.0,
            _ => 1.0,
        };
        let scores = SCORES.map(|score| scale * score);
        assert_eq!(
            read.columns,
            [("score".to_owned(), scores.to_vec())],
            "{name}"
        );
    }
}

#[test]
fn arrays_of_several_columns() {
    let twice = SCORES.map(|score| 2.0 * score);
    for (name, headers) in [
        ("columns.npy", ["0", "1"]),
        ("columns_fortran.npy", ["0", "1"]),
        ("fields.npy", ["lin", "beta"]),
    ] {
        let read = read_scores(&fixture(name), None).unwrap();
        let columns = [SCORES, twice].into_iter().zip(headers);
        let columns = columns.map(|(scores, header)| (header.to_owned(), scores.to_vec()));
        assert_eq!(read.columns, columns.collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn formats_are_known_by_their_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in SAME_ROWS {
        let elsewhere = folder.path().join("scores");
        std::fs::copy(fixture(name), &elsewhere).unwrap();
        let read = read_scores(&elsewhere, None).unwrap();
        assert_eq!(read, read_scores(&fixture(name), None).unwrap());
    }
}

#[test]
fn what_is_no_table_of_scores_is_refused_with_the_row() {
    for (name, words) in [
        ("null_score.arrow", "row 3: column 'score' is null"),
        ("list_score.arrow", "column 'score' holds List"),
        ("strings.npy", "is no type of numbers"),
        ("cube.npy", "not an array of one or two dimensions"),
    ] {
        let problem = read_scores(&fixture(name), None).unwrap_err().to_string();
        assert!(problem.contains(words), "{name}: {problem}");
        assert!(
            problem.contains(name) && !problem.contains('\n'),
            "{problem}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        (
            "{\"node\":0,\"score\":1}\n\n{\"node\":1}\n",
            "line 3: column 'score' is null",
        ),
        (
            "{\"node\":0,\"score\":\"x\"}\n",
            "line 1: 'x' in column 'score' is not a finite number",
        ),
        (
            "{\"node\":0,\"score\":[1]}\n",
            "line 1: the field 'score' is nested",
        ),
        (
            "{\"node\":0,\"score\":1}\n{\"node\":0,\"score\":2}\n",
            "line 2: '0' occurs twice",
        ),
        (
            "{\"score\":1,\"score\":2}\n",
            "line 1: the field 'score' occurs twice",
        ),
        (
            "{\"node\":0,\"score\":1}\n[1]\n",
            "line 2: not a JSON object: invalid type: sequence",
        ),
        (
            "{\"node\":0,\"score\":1\n",
            "line 1: not a JSON object: EOF",
        ),
        (
            "{\"node\":0.5,\"score\":1}\n",
            "line 1: column 'node' holds no keys",
        ),
        ("{\"node\":0}\n", "no column of scores"),
    ] {
        let path = folder.path().join("scores.jsonl");
        std::fs::write(&path, text).unwrap();
        let problem = read_scores(&path, None).unwrap_err().to_string();
        assert!(
            problem.contains(words) && !problem.contains('\n'),
            "{problem}"
        );
    }
}

fn read_bytes(folder: &Path, name: &str, bytes: &[u8]) -> Result<ScoreFile, String> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    read_scores(&path, None).map_err(|problem| problem.to_string())
}

#[test]
fn truncated_files_are_errors_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for name in SAME_ROWS.iter().filter(|name| !name.ends_with("json")) {
        let bytes = std::fs::read(fixture(name)).unwrap();
        // Every third length, and all near the end.
        let lengths = (0..bytes.len()).step_by(3);
        for length in lengths.chain(bytes.len() - 12..bytes.len()) {
            match read_bytes(folder.path(), name, &bytes[..length]) {
                Err(problem) => assert!(
                    problem.contains(name) && !problem.contains('\n'),
                    "{problem}"
                ),
                // A list of lines may end anywhere.
                Ok(read) => assert!(
                    name.ends_with("l") || name.ends_with("ndjson"),
                    "{name}: {read:?}"
                ),
            }
        }
    }
}

#[test]
fn damaged_files_are_errors_of_one_line_or_other_tables() {
    let folder = tempfile::tempdir().unwrap();
    for name in SAME_ROWS {
        let bytes = std::fs::read(fixture(name)).unwrap();
        for place in (0..bytes.len()).step_by(4) {
            let mut bytes = bytes.clone();
            bytes[place] ^= [0x01, 0x80, 0xFF][place % 3];
            if let Err(problem) = read_bytes(folder.path(), name, &bytes) {
                assert!(!problem.contains('\n'), "{name}, {place}: {problem}");
            }
        }
    }
}

fn round_trip(table: Table, format: TableFormat, name: &str) -> ScoreFile {
    let mut bytes = Vec::new();
    write(&table.into_columns(), format, Some("{}"), &mut bytes).unwrap();
    read_bytes(tempfile::tempdir().unwrap().path(), name, &bytes).unwrap()
}

const FORMATS: [(TableFormat, &str); 6] = [
    (TableFormat::Csv, "x.csv"),
    (TableFormat::Tsv, "x.tsv"),
    (TableFormat::JsonLines, "x.jsonl"),
    (TableFormat::Parquet, "x.parquet"),
    (TableFormat::Arrow, "x.arrow"),
    (TableFormat::Npy, "x.npy"),
];

proptest! {
    #[test]
    fn numbers_read_back_to_the_same_bits_in_every_format(
        rows in prop::collection::vec([any::<u64>(), any::<u64>()], 1..50),
        several in any::<bool>(),
    ) {
        let column = |i: usize| -> Vec<f64> {
            let numbers = rows.iter().map(|row| f64::from_bits(row[i]));
            numbers.map(|number| if number.is_finite() { number } else { 0.0 }).collect()
        };
        let (a, b) = (column(0), column(1));
        let flags = vec![true; rows.len()];
        for (format, name) in FORMATS {
            let mut columns = vec![("x, \"y\" \u{fc}".into(), Column::Numbers(&a[..]))];
            if several {
                columns.push(("b".into(), Column::Numbers(&b)));
            }
            columns.push(("certain".into(), Column::Flags(&flags)));
            let read = round_trip(
                Table { nodes: None, num_nodes: a.len(), names: None, columns },
                format,
                name,
            );
            let bits = |scores: &[f64]| scores.iter().map(|s| s.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&read.columns[0].1), bits(&a), "{}", name);
            prop_assert_eq!(read.columns.len(), 1 + usize::from(several));
            // A single array has no name.
            let header = if several || format != TableFormat::Npy { "x, \"y\" \u{fc}" } else { "score" };
            prop_assert_eq!(&read.columns[0].0, header);
            if several {
                prop_assert_eq!(bits(&read.columns[1].1), bits(&b), "{}", name);
            }
            prop_assert!(read.keys.iter().enumerate().all(|(row, key)| key == row.to_string()));
        }
    }
}

#[test]
fn tables_of_several_batches() {
    let rows = (1 << 16) + 3;
    let scores: Vec<f64> = (0..rows).map(|row| f64::from(row % 1009)).collect();
    let nodes: Vec<u32> = (0..rows).rev().collect();
    for (format, name) in [
        (TableFormat::Arrow, "x.arrow"),
        (TableFormat::JsonLines, "x.jsonl"),
    ] {
        let table = Table {
            nodes: Some(nodes.clone()),
            num_nodes: rows as usize,
            names: None,
            columns: vec![("score".into(), Column::Numbers(&scores))],
        };
        let read = round_trip(table, format, name);
        assert_eq!(read.keys.len(), rows as usize);
        for place in [0, 1, 2, 1 << 16, rows as usize - 1] {
            assert_eq!(read.keys.get(place), nodes[place].to_string());
            assert_eq!(read.columns[0].1[place], scores[nodes[place] as usize]);
        }
    }
}

#[test]
fn a_batch_that_inflates_to_more_than_it_can_is_refused() {
    let bytes = std::fs::read(fixture("pyarrow_zstd.arrow")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // The sizes of the uncompressed columns are 8-byte numbers before frames of zstd.
    let frame = [0x28, 0xb5, 0x2f, 0xfd];
    let places = (8..bytes.len() - 4).filter(|&i| bytes[i..i + 4] == frame);
    let mut refused = 0;
    for place in places {
        let mut bytes = bytes.clone();
        bytes[place - 8..place].copy_from_slice(&(1i64 << 60).to_le_bytes());
        let problem = read_bytes(folder.path(), "x.arrow", &bytes).unwrap_err();
        assert!(problem.contains("more than it can"), "{problem}");
        refused += 1;
    }
    assert!(refused > 0);
}
