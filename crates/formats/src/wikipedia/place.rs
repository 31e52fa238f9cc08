//! Where a page or a title leads: to a node, to a redirect, or nowhere.

use webrank_base::Node;

/// The meaning of a number or a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A page that is a node.
    Node(Node),
    /// A redirect, by its number in the order of the table of pages.
    Redirect(u32),
    /// No node.
    Nowhere(Nowhere),
}

/// Why a link leads to no node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nowhere {
    /// No page has the title.
    Missing,
    /// The page is in a namespace that was not asked for.
    Elsewhere,
    /// Redirects lead in a circle.
    Circle,
    /// A redirect leads to another wiki.
    Interwiki,
    /// The table of redirects does not say where a redirect leads.
    Unlisted,
    /// Not yet known: its chain is being followed.
    Followed,
}

/// All of them, in the order of their codes.
const ALL: [Nowhere; 6] = [
    Nowhere::Missing,
    Nowhere::Elsewhere,
    Nowhere::Circle,
    Nowhere::Interwiki,
    Nowhere::Unlisted,
    Nowhere::Followed,
];

/// A place in four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Code(u32);

/// Redirects have this bit.
const REDIRECT: u32 = 1 << 31;

/// The first code of no node.
const NOWHERE: u32 = u32::MAX - 15;

/// So many nodes, and so many redirects, have codes.
pub(super) const MOST: u32 = NOWHERE - REDIRECT;

impl Code {
    /// No place at all.
    pub(super) const NONE: Code = Code(u32::MAX);

    /// The code of a place; nodes and redirects have numbers below [`MOST`].
    #[inline]
    pub(super) fn of(place: Place) -> Self {
        match place {
            Place::Node(node) => Code(node),
            Place::Redirect(number) => Code(REDIRECT | number),
            Place::Nowhere(nowhere) => Code(NOWHERE + nowhere as u32),
        }
    }

    /// The place; none for [`NONE`](Self::NONE).
    #[inline]
    pub(super) fn place(self) -> Option<Place> {
        match self.0 {
            code if code < REDIRECT => Some(Place::Node(code)),
            code if code < NOWHERE => Some(Place::Redirect(code & !REDIRECT)),
            code => {
                let nowhere = ALL.get((code - NOWHERE) as usize);
                nowhere.map(|&nowhere| Place::Nowhere(nowhere))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places() {
        let places = [0, 1, MOST - 1].map(Place::Node);
        let redirects = [0, 1, MOST - 1].map(Place::Redirect);
        let nowhere = ALL.map(Place::Nowhere);
        for place in places.into_iter().chain(redirects).chain(nowhere) {
            assert_eq!(Code::of(place).place(), Some(place));
        }
        assert_eq!(Code::NONE.place(), None);
    }
}
