//! The origin of the scores of a table: by its manifest, and by options of `rank verify`.

use super::Cli;
use super::python_replay::command_of;
use super::verification_target::{ArcWeights, Finder, MeasureArgs, parameter_of};
use clap::{ArgMatches, CommandFactory};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::{quoted, shown};
use webrank_graph::Graph;
use webrank_graph::bundle::FileEntry;
use webrank_scores::manifest::{Manifest, ManifestState};
use webrank_scores::{Outcome, Run};
use webrank_terminal::input_format::InputFormatArgs;
use webrank_terminal::options::{Global, GraphArgs};
use webrank_terminal::rerun::changed_input;
use webrank_verify::{Parameters, TableItems, Verifier};

/// Where a table comes from.
pub struct Provenance {
    table: PathBuf,
    manifest: Option<Manifest>,
    /// The folder in which its command ran.
    pub folder: PathBuf,
    /// The arguments of its command, if it is one of this version.
    pub command: Option<ArgMatches>,
}

/// The computation that the scores of a column are said to come from.
pub struct VerificationTarget {
    pub verifier: &'static Verifier,
    pub parameters: Parameters,
    pub weights: ArcWeights,
    /// The parameters for people.
    pub shown: Map<String, Value>,
    /// The promise of the manifest.
    pub outcome: Option<Outcome>,
}

impl Provenance {
    /// Reads the manifest beside a table, unless options say all.
    pub fn of(table: &Path, args: &MeasureArgs) -> Result<Self> {
        let is_known = args.graph.is_some() && args.measure.is_some();
        let manifest = match ManifestState::beside(table)? {
            ManifestState::Of(manifest) => Some(*manifest),
            ManifestState::Missing | ManifestState::Unusable(_) if is_known => None,
            ManifestState::Unusable(why) => {
                let problem = format!("{why}, or say with --graph and --measure what it is");
                return Err(Error::file(table, problem));
            }
            ManifestState::Missing => {
                let problem = "no manifest (FILE.json) is beside it: say with --graph and --measure \
                               what it is";
                return Err(Error::file(table, problem));
            }
        };
        if let (Some(manifest), None) = (&manifest, &args.measure) {
            let mut measures = manifest.columns.values().map(measure_of);
            if let Some(first) = measures.next()
                && Verifier::of(&first).is_none()
                && measures.all(|measure| Verifier::of(&measure).is_none())
            {
                let problem = format!("{first} cannot be verified; 'rank rerun' repeats the run");
                return Err(Error::file(table, problem));
            }
        }
        let folder = manifest.as_ref().map(|manifest| manifest.folder.as_str());
        let folder = folder.filter(|folder| *folder != ".");
        let folder = table
            .parent()
            .unwrap_or(Path::new(""))
            .join(folder.unwrap_or(""));
        let words = manifest.as_ref().and_then(|it| command_of(it, table).ok());
        let matches = words.and_then(|words| Cli::command().try_get_matches_from(words).ok());
        let command = matches.and_then(|mut matches| matches.remove_subcommand());
        Ok(Provenance {
            table: table.to_owned(),
            manifest,
            folder,
            command: command.map(|(_, arguments)| arguments),
        })
    }

    /// Opens the graph; its fingerprint must be that of the manifest.
    pub fn open_graph(&self, args: &MeasureArgs, global: &Global) -> Result<Graph> {
        let recorded = self.manifest.as_ref().map(|manifest| &manifest.graph);
        let path = match (&args.graph, recorded) {
            (Some(path), _) => path.clone(),
            (None, Some(recorded)) if !recorded.path.is_empty() => self.folder.join(&recorded.path),
            (None, _) => {
                let remedy = "the manifest does not name it: name the graph";
                return Err(Error::argument("graph", "not given", remedy));
            }
        };
        let reading = self.command.as_ref().and_then(InputFormatArgs::of);
        let mut reading = reading.unwrap_or_default().below(&self.folder);
        // Python opens a graph before it knows that weights are lengths.
        let is_call =
            |manifest: &Manifest| manifest.command.first().is_some_and(|it| it == "webrank");
        if self.manifest.as_ref().is_some_and(is_call) {
            reading = reading.with_lengths(None);
        }
        if args.lengths.is_some() {
            reading = reading.with_lengths(args.lengths.as_deref());
        }
        let graph = GraphArgs {
            graph: path.clone(),
            names: args.names.clone().or_else(|| self.file("names")),
            reading,
        };
        let graph = graph.open_graph(global)?;
        if let Some(recorded) = recorded {
            let found = graph.fingerprint()?;
            if found != recorded.fingerprint {
                let problem = format!(
                    "is not the graph of {}: its fingerprint is {found}, that of the run was {}; name \
                     the graph of the run with --graph",
                    self.table.display(),
                    recorded.fingerprint
                );
                return Err(Error::file(path, problem));
            }
        }
        Ok(graph)
    }

    /// Checks that the files that were read for a graph are those of the run, unless options name
    /// others.
    pub fn check_inputs(&self, graph: &Graph, args: &MeasureArgs) -> Result<()> {
        if !args.given().is_empty() {
            return Ok(());
        }
        let inputs = self.manifest.iter().flat_map(|manifest| &manifest.inputs);
        for (name, expected) in inputs {
            let file = self.folder.join(name);
            let found = graph.files_read().of(&file).map(FileEntry::new);
            if let Some(found) = found.filter(|found| found != expected) {
                return Err(changed_input(&file, &self.table, &found, expected));
            }
        }
        Ok(())
    }

    /// The error of parameters in the manifest that cannot be: it names the first wrong one.
    pub fn wrong_parameters(
        &self,
        said: &Map<String, Value>,
        problem: &serde_json::Error,
    ) -> Error {
        let is_wrong = |(name, value): &(&String, &Value)| {
            let alone = serde_json::json!({ name.as_str(): value });
            serde_json::from_value::<Parameters>(alone).is_err()
        };
        match said.iter().find(is_wrong) {
            // No option of 'rank verify' says that they are false.
            Some((name, value)) if name == "normalize" || name == "endpoints" => {
                let remedy = "make the table again, or move the manifest away and give --graph and \
                              --measure";
                self.says(name, value, remedy)
            }
            Some((name, value)) => self.says(name, value, &format!("give --{name}")),
            None => Error::file(&self.table, format!("its manifest is wrong: {problem}")),
        }
    }

    /// The error of a parameter that the manifest says, and that cannot be.
    pub fn says(&self, name: &str, value: &Value, remedy: &str) -> Error {
        let value = shown(&value.to_string());
        let problem = format!("its manifest says {} is {value}: {remedy}", shown(name));
        Error::file(&self.table, problem)
    }

    /// Whether the rows of the table are about arcs.
    pub fn is_about_arcs(&self, args: &MeasureArgs) -> bool {
        let is_of_arcs = |measure: &str| {
            let verifier = Verifier::of(measure);
            verifier.is_some_and(|it| it.items() == TableItems::Arcs)
        };
        if let Some(measure) = &args.measure {
            return is_of_arcs(measure);
        }
        let runs = self.manifest.iter().flat_map(|it| it.columns.values());
        runs.map(measure_of).any(|measure| is_of_arcs(&measure))
    }

    /// Whether the manifest says what each column is.
    pub fn describes_columns(&self) -> bool {
        self.manifest.is_some()
    }

    /// A file that the command of the run names, or what it says in place of one.
    pub fn file(&self, option: &str) -> Option<PathBuf> {
        let command = self.command.as_ref()?;
        let given = command.try_get_one::<PathBuf>(option).ok()??;
        let path = self.folder.join(given);
        // Nodes such as a,b lie in no folder.
        Some(if path.exists() { path } else { given.clone() })
    }

    /// The computation that the scores of a column are said to come from, or why it cannot be verified.
    pub fn claimed(
        &self,
        column: &str,
        args: &MeasureArgs,
        graph: &Graph,
    ) -> Result<Result<VerificationTarget, String>> {
        let columns = self.manifest.as_ref().map(|manifest| &manifest.columns);
        let run = columns.and_then(|columns| columns.get(column));
        let of_run = run.map(measure_of);
        let measure = match (&args.measure, &of_run) {
            (Some(measure), _) | (None, Some(measure)) => measure,
            (None, None) => {
                let problem = format!(
                    "nothing says what column {} is: give --measure",
                    quoted(column)
                );
                return Ok(Err(problem));
            }
        };
        let run = run.filter(|_| of_run.as_ref() == Some(measure));
        let Some(verifier) = Verifier::of(measure) else {
            return Ok(Err(unsupported(column, measure)));
        };
        let mut said = run.map_or_else(Map::new, |run| run.parameters.clone());
        let given = args.given();
        let is_overridden = !given.is_empty();
        for (option, value) in given {
            let parameter = parameter_of(option);
            if !verifier.parameters.contains(&parameter) {
                let remedy = format!("{measure} has no such parameter; leave it out");
                return Err(Error::argument(option, "given", remedy));
            }
            if parameter == "preference" {
                // A seed is a preference, too.
                said.remove("seed");
            }
            said.insert(parameter.to_owned(), value);
        }
        let finder = Finder {
            origin: self,
            args,
            graph,
            verifier,
            said,
            is_recorded: run.is_some(),
        };
        if finder.is_set("weights") && !verifier.parameters.contains(&"weights") {
            let weighted = format!("{measure} with weights");
            return Ok(Err(unsupported(column, &weighted)));
        }
        let (parameters, weights) = (finder.parameters()?, finder.weights()?);
        Ok(Ok(VerificationTarget {
            shown: finder.shown(&parameters, &weights),
            weights,
            outcome: run
                .map(|run| run.outcome.clone())
                .filter(|_| !is_overridden),
            verifier,
            parameters,
        }))
    }
}

fn unsupported(column: &str, measure: &str) -> String {
    format!("column {}: {measure} cannot be verified", quoted(column))
}

/// The measure of a run, under the name of its verifier.
fn measure_of(run: &Run<String>) -> String {
    match run.measure.as_str() {
        side @ ("authority" | "hub") => match run.method.as_str() {
            "components" => format!("salsa-{side}"),
            _ => format!("hits-{side}"),
        },
        measure => measure.replace(' ', "-"),
    }
}
