//! Headers and numbers.

use super::*;

fn file(header: &str) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes
}

#[test]
fn headers_are_read_whole_and_no_further() {
    let plain = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n";
    let record = "{'descr': [('a((((((((((\\'', '<f8', (2,)), (\"b'[[[[[[[[\", '<i4')], \
                  'fortran_order': True, 'shape': (1, 2)}\n";
    for text in [plain, record] {
        let mut bytes = file(text);
        let end = bytes.len();
        bytes.extend([1; 100]);
        let mut input = &bytes[..];
        assert!(Array::open(&mut input, 1000).is_ok());
        assert_eq!(input, [1; 100]);
        assert!(Array::open(&bytes[..], text.len() - 1).is_err());
        for end in [0, 7, 9, end - 1] {
            let problem = Array::open(&bytes[..end], 1000).err().unwrap();
            assert_eq!(problem.to_string(), "it ends within its header", "{end}");
        }
    }
    for damaged in [
        "{'descr': '<f8', 'shape': (3,), }",
        "{'descr': 8, 'fortran_order': False, 'shape': (3,), }",
        "{'descr': [('a',)], 'fortran_order': False, 'shape': 3, }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (True,), }",
        "",
    ] {
        assert!(Array::open(&file(damaged)[..], 1000).is_err(), "{damaged}");
    }
}

#[test]
fn headers_that_are_written_are_read() {
    let names = ["a", "it's \\ \n", "名", &"x".repeat(1 << 16)];
    let fields = names.map(|name| (name, "<f8"));
    for count in 1..=fields.len() {
        let mut bytes = Vec::new();
        write_header_of_records(&mut bytes, &fields[..count], &[7]).unwrap();
        assert_eq!(bytes.len() % ALIGNMENT, 0);
        let array = Array::open(&bytes[..], 1 << 20).unwrap();
        assert_eq!(array.fields.as_ref().unwrap(), &names[..count]);
        assert_eq!(array.num_bytes(), Some(56 * count as u64));
    }
    let mut bytes = Vec::new();
    write_header(&mut bytes, "|S3", &[]).unwrap();
    bytes.extend(b"csr");
    let text = Array::open(&bytes[..], 1 << 20).unwrap().short_text();
    assert_eq!(text.unwrap().as_deref(), Some("csr"));
}

#[test]
fn numbers_of_all_types_are_read() {
    let kinds = [
        ("|b1", vec![2], AnyNumber::Flag(true)),
        ("<u2", vec![1, 255], AnyNumber::Integer(0xff01)),
        (">u2", vec![1, 255], AnyNumber::Integer(0x1ff)),
        ("|i1", vec![255], AnyNumber::Integer(-1)),
        ("<i4", vec![254, 255, 255, 255], AnyNumber::Integer(-2)),
        (
            "<i8",
            vec![0, 0, 0, 0, 0, 0, 0, 128],
            AnyNumber::Integer(i64::MIN.into()),
        ),
        (">u8", vec![255; 8], AnyNumber::Integer(u64::MAX.into())),
        ("<f2", vec![0, 0x3c], AnyNumber::Double(1.0)),
        (">f4", vec![0x3f, 0x80, 0, 0], AnyNumber::Double(1.0)),
        (
            "<f8",
            vec![0, 0, 0, 0, 0, 0, 0xf0, 0xbf],
            AnyNumber::Double(-1.0),
        ),
    ];
    // One record of all, twice.
    let names: Vec<String> = (0..kinds.len()).map(|field| field.to_string()).collect();
    let fields: Vec<(&str, &str)> = names
        .iter()
        .zip(&kinds)
        .map(|(name, (kind, ..))| (&name[..], *kind))
        .collect();
    let mut bytes = Vec::new();
    write_header_of_records(&mut bytes, &fields, &[2]).unwrap();
    let element: Vec<u8> = kinds
        .iter()
        .flat_map(|(_, bytes, _)| bytes.clone())
        .collect();
    bytes.extend(&element);
    bytes.extend(&element);
    let expected: Vec<AnyNumber> = kinds.iter().map(|(_, _, number)| *number).collect();
    let found = |bytes: &[u8]| -> io::Result<Vec<AnyNumber>> {
        Array::open(bytes, 1000)?.numbers()?.collect()
    };
    assert_eq!(found(&bytes).unwrap(), [&expected[..], &expected].concat());
    let problem = found(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
    assert_eq!(problem, "it ends within its elements");
    for refused in [
        "<f16", "<c8", "|O", "|S3", "<U3", "<M8[ns]", "|V8", "<i3", "f", "é", "",
    ] {
        let mut bytes = Vec::new();
        write_header(&mut bytes, refused, &[1]).unwrap();
        let problem = found(&bytes).unwrap_err().to_string();
        assert!(
            problem.ends_with("is no type of numbers"),
            "{refused}: {problem}"
        );
    }
}

#[test]
fn headers_are_in_latin_1_before_version_3() {
    // "é" in Latin-1, and in UTF-8.
    for (version, name) in [(1, &[0xe9][..]), (3, &[0xc3, 0xa9])] {
        let text = [
            b"{'descr': [('",
            name,
            b"', '<f8')], 'fortran_order': False, 'shape': (0,), }",
        ];
        let text = text.concat();
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((text.len() as u16).to_le_bytes()),
            _ => bytes.extend((text.len() as u32).to_le_bytes()),
        }
        bytes.extend(text);
        let array = Array::open(&bytes[..], 1000).unwrap();
        assert_eq!(array.fields.as_deref(), Some(&["é".to_owned()][..]));
    }
}
