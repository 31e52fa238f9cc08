use super::super::tests::{arcs, import_with, named_arcs, problem, weights};
use crate::graph::import::ImportOptions;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::writer::StreamWriter;
use std::sync::Arc;

/// A stream of one batch with these columns.
fn stream(columns: &[(&str, ArrayRef)]) -> Vec<u8> {
    let columns = columns.iter().map(|(name, array)| (*name, array.clone()));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn texts(texts: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

fn integers(integers: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(integers.to_vec()))
}

#[test]
fn columns_are_found_by_name_or_chosen() {
    let file = stream(&[
        ("dst", texts(&[Some("b"), Some("c")])),
        ("src", texts(&[Some("a"), Some("a")])),
        ("other", integers(&[1, 2])),
        ("count", Arc::new(Float64Array::from(vec![0.5, 2.0]))),
    ]);
    let graph = import_with("a.arrow", &file, &ImportOptions::default()).unwrap();
    let expected = [("a", "b"), ("a", "c")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(named_arcs(&graph), expected);
    assert_eq!(weights(&graph), Some(vec![0.5, 2.0]));
    let options = ImportOptions {
        columns: Some(["other", "dst"].map(str::to_owned).to_vec()),
        ..Default::default()
    };
    let graph = import_with("a.arrow", &file, &options).unwrap();
    let expected = [("1", "b"), ("2", "c")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(named_arcs(&graph), expected);
    assert_eq!(weights(&graph), None);
    let options = ImportOptions {
        columns: Some(["count", "dst"].map(str::to_owned).to_vec()),
        ..Default::default()
    };
    let problem = problem("a.arrow", &file, &options);
    let words = "a.arrow: column 'count' holds Float64, not strings or integers";
    assert!(problem.ends_with(words), "{problem}");
}

#[test]
fn integers_are_names_or_numbers() {
    let file = stream(&[("from", integers(&[-1, 5])), ("to", integers(&[5, 7]))]);
    let graph = import_with("a.arrow", &file, &ImportOptions::default()).unwrap();
    let expected = [("-1", "5"), ("5", "7")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(named_arcs(&graph), expected);
    let ids = ImportOptions {
        ids: true,
        ..Default::default()
    };
    let refused = problem("a.arrow", &file, &ids);
    assert!(
        refused.contains("a.arrow: row 1: -1 is not a node number"),
        "{refused}"
    );
    let file = stream(&[("from", integers(&[1, 5])), ("to", integers(&[5, 7]))]);
    let graph = import_with("a.arrow", &file, &ids).unwrap();
    assert_eq!(arcs(&graph), [(1, 5), (5, 7)]);
    let large: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX]));
    let file = stream(&[("from", large.clone()), ("to", large)]);
    let graph = import_with("a.arrow", &file, &ImportOptions::default()).unwrap();
    assert_eq!(graph.name(0), u64::MAX.to_string());
}

#[test]
fn nulls_are_bad_records_with_their_row() {
    let file = stream(&[
        ("source", texts(&[Some("a"), None, Some("b")])),
        ("target", texts(&[Some("b"), Some("a"), Some("a")])),
    ]);
    let refused = problem("a.arrow", &file, &ImportOptions::default());
    assert!(
        refused.ends_with("a.arrow: row 2: column 'source' is null"),
        "{refused}"
    );
    let options = ImportOptions {
        skip_bad: 1,
        ..Default::default()
    };
    let graph = import_with("a.arrow", &file, &options).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
}

#[test]
fn truncated_files_are_refused() {
    let folder = std::path::Path::new("tests/fixtures/import");
    for (name, place) in [
        ("lonely_text.parquet", "Parquet table that can be read: "),
        ("lonely_text.arrow", "byte "),
        ("lonely_text.arrows", "byte "),
    ] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let refused = problem(name, &bytes[..bytes.len() / 2], &ImportOptions::default());
        assert!(
            refused.contains(name) && refused.contains(place),
            "{refused}"
        );
    }
}
