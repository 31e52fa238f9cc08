//! The report of `rank codes --push`: the states of an asymmetric numeral system.

use super::{Told, aligned};
use crate::ans::{AnsState, Coder, FINEST, Frequencies};
use serde::Serialize;
use std::io::{self, Write};
use webrank_base::error::{Error, Result};

/// States grow with each symbol, and all of them are shown.
const MOST: usize = 10_000;

/// Symbols that were pushed, and popped again.
#[derive(Serialize)]
pub struct PushedSymbols {
    precision: u32,
    frequencies: Vec<Symbol>,
    first_state: u64,
    steps: Vec<Step>,
    /// The last state, in decimal.
    state: String,
    state_bits: u64,
    /// With words of 32 bits.
    streamed_bits: u64,
    popped: Vec<usize>,
}

#[derive(Serialize)]
struct Symbol {
    symbol: usize,
    weight: u64,
    frequency: u32,
    start: u32,
    /// The bits that a symbol adds to the state: d - log2 f.
    bits: f64,
}

#[derive(Serialize)]
struct Step {
    pushed: usize,
    /// In decimal.
    state: String,
}

impl PushedSymbols {
    pub fn of(
        weights: &[u64],
        symbols: &[u64],
        precision: Option<u32>,
        state: u64,
    ) -> Result<Self> {
        if weights.iter().all(|&weight| weight == 0) {
            let problem = "a symbol that is pushed needs a weight above 0: give one";
            return Err(Error::argument("--weights", 0, problem));
        }
        let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let least = (128 - sum.saturating_sub(1).leading_zeros()).clamp(1, FINEST);
        let frequencies = Frequencies::of(weights, precision.unwrap_or(least))?;
        if symbols.len() > MOST {
            let problem = format!("at most {MOST} states are shown: give fewer");
            return Err(Error::argument(
                "--push",
                format!("{} symbols", symbols.len()),
                problem,
            ));
        }
        let (mut at, mut coder) = (AnsState(state.into()), Coder::from_state(state));
        let mut steps = Vec::new();
        for &given in symbols {
            let symbol = usize::try_from(given).unwrap_or(usize::MAX);
            let pushed = at.push(&frequencies, symbol);
            pushed
                .and(coder.push(&frequencies, symbol))
                .ok_or_else(|| {
                    let problem = format!(
                        "symbols are those of --weights, from 0 to {}, whose weight is not 0",
                        weights.len() - 1
                    );
                    Error::argument("--push", given, problem)
                })?;
            steps.push(Step {
                pushed: symbol,
                state: at.0.to_string(),
            });
        }
        let (last, bits) = (at.0.to_string(), at.0.bits());
        let popped = symbols.iter().map(|_| at.pop(&frequencies)).collect();
        let shown = |(symbol, &weight): (usize, &u64)| Symbol {
            symbol,
            weight,
            frequency: frequencies.frequency(symbol),
            start: frequencies.start(symbol),
            bits: f64::from(frequencies.precision())
                - f64::from(frequencies.frequency(symbol)).log2(),
        };
        Ok(PushedSymbols {
            precision: frequencies.precision(),
            frequencies: weights
                .iter()
                .enumerate()
                .map(shown)
                .filter(|one| one.frequency > 0)
                .collect(),
            first_state: state,
            steps,
            state: last,
            state_bits: bits,
            streamed_bits: coder.bits(),
            popped,
        })
    }
}

impl Told for PushedSymbols {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "pushed,state")?;
        for step in &self.steps {
            writeln!(out, "{},{}", step.pushed, step.state)?;
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "precision {}: frequencies sum to {}\n",
            self.precision,
            1u64 << self.precision
        )?;
        let mut rows = vec![
            ["symbol", "weight", "f", "c", "bits"]
                .map(String::from)
                .into(),
        ];
        rows.extend(self.frequencies.iter().map(|one| {
            vec![
                one.symbol.to_string(),
                one.weight.to_string(),
                one.frequency.to_string(),
                one.start.to_string(),
                format!("{:.3}", one.bits),
            ]
        }));
        for line in aligned(&rows, &[9, 18, 9, 9, 6]) {
            writeln!(out, "{line}")?;
        }
        writeln!(
            out,
            "\n{:>9}  state\n{:>9}  {}",
            "pushed", "", self.first_state
        )?;
        for step in &self.steps {
            writeln!(out, "{:>9}  {}", step.pushed, step.state)?;
        }
        let popped: Vec<String> = self.popped.iter().map(usize::to_string).collect();
        writeln!(out, "\npopped {}", popped.join(","))?;
        writeln!(
            out,
            "{} bits; with words of 32 bits, {}",
            self.state_bits, self.streamed_bits
        )
    }
}
