//! Tables of scores from files, joined by name or node.
//!
//! A file has any of the formats of [`super::write`], and is written by it or by any other program.
//! It has a column of keys and columns of scores.
//!
//! * [`cells`]: what formats share: a table is read as its cells;
//! * [`columns`]: what formats of typed columns share: `arrow`, `parquet`;
//! * `text`, `json_lines`, `npy`: the other formats;
//! * `size`: how large a table is, before it is read; `joined`: rows matched by key;
//! * `whole`: tables with all their columns.

use super::keys::Keys;
use super::write::{TableFormat, extension};
use crate::text::input;
use crate::text::missing::open_file;
use crate::text::records::Records;
use cells::TableFile;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::{quoted, shown};

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod cells;
pub mod columns;
mod joined;
mod json_lines;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "parquet")]
pub mod parquet;
mod size;
mod text;
pub mod whole;

pub use joined::{Joined, join};
pub use size::TableSize;
pub use whole::{Entries, OpenTable, Values, WholeTable, open_table};

/// The scores in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreFile {
    /// The header of the column of keys.
    pub key_column: String,
    /// The key of each row, all different.
    pub keys: Keys,
    /// The headers and entries of the columns of scores.
    pub columns: Vec<(String, Vec<f64>)>,
    /// The columns `lower` and `upper`, between which a single column `score` lies.
    pub interval: Option<[Vec<f64>; 2]>,
}

/// Columns that hold no scores in tables that `rank` writes.
const NO_SCORES: [&str; 6] = ["node", "name", "rank", "rank_from", "rank_to", "certain"];

/// The index of a data frame.
const INDEX: &str = "__index_level_0__";

/// The ends of intervals, if there is the column that they belong to: `lin_lower` beside `lin`.
const ENDS: [&str; 2] = ["lower", "upper"];

/// True for columns that hold no scores, also behind a prefix, as in joined tables.
fn holds_no_scores(column: &str, header: &[&str]) -> bool {
    let prefix = |name: &&str| column.strip_suffix(*name)?.strip_suffix('_');
    let has_scores = |prefix: &str| {
        let is_of = |other: &&str| other.strip_prefix(prefix).is_some_and(|it| it == "_score");
        header.contains(&prefix) || header.iter().any(is_of)
    };
    let is_prefixed = NO_SCORES.iter().any(|name| prefix(name).is_some());
    let is_end = ENDS.iter().filter_map(prefix).any(has_scores);
    is_prefixed || is_end || NO_SCORES.contains(&column) || column == INDEX
}

/// Reads the table at `path`, in the format that its extension or its first bytes name.
/// Keys are in the column `on`; by default in `name`, failing that in `node`, failing that in the
/// first column that is not `score`. Scores are in the column `score`, with their bounds in `lower`
/// and `upper` if there are such columns. Without a column `score`, every other column except
/// `node`, `name`, `rank`, `rank_from`, `rank_to` and `certain`, or those with a prefix (`lin_rank`),
/// holds scores, but for `lin_lower` and `lin_upper` beside `lin` or `lin_score`. In an array of numpy,
/// `node` is the position.
///
/// # Errors
/// If the file cannot be read, has no such columns or no column of scores; if a key occurs twice,
/// or an entry is missing or not a finite number: the message names the line or the row.
pub fn read_scores(path: &Path, on: Option<&str>) -> Result<ScoreFile> {
    cells::scores(path, open(path)?.as_mut(), on)
}

/// Reads the scores in a table in memory by the rules of [`read_scores`]; `name` is for messages.
///
/// # Errors
/// As for [`read_scores`].
#[cfg(feature = "arrow")]
pub fn scores_of_batches(
    name: &Path,
    batches: impl arrow_array::RecordBatchReader + Send + 'static,
    on: Option<&str>,
) -> Result<ScoreFile> {
    let mut table = arrow::ArrowTable::of_batches(name, batches);
    cells::scores(name, &mut table, on)
}

/// Finds out the format of a table, and opens it.
fn open(path: &Path) -> Result<Box<dyn TableFile>> {
    Ok(match binary_format(path)? {
        #[cfg(feature = "parquet")]
        Some(TableFormat::Parquet) => Box::new(parquet::ParquetTable::open(path)?),
        #[cfg(feature = "arrow")]
        Some(TableFormat::Arrow) => Box::new(arrow::ArrowTable::open(path, input::open(path)?)?),
        #[cfg(feature = "npy")]
        Some(TableFormat::Npy) => Box::new(npy::Npy::open(path)?),
        None => open_text(path)?,
        #[allow(unreachable_patterns)]
        Some(_) => {
            let problem = "this build does not read the format; build it with the feature formats, or write CSV";
            return Err(Error::file(path, problem));
        }
    })
}

/// The table at `path`, if its cells have types: Parquet, Arrow, or JSON lines by the extension.
///
/// # Errors
/// If it cannot be read.
pub fn open_typed(path: &Path) -> Result<Option<OpenTable>> {
    let is_typed = match binary_format(path)? {
        Some(format) => format != TableFormat::Npy && path.is_file(),
        None => path.is_file() && matches!(TableFormat::of(path), Ok(TableFormat::JsonLines)),
    };
    is_typed.then(|| open_table(path)).transpose()
}

/// JSON lines start with a brace, and headers do not.
fn open_text(path: &Path) -> Result<Box<dyn TableFile>> {
    let mut input = input::open(path)?;
    let mut start = Vec::new();
    let read = input.by_ref().take(1 << 8).read_to_end(&mut start);
    read.map_err(|e| Error::io(path, "cannot read", e))?;
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    let is_json = text.trim_ascii_start().first() == Some(&b'{');
    let header = text.trim_ascii_start().split(|byte| b"\r\n".contains(byte));
    let header = header.take(1).flatten();
    let has = |mark: u8| header.clone().any(|&byte| byte == mark);
    let has_semicolons = has(b';') && !has(b',') && !has(b'\t');
    let records = Records::of(path, Box::new(Cursor::new(start).chain(input)));
    if is_json {
        return Ok(Box::new(json_lines::JsonLines::open(path, records)?));
    }
    Ok(Box::new(text::TextTable::open(
        path,
        records,
        has_semicolons,
    )?))
}

/// The format of a table that is not text.
fn binary_format(path: &Path) -> Result<Option<TableFormat>> {
    let by_extension = match extension(path).as_str() {
        "parquet" => Some(TableFormat::Parquet),
        "arrow" | "arrows" | "feather" | "ipc" => Some(TableFormat::Arrow),
        "npy" => Some(TableFormat::Npy),
        _ => None,
    };
    if path.is_dir() {
        return Ok(Some(TableFormat::Parquet));
    }
    // An input that cannot be read twice, such as a pipe, is text.
    if by_extension.is_some() || !path.is_file() {
        return Ok(by_extension);
    }
    let file = open_file(path)?;
    let mut start = Vec::new();
    let read = file.take(6).read_to_end(&mut start);
    read.map_err(|e| Error::io(path, "cannot read", e))?;
    Ok(match &start[..] {
        [b'P', b'A', b'R', b'1', ..] => Some(TableFormat::Parquet),
        b"ARROW1" => Some(TableFormat::Arrow),
        b"\x93NUMPY" => Some(TableFormat::Npy),
        _ => None,
    })
}

/// Which columns hold keys and scores, by position in the header.
struct Choice {
    key: usize,
    scores: Vec<usize>,
    /// How many of the last columns of `scores` are ends of an interval: 0 or 2.
    ends: usize,
}

impl Choice {
    fn new(path: &Path, header: &[&str], on: Option<&str>) -> Result<Self> {
        let find = |name: &str| header.iter().position(|column| *column == name);
        let key = match on {
            Some(name) => find(name).ok_or_else(|| {
                let first = header.iter().take(20);
                let columns = first.map(|column| shown(column)).collect::<Vec<_>>();
                let (name, columns) = (quoted(name), columns.join(", "));
                Error::file(path, format!("no column {name}; there are {columns}"))
            })?,
            None => {
                let first = header.iter().position(|column| *column != "score");
                find("name").or(find("node")).or(first).unwrap_or(0)
            }
        };
        let is_score = |i: &usize| *i != key && !holds_no_scores(header[*i], header);
        let (mut scores, mut ends) = match find("score").filter(is_score) {
            Some(score) => (vec![score], find("lower").zip(find("upper"))),
            None => ((0..header.len()).filter(is_score).collect(), None),
        };
        if scores.is_empty() {
            let problem = "no column of scores; name one 'score' in the header";
            return Err(Error::file(path, problem));
        }
        ends = ends.filter(|&(lower, upper)| lower != key && upper != key);
        if let Some((lower, upper)) = ends {
            scores.extend([lower, upper]);
        }
        let ends = 2 * usize::from(ends.is_some());
        Ok(Choice { key, scores, ends })
    }

    /// The file, from the entries of the chosen columns.
    fn scores(&self, header: &[&str], keys: Keys, mut entries: Vec<Vec<f64>>) -> ScoreFile {
        let ends = entries.split_off(entries.len() - self.ends);
        let names = self.scores.iter().map(|&i| header[i].to_owned());
        ScoreFile {
            key_column: header[self.key].to_owned(),
            keys,
            columns: names.zip(entries).collect(),
            interval: ends.try_into().ok(),
        }
    }
}

/// The Parquet files of a folder, in the order of their names: those of any program.
///
/// # Errors
/// If there are none, if the folder cannot be read, or if a run is still writing to it.
pub fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = |source| Error::io(folder, "cannot read", source);
    let mut files = Vec::new();
    for entry in folder.read_dir().map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "_temporary" {
            let problem = "a run is still writing to the folder, or was stopped: it has _temporary; \
                           run it again";
            return Err(Error::file(folder, problem));
        }
        if !name.starts_with(['_', '.']) && extension(Path::new(&name)) == "parquet" {
            files.push(entry.path());
        }
    }
    if files.is_empty() {
        let problem = "is a folder without Parquet files; name a table";
        return Err(Error::file(folder, problem));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, on: Option<&str>) -> Result<ScoreFile> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, text).unwrap();
        read_scores(&path, on)
    }

    fn keys(keys: &[&str]) -> Keys {
        keys.iter().copied().collect()
    }

    #[test]
    fn tables_of_one_and_of_several_measures() {
        let one = read("node,name,score,rank\n0,a,0.5,1\n1,b,0.25,2\n", None).unwrap();
        assert_eq!(one.keys, keys(&["a", "b"]));
        assert_eq!(one.columns, [("score".to_owned(), vec![0.5, 0.25])]);
        let several = read("node\tlin\tharmonic\n7\t1\t2\n", None).unwrap();
        assert_eq!(several.keys, keys(&["7"]));
        assert_eq!(several.columns.len(), 2);
        let chosen = read("node,name,score\n0,a,0.5\n", Some("node")).unwrap();
        assert_eq!(chosen.keys, keys(&["0"]));
        let score_first = read("score,url\n0.5,a\n", None).unwrap();
        assert_eq!(score_first.key_column, "url");
    }

    #[test]
    fn semicolons_separate_where_the_header_has_nothing_else() {
        let of_excel = "name;score\n\"a;b\";-0,25\n1,5;1e-3\n";
        let found = read(of_excel, None).unwrap();
        // A key stays as it is.
        assert_eq!(found.keys, keys(&["a;b", "1,5"]));
        assert_eq!(found.columns, [("score".to_owned(), vec![-0.25, 1e-3])]);
        let problem = read("name;score\na;1,234,5\n", None).unwrap_err();
        let problem = problem.to_string();
        assert!(problem.ends_with("line 2: '1,234,5' in column 'score' is not a finite number"));
    }

    #[test]
    fn scores_between_ends() {
        let read = read("node,score,lower,upper,rank\n0,2,1,4,1\n", None).unwrap();
        assert_eq!(read.columns, [("score".to_owned(), vec![2.0])]);
        assert_eq!(read.interval, Some([vec![1.0], vec![4.0]]));
    }

    #[test]
    fn columns_of_intervals_and_ranks_hold_no_scores() {
        let headers = |header: &str| {
            let row: Vec<String> = (0..header.split(',').count())
                .map(|i| i.to_string())
                .collect();
            let table = read(&format!("{header}\n{}\n", row.join(",")), None).unwrap();
            let names = table.columns.into_iter().map(|(name, _)| name);
            names.collect::<Vec<_>>().join(",")
        };
        for (header, scores) in [
            ("node,score,lower,upper,rank,rank_from,rank_to", "score"),
            (
                "node,lin,decay,lin_lower,lin_upper,decay_lower,decay_upper",
                "lin,decay",
            ),
            (
                "name,lin_score,lin_lower,lin_upper,lin_rank,lin_rank_from,lin_rank_to,pr_score",
                "lin_score,pr_score",
            ),
            // Nothing says what these are ends of.
            ("node,lower,upper,lin_lower", "lower,upper,lin_lower"),
        ] {
            assert_eq!(headers(header), scores, "{header}");
        }
    }

    #[test]
    fn what_is_no_table_of_scores_is_refused() {
        for (text, word) in [
            ("node,name\n0,a\n", "no column of scores"),
            ("node,score\n0,NaN\n", "line 2: 'NaN'"),
            ("node,score\n0,1\n1,\n", "line 3: ''"),
            ("node,score\n0,1\n0,2\n", "line 3: '0' occurs twice"),
            ("node,score\n0,1,2\n", "line 2: not a table"),
        ] {
            let problem = read(text, None).unwrap_err().to_string();
            assert!(problem.contains(word), "{problem}");
        }
        let problem = read("node,score\n0,1\n", Some("url"))
            .unwrap_err()
            .to_string();
        assert!(
            problem.contains("no column 'url'; there are node, score"),
            "{problem}"
        );
    }

    #[test]
    fn rows_are_matched_by_key_and_the_others_reported() {
        let a = read("name,score\nx,1\ny,2\nz,3\n", None).unwrap();
        let b = read("name,score\nz,30\nw,40\nx,10\n", None).unwrap();
        let joined = join(vec![a, b]);
        assert_eq!(joined.keys, keys(&["x", "z"]));
        assert_eq!(joined.columns[0][0].1, [1.0, 3.0]);
        assert_eq!(joined.columns[1][0].1, [10.0, 30.0]);
        assert_eq!(joined.unmatched, [keys(&["y"]), keys(&["w"])]);
    }
}
