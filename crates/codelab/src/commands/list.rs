//! What `rank codes` says of a list of numbers.

use super::Told;
use super::graph::OneCode;
use crate::numbers::Listed;
use serde::Serialize;
use std::io::{self, Write};

/// Everything, for programs.
#[derive(Serialize)]
pub struct Facts {
    count: u64,
    mean: f64,
    max: u64,
    /// Bits a number.
    entropy: f64,
    best_code: String,
    best_bits: u128,
    codes: Vec<OneCode>,
    golomb_by_mean: ByMean,
    /// Without the table; none if there are too many different numbers.
    huffman_bits: Option<u128>,
    pfor_delta_bits: Option<u64>,
    pfor_linked_bits: u64,
    pfor_escaped_bits: u64,
    numeral_system_bits: u64,
    taught_numeral_system_bits: u64,
}

/// Golomb code with b = ceil(-log(2 - p) / log(1 - p)).
#[derive(Serialize)]
struct ByMean {
    /// p of the geometric source with the same mean.
    p: f64,
    modulus: u64,
    bits: u128,
    best_modulus: u64,
}

impl Facts {
    pub fn of(found: &Listed) -> Self {
        let (numbers, yardsticks) = (&found.numbers, &found.yardsticks);
        let best = found.best().expect("a list holds a number");
        let modulus = |family: &str| {
            let of_family = found.costs.iter().find(|cost| cost.code.family() == family);
            of_family.and_then(|cost| cost.code.chosen()).unwrap_or(1)
        };
        let codes = found.costs.iter();
        Facts {
            count: numbers.len(),
            mean: numbers.mean(),
            max: numbers.max(),
            entropy: numbers.entropy(),
            best_code: best.code.to_string(),
            best_bits: best.bits,
            codes: codes
                .map(|cost| OneCode::of(cost, numbers.len(), 0))
                .collect(),
            golomb_by_mean: ByMean {
                p: found.p(),
                modulus: found.golomb_by_mean.code.chosen().unwrap_or(1),
                bits: found.golomb_by_mean.bits,
                best_modulus: modulus("golomb"),
            },
            huffman_bits: found.huffman_bits,
            pfor_delta_bits: yardsticks.pfor_delta,
            pfor_linked_bits: yardsticks.pfor_linked,
            pfor_escaped_bits: yardsticks.pfor_escaped,
            numeral_system_bits: yardsticks.numeral_system,
            taught_numeral_system_bits: yardsticks.taught_numeral_system,
        }
    }

    /// What no file of codes can have, with its bits.
    fn others(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("entropy", Some(self.entropy * self.count as f64)),
            (
                "huffman, no table",
                self.huffman_bits.map(|bits| bits as f64),
            ),
            ("PFOR-DELTA", self.pfor_delta_bits.map(|bits| bits as f64)),
            ("PFOR, linked", Some(self.pfor_linked_bits as f64)),
            ("PFOR, escaped", Some(self.pfor_escaped_bits as f64)),
            ("numeral system", Some(self.numeral_system_bits as f64)),
            (
                "ANS as taught",
                Some(self.taught_numeral_system_bits as f64),
            ),
        ];
        let there = all.into_iter();
        there
            .filter_map(|(name, bits)| Some((name, bits?)))
            .collect()
    }
}

impl Told for Facts {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "code,numbers,bits,bits_per_number,intended,best")?;
        let count = self.count;
        for one in &self.codes {
            let is_best = one.code == self.best_code;
            let (code, bits, intended) = (&one.code, one.bits, &one.intended);
            writeln!(
                out,
                "{code},{count},{bits},{},{intended},{is_best}",
                one.bits_per_number
            )?;
        }
        for (name, bits) in self.others() {
            writeln!(
                out,
                "\"{name}\",{count},{bits},{},,false",
                bits / count as f64
            )?;
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{} numbers up to {}, mean {:.3}, entropy {:.3} bits a number; best {} ({:.3})",
            self.count,
            self.max,
            self.mean,
            self.entropy,
            self.best_code,
            self.best_bits as f64 / self.count as f64,
        )?;
        writeln!(
            out,
            "\n{:28}{:>20}{:>11}  meant for",
            "(+ best)", "bits", "a number"
        )?;
        for one in &self.codes {
            let mark = if one.code == self.best_code { "+" } else { " " };
            let (bits, each) = (one.bits, one.bits_per_number);
            writeln!(
                out,
                "{:28}{bits:>20}{each:>11.3}{mark} {}",
                one.code, one.intended
            )?;
        }
        for (name, bits) in self.others() {
            writeln!(
                out,
                "{name:28}{bits:>20.0}{:>11.3}",
                bits / self.count as f64
            )?;
        }
        let ByMean {
            p,
            modulus,
            bits,
            best_modulus,
        } = &self.golomb_by_mean;
        writeln!(
            out,
            "\nx is the number plus 1. The best modulus of Golomb code is {best_modulus}; a geometric source \
             of this mean, p = {p:.6}, has {modulus} ({bits} bits)"
        )
    }
}
