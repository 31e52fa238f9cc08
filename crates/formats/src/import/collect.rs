//! Reads all inputs, and what there is to say about them.

use super::ids::Ids;
use super::node_names;
use super::notes::Notes;
use super::numbering::Numbering;
use super::receiver::{Collector, Counts, Nodes, Tolerance};
use super::sources::Inputs;
use super::weights::Weights;
use super::{ImportOptions, ImportReport, NameSink, Note, Numbered, Order, Receiver, Sidecars};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::SpillBudget;
use webrank_base::progress::Progress;
use webrank_graph::arcs::{ArcStore, Duplicates, Element, SortedArcs};
use webrank_graph::bundle::{Target, Written};

/// A graph that was read, its names already given to their sink.
pub(super) struct Collected<E: Element> {
    pub(super) arcs: SortedArcs<E>,
    pub(super) tally: Tally,
    /// The final number of each node, if it has another one than it was given.
    pub(super) numbers: Option<Vec<Node>>,
}

/// The counts and notes of reading.
#[derive(Default)]
pub(super) struct Tally {
    nodes: usize,
    named: bool,
    weighted: bool,
    counts: Counts,
    tolerance: Tolerance,
    notes: Notes,
    names_in_latin1: u64,
}

impl Tally {
    pub(super) fn report(self, options: &ImportOptions) -> ImportReport {
        ImportReport {
            nodes: self.nodes as u64,
            arcs: self.counts.arcs,
            named: self.named,
            weighted: self.weighted,
            duplicates: 0,
            duplicates_were: options.duplicates(self.weighted),
            loops: self.counts.loops,
            skipped: self.tolerance.skipped,
            first_skipped: self.tolerance.first,
            notes: self.notes.all,
            names_in_latin1: self.names_in_latin1,
            ..ImportReport::default()
        }
    }
}

impl ImportReport {
    /// The report once it is known how many arcs are left.
    pub(super) fn of_arcs(mut self, arcs: u64) -> Self {
        self.duplicates = self.arcs - arcs;
        self.arcs = arcs;
        self
    }

    /// The report once the bundle is written.
    pub(super) fn of(self, written: &Written) -> Self {
        ImportReport {
            bits: Some(written.graph.bits),
            unchosen_bits: written.graph.unchosen_bits,
            transpose_bits: written.transpose.as_ref().map(|rows| rows.bits),
            ..self
        }
    }
}

impl ImportOptions {
    pub(super) fn duplicates(&self, weighted: bool) -> Duplicates {
        let usual = if weighted {
            Duplicates::Sum
        } else {
            Duplicates::Drop
        };
        self.duplicates.unwrap_or(usual)
    }
}

impl<E: Element> Collected<E> {
    /// Lets the caller write files beside the graph; the final numbers go then.
    pub(super) fn beside(
        mut self,
        bundle: &impl Target,
        beside: Option<Sidecars>,
        room: SpillBudget,
    ) -> Result<Self> {
        let (numbers, num_nodes) = (self.numbers.take(), self.tally.nodes);
        if let Some(beside) = beside {
            let mut beside = Some(beside);
            bundle.add(&mut |folder| match beside.take() {
                Some(beside) => beside(Numbered {
                    folder,
                    num_nodes,
                    numbers: numbers.as_deref(),
                    // The table of names is gone.
                    room: room.part(20),
                }),
                None => Ok(()),
            })?;
        }
        Ok(self)
    }

    /// Writes the bundle.
    pub(super) fn write(
        mut self,
        bundle: impl Target,
        options: &ImportOptions,
        progress: &dyn Progress,
    ) -> Result<ImportReport> {
        let written = bundle.finish(&mut self.arcs, progress)?;
        let report = self.tally.report(options).of_arcs(written.graph.arcs);
        Ok(report.of(&written))
    }
}

/// Reads all inputs.
pub(super) fn collect<E: Element>(
    inputs: Inputs,
    options: &ImportOptions,
    room: SpillBudget,
    sink: &mut NameSink,
    progress: &dyn Progress,
) -> Result<Collected<E>> {
    let is_numbered = inputs.are_numbered(options);
    let named = !is_numbered || options.only_occurring;
    if let (true, Some(names)) = (named, &options.names) {
        let remedy = "nodes have names already; names are for nodes that have numbers (ids)";
        return Err(Error::argument("names", names.display(), remedy));
    }
    let ids = Ids::new(&inputs, options)?;
    // The table of names grows beside both. Names of numbered nodes may have to be sorted.
    let (of_arcs, of_names) = match (named, &options.names) {
        (true, _) => (room.part(40), room.part(15)),
        (false, Some(_)) => (room.part(85), room.part(0)),
        (false, None) => (room.part(100), room.part(0)),
    };
    let of_table = room.part(45).bytes;
    let is_sorted = options.order == Order::Names;
    let mut collector = Collector {
        arcs: ArcStore::<E>::new(of_arcs, named && is_sorted),
        nodes: match named {
            true => Nodes::Named(Numbering::new(of_names, of_table, is_sorted)),
            false => Nodes::numbered(),
        },
        is_in_memory: room.folder.is_none(),
        is_numbered,
        is_too_far: &options.is_too_far,
        ids,
        is_undirected: false,
        keeps_loops: !options.drop_loops,
        takes_weights: !options.unweighted,
        weights: Weights::new(options.negative),
        tolerance: Tolerance::allowing(options.skip_bad),
        counts: Counts::default(),
        notes: Notes::default(),
        progress,
    };
    collector.declare_nodes()?;
    progress.begin("read arcs", None);
    let mut formats = inputs.formats.into_iter();
    for input in inputs.all {
        collector.is_undirected = options.symmetric || !input.is_directed;
        let before = collector.counts;
        (input.read)(&mut collector)?;
        let edges = collector.counts.given - before.given;
        let undirected = match options.symmetric {
            // The user says it.
            true => 0,
            false => collector.counts.undirected - before.undirected,
        };
        let told = formats.next().and_then(|format| {
            format.told(
                undirected,
                edges,
                input.is_numbered && options.names.is_none(),
            )
        });
        if let Some(text) = told {
            collector.note(Note::understood("format", text));
        }
    }
    progress.end();
    let Collector {
        arcs,
        nodes,
        ids,
        counts,
        tolerance,
        mut notes,
        weights,
        ..
    } = collector;
    weights.tell(&mut notes);
    if let Some(path) = &inputs.path
        && counts.given == 0
        && !options.allow_empty
    {
        let is_empty = path
            .metadata()
            .is_ok_and(|it| it.is_file() && it.len() == 0);
        let problem = match nodes.are_there() {
            true => "has nodes, but no arc; --allow-empty reads it nevertheless",
            false if is_empty => "is empty; --allow-empty reads it as a graph without nodes",
            false => "has no arc; --allow-empty reads it nevertheless",
        };
        return Err(Error::file(path, problem));
    }
    let of_ids = |ids: Ids, count, notes: &mut Notes| {
        ids.notes(count)
            .into_iter()
            .for_each(|note| notes.add(note));
    };
    let duplicates = options.duplicates(E::WEIGHTED);
    let mut names_in_latin1 = 0;
    let (nodes, numbers, named) = match nodes {
        Nodes::Named(names) => {
            progress.begin("sort names", None);
            let nodes = names.len();
            of_ids(ids, None, &mut notes);
            (nodes, names.finish(sink)?, true)
        }
        Nodes::Numbered { count, .. } => match &options.names {
            Some(path) => {
                let names = node_names::read(path, count, sink)?;
                names_in_latin1 = names.in_latin1;
                (names.all as usize, None, true)
            }
            None => {
                let named = ids.name_nodes(count, sink)?;
                of_ids(ids, Some(count), &mut notes);
                (count as usize, None, named)
            }
        },
    };
    progress.begin("sort arcs", None);
    let arcs = arcs.finish(nodes, numbers.as_deref(), duplicates)?;
    progress.end();
    Ok(Collected {
        arcs,
        numbers,
        tally: Tally {
            nodes,
            named,
            weighted: E::WEIGHTED,
            counts,
            tolerance,
            notes,
            names_in_latin1,
        },
    })
}
