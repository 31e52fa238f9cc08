//! The report of `rank evaluate`.

use super::scoring::manifest;
use crate::evaluate::{ComparedSystem, Evaluation};
use crate::fields::FieldWeights;
use crate::measures::MEASURES;
use crate::significance::Significance;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_scores::manifest::Manifest;
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_terminal::options::OutputArgs;
use webrank_terminal::reported::Reported;

/// An evaluation that is ready to be reported.
pub struct EvaluationReport {
    pub inputs: Vec<PathBuf>,
    pub source: String,
    pub weights: FieldWeights,
    pub evaluation: Evaluation,
    pub phases: Phases,
}

/// A mean of a measure: without a static score, or with one and its difference.
struct Row<'a> {
    system: Option<&'a ComparedSystem>,
    measure: usize,
}

impl EvaluationReport {
    fn rows(&self) -> Vec<Row<'_>> {
        let systems = self.evaluation.systems.iter().map(Some);
        let systems = [None].into_iter().chain(systems);
        let rows = systems
            .flat_map(|system| (0..MEASURES.len()).map(move |measure| Row { system, measure }));
        rows.collect()
    }

    fn mean(&self, row: &Row) -> f64 {
        let means = row
            .system
            .map_or(&self.evaluation.baseline, |system| &system.means);
        means[row.measure]
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let found = &self.evaluation;
        let rows = self.rows();
        let rows = rows.iter().map(|row| {
            let mut value = json!({
                "static": row.system.map(|system| &system.label),
                "measure": MEASURES[row.measure],
                "mean": self.mean(row),
            });
            if let Some((system, tested)) = tested(row) {
                value["weights"] = json!(system.weights);
                value["difference"] = json!(tested.difference);
                value["lower"] = json!(tested.lower);
                value["upper"] = json!(tested.upper);
                value["p"] = json!(tested.p);
            }
            value
        });
        json!({
            "source": self.source,
            "fields": self.weights.to_string(),
            "queries": found.queries,
            "queries_without_relevant_pages": found.unjudged,
            "queries_without_hits": found.without_hits,
            "relevant_pages_not_in_index": found.unknown,
            "measures": rows.collect::<Vec<_>>(),
        })
    }
}

/// The note of the table.
const NOTE: &str = "
A row is about a static score and a measure; none is BM25 alone, from which the differences are. p is the
probability of such a difference, or a larger one, by chance; the interval excludes 0 exactly when p < 0.05.
";

/// A number of what is known of a difference.
type Part = fn(&Significance) -> f64;

/// The difference that a row is about.
fn tested<'a>(row: &Row<'a>) -> Option<(&'a ComparedSystem, &'a Significance)> {
    row.system
        .map(|system| (system, &system.differences[row.measure]))
}

/// The name of a table without folder and extension.
fn stem(label: &str) -> String {
    let name = Path::new(label)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

impl Reported for EvaluationReport {
    fn summary(&self) -> String {
        let found = &self.evaluation;
        let mut text = format!(
            "{}; fields {}\n{} queries have relevant pages, {} of them find nothing",
            self.source, self.weights, found.queries, found.without_hits
        );
        for (count, what) in [
            (
                found.unjudged,
                "queries without relevant pages are left out",
            ),
            (found.unknown, "relevant pages are not in the index"),
        ] {
            if count > 0 {
                let _ = write!(text, "; {count} {what}");
            }
        }
        text + "\n"
    }

    fn shown(&self, _: usize) -> String {
        let mut text = format!(
            "\n{:<20}  {:<10}  {:>7}  {:>10}  {:<20}  {:>7}\n",
            "static", "measure", "mean", "difference", "95 % interval", "p"
        );
        for row in self.rows() {
            let label = row.system.map_or("none".into(), |system| {
                if system.weights.is_empty() {
                    return system.label.clone();
                }
                let weights = system.weights.iter().map(f64::to_string);
                format!(
                    "{} x {}",
                    stem(&system.label),
                    weights.collect::<Vec<_>>().join(", ")
                )
            });
            let (label, measure) = (visible(&label), MEASURES[row.measure]);
            let _ = write!(text, "{label:<20}  {measure:<10}  {:>7.4}", self.mean(&row));
            if let Some((_, tested)) = tested(&row) {
                let interval = format!("{:+.4} to {:+.4}", tested.lower, tested.upper);
                let _ = write!(
                    text,
                    "  {:>+10.4}  {interval:<20}  {:>7.4}",
                    tested.difference, tested.p
                );
            }
            text.push('\n');
        }
        text + NOTE
    }

    fn columns(&self, _: &OutputArgs) -> ColumnTable<'_> {
        let rows = self.rows();
        let count = rows.len();
        let means: Vec<f64> = rows.iter().map(|row| self.mean(row)).collect();
        let names: Vec<&str> = rows.iter().map(|row| MEASURES[row.measure]).collect();
        let labels: Vec<&str> = rows
            .iter()
            .map(|row| row.system.map_or("", |system| &system.label))
            .collect();
        let tested: Vec<Option<Significance>> = rows
            .iter()
            .map(|row| tested(row).map(|(_, tested)| *tested))
            .collect();
        let mut fields = vec![
            NamedColumn::new("static", Cells::Names(Box::new(move |row| labels[row]))),
            NamedColumn::new("measure", Cells::Names(Box::new(move |row| names[row]))),
            NamedColumn::new("mean", Cells::Numbers(Box::new(move |row| means[row]))),
        ];
        let columns: [(&str, Part); 4] = [
            ("difference", |tested| tested.difference),
            ("lower", |tested| tested.lower),
            ("upper", |tested| tested.upper),
            ("p", |tested| tested.p),
        ];
        for (name, of) in columns {
            let tested = tested.clone();
            let is_there: Vec<bool> = tested.iter().map(Option::is_some).collect();
            let entry = move |row: usize| tested[row].as_ref().map_or(f64::NAN, of);
            let mut field = NamedColumn::new(name, Cells::Numbers(Box::new(entry)));
            field.present = Some(Box::new(move |row| is_there[row]));
            fields.push(field);
        }
        ColumnTable {
            rows: count,
            fields,
        }
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        manifest(&self.inputs, phases)
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
