//! Names of nodes, from number to name and back: a file of names in node order, one per line.

use super::checksums::Checksums;
use super::input::{self, MAX_LINE};
pub use super::integers::integer;
use memchr::memchr_iter;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::OnceLock;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{reserve, reserve_text};
use webrank_base::parallel::tasks;
use webrank_base::shown::quoted;

/// The names of all nodes: the text, and 8 bytes for each node.
pub struct Names {
    text: String,
    /// Where each name ends: at a line feed, or before it.
    ends: Vec<u64>,
    /// The bytes between a name and the next: `\n` or `\r\n`.
    line_end: usize,
    /// How names are found.
    by_name: OnceLock<ByName>,
    /// Whether any name is a number.
    has_numbers: OnceLock<bool>,
    /// Whether all names are integers.
    are_integers: OnceLock<bool>,
}

/// How the node of a name is found.
enum ByName {
    /// Names are in the order of text.
    Texts,
    /// Names are integers, and in their order.
    Integers,
    /// The nodes in the order of their names as text.
    Sorted(Vec<Node>),
}

/// How lines of names end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// In `\n`, as in bundles: a `\r` before it belongs to the name.
    Feed,
    /// In `\r\n` if all of them do, otherwise in `\n`.
    Guess,
}

impl Names {
    /// Reads names from a plain, gzip or zstd file.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or does not have `num_nodes` lines; of a longer
    /// file, no more is read than needed to know.
    pub fn read(path: &Path, num_nodes: usize, line_ends: LineEnds) -> Result<Self> {
        Self::read_noting(path, num_nodes, line_ends, &Checksums::default())
    }

    /// [`Self::read`] that notes the checksum of the file.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_noting(
        path: &Path,
        num_nodes: usize,
        line_ends: LineEnds,
        checksums: &Checksums,
    ) -> Result<Self> {
        let (text, ends) = lines(path, input::open_noting(path, checksums)?, num_nodes)?;
        if ends.len() != num_nodes {
            let found = if ends.len() > num_nodes {
                "more".to_owned()
            } else {
                format!("only {}", ends.len())
            };
            let problem = format!(
                "{found} names, but the graph has {num_nodes} nodes; the file belongs to another graph"
            );
            return Err(Error::file(path, problem));
        }
        let text = String::from_utf8(text).map_err(|problem| {
            let good = problem.utf8_error().valid_up_to() as u64;
            let line = ends.partition_point(|&end| end < good) as u64 + 1;
            Error::line(path, line, "is not UTF-8; convert the file to UTF-8")
        })?;
        Ok(Self::new(text, ends, line_ends))
    }

    fn new(mut text: String, mut ends: Vec<u64>, line_ends: LineEnds) -> Self {
        // Lists that grew have up to twice the room, which plans would count.
        text.shrink_to_fit();
        ends.shrink_to_fit();
        let bytes = text.as_bytes();
        let has_return = |&end: &u64| end > 0 && bytes[end as usize - 1] == b'\r';
        let returns = line_ends == LineEnds::Guess && !ends.is_empty();
        let returns = returns && ends.iter().all(has_return);
        if returns {
            ends.iter_mut().for_each(|end| *end -= 1);
        }
        Names {
            text,
            ends,
            line_end: 1 + usize::from(returns),
            by_name: OnceLock::new(),
            has_numbers: OnceLock::new(),
            are_integers: OnceLock::new(),
        }
    }

    /// These names, in node order.
    ///
    /// # Errors
    /// If one is empty or has a line feed, since names are kept one per line; if one occurs twice; if
    /// memory is short.
    pub fn collect<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self> {
        let mut all = NamesBuilder::default();
        for (node, name) in names.into_iter().enumerate() {
            let problem = match name {
                "" => "is empty",
                name if name.contains('\n') => "has a line feed",
                name => {
                    all.push(name)?;
                    continue;
                }
            };
            let remedy = format!("it {problem}, but names are kept one per line");
            return Err(Error::argument(
                "a name",
                format!("that of node {node}"),
                remedy,
            ));
        }
        let all = all.finish();
        match all.twice() {
            Some(twice) => {
                let remedy = "it occurs twice, but a name means one node";
                Err(Error::argument("a name", quoted(all.get(twice)), remedy))
            }
            None => Ok(all),
        }
    }

    /// A node whose name another one has, if there is any.
    fn twice(&self) -> Option<Node> {
        let is_twice = |&(one, other): &(Node, Node)| self.get(one) == self.get(other);
        let pairs = (1..self.len() as Node).map(|place| (place - 1, place));
        let twice = match self.order() {
            ByName::Sorted(order) => {
                let at = |place: Node| order[place as usize];
                pairs
                    .map(|(one, other)| (at(one), at(other)))
                    .find(is_twice)
            }
            ByName::Texts | ByName::Integers => pairs.into_iter().find(is_twice),
        };
        twice.map(|(one, _)| one)
    }

    /// How names are found. O(n log n) the first time.
    fn order(&self) -> &ByName {
        self.by_name.get_or_init(|| {
            let nodes = 0..self.len() as Node;
            if nodes.clone().map(|node| self.get(node)).is_sorted() {
                return ByName::Texts;
            }
            let integers = || nodes.clone().map(|node| self.integer(node));
            if self.are_integers() && integers().is_sorted() {
                return ByName::Integers;
            }
            let mut order: Vec<Node> = nodes.clone().collect();
            order.sort_by_key(|&node| self.get(node));
            ByName::Sorted(order)
        })
    }

    /// The names in a text, one per line, for tests.
    #[doc(hidden)]
    pub fn from_text(text: &str) -> Self {
        let text = text.strip_suffix('\n').unwrap_or(text).to_owned() + "\n";
        let ends = memchr_iter(b'\n', text.as_bytes()).map(|end| end as u64);
        let ends = ends.collect();
        Self::new(text, ends, LineEnds::Guess)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes taken, those of an index by name included.
    pub fn memory(&self) -> u64 {
        (self.text.capacity() + 12 * self.ends.capacity()) as u64
    }

    /// The name of a node.
    ///
    /// # Panics
    /// If `node` is not in the graph.
    pub fn get(&self, node: Node) -> &str {
        let node = node as usize;
        let start = match node {
            0 => 0,
            _ => self.ends[node - 1] as usize + self.line_end,
        };
        &self.text[start..self.ends[node] as usize]
    }

    /// True if any name is a number. O(n) the first time, parallel.
    pub fn has_numbers(&self) -> bool {
        let is_number = |node: usize| is_number(self.get(node as Node).as_bytes());
        *self
            .has_numbers
            .get_or_init(|| tasks::first(self.len(), is_number).is_some())
    }

    /// True if all names are integers as programs write them, and there are any: tables then hold them
    /// as numbers. O(n) the first time, parallel; less where they are not.
    pub fn are_integers(&self) -> bool {
        let is_other = |node: usize| integer(self.get(node as Node).as_bytes()).is_none();
        *self
            .are_integers
            .get_or_init(|| !self.is_empty() && tasks::first(self.len(), is_other).is_none())
    }

    /// These names as texts, even if they look like integers.
    pub fn as_texts(mut self) -> Self {
        self.are_integers = OnceLock::from(false);
        self
    }

    /// The integer that the name of a node is, if [all](Self::are_integers) are; otherwise 0.
    pub fn integer(&self, node: Node) -> i64 {
        integer(self.get(node).as_bytes()).unwrap_or_default()
    }

    /// The node of a name; the smallest if several share it. O(log n), once the first call has
    /// sorted names that are not in order.
    pub fn find(&self, name: &str) -> Option<Node> {
        match self.order() {
            ByName::Texts => self.search(|place| (self.get(place), place), name),
            ByName::Sorted(order) => {
                let at = |place: Node| order[place as usize];
                self.search(|place| (self.get(at(place)), at(place)), name)
            }
            ByName::Integers => {
                let number = integer(name.as_bytes())?;
                self.search(|place| (self.integer(place), place), number)
            }
        }
    }

    /// The node of the first place with this key, if there is one.
    fn search<K: PartialOrd>(&self, at: impl Fn(Node) -> (K, Node), key: K) -> Option<Node> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if at(middle as Node).0 < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let found = (low < self.len()).then(|| at(low as Node));
        found.and_then(|(found, node)| (found == key).then_some(node))
    }
}

/// True if a name is a number.
pub fn is_number(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

/// Names that come one by one.
#[derive(Default)]
pub struct NamesBuilder {
    text: String,
    ends: Vec<u64>,
}

impl NamesBuilder {
    /// The name of the next node.
    ///
    /// # Errors
    /// If memory is short.
    pub fn push(&mut self, name: &str) -> Result<()> {
        reserve_text(&mut self.text, name.len() + 1, "names")?;
        self.text.push_str(name);
        reserve(&mut self.ends, 1, "names")?;
        self.ends.push(self.text.len() as u64);
        self.text.push('\n');
        Ok(())
    }

    /// The names that were pushed.
    pub fn finish(self) -> Names {
        Names::new(self.text, self.ends, LineEnds::Feed)
    }
}

/// The text of a file of lines, and where each ends. Stops after one line more than `expected`.
fn lines(path: &Path, mut input: impl Read, expected: usize) -> Result<(Vec<u8>, Vec<u64>)> {
    let (mut text, mut ends) = (Vec::new(), Vec::new());
    let mut buffer = vec![0; 1 << 18];
    loop {
        let read = match input.read(&mut buffer) {
            Ok(read) => read,
            Err(problem) if problem.kind() == ErrorKind::Interrupted => continue,
            Err(problem) => return Err(Error::io(path, "cannot read", problem)),
        };
        let (last_end, before) = (ends.last().map_or(0, |&end| end + 1), text.len());
        if read == 0 && text.len() as u64 > last_end {
            text.push(b'\n');
            ends.push(before as u64);
        }
        let bytes = &buffer[..read];
        reserve(&mut text, read + 1, "names")?;
        text.extend_from_slice(bytes);
        let feeds = memchr_iter(b'\n', bytes);
        reserve(&mut ends, feeds.clone().count() + 1, "names")?;
        ends.extend(feeds.map(|place| (before + place) as u64));
        if read == 0 || ends.len() > expected {
            return Ok((text, ends));
        }
        let last_end = ends.last().map_or(0, |&end| end as usize + 1);
        if text.len() - last_end > MAX_LINE {
            let problem = format!(
                "longer than {} MiB; is this a file of names?",
                MAX_LINE >> 20
            );
            return Err(Error::line(path, ends.len() as u64 + 1, problem));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_order_are_found() {
        for text in ["a\nb\ncc\n", "cc\na\nb", "b\r\ncc\r\na\r\n"] {
            let names = Names::from_text(text);
            assert_eq!(names.len(), 3);
            for node in 0..3 {
                assert_eq!(names.find(names.get(node)), Some(node));
            }
            assert_eq!(names.find("cc").map(|node| names.get(node)), Some("cc"));
            assert_eq!(names.find("c"), None);
            assert_eq!(names.find("d"), None);
        }
    }

    fn read(text: &[u8], expected: usize, line_ends: LineEnds) -> Result<Names> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.txt");
        std::fs::write(&path, text).unwrap();
        Names::read(&path, expected, line_ends)
    }

    #[test]
    fn a_carriage_return_is_part_of_a_name_unless_all_lines_end_in_it() {
        for (text, line_ends, expected) in [
            ("a\r\nb\n", LineEnds::Guess, ["a\r", "b"]),
            ("a\r\nb\r\n", LineEnds::Guess, ["a", "b"]),
            ("a\r\r\n\r\n", LineEnds::Guess, ["a\r", ""]),
            ("a\r\nb\r\n", LineEnds::Feed, ["a\r", "b\r"]),
            ("a\nb", LineEnds::Feed, ["a", "b"]),
        ] {
            let names = read(text.as_bytes(), 2, line_ends).unwrap();
            assert_eq!([names.get(0), names.get(1)], expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_file_of_names_is_refused_before_it_is_in_memory() {
        let zeros = vec![0; 3 * MAX_LINE];
        for (text, words) in [
            (&b"a\n"[..], "only 1 names, but the graph has 2 nodes"),
            (b"a\nb\nc\n", "more names, but the graph has 2 nodes"),
            (b"a\n\xff\n", "line 2: is not UTF-8"),
            (&zeros, "line 1: longer than 16 MiB"),
        ] {
            let problem = read(text, 2, LineEnds::Guess).err().unwrap().to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }

    #[test]
    fn a_name_that_occurs_twice_is_refused() {
        for names in [
            &["a", "a"][..],
            &["b", "a", "b"],
            &["a", "b", "b"],
            &["9", "10", "10"],
        ] {
            let problem = Names::collect(names.iter().copied()).err().unwrap();
            assert!(problem.to_string().contains("it occurs twice"), "{problem}");
        }
        for names in [&[][..], &["a"], &["b", "a"], &["a", "ab", "b"]] {
            assert_eq!(
                Names::collect(names.iter().copied()).unwrap().len(),
                names.len()
            );
        }
    }

    #[test]
    fn no_names() {
        let names = read(b"", 0, LineEnds::Guess).unwrap();
        assert!(names.is_empty() && !names.has_numbers() && !names.are_integers());
        assert_eq!(names.find("a"), None);
    }
}
