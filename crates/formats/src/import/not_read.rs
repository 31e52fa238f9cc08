//! Files of kinds that are known and not read, and what to do with them.

use super::formats::{json, metis};
use super::recognise::{First, Verdict};

/// First bytes of files that hold no list, and what is said of them.
const MAGICS: &[(&[u8], &str)] = &[
    (
        b"WARC/",
        "is an archive of web pages; 'rank ingest' makes a graph of it",
    ),
    (
        b"PK\x03\x04",
        "is a zip archive, which is read from a file, not from a stream, and not within another: \
         unpack it",
    ),
    (b"\x89PNG\r\n", "is an image (PNG), not a graph"),
    (b"\xff\xd8\xff", "is an image (JPEG), not a graph"),
    (b"GIF8", "is an image (GIF), not a graph"),
    (
        b"%PDF-",
        "is a PDF, not a graph; extract its tables as CSV first",
    ),
    (b"\x7fELF", "is a program, not a graph"),
    (
        b"\x93NUMPY",
        "is an array of numpy; save a sparse matrix by scipy.sparse.save_npz, or arcs by \
         numpy.savetxt",
    ),
    (
        b"MATLAB 5.0 MAT-file",
        "is a file of MATLAB; write the matrix as MatrixMarket, by mmwrite",
    ),
    (
        b"MATLAB 7.3 MAT-file",
        "is a file of MATLAB 7.3, which is HDF5 and not read; write the matrix as MatrixMarket, by mmwrite",
    ),
    (
        b"\xe2\x9b\xbe gt",
        "is of graph-tool, which is not read; graph-tool saves GraphML",
    ),
    (
        b"nkbg00",
        "is of NetworKit, which is not read; NetworKit writes GML and lists of arcs",
    ),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive: unpack it"),
    (b"Rar!\x1a\x07", "is a RAR archive: unpack it"),
    (
        b"\x04\x22\x4d\x18",
        "is compressed by LZ4, which is not read: decompress it by lz4 -d",
    ),
    (
        b"\x1f\x9d",
        "is compressed by compress, which is not read: decompress it by gzip -d",
    ),
    (
        b"\x5d\0\0",
        "is compressed by LZMA, which is not read: decompress it by xz -d",
    ),
    (
        b"\x89HDF\r\n",
        "is HDF5, which is not read; write the arcs as CSV or Parquet",
    ),
    (
        b"SQLite format 3\0",
        "is a database of SQLite; write its arcs: sqlite3 -csv -header FILE 'SELECT source, target \
         FROM arcs' > arcs.csv",
    ),
    (
        b"Obj\x01",
        "is Avro, which is not read; write the arcs as CSV or Parquet",
    ),
    (
        b"RDX",
        "is saved by R; write the arcs there: write.csv(arcs, 'arcs.csv', row.names = FALSE)",
    ),
    (
        b"ORC",
        "is ORC, which is not read; write the arcs as CSV or Parquet",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "is an old file of Excel (.xls) or Word; save the sheet as CSV",
    ),
];

/// First words of texts that hold no list, capitals aside, and what is said of them.
const STARTS: &[(&str, &str)] = &[
    (
        "<!doctype html",
        "is a page of HTML; 'rank ingest' makes a graph of a folder of such pages",
    ),
    (
        "<html",
        "is a page of HTML; 'rank ingest' makes a graph of a folder of such pages",
    ),
    (
        "nodedef>",
        "is GDF, which is not read; Gephi exports GraphML",
    ),
    ("(tlp ", "is of Tulip, which is not read; Tulip exports GML"),
    (
        "(mclheader",
        "is a matrix of MCL, which is not read; mcxdump writes its arcs, by mcxdump -imx FILE",
    ),
    (
        "LEDA.GRAPH",
        "is of LEDA, which is not read; networkx reads it (read_leda) and writes GraphML",
    ),
    (
        "AdjacencyGraph",
        "is of Ligra, which is not read; write a list of arcs",
    ),
    (
        "WeightedAdjacencyGraph",
        "is of Ligra, which is not read; write a list of arcs",
    ),
    (
        "EdgeArray",
        "is of Ligra; the lines below the first one are a list of arcs: tail -n +2 FILE",
    ),
    (
        "WeightedEdgeArray",
        "is of Ligra; the lines below the first one are a list of arcs: tail -n +2 FILE",
    ),
    (
        "*node data",
        "is VNA of NetDraw, which is not read; UCINET exports DL",
    ),
    (
        "@prefix",
        "is Turtle, which is not read; write N-Triples, as by riot --output=ntriples",
    ),
    (
        "@base",
        "is Turtle, which is not read; write N-Triples, as by riot --output=ntriples",
    ),
    (
        "version https://git-lfs",
        "is the pointer of a file that Git LFS has; 'git lfs pull' fetches it",
    ),
];

/// Extensions of programs and of prose. Two words a line look like arcs there, too.
const PROGRAMS: &[&str] = &[
    "c", "cc", "cfg", "cpp", "cs", "css", "go", "h", "hpp", "html", "ini", "ipynb", "java", "jl",
    "js", "kt", "lock", "lua", "md", "php", "pl", "py", "r", "rb", "rs", "rst", "scala", "sh",
    "sql", "swift", "tex", "toml", "ts", "yaml", "yml",
];

/// Why a file is refused, if it is of such a kind: a sentence without a subject.
pub(super) fn recognise(first: &First) -> Option<String> {
    // Words start lists, too.
    let is_binary = first.bytes.contains(&0);
    let magic = MAGICS.iter().find(|(magic, _)| {
        let is_word = magic.iter().all(u8::is_ascii_alphanumeric);
        first.bytes.starts_with(magic) && (is_binary || !is_word)
    });
    if let Some((_, problem)) = magic {
        return Some((*problem).to_owned());
    }
    let content = first.content(&[]);
    let problem = if let Some((_, problem)) = STARTS.iter().find(|it| first.starts_with(it.0)) {
        problem
    } else if first.bytes.get(257..262) == Some(b"ustar") {
        "is a tar archive, which is not read: unpack it by tar -xf"
    } else if first.bytes.get(8..12) == Some(b"DUCK") {
        "is a database of DuckDB; write its arcs: duckdb FILE \"COPY arcs TO 'arcs.parquet'\""
    } else if is_pickle(first.bytes) {
        "is a pickle of Python, which may run programs; write the graph there, as by \
         networkx.write_graphml"
    } else if is_dump(&first.text) {
        "is a dump of a database; 'rank wikipedia' makes a graph of the tables of a wiki"
    } else if first.xml("gxl") != Verdict::No {
        "is GXL, which is not read; Graphviz makes DOT of it, by gxl2gv"
    } else if is_xml(&content) {
        "is XML, but neither GraphML nor GEXF"
    } else if json::is_cx(first) {
        "is CX of Cytoscape, which is not read; Cytoscape exports Cytoscape.js JSON and SIF"
    } else if is_json(&first.text) {
        "is JSON of a kind that is not read; jq writes arcs, as in jq -r '.links[] | [.source, \
         .target] | @tsv' FILE"
    } else if is_dimacs(&first.text) {
        "is DIMACS, which is not read; its arcs are a list: grep '^[ae] ' FILE | cut -d ' ' -f 2-"
    } else if is_mermaid(&first.text) {
        "is Mermaid, which is not read; write its arcs as lines 'A B'"
    } else if metis::is_doubtful(first) {
        "is named .graph, as METIS is, but its lines do not list each other (--from metis, or --from \
         edges for a list of arcs)"
    } else if is_scotch(first) {
        "is of Scotch, which is not read; write METIS, or a list of arcs"
    } else if is_of_modules(first) {
        "holds the modules of nodes, as Infomap and Pajek write them, and no arcs; give the network itself"
    } else if is_multi_line(&first.text) {
        "is a multi-line adjacency list of networkx, which is not read; write networkx.write_edgelist"
    } else if first.text.starts_with("#!") {
        "is a script, not a graph"
    } else if first.extension().is_some_and(|it| PROGRAMS.contains(&it)) {
        "is named as a program or a text; --from edges reads it as a list of arcs nevertheless"
    } else {
        return None;
    };
    Some(problem.to_owned())
}

/// A file `.grf`: a version, numbers of nodes and arcs, the number of the first node and three digits.
fn is_scotch(first: &First) -> bool {
    let mut lines = first
        .text
        .lines()
        .map(|line| line.split_whitespace().count());
    first.extension() == Some("grf") && lines.by_ref().take(3).eq([1, 2, 2])
}

/// A partition: a file `.clu`, or `.tree` and the like with a comment that titles its columns.
fn is_of_modules(first: &First) -> bool {
    let mut comments = first.text.lines().filter_map(|line| line.strip_prefix('#'));
    let is_title = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        matches!(
            words[..],
            ["node_id" | "node" | "state_id", "module"] | ["path", "flow"]
        )
    };
    first.extension() == Some("clu") || comments.any(is_title)
}

/// A node and a number in a line, and in so many lines its neighbours with data in braces, again and again.
fn is_multi_line(text: &str) -> bool {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut left, mut found) = (0u64, 0);
    for line in lines {
        let is_neighbour = line.ends_with('}') && line.contains('{');
        let count = line
            .rsplit_once(' ')
            .and_then(|(_, count)| count.parse().ok());
        (left, found) = match count {
            None if left > 0 && is_neighbour => (left - 1, found + 1),
            Some(count) if left == 0 => (count, found),
            _ => return false,
        };
    }
    found > 0
}

/// A diagram: `graph TD`, `flowchart LR`.
fn is_mermaid(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_kind = matches!(words.next(), Some("graph" | "flowchart"));
    let is_way = matches!(
        words.next().map(|it| it.trim_end_matches(';')),
        Some("TD" | "TB" | "BT" | "LR" | "RL")
    );
    is_kind && is_way && (text.contains("--") || text.contains("-.") || text.contains("=="))
}

fn is_dump(text: &str) -> bool {
    let starts = [
        "-- MySQL dump",
        "-- MariaDB dump",
        "/*M!",
        "CREATE TABLE ",
        "INSERT INTO ",
    ];
    let text = text.trim_start();
    starts.iter().any(|words| text.starts_with(words))
}

/// Python's protocols 2 to 5, and an end.
fn is_pickle(bytes: &[u8]) -> bool {
    matches!(bytes, [0x80, 2..=5, next, ..] if !next.is_ascii_digit())
}

fn is_xml(content: &str) -> bool {
    ["<?xml", "<svg", "<!--", "<?php", "<!doctype"]
        .iter()
        .any(|start| content.starts_with(start))
}

/// True for an object or a list. Lists of arcs may have such names, but not in the first place.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let rest = |start: char| text.strip_prefix(start).map(|rest| rest.trim_start());
    rest('{').is_some_and(|rest| rest.starts_with(['"', '}']))
        || rest('[').is_some_and(|rest| rest.starts_with(['{', '[', '"', ']']))
}

/// True if the first line that is no comment states the problem: `p sp 5 7`.
fn is_dimacs(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && *line != "c" && !line.starts_with("c "));
    let mut words = first.unwrap_or_default().split_whitespace();
    let is_problem = words.next() == Some("p") && words.next().is_some();
    is_problem && words.clone().count() == 2 && words.all(|word| word.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8]) -> Option<String> {
        recognise(&First::new("a".as_ref(), bytes, true))
    }

    #[test]
    fn known_files_are_called_what_they_are() {
        for (bytes, words) in [
            (&b"\x89PNG\r\n\x1a\n"[..], "PNG"),
            (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
            (b"12345678DUCK\0\0", "DuckDB"),
            (b"SQLite format 3\0", "SQLite"),
            (b"\x80\x04\x95\x10", "pickle"),
            (b"\x93NUMPY\x01\0", "numpy"),
            (b"<?xml version='1.0'?>\n<svg>", "XML"),
            (b"{\n \"a\": 1}", "JSON"),
            (b"[{\"source\": 1}]", "JSON"),
            (b"c comment\np edge 5 4\ne 1 2\n", "DIMACS"),
            (b"-- MySQL dump 10.19\n--\n", "'rank wikipedia'"),
            (b"#!/bin/sh\necho a b\n", "script"),
            (b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
            (b"\x5d\0\0\x80\0", "xz -d"),
            (b"\x1f\x9d\x90", "gzip -d"),
            (b"\x04\x22\x4d\x18\x64", "lz4 -d"),
            (b"\xe2\x9b\xbe gt\x01", "graph-tool"),
            (b"MATLAB 5.0 MAT-file Platform: posix", "MATLAB"),
            (b"<?xml version='1.0'?>\n<gxl>\n<graph id='g'>", "GXL"),
            (b"[{\"CXVersion\":\"2.0\"},{\"nodes\":[]}]", "CX of"),
            (b"(mclheader\nmcltype matrix\n", "MCL"),
            (b"MATLAB 7.3 MAT-file, Platform: GLNXA64", "HDF5"),
            (b"# node_id module flow\n1 1 0.25\n2 1 0.75\n", "modules"),
            (
                b"# v2\n# path flow name node_id\n1:1 0.25 \"a\" 1\n",
                "modules",
            ),
            (
                b"# x\na 2\nb {}\nc {'weight': 2}\nb 1\nc {}\nc 0\n",
                "write_edgelist",
            ),
            (b"EdgeArray\n0 1\n1 2\n", "tail -n +2"),
            (b"LEDA.GRAPH\nstring\nvoid\n-1\n", "LEDA"),
            (b"AdjacencyGraph\n3\n2\n", "Ligra"),
            (b"*Node data\nID name\n", "VNA"),
            (b"nodedef>name VARCHAR\n", "GDF"),
            (b"@prefix : <http://x/> .\n", "Turtle"),
        ] {
            let problem = problem(bytes).expect("it is refused");
            assert!(problem.contains(words), "{problem}");
        }
        let tar = [&b"edges.csv"[..], &[0; 248], b"ustar\x0000"].concat();
        assert!(problem(&tar).is_some_and(|it| it.contains("tar -xf")));
        let scotch = First::new("a.grf".as_ref(), b"0\n2 2\n0 000\n1 1\n1 0\n", true);
        assert!(recognise(&scotch).is_some_and(|it| it.contains("Scotch")));
        for list in [&b"[a b\n"[..], b"p q\nq r\n", b"{x y\n", b"ORC HUMAN\n"] {
            assert_eq!(problem(list), None);
        }
    }
}
