//! A page of a tree: the places of its children, the number of the first item below each, and a key
//! for each.
//!
//! A page is a block. Its content is the number of children in 4 bytes, for each child 24 bytes
//! (the offset, the length and the length of the content of its block, the number of its first item,
//! the length of its key), and the keys. A key is no smaller than the names before the child and no
//! larger than its first one; in a tree that is not searched by name, keys mean nothing, and are empty
//! from the first name that is out of order. Numbers are little-endian.

use super::blocks::{BLOCK, Place};
use std::ops::Range;

const RECORD: usize = 24;

/// A page being filled.
#[derive(Default)]
pub(super) struct PageWriter {
    children: Vec<(Place, u32, u32)>,
    keys: Vec<u8>,
}

impl PageWriter {
    /// True if the page is full before a child with this key. Two children always fit, so that each
    /// level of a tree has at most half as many pages as the one below.
    pub(super) fn is_full(&self, key: &[u8]) -> bool {
        let children = 4 + RECORD * (self.children.len() + 1);
        self.children.len() >= 2 && children + self.keys.len() + key.len() > BLOCK
    }

    pub(super) fn push(&mut self, place: Place, first: u32, key: &[u8]) {
        self.children.push((place, first, key.len() as u32));
        self.keys.extend_from_slice(key);
    }

    /// The only child, if there is only one.
    pub(super) fn only(&self) -> Option<Place> {
        match &self.children[..] {
            [(place, ..)] => Some(*place),
            _ => None,
        }
    }

    /// The number of the first item, and the key of the first child.
    pub(super) fn first(&self) -> (u32, &[u8]) {
        let (_, first, key) = self.children[0];
        (first, &self.keys[..key as usize])
    }

    pub(super) fn content(&self) -> Vec<u8> {
        let mut bytes = (self.children.len() as u32).to_le_bytes().to_vec();
        for (place, first, key) in &self.children {
            bytes.extend(place.offset.to_le_bytes());
            for number in [place.length, place.content, *first, *key] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend_from_slice(&self.keys);
        bytes
    }
}

/// A page that was read.
pub(super) struct Page {
    children: Vec<Child>,
    keys: Vec<u8>,
    end: u64,
}

struct Child {
    place: Place,
    first: u64,
    key: Range<usize>,
}

impl Page {
    /// The page of these items; none if the bytes are not such a page.
    pub(super) fn parse(bytes: &[u8], items: Range<u64>) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let records = (u32::from_le_bytes(*count) as usize).checked_mul(RECORD)?;
        let (records, keys) = rest.split_at_checked(records)?;
        let mut children: Vec<Child> = Vec::with_capacity(records.len() / RECORD);
        let mut key_start = 0;
        for record in records.chunks_exact(RECORD) {
            let (offset, numbers) = record.split_first_chunk::<8>()?;
            let number = |i: usize| Some(u32::from_le_bytes(*numbers[4 * i..].first_chunk()?));
            let key = key_start..key_start + number(3)? as usize;
            key_start = key.end;
            keys.get(key.clone())?;
            children.push(Child {
                place: Place {
                    offset: u64::from_le_bytes(*offset),
                    length: number(0)?,
                    content: number(1)?,
                },
                first: number(2)?.into(),
                key,
            });
        }
        let starts_right = children.first()?.first == items.start;
        let increases = children.is_sorted_by(|a, b| a.first < b.first);
        let ends_right = children.last()?.first < items.end && key_start == keys.len();
        (starts_right && increases && ends_right).then(|| Page {
            children,
            keys: keys.to_owned(),
            end: items.end,
        })
    }

    /// How many children there are: at least one.
    pub(super) fn len(&self) -> usize {
        self.children.len()
    }

    pub(super) fn key(&self, child: usize) -> &[u8] {
        &self.keys[self.children[child].key.clone()]
    }

    /// Where a child is, and which items are below it.
    pub(super) fn child(&self, child: usize) -> (Place, Range<u64>) {
        let next = self.children.get(child + 1);
        let end = next.map_or(self.end, |next| next.first);
        (self.children[child].place, self.children[child].first..end)
    }

    /// The child with this item, which is in the page.
    pub(super) fn with_item(&self, item: u64) -> usize {
        let up_to = self.children.partition_point(|child| child.first <= item);
        up_to.saturating_sub(1)
    }

    /// The child whose items include the first that is no smaller than `name`, or end before it.
    pub(super) fn with_name(&self, name: &[u8]) -> usize {
        let key = |child: &Child| &self.keys[child.key.clone()];
        let smaller = self.children.partition_point(|child| key(child) < name);
        smaller.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(offset: u64) -> Place {
        Place {
            offset,
            length: 10,
            content: 20,
        }
    }

    #[test]
    fn children_are_found_by_item_and_by_name() {
        let mut page = PageWriter::default();
        for (offset, first, key) in [(7, 5, &b""[..]), (17, 9, b"b"), (27, 12, b"bc")] {
            page.push(place(offset), first, key);
        }
        let bytes = page.content();
        let page = Page::parse(&bytes, 5..20).unwrap();
        let by_item = [5, 8, 9, 11, 12, 19].map(|item| page.with_item(item));
        assert_eq!(by_item, [0, 0, 1, 1, 2, 2]);
        // A name that equals a key may also be the last of the child before.
        let by_name = ["", "a", "b", "ba", "bc", "bd"].map(|name| page.with_name(name.as_bytes()));
        assert_eq!(by_name, [0, 0, 0, 1, 1, 2]);
        assert_eq!(page.child(0), (place(7), 5..9));
        assert_eq!(page.child(2), (place(27), 12..20));
    }

    #[test]
    fn what_is_no_page_of_these_items_is_refused() {
        let mut page = PageWriter::default();
        page.push(place(7), 5, b"");
        page.push(place(17), 9, b"b");
        let bytes = page.content();
        assert!(Page::parse(&bytes, 5..10).is_some());
        for items in [4..10, 6..10, 5..9] {
            assert!(Page::parse(&bytes, items).is_none());
        }
        for length in 0..bytes.len() {
            assert!(Page::parse(&bytes[..length], 5..10).is_none());
        }
        let mut page = PageWriter::default();
        page.push(place(7), 9, b"");
        page.push(place(17), 5, b"b");
        assert!(Page::parse(&page.content(), 9..20).is_none());
        assert!(Page::parse(&0u32.to_le_bytes(), 0..0).is_none());
        assert!(Page::parse(&u32::MAX.to_le_bytes(), 0..9).is_none());
    }
}
