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
            .any(|note| note.starts_with("the first of 2 sheets, 'Links', is read")),
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
