//! The `.properties` file of a BVGraph: counts, endianness, codes and window.
//!
//! Files written by Java (version 0, big endian) and by Rust (either endianness) are understood,
//! with every code that either may name.

use super::meter::stated_properties;
use crate::csr::check_num_nodes;
use dsi_bitstream::dispatch::Codes;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use webrank_base::error::{Error, Result};
use webrank_base::shown::{quoted, shown};

/// The order of bits within the words of a graph file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endianness {
    /// The order of Java, and the default.
    Big,
    /// Written by Rust tools only.
    Little,
}

/// An instantaneous code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// A code of the `dsi-bitstream` crate.
    Standard(Codes),
    /// Groups of three bits, each preceded by a stop bit: an option of Java for residuals.
    Nibble,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Standard(code) => write!(f, "{}", code.to_string().to_lowercase()),
            Code::Nibble => write!(f, "nibble"),
        }
    }
}

/// The code of each component of a successor list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComponentCodes {
    /// Outdegrees.
    pub outdegrees: Code,
    /// Distances to the referenced list.
    pub references: Code,
    /// Numbers of copy blocks.
    pub block_counts: Code,
    /// Lengths of copy blocks.
    pub blocks: Code,
    /// Counts, left extremes and lengths of intervals.
    pub intervals: Code,
    /// Residual successors.
    pub residuals: Code,
}

impl Default for ComponentCodes {
    fn default() -> Self {
        let gamma = Code::Standard(Codes::Gamma);
        ComponentCodes {
            outdegrees: gamma,
            references: Code::Standard(Codes::Unary),
            block_counts: gamma,
            blocks: gamma,
            intervals: gamma,
            residuals: Code::Standard(Codes::Zeta(3)),
        }
    }
}

/// The content of a `.properties` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// Number of nodes, below 2^32.
    pub nodes: usize,
    /// Number of arcs.
    pub arcs: u64,
    /// Bit order of the graph file.
    pub endianness: Endianness,
    /// How far back a list may refer; 0 means no references.
    pub window: usize,
    /// Shortest run of successors written as an interval; 0 means no intervals.
    pub min_interval: usize,
    /// The longest chain of references, when declared.
    pub max_references: Option<usize>,
    /// The codes used.
    pub codes: ComponentCodes,
    /// The code of the `.offsets` file.
    pub offsets_code: Code,
    /// Length of the bitstream in bits, when declared.
    pub bits: Option<u64>,
    /// The bits and arcs of the components of the lists, as Java states them.
    pub stated: Stated,
}

/// Properties that state a count.
pub type Stated = BTreeMap<&'static str, u64>;

impl Properties {
    /// Parses the bytes of the properties file at `path` (used in messages only).
    ///
    /// # Errors
    /// If a property is missing, malformed or names something this version cannot read; if the
    /// graph has 2^32 nodes or more.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let map = java_properties::read(&ascii(bytes)[..]).map_err(|problem| {
            let problem = shown(&problem.to_string());
            Error::file(
                path,
                format!(
                    "not a properties file ({}); copy it again",
                    shown(&problem.to_string())
                ),
            )
        })?;
        let reader = Reader { path, map };
        let class = reader.get("graphclass").unwrap_or_default();
        if !class.ends_with("BVGraph") {
            return Err(reader.refuse(format!(
                "graphclass is {}, but only BVGraph files can be read; convert it with \
                 WebGraph, or import its arcs with 'rank import'",
                quoted(class)
            )));
        }
        let nodes: u64 = reader.number("nodes", None)?;
        check_num_nodes(nodes).map_err(|problem| reader.refuse(problem.to_string()))?;
        let endianness = match reader.get("endianness") {
            None | Some("big") => Endianness::Big,
            Some("little") => Endianness::Little,
            Some(other) => {
                let other = quoted(other);
                let problem = format!("endianness is {other}; it must be 'big' or 'little'");
                return Err(reader.refuse(problem));
            }
        };
        let (codes, offsets_code) = reader.codes()?;
        Ok(Properties {
            nodes: nodes as usize,
            arcs: reader.number("arcs", None)?,
            endianness,
            window: reader.number("windowsize", Some(7))?,
            min_interval: reader.number("minintervallength", Some(4))?,
            max_references: (reader.get("maxrefcount")).and_then(|count| count.parse().ok()),
            codes,
            offsets_code,
            bits: reader.get("length").and_then(|bits| bits.parse().ok()),
            stated: reader.stated(),
        })
    }
}

/// The text with all other letters of ISO 8859-1 as escapes: the reader of properties panics if a
/// file ends in one.
fn ascii(bytes: &[u8]) -> Vec<u8> {
    let mut ascii = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        match byte.is_ascii() {
            true => ascii.push(byte),
            false => ascii.extend(format!("\\u{byte:04x}").bytes()),
        }
    }
    ascii
}

struct Reader<'p> {
    path: &'p Path,
    map: HashMap<String, String>,
}

impl Reader<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.map.get(key).map(|value| value.trim())
    }

    fn refuse(&self, problem: impl Into<String>) -> Error {
        Error::file(self.path, problem)
    }

    fn number<T: FromStr>(&self, key: &str, default: Option<T>) -> Result<T> {
        match self.get(key) {
            Some(text) => text.parse().map_err(|_| {
                self.refuse(format!(
                    "{key} is {}; it must be a nonnegative integer",
                    quoted(text)
                ))
            }),
            None => default.ok_or_else(|| {
                self.refuse(format!(
                    "no property '{key}'; the file is incomplete: copy it again"
                ))
            }),
        }
    }

    fn stated(&self) -> Stated {
        let number = |name| Some((name, self.get(name)?.parse().ok()?));
        stated_properties().filter_map(number).collect()
    }

    /// The codes of the components and of the offsets file.
    fn codes(&self) -> Result<(ComponentCodes, Code)> {
        let k: u64 = self.number("zetak", Some(3))?;
        let mut codes = ComponentCodes::default();
        let mut offsets = Code::Standard(Codes::Gamma);
        let mut block_counts = None;
        let mut residuals = None;
        let flags = self.get("compressionflags").unwrap_or_default();
        for flag in flags.split('|').map(str::trim).filter(|f| !f.is_empty()) {
            let (component, name) = flag.rsplit_once('_').unwrap_or((flag, ""));
            let code = self.code(flag, name, k)?;
            match component {
                "OUTDEGREES" => codes.outdegrees = code,
                "REFERENCES" => codes.references = code,
                "BLOCKS" => codes.blocks = code,
                "BLOCK_COUNT" => block_counts = Some(code),
                "INTERVALS" => codes.intervals = code,
                "RESIDUALS" => residuals = Some(code),
                "OFFSETS" => offsets = code,
                _ => return Err(self.refuse(format!("unknown compression flag {}", quoted(flag)))),
            }
        }
        // Java's default code for residuals is zeta with the parameter of the file.
        codes.residuals = match residuals {
            Some(code) => code,
            None => self.code("RESIDUALS_ZETA", "ZETA", k)?,
        };
        // Java has a flag for block counts. The Rust library, which always writes the
        // endianness, codes them like blocks.
        if self.get("endianness").is_some() {
            codes.block_counts = codes.blocks;
        }
        if let Some(code) = block_counts {
            codes.block_counts = code;
        }
        Ok((codes, offsets))
    }

    fn code(&self, flag: &str, name: &str, k: u64) -> Result<Code> {
        let standard = match name {
            "NIBBLE" => return Ok(Code::Nibble),
            "UNARY" => Codes::Unary,
            "GAMMA" => Codes::Gamma,
            "DELTA" => Codes::Delta,
            "OMEGA" => Codes::Omega,
            "ZETA" if (1..=7).contains(&k) => Codes::Zeta(k as usize),
            "GOLOMB" if (1..=10).contains(&k) => Codes::Golomb(k),
            "ZETA" | "GOLOMB" => {
                return Err(self.refuse(format!(
                    "zetak is {k}, which is out of range for the compression flag {}",
                    quoted(flag)
                )));
            }
            _ => match name.bytes().last().map(|digit| digit.wrapping_sub(b'0')) {
                Some(k @ 1..=7) if name.starts_with("ZETA") && name.len() == 5 => {
                    Codes::Zeta(k as usize)
                }
                Some(k @ 1..=4) if name.starts_with("PI") && name.len() == 3 => {
                    Codes::Pi(k as usize)
                }
                _ => {
                    return Err(self.refuse(format!(
                        "the compression flag {} names a code this version cannot read",
                        quoted(flag)
                    )));
                }
            },
        };
        Ok(Code::Standard(standard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Properties> {
        let all = format!("graphclass=it.unimi.dsi.webgraph.BVGraph\n{text}");
        Properties::parse(Path::new("x.properties"), all.as_bytes())
    }

    #[test]
    fn java_defaults_apply() {
        let properties = parse("nodes=3\narcs=2\nzetak=5\ncompressionflags=").unwrap();
        assert_eq!((properties.nodes, properties.arcs), (3, 2));
        assert_eq!((properties.window, properties.min_interval), (7, 4));
        assert_eq!(properties.endianness, Endianness::Big);
        let residuals = Code::Standard(Codes::Zeta(5));
        let defaults = ComponentCodes::default();
        assert_eq!(
            properties.codes,
            ComponentCodes {
                residuals,
                ..defaults
            }
        );
        let without = parse("nodes=3\narcs=2\ncompressionflags=").unwrap();
        assert_eq!(without.codes, defaults);
        let named = parse("nodes=3\narcs=2\nzetak=5\ncompressionflags=RESIDUALS_GAMMA").unwrap();
        assert_eq!(named.codes.residuals, Code::Standard(Codes::Gamma));
    }

    #[test]
    fn java_and_rust_differ_on_block_counts() {
        let delta = Code::Standard(Codes::Delta);
        let java = parse("nodes=3\narcs=2\ncompressionflags=BLOCKS_DELTA").unwrap();
        assert_eq!(java.codes.blocks, delta);
        assert_eq!(java.codes.block_counts, Code::Standard(Codes::Gamma));
        let rust = parse("nodes=3\narcs=2\nendianness=big\ncompressionflags=BLOCKS_DELTA");
        assert_eq!(rust.unwrap().codes.block_counts, delta);
        let flags = "nodes=3\narcs=2\ncompressionflags=BLOCK_COUNT_UNARY|RESIDUALS_NIBBLE";
        let both = parse(flags).unwrap().codes;
        assert_eq!(both.block_counts, Code::Standard(Codes::Unary));
        assert_eq!(both.residuals, Code::Nibble);
    }

    #[test]
    fn codes_with_their_parameter_in_the_name() {
        let flags = "nodes=3\narcs=2\ncompressionflags=RESIDUALS_ZETA7|OUTDEGREES_PI4";
        let codes = parse(flags).unwrap().codes;
        assert_eq!(codes.residuals, Code::Standard(Codes::Zeta(7)));
        assert_eq!(codes.outdegrees, Code::Standard(Codes::Pi(4)));
        let golomb = parse("nodes=1\narcs=0\nzetak=6\ncompressionflags=RESIDUALS_GOLOMB");
        assert_eq!(
            golomb.unwrap().codes.residuals,
            Code::Standard(Codes::Golomb(6))
        );
    }

    #[test]
    fn what_cannot_be_read_is_refused_by_name() {
        for (text, word) in [
            ("arcs=2", "nodes"),
            ("nodes=3", "arcs"),
            ("nodes=-3\narcs=2", "nodes"),
            ("nodes=4294967296\narcs=2", "4294967296"),
            ("nodes=3\narcs=2\nendianness=middle", "middle"),
            (
                "nodes=3\narcs=2\ncompressionflags=RESIDUALS_ZETA8",
                "RESIDUALS_ZETA8",
            ),
            (
                "nodes=3\narcs=2\ncompressionflags=LABELS_GAMMA",
                "LABELS_GAMMA",
            ),
            (
                "nodes=3\narcs=2\nzetak=9\ncompressionflags=RESIDUALS_ZETA",
                "zetak is 9",
            ),
            ("nodes=3\narcs=2\nzetak=9", "zetak is 9"),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
        for bytes in [&b"\xff"[..], b"nodes=3\n\xe9", b"x=\xe9\\"] {
            assert!(Properties::parse(Path::new("x.properties"), bytes).is_err());
        }
        let other = Properties::parse(Path::new("x.properties"), b"graphclass=EFGraph\n");
        assert!(other.unwrap_err().to_string().contains("EFGraph"));
    }
}
