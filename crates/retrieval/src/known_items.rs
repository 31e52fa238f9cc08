//! Queries whose answer the collection itself knows: a title, or the text of links, that belongs to
//! exactly one page.
//!
//! The query is the words of that text, the only relevant page is that page. The field that a query was
//! taken from must be left out of the search, or every query would find itself.

use super::collection::Collection;
use super::fields::TextField;
use super::judgements::Topic;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet};
use webrank_base::error::{Error, Result};
use webrank_base::random::SplitMix;

/// Where known items come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum KnownItems {
    /// Titles that one page has
    Titles,
    /// Texts of links that lead to one page
    Anchors,
}

impl KnownItems {
    /// The field that is left out of the search.
    pub fn field(self) -> TextField {
        match self {
            KnownItems::Titles => TextField::Title,
            KnownItems::Anchors => TextField::Anchors,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            KnownItems::Titles => "title",
            KnownItems::Anchors => "anchor",
        }
    }
}

/// A uniform sample of so many known items, or all if there are fewer, in the order of their words; and how
/// many there are. O(items).
///
/// # Errors
/// If the index cannot be read, is in parts, or if there is no such item.
pub fn known_items(
    collection: &Collection,
    items: KnownItems,
    sample: usize,
    seed: u64,
) -> Result<(Vec<Topic>, u64)> {
    collection.check_whole()?;
    let (mut kept, count) = reservoir(collection, items, sample, seed)
        .map_err(|problem| collection.refused("read", problem))?;
    if kept.is_empty() {
        let problem = format!("no {} belongs to exactly one page", items.prefix());
        return Err(Error::file(collection.path(), problem));
    }
    kept.sort_unstable();
    let topics = (1..).zip(kept).map(|(number, (text, page))| Topic {
        id: format!("{}{number}", items.prefix()),
        text,
        grades: [(page, 1)].into(),
        unknown: Vec::new(),
    });
    Ok((topics.collect(), count))
}

/// Vitter's algorithm R: every item is kept with the same probability.
fn reservoir(
    collection: &Collection,
    items: KnownItems,
    sample: usize,
    seed: u64,
) -> tantivy::Result<(Vec<(String, DocId)>, u64)> {
    let (mut kept, mut count) = (Vec::new(), 0u64);
    let Some((_, segment)) = collection.of_tantivy() else {
        return Ok((kept, count));
    };
    let field = match items {
        KnownItems::Titles => collection.fields.title_item,
        KnownItems::Anchors => collection.fields.anchor_item,
    };
    let inverted = segment.inverted_index(field)?;
    let mut random = SplitMix::new(seed);
    let mut terms = inverted.terms().stream()?;
    while terms.advance() {
        let info = terms.value();
        if info.doc_freq != 1 {
            continue;
        }
        count += 1;
        let place = match kept.len() < sample {
            true => kept.len(),
            false => random.below(count) as usize,
        };
        if place >= sample {
            continue;
        }
        let postings = inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
        debug_assert_eq!(postings.doc_freq(), 1);
        let item = (
            String::from_utf8_lossy(terms.key()).into_owned(),
            postings.doc(),
        );
        match kept.get_mut(place) {
            Some(old) => *old = item,
            None => kept.push(item),
        }
    }
    Ok((kept, count))
}
