//! Comparisons of rankings.

use crate::options::{Options, numbers};
use crate::scores::Scores;
use crate::work::run;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use webrank::Node;
use webrank::compare::comparisons::{CompareOptions, Comparisons};
use webrank::compare::tables::Tables;
use webrank::compare::{Change, Ranking, Weighting, movers};
use webrank_compare::report::ComparisonPage;
use webrank_scores::guarantee::Guarantee;
use webrank_scores::manifest::ManifestState;
use webrank_tables::keys::Keys;
use webrank_tables::read::{ScoreFile, join, read_scores, scores_of_batches};

/// Scores with their keys, ready to be compared.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Table {
    pub file: ScoreFile,
    guarantees: Vec<Guarantee>,
}

#[pymethods]
impl Table {
    /// A table in a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, on: Option<&str>) -> PyResult<Table> {
        run(py, None, |_| {
            let file = read_scores(&path, on)?;
            let account = ManifestState::beside(&path)?;
            let columns = file.columns.iter();
            let of = |header: &str| Guarantee::of(&account, header, file.interval.is_some());
            let guarantees = columns.map(|(header, _)| of(header)).collect();
            Ok(Table { file, guarantees })
        })
    }

    /// A table in memory, which has the method `__arrow_c_stream__`.
    #[staticmethod]
    fn of_arrow(
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        name: PathBuf,
        on: Option<&str>,
    ) -> PyResult<Table> {
        let batches = RecordBatchStreamReader::from_pyarrow_bound(table)?;
        run(py, None, |_| {
            let file = scores_of_batches(&name, batches, on)?;
            Ok(Table::of_unknown_origin(file))
        })
    }

    /// Scores of this package, by the names of their nodes or by their numbers.
    #[staticmethod]
    fn of_scores(py: Python<'_>, scores: &Scores, by_name: bool) -> PyResult<Table> {
        let (ranked, graph) = (&scores.ranked, &scores.graph);
        run(py, None, |_| {
            let mut keys = Keys::default();
            for node in 0..graph.num_nodes() as Node {
                match graph.names().filter(|_| by_name) {
                    Some(names) => keys.push(names.get(node))?,
                    None => keys.push(&node.to_string())?,
                }
            }
            let columns = ranked.columns().iter();
            let columns = columns.map(|(header, it)| (header.clone(), it.as_slice().to_vec()));
            let intervals = ranked.intervals().filter(|_| ranked.columns().len() == 1);
            let interval = intervals.map(|it| [it.lower.clone(), it.upper.clone()]);
            let runs = ranked.columns().iter().map(|(_, it)| &it.run);
            let guarantees = runs.map(|run| run.outcome.guarantee(interval.is_some()));
            Ok(Table {
                guarantees: guarantees.collect(),
                file: ScoreFile {
                    key_column: "node".to_owned(),
                    keys,
                    columns: columns.collect(),
                    interval,
                },
            })
        })
    }

    /// Numbers of any origin; without keys, by node.
    #[staticmethod]
    fn of_values(
        py: Python<'_>,
        columns: Vec<(String, Vec<u8>)>,
        keys: Option<Vec<String>>,
    ) -> PyResult<Table> {
        run(py, None, |_| {
            let columns = columns.into_iter();
            let columns: Vec<(String, Vec<f64>)> = columns
                .map(|(header, bytes)| (header, numbers(&bytes)))
                .collect();
            let rows = columns.first().map_or(0, |(_, values)| values.len());
            let keys: Keys = match &keys {
                Some(keys) => keys.iter().map(String::as_str).collect(),
                None => {
                    let mut all = Keys::default();
                    (0..rows).try_for_each(|node| all.push(&node.to_string()))?;
                    all
                }
            };
            if let Some(row) = keys.first_repeated() {
                let remedy = "every key must be there once";
                return Err(webrank::Error::Argument {
                    name: "key",
                    value: keys.get(row).to_owned(),
                    remedy: remedy.to_owned(),
                });
            }
            Ok(Table::of_unknown_origin(ScoreFile {
                key_column: "node".to_owned(),
                keys,
                columns,
                interval: None,
            }))
        })
    }
}

impl Table {
    fn of_unknown_origin(file: ScoreFile) -> Self {
        let none = || Guarantee::None {
            why: "its origin is not known".to_owned(),
        };
        Table {
            guarantees: file.columns.iter().map(|_| none()).collect(),
            file,
        }
    }
}

/// All coefficients of all pairs of columns.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Comparison {
    tables: Tables,
    rankings: Vec<Ranking>,
    found: Comparisons,
}

/// Compares tables; `rank_by_table` gives ranks, and is not compared.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    tables: Vec<Py<Table>>,
    names: Vec<String>,
    rank_by_table: Option<Py<Table>>,
    options: &Bound<'_, PyDict>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Comparison> {
    let options = Options::new(options);
    let weighting = Weighting {
        weigher: options.choice("weigher")?,
        rank_by: options.choice("rank_by")?,
        ..Weighting::default()
    };
    let count: usize = options.get("movers")?;
    let respects: bool = options.get("respect_bounds")?;
    let ranks_are_scores: bool = options.get("ranks_are_scores")?;
    let top: Vec<usize> = options.optional("top")?.unwrap_or_default();
    let tables: Vec<&Table> = tables.iter().map(Py::get).collect();
    let by = rank_by_table.as_ref().map(Py::get);
    run(py, progress, |progress| {
        let all = tables.iter().copied().chain(by);
        let mut joined = join(all.map(|table| table.file.clone()).collect());
        let mut labels = names.clone();
        let ranks = match by {
            None => None,
            Some(_) => {
                labels.push("rank_by_table".to_owned());
                Some(Tables::take_ranks(&mut joined, "rank_by_table")?)
            }
        };
        let mut compared = Tables::new(joined, labels, &names);
        if respects {
            let guarantees = tables.iter().flat_map(|table| table.guarantees.clone());
            compared = compared.respecting(guarantees.collect())?;
        }
        let columns = compared.columns()?;
        let options = CompareOptions {
            weighting,
            ranks,
            movers: count,
            top,
            ..CompareOptions::default()
        };
        let (rankings, found) = compared.compare(&columns, options, ranks_are_scores, progress)?;
        drop(columns);
        Ok(Comparison {
            tables: compared,
            rankings,
            found,
        })
    })
}

#[pymethods]
impl Comparison {
    #[getter]
    fn names(&self) -> Vec<String> {
        self.tables.names.clone()
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.found.rows
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.tables.notes()
    }

    /// The pairs of columns.
    #[getter]
    fn pairs(&self) -> Vec<(usize, usize)> {
        let pairs = self.found.comparisons.iter();
        pairs.map(|pair| (pair.x, pair.y)).collect()
    }

    /// The coefficients of a pair: name, meaning and value.
    fn coefficients(&self, pair: usize) -> PyResult<Vec<(String, String, Option<f64>)>> {
        let scalars = self.pair(pair)?.scalars().into_iter();
        let scalars = scalars.map(|scalar| (scalar.name, scalar.meaning, scalar.value));
        Ok(scalars.collect())
    }

    /// Everything, as JSON.
    fn json(&self) -> String {
        serde_json::to_string(&self.found).unwrap_or_default()
    }

    /// The climbers and fallers of a pair: key, rank in the first, rank in the second.
    fn movers(
        &self,
        py: Python<'_>,
        pair: usize,
        count: usize,
        by_ratio: bool,
    ) -> PyResult<[Vec<(String, f64, f64)>; 2]> {
        let pair = self.pair(pair)?;
        let change = if by_ratio {
            Change::Ratio
        } else {
            Change::Places
        };
        let (x, y) = (&self.rankings[pair.x], &self.rankings[pair.y]);
        let found = run(py, None, |_| movers(x, y, change, count))?;
        let keys = &self.tables.joined.keys;
        let named = |movers: Vec<webrank::compare::Mover>| {
            let movers = movers.into_iter();
            let key = |node: Node| keys.get(node as usize).to_owned();
            movers
                .map(|mover| (key(mover.node), mover.rank_x, mover.rank_y))
                .collect()
        };
        Ok([named(found.climbers), named(found.fallers)])
    }

    /// The page of plots.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        run(py, None, |_| {
            let notes = self.tables.notes();
            let columns = self.tables.columns()?;
            let page = ComparisonPage {
                columns: &columns,
                rankings: &self.rankings,
                comparisons: &self.found,
                keys: &self.tables.joined.keys,
                notes: &notes,
            };
            page.html()
        })
    }
}

impl Comparison {
    fn pair(&self, pair: usize) -> PyResult<&webrank::compare::Comparison> {
        let found = self.found.comparisons.get(pair);
        found.ok_or_else(|| PyIndexError::new_err(format!("no pair {pair}")))
    }
}
