//! Tables of scores from files, joined by name or node.
//!
//! A file is CSV or TSV with a header (plain, gzip or zstd), as [`super::table`] writes it or any
//! other program: a column of keys and columns of scores.

use crate::error::{Error, Result};
use crate::graph::names::decompressed;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The scores in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreFile {
    /// The header of the column of keys.
    pub key_column: String,
    /// The key of each row, all different.
    pub keys: Vec<String>,
    /// The headers and entries of the columns of scores.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// Columns that are no scores in the tables that `rank` writes.
const NO_SCORES: [&str; 4] = ["node", "name", "rank", "certain"];

/// Reads the table at `path`. The keys are in the column `on`; by default in `name`, else in
/// `node`, else in the first. The scores are in the column `score`; if there is none, in every
/// other column that is not `node`, `name`, `rank` or `certain`.
///
/// # Errors
/// If the file cannot be read, has no such columns or no column of scores; if a key occurs twice,
/// or an entry is not a finite number: the message names the line.
pub fn read_scores(path: &Path, on: Option<&str>) -> Result<ScoreFile> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let mut reader = BufReader::with_capacity(1 << 18, decompressed(path, file)?);
    let start = reader
        .fill_buf()
        .map_err(|e| Error::io(path, "cannot read", e))?;
    let first_line = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let delimiter = if first_line.contains(&b'\t') {
        b'\t'
    } else {
        b','
    };
    let mut lines = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .from_reader(reader);
    let header = lines
        .headers()
        .map_err(|problem| unreadable(path, &problem))?
        .clone();
    let find = |name: &str| header.iter().position(|column| column == name);
    let key = match on {
        Some(name) => find(name).ok_or_else(|| {
            let columns: Vec<&str> = header.iter().collect();
            Error::file(
                path,
                format!("no column '{name}'; there are {}", columns.join(", ")),
            )
        })?,
        None => find("name").or(find("node")).unwrap_or(0),
    };
    let scores: Vec<usize> = match find("score") {
        Some(score) => vec![score],
        None => (0..header.len())
            .filter(|&i| i != key && !NO_SCORES.contains(&&header[i]))
            .collect(),
    };
    if scores.is_empty() {
        return Err(Error::file(
            path,
            "no column of scores; name one 'score' in the header",
        ));
    }
    let mut read = ScoreFile {
        key_column: header[key].to_owned(),
        keys: Vec::new(),
        columns: scores
            .iter()
            .map(|&i| (header[i].to_owned(), Vec::new()))
            .collect(),
    };
    let mut record = csv::StringRecord::new();
    while lines
        .read_record(&mut record)
        .map_err(|problem| unreadable(path, &problem))?
    {
        let line = record.position().map_or(0, csv::Position::line);
        read.keys.push(record[key].to_owned());
        for (&column, (name, entries)) in scores.iter().zip(&mut read.columns) {
            let entry: Option<f64> = record[column].trim().parse().ok();
            let entry = entry.filter(|entry| entry.is_finite()).ok_or_else(|| {
                let problem = format!(
                    "'{}' in column '{name}' is not a finite number",
                    &record[column]
                );
                Error::line(path, line, problem)
            })?;
            entries.push(entry);
        }
    }
    check_unique(path, &read.keys)?;
    Ok(read)
}

fn unreadable(path: &Path, problem: &csv::Error) -> Error {
    let line = problem.position().map_or(1, csv::Position::line);
    Error::line(path, line, format!("not a table: {problem}"))
}

fn check_unique(path: &Path, keys: &[String]) -> Result<()> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&row| &keys[row]);
    match order.windows(2).find(|pair| keys[pair[0]] == keys[pair[1]]) {
        Some(pair) => Err(Error::line(
            path,
            pair[0].max(pair[1]) as u64 + 2,
            format!("'{}' occurs twice; keys must differ", keys[pair[0]]),
        )),
        None => Ok(()),
    }
}

/// Files whose rows have been matched by key.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// The keys that occur in every file, in the order of the first.
    pub keys: Vec<String>,
    /// For each file, its columns for those keys.
    pub columns: Vec<Vec<(String, Vec<f64>)>>,
    /// For each file, the keys that some other file lacks.
    pub unmatched: Vec<Vec<String>>,
}

/// Matches the rows of files by key.
pub fn join(files: &[ScoreFile]) -> Joined {
    let places: Vec<HashMap<&str, usize>> = files
        .iter()
        .map(|file| {
            let keys = file.keys.iter().map(String::as_str);
            keys.enumerate().map(|(row, key)| (key, row)).collect()
        })
        .collect();
    let everywhere = |key: &str| places.iter().all(|places| places.contains_key(key));
    let split = |file: &ScoreFile| {
        let (matched, unmatched): (Vec<_>, Vec<_>) =
            file.keys.iter().cloned().partition(|key| everywhere(key));
        (matched, unmatched)
    };
    let keys = files.first().map(|file| split(file).0).unwrap_or_default();
    let columns = files.iter().zip(&places).map(|(file, places)| {
        let pick = |entries: &Vec<f64>| {
            keys.iter()
                .map(|key| entries[places[key.as_str()]])
                .collect()
        };
        let columns = file.columns.iter();
        columns
            .map(|(name, entries)| (name.clone(), pick(entries)))
            .collect()
    });
    Joined {
        columns: columns.collect(),
        unmatched: files.iter().map(|file| split(file).1).collect(),
        keys,
    }
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

    #[test]
    fn tables_of_one_and_of_several_measures() {
        let one = read("node,name,score,rank\n0,a,0.5,1\n1,b,0.25,2\n", None).unwrap();
        assert_eq!(one.keys, ["a", "b"]);
        assert_eq!(one.columns, [("score".to_owned(), vec![0.5, 0.25])]);
        let several = read("node\tlin\tharmonic\n7\t1\t2\n", None).unwrap();
        assert_eq!(several.keys, ["7"]);
        assert_eq!(several.columns.len(), 2);
        let chosen = read("node,name,score\n0,a,0.5\n", Some("node")).unwrap();
        assert_eq!(chosen.keys, ["0"]);
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
        let joined = join(&[a, b]);
        assert_eq!(joined.keys, ["x", "z"]);
        assert_eq!(joined.columns[0][0].1, [1.0, 3.0]);
        assert_eq!(joined.columns[1][0].1, [10.0, 30.0]);
        assert_eq!(
            joined.unmatched,
            [vec!["y".to_owned()], vec!["w".to_owned()]]
        );
    }
}
