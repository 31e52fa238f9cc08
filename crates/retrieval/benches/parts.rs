//! Filters of parts: their bits, the strangers that they let in, and the parts that queries read.
//!
//!     cargo bench --bench parts -- web.bv [PARTS]
//!
//! Strangers of a part are the words of other parts that it does not have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use webrank_base::dictionaries::{Bloom, Dictionary, SelfSigned};
use webrank_base::progress::Silent;
use webrank_base::random::SplitMix;
use webrank_retrieval::build::{IndexOptions, build, names};
use webrank_retrieval::collection::Collection;
use webrank_retrieval::expression::Expression;
use webrank_retrieval::fields::{FieldWeights, words};
use webrank_retrieval::lists::{ListCode, ListCoding, SKIP};
use webrank_retrieval::matching::Scoring;
use webrank_retrieval::parts::{By, Cutting};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
type Keys = BTreeSet<Vec<u8>>;

const QUERIES: usize = 200;

fn main() -> Outcome<()> {
    let mut given = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    let Some(bundle) = given.next() else {
        println!("give a bundle with the text of its pages");
        return Ok(());
    };
    let parts = given.next().map_or(Ok(8), |parts| parts.parse())?;
    let (bundle, folder) = (PathBuf::from(bundle), tempfile::tempdir()?);
    let index = |by: By, signature: u32| -> Outcome<PathBuf> {
        let output = folder.path().join(format!("{by:?}{signature}.index"));
        let coding = ListCoding {
            code: ListCode::Delta,
            skip: SKIP,
            memory: 1 << 30,
            parts: Some(Cutting {
                parts,
                by,
                signature,
            }),
        };
        let options = IndexOptions {
            coding: Some(coding),
            ..IndexOptions::within(1 << 30)
        };
        build(&bundle, &names(&bundle)?, &output, options, &Silent)?;
        Ok(output)
    };
    println!("\n| r | filter | bits/word | strangers let in | of 2^-r |");
    println!("|---:|---|---:|---:|---:|");
    for signature in [4, 8, 12, 16] {
        filters(&index(By::Documents, signature)?, parts, signature)?;
    }
    println!("\n| {parts} parts by | words | pages found | parts read | bytes of the index |");
    println!("|---|---:|---:|---:|---:|");
    let documents = folder.path().join("Documents8.index");
    let terms = index(By::Terms, 8)?;
    for (name, index) in [("documents", documents), ("terms", terms)] {
        for count in [1, 2, 3] {
            queries(&index, name, count)?;
        }
    }
    Ok(())
}

/// The words of each part of an index, behind their fields.
fn keys(index: &Path, parts: usize) -> Outcome<Vec<Keys>> {
    let of_part = |part: usize| {
        let bytes = std::fs::read(index.join(format!("part-{part:05}/lists.words")))?;
        let (mut keys, mut rest) = (Keys::new(), &bytes[..]);
        while let [length, entry @ ..] = rest {
            let (key, others) = entry.split_at(1 + usize::from(*length));
            keys.insert(key.to_vec());
            rest = others;
        }
        Ok(keys)
    };
    (0..parts).map(of_part).collect()
}

/// The bits and strangers of filters and Bloom filters.
fn filters(index: &Path, parts: usize, signature: u32) -> Outcome<()> {
    let keys = keys(index, parts)?;
    let all: Keys = keys.iter().flatten().cloned().collect();
    // Bits, words, strangers let in, strangers.
    let mut sums = [[0u64; 4]; 2];
    for (part, keys) in keys.iter().enumerate() {
        let bytes = std::fs::read(index.join(format!("part-{part:05}.filter")))?;
        let signed = SelfSigned::read(&mut &bytes[..]).ok_or("it is no filter")?;
        let of_part: Vec<&Vec<u8>> = keys.iter().collect();
        let bloom = Bloom::new(&of_part, signature)?;
        for (filter, sums) in [&signed as &dyn Dictionary, &bloom]
            .into_iter()
            .zip(&mut sums)
        {
            assert!(keys.iter().all(|key| filter.contains(key)));
            let strangers = all.difference(keys);
            let taken = strangers.clone().filter(|key| filter.contains(key));
            sums[0] += filter.bits();
            sums[1] += keys.len() as u64;
            sums[2] += taken.count() as u64;
            sums[3] += strangers.count() as u64;
        }
    }
    for (name, [bits, words, taken, strangers]) in ["self-signed", "Bloom"].into_iter().zip(sums) {
        let (bits, share) = (bits as f64 / words as f64, taken as f64 / strangers as f64);
        let of = share * f64::from(signature).exp2();
        println!(
            "| {signature} | {name} | {bits:.2} | {taken} of {strangers} = {share:.3e} | {of:.3} |"
        );
    }
    Ok(())
}

/// Queries of the first words of titles, all of which a page has: the parts and the share of bytes that are read.
fn queries(index: &Path, name: &str, count: usize) -> Outcome<()> {
    let (titles, mut random) = (Collection::open(index)?, SplitMix::new(1));
    let mut sums = [0.0; 3];
    for _ in 0..QUERIES {
        let query = loop {
            let (_, title) = titles.named(random.below(titles.len() as u64) as u32)?;
            if let Some(words) = words(&title).get(..count) {
                break format!("+{}", words.join(" +"));
            }
        };
        let expression = Expression::parse(&query, &FieldWeights::default())?;
        let collection = Collection::open(index)?;
        let found = collection.scored(&expression, &Scoring::default())?.len();
        let [_, read, bytes] = collection.parts_read().ok_or("it has no parts")?;
        let share = bytes as f64 / collection.about().bytes() as f64;
        for (sum, one) in sums.iter_mut().zip([found as f64, read as f64, share]) {
            *sum += one / QUERIES as f64;
        }
    }
    let [found, read, share] = sums;
    println!(
        "| {name} | {count} | {found:.1} | {read:.2} | {:.1}% |",
        100.0 * share
    );
    Ok(())
}
