//! Looks names up in their file, by the index beside it.

use super::blocks::{Blocks, Place, Recent};
use super::header::{HEADER, Header, Tree};
use super::order::{unpack, width};
use super::page::Page;
use crate::bundle::{BundleManifest, NAMES, NAMES_INDEX, hex};
use memchr::memchr_iter;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::units::counted;
use webrank_tables::text::keys::{find_key, number};
use webrank_tables::text::names::Names;

/// The names in a bundle, on disk. It opens in O(1), and reads a few blocks for each name.
///
/// Every block has a checksum, and its place in the tree is checked: a damaged file is an error, not
/// another answer.
pub struct NameIndex {
    names: Blocks,
    index: Blocks,
    header: Header,
    pages: Recent<Page>,
    lines: Recent<Lines>,
    groups: Recent<Vec<Node>>,
}

/// The names of consecutive nodes.
struct Lines {
    text: String,
    /// Where each ends, at a line feed.
    ends: Vec<u32>,
}

impl Lines {
    /// So many names, one a line; none if the text is not that.
    fn parse(text: Vec<u8>, count: u64) -> Option<Self> {
        let ends: Vec<u32> = memchr_iter(b'\n', &text).map(|end| end as u32).collect();
        let is_whole = text.last() == Some(&b'\n') && ends.len() as u64 == count;
        let text = String::from_utf8(text).ok()?;
        is_whole.then_some(Lines { text, ends })
    }

    fn get(&self, line: usize) -> &str {
        let start = match line {
            0 => 0,
            _ => self.ends[line - 1] as usize + 1,
        };
        &self.text[start..self.ends[line] as usize]
    }
}

impl NameIndex {
    /// Opens the names of the bundle in `folder`; none if it has no manifest or no index. Only
    /// lengths are compared with the manifest; blocks are checked when they are read.
    ///
    /// # Errors
    /// If the manifest or the index is damaged, or if they belong to other names.
    pub fn of_bundle(folder: &Path) -> Result<Option<Self>> {
        let Some(manifest) = BundleManifest::read(folder)? else {
            return Ok(None);
        };
        let [names, index] = [NAMES, NAMES_INDEX].map(|name| manifest.files.get(name));
        let (Some(names), Some(index)) = (names, index) else {
            return Ok(None);
        };
        let opened = Self::open(&folder.join(NAMES))?;
        let declared = (manifest.nodes, names.bytes, &names.xxh3_128, index.bytes);
        let header = opened.header;
        let checksum = hex(header.names.1);
        if declared != (header.count, header.names.0, &checksum, header.bytes) {
            let problem = "this index belongs to other names than those of the manifest";
            return Err(opened.index.damaged(0, problem));
        }
        Ok(Some(opened))
    }

    /// Opens the names at `path`, which have an index beside them.
    ///
    /// # Errors
    /// If the index cannot be read, is damaged, or belongs to a file of another length.
    pub fn open(path: &Path) -> Result<Self> {
        let names = Blocks::open(path)?;
        let index = Blocks::open(&path.with_file_name(NAMES_INDEX))?;
        let header = index.raw(0, HEADER)?;
        let header = Header::parse(&header).map_err(|problem| index.damaged(0, problem))?;
        if header.bytes != index.bytes() || header.names.0 != names.bytes() {
            let problem = "the index is for files of other lengths";
            return Err(index.damaged(0, problem));
        }
        Ok(NameIndex {
            names,
            index,
            header,
            pages: Recent::new(64),
            lines: Recent::new(16),
            groups: Recent::new(4),
        })
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.header.count as usize
    }

    /// True if there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if any name is a number.
    pub fn has_numbers(&self) -> bool {
        self.header.has_numbers
    }

    /// True if names increase with the numbers of their nodes.
    pub fn is_sorted(&self) -> bool {
        self.header.is_sorted
    }

    /// The error for wrong bytes in the index.
    pub(super) fn damaged(&self, offset: u64, problem: &str) -> Error {
        self.index.damaged(offset, problem)
    }

    pub(super) fn header(&self) -> Header {
        self.header
    }

    /// The name of a node.
    ///
    /// # Errors
    /// If the graph has no such node, or if a block is damaged.
    pub fn name(&self, node: Node) -> Result<String> {
        if node as usize >= self.len() {
            let remedy = format!(
                "the graph has {}, numbered from 0",
                counted(self.len(), "node")
            );
            return Err(Error::argument("node", node, remedy));
        }
        self.with_name(node, str::to_owned)
    }

    /// The node of a name; the smallest if several share it.
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn find(&self, name: &str) -> Result<Option<Node>> {
        let place = self.first_from(name)?;
        if place == self.header.count {
            return Ok(None);
        }
        let node = self.node_at(place)?;
        let is_same = self.with_name(node, |found| found == name)?;
        Ok(is_same.then_some(node))
    }

    /// The node that a key means, by the rules of [`NodeKeys`](webrank_tables::text::keys::NodeKeys).
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn find_key(&self, key: &str) -> Result<Option<Node>> {
        find_key(key, |key| {
            Ok(match self.find(key)? {
                None if !self.has_numbers() => number(key, self.len()),
                found => found,
            })
        })
    }

    /// The nodes whose names start with `prefix`, with their names, in order of their names.
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn prefix<'i>(
        &'i self,
        prefix: &'i str,
    ) -> Result<impl Iterator<Item = Result<(Node, String)>> + 'i> {
        let first = self.first_from(prefix)?;
        let mut places = first..self.header.count;
        let mut next = move || {
            let Some(place) = places.next() else {
                return Ok(None);
            };
            let node = self.node_at(place)?;
            let starts = |name: &str| name.starts_with(prefix).then(|| name.to_owned());
            Ok(self.with_name(node, starts)?.map(|name| (node, name)))
        };
        let mut failed = false;
        Ok(std::iter::from_fn(move || {
            if failed {
                return None;
            }
            let found = next();
            failed = found.is_err();
            found.transpose()
        }))
    }

    /// The node at a place in the order of names.
    fn node_at(&self, place: u64) -> Result<Node> {
        if self.header.is_sorted {
            return Ok(place as Node);
        }
        let by_item = |page: &Page| page.with_item(place);
        let (leaf, items) = self.leaf(self.header.by_name, &by_item)?;
        Ok(self.group(leaf, &items)?[(place - items.start) as usize])
    }

    /// The place, in the order of names, of the first that is no smaller than `name`.
    fn first_from(&self, name: &str) -> Result<u64> {
        if self.is_empty() {
            return Ok(0);
        }
        let by_name = |page: &Page| page.with_name(name.as_bytes());
        let (leaf, items) = self.leaf(self.header.by_name, &by_name)?;
        let count = (items.end - items.start) as usize;
        let (mut low, mut high) = (0, count);
        if self.header.is_sorted {
            let lines = self.lines(leaf, &items)?;
            while low < high {
                let middle = low + (high - low) / 2;
                match lines.get(middle) < name {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
        } else {
            let group = self.group(leaf, &items)?;
            while low < high {
                let middle = low + (high - low) / 2;
                match self.with_name(group[middle], |found| found < name)? {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
        }
        Ok(items.start + low as u64)
    }

    /// The result of `take` for the name of a node, which is in the graph.
    fn with_name<R>(&self, node: Node, take: impl FnOnce(&str) -> R) -> Result<R> {
        let by_item = |page: &Page| page.with_item(node.into());
        let (leaf, items) = self.leaf(self.header.by_node, &by_item)?;
        let lines = self.lines(leaf, &items)?;
        Ok(take(lines.get((u64::from(node) - items.start) as usize)))
    }

    /// Follows a tree of at least one item to a leaf; `choose` chooses a child of each page.
    fn leaf(&self, tree: Tree, choose: &dyn Fn(&Page) -> usize) -> Result<(Place, Range<u64>)> {
        let (mut place, mut items) = (tree.root, 0..self.header.count);
        for _ in 0..tree.depth {
            let page = self.page(place, &items)?;
            (place, items) = page.child(choose(&page));
        }
        Ok((place, items))
    }

    pub(super) fn page(&self, place: Place, items: &Range<u64>) -> Result<Arc<Page>> {
        self.pages.get(place, items, || {
            let page = Page::parse(&self.index.content(place)?, items.clone());
            page.ok_or_else(|| self.index.damaged(place.offset, "not the page that is due"))
        })
    }

    /// True if these are the names of consecutive nodes.
    pub(super) fn are_names(
        &self,
        place: Place,
        items: &Range<u64>,
        names: &Names,
    ) -> Result<bool> {
        let lines = self.lines(place, items)?;
        let mut nodes = items.clone().enumerate();
        Ok(nodes.all(|(line, node)| lines.get(line) == names.get(node as Node)))
    }

    fn lines(&self, place: Place, items: &Range<u64>) -> Result<Arc<Lines>> {
        self.lines.get(place, items, || {
            let lines = Lines::parse(self.names.content(place)?, items.end - items.start);
            lines.ok_or_else(|| {
                self.names
                    .damaged(place.offset, "not the names that are due")
            })
        })
    }

    pub(super) fn group(&self, place: Place, items: &Range<u64>) -> Result<Arc<Vec<Node>>> {
        let count = self.header.count;
        self.groups.get(place, items, || {
            let bytes = self.index.content(place)?;
            let nodes = unpack(
                &bytes,
                (items.end - items.start) as usize,
                width(count),
                count,
            );
            nodes.ok_or_else(|| {
                self.index
                    .damaged(place.offset, "not the nodes that are due")
            })
        })
    }
}
