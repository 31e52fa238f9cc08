//! What `rank codes --push` shows: the states of an asymmetric numeral system.

use super::Told;
use crate::ans::{Coder, FINEST, Frequencies, State};
use serde::Serialize;
use std::io::{self, Write};
use webrank_base::error::{Error, Result};

/// States grow with each symbol, and all of them are shown.
const MOST: usize = 10_000;

/// Symbols that were pushed, and popped again.
#[derive(Serialize)]
pub struct Pushed {
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
    /// What a symbol adds to the length of the state: d - log2 f.
    bits: f64,
}

#[derive(Serialize)]
struct Step {
    pushed: usize,
    /// In decimal.
    state: String,
}

impl Pushed {
    pub fn of(
        weights: &[u64],
        symbols: &[usize],
        precision: Option<u32>,
        state: u64,
    ) -> Result<Self> {
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
        let (mut at, mut coder) = (State(state.into()), Coder::default());
        let mut steps = Vec::new();
        for &symbol in symbols {
            let pushed = at.push(&frequencies, symbol);
            pushed
                .and(coder.push(&frequencies, symbol))
                .ok_or_else(|| {
                    let problem = format!(
                        "symbols are those of --weights, from 0 to {}, whose weight is not 0",
                        weights.len() - 1
                    );
                    Error::argument("--push", symbol, problem)
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
        Ok(Pushed {
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

impl Told for Pushed {
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
        writeln!(
            out,
            "{:>9}{:>20}{:>11}{:>11}{:>8}",
            "symbol", "weight", "f", "c", "bits"
        )?;
        for one in &self.frequencies {
            let (frequency, start) = (one.frequency, one.start);
            writeln!(
                out,
                "{:>9}{:>20}{frequency:>11}{start:>11}{:>8.3}",
                one.symbol, one.weight, one.bits
            )?;
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
