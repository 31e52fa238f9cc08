//! The report of `rank codes --universal`: which codes are universal.

use super::Told;
use crate::geometric::{GeometricSource, MEANS, sources};
use crate::words::WordCode;
use dsi_bitstream::dispatch::Codes;
use serde::Serialize;
use std::io::{self, Write};

/// Expected lengths on geometric sources, in multiples of the entropy.
#[derive(Serialize)]
pub struct Universal {
    sources: Vec<Source>,
    codes: Vec<Ratios>,
}

#[derive(Serialize)]
struct Source {
    mean: f64,
    p: f64,
    entropy: f64,
    best_golomb_modulus: u64,
    /// With that modulus, which follows the source.
    best_golomb_ratio: f64,
}

#[derive(Serialize)]
struct Ratios {
    code: String,
    intended: String,
    ratios: Vec<f64>,
    /// Where the ratios tend as the mean grows; none if they grow without bound.
    limit: Option<f64>,
    universal: bool,
}

impl Universal {
    pub fn of() -> Self {
        let of_mean = MEANS.map(GeometricSource::with_mean);
        let sources_of_means = of_mean.iter().zip(MEANS).map(|(source, mean)| Source {
            mean,
            p: source.p(),
            entropy: source.entropy(),
            best_golomb_modulus: source.modulus(),
            best_golomb_ratio: source
                .expected(&WordCode::standard(Codes::Golomb(source.modulus())))
                / source.entropy(),
        });
        let code = |(code, limit): (WordCode, Option<f64>)| Ratios {
            ratios: of_mean
                .iter()
                .map(|source| source.expected(&code) / source.entropy())
                .collect(),
            code: code.to_string(),
            intended: code.intended(),
            limit,
            universal: limit.is_some(),
        };
        Universal {
            sources: sources_of_means.collect(),
            codes: sources().into_iter().map(code).collect(),
        }
    }
}

impl Told for Universal {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "code,mean,entropy,ratio,limit")?;
        for code in &self.codes {
            let limit = code
                .limit
                .map(|limit| limit.to_string())
                .unwrap_or_default();
            for (source, ratio) in self.sources.iter().zip(&code.ratios) {
                writeln!(
                    out,
                    "{},{},{},{ratio},{limit}",
                    code.code, source.mean, source.entropy
                )?;
            }
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |out: &mut dyn Write, name: &str, cells: Vec<String>, last: &str| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>9}")).collect();
            writeln!(out, "{}", format!("{name:11}{cells}  {last}").trim_end())
        };
        let short = |number: f64| match number {
            x if x < 999.9995 => format!("{x:.3}"),
            x => format!("{x:.1e}"),
        };
        let of_sources = |cell: &dyn Fn(&Source) -> String| self.sources.iter().map(cell).collect();
        row(
            out,
            "mean",
            of_sources(&|source| format!("{:e}", source.mean)),
            "limit",
        )?;
        row(
            out,
            "entropy",
            of_sources(&|source| short(source.entropy)),
            "",
        )?;
        for code in &self.codes {
            let limit = match code.limit {
                Some(limit) => format!("{limit:.3}"),
                None => "none: not universal".into(),
            };
            row(
                out,
                &code.code,
                code.ratios.iter().map(|&ratio| short(ratio)).collect(),
                &limit,
            )?;
        }
        row(
            out,
            "golomb*",
            of_sources(&|source| short(source.best_golomb_ratio)),
            "1.000 (* with the modulus of each source)",
        )?;
        writeln!(
            out,
            "\nExpected bits on geometric sources, as multiples of the entropy"
        )
    }
}
