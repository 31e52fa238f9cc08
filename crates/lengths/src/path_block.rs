//! Numbers of shortest paths and dependencies of 8 sources whose distances are known: see
//! [`path_lanes`](super::path_lanes).

/// The sources whose paths are counted together: a vector of 512 bits.
pub(crate) const WIDTH: usize = 8;

/// No distance: a source does not reach the node.
pub(crate) const FAR: u16 = u16::MAX;

/// Distances up to this are held; an arc farther is still below [`FAR`].
pub(crate) const MOST: u16 = FAR - 256;

/// Numbers of paths up to this are exact.
const LARGEST: f64 = (1u64 << 53) as f64;

/// A number for each source of a block.
type Values = [f64; WIDTH];

/// The state of 8 sources.
#[derive(Default)]
pub(crate) struct Block {
    /// [`FAR`] for all nodes between blocks.
    pub near: Vec<[u16; WIDTH]>,
    /// The arcs on shortest paths, with the lanes for which they are; those of each node that is reached.
    hits: Vec<(u32, u8)>,
    hits_of: Vec<[u32; 2]>,
    /// Nodes with the lanes in which they stand at a distance, by distance; where each distance ends.
    entries: Vec<(u32, u8)>,
    ends: Vec<u32>,
    /// sigma; on the way back alpha, where that is known.
    values: Vec<Values>,
    /// The dependencies of the block on each node.
    pub sums: Vec<f64>,
    pub roundings: u64,
}

/// The part that is compiled for each vector width. False if a number of paths is too large.
pub(crate) struct Kernel<'a> {
    pub block: &'a mut Block,
    pub reached: &'a [u32],
    pub offsets: &'a [u32],
    pub arcs: &'a [(u32, u16)],
}

impl pulp::NullaryFnOnce for Kernel<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        self.block.find_hits(self.reached, self.offsets, self.arcs);
        self.block.sort_entries(self.reached);
        let is_counted = self.block.forward(self.reached);
        if is_counted {
            self.block.backward();
        }
        is_counted
    }
}

impl Block {
    /// Begins a batch of so many nodes and arcs.
    pub fn prepare(&mut self, nodes: usize, arcs: usize) {
        self.near.clear();
        self.near.resize(nodes, [FAR; WIDTH]);
        self.sums.clear();
        self.sums.resize(nodes, 0.0);
        self.hits_of.resize(nodes, [0; 2]);
        self.values.resize(nodes, [0.0; WIDTH]);
        // One is written ahead.
        self.hits.resize(arcs + 1, (0, 0));
        self.roundings = 0;
    }

    /// Finds the arcs on shortest paths of some lane.
    #[inline(always)]
    fn find_hits(&mut self, reached: &[u32], offsets: &[u32], arcs: &[(u32, u16)]) {
        let mut found = 0;
        for &v in reached {
            let v = v as usize;
            let (here, first) = (self.near[v], found as u32);
            let known = lanes(|lane| here[lane] != FAR);
            for &(w, length) in &arcs[offsets[v] as usize..offsets[v + 1] as usize] {
                let there = &self.near[w as usize];
                let hit = lanes(|lane| there[lane] == here[lane].wrapping_add(length)) & known;
                self.hits[found] = (w, hit);
                found += usize::from(hit != 0);
            }
            self.hits_of[v] = [first, found as u32];
        }
    }

    /// The hits of a node.
    #[inline(always)]
    fn hits(&self, v: u32) -> std::ops::Range<usize> {
        let [first, end] = self.hits_of[v as usize];
        first as usize..end as usize
    }

    /// Sorts nodes by distance, those that stand at one distance in several lanes together. Their distances
    /// are then forgotten.
    #[inline(always)]
    fn sort_entries(&mut self, reached: &[u32]) {
        self.ends.clear();
        // One place more: counts are one ahead, so that they become first places and then ends.
        for &v in reached {
            each_distance(&self.near[v as usize], |distance, _| {
                let place = usize::from(distance) + 1;
                if self.ends.len() <= place {
                    self.ends.resize(place + 1, 0);
                }
                self.ends[place] += 1;
            });
        }
        for place in 1..self.ends.len() {
            self.ends[place] += self.ends[place - 1];
        }
        let count = self.ends.last().copied().unwrap_or(0);
        self.entries.resize(count as usize, (0, 0));
        for &v in reached {
            let here = std::mem::replace(&mut self.near[v as usize], [FAR; WIDTH]);
            each_distance(&here, |distance, lanes| {
                let place = &mut self.ends[usize::from(distance)];
                self.entries[*place as usize] = (v, lanes);
                *place += 1;
            });
        }
        self.ends.pop();
    }

    /// Counts paths. False if a number is too large.
    #[inline(always)]
    fn forward(&mut self, reached: &[u32]) -> bool {
        for &v in reached {
            self.values[v as usize] = [0.0; WIDTH];
        }
        let sources = self.ends.first().copied().unwrap_or(0) as usize;
        for &(v, lanes) in &self.entries[..sources] {
            self.values[v as usize] = only([1.0; WIDTH], lanes);
        }
        let mut largest: Values = [0.0; WIDTH];
        for &(v, lanes) in &self.entries {
            let paths = only(self.values[v as usize], lanes);
            for lane in 0..WIDTH {
                largest[lane] = if paths[lane] > largest[lane] {
                    paths[lane]
                } else {
                    largest[lane]
                };
            }
            for &(w, hit) in &self.hits[self.hits(v)] {
                let new = only(paths, hit);
                let value = &mut self.values[w as usize];
                for lane in 0..WIDTH {
                    value[lane] += new[lane];
                }
            }
        }
        largest.iter().all(|&paths| paths <= LARGEST)
    }

    /// Adds the dependencies.
    #[inline(always)]
    fn backward(&mut self) {
        let mut end = self.entries.len();
        for level in (0..self.ends.len()).rev() {
            let first = match level {
                0 => 0,
                _ => self.ends[level - 1] as usize,
            };
            let mut most = 0;
            for &(v, lanes) in self.entries[first..end].iter().rev() {
                let hits = self.hits(v);
                most = most.max(hits.len());
                let mut below: Values = [0.0; WIDTH];
                for &(w, hit) in &self.hits[hits] {
                    let alpha = only(self.values[w as usize], hit & lanes);
                    for lane in 0..WIDTH {
                        below[lane] += alpha[lane];
                    }
                }
                let value = &mut self.values[v as usize];
                let mut dependency: Values = [0.0; WIDTH];
                for lane in 0..WIDTH {
                    dependency[lane] = below[lane] * value[lane];
                    let alpha = (1.0 + dependency[lane]) / value[lane];
                    let is_here = lanes >> lane & 1 == 1;
                    value[lane] = if is_here { alpha } else { value[lane] };
                }
                // At distance 0 are the sources themselves.
                if level > 0 {
                    self.sums[v as usize] += sum(dependency);
                }
            }
            // A sum of alphas, times sigma, plus 1, over sigma.
            self.roundings += if end > first { most as u64 + 3 } else { 0 };
            end = first;
        }
    }
}

/// The lanes for which something is true.
#[inline(always)]
fn lanes(is_true: impl Fn(usize) -> bool) -> u8 {
    let mut lanes = 0;
    for lane in 0..WIDTH {
        lanes |= u8::from(is_true(lane)) << lane;
    }
    lanes
}

/// Calls `visit` with each distance and the lanes that have it.
#[inline(always)]
fn each_distance(here: &[u16; WIDTH], mut visit: impl FnMut(u16, u8)) {
    let mut left = lanes(|lane| here[lane] != FAR);
    while left != 0 {
        let distance = here[left.trailing_zeros() as usize];
        let same = lanes(|lane| here[lane] == distance);
        visit(distance, same);
        left &= !same;
    }
}

/// The values of these lanes, 0 in others.
#[inline(always)]
fn only(values: Values, lanes: u8) -> Values {
    std::array::from_fn(|lane| match lanes >> lane & 1 {
        1 => values[lane],
        _ => 0.0,
    })
}

/// Added in one order, by halves.
#[inline(always)]
fn sum(mut values: Values) -> f64 {
    let mut width = WIDTH;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            values[lane] += values[lane + width];
        }
    }
    values[0]
}
