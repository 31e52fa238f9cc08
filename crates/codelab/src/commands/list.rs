//! The report of `rank codes` on a list of numbers.

use super::graph::OneCode;
use super::{Told, aligned};
use crate::numbers::CodedList;
use serde::Serialize;
use std::io::{self, Write};

/// Everything, for programs.
#[derive(Serialize)]
pub struct ListFacts {
    count: u64,
    mean: f64,
    /// A thousandth is the unit: exact, where a mean near 2^62 is not.
    #[serde(skip)]
    thousandths: u128,
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

impl ListFacts {
    pub fn of(found: &CodedList) -> Self {
        let (numbers, yardsticks) = (&found.numbers, &found.yardsticks);
        let best = found.best().expect("a list holds a number");
        let modulus = |family: &str| {
            let of_family = found.costs.iter().find(|cost| cost.code.family() == family);
            of_family.and_then(|cost| cost.code.chosen()).unwrap_or(1)
        };
        let codes = found.costs.iter();
        let products = numbers.counts().iter();
        let sum: u128 = products
            .map(|&(number, count)| u128::from(number) * u128::from(count))
            .sum();
        let count = u128::from(numbers.len());
        ListFacts {
            count: numbers.len(),
            mean: numbers.mean(),
            thousandths: (1000 * sum + count / 2) / count,
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

    /// Sizes that no file of codes can have, or why there are none.
    fn others(&self) -> [(&'static str, Result<f64, &'static str>); 7] {
        let huffman = self.huffman_bits.map(|bits| bits as f64);
        let packed = self.pfor_delta_bits.map(|bits| bits as f64);
        [
            ("entropy", Ok(self.entropy * self.count as f64)),
            (
                "huffman, no table",
                huffman.ok_or("takes up to 2^20 different numbers"),
            ),
            ("PFOR-DELTA", packed.ok_or("takes numbers below 2^32")),
            ("PFOR, linked", Ok(self.pfor_linked_bits as f64)),
            ("PFOR, escaped", Ok(self.pfor_escaped_bits as f64)),
            ("numeral system", Ok(self.numeral_system_bits as f64)),
            ("ANS as taught", Ok(self.taught_numeral_system_bits as f64)),
        ]
    }
}

impl Told for ListFacts {
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
            match bits {
                Ok(bits) => {
                    let each = bits / count as f64;
                    writeln!(out, "\"{name}\",{count},{bits},{each},,false")?;
                }
                Err(_) => writeln!(out, "\"{name}\",{count},,,,false")?,
            }
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let plural = if self.count == 1 { "" } else { "s" };
        let mean = format!("{}.{:03}", self.thousandths / 1000, self.thousandths % 1000);
        writeln!(
            out,
            "{} number{plural} up to {}, mean {mean}, entropy {:.3} bits a number; best {} ({:.3})\n",
            self.count,
            self.max,
            self.entropy,
            self.best_code,
            self.best_bits as f64 / self.count as f64,
        )?;
        let names = self.codes.iter().map(|one| one.code.chars().count());
        let width = names.max().unwrap_or(0).max(28);
        let row =
            |name: &str, bits: String, each: String| vec![format!("{name:width$}"), bits, each];
        let mut rows = vec![row("(+ best)", "bits".into(), "a number".into())];
        let mut ends = vec!["  meant for".to_owned()];
        for one in &self.codes {
            let each = format!("{:.3}", one.bits_per_number);
            rows.push(row(&one.code, one.bits.to_string(), each));
            let mark = if one.code == self.best_code { "+" } else { " " };
            ends.push(format!("{mark} {}", one.intended));
        }
        for (name, bits) in self.others() {
            let cells = bits.map(|bits| [bits, bits / self.count as f64]);
            rows.push(match cells {
                Ok([bits, each]) => row(name, format!("{bits:.0}"), format!("{each:.3}")),
                Err(_) => row(name, "-".into(), "-".into()),
            });
            ends.push(bits.err().map_or(String::new(), |why| format!("  {why}")));
        }
        for (line, end) in aligned(&rows, &[width, 18, 9]).iter().zip(ends) {
            writeln!(out, "{line}{end}")?;
        }
        let ByMean {
            p,
            modulus,
            bits,
            best_modulus,
        } = &self.golomb_by_mean;
        let p = match *p < 1e-4 {
            true => format!("{p:.3e}"),
            false => format!("{p:.6}"),
        };
        writeln!(
            out,
            "\nx is the number plus 1. The best modulus of Golomb code is {best_modulus}; a geometric source \
             of this mean, p = {p}, has {modulus} ({bits} bits)"
        )
    }
}
