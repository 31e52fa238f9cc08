use super::{read, table};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    Int32Type, Int64Type,
};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use std::collections::BTreeSet;
use std::sync::Arc;
use webrank_tables::read::cells::Cell;
use webrank_tables::read::columns::{BATCH_BYTES, Batch, ColumnFile};
use webrank_tables::read::parquet::ParquetTable;
use webrank_tables::read::{Values, open_table};

/// The values of a column.
enum Written<'a> {
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    Double(&'a [f64]),
    Bytes(&'a [&'a [u8]]),
    Fixed(&'a [&'a [u8]]),
    Nullable(&'a [Option<&'a str>]),
}

/// A file with these columns, given as Parquet's schemas write them.
fn file(columns: &[(&str, Written)]) -> Vec<u8> {
    let fields: Vec<String> = columns
        .iter()
        .map(|(field, values)| match values {
            Written::Nullable(_) => format!("optional {field};"),
            _ => format!("required {field};"),
        })
        .collect();
    let schema = format!("message m {{ {} }}", fields.join(" "));
    let schema = Arc::new(parquet::schema::parser::parse_message_type(&schema).unwrap());
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for (_, values) in columns {
        let mut column = group.next_column().unwrap().unwrap();
        let bytes = |values: &[&[u8]]| -> Vec<ByteArray> {
            values.iter().map(|value| value.to_vec().into()).collect()
        };
        match values {
            Written::Int32(values) => write::<Int32Type>(&mut column, values),
            Written::Int64(values) => write::<Int64Type>(&mut column, values),
            Written::Double(values) => write::<DoubleType>(&mut column, values),
            Written::Bytes(values) => write::<ByteArrayType>(&mut column, &bytes(values)),
            Written::Fixed(values) => {
                let values = bytes(values).into_iter().map(FixedLenByteArray::from);
                let values: Vec<FixedLenByteArray> = values.collect();
                write::<FixedLenByteArrayType>(&mut column, &values);
            }
            Written::Nullable(values) => {
                let levels: Vec<i16> = values.iter().map(|it| it.is_some().into()).collect();
                let values = values.iter().flatten();
                let values: Vec<ByteArray> = values.map(|&text| text.into()).collect();
                let column = column.typed::<ByteArrayType>();
                column.write_batch(&values, Some(&levels), None).unwrap();
            }
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    file
}

fn write<T: DataType>(column: &mut SerializedColumnWriter, values: &[T::T]) {
    column.typed::<T>().write_batch(values, None, None).unwrap();
}

const NODES: (&str, Written) = ("INT64 node", Written::Int64(&[5, 7]));

#[test]
fn decimals_are_scores() {
    // 1.25 and -0.05, in all forms that Spark and others write.
    for (field, scores) in [
        ("INT32 score (DECIMAL(9,2))", Written::Int32(&[125, -5])),
        ("INT64 score (DECIMAL(18,2))", Written::Int64(&[125, -5])),
        (
            "FIXED_LEN_BYTE_ARRAY(3) score (DECIMAL(6,2))",
            Written::Fixed(&[&[0, 0, 125], &[0xff, 0xff, 0xfb]]),
        ),
        (
            "BYTE_ARRAY score (DECIMAL(38,2))",
            Written::Bytes(&[&[125], &[0xff, 0xfb]]),
        ),
    ] {
        let (keys, scores) = table("x.parquet", &file(&[NODES, (field, scores)]));
        assert_eq!(keys, ["5", "7"], "{field}");
        assert_eq!(scores, [1.25, -0.05], "{field}");
    }
}

#[test]
fn decimals_are_keys_without_zeros_at_their_end() {
    let keys = ("INT32 name (DECIMAL(9,1))", Written::Int32(&[70, -15]));
    let scores = ("DOUBLE score", Written::Double(&[0.5, 2.0]));
    let (keys, _) = table("x.parquet", &file(&[keys, scores]));
    assert_eq!(keys, ["7", "-1.5"]);
}

#[test]
fn half_floats_are_scores() {
    let field = "FIXED_LEN_BYTE_ARRAY(2) score (FLOAT16)";
    let halves = Written::Fixed(&[&[0x00, 0x3c], &[0x01, 0x80]]);
    let (_, scores) = table("x.parquet", &file(&[NODES, (field, halves)]));
    assert_eq!(scores, [1.0, -2f64.powi(-24)]);
}

#[test]
fn binary_strings_are_keys_if_they_are_utf_8() {
    let scores = || ("DOUBLE score", Written::Double(&[0.5, 2.0]));
    let keys = Written::Bytes(&["na\u{ef}ve".as_bytes(), b"b"]);
    let (keys, _) = table("x.parquet", &file(&[("BYTE_ARRAY name", keys), scores()]));
    assert_eq!(keys, ["na\u{ef}ve", "b"]);
    let keys = Written::Bytes(&[b"a", b"\xff"]);
    let problem = read("x.parquet", &file(&[("BYTE_ARRAY name", keys), scores()])).unwrap_err();
    assert!(problem.contains("row 2: a text is not UTF-8"), "{problem}");
}

#[test]
fn nulls_among_texts_are_missing_cells() {
    let scores = ("DOUBLE score", Written::Double(&[0.5, 2.0, 1.0]));
    let names = Written::Nullable(&[Some("a"), None, Some("c")]);
    let nodes = ("INT64 node", Written::Int64(&[5, 7, 9]));
    let file = file(&[("BYTE_ARRAY name (UTF8)", names), nodes, scores]);
    let problem = read("x.parquet", &file).unwrap_err();
    assert!(
        problem.contains("row 2: column 'name' is null"),
        "{problem}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    std::fs::write(&path, file).unwrap();
    let table = open_table(&path).unwrap().read("node").unwrap();
    let names = [0, 1, 2].map(|row| table.columns[0].1.text(row));
    assert_eq!(names, [Some("a".into()), None, Some("c".into())]);
}

#[test]
fn decimals_that_128_bits_do_not_hold_are_refused() {
    let long: &[&[u8]] = &[&[1; 17], &[1; 17]];
    for (field, words) in [
        (
            "BYTE_ARRAY score (DECIMAL(38,3))",
            "a decimal of more than 16 bytes",
        ),
        (
            "BYTE_ARRAY score (DECIMAL(39,3))",
            "column 'score' holds BYTE_ARRAY (Decimal",
        ),
        (
            "BYTE_ARRAY score",
            "column 'score' holds BYTE_ARRAY, not numbers",
        ),
    ] {
        let file = file(&[NODES, (field, Written::Bytes(long))]);
        let problem = read("x.parquet", &file).unwrap_err();
        assert!(problem.contains(words), "{field}: {problem}");
    }
}

#[test]
fn decimals_are_numbers_in_whole_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let scores = ("INT32 score (DECIMAL(9,2))", Written::Int32(&[125, -5]));
    std::fs::write(&path, file(&[NODES, scores])).unwrap();
    let table = open_table(&path).unwrap().read("node").unwrap();
    let (name, entries) = &table.columns[0];
    assert_eq!(name, "score");
    assert!(matches!(&entries.values, Values::Numbers(scores) if *scores == [1.25, -0.05]));
}

/// The places and lengths of the texts of a column, batch by batch.
fn batches(bytes: &[u8]) -> Vec<Vec<(usize, usize)>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    std::fs::write(&path, bytes).unwrap();
    let mut batches = Vec::new();
    let take = &mut |batch: Batch| {
        let column = &batch.columns[0];
        let texts = (0..column.len()).map(|row| match column.cell(row) {
            Ok(Cell::Text(text)) => (text.as_ptr() as usize, text.len()),
            _ => panic!("a text in every row"),
        });
        batches.push(texts.collect());
        Ok(true)
    };
    ParquetTable::open(&path)
        .unwrap()
        .batches(&[0, 1], take)
        .unwrap();
    batches
}

/// A small file may hold a text that is as long as the memory, and say that it is in every row.
#[test]
fn a_long_text_is_held_once_however_many_rows_have_it() {
    let text = vec![b'x'; 1 << 18];
    let numbers: Vec<i64> = (0..400).collect();
    let texts = vec![&text[..]; 400];
    let bytes = file(&[
        ("BYTE_ARRAY name (UTF8)", Written::Bytes(&texts)),
        ("INT64 node", Written::Int64(&numbers)),
    ]);
    assert!(bytes.len() < 1 << 20);
    let batches = batches(&bytes);
    let places: BTreeSet<(usize, usize)> = batches.iter().flatten().copied().collect();
    assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), 400);
    assert_eq!(places.len(), 1, "the text of the dictionary");
}

#[test]
fn batches_end_where_they_hold_too_many_bytes() {
    // Pages of a MiB, as each text is another one.
    let texts: Vec<Vec<u8>> = (0..100u8).map(|first| vec![first; 1 << 20]).collect();
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    let numbers: Vec<i64> = (0..100).collect();
    let bytes = file(&[
        ("BYTE_ARRAY name (UTF8)", Written::Bytes(&texts)),
        ("INT64 node", Written::Int64(&numbers)),
    ]);
    let batches = batches(&bytes);
    assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), 100);
    for batch in &batches {
        let held: usize = batch.iter().map(|(_, length)| length).sum();
        assert!(held <= (BATCH_BYTES as usize) + (2 << 20), "{held} bytes");
    }
}
