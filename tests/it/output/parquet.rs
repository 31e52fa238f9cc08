//! Parquet tables: from other programs, from `rank`, and damaged.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use webrank_tables::keys::Keys;
use webrank_tables::read::{ScoreFile, read_scores};
use webrank_tables::table::{Column, Table};
use webrank_tables::write::{TableFormat, write};

/// See make_parquet_fixtures.py.
fn fixture(name: &str) -> PathBuf {
    format!("tests/fixtures/parquet/{name}.parquet").into()
}

const SAME_ROWS: [&str; 6] = [
    "pyarrow_dictionary_snappy",
    "pyarrow_large_string_gzip",
    "pyarrow_uint64_v2_none",
    "pyarrow_integer_scores",
    "polars_zstd",
    "pandas_index",
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
        let scale = if name == "pyarrow_integer_scores" {
            4.0
        } else {
            1.0
        };
        let scores = [0.5, 3.0, 0.0, 1.25, 7.0].map(|score| scale * score);
        assert_eq!(
            read.columns,
            [("score".to_owned(), scores.to_vec())],
            "{name}"
        );
    }
}

#[test]
fn what_is_no_table_of_scores_is_refused_with_the_row() {
    for (name, words) in [
        ("null_score", "row 3: column 'score' is null"),
        ("null_key", "row 2: column 'name' is null"),
        (
            "nan_score",
            "row 2: 'NaN' in column 'score' is not a finite number",
        ),
        ("repeated_key", "row 3: 'b' occurs twice"),
        (
            "string_score",
            "column 'score' holds BYTE_ARRAY (String), not numbers",
        ),
        (
            "list_score",
            "column 'score.list.element' holds nested values",
        ),
        ("lz4", "row 2: 'a' occurs twice"),
    ] {
        let problem = read_scores(&fixture(name), None).unwrap_err().to_string();
        assert!(problem.contains(words), "{name}: {problem}");
        assert!(
            problem.contains(name) && !problem.contains('\n'),
            "{problem}"
        );
    }
}

fn read_bytes(folder: &Path, bytes: &[u8]) -> Result<ScoreFile, String> {
    let path = folder.join("scores.parquet");
    std::fs::write(&path, bytes).unwrap();
    read_scores(&path, None).map_err(|problem| problem.to_string())
}

#[test]
fn truncated_files_are_errors_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for name in SAME_ROWS {
        let bytes = std::fs::read(fixture(name)).unwrap();
        // Every third length, and all near the end.
        let lengths = (0..bytes.len()).step_by(3);
        for length in lengths.chain(bytes.len() - 12..bytes.len()) {
            let problem = read_bytes(folder.path(), &bytes[..length]).unwrap_err();
            assert!(
                problem.contains("scores.parquet") && !problem.contains('\n'),
                "{problem}"
            );
        }
    }
}

#[test]
fn damaged_files_are_errors_of_one_line_or_other_tables() {
    let folder = tempfile::tempdir().unwrap();
    let mut unfit = None;
    for name in SAME_ROWS {
        let bytes = std::fs::read(fixture(name)).unwrap();
        for place in (0..bytes.len()).step_by(4) {
            let mut bytes = bytes.clone();
            bytes[place] ^= [0x01, 0x80, 0xFF][place % 3];
            if let Err(problem) = read_bytes(folder.path(), &bytes) {
                assert!(!problem.contains('\n'), "{name}, {place}: {problem}");
                if problem.contains("do not fit together") {
                    unfit.get_or_insert(bytes);
                }
            }
        }
    }
    // A failed assertion of the reader is also reported in one line.
    let path = folder.path().join("unfit.parquet");
    std::fs::write(&path, unfit.unwrap()).unwrap();
    #[cfg(feature = "cli")]
    {
        use webrank_testing::cli::{failure, text};
        let message = failure(&["compare", text(&path), text(&path)], 1);
        assert!(message.contains("do not fit together"), "{message}");
    }
}

fn round_trip(table: Table) -> ScoreFile {
    let mut bytes = Vec::new();
    write(
        &table.into_columns(),
        TableFormat::Parquet,
        None,
        &mut bytes,
    )
    .unwrap();
    read_bytes(tempfile::tempdir().unwrap().path(), &bytes).unwrap()
}

proptest! {
    #[test]
    fn numbers_read_back_to_the_same_bits(
        bits in prop::collection::vec(any::<u64>().prop_map(f64::from_bits), 1..50),
    ) {
        let scores: Vec<f64> = bits.into_iter().filter(|score| score.is_finite()).collect();
        let read = round_trip(Table {
            nodes: None,
            num_nodes: scores.len(),
            names: None,
            columns: vec![("score".into(), Column::Numbers(&scores))],
        });
        let bits = |scores: &[f64]| scores.iter().map(|s| s.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&read.columns[0].1), bits(&scores));
        prop_assert!(read.keys.iter().enumerate().all(|(row, key)| key == row.to_string()));
    }
}

#[test]
fn tables_of_several_row_groups() {
    let rows = (1 << 20) + 3;
    let scores: Vec<f64> = (0..rows).map(|row| f64::from(row % 1009)).collect();
    let nodes: Vec<u32> = (0..rows).rev().collect();
    let read = round_trip(Table {
        nodes: Some(nodes.clone()),
        num_nodes: rows as usize,
        names: None,
        columns: vec![("score".into(), Column::Numbers(&scores))],
    });
    assert_eq!(read.keys.len(), rows as usize);
    let places = [0, 1, 2, 1 << 20, rows as usize - 1];
    for place in places {
        assert_eq!(read.keys.get(place), nodes[place].to_string());
        assert_eq!(read.columns[0].1[place], scores[nodes[place] as usize]);
    }
}
