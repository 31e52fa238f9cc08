//! Keyword arguments: the options of the command, with underscores.

use crate::compare::Table;
use crate::errors::{argument, exception, wrong_type};
use bytesize::ByteSize;
use clap::ValueEnum;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::path::{Path, PathBuf};
use std::time::Duration;
use webrank::{Graph, Limits, Node};
use webrank_base::limits::duration;
use webrank_base::shown::quoted;
use webrank_lengths::{Cutoff, LengthSource};
use webrank_scores::of_nodes::scores_of_nodes;
use webrank_tables::text::keys::NodeKeys;

/// The keyword arguments of a call, with their defaults filled in.
pub struct Options<'py> {
    py: Python<'py>,
    all: Bound<'py, PyDict>,
}

impl<'py> Options<'py> {
    pub fn new(all: &Bound<'py, PyDict>) -> Self {
        Options {
            py: all.py(),
            all: all.clone(),
        }
    }

    /// The argument as it was given; none if it is None.
    fn given(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.all.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// True if the method has such an argument.
    pub fn has(&self, name: &str) -> PyResult<bool> {
        self.all.contains(name)
    }

    /// Lengths of arcs and the longest path, if one of them is given.
    pub fn lengths(&self) -> PyResult<Option<(LengthSource, Option<Cutoff>)>> {
        let lengths = self.arc_weights("lengths")?.map(|given| match given {
            ArcWeights::Memory(values) => LengthSource::Values(values.into()),
            ArcWeights::File(path) => match path.to_str() {
                Some("weights") => LengthSource::Weights,
                Some("inverse") => LengthSource::Inverse,
                _ => LengthSource::File(path),
            },
        });
        let cutoff: Option<f64> = self.optional("cutoff")?;
        let cutoff = cutoff
            .map(|cutoff| self.checked(Cutoff::new(cutoff)))
            .transpose()?;
        let is_given = lengths.is_some() || cutoff.is_some();
        Ok(is_given.then(|| (lengths.unwrap_or_default(), cutoff)))
    }

    /// True if an argument was given.
    pub fn is_given(&self, name: &str) -> PyResult<bool> {
        self.given(name).map(|value| value.is_some())
    }

    /// An argument that may be None; `wanted` says what it should be.
    pub fn optional<T: Wanted>(&self, name: &str) -> PyResult<Option<T>> {
        self.given(name)?
            .map(|value| self.extracted(name, &value))
            .transpose()
    }

    /// An argument.
    pub fn get<T: Wanted>(&self, name: &str) -> PyResult<T> {
        match self.all.get_item(name)? {
            Some(value) => self.extracted(name, &value),
            None => Err(wrong_type(self.py, format!("{name} is missing"))),
        }
    }

    fn extracted<T: Wanted>(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<T> {
        T::of(value).map_err(|problem| {
            let shown = shown(value);
            let message = format!("{name} is {shown}: {}", T::WANTED);
            match problem.is_instance_of::<pyo3::exceptions::PyTypeError>(self.py) {
                true => wrong_type(self.py, message),
                false => argument(self.py, message),
            }
        })
    }

    /// One of the names that the command knows.
    pub fn choice<T: ValueEnum>(&self, name: &str) -> PyResult<T> {
        let text: String = self.get(name)?;
        // Members of enums are written as in Python, the names as on the command line.
        let plain = text.replace('_', "-");
        let found = T::from_str(&plain, false).or_else(|_| T::from_str(&text, false));
        found.map_err(|_| {
            let known = T::value_variants().iter();
            let known = known.filter_map(|variant| variant.to_possible_value());
            let known: Vec<String> = known
                .map(|value| format!("'{}'", value.get_name()))
                .collect();
            let text = quoted(&text);
            argument(
                self.py,
                format!("{name} is {text}: choose from {}", known.join(", ")),
            )
        })
    }

    /// [`Self::choice`] if it is given.
    pub fn optional_choice<T: ValueEnum>(&self, name: &str) -> PyResult<Option<T>> {
        match self.is_given(name)? {
            true => self.choice(name).map(Some),
            false => Ok(None),
        }
    }

    /// Limits from those arguments that the call has.
    pub fn limits(&self) -> PyResult<Limits> {
        let mut limits = Limits::default();
        if let Some(tolerance) = self.optional("tolerance")? {
            limits = self.checked(limits.tolerance(tolerance))?;
        }
        if let Some(sweeps) = self.optional("max_iterations")? {
            limits = self.checked(limits.max_iterations(sweeps))?;
        }
        if let Some(threads) = self.optional("threads")? {
            limits = self.checked(limits.threads(threads))?;
        }
        if let Some(bytes) = self.memory()? {
            limits = limits.memory(bytes);
        }
        if let Some(time) = self.given("time_budget")? {
            limits = limits.time(self.time("time_budget", &time)?);
        }
        Ok(limits)
    }

    /// The limit of memory, if one is given.
    pub fn memory(&self) -> PyResult<Option<u64>> {
        let given = self.given("memory")?;
        given.map(|value| self.bytes("memory", &value)).transpose()
    }

    /// A number of bytes, such as 8_000_000_000 or "8G".
    fn bytes(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<u64> {
        if let Ok(text) = value.extract::<String>() {
            let parsed = text.parse::<ByteSize>();
            let wanted = |problem| format!("{name} is {}: {problem}", quoted(&text));
            return parsed
                .map(|size| size.as_u64())
                .map_err(|problem| argument(self.py, wanted(problem)));
        }
        self.get(name)
    }

    /// A duration: "10m", seconds, or a timedelta.
    fn time(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<Duration> {
        let refuse = |problem: String| argument(self.py, format!("{name}: {problem}"));
        if let Ok(text) = value.extract::<String>() {
            return duration(&text).map_err(refuse);
        }
        if let Ok(time) = value.extract::<Duration>() {
            return Ok(time);
        }
        let seconds: f64 = self.get(name)?;
        Duration::try_from_secs_f64(seconds).map_err(|problem| refuse(problem.to_string()))
    }

    /// The nodes that a list of keys means.
    pub fn nodes(&self, name: &str, graph: &Graph) -> PyResult<Vec<Node>> {
        let keys: Vec<String> = self.get(name)?;
        let finder = NodeKeys::new(graph.num_nodes(), graph.names());
        let mut nodes = Vec::with_capacity(keys.len());
        for key in &keys {
            let node = finder.find(key);
            nodes.push(node.ok_or_else(|| unknown(self.py, name, key, finder))?);
        }
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let twice = quoted(&graph.name(pair[0]));
                Err(argument(self.py, format!("{name}: {twice} occurs twice")))
            }
            None => Ok(nodes),
        }
    }

    /// Nodes given as keys or in a file.
    pub fn nodes_or_file(&self, names: [&str; 2], graph: &Graph) -> PyResult<Vec<Node>> {
        let [keys, file] = names;
        match self.path(file)? {
            Some(path) => self.checked(self.py.detach(|| graph.nodes(&path))),
            None => self.nodes(keys, graph),
        }
    }

    /// A path.
    pub fn path(&self, name: &str) -> PyResult<Option<PathBuf>> {
        self.optional(name)
    }

    /// A number for each node: from a file, from an array, or for some nodes by their keys.
    pub fn node_values(&self, name: &str, graph: &Graph) -> PyResult<Option<Vec<f64>>> {
        let Some(value) = self.given(name)? else {
            return Ok(None);
        };
        if value.is_instance_of::<PyString>() {
            let path: PathBuf = value.extract()?;
            let read = self.py.detach(|| graph.node_values(&path));
            return self.checked(read).map(Some);
        }
        let values = match value.cast::<PyBytes>() {
            Ok(bytes) => {
                let values = numbers(bytes.as_bytes());
                let (given, nodes) = (values.len(), graph.num_nodes());
                if given != nodes {
                    let problem =
                        format!("{name} has {given} numbers, but the graph {nodes} nodes");
                    return Err(argument(self.py, problem));
                }
                values
            }
            Err(_) => self.values_of_keys(name, &value, graph)?,
        };
        if let Some(node) = values.iter().position(|v| !v.is_finite() || *v < 0.0) {
            let (value, node) = (values[node], quoted(&graph.name(node as Node)));
            let problem =
                format!("{name} is {value} at {node}: it must be finite and not negative");
            return Err(argument(self.py, problem));
        }
        Ok(Some(values))
    }

    /// The scores to begin with: as [`Self::node_values`], but a file holds a table.
    pub fn start(&self, graph: &Graph) -> PyResult<Option<Vec<f64>>> {
        match self.given("start")? {
            Some(value) if value.is_instance_of::<PyString>() => {
                let path: PathBuf = value.extract()?;
                let read = self.py.detach(|| scores_of_nodes(&path, graph));
                self.checked(read).map(|(scores, _)| Some(scores))
            }
            _ => self.node_values("start", graph),
        }
    }

    fn values_of_keys(
        &self,
        name: &str,
        given: &Bound<'py, PyAny>,
        graph: &Graph,
    ) -> PyResult<Vec<f64>> {
        let table = &given.cast::<Table>()?.get().file;
        let [(_, given)] = &table.columns[..] else {
            let columns: Vec<_> = table
                .columns
                .iter()
                .map(|(header, _)| quoted(header))
                .collect();
            let problem = format!(
                "{name}: the table has the columns {} of numbers: give one",
                columns.join(", ")
            );
            return Err(argument(self.py, problem));
        };
        let finder = NodeKeys::new(graph.num_nodes(), graph.names());
        let mut values = vec![0.0; graph.num_nodes()];
        let mut met = vec![false; graph.num_nodes()];
        for (row, &value) in given.iter().enumerate() {
            let key = table.keys.get(row);
            let node = finder.find(key);
            let node = node.ok_or_else(|| unknown(self.py, name, key, finder))? as usize;
            if std::mem::replace(&mut met[node], true) {
                let problem = format!("{name}: {} is there twice", quoted(key));
                return Err(argument(self.py, problem));
            }
            values[node] = value;
        }
        Ok(values)
    }

    /// The weights of the arcs, in a file or in memory.
    pub fn arc_weights(&self, name: &str) -> PyResult<Option<ArcWeights>> {
        let Some(value) = self.given(name)? else {
            return Ok(None);
        };
        Ok(Some(match value.cast::<PyBytes>() {
            Ok(bytes) => ArcWeights::Memory(numbers(bytes.as_bytes())),
            Err(_) => ArcWeights::File(value.extract()?),
        }))
    }

    /// The value, or the exception for the library's error.
    pub fn checked<T>(&self, result: webrank::Result<T>) -> PyResult<T> {
        result.map_err(|problem| exception(self.py, &problem))
    }

    /// Refuses an argument.
    pub fn refuse<T>(&self, problem: &str) -> PyResult<T> {
        Err(argument(self.py, problem))
    }
}

/// Weights of arcs that a call gives.
pub enum ArcWeights {
    File(PathBuf),
    Memory(Vec<f64>),
}

impl ArcWeights {
    /// The graph with these weights.
    pub fn of(self, graph: &Graph) -> webrank::Result<Graph> {
        match self {
            ArcWeights::File(path) => Ok(graph.clone().with_weights(path)),
            ArcWeights::Memory(weights) => graph.clone().with_arc_weights(weights),
        }
    }
}

/// The doubles in the bytes of an array.
pub fn numbers(bytes: &[u8]) -> Vec<f64> {
    let all = bytes.as_chunks().0.iter();
    all.map(|bytes| f64::from_ne_bytes(*bytes)).collect()
}

/// The exception for a key that no node has.
fn unknown(py: Python<'_>, name: &str, key: &str, keys: NodeKeys) -> PyErr {
    argument(
        py,
        format!("{name}: {}: {}", quoted(key), keys.why_unknown(key)),
    )
}

/// A value as messages show it.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map(|text| text.to_string());
    let text = text.unwrap_or_else(|_| "?".to_owned());
    match text.chars().count() {
        0..60 => text,
        _ => text.chars().take(60).collect::<String>() + "...",
    }
}

/// A type that arguments may have.
pub trait Wanted: Sized {
    /// The values to give.
    const WANTED: &'static str;

    fn of(value: &Bound<'_, PyAny>) -> PyResult<Self>;
}

macro_rules! wanted {
    ($($type:ty => $text:literal),* $(,)?) => {
        $(impl Wanted for $type {
            const WANTED: &'static str = $text;

            fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                value.extract()
            }
        })*
    };
}

wanted! {
    f64 => "it must be a number",
    u32 => "it must be a whole number, not negative",
    u64 => "it must be a whole number, not negative",
    usize => "it must be a whole number, not negative",
    bool => "it must be True or False",
    String => "it must be a string",
    Vec<String> => "it must be a list of names or numbers",
    Vec<f64> => "it must be a list of numbers",
    Vec<usize> => "it must be a list of whole numbers, not negative",
    PathBuf => "it must be a path",
}

/// A path as a string, for messages.
pub fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
