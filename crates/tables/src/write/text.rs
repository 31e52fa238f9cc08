//! Tables as text: CSV, TSV, JSON lines.
//!
//! Numbers are the shortest that read back to the same bits. JSON has no infinity and no NaN: they
//! are null there, like missing cells.

use crate::table::{Cells, ColumnTable, NamedColumn};
use serde::ser::{SerializeMap, Serializer};
use std::io::{self, Write};
use std::ops::Range;
use webrank_base::parallel::tasks;

/// From here on, numbers have a positive exponent, which `zmij` writes with a sign, `1e+16`, and `ryu`, which
/// is slower, without one.
const LARGE: f64 = 1e16;

/// Number of rows that a task formats.
const ROWS_PER_TASK: usize = 1 << 13;

/// Writes the header and the rows, with `delimiter` between the fields.
///
/// # Errors
/// The writer's errors.
pub fn write_delimited(
    columns: &ColumnTable,
    delimiter: u8,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(&mut *out);
    writer.write_record(columns.fields.iter().map(|field| field.name.as_ref()))?;
    writer.flush()?;
    drop(writer);
    by_rows(columns.rows, out, &|rows| {
        let mut text = Vec::with_capacity(40 * rows.len());
        for row in rows {
            let start = text.len();
            for (place, field) in columns.fields.iter().enumerate() {
                if place > 0 {
                    text.push(delimiter);
                }
                write_cell(field, row, delimiter, &mut text);
            }
            // An empty line is no record.
            if text.len() == start {
                text.extend_from_slice(b"\"\"");
            }
            text.push(b'\n');
        }
        Ok(text)
    })
}

/// Appends a cell; a missing one is empty. Only names may need quotes.
fn write_cell(field: &NamedColumn, row: usize, delimiter: u8, text: &mut Vec<u8>) {
    if !field.is_present(row) {
        return;
    }
    let mut plain = |cell: &str| text.extend_from_slice(cell.as_bytes());
    match &field.cells {
        Cells::Numbers(value) => match value(row) {
            small if small.abs() < LARGE => plain(zmij::Buffer::new().format(small)),
            large => plain(ryu::Buffer::new().format(large)),
        },
        Cells::Counts(value) => plain(itoa::Buffer::new().format(value(row))),
        Cells::Long(value) => plain(itoa::Buffer::new().format(value(row))),
        Cells::Flags(value) if value(row) => plain("true"),
        Cells::Flags(_) => plain("false"),
        Cells::Names(value) => write_name(value(row), delimiter, text),
    }
}

/// Appends a name, between quotes if it would otherwise not read back as one field.
fn write_name(name: &str, delimiter: u8, text: &mut Vec<u8>) {
    let is_special = |byte: &u8| [delimiter, b'"', b'\n', b'\r'].contains(byte);
    if !name.as_bytes().iter().any(is_special) {
        return text.extend_from_slice(name.as_bytes());
    }
    text.push(b'"');
    for &byte in name.as_bytes() {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}

/// Writes a JSON object for each row, in a line of its own.
///
/// # Errors
/// The writer's errors.
pub fn write_json_lines(columns: &ColumnTable, out: &mut dyn Write) -> io::Result<()> {
    by_rows(columns.rows, out, &|rows| {
        let mut text = Vec::with_capacity(80 * rows.len());
        for row in rows {
            let mut json = serde_json::Serializer::new(&mut text);
            let mut map = json.serialize_map(None)?;
            for field in &columns.fields {
                let name = &field.name;
                match &field.cells {
                    _ if !field.is_present(row) => map.serialize_entry(name, &())?,
                    Cells::Numbers(value) => map.serialize_entry(name, &value(row))?,
                    Cells::Counts(value) => map.serialize_entry(name, &value(row))?,
                    Cells::Long(value) => map.serialize_entry(name, &value(row))?,
                    Cells::Flags(value) => map.serialize_entry(name, &value(row))?,
                    Cells::Names(value) => map.serialize_entry(name, value(row))?,
                }
            }
            map.end()?;
            text.push(b'\n');
        }
        Ok(text)
    })
}

/// Formats rows in parallel, and writes them in order.
fn by_rows(
    rows: usize,
    out: &mut dyn Write,
    format: &(dyn Fn(Range<usize>) -> io::Result<Vec<u8>> + Sync),
) -> io::Result<()> {
    let starts: Vec<usize> = (0..rows).step_by(ROWS_PER_TASK).collect();
    let formatted = |wave: &[usize]| -> io::Result<Vec<Vec<u8>>> {
        tasks::try_map(wave, |&start| {
            format(start..(start + ROWS_PER_TASK).min(rows))
        })
    };
    let mut ready = Vec::new();
    for wave in starts.chunks(4 * rayon::current_num_threads()) {
        // One wave is formatted while the one before it is written.
        let mut next = Ok(Vec::new());
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| next = formatted(wave));
            write_all(out, &ready)
        })?;
        ready = next?;
    }
    write_all(out, &ready)
}

fn write_all(out: &mut dyn Write, texts: &[Vec<u8>]) -> io::Result<()> {
    texts.iter().try_for_each(|text| out.write_all(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Table};
    use proptest::prelude::*;

    fn written(
        table: Table,
        write: impl Fn(&ColumnTable, &mut Vec<u8>) -> io::Result<()>,
    ) -> String {
        let mut out = Vec::new();
        write(&table.into_columns(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_follow_the_node() {
        let table = || Table {
            nodes: Some(vec![1, 0]),
            num_nodes: 2,
            names: None,
            columns: vec![
                ("score".into(), Column::Numbers(&[0.1, 1e-300])),
                ("rank".into(), Column::Counts(&[1, 2])),
                ("certain".into(), Column::Flags(&[true, false])),
            ],
        };
        let csv = "node,score,rank,certain\n1,1e-300,2,false\n0,0.1,1,true\n";
        assert_eq!(
            written(table(), |c, out| write_delimited(c, b',', out)),
            csv
        );
        let tsv = csv.replace(',', "\t");
        assert_eq!(
            written(table(), |c, out| write_delimited(c, b'\t', out)),
            tsv
        );
        let json = "{\"node\":1,\"score\":1e-300,\"rank\":2,\"certain\":false}\n\
                    {\"node\":0,\"score\":0.1,\"rank\":1,\"certain\":true}\n";
        assert_eq!(written(table(), |c, out| write_json_lines(c, out)), json);
    }

    #[test]
    fn missing_cells_are_empty_or_null() {
        let columns = ColumnTable {
            rows: 2,
            fields: vec![
                NamedColumn::new("name", Cells::Names(Box::new(|_| "a\"b"))),
                NamedColumn {
                    present: Some(Box::new(|row| row == 0)),
                    ..NamedColumn::new("x", Cells::Counts(Box::new(|row| row as u32)))
                },
                NamedColumn::new("y", Cells::Numbers(Box::new(|_| f64::INFINITY))),
            ],
        };
        let mut out = Vec::new();
        write_delimited(&columns, b',', &mut out).unwrap();
        assert_eq!(out, b"name,x,y\n\"a\"\"b\",0,inf\n\"a\"\"b\",,inf\n");
        out.clear();
        write_json_lines(&columns, &mut out).unwrap();
        let lines = "{\"name\":\"a\\\"b\",\"x\":0,\"y\":null}\n{\"name\":\"a\\\"b\",\"x\":null,\"y\":null}\n";
        assert_eq!(String::from_utf8(out).unwrap(), lines);
    }

    proptest! {
        #[test]
        fn text_is_what_the_csv_crate_writes(
            rows in prop::collection::vec(("[a\"\t,\r\n#é ]{0,4}", any::<u64>(), any::<bool>()), 0..20),
            fields in 1usize..4,
            delimiter in prop_oneof![Just(b','), Just(b'\t')],
        ) {
            let number = |row: usize| f64::from_bits(rows[row].1);
            let mut all = vec![
                NamedColumn::new("a,b", Cells::Names(Box::new(|row| rows[row].0.as_str()))),
                NamedColumn::new("x", Cells::Numbers(Box::new(number))),
                NamedColumn::new("flag", Cells::Flags(Box::new(|row| rows[row].2))),
            ];
            all.truncate(fields);
            let columns = ColumnTable { rows: rows.len(), fields: all };
            let mut out = Vec::new();
            write_delimited(&columns, delimiter, &mut out).unwrap();
            let mut expected = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
            expected.write_record(&["a,b", "x", "flag"][..fields]).unwrap();
            for (row, (name, _, flag)) in rows.iter().enumerate() {
                let number = ryu::Buffer::new().format(number(row)).to_owned();
                let flag = flag.to_string();
                expected.write_record(&[name, &number, &flag][..fields]).unwrap();
            }
            prop_assert_eq!(out, expected.into_inner().unwrap());
        }

        #[test]
        fn numbers_read_back_to_the_same_bits(bits in prop::collection::vec(any::<u64>(), 1..50)) {
            let numbers: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
            let table = Table {
                nodes: None,
                num_nodes: numbers.len(),
                names: None,
                columns: vec![("score".into(), Column::Numbers(&numbers))],
            };
            let text = written(table, |c, out| write_delimited(c, b',', out));
            for (line, number) in text.lines().skip(1).zip(&numbers) {
                let read: f64 = line.split_once(',').unwrap().1.parse().unwrap();
                prop_assert!(read.to_bits() == number.to_bits() || number.is_nan() && read.is_nan());
            }
        }
    }
}
