use super::super::tests::{named_arcs, problem, weights};
use crate::import::ImportOptions;
use std::io::{Cursor, Write};
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const WORKBOOK: &str = "<?xml version='1.0'?><workbook xmlns:r='x'><sheets><sheet name='Links' \
    sheetId='1' r:id='rId7'/><sheet name='Other' sheetId='2' r:id='rId2'/></sheets></workbook>";

const RELATIONS: &str = "<Relationships><Relationship Id='rId2' Target='/xl/worksheets/b.xml'/>\
    <Relationship Id='rId7' Target='worksheets/a.xml'/></Relationships>";

const TEXTS: &str = "<sst><si><t>source</t></si><si><t>target</t></si><si><r><t>New </t></r><r>\
    <t>York, \"NY\"</t></r><rPh><t>nyu</t></rPh></si><si><t>Boston</t></si></sst>";

/// A workbook with these rows in its first sheet.
fn workbook(rows: &str) -> Vec<u8> {
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let other = "<worksheet><sheetData><row r='1'><c t='inlineStr'><is><t>a</t></is></c><c \
        t='str'><f>x()</f><v>b</v></c></row></sheetData></worksheet>";
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("docProps/app.xml", "<x/>"),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", RELATIONS),
        ("xl/sharedStrings.xml", TEXTS),
        ("xl/worksheets/a.xml", &sheet),
        ("xl/worksheets/b.xml", other),
    ] {
        archive
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The parts of a workbook of these sheets, whose second style is a date.
fn book(sheets: &[(&str, &str)]) -> Vec<u8> {
    let (mut list, mut relations) = (String::new(), String::new());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &str| {
        archive
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    };
    for (place, (name, rows)) in sheets.iter().enumerate() {
        list += &format!("<sheet name='{name}' r:id='r{place}'/>");
        relations += &format!("<Relationship Id='r{place}' Target='worksheets/{place}.xml'/>");
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        add(&format!("xl/worksheets/{place}.xml"), &sheet);
    }
    let list = format!("<workbook xmlns:r='x'><workbookPr/><sheets>{list}</sheets></workbook>");
    add("xl/workbook.xml", &list);
    let relations = format!("<Relationships>{relations}</Relationships>");
    add("xl/_rels/workbook.xml.rels", &relations);
    let styles = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd'/></numFmts>\
        <cellStyleXfs><xf numFmtId='14'/></cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='164'/>\
        </cellXfs></styleSheet>";
    add("xl/styles.xml", styles);
    archive.finish().unwrap().into_inner()
}

/// A row of cells: texts, or numbers, which are dates after a mark `@`.
fn row(cells: &[&str]) -> String {
    let cell = |cell: &&str| match (cell.strip_prefix('@'), cell.parse::<f64>()) {
        (Some(number), _) => format!("<c s='1'><v>{number}</v></c>"),
        (None, Ok(_)) => format!("<c><v>{cell}</v></c>"),
        (None, Err(_)) => format!("<c t='str'><v>{cell}</v></c>"),
    };
    format!("<row>{}</row>", cells.iter().map(cell).collect::<String>())
}

fn rows(rows: &[&[&str]]) -> String {
    rows.iter().map(|cells| row(cells)).collect()
}

/// The graph of a workbook, and what is said of it.
fn told(book: Vec<u8>) -> (Graph, Vec<String>) {
    let (graph, report) = super::super::tests::import_reporting("book.xlsx", book);
    (
        graph,
        report.notes.iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn a_sheet_of_edges_goes_before_the_first() {
    let nodes = rows(&[&["Id", "Label"], &["1", "Ann"]]);
    let links = rows(&[&["Source", "Target"], &["a", "b"]]);
    let (_, notes) = told(book(&[("One", &links), ("Two", &nodes)]));
    assert!(
        notes[0].starts_with("the first of 2 sheets, 'One', is read; "),
        "{notes:?}"
    );
    for name in ["Edges", "links", "Edge list", "arcs"] {
        let (graph, notes) = told(book(&[("Nodes", &nodes), (name, &links)]));
        assert_eq!(named_arcs(&graph), [("a".into(), "b".into())]);
        let expected = format!("of 2 sheets, '{name}' is read for its name; ");
        assert!(notes[0].starts_with(&expected), "{notes:?}");
    }
}

#[test]
fn matrices_are_read_as_those_of_text() {
    let matrix = rows(&[
        &["", "A", "B", "C"],
        &["A", "0", "2.5", "0"],
        &["B", "0", "0", "1"],
        &["C", "1", "0", "0"],
    ]);
    let (graph, _) = told(book(&[("Sheet1", &matrix)]));
    let expected = [("A", "B"), ("B", "C"), ("C", "A")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(weights(&graph), Some(vec![2.5, 1.0, 1.0]));
}

#[test]
fn dates_are_no_weights_and_an_index_is_told() {
    let dated = rows(&[
        &["source", "target", "when"],
        &["a", "b", "@45322"],
        &["b", "c", "@45323"],
    ]);
    let (graph, notes) = told(book(&[("Sheet1", &dated)]));
    assert_eq!(weights(&graph), None);
    assert!(
        notes.contains(&"column when not used".to_owned()),
        "{notes:?}"
    );
    let indexed = rows(&[
        &["", "x", "y", "n"],
        &["0", "a", "b", "2"],
        &["1", "b", "c", "3"],
    ]);
    let (graph, notes) = told(book(&[("Sheet1", &indexed)]));
    assert_eq!(weights(&graph), Some(vec![2.0, 3.0]));
    assert!(
        notes.contains(&"column 1, an index, not used".to_owned()),
        "{notes:?}"
    );
}

/// The graph of a sheet.
fn open(bytes: &[u8], sheet: &str) -> Result<Graph, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.xlsx"), bytes).unwrap();
    let path = folder.path().join(format!("book.xlsx{sheet}"));
    let opened = crate::import::open(&path, &ImportOptions::default(), &Silent);
    opened
        .map(|(graph, _)| graph)
        .map_err(|problem| problem.to_string())
}

const ROWS: &str = "<row r='2'><c r='B2' t='s'><v>0</v></c><c r='C2' t='s'><v>1</v></c><c r='D2' \
    t='inlineStr'><is><t>weight</t></is></c></row><row r='4'><c r='B4' t='s'><v>2</v></c><c r='C4' \
    t='s'><v>3</v></c><c r='D4'><v>5.0000000000000001E-1</v></c></row><row r='5'><c r='B5'><v>7</v></c>\
    <c r='C5' t='s'><v>3</v></c><c r='D5'><v>2.0</v></c></row>";

#[test]
fn a_sheet_is_a_list_of_arcs() {
    let graph = open(&workbook(ROWS), "").unwrap();
    let expected = [("7", "Boston"), ("New York, \"NY\"", "Boston")];
    assert_eq!(
        named_arcs(&graph),
        expected.map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(weights(&graph), Some(vec![2.0, 0.5]));
    let graph = open(&workbook(ROWS), ":Other").unwrap();
    assert_eq!(named_arcs(&graph), [("a".into(), "b".into())]);
}

#[test]
fn the_choice_of_a_sheet_is_told() {
    let (_, report) = super::super::tests::import_reporting("book.xlsx", workbook(ROWS));
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert!(
        notes
            .iter()
            .any(|note| note.starts_with("of 2 sheets, 'Links' is read for its name")),
        "{notes:?}"
    );
}

#[test]
fn what_is_no_list_is_refused_with_its_row() {
    let refused = open(&workbook(ROWS), ":Links2").err().unwrap();
    assert!(
        refused.contains("no sheet is called 'Links2'; there are 'Links', 'Other'"),
        "{refused}"
    );
    let options = ImportOptions::default();
    for (rows, words) in [
        (
            ROWS.replace("<v>2.0</v>", "<v>x</v>"),
            "line 5: 'x' is not a number",
        ),
        (
            ROWS.replace("<v>2.0</v>", "<v>-2</v>"),
            "line 5: the weight -2",
        ),
        (
            ROWS.replace("r='5'", "r='3'"),
            "row 4: the row after this one",
        ),
        (
            ROWS.replace("r='C4'", "r='A4'"),
            "row 4: a cell of the row is in no column",
        ),
        (
            ROWS.replace("<v>3</v>", "<v>9</v>"),
            "a cell has a text that is not there",
        ),
        (ROWS.replace("</row>", ""), "row 2: a cell of"),
    ] {
        let problem = problem("book.xlsx", workbook(&rows), &options);
        assert!(problem.contains(words), "{problem}");
    }
}
