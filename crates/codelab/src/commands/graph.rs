//! The report of `rank codes` on a graph.

use crate::{Cost, Laboratory, Trial, Yardsticks, is_written};
use serde::Serialize;
use std::io::{self, Write};
use webrank_graph::codes::Field;

/// Everything, for programs.
#[derive(Serialize)]
pub struct GraphFacts {
    nodes: u64,
    arcs: u64,
    bits: u64,
    best_bits: u128,
    components: Vec<Component>,
}

#[derive(Serialize)]
struct Component {
    component: &'static str,
    count: u64,
    mean: f64,
    max: u64,
    /// Bits a number.
    entropy: f64,
    file_code: String,
    file_bits: u128,
    best_code: String,
    best_bits: u128,
    codes: Vec<OneCode>,
    pfor_delta_bits: Option<u64>,
    pfor_linked_bits: u64,
    pfor_escaped_bits: u64,
    numeral_system_bits: u64,
    taught_numeral_system_bits: u64,
}

/// A code on some numbers.
#[derive(Serialize)]
pub struct OneCode {
    pub code: String,
    pub intended: String,
    pub bits: u128,
    pub bits_per_number: f64,
    /// None without arcs.
    bits_per_arc: Option<f64>,
    can_be_written: bool,
}

impl GraphFacts {
    pub fn of(found: &Laboratory) -> Self {
        GraphFacts {
            nodes: found.nodes,
            arcs: found.arcs,
            bits: found.bits,
            best_bits: found.best_bits(),
            components: found
                .trials
                .iter()
                .map(|trial| Component::of(trial, found.arcs))
                .collect(),
        }
    }
}

impl OneCode {
    pub fn of(cost: &Cost, count: u64, arcs: u64) -> Self {
        OneCode {
            code: cost.code.to_string(),
            intended: cost.code.intended(),
            bits: cost.bits,
            bits_per_number: cost.bits as f64 / count as f64,
            bits_per_arc: (arcs > 0).then(|| cost.bits as f64 / arcs as f64),
            can_be_written: is_written(cost.code),
        }
    }
}

impl Component {
    fn of(trial: &Trial, arcs: u64) -> Self {
        let count = trial.numbers.len();
        Component {
            component: trial.field.name(),
            count,
            mean: trial.numbers.mean(),
            max: trial.numbers.max(),
            entropy: trial.numbers.entropy(),
            file_code: trial.own.code.to_string(),
            file_bits: trial.own.bits,
            best_code: trial.best.code.to_string(),
            best_bits: trial.best.bits,
            codes: trial
                .costs
                .iter()
                .map(|cost| OneCode::of(cost, count, arcs))
                .collect(),
            pfor_delta_bits: trial.yardsticks.pfor_delta,
            pfor_linked_bits: trial.yardsticks.pfor_linked,
            pfor_escaped_bits: trial.yardsticks.pfor_escaped,
            numeral_system_bits: trial.yardsticks.numeral_system,
            taught_numeral_system_bits: trial.yardsticks.taught_numeral_system,
        }
    }
}

/// The yardsticks that take all numbers, with their bits.
fn taught_and_not(yardsticks: &Yardsticks) -> [(&'static str, u64); 4] {
    [
        ("PFOR linked", yardsticks.pfor_linked),
        ("PFOR escaped", yardsticks.pfor_escaped),
        ("numeral system", yardsticks.numeral_system),
        ("ANS as taught", yardsticks.taught_numeral_system),
    ]
}

/// A row for each code of each component.
pub fn write_csv(out: &mut dyn Write, found: &Laboratory) -> io::Result<()> {
    writeln!(
        out,
        "component,code,numbers,bits,bits_per_number,bits_per_arc,intended,file,best"
    )?;
    for trial in &found.trials {
        let (component, numbers) = (trial.field.name(), trial.numbers.len());
        let mut row = |code: &str, bits: Option<f64>, intended: &str, file: bool, best: bool| {
            let cell = |divisor: u64| match bits.filter(|_| divisor > 0) {
                Some(bits) => (bits / divisor as f64).to_string(),
                None => String::new(),
            };
            let (bits, of_number, of_arc) = (cell(1), cell(numbers), cell(found.arcs));
            writeln!(
                out,
                "{component},{code},{numbers},{bits},{of_number},{of_arc},{intended},{file},{best}"
            )
        };
        if trial.numbers.is_empty() {
            continue;
        }
        for cost in &trial.costs {
            let (file, best) = (cost.code == trial.own.code, cost.code == trial.best.code);
            let (code, intended) = (cost.code.to_string(), cost.code.intended());
            row(&code, Some(cost.bits as f64), &intended, file, best)?;
        }
        row(
            "entropy",
            Some(trial.numbers.entropy() * numbers as f64),
            "",
            false,
            false,
        )?;
        let packed = trial.yardsticks.pfor_delta.map(|bits| bits as f64);
        row("pfor-delta", packed, "", false, false)?;
        for (name, bits) in taught_and_not(&trial.yardsticks) {
            row(&name.to_lowercase(), Some(bits as f64), "", false, false)?;
        }
    }
    Ok(())
}

/// The tables for people.
pub fn print(out: &mut dyn Write, found: &Laboratory) -> io::Result<()> {
    let per_arc = |bits: f64| bits / found.arcs.max(1) as f64;
    let best = found.best_bits();
    writeln!(
        out,
        "{} nodes, {} arcs, {} bits: {:.3} an arc; with the best codes {:.3} ({:+.1}%)",
        found.nodes,
        found.arcs,
        found.bits,
        per_arc(found.bits as f64),
        per_arc(best as f64),
        100.0 * (best as f64 / found.bits.max(1) as f64 - 1.0),
    )?;
    writeln!(
        out,
        "\n{:17}{:>11}{:>11}{:>9}  {:9}{:>11}{:>7}  {:9}{:>11}{:>7}",
        "", "numbers", "mean", "entropy", "of file", "bits", "an arc", "best", "bits", "an arc"
    )?;
    for trial in &found.trials {
        writeln!(
            out,
            "{:17} {:>10} {:>10}{:>9.3}  {:9} {:>10} {:>6.3}  {:9} {:>10} {:>6.3}",
            trial.field.name(),
            trial.numbers.len(),
            short(trial.numbers.mean()),
            trial.numbers.entropy(),
            trial.own.code.to_string(),
            trial.own.bits,
            per_arc(trial.own.bits as f64),
            trial.best.code.to_string(),
            trial.best.bits,
            per_arc(trial.best.bits as f64),
        )?;
    }
    writeln!(
        out,
        "{:48}  {:9} {:>10} {:>6.3}  {:9} {:>10} {:>6.3}",
        "in all",
        "",
        found.bits,
        per_arc(found.bits as f64),
        "",
        best,
        per_arc(best as f64),
    )?;
    if found.arcs == 0 {
        return Ok(());
    }
    print_codes(out, found)
}

/// Bits an arc: a row for each code, a column for each component.
fn print_codes(out: &mut dyn Write, found: &Laboratory) -> io::Result<()> {
    writeln!(out, "\nbits an arc (* code of the file, + best for files)")?;
    let heads: Vec<[&str; 2]> = found.trials.iter().map(|trial| head(trial.field)).collect();
    for line in 0..2 {
        let names = heads.iter().map(|head| head[line]);
        let last = ["", "meant for"][line];
        row(out, "", names, last)?;
    }
    let per_arc = |bits: f64| short(bits / found.arcs as f64);
    let cost = |trial: &Trial, place: usize| trial.costs.get(place).copied();
    let codes = found.trials[0].costs.len();
    for place in 0..codes {
        let Some(first) = cost(&found.trials[0], place) else {
            continue;
        };
        let is_chosen = first.code.chosen().is_some();
        let cells = found.trials.iter().map(|trial| match cost(trial, place) {
            Some(cost) => {
                let file = if cost.code == trial.own.code { "*" } else { "" };
                let best = if cost.code == trial.best.code {
                    "+"
                } else {
                    ""
                };
                format!("{}{file}{best}", per_arc(cost.bits as f64))
            }
            None => "-".into(),
        });
        let intended = match first.code.family().as_str() {
            "golomb" | "rice" => "1/2^(x/b)".into(),
            "minimal binary" => "1/b".into(),
            _ => first.code.intended(),
        };
        row(out, &first.code.family(), cells, &intended)?;
        if is_chosen {
            let parameters = found.trials.iter().map(|trial| {
                let chosen = cost(trial, place).and_then(|cost| cost.code.chosen());
                chosen.map_or("-".into(), |chosen| chosen.to_string())
            });
            row(out, "  b", parameters, "")?;
        }
    }
    let entropies = found.trials.iter().map(|trial| {
        let bits = trial.numbers.entropy() * trial.numbers.len() as f64;
        per_arc(bits)
    });
    row(out, "entropy", entropies, "")?;
    let packed = found
        .trials
        .iter()
        .map(|trial| match trial.yardsticks.pfor_delta {
            Some(bits) => per_arc(bits as f64),
            None => "-".into(),
        });
    row(out, "PFOR-DELTA", packed, "")?;
    for place in 0..taught_and_not(&found.trials[0].yardsticks).len() {
        let of_trial = |trial: &Trial| taught_and_not(&trial.yardsticks)[place];
        let cells = found
            .trials
            .iter()
            .map(|trial| per_arc(of_trial(trial).1 as f64));
        row(out, of_trial(&found.trials[0]).0, cells, "")?;
    }
    writeln!(out, "x is the number plus 1, b the best modulus or bound")
}

fn row(
    out: &mut dyn Write,
    name: &str,
    cells: impl Iterator<Item = impl AsRef<str>>,
    last: &str,
) -> io::Result<()> {
    let mut line = format!("{name:15}");
    for cell in cells {
        line += &format!(" {:>9}", cell.as_ref());
    }
    writeln!(out, "{}", format!("{line}  {last}").trim_end())
}

/// The name of a component in two lines.
fn head(field: Field) -> [&'static str; 2] {
    match field {
        Field::Outdegree => ["out-", "degrees"],
        Field::Reference => ["refer-", "ences"],
        Field::BlockCount => ["block", "counts"],
        Field::Block => ["block", "lengths"],
        Field::IntervalCount => ["interval", "counts"],
        Field::IntervalStart => ["interval", "starts"],
        Field::IntervalLength => ["interval", "lengths"],
        Field::FirstResidual => ["first", "residuals"],
        Field::Residual => ["other", "residuals"],
    }
}

/// A number in at most eight characters.
fn short(number: f64) -> String {
    match number {
        x if x < 99.9995 => format!("{x:.3}"),
        x if x < 99_999.95 => format!("{x:.1}"),
        x => format!("{x:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 0.12345, 99.9994, 316.601, 99999.94, 123456789.0, 1e30];
        let texts = [
            "0.000", "0.123", "99.999", "316.6", "99999.9", "1.2e8", "1.0e30",
        ];
        for (number, text) in numbers.into_iter().zip(texts) {
            assert_eq!(short(number), text);
        }
    }
}
