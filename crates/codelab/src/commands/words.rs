//! The report of `rank codes` on codes themselves: words and Kraft's sums, codes from lengths and
//! weights.

use super::{Told, aligned};
use crate::prefix;
use crate::words::WordCode;
use serde::Serialize;
use std::io::{self, Write};
use std::str::FromStr;
use webrank_base::error::Result;
use webrank_base::shown::quoted;

/// Numbers from the first to the last.
#[derive(Debug, Clone, Copy)]
pub struct NumberRange {
    first: u64,
    last: u64,
}

/// A table has so many rows at most.
const ROWS: u64 = 4096;
/// Kraft's sums of all numbers end here.
const END: u64 = 1 << 62;

impl FromStr for NumberRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text
            .split_once("..")
            .map(|(first, last)| (first.parse(), last.parse()));
        match ends {
            Some((Ok(first), Ok(last))) if first <= last && last < END && last - first < ROWS => {
                Ok(NumberRange { first, last })
            }
            _ => Err(format!(
                "{} is no range such as 0..15, of at most {ROWS} numbers below 2^62",
                quoted(text)
            )),
        }
    }
}

/// Words of some numbers in several codes.
#[derive(Serialize)]
pub struct WordTable {
    first: u64,
    last: u64,
    codes: Vec<Column>,
}

#[derive(Serialize)]
struct Column {
    code: String,
    intended: String,
    /// The sum of 2^-length over the numbers of the table.
    kraft: f64,
    /// The sum over all numbers below 2^62.
    kraft_below_2_62: f64,
    words: Vec<Word>,
}

#[derive(Serialize)]
struct Word {
    number: u64,
    /// None if the code has no word for it.
    length: Option<u64>,
    /// None if there is none, or if it is too long.
    word: Option<String>,
}

impl WordTable {
    pub fn of(numbers: NumberRange, codes: &[WordCode]) -> Result<Self> {
        let NumberRange { first, last } = numbers;
        let codes = match codes {
            [] => {
                let mut codes = WordCode::taught(last + 1);
                codes.extend(zipf(last)?);
                codes
            }
            given => given.to_vec(),
        };
        let column = |code: &WordCode| Column {
            code: code.to_string(),
            intended: match code {
                // Zipf's code.
                WordCode::Given(_) => "1/x".into(),
                code => code.intended(),
            },
            kraft: code.kraft(first, last),
            kraft_below_2_62: code.kraft(0, END - 1),
            words: (first..=last)
                .map(|number| Word {
                    number,
                    length: code.length(number),
                    word: code.word(number),
                })
                .collect(),
        };
        Ok(WordTable {
            first,
            last,
            codes: codes.iter().map(column).collect(),
        })
    }
}

/// Huffman's code for probabilities proportional to 1 / x, if the numbers from 0 to the last are few.
fn zipf(last: u64) -> Result<Option<WordCode>> {
    if last >= ROWS {
        return Ok(None);
    }
    let weights: Vec<u64> = (1..=last + 1).map(|x| (1 << 40) / x).collect();
    let words = prefix::canonical(&prefix::huffman(&weights)?)?;
    Ok(Some(WordCode::Given(words)))
}

/// Lines have so many characters, if columns allow it.
const LINE: usize = 100;

impl Told for WordTable {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "code,number,length,word")?;
        for column in &self.codes {
            for one in &column.words {
                let length = one.length.map(|length| length.to_string());
                let (length, word) = (
                    length.unwrap_or_default(),
                    one.word.as_deref().unwrap_or_default(),
                );
                writeln!(out, "{},{},{length},{word}", column.code, one.number)?;
            }
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut columns = vec![first_column(self)];
        columns.extend(self.codes.iter().map(cells));
        let width = |column: &[String]| {
            column
                .iter()
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = columns.iter().map(|column| width(column)).collect();
        let mut next = 1;
        while next < columns.len() {
            let mut end = next + 1;
            let mut line = widths[0] + 2 + widths[next];
            while end < columns.len() && line + 2 + widths[end] <= LINE {
                line += 2 + widths[end];
                end += 1;
            }
            if next > 1 {
                writeln!(out)?;
            }
            for (row, number) in columns[0].iter().enumerate() {
                let mut line = format!("{number:0$}", widths[0]);
                for place in next..end {
                    line += &format!("  {:1$}", columns[place][row], widths[place]);
                }
                writeln!(out, "{}", line.trim_end())?;
            }
            next = end;
        }
        writeln!(
            out,
            "\nx is the number plus 1; 'sum' adds 2^-length over the table, 'of all' over numbers below 2^62"
        )
    }
}

/// The names of the rows.
fn first_column(table: &WordTable) -> Vec<String> {
    let mut column = vec![String::new()];
    column.extend((table.first..=table.last).map(|number| number.to_string()));
    column.extend(["sum", "of all", "for"].map(String::from));
    column
}

fn cells(column: &Column) -> Vec<String> {
    let word = |one: &Word| match (&one.word, one.length) {
        (Some(word), _) if word.is_empty() => "(empty)".into(),
        (Some(word), _) => word.clone(),
        (None, Some(length)) => format!("({length} bits)"),
        (None, None) => "-".into(),
    };
    let mut cells = vec![column.code.clone()];
    cells.extend(column.words.iter().map(word));
    cells.push(format!("{:.6}", column.kraft));
    cells.push(format!("{:.6}", column.kraft_below_2_62));
    cells.push(column.intended.clone());
    cells
}

/// A code for lengths or weights.
#[derive(Serialize)]
pub struct GivenCode {
    kraft: f64,
    /// The sum without rounding, such as 1 - 2^-60.
    kraft_exact: String,
    /// Bits a symbol that no code is below, for weights.
    entropy: Option<f64>,
    /// Bits a symbol of the code, for weights.
    mean_length: Option<f64>,
    words: Vec<GivenWord>,
}

#[derive(Serialize)]
struct GivenWord {
    symbol: usize,
    weight: Option<u64>,
    /// -log2 of the share of the weight.
    ideal_length: Option<f64>,
    length: u32,
    word: String,
}

impl GivenCode {
    pub fn of_lengths(lengths: &[u32]) -> Result<Self> {
        let words = prefix::canonical(lengths)?;
        let kraft = prefix::kraft(lengths)?;
        let word = |(symbol, (word, &length)): (usize, (String, &u32))| GivenWord {
            symbol,
            weight: None,
            ideal_length: None,
            length,
            word,
        };
        Ok(GivenCode {
            kraft: kraft as f64 / (1u128 << prefix::LONGEST) as f64,
            kraft_exact: prefix::exact(kraft),
            entropy: None,
            mean_length: None,
            words: words
                .into_iter()
                .zip(lengths)
                .enumerate()
                .map(word)
                .collect(),
        })
    }

    pub fn of_weights(weights: &[u64]) -> Result<Self> {
        let mut given = Self::of_lengths(&prefix::huffman(weights)?)?;
        let sum = weights.iter().map(|&weight| weight as f64).sum::<f64>();
        let mut bits = 0.0;
        for (word, &weight) in given.words.iter_mut().zip(weights) {
            word.weight = Some(weight);
            word.ideal_length = Some(-(weight as f64 / sum).log2() + 0.0);
            bits += weight as f64 * f64::from(word.length);
        }
        given.entropy = Some(prefix::entropy(weights));
        given.mean_length = Some(bits / sum);
        Ok(given)
    }
}

impl Told for GivenCode {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "symbol,weight,ideal_length,length,word")?;
        for one in &self.words {
            let weight = one
                .weight
                .map(|weight| weight.to_string())
                .unwrap_or_default();
            let ideal = one
                .ideal_length
                .map(|ideal| ideal.to_string())
                .unwrap_or_default();
            writeln!(
                out,
                "{},{weight},{ideal},{},{}",
                one.symbol, one.length, one.word
            )?;
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let has_weights = self.entropy.is_some();
        let (head, least): (&[_], &[_]) = match has_weights {
            true => (&["symbol", "weight", "ideal", "length"], &[9, 18, 7, 6]),
            false => (&["symbol", "length"], &[9, 6]),
        };
        let mut rows: Vec<Vec<String>> = vec![head.iter().map(|&name| name.into()).collect()];
        rows.extend(self.words.iter().map(|one| {
            let mut row = vec![one.symbol.to_string()];
            if let (Some(weight), Some(ideal)) = (one.weight, one.ideal_length) {
                row.extend([weight.to_string(), format!("{ideal:.3}")]);
            }
            row.push(one.length.to_string());
            row
        }));
        let words = self.words.iter().map(|one| one.word.as_str());
        for (line, word) in aligned(&rows, least)
            .iter()
            .zip(["word"].into_iter().chain(words))
        {
            writeln!(out, "{line}  {word}")?;
        }
        writeln!(out, "\nKraft's sum: {}", self.kraft_exact)?;
        if let (Some(entropy), Some(mean)) = (self.entropy, self.mean_length) {
            writeln!(out, "{mean:.3} bits a symbol, entropy {entropy:.3}")?;
        }
        Ok(())
    }
}
