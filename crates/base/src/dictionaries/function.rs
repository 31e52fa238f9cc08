//! Functions of keys, which keep no keys.
//!
//! Each key is an edge of a random hypergraph with three of m = 1.23 n vertices ([`super::hypergraph`]). If it
//! can be peeled off, cells of the vertices can be filled in the opposite order so that the exclusive or of
//! the three cells of each key is its value: the hinge of each edge is still free. With the place of the
//! key in a list as value, this is an order-preserving minimal perfect hash. A key that was not there
//! has an arbitrary value.
//!
//! With values of b bits, all cells take 1.23 n b bits. Only hinges are not zero: n cells and a bit for
//! each vertex take n b + 1.23 n, and a quarter of the latter to count the bits before a place.
//!
//! G. Havas, B. Majewski, N. Wormald and Z. Czech, "Graphs, hypergraphs and hashing", 1994.

use super::hypergraph::{Drawn, peel};
use crate::bits::Bits;
use crate::error::{Error, Result};
use crate::memory::{filled, reserve_exact, zeros};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Vertices for each key.
pub const RATIO: f64 = 1.23;
/// Hypergraphs that are tried: of few keys, most cannot be peeled off at once.
const TRIALS: u64 = 300;

/// How cells are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellLayout {
    /// All of them: three reads.
    All,
    /// Cells that are not zero: a count of bits before each read.
    Hinges,
}

/// A function from keys to values of some bits.
#[derive(Debug, Clone)]
pub struct Function {
    pub(super) seed: u64,
    pub(super) keys: u64,
    pub(super) vertices: u32,
    pub(super) width: u32,
    /// Which cells there are; all, if none is said.
    pub(super) marks: Option<Marks>,
    pub(super) cells: Bits,
}

impl Function {
    /// The function that maps each key to the `width` lower bits of a value, which depends on its place
    /// and on what is drawn from its hash behind the edge. O(n).
    ///
    /// # Errors
    /// If keys are not different, or too many; if memory is short.
    pub fn new<K: AsRef<[u8]>>(
        keys: &[K],
        width: u32,
        cells: CellLayout,
        value: impl Fn(usize, &mut Drawn) -> u64,
    ) -> Result<Self> {
        let vertices = (RATIO * keys.len() as f64).ceil() as u64 + 3;
        let vertices = u32::try_from(vertices).map_err(|_| {
            Error::argument(
                "keys",
                keys.len(),
                "their hypergraph has 2^32 vertices at most: give fewer",
            )
        })?;
        for seed in 0..TRIALS {
            let mut edges: Vec<[u32; 3]> = Vec::new();
            reserve_exact(&mut edges, keys.len(), WHAT)?;
            let mut values = Vec::new();
            reserve_exact(&mut values, keys.len(), WHAT)?;
            for (place, key) in keys.iter().enumerate() {
                let mut drawn = Drawn::from(xxh3_128_with_seed(key.as_ref(), seed));
                edges.push(drawn.edge(vertices));
                values.push(value(place, &mut drawn));
            }
            if let Some(order) = peel(&edges, vertices)? {
                return Self::fill(seed, vertices, width, cells, &edges, &values, &order);
            }
            if seed == 0 {
                check_different(keys)?;
            }
        }
        Err(Error::argument(
            "keys",
            keys.len(),
            "no hypergraph of them can be peeled off: give others",
        ))
    }

    fn fill(
        seed: u64,
        vertices: u32,
        width: u32,
        stored: CellLayout,
        edges: &[[u32; 3]],
        values: &[u64],
        order: &[(u32, u32)],
    ) -> Result<Self> {
        let mut cells = zeros(vertices as usize, WHAT)?;
        for &(edge, hinge) in order.iter().rev() {
            let [a, b, c] = edges[edge as usize].map(|vertex| cells[vertex as usize]);
            // The cell of the hinge is still 0.
            cells[hinge as usize] = values[edge as usize] ^ a ^ b ^ c;
        }
        let mut packed = Bits::default();
        let marks = match stored {
            CellLayout::All => {
                cells.iter().for_each(|&cell| packed.push(cell, width));
                None
            }
            CellLayout::Hinges => {
                let mut is_hinge = filled(false, vertices as usize, WHAT)?;
                order
                    .iter()
                    .for_each(|&(_, hinge)| is_hinge[hinge as usize] = true);
                let hinges = cells
                    .iter()
                    .zip(&is_hinge)
                    .filter(|&(_, &is_hinge)| is_hinge);
                hinges.for_each(|(&cell, _)| packed.push(cell, width));
                Some(Marks::new(&is_hinge))
            }
        };
        Ok(Function {
            seed,
            keys: edges.len() as u64,
            vertices,
            width,
            marks,
            cells: packed,
        })
    }

    /// The value of a key, and what else is drawn from its hash. A key that was not there has an arbitrary
    /// value.
    #[inline]
    pub fn get_drawn(&self, key: &[u8]) -> (u64, Drawn) {
        let mut drawn = Drawn::from(xxh3_128_with_seed(key, self.seed));
        let edge: [u32; 3] = drawn.edge(self.vertices);
        let cell = |vertex: u32| {
            let place = match &self.marks {
                None => vertex as u64,
                Some(marks) if marks.has(vertex) => marks.before(vertex),
                Some(_) => return 0,
            };
            self.cells.get(place * u64::from(self.width), self.width)
        };
        (
            edge.map(cell).into_iter().fold(0, |sum, cell| sum ^ cell),
            drawn,
        )
    }

    /// The value of a key; an arbitrary one of a key that was not there.
    pub fn get(&self, key: &[u8]) -> u64 {
        self.get_drawn(key).0
    }

    /// How many keys there are.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// The bits that it takes.
    pub fn bits(&self) -> u64 {
        self.cells.len() + self.marks.as_ref().map_or(0, Marks::bits)
    }
}

const WHAT: &str = "a function of keys";

fn check_different<K: AsRef<[u8]>>(keys: &[K]) -> Result<()> {
    let mut order: Vec<u32> = Vec::new();
    reserve_exact(&mut order, keys.len(), WHAT)?;
    order.extend(0..keys.len() as u32);
    let key = |place: u32| keys[place as usize].as_ref();
    order.sort_unstable_by_key(|&place| key(place));
    match order.windows(2).find(|pair| key(pair[0]) == key(pair[1])) {
        None => Ok(()),
        Some(pair) => {
            let problem = format!(
                "it is the same as key {}: give each key once",
                pair[0].min(pair[1])
            );
            Err(Error::argument(
                "keys",
                format!("key {}", pair[0].max(pair[1])),
                problem,
            ))
        }
    }
}

/// Bits, and how many are set before each: counts of every fourth word.
#[derive(Debug, Clone)]
pub(super) struct Marks {
    pub(super) words: Vec<u64>,
    counts: Vec<u32>,
}

/// Words for each count.
const SPAN: usize = 4;

impl Marks {
    fn new(bits: &[bool]) -> Self {
        let word = |bits: &[bool]| {
            bits.iter()
                .rev()
                .fold(0, |word, &bit| word << 1 | u64::from(bit))
        };
        Self::of(bits.chunks(64).map(word).collect())
    }

    pub(super) fn of(words: Vec<u64>) -> Self {
        let mut sum = 0;
        let mut counts = Vec::new();
        for span in words.chunks(SPAN) {
            counts.push(sum);
            sum += span.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        Marks { words, counts }
    }

    /// How many are set.
    pub(super) fn all(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    #[inline]
    fn has(&self, place: u32) -> bool {
        self.words[place as usize / 64] >> (place % 64) & 1 == 1
    }

    /// How many are set before `place`.
    #[inline]
    fn before(&self, place: u32) -> u64 {
        let word = place as usize / 64;
        let start = word / SPAN * SPAN;
        let whole: u32 = self.words[start..word]
            .iter()
            .map(|word| word.count_ones())
            .sum();
        let part = (self.words[word] & ((1 << (place % 64)) - 1)).count_ones();
        u64::from(self.counts[word / SPAN]) + u64::from(whole + part)
    }

    fn bits(&self) -> u64 {
        64 * self.words.len() as u64 + 32 * self.counts.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_have_their_places() {
        for count in [0usize, 1, 2, 3, 10, 100, 5000] {
            let keys: Vec<String> = (0..count).map(|i| format!("key {i}")).collect();
            for cells in [CellLayout::All, CellLayout::Hinges] {
                let found = Function::new(&keys, 13, cells, |place, _| place as u64).unwrap();
                for (place, key) in keys.iter().enumerate() {
                    assert_eq!(found.get(key.as_bytes()), place as u64);
                }
                // Something, but no panic.
                assert!(found.get(b"a stranger") < 1 << 13);
                assert_eq!(found.keys(), count as u64);
            }
        }
    }

    #[test]
    fn sizes_are_those_of_the_formulas() {
        let keys: Vec<[u8; 8]> = (0..20_000u64).map(u64::to_le_bytes).collect();
        let n = keys.len() as f64;
        let bits = |cells| {
            Function::new(&keys, 15, cells, |place, _| place as u64)
                .unwrap()
                .bits() as f64
        };
        assert!((bits(CellLayout::All) / (1.23 * n * 15.0) - 1.0).abs() < 0.001);
        // A count of 32 bits for 256.
        let marked = n * 15.0 + 1.23 * n * (1.0 + 32.0 / 256.0);
        assert!((bits(CellLayout::Hinges) / marked - 1.0).abs() < 0.001);
    }

    #[test]
    fn equal_keys_are_refused() {
        let said = Function::new(&["a", "b", "a"], 8, CellLayout::All, |_, _| 0)
            .unwrap_err()
            .to_string();
        assert!(
            said.contains("keys is key 2: it is the same as key 0"),
            "{said}"
        );
    }

    proptest! {
        #[test]
        fn bits_are_counted(bits in prop::collection::vec(any::<bool>(), 0..1500)) {
            let marks = Marks::new(&bits);
            let mut count = 0;
            for (place, &bit) in bits.iter().enumerate() {
                prop_assert_eq!(marks.has(place as u32), bit);
                prop_assert_eq!(marks.before(place as u32), count);
                count += u64::from(bit);
            }
        }
    }
}
