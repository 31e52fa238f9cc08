//! The files of a graph, and opening them.

use super::columns::ColumnChoice;
use super::format::Format;
#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::formats::columnar;
#[cfg(feature = "npy")]
use super::formats::npz;
#[cfg(all(feature = "xml", feature = "zip"))]
use super::formats::workbook;
#[cfg(feature = "xml")]
use super::formats::xml;
use super::formats::{
    adjacency, bv_graph, dense, dimacs, dl, dot, edge_list, gml, graph6, json, lgl, matrix_market,
    metis, n_triples, pajek, sif, tgf,
};
#[cfg(all(feature = "xml", feature = "zip"))]
use super::notes::Note;
#[cfg(all(feature = "xml", feature = "zip"))]
use super::recognise::Verdict;
use super::recognise::{FIRST, First, recognise};
use super::source::{Source, is_part};
use super::unused_options;
use super::{ImportOptions, Input};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_graph::StoredGraph;
#[cfg(feature = "arrow")]
use webrank_tables::read::arrow::ArrowTable;
#[cfg(feature = "parquet")]
use webrank_tables::read::parquet::ParquetTable;
use webrank_tables::text::missing::nothing_at;
use webrank_tables::text::records::Records;

/// The files of a graph: one or several, or `-` for the standard input.
#[derive(Debug, Clone)]
pub struct ImportFiles {
    files: Vec<PathBuf>,
}

/// Sources, opened.
pub(super) struct Inputs {
    pub(super) all: Vec<Input>,
    /// Their formats, if they are files.
    pub(super) formats: Vec<Format>,
    /// The first file, if they are files that should have arcs.
    pub(super) path: Option<PathBuf>,
}

impl ImportFiles {
    /// The files that paths mean: a folder that is no bundle means its files, in the order of
    /// their names, without those that start with a dot or an underscore.
    ///
    /// # Errors
    /// If a path does not exist, or if a folder has no files.
    pub fn new(paths: &[PathBuf]) -> Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            if !path.is_dir() || bv_graph::is_bundle(path) {
                let is_there = path.exists() || StoredGraph::is_at(path) || is_part(path);
                if path.as_os_str() != "-" && !is_there {
                    return Err(nothing_at(path));
                }
                files.push(path.clone());
                continue;
            }
            let before = files.len();
            let cannot = |source| Error::io(path, "cannot read", source);
            for entry in path.read_dir().map_err(cannot)? {
                let entry = entry.map_err(cannot)?;
                let name = entry.file_name();
                let is_hidden = name.to_string_lossy().starts_with(['.', '_']);
                if !is_hidden && entry.path().is_file() {
                    files.push(entry.path());
                }
            }
            if files.len() == before {
                return Err(Error::file(path, "the folder has no files to import"));
            }
            files[before..].sort_unstable();
        }
        Ok(ImportFiles { files })
    }

    /// The files, in the order in which they are read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    pub(super) fn open(&self, options: &ImportOptions) -> Result<Inputs> {
        let open = |path: &PathBuf| open(path, options);
        let all: Vec<(Format, Input)> = self.files.iter().map(open).collect::<Result<_>>()?;
        let (formats, all): (Vec<Format>, Vec<Input>) = all.into_iter().unzip();
        let weighted = all.first().is_some_and(|first| first.weighted);
        if let Some(other) = all.iter().position(|input| input.weighted != weighted) {
            let (has, lacks) = if weighted { (0, other) } else { (other, 0) };
            let problem = format!(
                "arcs have no weights, but those of {} have; give all files weights, or none \
                 (--unweighted)",
                self.files[has].display()
            );
            return Err(Error::file(&self.files[lacks], problem));
        }
        if !options.ids
            && let Some(first) = all.first()
            && let Some(other) = all
                .iter()
                .position(|it| it.is_numbered != first.is_numbered)
        {
            let (numbered, named) = if first.is_numbered {
                (0, other)
            } else {
                (other, 0)
            };
            let problem = format!(
                "nodes have names, but those of {} have numbers; import them one by one, or read \
                 all as numbers (--ids)",
                self.files[numbered].display()
            );
            return Err(Error::file(&self.files[named], problem));
        }
        // Graphs are graphs without arcs, too.
        let first = self.files.first().filter(|path| !bv_graph::is_bundle(path));
        let path = first.map(|path| shown(path).to_owned());
        Ok(Inputs { all, formats, path })
    }
}

impl Inputs {
    /// Arcs that come from no file.
    pub(super) fn of(all: Vec<Input>) -> Self {
        Inputs {
            all,
            formats: Vec::new(),
            path: None,
        }
    }

    /// A single list.
    pub(super) fn records(records: Records, options: &ImportOptions) -> Result<Self> {
        let input = edge_list::open(records, &column_choice(options))?;
        Ok(Inputs::of(vec![input]))
    }

    /// True if arcs get weights.
    pub(super) fn weighted(&self, options: &ImportOptions) -> bool {
        let counts = options.duplicates == Some(super::Duplicates::Sum);
        !options.unweighted && (counts || self.all.iter().any(|input| input.weighted))
    }

    /// True if a format numbers nodes.
    pub(super) fn has_numbers(&self) -> bool {
        self.all.iter().any(|input| input.is_numbered)
    }

    /// True if nodes have numbers, not names.
    pub(super) fn are_numbered(&self, options: &ImportOptions) -> bool {
        options.ids || self.has_numbers()
    }
}

pub(super) fn column_choice(options: &ImportOptions) -> ColumnChoice {
    ColumnChoice {
        columns: options.columns.clone(),
        is_there: options.header,
        unweighted: options.unweighted,
        separator: options.separator,
        is_list: options.from == Some(Format::Edges),
        allows_no_arcs: options.allow_empty,
    }
}

/// The first bytes of a file, and the others, decompressed and, if it is text that is not UTF-8,
/// decoded.
pub(super) fn open_text(source: &Source) -> Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut input = source.open()?;
    let first = first_bytes(source.path(), &mut input)?;
    Ok((first, input))
}

fn first_bytes(path: &Path, input: &mut dyn Read) -> Result<Vec<u8>> {
    let mut first = Vec::new();
    let read = input.take(FIRST).read_to_end(&mut first);
    read.map_err(|source| Error::io(shown(path), "cannot read", source))?;
    Ok(first)
}

/// A path as messages call it.
fn shown(path: &Path) -> &Path {
    match path.as_os_str() == "-" {
        true => "standard input".as_ref(),
        false => path,
    }
}

/// Opens a file, and says in which format it is.
fn open(path: &Path, options: &ImportOptions) -> Result<(Format, Input)> {
    if let Some(input) = bv_graph::open(path, options)? {
        unused_options::check(options, path, Format::BvGraph)?;
        return Ok((Format::BvGraph, input));
    }
    let source = Source::new(path, options.encoding.as_deref())?;
    if let Some(archive) = of_archive(&source, options) {
        return archive;
    }
    let (first, input) = open_text(&source)?;
    let format = format_of(path, &first, options)?;
    unused_options::check(options, shown(path), format)?;
    Ok((format, open_as(format, &source, (first, input), options)?))
}

/// The format of a file that starts like this.
fn format_of(path: &Path, first: &[u8], options: &ImportOptions) -> Result<Format> {
    if let Some(format) = options.from {
        return Ok(format);
    }
    let is_whole = (first.len() as u64) < FIRST;
    let found = recognise(&First::new(path, first, is_whole));
    // A given separator makes a list of a table that looks like something else, or like nothing.
    if options.separator.is_some() {
        let is_table = |format| matches!(format, Format::Matrix | Format::Metis);
        return Ok(match found {
            Ok(found) if !is_table(found.format) => found.format,
            _ => Format::Edges,
        });
    }
    let found = found.map_err(|problem| Error::file(shown(path), problem))?;
    log::info!(
        "{}: read as {:?}: {}",
        path.display(),
        found.format,
        found.reason
    );
    Ok(found.format)
}

/// Opens a file in a format.
fn open_as(
    format: Format,
    source: &Source,
    (first, input): (Vec<u8>, Box<dyn Read + Send>),
    options: &ImportOptions,
) -> Result<Input> {
    let path = source.path();
    let is_tabbed = first.contains(&b'\t');
    let input = Box::new(Cursor::new(first).chain(input));
    let unweighted = options.unweighted;
    match format {
        Format::Gml => return gml::open(path, input, (options.ids, unweighted)),
        Format::Dot => return dot::open(path, input, unweighted),
        Format::Json => return json::open(path, input, options.ids, &column_choice(options)),
        Format::Graph6 => return graph6::open(path, input),
        #[cfg(feature = "arrow")]
        Format::Arrow => {
            let file = ArrowTable::open(path, input)?;
            return columnar::open(path, file, &column_choice(options));
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            check_seekable(source, "Parquet")?;
            return columnar::open(path, ParquetTable::open(path)?, &column_choice(options));
        }
        #[cfg(feature = "xml")]
        Format::GraphMl => return xml::graphml::open(path, input, unweighted),
        #[cfg(feature = "xml")]
        Format::Gexf => return xml::gexf::open(source, unweighted),
        #[cfg(feature = "npy")]
        Format::Npz => {
            check_seekable(source, ".npz")?;
            return npz::open(path, unweighted);
        }
        Format::Xlsx => {
            return Err(Error::file(
                path,
                "not a workbook of Excel, which is a zip archive",
            ));
        }
        Format::Dl => return dl::open(source, input, unweighted),
        Format::Matrix => return dense::open(source, input, unweighted),
        Format::Pajek => return pajek::open(source, input, unweighted),
        Format::Lgl => return lgl::open(source, input, true, unweighted),
        Format::Ncol => return lgl::open(source, input, false, unweighted),
        _ => {}
    }
    let records = Records::of(path, input);
    match format {
        Format::Edges => edge_list::open(records, &column_choice(options)),
        Format::MatrixMarket => matrix_market::open(records, unweighted),
        Format::Metis => metis::open(records, unweighted),
        Format::Adjacency => Ok(adjacency::open(records, is_tabbed, options.symmetric)),
        Format::Tgf => tgf::open(path, records, options.ids),
        Format::Dimacs => dimacs::open(records, unweighted),
        Format::Sif => Ok(sif::open(records, is_tabbed)),
        Format::NTriples => Ok(n_triples::open(records, &options.predicates)),
        _ => Err(Error::file(
            path,
            format!(
                "this build does not read the format {format:?}; build it with the feature formats"
            ),
        )),
    }
}

/// Opens an archive that is a format of its own, if it is read.
#[cfg_attr(
    not(any(feature = "npy", all(feature = "xml", feature = "zip"))),
    expect(unused_variables, reason = "no archive is a format of this build")
)]
fn of_archive(source: &Source, options: &ImportOptions) -> Option<Result<(Format, Input)>> {
    #[cfg(feature = "npy")]
    if source.is_npz() {
        let checked = unused_options::check(options, source.path(), Format::Npz);
        let opened = checked.and_then(|()| npz::open(source.path(), options.unweighted));
        return Some(opened.map(|input| (Format::Npz, input)));
    }
    #[cfg(all(feature = "xml", feature = "zip"))]
    if let Some((file, sheet)) = source.workbook() {
        let checked = unused_options::check(options, source.path(), Format::Xlsx);
        let opened = checked
            .and_then(|()| workbook::open(file, sheet))
            .and_then(|sheet| of_sheet(source, sheet, options));
        return Some(opened.map(|input| (Format::Xlsx, input)));
    }
    let is_other = source.is_npz() || source.workbook().is_some();
    is_other.then(|| {
        let problem = "this build does not read such archives; build it with the feature formats";
        Err(Error::file(source.path(), problem))
    })
}

/// Opens a sheet, which is a list or a matrix.
#[cfg(all(feature = "xml", feature = "zip"))]
fn of_sheet(source: &Source, sheet: workbook::List, options: &ImportOptions) -> Result<Input> {
    let mut text = sheet.text;
    let first = first_bytes(source.path(), &mut text)?;
    let is_matrix = match options.from {
        Some(Format::Matrix) => true,
        Some(Format::Edges) => false,
        _ => {
            let is_whole = (first.len() as u64) < FIRST;
            let verdict = dense::recognise(&First::new(source.path(), &first, is_whole));
            options.columns.is_none() && options.header.is_none() && verdict != Verdict::No
        }
    };
    let text = Box::new(Cursor::new(first).chain(text));
    let input = match is_matrix {
        true => dense::open(source, text, options.unweighted)?,
        false => edge_list::open(Records::of(source.path(), text), &column_choice(options))?,
    };
    Ok(match sheet.assumed {
        Some(text) => input.noting(Note::assumed("sheets", text)),
        None => input,
    })
}

/// Refuses what cannot be read from places in the middle.
#[cfg(any(feature = "npy", feature = "parquet"))]
fn check_seekable(source: &Source, format: &str) -> Result<()> {
    use std::io::{Seek, SeekFrom};
    let path = source.path();
    if source.is_member() {
        let problem = format!("{format} files are not read out of archives: unpack it");
        return Err(Error::file(path, problem));
    }
    if source.is_stream() {
        let problem = format!("{format} files are not read from the start to the end: give a file");
        return Err(Error::file("standard input", problem));
    }
    let file = std::fs::File::open(path);
    let mut file = file.map_err(|source| Error::io(path, "cannot open", source))?;
    let mut magic = [0; 4];
    let seeked = file.seek(SeekFrom::Start(0)).is_ok() && file.read_exact(&mut magic).is_ok();
    if !seeked || ![*b"PAR1", *b"PK\x03\x04"].contains(&magic) {
        let problem = format!(
            "{format} files are not read from the start to the end: decompress it, and give a file"
        );
        return Err(Error::file(path, problem));
    }
    Ok(())
}
