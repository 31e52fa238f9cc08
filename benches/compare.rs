//! The module `compare`: preparing rankings and pairs, each coefficient, and the whole table, on
//! degree-like scores (many ties) and on scores without ties.
//!
//! `WEBRANK_BENCH_ROWS` sets the number of rows (default one million). With
//! `WEBRANK_BENCH_VECTORS=DIR` the vectors are also written to DIR as little-endian doubles, so
//! that `peers/compare_scipy.py` can time and check scipy on the same arrays; DIR/values.csv holds
//! the coefficients found here.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use webrank::compare::*;
use webrank_base::progress::Silent;

/// Scores by name: `degree` and `coarse` have many ties, `rank` and `walk` none.
fn vectors(rows: usize) -> [(&'static str, Vec<f64>); 4] {
    let mut rng = StdRng::seed_from_u64(2015);
    let mut uniform = || rng.random::<f64>();
    let degree: Vec<f64> = (0..rows)
        .map(|_| (1.0 / (uniform() + 1e-9)).powf(0.9).floor())
        .collect();
    let rank: Vec<f64> = degree.iter().map(|d| d * (2.0 * uniform()).exp()).collect();
    let walk: Vec<f64> = rank.iter().map(|r| r * (2.0 * uniform()).exp()).collect();
    let coarse: Vec<f64> = walk.iter().map(|w| w.sqrt().floor()).collect();
    [
        ("degree", degree),
        ("rank", rank),
        ("walk", walk),
        ("coarse", coarse),
    ]
}

/// Pairs of vectors: no ties, ties in one, ties in both.
const PAIRS: [(usize, usize); 3] = [(1, 2), (0, 2), (0, 3)];

fn write_vectors(dir: &Path, vectors: &[(&str, Vec<f64>)]) {
    for (name, scores) in vectors {
        let bytes: Vec<u8> = scores
            .iter()
            .flat_map(|score| score.to_le_bytes())
            .collect();
        std::fs::write(dir.join(format!("{name}.f64")), bytes).expect("the directory exists");
    }
    let mut values = "x,y,coefficient,value\n".to_owned();
    for (x, y) in PAIRS.map(|(x, y)| (&vectors[x], &vectors[y])) {
        let (ranking_x, ranking_y) = (ranking(&x.1), ranking(&y.1));
        let pair = Pair::new(&ranking_x, &ranking_y).expect("equal lengths");
        for (name, value) in [
            ("kendalltau", tau_b(&pair)),
            ("spearmanr", rho(&pair)),
            ("weightedtau", weighted_tau(&pair, Weighting::default())),
        ] {
            let value = value.expect("scores vary");
            writeln!(values, "{},{},{name},{value:?}", x.0, y.0).expect("a string grows");
        }
    }
    std::fs::write(dir.join("values.csv"), values).expect("the directory exists");
}

fn ranking(scores: &[f64]) -> Ranking {
    Ranking::new(scores).expect("scores are finite")
}

fn compare(c: &mut Criterion) {
    let rows = std::env::var("WEBRANK_BENCH_ROWS").map_or(1_000_000, |rows| {
        rows.parse().expect("WEBRANK_BENCH_ROWS is a number")
    });
    let vectors = vectors(rows);
    if let Some(dir) = std::env::var_os("WEBRANK_BENCH_VECTORS") {
        write_vectors(Path::new(&dir), &vectors);
    }
    for (x, y) in PAIRS.map(|(x, y)| (&vectors[x], &vectors[y])) {
        let mut group = c.benchmark_group(format!("compare {} {}", x.0, y.0));
        group.sample_size(10);
        let (ranking_x, ranking_y) = (ranking(&x.1), ranking(&y.1));
        let pair = Pair::new(&ranking_x, &ranking_y).expect("equal lengths");
        group.bench_function("rankings", |b| b.iter(|| (ranking(&x.1), ranking(&y.1))));
        group.bench_function("pair", |b| b.iter(|| Pair::new(&ranking_x, &ranking_y)));
        group.bench_function("tau_b from scores", |b| {
            b.iter(|| {
                let (x, y) = (ranking(&x.1), ranking(&y.1));
                tau_b(&Pair::new(&x, &y).expect("equal lengths"))
            })
        });
        group.bench_function("weighted_tau", |b| {
            b.iter(|| weighted_tau(black_box(&pair), Weighting::default()))
        });
        let multiplicative = Weighting {
            combine: Combine::Multiplicative,
            ..Weighting::default()
        };
        group.bench_function("weighted_tau multiplicative", |b| {
            b.iter(|| weighted_tau(black_box(&pair), multiplicative))
        });
        group.bench_function("rho", |b| b.iter(|| rho(black_box(&pair))));
        group.bench_function("ap", |b| b.iter(|| ap_correlation(black_box(&pair))));
        group.bench_function("pearson_log", |b| b.iter(|| pearson_log(&x.1, &y.1)));
        group.bench_function("distances", |b| b.iter(|| distances(&x.1, &y.1)));
        group.bench_function("rbo", |b| {
            b.iter(|| rank_biased_overlap(&ranking_x, &ranking_y, Persistence::default()))
        });
        group.bench_function("movers", |b| {
            b.iter(|| movers(&ranking_x, &ranking_y, Change::Places, 10))
        });
        let bounds: Vec<f64> = y.1.iter().map(|score| score * 1e-6).collect();
        let exact = vec![0.0; rows];
        group.bench_function("certified", |b| {
            b.iter(|| {
                certified(
                    BoundedScores::new(&x.1, &exact)?,
                    BoundedScores::new(&y.1, &bounds)?,
                )
            })
        });
        let columns = [x, y].map(|(name, scores)| NamedScores {
            name,
            scores: &scores[..],
            bounds: None,
        });
        group.bench_function("table", |b| {
            b.iter(|| compare_columns(&columns, CompareOptions::default(), &Silent))
        });
        group.finish();
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
