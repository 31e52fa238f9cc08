//! Small readers of the formats that graphs are exported to; they share no code with the writers, except for
//! the headers of numpy's arrays, which numpy itself reads in the tests of Python.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_formats::export::{ExportFormat, Exported};
use webrank_formats::import::{ImportOptions, read_records};
use webrank_graph::Csr;
use webrank_tables::numpy::Array;
use webrank_tables::table::{Cells, NamedColumn};
use webrank_tables::text::records::Records;

/// The arcs by the labels of their ends, each with its weight, or 1.
pub type Arcs = BTreeMap<(String, String), f64>;

/// Names that are hard to write.
pub const NAMES: [&str; 12] = [
    "a,b",
    "c d",
    "\"q\"",
    "<&>",
    "#h",
    "t\tab",
    " x ",
    "\u{e9}t\u{e9}",
    "'",
    "0",
    "7",
    "a\"b,",
];

/// Names that stand between tabs.
pub const PLAIN: [&str; 12] = [
    "a,b", "c d", "\"q\"", "<&>", "h#", "e", "x y z", "\u{e9}", "'", "0", "7", "b,",
];

pub struct Case {
    n: usize,
    pub rows: Csr,
    pub weights: Option<Vec<f64>>,
    pub names: Option<[&'static str; 12]>,
}

impl Case {
    pub fn new(
        n: usize,
        arcs: &[(Node, Node)],
        weights: Option<u64>,
        names: Option<[&'static str; 12]>,
    ) -> Self {
        let rows = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
        let weights = weights.map(|seed| {
            let weight = |arc: u64| 0.1 + ((arc * 31 + seed) % 17) as f64;
            (0..rows.num_arcs()).map(weight).collect()
        });
        Case {
            n,
            rows,
            weights,
            names,
        }
    }

    fn label(&self, node: Node) -> String {
        match self.names {
            Some(names) => names[node as usize].to_owned(),
            None => node.to_string(),
        }
    }

    pub fn arcs(&self) -> Arcs {
        let mut arc = 0;
        let mut arcs = Arcs::new();
        for source in 0..self.n as Node {
            for &target in self.rows.row(source) {
                let weight = self.weights.as_ref().map_or(1.0, |weights| weights[arc]);
                arcs.insert((self.label(source), self.label(target)), weight);
                arc += 1;
            }
        }
        arcs
    }

    pub fn written(&self, format: ExportFormat) -> Result<Vec<u8>> {
        self.written_with(format, None)
    }

    fn written_with(&self, format: ExportFormat, scores: Option<&[f64]>) -> Result<Vec<u8>> {
        let names = self.names;
        let name = names.map(|names| move |node: Node| names[node as usize]);
        let score = |scores: &'_ [f64]| {
            let scores = scores.to_vec();
            NamedColumn::new("score", Cells::Numbers(Box::new(move |row| scores[row])))
        };
        let graph = Exported {
            rows: &self.rows,
            names: name.as_ref().map(|name| name as _),
            weights: self.weights.as_deref(),
            columns: scores.map(score).into_iter().collect(),
            progress: &Silent,
        };
        let mut bytes = Vec::new();
        graph.write(format, Path::new("graph"), &mut bytes)?;
        Ok(bytes)
    }
}

pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Arcs by number as arcs by label.
fn labelled(case: &Case, arcs: impl Iterator<Item = (usize, usize, f64)>) -> Arcs {
    let label = |node: usize| case.label(node as Node);
    arcs.map(|(source, target, weight)| ((label(source), label(target)), weight))
        .collect()
}

pub fn read_edges(case: &Case, format: ExportFormat) -> Arcs {
    let bytes = case.written(format).unwrap();
    if case.weights.is_some() {
        let separator = if format == ExportFormat::Csv {
            b','
        } else {
            b'\t'
        };
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .quoting(format == ExportFormat::Csv)
            .from_reader(&bytes[..]);
        let records = reader.records().map(|record| record.unwrap());
        // A line of one field is a node without arcs.
        let arcs = records.filter(|record| record.len() == 3 && &record[2] != "weight");
        let arc =
            |r: csv::StringRecord| ((r[0].to_owned(), r[1].to_owned()), r[2].parse().unwrap());
        return arcs.map(arc).collect();
    }
    let options = ImportOptions {
        ids: case.names.is_none(),
        allow_empty: true,
        from: Some(webrank_formats::import::Format::Edges),
        ..Default::default()
    };
    let (graph, report) = read_records(Records::of_bytes(bytes), &options, &Silent).unwrap();
    assert_eq!(graph.num_nodes(), case.n);
    assert_eq!(report.duplicates, 0);
    let label = |node: Node| graph.name(node).into_owned();
    let rows = graph.successors(&Silent).unwrap();
    let arcs = (0..case.n as Node).flat_map(|source| {
        let targets = rows.row(source).iter();
        targets.map(move |&target| ((label(source), label(target)), 1.0))
    });
    arcs.collect()
}

pub fn read_matrix_market(case: &Case) -> Arcs {
    let text = text(case.written(ExportFormat::MatrixMarket).unwrap());
    let mut lines = text.lines();
    let field = if case.weights.is_some() {
        "real"
    } else {
        "pattern"
    };
    let banner = format!("%%MatrixMarket matrix coordinate {field} general");
    assert_eq!(lines.next(), Some(&banner[..]));
    let mut lines = lines.filter(|line| !line.starts_with('%'));
    let (n, m) = (case.n, case.rows.num_arcs());
    assert_eq!(lines.next(), Some(&format!("{n} {n} {m}")[..]));
    let arcs: Vec<(usize, usize, f64)> = lines
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            let node = |i: usize| fields[i].parse::<usize>().unwrap() - 1;
            let weight = fields.get(2).map_or(1.0, |weight| weight.parse().unwrap());
            (node(0), node(1), weight)
        })
        .collect();
    assert_eq!(arcs.len() as u64, m);
    labelled(case, arcs.into_iter())
}

pub fn read_npz(case: &Case) -> Arcs {
    let bytes = case.written(ExportFormat::Npz).unwrap();
    assert_eq!(bytes, case.written(ExportFormat::Npz).unwrap());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut part = |name: &str| {
        let mut bytes = Vec::new();
        archive
            .by_name(name)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    };
    let numbers = |bytes: Vec<u8>, kind: &str| -> Vec<f64> {
        let array = Array::open(&bytes[..], 1 << 10).unwrap();
        assert_eq!(array.kinds[0].text(), kind);
        let numbers = array.numbers().unwrap();
        numbers.map(|number| number.unwrap().double()).collect()
    };
    let whole = |numbers: Vec<f64>| -> Vec<usize> {
        numbers.into_iter().map(|number| number as usize).collect()
    };
    let indices = whole(numbers(part("indices.npy"), "<i4"));
    let indptr = whole(numbers(part("indptr.npy"), "<i4"));
    let data = numbers(part("data.npy"), "<f8");
    let shape = numbers(part("shape.npy"), "<i8");
    assert_eq!(shape, [case.n as f64; 2]);
    assert!(part("format.npy").ends_with(b"csr"));
    assert_eq!(indptr.len(), case.n + 1);
    let rows =
        (0..case.n).flat_map(|row| (indptr[row]..indptr[row + 1]).map(move |arc| (row, arc)));
    labelled(case, rows.map(|(row, arc)| (row, indices[arc], data[arc])))
}

pub fn read_parquet(case: &Case) -> Arcs {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&case.written(ExportFormat::Parquet).unwrap())
        .unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let arcs = rows.map(|row| {
        let row = row.unwrap();
        let fields: Vec<(&String, &Field)> = row.get_column_iter().collect();
        let node = |i: usize| match fields[i].1 {
            Field::Str(name) => name.clone(),
            Field::UInt(node) => node.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!((&fields[0].0[..], &fields[1].0[..]), ("source", "target"));
        let weight = match &fields.get(2).copied() {
            &Some((_, &Field::Double(weight))) => weight,
            None => 1.0,
            other => panic!("{other:?}"),
        };
        ((node(0), node(1)), weight)
    });
    arcs.collect()
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).unwrap()?;
    let value = attribute.normalized_value(XmlVersion::Implicit1_0);
    Some(value.unwrap().into_owned())
}

/// The nodes and arcs of an XML file, and the scores of nodes.
pub fn read_xml(case: &Case, format: ExportFormat, scores: &[f64]) -> Arcs {
    let text = text(case.written_with(format, Some(scores)).unwrap());
    let mut reader = Reader::from_str(&text);
    let (mut labels, mut arcs) = (BTreeMap::new(), Arcs::new());
    let (mut found, mut ids) = (BTreeMap::new(), Vec::new());
    let (mut node, mut ends, mut key) = (String::new(), None, None);
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => match tag.name().0 {
                "node" => {
                    node = attribute(&tag, "id").unwrap();
                    let label = attribute(&tag, "label").unwrap_or_else(|| node.clone());
                    labels.insert(node.clone(), label);
                    ids.push(node.clone());
                }
                "edge" => {
                    let end = |name| labels[&attribute(&tag, name).unwrap()].clone();
                    let both = (end("source"), end("target"));
                    let weight = attribute(&tag, "weight");
                    let weight = weight.map_or(1.0, |weight| weight.parse().unwrap());
                    arcs.insert(both.clone(), weight);
                    ends = Some(both);
                }
                "data" => key = attribute(&tag, "key"),
                "attvalue" => {
                    let value = attribute(&tag, "value").unwrap().parse().unwrap();
                    found.insert(node.clone(), value);
                }
                _ => {}
            },
            Event::Text(value) => {
                let value = value.trim_ascii();
                match key.take().as_deref() {
                    Some("d0") => {
                        found.insert(node.clone(), value.parse().unwrap());
                    }
                    Some("weight") => {
                        arcs.insert(ends.clone().unwrap(), value.parse().unwrap());
                    }
                    _ => assert!(value.is_empty(), "{value}"),
                }
            }
            _ => {}
        }
    }
    assert_eq!(ids.len(), case.n);
    for (i, id) in ids.iter().enumerate() {
        let expected = Some(scores[i]).filter(|score| score.is_finite());
        assert_eq!(found.get(id).copied(), expected);
    }
    arcs
}

pub fn read_metis(case: &Case) -> Arcs {
    let text = text(case.written(ExportFormat::Metis).unwrap());
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let kind = if case.weights.is_some() { " 001" } else { "" };
    let (n, edges) = (case.n, case.rows.num_arcs() / 2);
    assert_eq!(lines.next(), Some(&format!("{n} {edges}{kind}")[..]));
    let mut arcs = Vec::new();
    for node in 0..n {
        let numbers = lines.next().unwrap().split_ascii_whitespace();
        let numbers: Vec<usize> = numbers.map(|number| number.parse().unwrap()).collect();
        match case.weights {
            None => arcs.extend(numbers.iter().map(|&other| (node, other - 1, 1.0))),
            Some(_) => arcs.extend(
                numbers
                    .chunks(2)
                    .map(|two| (node, two[0] - 1, two[1] as f64)),
            ),
        }
    }
    assert_eq!(lines.next(), None);
    labelled(case, arcs.into_iter())
}
