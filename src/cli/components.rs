//! `rank components`.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_graph::bow_tie::{BowTiePart, Components, Partition};
use webrank_scores::manifest::Manifest;
use webrank_scores::report::described_graph;
use webrank_tables::table::{Cells, ColumnTable, NamedColumn, Table};
use webrank_terminal::options::{Global, GraphArgs, Output, OutputArgs, write_lines, write_stdout};
use webrank_terminal::reported::{Reported, SHOWN};

/// Strong and weak components, their sizes, and the bow-tie
///
/// The core of the bow-tie is the largest strong component. In: what reaches it; out: what it
/// reaches; tubes: on ways from in to out beside it; tendrils: the rest of its weak component;
/// disconnected: everything else.
///
/// -o writes a table of all nodes: component 0 is the largest, and so on; of equal ones, that with
/// the smallest node comes first.
///
/// Source: Broder et al., Graph structure in the Web, 2000.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write a table to FILE, in the format of its extension, with columns strong, strong_size, weak,
    /// weak_size and bow_tie, and a manifest to FILE.json
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let output = args.output.as_deref();
    let output = output.map(|path| Output::of_rows(Some(path), global));
    let output = output.transpose()?;
    let graph = args.graph.open_graph(global)?;
    global.admit("components", Components::needs(Size::of(&graph)))?;
    let mut phases = Phases::start();
    let progress = global.progress();
    let successors = graph.successors(progress.as_ref())?;
    phases.done("load");
    let components = Components::of(&successors, progress.as_ref())?;
    phases.done("components");
    drop(progress);
    let report = ComponentReport {
        graph: &graph,
        components,
        phases,
    };
    if args.json {
        let json = report.json();
        write_stdout(|out| writeln!(out, "{json:#}"))?;
    }
    match output {
        Some(output) => report.write(output, &OutputArgs::all(), global),
        None if args.json => Ok(()),
        None => write_lines(|out| out.write_all(report.summary().as_bytes())),
    }
}

struct ComponentReport<'a> {
    graph: &'a Graph,
    components: Components,
    phases: Phases,
}

impl ComponentReport<'_> {
    fn json(&self) -> Value {
        let partition = |partition: &Partition| {
            let sizes = partition.distribution().into_iter();
            let sizes = sizes.map(|(size, count)| json!({"size": size, "components": count}));
            json!({
                "components": partition.sizes.len(),
                "largest": partition.sizes.first(),
                "sizes": sizes.collect::<Vec<_>>(),
            })
        };
        let parts = self.components.parts();
        let parts = parts.map(|(part, nodes)| (part.name().to_owned(), json!(nodes)));
        json!({
            "nodes": self.graph.num_nodes(),
            "strong": partition(&self.components.strong),
            "weak": partition(&self.components.weak),
            "bow_tie": parts.into_iter().collect::<serde_json::Map<_, _>>(),
        })
    }
}

impl Reported for ComponentReport<'_> {
    fn summary(&self) -> String {
        let (strong, weak) = (&self.components.strong, &self.components.weak);
        let nodes = self.graph.num_nodes();
        let share =
            |part: usize| format!("{part} ({:.1}%)", 100.0 * part as f64 / nodes.max(1) as f64);
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            let line = format!("{what:<18} {value}");
            writeln!(text, "{}", line.trim_end()).expect("strings grow");
        };
        line("graph", visible(&described_graph(self.graph)).into_owned());
        for (name, partition) in [("strong", strong), ("weak", weak)] {
            line(
                &format!("{name} components"),
                partition.sizes.len().to_string(),
            );
            let largest = partition.sizes.first().copied().unwrap_or(0);
            line("  largest", share(largest as usize));
        }
        line("bow-tie", String::new());
        for (part, count) in self.components.parts() {
            line(&format!("  {}", part.name()), share(count));
        }
        for (name, partition) in [("strong", strong), ("weak", weak)] {
            writeln!(text, "\n{:>10}  {name} components of this size", "nodes")
                .expect("strings grow");
            let sizes = partition.distribution();
            for (size, count) in sizes.iter().take(SHOWN) {
                writeln!(text, "{size:>10}  {count}").expect("strings grow");
            }
            if sizes.len() > SHOWN {
                let more = sizes.len() - SHOWN;
                writeln!(text, "{:>10}  {more} more sizes (--json)", "and").expect("strings grow");
            }
        }
        text
    }

    fn shown(&self, _: usize) -> String {
        String::new()
    }

    fn columns(&self, _: &OutputArgs) -> ColumnTable<'_> {
        let (strong, weak) = (&self.components.strong, &self.components.weak);
        let table = Table {
            nodes: None,
            num_nodes: self.graph.num_nodes(),
            names: self.graph.names(),
            columns: Vec::new(),
        };
        let mut columns = table.into_columns();
        let sizes = ["strong_size", "weak_size"];
        for ((name, partition), size) in [("strong", strong), ("weak", weak)].into_iter().zip(sizes)
        {
            let set = |row: usize| partition.set_of[row];
            let size_of = |row: usize| partition.sizes[partition.set_of[row] as usize];
            columns
                .fields
                .push(NamedColumn::new(name, Cells::Counts(Box::new(set))));
            columns
                .fields
                .push(NamedColumn::new(size, Cells::Counts(Box::new(size_of))));
        }
        let part = |row: usize| BowTiePart::name(self.components.part_of[row]);
        columns
            .fields
            .push(NamedColumn::new("bow_tie", Cells::Names(Box::new(part))));
        columns
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        Manifest::of(self.graph, [], &[], phases)
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
