//! The start of an index.

use super::blocks::Place;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"names\0ix";
const VERSION: u32 = 1;

/// The length of a header in bytes.
pub(super) const HEADER: usize = 112;

/// No tree is deeper: each level has at most half as many pages as the one below.
const MAX_DEPTH: u32 = 34;

/// The root of a tree, and how many levels of pages are above its leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tree {
    pub(super) root: Place,
    pub(super) depth: u32,
}

/// The claims of an index about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// Names increase with the numbers of their nodes (equal ones may follow each other).
    pub(super) is_sorted: bool,
    /// Some names are numbers.
    pub(super) has_numbers: bool,
    /// How many names there are.
    pub(super) count: u64,
    /// The length of the file of names, and its xxh3-128.
    pub(super) names: (u64, u128),
    /// The length of the index.
    pub(super) bytes: u64,
    /// The tree over the names by node.
    pub(super) by_node: Tree,
    /// The tree over the nodes by name; the same if names are sorted.
    pub(super) by_name: Tree,
}

impl Header {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let flags = u32::from(self.is_sorted) | u32::from(self.has_numbers) << 1;
        bytes.extend(flags.to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(self.names.0.to_le_bytes());
        bytes.extend(self.names.1.to_le_bytes());
        bytes.extend(self.bytes.to_le_bytes());
        for Tree { root, depth } in [self.by_node, self.by_name] {
            bytes.extend(root.offset.to_le_bytes());
            for number in [root.length, root.content, depth] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.resize(HEADER - 8, 0);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// The header of `bytes`, or why there is none.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or("the header is cut")?;
        let mut rest = body.strip_prefix(MAGIC).ok_or("not an index of names")?;
        if xxh3_64(body) != u64::from_le_bytes(*sum) {
            return Err("the header does not match its checksum");
        }
        let mut number = |length: usize| {
            let (bytes, after) = rest.split_at_checked(length)?;
            rest = after;
            let mut wide = [0; 16];
            wide[..length].copy_from_slice(bytes);
            Some(u128::from_le_bytes(wide))
        };
        let mut read = || {
            let version = number(4)? as u32;
            let flags = number(4)? as u32;
            let count = number(8)? as u64;
            let names = (number(8)? as u64, number(16)?);
            let bytes = number(8)? as u64;
            let mut tree = || {
                let root = Place {
                    offset: number(8)? as u64,
                    length: number(4)? as u32,
                    content: number(4)? as u32,
                };
                let depth = number(4)? as u32;
                Some(Tree { root, depth })
            };
            let header = Header {
                is_sorted: flags & 1 == 1,
                has_numbers: flags & 2 == 2,
                count,
                names,
                bytes,
                by_node: tree()?,
                by_name: tree()?,
            };
            Some((version, header))
        };
        let (version, header) = read().ok_or("the header is cut")?;
        if version != VERSION {
            return Err("this version does not read such an index: use a newer webrank");
        }
        let is_deep = [header.by_node, header.by_name].map(|tree| tree.depth > MAX_DEPTH);
        let is_one_tree = header.by_node == header.by_name;
        if header.count > u32::MAX.into()
            || is_deep.contains(&true)
            || header.is_sorted && !is_one_tree
        {
            return Err("the header contradicts itself");
        }
        Ok(header)
    }
}
