//! Records from text: separators, quotation marks, comments, lines, limits.

use proptest::prelude::*;
use std::io::{Cursor, Read};
use webrank_tables::text::records::Records;

type Found = Vec<(u64, Vec<String>)>;

/// The lines and fields of all records except comments, up to the first that cannot be read.
fn found(mut records: Records) -> (Found, Option<String>) {
    let mut found = Vec::new();
    loop {
        match records.advance() {
            Err(problem) => return (found, Some(problem.to_string())),
            Ok(false) => return (found, None),
            Ok(true) => {}
        }
        let record = records.record();
        if !record.is_comment() {
            let field = |field| String::from_utf8_lossy(record.bytes(field)).into_owned();
            found.push((record.line(), (0..record.len()).map(field).collect()));
        }
    }
}

fn fields(text: &str) -> Vec<(u64, Vec<String>)> {
    let (found, problem) = found(Records::of_bytes(text));
    assert!(problem.is_none(), "{problem:?}");
    found
}

fn expected(records: &[(u64, &[&str])]) -> Found {
    let owned = |fields: &[&str]| fields.iter().map(|field| field.to_string()).collect();
    let records = records.iter();
    records.map(|&(line, text)| (line, owned(text))).collect()
}

#[test]
fn records_have_the_line_where_they_start() {
    let text = "# \"comment\n\na,b\r\n\"c\n\"\"d\",#e\r \t\r\n#f\n\"#g\",\n";
    let records: [(u64, &[&str]); 3] = [(3, &["a", "b"]), (4, &["c\n\"d", "#e"]), (8, &["#g", ""])];
    assert_eq!(fields(text), expected(&records));
}

#[test]
fn between_tabs_and_blanks_quotation_marks_are_letters() {
    let text = "\"a\t5\" b\nc\rd,\te\r\n";
    let records: [(u64, &[&str]); 2] = [(1, &["\"a", "5\" b"]), (2, &["c\rd,", "e"])];
    assert_eq!(fields(text), expected(&records));
    let records: [(u64, &[&str]); 2] = [(2, &["\"a", "b\""]), (3, &["c,", "d"])];
    assert_eq!(fields("#\n \"a  b\"\n c,\td \n"), expected(&records));
}

#[test]
fn a_table_has_no_comments_and_as_many_fields_in_all_records() {
    let table = |text: &str| found(Records::of_bytes(text).with_header());
    let records: [(u64, &[&str]); 2] = [(1, &["#a", "b"]), (2, &["#c\t", "d"])];
    let (found, problem) = table("#a\tb\n\"#c\t\"\td\n\n\"e\"\n");
    assert_eq!(found, expected(&records));
    let problem = problem.unwrap();
    assert_eq!(
        problem,
        "text, line 4: not a table: 1 fields, but the header has 2"
    );
}

#[test]
fn quotation_marks_are_closed() {
    for (text, line) in [
        ("a,b\n\"c,d\n\n", 2),
        ("\"a,\"\"b", 1),
        ("a,\"", 1),
        ("a,\"\"\"", 1),
    ] {
        let (_, problem) = found(Records::of_bytes(text));
        let problem = problem.unwrap();
        let start = format!("text, line {line}: a quotation mark is never closed");
        assert!(problem.starts_with(&start), "{problem}");
    }
    let long = "a,\"".to_owned() + &"x\n".repeat(10 << 20);
    let problem = found(Records::of_bytes(long)).1.unwrap();
    assert!(
        problem.starts_with("text, line 1: longer than 16 MiB"),
        "{problem}"
    );
}

/// A reader that gives a few bytes at a time.
struct Pipe(Cursor<Vec<u8>>, usize);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes = buffer.len().min(self.1);
        self.0.read(&mut buffer[..bytes])
    }
}

proptest! {
    #[test]
    fn csv_is_what_the_csv_crate_says(text in "[ab\",#\r\n]{0,60}") {
        let text = format!("x,y\n{text}\n");
        let (found, problem) = found(Records::of_bytes(text.as_str()));
        let found: Vec<Vec<String>> = found.into_iter().map(|(_, fields)| fields).collect();
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).comment(Some(b'#'));
        let records = reader.from_reader(text.as_bytes()).into_records();
        let mut records: Vec<Vec<String>> = records
            .map(|record| record.unwrap().iter().map(str::to_owned).collect())
            .collect();
        if problem.is_some() {
            // The `csv` crate takes the rest of the file for a field.
            records.pop();
        }
        prop_assert_eq!(found, records);
    }

    #[test]
    fn it_makes_no_difference_where_reads_end(
        text in "[ab\" ,#\t\r\n\u{feff}]{0,60}",
        bytes in 1usize..9,
        is_table: bool,
    ) {
        let input = Pipe(Cursor::new(text.clone().into_bytes()), bytes);
        let slow = Records::of("text".as_ref(), Box::new(input));
        let whole = Records::of_bytes(text);
        let read = |records: Records| found(if is_table { records.with_header() } else { records });
        prop_assert_eq!(read(slow), read(whole));
    }
}
