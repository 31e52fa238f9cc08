//! A ranking as users see it: its table, its manifest, its summary. The command and the Python
//! package show the same.

use super::Run;
use super::manifest::{Manifest, path_beside};
use super::ranked::Ranked;
use super::ranked_rows::{Heading, RankedRows};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, is_written_directly, publish};
use webrank_base::phases::Phases;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_graph::Graph;
use webrank_graph::bundle::FileEntry;
use webrank_tables::table::ColumnTable;
use webrank_tables::write::{TableFormat, write_file};

/// Columns that a summary names.
const SHOWN: usize = 20;

/// The meaning of the column `rank` in manifests.
const RANK_MEANS: &str = "1 plus the number of nodes with a larger score; ties share it";

/// A ranking and the graph whose nodes it ranks.
pub struct Report<'a, R = Ranked> {
    /// The graph.
    pub graph: &'a Graph,
    /// The ranking.
    pub ranked: &'a R,
}

/// The rows of a table.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableRows {
    /// Only so many of the best nodes; all if there is no number.
    pub top: Option<usize>,
    /// The best first; in the order of the graph if not.
    pub best_first: bool,
}

impl<'a, R: RankedRows> Report<'a, R> {
    /// The table: see [`RankedRows::table`].
    pub fn columns(&self, rows: TableRows) -> ColumnTable<'a> {
        self.ranked.table(self.graph, rows)
    }

    /// The manifest of a run that took these phases.
    ///
    /// # Errors
    /// If the graph's file cannot be read for its fingerprint.
    pub fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        let (ranked, proved) = (self.ranked, self.ranked.proved_positions());
        Ok(Manifest {
            form: ranked.form().cloned(),
            ..manifest_of(
                self.graph,
                &ranked.headings(),
                proved,
                ranked.notes(),
                phases,
            )?
        })
    }

    /// Writes the table to a file at `path`, in the format that its extension names, and the
    /// manifest beside it: both appear, or none. `complete` may add to the manifest.
    ///
    /// # Errors
    /// If the files cannot be written, or the format cannot hold the table.
    pub fn save(
        &self,
        rows: TableRows,
        path: &Path,
        complete: impl Fn(Manifest) -> Manifest,
    ) -> Result<()> {
        rows.check(path)?;
        let mut pending = PendingTable::create(path)?;
        let mut phases = self.ranked.phases().clone();
        let manifest = complete(self.manifest(&phases)?);
        write_file(
            &self.columns(rows),
            path,
            Some(&manifest.of_scores()),
            &mut pending.table,
        )?;
        self.ranked.check_read()?;
        phases.done("write");
        pending.publish(path, || Ok(complete(self.manifest(&phases)?)))
    }

    /// The measure, the method, and the certainty, in a few lines. Only the `detailed` one has
    /// parameters with usual values, and why a method was chosen.
    pub fn summary(&self, detailed: bool) -> String {
        summed_up(&self.account(detailed))
    }

    /// The lines of the summary: what each is about, and what it says.
    pub fn account(&self, detailed: bool) -> Vec<(&'static str, String)> {
        let mut lines = vec![("graph", described_graph(self.graph))];
        let method = |run: &Run| match run.outcome.to_string() {
            outcome if outcome == run.method => outcome,
            outcome => format!("{}, {outcome}", run.method),
        };
        let columns = self.ranked.headings();
        let alike = columns.windows(2).all(|two| {
            let (one, other) = (two[0].run, two[1].run);
            one.method == other.method && one.outcome == other.outcome
        });
        for Heading { header, run, .. } in columns.iter().take(SHOWN) {
            lines.push(("measure", self.measure(run, detailed)));
            if !alike {
                lines.push(("column", format!("{header}: {}", method(run))));
            }
        }
        if columns.len() > SHOWN {
            lines.push(("column", format!("and {} more", columns.len() - SHOWN)));
        }
        if alike {
            lines.push(("method", method(columns[0].run)));
        }
        if let Some(claim) = columns.iter().find_map(|heading| heading.claim) {
            lines.push(("intervals", claim.to_string()));
        }
        if let Some(proved) = self.ranked.proved_positions() {
            let order = match proved {
                0 => {
                    "no position is proved: scores are nearer to each other than their error bound"
                        .into()
                }
                1 => "the first position is proved".into(),
                proved if proved == self.graph.num_nodes() => "all positions are proved".into(),
                _ => format!("the first {proved} positions are proved"),
            };
            lines.push(("order", order));
        }
        let notes = self.ranked.notes().iter();
        let notes = notes.filter(|note| detailed || !DETAILS.iter().any(|it| note.starts_with(it)));
        lines.extend(notes.map(|note| ("note", note.clone())));
        lines
    }

    /// A measure and its parameters; seeds by their names, and weights in words.
    fn measure(&self, run: &Run, detailed: bool) -> String {
        let name = |node| self.graph.name(node).into_owned();
        described_for_people(run.measure, &run.parameters, name, detailed)
    }
}

/// The parameter with the nodes at which walks start.
pub const STARTS: &str = "starts";

/// How notes begin that only the detailed summary has.
const DETAILS: [&str; 2] = [CHOSEN, TOTAL];

/// How the note about the sum of scores begins.
pub const TOTAL: &str = "scores sum to ";

/// How the note about the choice of a method begins.
pub const CHOSEN: &str = "the method ";

/// Whether a parameter has the value that its option has by default.
fn is_usual(measure: &str, name: &str, value: &Value) -> bool {
    let is_eigenvector = matches!(measure, "eigenvector" | "kendall-wei" | "authority" | "hub");
    match name {
        "alpha" => measure != "katz" && *value == 0.85,
        "beta" => value == "1",
        "base" => *value == 0.5,
        "both_ways" | "never_met" | "seed" => *value == 0,
        "delta" => *value == 0.1,
        "dangling" => value == "preference",
        "direction" => {
            value
                == if measure == "kendall-wei" {
                    "out: source beat target"
                } else {
                    "in"
                }
        }
        "endpoints" | "normalize" => *value == false,
        "epsilon" => measure == "betweenness" && *value == 0.01,
        "max_iterations" => *value == 10_000,
        "norm" => value == "l1",
        "preference" => value == "uniform",
        "tolerance" => *value == if is_eigenvector { 1e-12 } else { 1e-9 },
        "variant" => value == "bavelas",
        _ => false,
    }
}

impl TableRows {
    /// The nodes of the rows; none if the rows are all nodes in increasing order.
    pub(super) fn chosen(self, order: &[Node]) -> Option<Vec<Node>> {
        let top = self.top.unwrap_or(order.len()).min(order.len());
        if !self.best_first && top == order.len() {
            return None;
        }
        let mut nodes = order[..top].to_vec();
        if !self.best_first {
            nodes.sort_unstable();
        }
        Some(nodes)
    }

    /// Fails if a table at `path` cannot choose rows.
    ///
    /// # Errors
    /// If it is an array of numpy.
    pub fn check(self, path: &Path) -> Result<()> {
        let chooses_rows = self.top.is_some() || self.best_first;
        if TableFormat::of(path)? == TableFormat::Npy && chooses_rows {
            let problem = "an .npy file holds the scores of all nodes by node: leave out --top and \
                           --sort, or write .parquet";
            return Err(Error::file(path, problem));
        }
        Ok(())
    }
}

/// The files of a table and its manifest, being written.
pub struct PendingTable {
    /// The table.
    pub table: PendingFile,
    manifest: Option<(PathBuf, PendingFile)>,
}

impl PendingTable {
    /// Starts the files of the table at `path`.
    ///
    /// # Errors
    /// If they cannot be made.
    pub fn create(path: &Path) -> Result<Self> {
        let table = PendingFile::create(path)?;
        let manifest = match is_written_directly(path) {
            true => None,
            false => {
                let beside = path_beside(path);
                let file = PendingFile::beside(&beside, path)?;
                Some((beside, file))
            }
        };
        Ok(PendingTable { table, manifest })
    }

    /// Writes the manifest of the table, which is complete, and puts both in place.
    ///
    /// # Errors
    /// If they cannot be written, and those of `manifest`.
    pub fn publish(self, path: &Path, manifest: impl FnOnce() -> Result<Manifest>) -> Result<()> {
        let checksum = self.table.checksum();
        let manifest = self.manifest.map(|(beside, mut file)| {
            let mut manifest = manifest()?;
            manifest.describe(path, FileEntry::new(checksum));
            let written = file.write_all(manifest.text().as_bytes());
            let cannot = |source| Error::io(beside, "cannot write", source);
            written.map_err(cannot).map(|()| file)
        });
        publish(
            [Some(self.table), manifest.transpose()?]
                .into_iter()
                .flatten(),
        )
    }
}

/// The manifest of a table of these columns.
///
/// # Errors
/// If the graph's file cannot be read for its fingerprint.
pub(super) fn manifest_of(
    graph: &Graph,
    columns: &[Heading],
    proved_positions: Option<usize>,
    notes: &[String],
    phases: &Phases,
) -> Result<Manifest> {
    let runs = columns.iter().map(|it| (it.header, it.run));
    let mut manifest = Manifest::of(graph, runs, notes, phases)?;
    let claims = columns.iter();
    let claims = claims.filter_map(|it| Some((it.header.to_owned(), it.claim?)));
    manifest.intervals = claims.collect();
    manifest.proved_positions = proved_positions;
    manifest.rank = Some(RANK_MEANS.into());
    Ok(manifest)
}

/// The lines of a summary as text.
fn summed_up(account: &[(&'static str, String)]) -> String {
    let mut text = String::new();
    for (what, value) in account {
        writeln!(text, "{what:<9} {}", visible(value)).expect("strings grow");
    }
    text
}

/// A graph and its size.
pub fn described_graph(graph: &Graph) -> String {
    let n = counted(graph.num_nodes(), "node");
    let m = counted(graph.num_arcs(), "arc");
    let weights = if graph.has_weights() {
        " with weights"
    } else {
        ""
    };
    match graph.path() {
        Some(path) => format!("{}: {n}, {m}{weights}", path.display()),
        None => format!("{n}, {m}{weights}"),
    }
}

/// A measure and its parameters.
pub fn described_measure(run: &Run) -> String {
    described(run.measure, &run.parameters)
}

/// The name of a measure and its parameters, those that nobody gave only if `detailed`; seeds have their names,
/// and weights are told in words.
pub fn described_for_people(
    measure: &str,
    parameters: &Map<String, Value>,
    name: impl Fn(Node) -> String,
    detailed: bool,
) -> String {
    let mut parameters = parameters.clone();
    let is_seed = |name: &str| measure == "pagerank" && name == "seed";
    parameters.retain(|name, value| detailed || is_seed(name) || !is_usual(measure, name, value));
    if let Some(seed) = parameters.get_mut("seed").filter(|_| is_seed("seed"))
        && let Some(node) = seed.as_u64()
    {
        *seed = name(node as Node).into();
    }
    if let Some(weights) = parameters.get_mut("weights").filter(|it| it.is_string()) {
        *weights = "of arcs".into();
    }
    if let Some(Value::Array(nodes)) = parameters.remove(STARTS) {
        let of = match measure {
            "trustrank" => "seeds",
            _ => "preference",
        };
        let nodes = nodes.iter().filter_map(Value::as_u64);
        let names: Vec<_> = nodes.map(|node| name(node as Node)).collect();
        parameters.insert(of.into(), names.join(", ").into());
    }
    described(measure, &parameters)
}

/// The name of a measure and its parameters.
pub fn described(measure: &str, parameters: &Map<String, Value>) -> String {
    let set = parameters.iter().filter(|(_, value)| !value.is_null());
    let parameters: Vec<String> = set
        .map(|(name, value)| match value.as_str() {
            Some(text) => format!("{name} {text}"),
            None => format!("{name} {value}"),
        })
        .collect();
    if parameters.is_empty() {
        return measure.to_owned();
    }
    format!("{measure} ({})", parameters.join(", "))
}
