use super::super::tests::{arcs, import_with, named_arcs, problem, weights};
use crate::import::ImportOptions;
use arrow_array::types::{Decimal32Type, Decimal128Type, Float16Type};
use arrow_array::{
    ArrayRef, Decimal256Array, Float64Array, Int64Array, PrimitiveArray, RecordBatch, StringArray,
    UInt64Array,
};
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
    let words = "a.arrow: column 'count' holds Float64, not keys: strings, integers or decimals \
                 of up to 38 digits";
    assert!(problem.ends_with(words), "{problem}");
}

/// The graph in a stream, and its notes.
fn told(columns: &[(&str, ArrayRef)]) -> (webrank_graph::Graph, Vec<String>) {
    let (graph, report) = super::super::tests::import_reporting("a.arrow", stream(columns));
    (
        graph,
        report.notes.iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn rows_say_whether_they_have_a_direction() {
    let (graph, notes) = told(&[
        ("Source", texts(&[Some("a"), Some("b")])),
        ("Target", texts(&[Some("b"), Some("c")])),
        ("Type", texts(&[Some("Undirected"), Some("Directed")])),
        ("Id", integers(&[0, 1])),
        ("Weight", Arc::new(Float64Array::from(vec![0.5, 2.0]))),
    ]);
    let expected = [("a", "b"), ("b", "a"), ("b", "c")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(weights(&graph), Some(vec![0.5, 0.5, 2.0]));
    let expected = [
        "columns Source, Target, Weight, Type",
        "column Id not used",
        "1 of 2 edges undirected",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn columns_of_counts_are_weights_and_years_are_not() {
    let ends = [
        ("source", texts(&[Some("a"), Some("b")])),
        ("target", texts(&[Some("b"), Some("c")])),
    ];
    let [source, target] = &ends;
    for (name, expected) in [
        ("n", Some(vec![3.0, 4.0])),
        ("c", Some(vec![3.0, 4.0])),
        ("count", Some(vec![3.0, 4.0])),
        ("year", None),
        ("time", None),
    ] {
        let third = (name, integers(&[3, 4]));
        let (graph, notes) = told(&[source.clone(), target.clone(), third.clone()]);
        assert_eq!(weights(&graph), expected, "{name}");
        let is_told = notes
            .iter()
            .any(|it| it.contains(&format!("column {name}")));
        assert_eq!(is_told, expected.is_none(), "{notes:?}");
        // Beside others, those whose names say it.
        let other = ("since", integers(&[7, 8]));
        let (graph, _) = told(&[source.clone(), target.clone(), other, third]);
        assert_eq!(weights(&graph), expected, "{name}");
    }
    // Names that say nothing: what looks like a time is none.
    for (values, expected) in [([3, 4], true), ([1_217_567_877, 1_217_567_900], false)] {
        let (graph, _) = told(&[
            ("x", texts(&[Some("a"), Some("b")])),
            ("y", texts(&[Some("b"), Some("c")])),
            ("z", integers(&values)),
        ]);
        assert_eq!(weights(&graph).is_some(), expected);
    }
    // Texts that look like numbers are no weights, and the index of pandas is none.
    let digits = ("zip", texts(&[Some("10115"), Some("20095")]));
    let (graph, notes) = told(&[source.clone(), target.clone(), digits]);
    assert_eq!(weights(&graph), None);
    assert!(
        notes.contains(&"column zip not used".to_owned()),
        "{notes:?}"
    );
    let index = ("__index_level_0__", integers(&[5, 6]));
    let (graph, _) = told(&[source.clone(), target.clone(), index]);
    assert_eq!(weights(&graph), None);
    let file = stream(&[("__index_level_0__", integers(&[5, 6]))]);
    let refused = problem("a.arrow", file, &ImportOptions::default());
    assert!(refused.ends_with("a table without columns"), "{refused}");
    let file = stream(&[("x", integers(&[5, 6]))]);
    let refused = problem("a.arrow", file, &ImportOptions::default());
    assert!(refused.contains("one column, but arcs need"), "{refused}");
    let nulls: ArrayRef = Arc::new(Int64Array::from(vec![Some(3), None]));
    let file = stream(&[source.clone(), target.clone(), ("n", nulls)]);
    let refused = problem("a.arrow", file, &ImportOptions::default());
    assert!(
        refused.ends_with("row 2: column 'n' is null; fill it, or leave out the row"),
        "{refused}"
    );
}

#[test]
fn tables_of_nodes_and_of_many_columns_are_refused() {
    for (names, words) in [
        (
            ["id", "label", "size"],
            "a table of nodes ('id', 'label', 'size'), not of arcs",
        ),
        (
            ["a", "b", "d"],
            "which columns hold the arcs? there are 'a', 'b', 'd'; say so, as in --columns a,b",
        ),
    ] {
        let column = || texts(&[Some("x"), Some("y")]);
        let file = stream(&names.map(|name| (name, column())));
        let refused = problem("a.arrow", file, &ImportOptions::default());
        assert!(refused.contains(words), "{refused}");
    }
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
        refused.contains("a.arrow: row 2: column 'source' is null; fill it"),
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
    let folder = std::path::PathBuf::from(webrank_testing::at!("tests/fixtures/import"));
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

#[test]
fn decimals_and_short_floats_of_arrow() {
    let nodes = PrimitiveArray::<Decimal128Type>::from(vec![700, 800]);
    let others = PrimitiveArray::<Decimal32Type>::from(vec![8, 9]);
    let halves = PrimitiveArray::<Float16Type>::from_iter_values(
        [0.5f32, 2f32.powi(-14)]
            .map(<Float16Type as arrow_array::ArrowPrimitiveType>::Native::from_f32),
    );
    let columns: [(&str, ArrayRef); 3] = [
        (
            "from",
            Arc::new(nodes.with_precision_and_scale(20, 2).unwrap()),
        ),
        (
            "to",
            Arc::new(others.with_precision_and_scale(9, 0).unwrap()),
        ),
        ("weight", Arc::new(halves)),
    ];
    let file = stream(&columns);
    let graph = import_with("a.arrow", &file, &ImportOptions::default()).unwrap();
    let expected = [("7", "8"), ("8", "9")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(named_arcs(&graph), expected);
    assert_eq!(weights(&graph), Some(vec![0.5, 2f64.powi(-14)]));
    let ids = ImportOptions {
        ids: true,
        ..Default::default()
    };
    let graph = import_with("a.arrow", &file, &ids).unwrap();
    assert_eq!(arcs(&graph), [(7, 8), (8, 9)]);
    let mut columns = columns;
    columns[2].1 = Arc::new(Decimal256Array::from(vec![None, None]));
    let refused = problem("a.arrow", stream(&columns), &ImportOptions::default());
    assert!(
        refused.ends_with("floating-point numbers or decimals of up to 38 digits"),
        "{refused}"
    );
}

/// A file with the columns source, target and weight of these types, whose values are the bytes.
fn parquet(kinds: [&str; 3], values: [&[&[u8]]; 3]) -> Vec<u8> {
    use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
    use parquet::data_type::{Int32Type, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    let [source, target, weight] = kinds;
    let schema =
        format!("message m {{ required {source}; required {target}; required {weight}; }}");
    let schema = Arc::new(parquet::schema::parser::parse_message_type(&schema).unwrap());
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for (kind, values) in kinds.iter().zip(values) {
        let mut column = group.next_column().unwrap().unwrap();
        let bytes = || values.iter().map(|value| ByteArray::from(value.to_vec()));
        match kind.split(['(', ' ']).next().unwrap() {
            "INT32" => {
                let values = values
                    .iter()
                    .map(|value| i32::from_le_bytes(value[..].try_into().unwrap()));
                let values: Vec<i32> = values.collect();
                column
                    .typed::<Int32Type>()
                    .write_batch(&values, None, None)
                    .unwrap();
            }
            "INT64" => {
                let values = values
                    .iter()
                    .map(|value| i64::from_le_bytes(value[..].try_into().unwrap()));
                let values: Vec<i64> = values.collect();
                column
                    .typed::<Int64Type>()
                    .write_batch(&values, None, None)
                    .unwrap();
            }
            "BYTE_ARRAY" => {
                let values: Vec<ByteArray> = bytes().collect();
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&values, None, None)
                    .unwrap();
            }
            _ => {
                let values: Vec<FixedLenByteArray> = bytes().map(FixedLenByteArray::from).collect();
                column
                    .typed::<FixedLenByteArrayType>()
                    .write_batch(&values, None, None)
                    .unwrap();
            }
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn decimals_and_short_floats_of_parquet() {
    let file = parquet(
        [
            "INT32 source (DECIMAL(9,1))",
            "FIXED_LEN_BYTE_ARRAY(3) target (DECIMAL(6,0))",
            "FIXED_LEN_BYTE_ARRAY(2) weight (FLOAT16)",
        ],
        [
            &[&70i32.to_le_bytes(), &15i32.to_le_bytes()],
            &[&[0, 1, 0], &[0xff, 0xff, 0xfe]],
            &[&[0x00, 0x3c], &[0x01, 0x00]],
        ],
    );
    let graph = import_with("a.parquet", &file, &ImportOptions::default()).unwrap();
    let expected = [("1.5", "-2"), ("7", "256")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(named_arcs(&graph), expected);
    assert_eq!(weights(&graph), Some(vec![2f64.powi(-24), 1.0]));
    let file = parquet(
        [
            "INT64 source (DECIMAL(18,2))",
            "BYTE_ARRAY target (DECIMAL(20,1))",
            "BYTE_ARRAY weight (DECIMAL(38,3))",
        ],
        [&[&300i64.to_le_bytes()], &[&[50]], &[&[0x04, 0xd2]]],
    );
    let graph = import_with("a.parquet", &file, &ImportOptions::default()).unwrap();
    assert_eq!(named_arcs(&graph), [("3".to_owned(), "5".to_owned())]);
    assert_eq!(weights(&graph), Some(vec![1.234]));
    let long: &[u8] = &[1; 17];
    for (kind, words) in [
        (
            "BYTE_ARRAY weight (DECIMAL(38,3))",
            "a decimal of more than 16 bytes",
        ),
        (
            "BYTE_ARRAY weight (DECIMAL(39,3))",
            "decimals of up to 38 digits",
        ),
        (
            "BYTE_ARRAY weight (UTF8)",
            "not numbers: integers, floating-point numbers or decimals",
        ),
    ] {
        let kinds = ["INT64 source", "INT64 target", kind];
        let one: &[&[u8]] = &[&1i64.to_le_bytes()];
        let file = parquet(kinds, [one, one, &[long]]);
        let refused = problem("a.parquet", &file, &ImportOptions::default());
        assert!(refused.contains(words), "{kind}: {refused}");
    }
}

#[cfg(feature = "parquet")]
mod lz4;
