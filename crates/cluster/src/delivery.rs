//! Where the scores go that workers have computed: all to worker 0, or those of each worker to its parts
//! of a table.

use super::order::{Places, ROUND, count_above};
use super::{Division, Exchange, Workers};
use ndarray::Array1;
use webrank_base::error::Result;
use webrank_base::memory::reserve_exact;
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_graph::shards::Shards;
use webrank_scores::Scores;
use webrank_scores::intervals::Intervals;
use webrank_scores::parts::{BUFFERS, OF_NAME, PartitionRows, PartitionedTable};
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranked::Ranked;
use webrank_scores::ranking::Ranking;

/// The bytes a node while nodes are ordered across workers: their scores and places.
const OF_PLACES: u64 = 48;

/// Scores that are sent to worker 0 at a time.
const AT_ONCE: usize = 1 << 16;

/// The bytes a node for ranks that intervals leave open, besides intervals.
const OF_RANGES: u64 = 96;

/// The scores of all nodes, as worker 0 has them.
#[doc(hidden)]
pub struct Gathered {
    /// The columns: with all scores, or with none if they are in parts.
    pub columns: Vec<(String, Scores)>,
    /// The proved positions, if the table is in parts.
    pub in_parts: Option<InParts>,
}

/// The proved positions of a table in parts.
#[doc(hidden)]
pub struct InParts {
    /// How many of the first positions are proved, for measures that can prove any.
    proved: Option<u64>,
}

impl InParts {
    /// The ranking whose table is in parts, with columns without scores.
    pub fn ranked(
        self,
        graph: &Graph,
        columns: Vec<(String, Scores)>,
        phases: Phases,
    ) -> Result<Ranked> {
        let ranked = Ranked::in_order(graph, columns, Ranking::new(&[])?, phases);
        let proved = self.proved.map(|proved| proved as usize);
        Ok(ranked.proved(proved.map(Certainty::of_positions), None))
    }
}

impl Workers {
    /// The bytes that a process holds besides the scores of so many nodes while it delivers them;
    /// `has_intervals` if scores have intervals.
    pub fn needs_of_delivery(&self, shards: &Shards, held: u64, has_intervals: bool) -> u64 {
        let in_process = if self.is_spread() {
            1
        } else {
            self.count() as u64
        };
        let names = match shards.plan().has_names {
            true => {
                OF_NAME
                    * shards
                        .plan()
                        .parts
                        .iter()
                        .map(|part| part.nodes)
                        .max()
                        .unwrap_or(0)
            }
            false => 0,
        };
        let of_node = if has_intervals { OF_RANGES } else { OF_PLACES };
        of_node * held + in_process * (ROUND + BUFFERS + names)
    }

    /// Delivers columns of scores of the nodes of a worker: sends them to worker 0, or writes its parts
    /// of the table. `bound` is the l1 error of the first column, for measures that prove ranks.
    ///
    /// # Errors
    /// If a score is NaN, if a file cannot be written, if memory is short, or if another worker fails.
    pub fn deliver(
        &self,
        exchange: &mut Exchange,
        graph: &Graph,
        shards: &Shards,
        mut columns: Vec<(String, Scores)>,
        bound: Option<f64>,
    ) -> Result<Option<Gathered>> {
        let in_parts = match &self.table {
            Some(table) => {
                let proved = write_parts(table, exchange, graph, shards, &columns, bound)?;
                columns.iter_mut().for_each(|(_, scores)| forget(scores));
                Some(InParts { proved })
            }
            None => {
                for (_, scores) in &mut columns {
                    gather(exchange, shards, scores)?;
                }
                None
            }
        };
        Ok((exchange.index() == 0).then_some(Gathered { columns, in_parts }))
    }
}

/// Keeps what is known of scores without them.
fn forget(scores: &mut Scores) {
    scores.values = Array1::default(0);
    if let Some(intervals) = &mut scores.intervals {
        (intervals.lower, intervals.upper) = (Vec::new(), Vec::new());
    }
}

/// Makes scores of the nodes of a worker those of all nodes, for worker 0.
fn gather(exchange: &mut Exchange, shards: &Shards, scores: &mut Scores) -> Result<()> {
    let mut whole = |numbers: Vec<f64>| {
        let numbers = gathered(exchange, shards, numbers)?;
        Ok::<_, webrank_base::error::Error>(numbers.unwrap_or_default())
    };
    let values = std::mem::take(&mut scores.values);
    scores.values = Array1::from(whole(values.into_raw_vec_and_offset().0)?);
    if let Some(intervals) = &mut scores.intervals {
        intervals.lower = whole(std::mem::take(&mut intervals.lower))?;
        intervals.upper = whole(std::mem::take(&mut intervals.upper))?;
    }
    Ok(())
}

/// Sends a number for each node of each worker to worker 0, a piece at a time, so that nobody holds them
/// twice; returns those of all nodes to it, none to the others.
fn gathered(
    exchange: &mut Exchange,
    shards: &Shards,
    mut numbers: Vec<f64>,
) -> Result<Option<Vec<f64>>> {
    let division = Division::new(shards.plan(), exchange.weights());
    let me = exchange.index();
    if me == 0 {
        let more = shards.plan().nodes as usize - numbers.len();
        reserve_exact(&mut numbers, more, "the scores")?;
    }
    for worker in 1..exchange.workers() {
        let count = division.num_nodes(worker) as usize;
        for start in (0..count).step_by(AT_ONCE) {
            let piece = start..count.min(start + AT_ONCE);
            if me == worker {
                let words = numbers[piece].iter().map(|number| number.to_bits());
                exchange.send(0, words.collect())?;
            } else if me == 0 {
                let (from, words) = exchange.receive()?;
                if from != worker || words.len() != piece.len() {
                    return Err(exchange.not_planned(from));
                }
                numbers.extend(words.into_iter().map(f64::from_bits));
            }
            exchange.gather([])?;
        }
    }
    Ok((me == 0).then_some(numbers))
}

/// Writes the parts of a worker; returns how many of the first positions of all are proved.
fn write_parts(
    table: &PartitionedTable,
    exchange: &mut Exchange,
    graph: &Graph,
    shards: &Shards,
    columns: &[(String, Scores)],
    bound: Option<f64>,
) -> Result<Option<u64>> {
    let (header, scores) = &columns[0];
    // The only column that ranks are those of.
    let is_ranked = header == "score";
    let (mut places, mut ranges) = (None, None);
    if is_ranked {
        if let Some(intervals) = &scores.intervals {
            ranges = Some(ranks_between(exchange, intervals)?);
        }
        places = Some(Places::new(
            exchange,
            scores.as_slice(),
            bound.unwrap_or(0.0),
        )?);
    }
    let proved = places
        .as_ref()
        .zip(bound)
        .map(|(places, _)| places.certain_places);
    let name: Vec<u64> = table.temporary().into_iter().map(u64::from).collect();
    let of_first = exchange.first(&name)?;
    let of_first: Vec<u8> = of_first.into_iter().map(|byte| byte as u8).collect();
    let folder = table.folder(&of_first);
    let division = Division::new(shards.plan(), exchange.weights());
    let (me, all) = (exchange.index(), shards.plan().range());
    let first = division.nodes(me).start;
    let rank = |node: usize| places.as_ref().map_or(0, |places| places.rank(node));
    let certain = |node: usize| {
        places
            .as_ref()
            .is_some_and(|places| places.is_certain(node))
    };
    let rows = PartitionRows {
        graph,
        columns,
        first,
        of_graph: all.start,
        rank: is_ranked.then_some(&rank),
        certain: proved.map(|_| &certain as _),
        ranges: ranges.as_ref(),
        proved,
    };
    let mut written = Vec::new();
    for part in division.parts(me) {
        let range = shards.plan().parts[part].range();
        let nodes = (range.start - first) as usize..(range.end - first) as usize;
        let names = match graph.names() {
            Some(_) => None,
            None => shards.names_of(part)?,
        };
        let (bytes, checksum) = rows.write(nodes, names.as_ref(), folder.as_deref(), part)?;
        written.extend([bytes, checksum as u64, (checksum >> 64) as u64]);
    }
    // All parts are there when all of these are.
    let written = exchange.gather_lists(&written)?.concat();
    let entry = |words: &[u64]| (words[0], u128::from(words[1]) | u128::from(words[2]) << 64);
    table.note(&written.chunks_exact(3).map(entry).collect::<Vec<_>>());
    Ok(proved)
}

/// The best and the worst rank that intervals leave open to each node: see
/// [`RankRanges`](webrank_scores::intervals::RankRanges).
fn ranks_between(exchange: &mut Exchange, intervals: &Intervals) -> Result<[Vec<u64>; 2]> {
    let Intervals { lower, upper, .. } = intervals;
    let mut from = count_above(exchange, lower, upper)?;
    from.iter_mut().for_each(|rank| *rank += 1);
    let mut to = count_above(exchange, upper, lower)?;
    for (rank, (lower, upper)) in to.iter_mut().zip(lower.iter().zip(upper)) {
        // A node is not above itself.
        *rank += 1 - u64::from(upper > lower);
    }
    Ok([from, to])
}
