use super::super::tests::{arcs, import, problem, weights};
use crate::import::ImportOptions;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An array of integers.
fn integers(numbers: &[i64]) -> Vec<u8> {
    let length = format!("({},)", numbers.len());
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    array("<i8", &length, &bytes.collect::<Vec<_>>())
}

fn array(kind: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.as_bytes());
    array.extend(bytes);
    array
}

/// A matrix in compressed rows, with some arrays instead of those of 0 -> 1 -> 2 -> 0.
fn matrix(others: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, array) in [
        ("format", array("|S3", "()", b"csr")),
        ("shape", integers(&[3, 3])),
        ("indptr", integers(&[0, 1, 2, 3])),
        ("indices", integers(&[1, 2, 0])),
        ("data", integers(&[5, 6, 7])),
    ] {
        let other = others.iter().find(|(other, _)| *other == name);
        let array = other.map_or(&array, |(_, array)| array);
        if array.is_empty() {
            continue;
        }
        zip.start_file(format!("{name}.npy"), SimpleFileOptions::default())
            .unwrap();
        zip.write_all(array).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn entries_are_arcs() {
    let graph = import("g.npz", matrix(&[])).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 2), (2, 0)]);
    assert_eq!(weights(&graph), Some(vec![5.0, 6.0, 7.0]));
    let text = array("<U3", "()", b"c\0\0\0s\0\0\0c\0\0\0");
    let graph = import("g.npz", matrix(&[("format", text)])).unwrap();
    assert_eq!(arcs(&graph), [(0, 2), (1, 0), (2, 1)]);
    let graph = import("g.npz", matrix(&[("data", integers(&[1, 1, 1]))])).unwrap();
    assert_eq!(weights(&graph), None);
}

#[test]
fn what_is_no_matrix_of_a_graph_is_refused_with_its_array() {
    for (name, array, words) in [
        (
            "format",
            array("|S3", "()", b"bsr"),
            "a matrix in format 'bsr'",
        ),
        ("format", integers(&[1]), "array format: its type is"),
        (
            "format",
            vec![],
            "an archive of arrays ('shape', 'indptr', 'indices', 'data'), not a matrix",
        ),
        ("shape", integers(&[3, 4]), "3 rows and 4 columns"),
        ("shape", integers(&[3]), "array shape: not the numbers"),
        (
            "shape",
            integers(&[4, 4]),
            "array indptr: not one entry more than the 4",
        ),
        (
            "indptr",
            integers(&[0, 2, 1, 3]),
            "array indptr: entry 3 is 1, out of order",
        ),
        // After the last entry.
        (
            "indptr",
            integers(&[0, 1, 3, 1]),
            "array indptr: entry 4 is 1, out of order",
        ),
        (
            "indptr",
            integers(&[1, 1, 2, 3]),
            "array indptr: entry 1 is 1, out of order",
        ),
        (
            "indptr",
            integers(&[0, 1, 2, 4]),
            "array indptr: entry 4 is 4, out of order",
        ),
        (
            "indptr",
            integers(&[0, 1, 2, 2]),
            "array indptr: it ends at 2, but there are 3",
        ),
        (
            "indices",
            integers(&[1, 3, 0]),
            "entry 2: 3 is not below the 3 nodes",
        ),
        ("indices", integers(&[1, -1, 0]), "entry 2: -1 is not below"),
        (
            "indices",
            array("<f8", "(3,)", &[0; 24]),
            "array indices: its type is '",
        ),
        ("indices", array("<i8", "(3,)", &[0; 20]), "array indices: "),
        (
            "data",
            integers(&[5, -7, 7]),
            "entry 2: the weight -7 is negative",
        ),
        (
            "data",
            integers(&[5]),
            "array data: not one entry for each of 3",
        ),
        (
            "data",
            array("<c16", "(0,)", b""),
            "array data: its type is '",
        ),
        ("data", array("<i8", "(9", b""), "array data: "),
    ] {
        let file = matrix(&[(name, array)]);
        let problem = problem("g.npz", file, &ImportOptions::default());
        assert!(
            problem.contains("g.npz: ") && problem.contains(words),
            "{words}: {problem}"
        );
    }
    let problem = problem("g.npz", b"PK\x03\x04", &ImportOptions::default());
    assert!(problem.contains("g.npz: not a .npz file"), "{problem}");
}
