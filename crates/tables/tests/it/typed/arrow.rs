use super::{read, table};
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type, Int32Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BinaryViewArray, Decimal256Array, DictionaryArray,
    Float64Array, Int64Array, LargeBinaryArray, PrimitiveArray, RecordBatch, StringArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use std::sync::Arc;

fn batch(name: ArrayRef, score: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter([("name", name), ("score", score)]).unwrap()
}

/// A file of a batch with these keys and scores.
fn file(name: ArrayRef, score: ArrayRef) -> Vec<u8> {
    let batch = batch(name, score);
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn names() -> ArrayRef {
    Arc::new(StringArray::from(vec!["a", "b"]))
}

#[test]
fn decimals_are_scores() {
    let short = PrimitiveArray::<Decimal32Type>::from(vec![125, -5]);
    let middle = PrimitiveArray::<Decimal64Type>::from(vec![125, -5]);
    let long = PrimitiveArray::<Decimal128Type>::from(vec![125, -5]);
    let decimals: [ArrayRef; 3] = [
        Arc::new(short.with_precision_and_scale(9, 2).unwrap()),
        Arc::new(middle.with_precision_and_scale(18, 2).unwrap()),
        Arc::new(long.with_precision_and_scale(38, 2).unwrap()),
    ];
    for decimals in decimals {
        let (keys, scores) = table("x.arrow", &file(names(), decimals));
        assert_eq!(keys, ["a", "b"]);
        assert_eq!(scores, [1.25, -0.05]);
    }
}

#[test]
fn decimals_are_keys_without_zeros_at_their_end() {
    let keys = PrimitiveArray::<Decimal128Type>::from(vec![700, 825]);
    let keys = Arc::new(keys.with_precision_and_scale(20, 2).unwrap());
    let scores = Arc::new(Float64Array::from(vec![0.5, 2.0]));
    let (keys, scores) = table("x.arrow", &file(keys, scores));
    assert_eq!(keys, ["7", "8.25"]);
    assert_eq!(scores, [0.5, 2.0]);
}

#[test]
fn half_floats_are_scores() {
    let halves = [0.5f32, -65504.0, 2f32.powi(-24)];
    let halves = halves.map(<Float16Type as ArrowPrimitiveType>::Native::from_f32);
    let halves = PrimitiveArray::<Float16Type>::from_iter_values(halves);
    let keys = Arc::new(Int64Array::from(vec![3, -1, 4]));
    let (keys, scores) = table("x.arrow", &file(keys, Arc::new(halves)));
    assert_eq!(keys, ["3", "-1", "4"]);
    assert_eq!(scores, [0.5, -65504.0, 2f64.powi(-24)]);
}

#[test]
fn binary_strings_are_keys_if_they_are_utf_8() {
    let good: [&[u8]; 2] = ["na\u{ef}ve".as_bytes(), b"b"];
    let bad: [&[u8]; 2] = [b"a", b"\xff"];
    let arrays = |texts: [&[u8]; 2]| -> [ArrayRef; 3] {
        [
            Arc::new(BinaryArray::from_iter_values(texts)),
            Arc::new(LargeBinaryArray::from_iter_values(texts)),
            Arc::new(BinaryViewArray::from_iter_values(texts)),
        ]
    };
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 2.0]));
    for keys in arrays(good) {
        let (keys, _) = table("x.arrow", &file(keys, scores.clone()));
        assert_eq!(keys, ["na\u{ef}ve", "b"]);
    }
    for keys in arrays(bad) {
        let problem = read("x.arrow", &file(keys, scores.clone())).unwrap_err();
        assert!(problem.contains("row 2: a text is not UTF-8"), "{problem}");
    }
}

#[test]
fn dictionaries_are_looked_up_and_their_nulls_are_nulls() {
    let scores = PrimitiveArray::<Float32Type>::from(vec![Some(0.5), None, Some(2.0)]);
    let scores: ArrayRef = Arc::new(scores);
    let dictionary = |places: Vec<i32>| -> ArrayRef {
        let places = PrimitiveArray::<Int32Type>::from(places);
        Arc::new(DictionaryArray::new(places, scores.clone()))
    };
    let (_, read_scores) = table("x.arrow", &file(names(), dictionary(vec![2, 0])));
    assert_eq!(read_scores, [2.0, 0.5]);
    let problem = read("x.arrow", &file(names(), dictionary(vec![2, 1]))).unwrap_err();
    assert!(
        problem.contains("row 2: column 'score' is null"),
        "{problem}"
    );
}

#[test]
fn types_without_a_number_are_refused_with_their_column() {
    let longer: ArrayRef = Arc::new(Decimal256Array::from(vec![None, None]));
    for (scores, found) in [(longer, "Decimal256"), (names(), "Utf8")] {
        let problem = read("x.arrow", &file(names(), scores)).unwrap_err();
        let words = format!("x.arrow: column 'score' holds {found}");
        assert!(problem.contains(&words), "{problem}");
        assert!(
            problem.ends_with("or decimals of up to 38 digits"),
            "{problem}"
        );
    }
}

#[test]
fn streams_are_tables_and_files_without_their_end_are_none() {
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 2.0]));
    let batch = batch(names(), scores.clone());
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch.slice(0, 0)).unwrap();
    let stream = writer.into_inner().unwrap();
    assert_eq!(table("x.arrows", &stream).1, [0.5, 2.0]);
    let file = file(names(), scores);
    // The index begins behind the end of the stream.
    let end = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    let end = file.windows(8).rposition(|bytes| bytes == end).unwrap();
    for length in [end, end + 8, file.len() - 1] {
        let problem = read("x.arrow", &file[..length]).unwrap_err();
        assert!(
            problem.contains("the end of the file is missing"),
            "{length}: {problem}"
        );
    }
}
