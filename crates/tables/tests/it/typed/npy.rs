use super::{read, table};

fn array(kind: &str, rows: usize, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows},), }}\n");
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.as_bytes());
    array.extend(bytes);
    array
}

#[test]
fn half_floats_are_scores() {
    // 1, the largest, and the least above 0.
    let file = array("<f2", 3, &[0x00, 0x3c, 0xff, 0x7b, 0x01, 0x00]);
    let (keys, scores) = table("x.npy", &file);
    assert_eq!(keys, ["0", "1", "2"]);
    assert_eq!(scores, [1.0, 65504.0, 2f64.powi(-24)]);
    let big_endian = array(">f2", 1, &[0x3c, 0x00]);
    assert_eq!(table("x.npy", &big_endian).1, [1.0]);
}

#[test]
fn flags_are_no_scores() {
    let problem = read("x.npy", &array("|b1", 2, &[1, 0])).unwrap_err();
    let words = "row 1: 'true' in column 'score' is not a finite number";
    assert!(problem.contains(words), "{problem}");
}
