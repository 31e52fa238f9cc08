//! HyperBall: distances of all nodes at once from probabilistic counters.
//!
//! Every node keeps a HyperLogLog counter of the nodes within distance t; one step joins the
//! counters of its neighbours and gives those within t + 1. The estimate of a counter with m =
//! 2^log2m registers of one byte has relative standard error 1.04/sqrt(m) (somewhat more below 2^8
//! registers). Boldi and Vigna 2013; Flajolet, Fusy, Gandouet and Meunier 2007.
//!
//! Counters are those of `card-est-array`: the same registers, the same formula. The steps are our
//! own: `webgraph-algo` adds up the pairs of nodes in the order in which its threads finish, and
//! cannot be interrupted. Here a node is visited only if a counter that it joins has changed (Boldi
//! and Vigna's *systolic* steps), pairs are added up in integers, and blocks of nodes are fixed, so
//! the seed determines every bit, whatever the number of threads. Sums over the distances of a node
//! are kept in 32 bits, many times more precise than the counters.
//!
//! Rows are lists of nodes, or [distinct rows](SharedRows) with the nodes that have them, whose
//! counters are joined once for all of these. Distinct rows may be bytes, in memory or in a file.
//!
//! # Lines
//!
//! Where the rows of both directions are in memory, nodes with equal rows share a counter
//! ([`classes`]), which is joined 64 registers at a time ([`lines`]). The tally of a node is that of its
//! class with the node's own register, an integer, so scores have the same bits.
//!
//! # Slices
//!
//! The registers of a counter are independent until they are added up, so some of them can be
//! advanced at a time ([`Slicing`]): each slice makes its own pass over the graph, and what it
//! changes in each step (of the sum of 2^-r over the registers r, and of the number of zeros) is kept
//! in a file until all slices are done. Sums are integers, so the result has the same bits for any
//! width of the slices.

mod classes;
mod counters;
mod joins;
mod line_kernels;
mod lines;
mod parts;
mod rows;
mod scratch;
mod searches;
mod slice;
mod slicing;
mod totals;

pub use counters::Counters;
pub use parts::PartRows;
pub use rows::{BallRows, SharedRows};
pub(crate) use searches::{OF_NODE, PartSearches};
pub(crate) use slice::Changes;
pub use slicing::Slicing;

use classes::CounterClasses;
use lines::Lines;
use scratch::{Reader, Scratch, Writer};
use slice::{Advance, Slice};
use totals::Totals;
use webrank_base::checkpoint::{CheckpointReader, Stage, unkept};
use webrank_base::error::{Error, Result};
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Progress;
use webrank_cluster::{DistributedStage, Exchange};

/// Estimates for every node; each list has one number per node.
#[derive(Debug, Clone, PartialEq)]
pub struct Balls {
    /// The number of nodes reached, the source included.
    pub reached: Box<[f32]>,
    /// The sum of distances.
    pub sum_of_distances: Box<[f32]>,
    /// The sum of f(d) for each requested function f.
    pub sums: Vec<Box<[f32]>>,
    /// At place t, the number of ordered pairs at distance at most t, pairs (x, x) included. Ends
    /// with the last step that changed a counter.
    pub pairs_within: Vec<f64>,
}

impl Balls {
    /// The last step that changed a counter: at most the largest distance.
    pub fn steps(&self) -> u32 {
        self.pairs_within.len() as u32 - 1
    }
}

/// A run of HyperBall along `rows`, until no counter changes.
pub struct HyperBall<'a> {
    /// The rows that distances follow.
    pub rows: BallRows<'a>,
    /// The counters.
    pub counters: Counters,
    /// How many of their registers are held at a time.
    pub slicing: Slicing,
    /// Functions f of the distance d for which the sum of f(d) is wanted.
    pub functions: &'a [&'a (dyn Fn(u32) -> f64 + Sync)],
    /// Told how far it is.
    pub progress: &'a dyn Progress,
}

impl HyperBall<'_> {
    /// Runs it.
    ///
    /// At worst O(m) per step and slice for m arcs, with as many steps as the largest distance; time
    /// is proportional to 2^log2m.
    ///
    /// # Errors
    /// [`Interrupted`](Error::Interrupted) when the user stops the run; if memory is short, or if
    /// what slices change cannot be written or read.
    pub fn run(&self) -> Result<Balls> {
        let mut exchange = Exchange::alone();
        let result = self.run_among(&mut exchange);
        exchange.end(result)
    }

    /// Runs it together with other workers, each of which has the counters of its nodes.
    ///
    /// # Errors
    /// As for [`Self::run`]; if another worker fails.
    pub(crate) fn run_among(&self, exchange: &mut Exchange) -> Result<Balls> {
        let classes = match self.rows {
            BallRows::Lists {
                rows,
                reverse: Some(_),
            } if self.slicing.is_by_lines() => Some(CounterClasses::new(rows)?),
            _ => None,
        };
        match self.slicing.count(self.counters) {
            1 => self.run_whole(classes.as_ref(), exchange),
            count => self.run_sliced(count, classes.as_ref(), exchange),
        }
    }

    fn run_whole(
        &self,
        classes: Option<&CounterClasses>,
        exchange: &mut Exchange,
    ) -> Result<Balls> {
        self.progress.begin("joining counters", None);
        let mut slice = self.slice(0, classes)?;
        let mut totals = self.totals();
        let name = match classes {
            Some(_) => "HyperBall by lines",
            None => "HyperBall",
        };
        let mut state = (&mut *slice, &mut totals);
        let stage = DistributedStage::begin(Some(name), exchange, self.progress, &mut state)?;
        for step in totals.num_steps() + 1.. {
            let mut state = (&mut *slice, &mut totals);
            stage.keep((&format!("step {}", step - 1), false), exchange, &mut state)?;
            let Some(changes) = slice.step(exchange, self.progress)? else {
                break;
            };
            totals.count(&changes, &self.factors(step));
            totals.end_step();
        }
        stage.end()?;
        self.progress.end();
        totals.balls(exchange)
    }

    fn run_sliced(
        &self,
        count: usize,
        classes: Option<&CounterClasses>,
        exchange: &mut Exchange,
    ) -> Result<Balls> {
        let folder = TemporaryFolder::create(&self.slicing.folder)?;
        self.progress
            .begin("joining counters, by slices", Some(count as u64 + 1));
        let width = 1 << self.slicing.log2_width();
        let (keeping, found) = self.kept(&format!("HyperBall by slices of {width} registers"))?;
        if exchange.workers() > 1 && keeping.is_some() {
            return Err(unkept("HyperBall by slices and by several workers"));
        }
        let mut before: Option<Scratch> = None;
        let mut first = [0u32];
        if let Some(mut found) = found {
            found.fill(&mut first)?;
            if first[0] as usize >= count {
                return Err(found.damaged());
            }
            if first[0] > 0 {
                before = Some(Writer::create(&folder)?.restore(&mut found)?);
            }
            found.end()?;
        }
        let [first] = first;
        self.progress.resume(first.into());
        for slice in first as usize..count {
            let keep = |keeping: &Stage| {
                keeping.keep(&format!("slice {slice}"), |to| {
                    to.numbers(&[slice as u32])?;
                    before.iter().try_for_each(|before| before.save(to))
                })
            };
            if let Some(keeping) = keeping.as_ref().filter(|keeping| keeping.is_due()) {
                keep(keeping)?;
            }
            let writer = Writer::create(&folder)?;
            let advanced = self.slice(slice, classes)?;
            let keeping_slice = keeping.as_ref();
            let after = self.add_slice(advanced, before.as_ref(), writer, keeping_slice, exchange);
            if let (Err(Error::Interrupted), Some(keeping)) = (&after, &keeping)
                && keeping.is_asked_to_stop()
            {
                // The next run begins this slice again.
                keep(keeping)?;
            }
            let before = before.replace(after?);
            before.into_iter().for_each(Scratch::remove);
            self.progress.advance(1);
        }
        let balls = self.add_up(&before.expect("there are slices"), exchange)?;
        keeping.map(Stage::end).transpose()?;
        self.progress.end();
        Ok(balls)
    }

    /// Begins a stage, if the state is kept.
    fn kept(&self, stage: &str) -> Result<(Option<Stage<'_>>, Option<CheckpointReader>)> {
        let checkpoint = self.progress.checkpoint();
        let kept = checkpoint.map(|checkpoint| checkpoint.begin(stage, self.progress));
        let (keeping, found) = kept.transpose()?.unzip();
        Ok((keeping, found.flatten()))
    }

    /// Advances a slice until nothing changes, and adds its changes to those of the slices before.
    fn add_slice(
        &self,
        mut slice: Box<dyn Advance + '_>,
        before: Option<&Scratch>,
        mut writer: Writer,
        keeping: Option<&Stage>,
        exchange: &mut Exchange,
    ) -> Result<Scratch> {
        let steps = before.map_or(0, Scratch::num_steps);
        let mut before = before.map(Scratch::read).transpose()?;
        for step in 1.. {
            if keeping.is_some_and(|keeping| keeping.is_due() && keeping.is_asked_to_stop()) {
                return Err(Error::Interrupted);
            }
            let changes = slice.step(exchange, self.progress)?;
            if changes.is_none() && step > steps {
                break;
            }
            let changes = changes.unwrap_or_default();
            writer.step(&mut before, &changes)?;
        }
        before.map(Reader::finish).transpose()?;
        writer.finish()
    }

    /// The sums over all steps, from the changes of all slices.
    fn add_up(&self, changes: &Scratch, exchange: &mut Exchange) -> Result<Balls> {
        let mut totals = self.totals();
        let mut changes = changes.read()?;
        for step in 1.. {
            if !changes.next_step() {
                break;
            }
            let factors = self.factors(step);
            loop {
                let blocks = changes.batch()?;
                if blocks.is_empty() {
                    break;
                }
                self.progress.check()?;
                totals.count(&blocks, &factors);
            }
            totals.end_step();
        }
        changes.finish()?;
        totals.balls(exchange)
    }

    fn slice<'s>(
        &'s self,
        slice: usize,
        classes: Option<&'s CounterClasses>,
    ) -> Result<Box<dyn Advance + 's>> {
        let width = 1 << self.slicing.log2_width();
        let registers = slice * width..(slice + 1) * width;
        Ok(match classes {
            Some(classes) => Box::new(Lines::new(classes, self.counters, registers)?),
            None => Box::new(Slice::new(self.rows, self.counters, registers)?),
        })
    }

    fn totals(&self) -> Totals {
        Totals::new(self.rows, self.counters, self.functions.len())
    }

    /// The terms that a node reached at this step adds to each sum.
    fn factors(&self, step: u32) -> Vec<f64> {
        let functions = self.functions.iter().map(|function| function(step));
        std::iter::once(f64::from(step)).chain(functions).collect()
    }
}
