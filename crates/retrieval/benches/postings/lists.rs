//! The posting lists of an index, and queries made of its titles.

use super::Outcome;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::schema::{Field, STRING, Schema, TEXT};
use tantivy::{
    DocSet, Index, IndexWriter, Searcher, SegmentReader, TERMINATED, TantivyDocument, Term,
};
use xxhash_rust::xxh3::xxh3_64;

/// Queries of a kind at most.
const QUERIES: usize = 1000;

/// The lists of the field `body`.
pub struct Collection {
    pub searcher: Searcher,
    pub pages: u32,
    pub postings: u64,
    pub bytes_of_tantivy: u64,
    /// The word of each list, in order.
    pub terms: Vec<Term>,
    /// For each list, documents between one and the next, from before the first on.
    pub gaps: Vec<Vec<u32>>,
    pub frequencies: Vec<Vec<u32>>,
    /// Titles in words.
    titles: Vec<String>,
}

impl Collection {
    /// Reads the index at a path, or a generated one.
    pub fn open(path: Option<&str>) -> Outcome<Self> {
        let index = match path {
            Some(path) => Index::open_in_dir(path)?,
            None => generated()?,
        };
        let searcher = index.reader()?.searcher();
        let [segment] = searcher.segment_readers() else {
            return Err("the index has not exactly one segment".into());
        };
        let body = index.schema().get_field("body")?;
        let titles = terms(segment, index.schema().get_field("title_item")?)?;
        let mut collection = Collection {
            pages: segment.max_doc(),
            postings: 0,
            bytes_of_tantivy: 0,
            terms: Vec::new(),
            gaps: Vec::new(),
            frequencies: Vec::new(),
            titles,
            searcher: searcher.clone(),
        };
        let usage = segment.space_usage()?;
        let mut of_fields = usage.postings().fields();
        let bytes = of_fields.find(|usage| usage.field_name() == "body");
        collection.bytes_of_tantivy = bytes.map_or(0, |usage| usage.total().get_bytes());
        let inverted = segment.inverted_index(body)?;
        let mut stream = inverted.terms().stream()?;
        while let Some((word, info)) = stream.next() {
            let (mut gaps, mut frequencies, mut past) = (Vec::new(), Vec::new(), 0);
            let with = IndexRecordOption::WithFreqs;
            let mut list = inverted.read_postings_from_terminfo(info, with)?;
            while list.doc() != TERMINATED {
                gaps.push(list.doc() - past);
                frequencies.push(list.term_freq());
                past = list.doc() + 1;
                list.advance();
            }
            let word = std::str::from_utf8(word)?;
            collection.terms.push(Term::from_field_text(body, word));
            collection.postings += gaps.len() as u64;
            collection.gaps.push(gaps);
            collection.frequencies.push(frequencies);
        }
        Ok(collection)
    }

    /// Queries of so many different words of a title, drawn from all titles; as lists.
    pub fn queries(&self, words: usize) -> Vec<Vec<usize>> {
        let step = self.titles.len().div_ceil(QUERIES).max(1);
        let titles = self.titles.iter().step_by(step);
        titles
            .filter_map(|title| {
                let mut lists: Vec<usize> =
                    title.split(' ').filter_map(|it| self.list(it)).collect();
                lists.sort_unstable_by_key(|list| (xxh3_64(&list.to_le_bytes()), *list));
                lists.dedup();
                lists.truncate(words);
                (lists.len() == words).then_some(lists)
            })
            .collect()
    }

    /// The list of a word.
    fn list(&self, word: &str) -> Option<usize> {
        let body = self.terms.first()?.field();
        self.terms
            .binary_search(&Term::from_field_text(body, word))
            .ok()
    }
}

/// The terms of a field.
fn terms(segment: &SegmentReader, field: Field) -> Outcome<Vec<String>> {
    let inverted = segment.inverted_index(field)?;
    let mut stream = inverted.terms().stream()?;
    let mut terms = Vec::new();
    while let Some((term, _)) = stream.next() {
        terms.push(std::str::from_utf8(term)?.to_owned());
    }
    Ok(terms)
}

/// An index of pages whose words have Zipf's distribution.
fn generated() -> tantivy::Result<Index> {
    const PAGES: u64 = 2000;
    const WORDS: u64 = 300;
    const VOCABULARY: f64 = 20_000.0;
    let mut builder = Schema::builder();
    let body = builder.add_text_field("body", TEXT);
    let title = builder.add_text_field("title_item", STRING);
    let index = Index::create_in_ram(builder.build());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, 64 << 20)?;
    // The logarithm of the rank is uniform, so that a rank has a probability of about 1 / rank.
    let word = |place: u64| {
        let uniform = xxh3_64(&place.to_le_bytes()) as f64 / 2f64.powi(64);
        format!("w{}", VOCABULARY.powf(uniform) as u64)
    };
    for page in 0..PAGES {
        let words: Vec<String> = (page * WORDS..(page + 1) * WORDS).map(word).collect();
        let mut document = TantivyDocument::new();
        document.add_text(body, words.join(" "));
        document.add_text(title, words[..6].join(" "));
        writer.add_document(document)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(index)
}
