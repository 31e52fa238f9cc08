//! When hypergraphs can be peeled off, and what dictionaries that keep no keys take.
//!
//!     cargo run --release --example dictionaries -- [KEYS]
//!
//! Each figure of time is the least of five rounds. Bits are without the few of the structure itself.

use dsi_progress_logger::no_logging;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;
use sux::bits::BitFieldVec;
use sux::dict::VFilter;
use sux::func::VFunc;
use sux::utils::{FromCloneableIntoIterator, FromSlice};
use webrank_codelab::dictionaries::hypergraph::{Drawn, peel};
use webrank_codelab::dictionaries::{Bloom, CellLayout, Dictionary, Function, SelfSigned, Signed};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
/// A look-up of one key, as a number.
type LookUp<'f> = Box<dyn Fn(&str) -> u64 + 'f>;

const ROUNDS: usize = 5;

fn main() -> Outcome<()> {
    let given = std::env::args().skip(1).find(|one| !one.starts_with("--"));
    let count = given.map_or(Ok(1_000_000), |count| count.parse())?;
    peelings::<2>(&[1.9, 2.0, 2.05, 2.09, 2.2, 2.5, 3.0])?;
    peelings::<3>(&[1.15, 1.2, 1.21, 1.22, 1.23, 1.24, 1.3])?;
    let here = keys(0, count);
    let strangers = keys(count, 4 * count.max(250_000));
    functions(&here, &strangers)?;
    dictionaries(&here, &strangers)
}

fn keys(from: u64, count: u64) -> Vec<String> {
    let key = |i: u64| format!("https://www.host{}.example/folder/page-{i}.html", i % 1009);
    (from..from + count).map(key).collect()
}

/// The share of hypergraphs that are peeled off, by edges and by vertices for each edge.
fn peelings<const R: usize>(ratios: &[f64]) -> Outcome<()> {
    println!("\nShare of hypergraphs of {R} vertices an edge that are peeled off\n");
    let heads: Vec<String> = ratios.iter().map(|ratio| ratio.to_string()).collect();
    println!("| edges | {} |", heads.join(" | "));
    println!("|---:|{}", "---:|".repeat(ratios.len()));
    for edges in [100u64, 1_000, 10_000, 100_000] {
        let graphs = (10_000_000 / edges).clamp(100, 2000);
        let share = |ratio: &f64| {
            let vertices = (ratio * edges as f64) as u32;
            let peeled = (0..graphs).into_par_iter().filter(|&graph| {
                let mut drawn =
                    Drawn::from(u128::from(graph) << 64 | u128::from(edges * 1_000_003 + graph));
                let edges: Vec<[u32; R]> = (0..edges).map(|_| drawn.edge(vertices)).collect();
                peel(&edges, vertices).is_ok_and(|order| order.is_some())
            });
            peeled.count() as f64 / graphs as f64
        };
        let shares: Vec<String> = ratios
            .iter()
            .map(|ratio| format!("{:.2}", share(ratio)))
            .collect();
        println!("| {edges} | {} |", shares.join(" | "));
    }
    Ok(())
}

/// Nanoseconds for a look-up, the least of all rounds.
fn nanoseconds(keys: &[String], look_up: &LookUp) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        // At places that are as good as random.
        let all = (0..keys.len()).map(|i| look_up(&keys[(i * 7_919) % keys.len()]));
        black_box(all.fold(0u64, u64::wrapping_add));
        start.elapsed().as_nanos() as f64 / keys.len() as f64
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn timed<T>(make: impl FnOnce() -> Outcome<T>) -> Outcome<(T, f64)> {
    let start = Instant::now();
    let made = make()?;
    Ok((made, start.elapsed().as_secs_f64()))
}

/// Order-preserving minimal perfect hashes.
fn functions(here: &[String], strangers: &[String]) -> Outcome<()> {
    let n = here.len() as f64;
    let width = (usize::BITS - (here.len() - 1).leading_zeros()) as f64;
    println!("\nOrder-preserving minimal perfect hashes of {n} keys, places of {width} bits\n");
    println!("| function | formula | bits/key | built s | key ns | stranger ns |");
    println!("|---|---:|---:|---:|---:|---:|");
    let row = |name: &str, formula: Option<f64>, bits: f64, seconds: f64, look_up: LookUp| {
        let [key, stranger] =
            [here, &strangers[..here.len()]].map(|keys| nanoseconds(keys, &look_up));
        println!(
            "| {name} | {} | {:.2} | {seconds:.2} | {key:.0} | {stranger:.0} |",
            shown(formula),
            bits / n
        );
    };
    for (name, cells, formula) in [
        ("all cells, 1.23 b", CellLayout::All, 1.23 * width),
        ("hinges, b + 1.23", CellLayout::Hinges, width + 1.23),
    ] {
        let (made, seconds) = timed(|| {
            Ok(Function::new(here, width as u32, cells, |place, _| {
                place as u64
            })?)
        })?;
        let bits = made.bits() as f64;
        row(
            name,
            Some(formula),
            bits,
            seconds,
            Box::new(move |key| made.get(key.as_bytes())),
        );
    }
    let (made, seconds) = timed(|| Ok(Signed::new(here, 8)?))?;
    let bits = made.bits() as f64;
    let look_up: LookUp = Box::new(move |key| made.place(key.as_bytes()).unwrap_or(0));
    row(
        "signed with 8 bits, b + 8 + 1.23",
        Some(width + 9.23),
        bits,
        seconds,
        look_up,
    );
    let (made, seconds) = timed(|| {
        let places = FromCloneableIntoIterator::from(0..here.len());
        Ok(<VFunc<str, BitFieldVec<Box<[usize]>>>>::try_new(
            FromSlice::new(here),
            places,
            no_logging![],
        )?)
    })?;
    let bits = sux_bits(&made);
    row(
        "`sux` VFunc",
        None,
        bits,
        seconds,
        Box::new(move |key| made.get(key) as u64),
    );
    Ok(())
}

/// A formula's bits for each key, if there is a formula.
fn shown(formula: Option<f64>) -> String {
    formula.map_or("-".into(), |bits| format!("{bits:.2}"))
}

fn sux_bits(made: &impl mem_dbg::MemSize) -> f64 {
    8.0 * made.mem_size(mem_dbg::SizeFlags::default()) as f64
}

/// Sets of keys with false positives.
fn dictionaries(here: &[String], strangers: &[String]) -> Outcome<()> {
    let n = here.len() as f64;
    println!(
        "\nDictionaries of {n} keys, asked for {} strangers\n",
        strangers.len()
    );
    println!(
        "| r | dictionary | formula | bits/key | strangers taken | of 2^-r | built s | key ns | stranger ns |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|---:|---:|");
    for r in [4u32, 8, 12, 16] {
        let row = |name: &str, formula: Option<f64>, bits: f64, seconds: f64, look_up: LookUp| {
            assert!(here.iter().all(|key| look_up(key) == 1), "{name}");
            let taken = strangers.iter().map(|key| look_up(key)).sum::<u64>() as f64
                / strangers.len() as f64;
            let [key, stranger] =
                [here, &strangers[..here.len()]].map(|keys| nanoseconds(keys, &look_up));
            println!(
                "| {r} | {name} | {} | {:.2} | {taken:.3e} | {:.3} | {seconds:.2} | {key:.0} | {stranger:.0} |",
                shown(formula),
                bits / n,
                taken * f64::from(r).exp2(),
            );
        };
        let of_r = f64::from(r);
        let boxed = |made: Box<dyn Dictionary>| -> (f64, LookUp) {
            (
                made.bits() as f64,
                Box::new(move |key| u64::from(made.contains(key.as_bytes()))),
            )
        };
        for (name, cells, formula) in [
            ("self-signed, all cells", CellLayout::All, 1.23 * of_r),
            ("self-signed, hinges", CellLayout::Hinges, of_r + 1.23),
        ] {
            let (made, seconds) = timed(|| Ok(SelfSigned::new(here, r, cells)?))?;
            let (bits, look_up) = boxed(Box::new(made));
            row(name, Some(formula), bits, seconds, look_up);
        }
        let (made, seconds) = timed(|| Ok(Bloom::new(here, r)?))?;
        let (bits, look_up) = boxed(Box::new(made));
        row(
            "Bloom filter",
            Some(of_r / std::f64::consts::LN_2),
            bits,
            seconds,
            look_up,
        );
        let (made, seconds) = timed(|| {
            let none = no_logging![];
            Ok(<VFilter<str, BitFieldVec<Box<[usize]>>>>::try_new(
                FromSlice::new(here),
                r as usize,
                none,
            )?)
        })?;
        let bits = sux_bits(&made);
        row(
            "`sux` VFilter",
            None,
            bits,
            seconds,
            Box::new(move |key| u64::from(made.contains(key))),
        );
    }
    Ok(())
}
