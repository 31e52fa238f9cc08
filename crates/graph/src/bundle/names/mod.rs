//! The names in a bundle: compressed, and looked up where they are.
//!
//! `names.txt.zst` holds the names, one a line, in node order. It is a sequence of zstd frames of
//! about 16 KiB of text, each with a checksum, and no name crosses a frame: `zstdcat` prints it, and
//! a name is read by decompressing one frame.
//!
//! `names.index` finds the frame. It holds a static B+-tree, made while the names come: the leaves
//! are the frames; a page has for each child its place, the number of its first node, and a key that
//! separates it from the names before. So the same tree is searched by number and by name, and a
//! look-up among 10^8 names reads two pages and a frame. Where names do not increase with their
//! nodes, the tree is searched by number only; a second one leads by name to groups of 256 nodes in
//! order of their names, packed in as few bits as the largest number has, and a look-up by name
//! reads the names of 9 of them. Names themselves are compared, so that no answer is wrong.
//!
//! A header of fixed length (counts, roots, the length and checksum of the names) comes first.
//! Pages and groups are zstd frames with checksums too: a look-up that reads a few blocks notices
//! damage in them. Bundles of earlier versions have a single frame and no index.
//!
//! * `blocks`: frames in a file;
//! * `page`, `header`, `order`: what is in the index;
//! * `sorter`: names in order, in memory or on disk;
//! * `tree`, `write`: writing;
//! * `index`: looking up;
//! * `verify`: an index compared with all names.

mod blocks;
mod header;
mod index;
mod order;
mod page;
mod sorter;
#[cfg(test)]
mod tests;
mod tree;
mod verify;
mod write;

pub use index::NameIndex;
pub use sorter::NameSorter;
pub use write::write_names;
pub use write::{NamesWriter, Repeats};
