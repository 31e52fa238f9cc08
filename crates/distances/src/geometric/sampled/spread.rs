//! Searches from the draws, along the arcs, and what they add to the nodes that they reach.
//!
//! A search visits classes of nodes that are always reached together ([`Reduced`]). Each class has a sum
//! of terms for each group of draws, in whole numbers of a unit that is chosen so that they never
//! overflow: so the order of additions does not matter, and each thread adds up for itself. Terms are at most
//! f(2): what neighbours have above that is known without a search.

use super::draws::{Draws, GROUPS, OF_GROUP};
use super::scale::Scale;
use super::sums::Sums;
use crate::reduction::Reduced;
use crate::traversal::bit_parallel::{LANES, Mask, Tally, Workspace};
use std::sync::Mutex;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// The bytes of a class for each thread that searches.
pub(super) fn bytes_of_class(quantities: usize) -> usize {
    3 * size_of::<Mask>() + size_of::<u32>() + quantities * (GROUPS + 1) * size_of::<u64>()
}

/// Searches from draws.
pub(super) struct Searches<'a> {
    pub(super) graph: &'a Reduced<'a>,
    pub(super) draws: &'a Draws,
    pub(super) scales: &'a [Scale<'a>],
}

/// The state of the searches.
pub(super) struct Found {
    /// The number of draws that were searched from.
    pub(super) done: usize,
    /// The level at which each search came back to its own class; 0 for never.
    pub(super) returned: Vec<u32>,
    /// Arcs followed, each once for a batch at a level.
    pub(super) arcs: u64,
    /// Rooms of threads, whose sums are parts of the sums.
    rooms: Mutex<Vec<Room>>,
}

/// The workspace and the sums of a thread.
struct Room {
    workspace: Option<Workspace>,
    sums: Sums,
}

impl Found {
    /// Nothing yet.
    pub(super) fn new(searches: &Searches) -> Self {
        let returned = vec![0; searches.draws.len()];
        let sums = Sums::new(searches.graph.quotient().num_nodes(), searches.scales.len());
        Self::resumed(0, returned, 0, sums)
    }

    /// The findings of an earlier run.
    pub(super) fn resumed(done: usize, returned: Vec<u32>, arcs: u64, sums: Sums) -> Self {
        let workspace = None;
        Found {
            done,
            returned,
            arcs,
            rooms: Mutex::new(vec![Room { workspace, sums }]),
        }
    }

    /// Adds up what the threads have found, and hands the sums to `read`.
    pub(super) fn with_sums<T>(&mut self, read: impl FnOnce(&Found, &Sums) -> T) -> T {
        let rooms = self.rooms.get_mut().expect("no search panics");
        while let [first, .., last] = &mut rooms[..] {
            first.sums.merge(&last.sums);
            rooms.pop();
        }
        let room = rooms.pop().expect("there is at least one");
        let result = read(self, &room.sums);
        self.rooms.get_mut().expect("no search panics").push(room);
        result
    }

    /// The sums, at the end.
    pub(super) fn into_sums(mut self) -> (Sums, Vec<u32>) {
        self.with_sums(|_, _| ());
        let rooms = self.rooms.into_inner().expect("no search panics");
        let room = rooms.into_iter().next().expect("there is at least one");
        (room.sums, self.returned)
    }
}

impl Searches<'_> {
    /// Searches from the draws of the next batches, `batches` at most, in parallel.
    pub(super) fn advance(
        &self,
        found: &mut Found,
        batches: usize,
        progress: &dyn Progress,
    ) -> Result<()> {
        let end = (found.done + batches * LANES).min(self.draws.len());
        let starts = (found.done..end).step_by(LANES);
        let rooms = &found.rooms;
        let returns = tasks::try_map(starts, |start| {
            progress.check()?;
            let waiting = rooms.lock().expect("no search panics").pop();
            let classes = self.graph.quotient().num_nodes();
            let mut room = waiting.unwrap_or_else(|| Room {
                workspace: None,
                sums: Sums::new(classes, self.scales.len()),
            });
            let draws = start..(start + LANES).min(end);
            let found = self.search(&mut room, draws.clone());
            progress.advance(draws.len() as u64);
            rooms.lock().expect("no search panics").push(room);
            Ok(found)
        })?;
        for (returns, arcs) in returns {
            for (draw, level) in returns {
                found.returned[draw] = level;
            }
            found.arcs += arcs;
        }
        found.done = end;
        Ok(())
    }

    /// Searches from a batch of draws: where they came back to their own classes, and the arcs followed.
    fn search(&self, room: &mut Room, draws: std::ops::Range<usize>) -> (Vec<(usize, u32)>, u64) {
        let quotient = self.graph.quotient();
        let classes = quotient.num_nodes();
        let workspace = room
            .workspace
            .get_or_insert_with(|| Workspace::new(classes));
        workspace.clear();
        let mut watched = Vec::new();
        let mut is_watched = vec![0u64; classes.div_ceil(64)];
        for draw in draws {
            let (node, lane) = (self.draws.nodes[draw], self.draws.lane(draw));
            for class in self.graph.starts(node) {
                workspace.start(class, lane);
            }
            if self.graph.may_return(node) {
                let class = quotient.node_of[node as usize];
                watched.push((class, lane, draw));
                is_watched[class as usize / 64] |= 1 << (class % 64);
            }
        }
        watched.sort_unstable();
        let before = workspace.arcs();
        let mut adding = Adding {
            scales: self.scales,
            values: vec![[0; 2]; self.scales.len()],
            level: 0,
            sums: &mut room.sums,
            watched: &watched,
            is_watched: &is_watched,
            returned: Vec::new(),
        };
        workspace.search(&quotient.rows, &mut adding, Simd::best());
        (adding.returned, workspace.arcs() - before)
    }
}

/// Adds terms at each level.
struct Adding<'a> {
    scales: &'a [Scale<'a>],
    /// The term of each measure at `level`, and its square.
    values: Vec<[u64; 2]>,
    level: u32,
    sums: &'a mut Sums,
    /// Class, lane and number of each draw that a search may come back to, sorted.
    watched: &'a [(Node, usize, usize)],
    is_watched: &'a [u64],
    returned: Vec<(usize, u32)>,
}

impl Adding<'_> {
    #[cold]
    fn begin_level(&mut self, level: u32) {
        self.level = level;
        for (value, scale) in self.values.iter_mut().zip(self.scales) {
            *value = scale.at_level(level);
        }
    }

    #[cold]
    fn note_returns(&mut self, class: Node, lanes: Mask, level: u32) {
        let first = self
            .watched
            .partition_point(|&(watched, ..)| watched < class);
        let here = self.watched[first..].iter();
        for &(_, lane, draw) in here.take_while(|&&(watched, ..)| watched == class) {
            if lanes.has_lane(lane) {
                self.returned.push((draw, level));
            }
        }
    }
}

impl Tally for Adding<'_> {
    #[inline(always)]
    fn reach(&mut self, node: Node, new: Mask, level: u32) {
        if level != self.level {
            self.begin_level(level);
        }
        let x = node as usize;
        let count = new.count();
        self.sums.hits[x] += count;
        // Not closures: they might be compiled for plain vectors.
        let mut counts = [0u64; GROUPS];
        for (pair, word) in counts.chunks_exact_mut(64 / OF_GROUP).zip(new.0) {
            pair[0] = (word as u32).count_ones().into();
            pair[1] = ((word >> 32) as u32).count_ones().into();
        }
        let first = x * self.values.len();
        for place in 0..self.values.len() {
            let [value, square] = self.values[place];
            let groups = &mut self.sums.groups[first + place];
            for group in 0..GROUPS {
                groups[group] += counts[group] * value;
            }
            self.sums.squares[first + place] += u64::from(count) * square;
        }
        if self.is_watched[x / 64] >> (x % 64) & 1 == 1 {
            self.note_returns(node, new, level);
        }
    }

    #[inline(always)]
    fn end_level(&mut self, _level: u32) -> bool {
        true
    }
}
