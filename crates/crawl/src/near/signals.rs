//! The signals of the fingerprint of a text.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use webrank_graph::bundle::FingerprintRecord;

/// The parts of a text that have hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextUnit {
    /// So many consecutive words.
    Words(u32),
    /// So many consecutive characters; a blank stands after each word.
    Characters(u32),
}

/// How much a part counts that occurs tf times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TermWeights {
    /// As often as it occurs
    #[default]
    Count,
    /// Once, however often it occurs
    Once,
    /// 1 + the whole part of log2 of how often it occurs
    Log,
}

impl TermWeights {
    /// The weight of a part that occurs so often, at least once.
    pub(super) fn of(self, tf: u64) -> u64 {
        match self {
            TermWeights::Count => tf,
            TermWeights::Once => 1,
            TermWeights::Log => 1 + u64::from(tf.max(1).ilog2()),
        }
    }
}

/// The signals of a fingerprint. Fingerprints of different signals cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signals {
    /// The parts.
    pub unit: TextUnit,
    /// The bits of a fingerprint, the lowest ones of a word.
    pub bits: u32,
    /// How much a part counts.
    pub weights: TermWeights,
}

impl Signals {
    /// As the manifest of a bundle has them.
    pub(crate) fn record(self) -> FingerprintRecord {
        FingerprintRecord {
            signals: self.unit.to_string(),
            bits: self.bits,
            weights: self.weights.to_string(),
        }
    }
}

/// The words of a part by default.
const WORDS: u32 = 3;

/// The longest part.
pub(super) const LONGEST: usize = 16;

impl Default for Signals {
    fn default() -> Self {
        Signals {
            unit: TextUnit::Words(WORDS),
            bits: 64,
            weights: TermWeights::default(),
        }
    }
}

impl TextUnit {
    /// How many words or characters a part has.
    pub(super) fn length(self) -> usize {
        let (TextUnit::Words(n) | TextUnit::Characters(n)) = self;
        n.clamp(1, LONGEST as u32) as usize
    }
}

impl std::fmt::Display for TermWeights {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            TermWeights::Count => "count",
            TermWeights::Once => "once",
            TermWeights::Log => "log",
        })
    }
}

impl std::fmt::Display for TextUnit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TextUnit::Words(n) => write!(out, "words={n}"),
            TextUnit::Characters(n) => write!(out, "characters={n}"),
        }
    }
}

impl FromStr for TextUnit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = text.split_once('=').and_then(|(name, n)| {
            let n = n
                .parse()
                .ok()
                .filter(|n| (1..=LONGEST as u32).contains(n))?;
            match name {
                "words" => Some(TextUnit::Words(n)),
                "characters" => Some(TextUnit::Characters(n)),
                _ => None,
            }
        });
        read.ok_or("write words=N or characters=N, with N from 1 to 16")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_written() {
        for text in ["words=1", "words=16", "characters=5"] {
            assert_eq!(text.parse::<TextUnit>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "words",
            "words=0",
            "words=17",
            "letters=3",
            "words=x",
            "words=-1",
        ] {
            assert!(text.parse::<TextUnit>().is_err(), "{text}");
        }
    }

    #[test]
    fn weights_are_those_of_the_definition() {
        let of = |weights: TermWeights| [1, 2, 3, 4, 1 << 40].map(|tf| weights.of(tf));
        assert_eq!(of(TermWeights::Count), [1, 2, 3, 4, 1 << 40]);
        assert_eq!(of(TermWeights::Once), [1; 5]);
        assert_eq!(of(TermWeights::Log), [1, 2, 2, 3, 41]);
    }
}
