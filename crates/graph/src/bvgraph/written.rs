//! The `.properties` file of a graph that was written.

use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::prelude::BE;
use webgraph::prelude::{CompFlags, CompStats};

/// The text of the `.properties` file.
///
/// The crate cannot name two zeta codes with different parameters, although it reads them. And Java
/// misreads what the crate calls version 0 if blocks or intervals are not in gamma: it has a flag of
/// its own for the number of blocks, and none for intervals. So what Java cannot read is version 1,
/// which Java refuses, and every code has its parameter in its name.
///
/// # Errors
/// If the format has no name for a code.
pub(super) fn written_properties(flags: &CompFlags, stats: &CompStats) -> Result<String, String> {
    let default = CompFlags::default();
    let named = [
        ("OUTDEGREES", flags.outdegrees, default.outdegrees),
        ("REFERENCES", flags.references, default.references),
        ("BLOCKS", flags.blocks, default.blocks),
        ("INTERVALS", flags.intervals, default.intervals),
        ("RESIDUALS", flags.residuals, default.residuals),
    ];
    let version = usize::from(!is_read_by_java(flags));
    let mut names = Vec::new();
    for (component, code, default) in named {
        if code != default {
            let name = CompFlags::code_to_str(code, version);
            let name = name.ok_or_else(|| format!("the format has no name for {code}"))?;
            names.push(format!("{component}_{name}"));
        }
    }
    let zetak = match flags.residuals {
        Codes::Zeta(k) => k,
        _ => 3,
    };
    let with_default_codes = CompFlags {
        outdegrees: default.outdegrees,
        references: default.references,
        blocks: default.blocks,
        intervals: default.intervals,
        residuals: default.residuals,
        ..*flags
    };
    let text = with_default_codes.to_properties::<BE>(stats);
    let text = text.map_err(|problem| format!("{problem:#}"))?;
    let mut written = String::new();
    for line in text.lines() {
        match line.split_once('=') {
            Some(("version", _)) => written += &format!("version={version}\n"),
            Some(("compressionflags", _)) => {
                written += &format!("compressionflags={}\n", names.join("|"));
            }
            Some(("zetak", _)) if version == 0 => written += &format!("zetak={zetak}\n"),
            Some(("zetak", _)) => {}
            _ => written += &format!("{line}\n"),
        }
    }
    Ok(written)
}

/// Whether Java's library reads files with these codes.
fn is_read_by_java(flags: &CompFlags) -> bool {
    use Codes::{Delta, Gamma, Unary, Zeta};
    matches!(flags.outdegrees, Gamma | Delta)
        && matches!(flags.references, Unary | Gamma | Delta)
        && flags.blocks == Gamma
        && flags.intervals == Gamma
        && matches!(flags.residuals, Gamma | Delta | Zeta(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvgraph::properties::{Code, Properties};
    use std::collections::HashMap;
    use std::path::Path;

    /// Every choice of codes is read again as it was written, by this crate and by `webgraph`.
    #[test]
    fn what_is_written_is_read() {
        let codes = [Codes::Unary, Codes::Gamma, Codes::Delta, Codes::Omega];
        let zetas = (1..=7).map(Codes::Zeta);
        let codes: Vec<Codes> = codes
            .into_iter()
            .chain(zetas)
            .chain((1..=4).map(Codes::Pi))
            .collect();
        let stats = CompStats {
            num_nodes: 3,
            num_arcs: 2,
            ..CompStats::default()
        };
        for &outdegrees in &codes {
            for &residuals in &codes {
                for &blocks in &codes {
                    let flags = CompFlags {
                        outdegrees,
                        blocks,
                        residuals,
                        compression_window: 16,
                        ..CompFlags::default()
                    };
                    let text = written_properties(&flags, &stats).unwrap();
                    let read = Properties::parse(Path::new("x"), text.as_bytes()).unwrap();
                    assert_eq!(read.codes.outdegrees, Code::Standard(outdegrees), "{text}");
                    assert_eq!(read.codes.residuals, Code::Standard(residuals), "{text}");
                    assert_eq!(read.codes.blocks, Code::Standard(blocks), "{text}");
                    assert_eq!(read.codes.block_counts, read.codes.blocks, "{text}");
                    assert_eq!(read.window, 16);
                    let map: HashMap<String, String> =
                        java_properties::read(text.as_bytes()).unwrap();
                    let crates = CompFlags::from_properties::<BE>(&map).unwrap();
                    assert_eq!(crates.outdegrees, outdegrees, "{text}");
                    assert_eq!(crates.residuals, residuals, "{text}");
                    assert_eq!(crates.blocks, blocks, "{text}");
                }
            }
        }
    }

    #[test]
    fn java_is_told_what_it_cannot_read() {
        let stats = CompStats::default();
        let default = CompFlags::default();
        let text = written_properties(&default, &stats).unwrap();
        assert_eq!(text, default.to_properties::<BE>(&stats).unwrap());
        assert!(text.contains("version=0\n"), "{text}");
        let blocks = CompFlags {
            blocks: Codes::Delta,
            ..default
        };
        let text = written_properties(&blocks, &stats).unwrap();
        assert!(
            text.contains("version=1\n") && !text.contains("zetak"),
            "{text}"
        );
        let residuals = CompFlags {
            residuals: Codes::Zeta(5),
            ..default
        };
        let text = written_properties(&residuals, &stats).unwrap();
        assert!(
            text.contains("version=0\n") && text.contains("zetak=5\n"),
            "{text}"
        );
        assert!(text.contains("compressionflags=RESIDUALS_ZETA\n"), "{text}");
    }
}
