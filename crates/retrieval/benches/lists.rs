//! Lists that `rank index --codes` writes: bits per posting, and the time of queries, by code and by skip.
//!
//!     cargo bench --bench lists -- web.index     # an index that `rank index` has made
//!
//! Queries are words of titles that one page has, searched in the text. Each time is the least of several
//! rounds, of the processor (on Linux: elsewhere, of the clock). Every case must find the same pages; tantivy's lists, searched by tantivy, are among the cases.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use webrank_retrieval::collection::Collection;
use webrank_retrieval::expression::Expression;
use webrank_retrieval::fields::FieldWeights;
use webrank_retrieval::known_items::{KnownItems, known_items};
use webrank_retrieval::lists::{ListCode, ListCoding, Seeking};
use webrank_retrieval::matching::Scoring;

const ROUNDS: usize = 9;
const QUERIES: usize = 200;
const CODES: [ListCode; 5] = [
    ListCode::Gamma,
    ListCode::Delta,
    ListCode::Zeta3,
    ListCode::Golomb,
    ListCode::Pfor,
];
const SKIPS: [u32; 6] = [0, 16, 64, 128, 512, 2048];

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A name, and the query of some words.
type Kind = (&'static str, fn(&[&str]) -> String);

/// The kinds of queries, made of the words of a title.
const KINDS: [Kind; 4] = [
    ("all of two words", |words| {
        format!("+{} +{}", words[0], words[1])
    }),
    ("all of three words", |words| {
        format!("+{} +{} +{}", words[0], words[1], words[2])
    }),
    ("phrase of two words", |words| {
        format!("\"{} {}\"", words[0], words[1])
    }),
    ("any of three words", |words| words[..3].join(" ")),
];

/// A run of a query: it says how many pages there are.
type Run<'a> = &'a dyn Fn(&Collection, &Expression) -> usize;

fn main() -> Outcome<()> {
    let given = std::env::args().skip(1).find(|one| !one.starts_with("--"));
    let path = given.ok_or("give an index that 'rank index' made")?;
    let mut collection = Collection::open(Path::new(&path))?;
    let folder = tempfile::tempdir()?;
    let (topics, _) = known_items(&collection, KnownItems::Titles, 4 * QUERIES, 1)?;
    let weights: FieldWeights = "body".parse()?;
    let mut queries: [Vec<Expression>; 4] = Default::default();
    for topic in &topics {
        let words: Vec<&str> = topic.text.split(' ').collect();
        if words.len() < 3
            || words[0] == words[1]
            || words[1] == words[2]
            || queries[0].len() == QUERIES
        {
            continue;
        }
        for ((_, query), queries) in KINDS.iter().zip(&mut queries) {
            queries.push(Expression::parse(&query(&words), &weights)?);
        }
    }
    println!(
        "{} pages, {} queries of each kind\n",
        collection.len(),
        queries[0].len()
    );
    println!(
        "| code | q | documents | counts | positions | skips | heads | {} |",
        header()
    );
    println!(
        "|---|---:|---:|---:|---:|---:|---:|{}",
        "---:|".repeat(COLUMNS)
    );
    collection.recode(folder.path(), None)?;
    let expected = row(
        "tantivy",
        "|||||",
        &collection,
        &queries,
        &|collection, query| {
            collection
                .matches(query)
                .map_or(usize::MAX, |pages| pages.len())
        },
    );
    for (code, skip) in cases() {
        let coding = ListCoding {
            code,
            skip,
            memory: 1 << 30,
            parts: None,
        };
        collection.recode(folder.path(), Some(coding))?;
        let sizes = collection.lists().ok_or("there are no lists")?.sizes();
        let bits = [
            sizes.documents_bits,
            sizes.counts_bits,
            sizes.positions_bits,
            sizes.skips_bits,
            sizes.heads_bits,
        ];
        let bits = bits.map(|bits| format!("{:.2}", bits as f64 / sizes.postings as f64));
        let name = format!("{code:?}").to_lowercase();
        let cells = format!("{skip} | {}", bits.join(" | "));
        let found = row(
            &name,
            &cells,
            &collection,
            &queries,
            &|collection, query| {
                collection
                    .scored(query, &Scoring::default())
                    .map_or(usize::MAX, |pages| pages.len())
            },
        );
        assert_eq!(found, expected, "{code:?} {skip}");
    }
    Ok(())
}

/// Every code with the usual skip, then every skip with the usual code.
fn cases() -> impl Iterator<Item = (ListCode, u32)> {
    let codes = CODES.into_iter().map(|code| (code, 128));
    codes.chain(
        SKIPS
            .into_iter()
            .filter(|&skip| skip != 128)
            .map(|skip| (ListCode::Delta, skip)),
    )
}

/// Kinds, conjunctions by heap and greedily, and the best ten without the rest.
const COLUMNS: usize = KINDS.len() + 3;

fn header() -> String {
    let kinds = KINDS.map(|(kind, _)| kind);
    format!(
        "{} | two by heap | two greedily | best ten of any |",
        kinds.join(" | ")
    )
}

/// Prints the times, and says how many pages each kind of queries finds.
fn row(
    name: &str,
    cells: &str,
    collection: &Collection,
    queries: &[Vec<Expression>; 4],
    run: Run,
) -> Vec<usize> {
    let mut line = format!("| {name} | {cells} |");
    let mut found = Vec::new();
    for queries in queries {
        let (micros, count) = time(collection, queries, run);
        line += &format!(" {micros:.0} |");
        found.push(count);
    }
    for seeking in [Seeking::Heap, Seeking::Greedy] {
        let by = |collection: &Collection, query: &Expression| {
            let scoring = Scoring {
                seeking,
                ..Scoring::default()
            };
            collection
                .scored(query, &scoring)
                .map_or(usize::MAX, |pages| pages.len())
        };
        let (micros, count) = time(collection, &queries[0], &by);
        line += &format!(" {micros:.0} |");
        assert_eq!(count, found[0]);
    }
    let early = |collection: &Collection, query: &Expression| {
        let best = collection.best_early(query, &Scoring::default(), None, 10);
        best.map_or(usize::MAX, |best| best.hits.len())
    };
    let (micros, _) = time(collection, &queries[3], &early);
    println!("{line} {micros:.0} |");
    found
}

/// The time of the processor that this thread has had, if the system tells, and that of the clock.
struct Moment(Option<f64>, Instant);

impl Moment {
    fn now() -> Self {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
        Moment(nanoseconds, Instant::now())
    }

    fn seconds(&self) -> f64 {
        match (self.0, Moment::now().0) {
            (Some(from), Some(to)) => (to - from) / 1e9,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }
}

/// Microseconds of a query, and how many pages all find.
fn time(collection: &Collection, queries: &[Expression], run: Run) -> (f64, usize) {
    let (mut least, mut count) = (f64::INFINITY, 0);
    for _ in 0..ROUNDS {
        let start = Moment::now();
        count = queries
            .iter()
            .map(|query| black_box(run(collection, query)))
            .sum();
        least = least.min(start.seconds());
    }
    (1e6 * least / queries.len().max(1) as f64, count)
}
