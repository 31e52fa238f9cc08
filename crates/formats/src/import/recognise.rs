//! The kind of a file: the recognisers of all formats, asked one after the other.
//!
//! A recogniser looks at the first bytes of a file and says that it is of its format, with a reason,
//! that it comes close, or nothing. The first that says yes decides. There is no last resort: a file
//! that nobody recognises is an error, which names what came close.

use super::format::Format;
use super::formats::{
    adjacency, dense, dimacs, dl, dot, edge_list, gml, graph6, json, lgl, matrix_market, metis,
    n_triples, pajek, sif, tgf,
};
use super::not_read;
use std::borrow::Cow;
use std::path::Path;
use webrank_base::shown::quoted;

/// The start of a file, for recognisers.
pub(super) struct First<'a> {
    /// All bytes, or the first [`FIRST`] ones.
    pub(super) bytes: &'a [u8],
    /// Whether these are all bytes.
    pub(super) is_whole: bool,
    /// These bytes as text, without a byte order mark; bytes that are not UTF-8 are replaced.
    pub(super) text: Cow<'a, str>,
    /// The name of the file in small letters, without the extension of a compressed one.
    pub(super) name: String,
}

/// Bytes that show what a file is.
pub(super) const FIRST: u64 = 1 << 16;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The answer of a recogniser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The file is of this format, and why: "starts with %%MatrixMarket".
    Is(Cow<'static, str>),
    /// It is not, though it looks like it, and why not: a part of a message.
    IsClose(Cow<'static, str>),
    /// It is not.
    No,
}

/// A format, and why a file is of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recognised {
    pub(super) format: Format,
    pub(super) reason: Cow<'static, str>,
}

/// A recogniser.
type Recognise = fn(&First) -> Verdict;

/// The recognisers in their order: those that cannot be wrong come first, lists of arcs last. To add a
/// format, add a module with `recognise`, a variant of [`Format`], a line here and an arm in
/// `sources`.
const RECOGNISERS: &[(Format, Recognise)] = &[
    (Format::Parquet, |first| first.magic(b"PAR1", "PAR1")),
    (Format::Arrow, |first| {
        first.magic(b"ARROW1", "ARROW1").or_else(|| {
            first.magic(
                &[0xff, 0xff, 0xff, 0xff],
                "the mark of a stream of Arrow messages",
            )
        })
    }),
    (Format::Npz, |first| match first.zip_member() {
        Some(name) if name.ends_with(".npy") => {
            Verdict::Is(format!("a zip archive that holds {name}").into())
        }
        Some(name) => Verdict::IsClose(
            format!(
                "a zip archive, but {} in it is not an array of numpy",
                quoted(&name)
            )
            .into(),
        ),
        // A damaged file is refused by its reader.
        None if first.extension() == Some("npz") => first.magic(b"PK\x03\x04", "PK"),
        None => Verdict::No,
    }),
    (Format::MatrixMarket, matrix_market::recognise),
    (Format::GraphMl, |first| first.xml("graphml")),
    (Format::Gexf, |first| first.xml("gexf")),
    (Format::Pajek, pajek::recognise),
    (Format::Gml, gml::recognise),
    (Format::Dot, dot::recognise),
    (Format::Graph6, graph6::recognise),
    (Format::Json, json::recognise),
    (Format::Tgf, tgf::recognise),
    (Format::Lgl, lgl::recognise_lgl),
    (Format::Ncol, lgl::recognise_ncol),
    (Format::Dl, dl::recognise),
    (Format::Dimacs, dimacs::recognise),
    (Format::Sif, sif::recognise),
    (Format::NTriples, n_triples::recognise),
    (Format::Metis, metis::recognise),
    (Format::Adjacency, adjacency::recognise),
    (Format::Matrix, dense::recognise),
    (Format::Edges, edge_list::recognise),
];

impl Verdict {
    /// This verdict, or another one if this one is no.
    fn or_else(self, other: impl FnOnce() -> Verdict) -> Self {
        match self {
            Verdict::No => other(),
            found => found,
        }
    }
}

impl<'a> First<'a> {
    pub(super) fn new(path: &Path, bytes: &'a [u8], is_whole: bool) -> Self {
        let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        // A compressed file is named for what it holds.
        let stem = [".gz", ".zst", ".bz2", ".xz"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        let name = stem.unwrap_or(&name).to_owned();
        First {
            bytes,
            is_whole,
            text: String::from_utf8_lossy(text),
            name,
        }
    }

    /// The bytes without a byte order mark.
    pub(super) fn text_bytes(&self) -> &[u8] {
        self.bytes.strip_prefix(MARK).unwrap_or(self.bytes)
    }

    /// The extension of the name, in small letters.
    pub(super) fn extension(&self) -> Option<&str> {
        self.name.rsplit_once('.').map(|(_, extension)| extension)
    }

    /// True if the text starts with a word, blanks aside, in small letters or capitals.
    pub(super) fn starts_with(&self, word: &str) -> bool {
        let text = self.text.trim_start().as_bytes().get(..word.len());
        text.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// The first line that is neither blank nor starts with one of these marks, without blanks around
    /// it, in small letters.
    pub(super) fn content(&self, comments: &[char]) -> String {
        let mut lines = self.text.lines().map(str::trim);
        let content = lines.find(|line| !line.is_empty() && !line.starts_with(comments));
        content.unwrap_or_default().to_lowercase()
    }

    fn magic(&self, magic: &[u8], called: &str) -> Verdict {
        match self.bytes.starts_with(magic) {
            true => Verdict::Is(format!("starts with {called}").into()),
            false => Verdict::No,
        }
    }

    pub(super) fn xml(&self, element: &str) -> Verdict {
        // Every second byte of such a word is zero in UTF-16.
        let text = self.text.replace(['\0', '\u{fffd}'], "");
        let is_element = |tag: &str| {
            let name = tag
                .split(|it: char| it.is_whitespace() || "/>".contains(it))
                .next();
            // Names may have a prefix, as in <ns:graphml>.
            name.and_then(|name| name.rsplit(':').next()) == Some(element)
        };
        let is_there = text.split('<').skip(1).any(is_element);
        match text.trim_start().starts_with('<') && is_there {
            true => Verdict::Is(format!("XML with <{element}>").into()),
            false => Verdict::No,
        }
    }

    /// The name of the first member of a zip archive.
    pub(super) fn zip_member(&self) -> Option<Cow<'_, str>> {
        let header = self.bytes.strip_prefix(b"PK\x03\x04")?;
        let length = header.get(22..24)?;
        let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
        Some(String::from_utf8_lossy(header.get(26..26 + length)?))
    }
}

/// Why a text with a field in each line is a list.
pub(super) const ONE_FIELD: &str = "lines of one field";

/// The format of a file that starts like this.
///
/// # Errors
/// If no recogniser says yes, or if the file is of a kind that is known and not read: a sentence
/// without a subject that says what to do.
pub(super) fn recognise(first: &First) -> Result<Recognised, String> {
    let mut close = Vec::new();
    let (lists, others) = RECOGNISERS.split_last().expect("there are some");
    let ask = |&(format, recognise): &(Format, Recognise)| (format, recognise(first));
    let mut verdict = |(format, verdict): (Format, Verdict)| match verdict {
        Verdict::Is(reason) => Some(Recognised { format, reason }),
        Verdict::IsClose(why) => {
            close.push(why);
            None
        }
        Verdict::No => None,
    };
    if let Some(found) = others.iter().map(ask).find_map(&mut verdict) {
        return Ok(found);
    }
    if let Some(problem) = not_read::recognise(first) {
        return Err(problem);
    }
    if let Some(found) = verdict(ask(lists)) {
        // A list of one field is no graph, and something else may be one.
        return match close.first() {
            Some(close) if found.reason == ONE_FIELD => Err(format!(
                "has lines of one field, which are no arcs; {close}"
            )),
            _ => Ok(found),
        };
    }
    let close = match close.is_empty() {
        true => String::new(),
        false => format!(": {}", close.join("; ")),
    };
    Err(format!(
        "is of no format that is read, by its first {}{close}; --from says what it is, and 'rank \
         help import' lists the formats",
        match first.is_whole {
            true => format!("{} bytes, which are all", first.bytes.len()),
            false => format!("{} bytes", first.bytes.len()),
        }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format that a file with this name and content is taken for.
    fn of(name: &str, bytes: &[u8]) -> Result<Format, String> {
        let found = recognise(&First::new(name.as_ref(), bytes, true));
        found.map(|found| found.format)
    }

    #[test]
    fn first_bytes_and_names_show_formats() {
        for (name, first, expected) in [
            ("a.csv", "a,b\n", Format::Edges),
            ("a", "", Format::Edges),
            (
                "a.mtx",
                "%%MatrixMarket matrix coordinate",
                Format::MatrixMarket,
            ),
            ("-", "\u{feff}%%matrixmarket matrix", Format::MatrixMarket),
            ("a.mtx", "1 2\n", Format::Edges),
            ("a", "PAR1...", Format::Parquet),
            ("a.parquet.csv", "x,y\n", Format::Edges),
            ("a.feather", "ARROW1\0\0", Format::Arrow),
            (
                "a.xml",
                "<?xml version='1.0'?>\n<graphml xmlns=",
                Format::GraphMl,
            ),
            ("a.xml", "<?xml?>\n<!-- x -->\n<gexf version", Format::Gexf),
            ("a.net", "% comment\n\n*Vertices 5\n", Format::Pajek),
            ("a", "*network x\n", Format::Pajek),
            ("a.net", "1 2\n", Format::Edges),
            ("a.metis", "% x\n3 2\n", Format::Metis),
            ("a.METIS.gz", "3 2\n", Format::Metis),
            ("a.graph", "% x\n3 2 1\n", Format::Metis),
            ("a.graph", "3 2 x\n", Format::Edges),
            ("a.adjlist.xz", "a b c\n", Format::Adjacency),
            ("graph.csv", "graph,node\n[,x\n", Format::Edges),
        ] {
            assert_eq!(of(name, first.as_bytes()), Ok(expected), "{name} {first}");
        }
        let stream = [0xff, 0xff, 0xff, 0xff, 0x10, 0];
        assert_eq!(of("-", &stream), Ok(Format::Arrow));
    }

    #[test]
    fn formats_that_come_close_are_named() {
        for (text, words) in [
            ("DQc\n", "it may be graph6"),
            (":DgGI\n", "it may be graph6 or sparse6"),
            ("Bw\nCF\n", "it may be graph6"),
        ] {
            let problem = of("a.txt", text.as_bytes()).unwrap_err();
            assert!(problem.contains(words), "{problem}");
        }
        assert_eq!(of("a.txt", b"ann\nbob\n"), Ok(Format::Edges));
        assert_eq!(of("a", b"\xef\xbb\xbf>>graph6<<A_\n"), Ok(Format::Graph6));
    }

    #[test]
    fn pages_are_ingested() {
        for first in ["WARC/1.0\r\n", "<!DOCTYPE HTML>\n", " <html lang=en>"] {
            let problem = of("a.tsv", first.as_bytes()).unwrap_err();
            assert!(problem.contains("'rank ingest'"), "{problem}");
        }
        assert_eq!(of("a", b"WARCraft x\n"), Ok(Format::Edges));
    }

    #[test]
    fn graphs_of_other_programs_are_recognised() {
        for (name, first, expected) in [
            ("a", "graph [\n  node [\n", Format::Gml),
            ("a.txt", "Creator \"x\"\ngraph\n[\nnode\n[", Format::Gml),
            ("a.gml", "1 2\n", Format::Gml),
            ("a", "\u{feff}/* x */ strict digraph G {\n", Format::Dot),
            ("a.gv", "a b\n", Format::Dot),
            ("a", "\n{\"nodes\": [{\"id\": 1}]}", Format::Json),
            ("a", "[\"a\", \"b\"]\n", Format::Json),
            ("a.jsonl.gz", "x\n", Format::Json),
            ("a", ">>graph6<<A_\n", Format::Graph6),
            ("a.s6", ":An\n", Format::Graph6),
            ("a.tgf", "1 a\n#\n", Format::Tgf),
            ("a.sif", "a pp b\n", Format::Sif),
            ("a.txt", "c x\np sp 2 1\na 1 2 3\n", Format::Dimacs),
            ("a.lgl", "# a\nb\n", Format::Lgl),
            ("a.ncol.xz", "a b\n", Format::Ncol),
            ("a", "# a\nb c\n", Format::Edges),
            ("a", "A_ B_\n", Format::Edges),
        ] {
            assert_eq!(of(name, first.as_bytes()), Ok(expected), "{name} {first}");
        }
    }
}
