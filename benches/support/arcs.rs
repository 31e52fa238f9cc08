//! Writes a list of arcs, for measuring imports: some targets are near their source, the others prefer
//! some nodes.
//!
//!     cargo run --release --example arcs -- 10000000 1000000 > numbers.tsv
//!     cargo run --release --example arcs -- 10000000 1000000 names > names.tsv

use std::io::{BufWriter, Write};

/// A page and its host.
struct Page(u64);

impl std::fmt::Display for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (host, page) = (self.0 / 97, self.0 % 97);
        write!(f, "https://www.host{host}.example.org/page/{page}")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (arcs, nodes): (u64, u64) = match arguments.as_slice() {
        [arcs, nodes] | [arcs, nodes, _] => (arcs.parse()?, nodes.parse()?),
        _ => return Err("usage: arcs ARCS NODES [names]".into()),
    };
    let is_named = arguments.len() == 3;
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    for arc in 0..arcs {
        let source = (u128::from(arc) * u128::from(nodes) / u128::from(arcs)) as u64;
        let random = random();
        let target = if random % 16 < 11 {
            (source + (random >> 4) % 64)
                .saturating_sub(32)
                .min(nodes - 1)
        } else {
            // Small numbers are drawn more often, and then scattered.
            let share = (random >> 15) as f64 / (1u64 << 49) as f64;
            let drawn = (share * share * share * nodes as f64) as u64;
            drawn.min(nodes - 1).wrapping_mul(2_654_435_761) % nodes
        };
        match is_named {
            true => writeln!(out, "{}\t{}", Page(source), Page(target))?,
            false => writeln!(out, "{source}\t{target}")?,
        }
    }
    out.flush()?;
    Ok(())
}
