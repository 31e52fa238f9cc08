//! The options for graphs in foreign formats, and what is said about reading them.

use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webrank_base::shown::quoted;
use webrank_base::units::{counted, counted_as};
use webrank_formats::import::{
    self, Duplicates, Format, ImportOptions, ImportReport, Negative, NoteKind, Separator,
};

/// The heading of these options, and not of those that follow.
const READING: &str = "Reading";

/// How a graph in a foreign format is read.
#[derive(Args, Clone, Default, PartialEq)]
pub struct InputFormatArgs {
    /// The format of the files [default: what their content shows, otherwise their names]
    #[arg(help_heading = READING, long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// Fields are node numbers from 0, not names; the graph has nodes up to the largest
    #[arg(help_heading = READING, long)]
    ids: bool,
    /// The number of the first node, with --ids: 0, or 1; from 1, nodes are named by their numbers
    #[arg(help_heading = READING, long, value_name = "0|1", value_parser = clap::value_parser!(u64).range(0..=1), default_value_t = 0,
        hide_default_value = true, requires_if("1", "ids"))]
    ids_from: u64,
    /// A table of the nodes: FILE with columns id and label; labels become names, ids that occur in no
    /// arc are nodes without arcs
    #[arg(help_heading = READING, long, visible_alias = "nodes", value_name = "FILE")]
    node_table: Option<PathBuf>,
    /// The columns of source, target and perhaps weight, by number from 1 or by name, as in 2,3 or
    /// citing,cited,count
    #[arg(help_heading = READING, long, value_name = "COLUMNS", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// The separator of the fields of a list: tab, comma, semicolon, bar, colon or blanks, or that
    /// character itself [default: what most of the first lines agree on]
    #[arg(help_heading = READING, long, value_name = "SEPARATOR", value_parser = import::separator, allow_hyphen_values = true)]
    separator: Option<Separator>,
    /// The encoding of a text, such as windows-1252 or utf-16le [default: UTF-8, or UTF-16 with a
    /// mark]
    #[arg(help_heading = READING, long, value_name = "NAME")]
    encoding: Option<String>,
    /// Whether the first line that is not a comment is a header [default: if it names source and
    /// target, or if it is words above numbers, or words that do not come again]
    #[arg(help_heading = READING, long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    header: Option<bool>,
    /// Read only statements with this predicate, in N-Triples and N-Quads; may be repeated
    #[arg(help_heading = READING, long = "predicate", value_name = "IRI")]
    predicates: Vec<String>,
    /// Do not use weights, if there are any
    #[arg(help_heading = READING, long)]
    unweighted: bool,
    /// The treatment of arcs with negative weights
    #[arg(help_heading = READING, long, value_enum, value_name = "WHAT", default_value_t)]
    negative: Negative,
    /// Read files without arcs: a list of one column, or an empty file
    #[arg(help_heading = READING, long)]
    allow_empty: bool,
    /// Each arc stands for its reverse, too: the graph is undirected
    #[arg(help_heading = READING, long, visible_alias = "undirected")]
    symmetric: bool,
    /// Which of parallel arcs counts, if weights are lengths or their inverses: the shortest.
    #[arg(skip)]
    shortest: Option<Duplicates>,
}

impl InputFormatArgs {
    /// The options of a command, if it has any.
    pub fn of(command: &ArgMatches) -> Option<Self> {
        command.try_contains_id("from").ok()?;
        let lengths = command.try_get_one::<PathBuf>("lengths").ok().flatten();
        let reading = Self::from_arg_matches(command).ok()?;
        Some(reading.with_lengths(lengths.map(PathBuf::as_path)))
    }

    /// These options, for a graph whose weights are these lengths: the shortest of parallel arcs counts.
    pub fn with_lengths(self, lengths: Option<&Path>) -> Self {
        let shortest = match lengths.and_then(Path::to_str) {
            Some("weights") => Some(Duplicates::Min),
            Some("inverse") => Some(Duplicates::Max),
            _ => None,
        };
        InputFormatArgs { shortest, ..self }
    }

    /// True if no option is given.
    pub fn is_usual(&self) -> bool {
        let shortest = self.shortest;
        *self
            == InputFormatArgs {
                shortest,
                ..InputFormatArgs::default()
            }
    }

    /// These options, with files relative to this folder.
    pub fn below(mut self, folder: &Path) -> Self {
        self.node_table = self.node_table.map(|file| folder.join(file));
        self
    }

    /// The options of the library.
    pub fn options(&self) -> ImportOptions {
        ImportOptions {
            from: self.from,
            ids: self.ids,
            ids_from: self.ids_from,
            nodes: self.node_table.clone(),
            columns: self.columns.clone(),
            header: self.header,
            predicates: self.predicates.clone(),
            unweighted: self.unweighted,
            separator: self.separator,
            encoding: self.encoding.clone(),
            negative: self.negative,
            allow_empty: self.allow_empty,
            symmetric: self.symmetric,
            duplicates: self.shortest,
            ..ImportOptions::default()
        }
    }
}

/// The report on the graph that was made at `output`, as JSON.
pub fn made(report: &ImportReport, output: &Path) -> Value {
    let mut made = json!(report);
    made["graph"] = json!(output);
    made
}

/// The report in a line.
pub fn told(report: &ImportReport) -> String {
    let mut told = String::new();
    let notes = |kind| report.notes.iter().filter(move |note| note.kind == kind);
    for note in notes(NoteKind::Understood) {
        told += &format!("{note}; ");
    }
    told += &[counted(report.nodes, "node"), counted(report.arcs, "arc")].join(", ");
    if report.weighted {
        told += " with weights";
    }
    let were = match report.duplicates_were {
        Duplicates::Drop => "dropped",
        Duplicates::Sum => "added up",
        Duplicates::Max => "left out, the largest weight kept",
        Duplicates::Min => "left out, the smallest weight kept",
        Duplicates::Error => "found",
    };
    if report.duplicates > 0 {
        let duplicates = counted(report.duplicates, "duplicate arc");
        told += &format!("; {duplicates} {were}");
    }
    if report.skipped > 0 {
        told += &format!("; {} skipped", counted(report.skipped, "line"));
    }
    for note in notes(NoteKind::LeftOut).chain(notes(NoteKind::Assumed)) {
        told += &format!("; {note}");
    }
    if report.names_in_latin1 > 0 {
        let names = counted_as(
            report.names_in_latin1,
            "name that is not UTF-8",
            "names that are not UTF-8",
        );
        told += &format!("; {names} read as ISO-8859-1");
    }
    if let Some(first) = &report.first_repeated_name {
        let (count, first) = (report.repeated_names, quoted(first));
        told += &format!(
            "; {count} nodes have a name that another has, too, the first is {first}: names cannot \
             stand for them"
        );
    }
    let per_arc = |bits: u64| bits as f64 / report.arcs as f64;
    if let Some(bits) = report.bits.filter(|_| report.arcs > 0) {
        told += &format!("; {:.2} bits an arc", per_arc(bits));
        let others = [
            (report.unchosen_bits, "with default codes"),
            (report.bits_by_name, "before nodes were ordered"),
        ];
        let others = others
            .into_iter()
            .filter_map(|(bits, how)| Some((bits?, how)));
        let others: Vec<_> = others
            .map(|(bits, how)| format!("{:.2} {how}", per_arc(bits)))
            .collect();
        if !others.is_empty() {
            told += &format!(" ({})", others.join("; "));
        }
    }
    told
}
