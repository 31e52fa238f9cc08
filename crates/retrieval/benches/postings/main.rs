//! Posting lists of an index of text under codes: bits a posting, and the time of conjunctive queries, with
//! and without skips.
//!
//!     cargo bench --bench postings                  # a small collection that is generated
//!     cargo bench --bench postings -- web.index     # an index that `rank index` has made
//!
//! Lists are those of the words of the field `body`: the gaps between numbers of pages, and how often the
//! word is in each. Queries are words of titles. Each time is the least of several rounds, in which all
//! cases take turns; every case must find the same pages.
//!
//! * `lists`: the lists and the queries of an index;
//! * `coded`: lists under instantaneous codes;
//! * `frames`: lists as patched frames of reference.

mod coded;
mod frames;
mod lists;

use coded::{CODES, Coded};
use frames::Frames;
use lists::Collection;
use std::hint::black_box;
use std::time::Instant;
use tantivy::collector::Count;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use webrank_graph::codes::{LabCode, NumberDistribution, best_golomb};

const ROUNDS: usize = 7;
/// Postings from one skip to the next, as in Lucene and tantivy.
const BLOCK: usize = 128;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Lists of documents in some form.
trait Postings {
    fn name(&self) -> String;
    /// The bits of all lists, and those of their skips.
    fn bits(&self) -> (u64, u64);
    /// The documents of a list.
    fn read(&self, list: usize, out: &mut Vec<u32>);
    /// Keeps those documents that a list has.
    fn keep(&self, list: usize, documents: &mut Vec<u32>, by_skips: bool);
}

fn main() -> Outcome<()> {
    let given = std::env::args().skip(1).find(|one| !one.starts_with("--"));
    let collection = Collection::open(given.as_deref())?;
    println!(
        "{} pages, {} lists, {} postings\n",
        collection.pages,
        collection.gaps.len(),
        collection.postings
    );
    frequencies(&collection)?;
    let mut forms: Vec<Box<dyn Postings>> = Vec::new();
    for code in CODES {
        forms.push(Box::new(Coded::new(code, &collection.gaps)?));
    }
    forms.push(Box::new(Frames::new(&collection.gaps)?));
    sizes(&collection, &forms);
    for words in [2, 3] {
        queries(&collection, &forms, words)?;
    }
    Ok(())
}

fn sizes(collection: &Collection, forms: &[Box<dyn Postings>]) {
    println!("\n| documents | bits/posting | skips besides |\n|---|---:|---:|");
    let per_posting = |bits: u64| bits as f64 / collection.postings as f64;
    for form in forms {
        let (bits, skips) = form.bits();
        let (bits, skips) = (per_posting(bits), per_posting(skips));
        println!("| {} | {bits:.2} | {skips:.2} |", form.name());
    }
    println!(
        "| tantivy, documents and frequencies with skips | {:.2} | |",
        per_posting(8 * collection.bytes_of_tantivy)
    );
}

/// The bits of codes on how often a word is in a page, minus one.
fn frequencies(collection: &Collection) -> Outcome<()> {
    let all = collection.frequencies.iter().flatten();
    let all = NumberDistribution::of(all.map(|&frequency| u64::from(frequency) - 1))?;
    let per_posting = |bits: u128| bits as f64 / collection.postings as f64;
    println!("| frequencies | bits/posting |\n|---|---:|");
    for code in LabCode::fixed() {
        let bits = all.bits(|number| code.length(number));
        println!("| {code} | {:.2} |", per_posting(bits));
    }
    let (modulus, bits) = best_golomb(&all);
    println!("| golomb, modulus {modulus} | {:.2} |", per_posting(bits));
    println!("| entropy | {:.2} |", all.entropy());
    Ok(())
}

/// The time of a query in microseconds, over all queries of so many words.
fn queries(collection: &Collection, forms: &[Box<dyn Postings>], words: usize) -> Outcome<()> {
    let queries = collection.queries(words);
    let lists: Vec<usize> = queries.iter().flatten().copied().collect();
    let lengths = lists.iter().map(|&list| collection.gaps[list].len());
    let mean = lengths.sum::<usize>() as f64 / lists.len().max(1) as f64;
    let mut found = Vec::new();
    let mut least = vec![[f64::INFINITY; 2]; forms.len()];
    let mut least_of_tantivy = f64::INFINITY;
    for _ in 0..ROUNDS {
        for (form, least) in forms.iter().zip(&mut least) {
            for by_skips in [false, true] {
                let start = Instant::now();
                let count = conjunctions(form.as_ref(), collection, &queries, by_skips);
                let seconds = start.elapsed().as_secs_f64();
                found.push(count);
                least[usize::from(by_skips)] = least[usize::from(by_skips)].min(seconds);
            }
        }
        let (count, seconds) = of_tantivy(collection, &queries)?;
        found.push(count);
        least_of_tantivy = least_of_tantivy.min(seconds);
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
    println!(
        "\n{} queries of {words} words, lists of {mean:.0} postings on average, {:.0} pages found\n",
        queries.len(),
        found[0] as f64 / queries.len().max(1) as f64
    );
    println!("| documents | us a query | with skips |\n|---|---:|---:|");
    let each = 1e6 / queries.len().max(1) as f64;
    for (form, [whole, skips]) in forms.iter().zip(&least) {
        println!(
            "| {} | {:.1} | {:.1} |",
            form.name(),
            whole * each,
            skips * each
        );
    }
    println!("| tantivy | | {:.1} |", least_of_tantivy * each);
    Ok(())
}

/// How many documents all queries find: the shortest list is read, the others are asked for what is left.
fn conjunctions(
    form: &dyn Postings,
    collection: &Collection,
    queries: &[Vec<usize>],
    by_skips: bool,
) -> usize {
    let mut documents = Vec::new();
    let mut count = 0;
    for query in queries {
        let mut lists = query.clone();
        lists.sort_unstable_by_key(|&list| collection.gaps[list].len());
        documents.clear();
        let mut lists = lists.into_iter();
        lists
            .by_ref()
            .take(1)
            .for_each(|list| form.read(list, &mut documents));
        lists.for_each(|list| form.keep(list, &mut documents, by_skips));
        count += black_box(&documents).len();
    }
    count
}

fn of_tantivy(collection: &Collection, queries: &[Vec<usize>]) -> Outcome<(usize, f64)> {
    let leaf = |&list: &usize| -> Box<dyn Query> {
        let term = collection.terms[list].clone();
        Box::new(TermQuery::new(term, IndexRecordOption::Basic))
    };
    let queries: Vec<BooleanQuery> = queries
        .iter()
        .map(|query| BooleanQuery::intersection(query.iter().map(leaf).collect()))
        .collect();
    let start = Instant::now();
    let mut count = 0;
    for query in &queries {
        count += collection.searcher.search(query, &Count)?;
    }
    Ok((count, start.elapsed().as_secs_f64()))
}
