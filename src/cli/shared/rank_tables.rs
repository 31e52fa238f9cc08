//! PageRank and harmonic centrality of a graph in one table, in the layout of Common Crawl's releases.

use flate2::write::GzEncoder;
use std::io::{BufWriter, Write};
use std::path::Path;
use webrank::{Graph, Limits, Measure};
use webrank_base::error::{Error, Result};
use webrank_base::output::PendingFile;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::bundle::FileEntry;
use webrank_scores::Scores;
use webrank_scores::manifest::{Manifest, path_beside};
use webrank_scores::ranked::Ranked;
use webrank_tables::table::{Column, Table};
use webrank_tables::write::{TableFormat, write as write_table};
use webrank_terminal::options::Global;

/// The ranks of a graph by a measure.
///
/// # Errors
/// As for the measure, also if it did not converge.
pub fn ranked(
    measure: &dyn Measure,
    graph: &Graph,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Ranked> {
    Global::log_memory(measure.about().name, &measure.plan(graph, limits)?);
    measure.compute(graph, limits, progress)?.converged()
}

/// A graph with its ranks.
pub struct RankTables<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Its harmonic centralities.
    pub harmonic: &'a Ranked,
    /// Its PageRank.
    pub pagerank: &'a Ranked,
    /// The number of hosts of each domain.
    pub hosts: Option<Vec<u32>>,
    /// The header of the column of names.
    pub name_header: &'static str,
}

impl RankTables<'_> {
    /// The ranks as text and as Parquet, and the manifest of the latter.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn tables(&self, text: &Path, columns: &Path) -> Result<Vec<PendingFile>> {
        let mut ranks = PendingFile::create(text)?;
        let encoder = GzEncoder::new(&mut ranks, flate2::Compression::default());
        let mut out = BufWriter::with_capacity(1 << 16, encoder);
        let written = self.write_ranks(&mut out).and_then(|()| {
            let encoder = out.into_inner().map_err(|problem| problem.into_error())?;
            encoder.finish().map(drop)
        });
        written.map_err(|source| Error::io(text, "cannot write", source))?;
        let mut table = PendingFile::create(columns)?;
        let mut manifest = self.manifest()?;
        let inside = manifest.of_scores();
        let of_table = self.table().into_columns();
        write_table(&of_table, TableFormat::Parquet, Some(&inside), &mut table)
            .map_err(|source| Error::io(columns, "cannot write", source))?;
        let beside = path_beside(columns);
        manifest.describe(columns, FileEntry::new(table.checksum()));
        let mut file = PendingFile::beside(&beside, columns)?;
        let written = file.write_all(manifest.text().as_bytes());
        written.map_err(|source| Error::io(&beside, "cannot write", source))?;
        Ok(vec![ranks, table, file])
    }

    /// The ranks in Common Crawl's layout. Positions go from 1 to the number of nodes: of nodes that
    /// tie, the one with the smaller number comes first.
    fn write_ranks(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mut positions = vec![0; self.graph.num_nodes()];
        for (position, &node) in (1u32..).zip(self.pagerank.ranking().order()) {
            positions[node as usize] = position;
        }
        let (harmonic, pagerank) = (self.harmonic.values(), self.pagerank.values());
        write!(out, "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t")?;
        write!(out, "{}", self.name_header)?;
        writeln!(
            out,
            "{}",
            if self.hosts.is_some() {
                "\t#n_hosts"
            } else {
                ""
            }
        )?;
        for (position, &node) in (1u32..).zip(self.harmonic.ranking().order()) {
            let place = node as usize;
            let (centrality, score) = (java_double(harmonic[place]), java_double(pagerank[place]));
            let (pr_pos, name) = (positions[place], self.graph.name(node));
            write!(out, "{position}\t{centrality}\t{pr_pos}\t{score}\t{name}")?;
            match &self.hosts {
                Some(hosts) => writeln!(out, "\t{}", hosts[place])?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    }

    fn table(&self) -> Table<'_> {
        fn ranks(ranked: &Ranked) -> Column<'_> {
            Column::Counts(ranked.ranking().ranks())
        }
        let mut columns = vec![
            ("harmonic", Column::Numbers(self.harmonic.values())),
            ("harmonic_rank", ranks(self.harmonic)),
            ("pagerank", Column::Numbers(self.pagerank.values())),
            ("pagerank_rank", ranks(self.pagerank)),
        ];
        let intervals = self.harmonic.intervals().zip(self.harmonic.rank_ranges());
        if let Some((intervals, ranks)) = intervals {
            columns.extend([
                ("harmonic_lower", Column::Numbers(&intervals.lower)),
                ("harmonic_upper", Column::Numbers(&intervals.upper)),
                ("harmonic_rank_from", Column::Counts(&ranks.from)),
                ("harmonic_rank_to", Column::Counts(&ranks.to)),
            ]);
        }
        if let Some(certainty) = self.pagerank.certainty() {
            columns.push(("pagerank_certain", Column::Flags(certainty.certain())));
        }
        if let Some(hosts) = &self.hosts {
            columns.push(("n_hosts", Column::Counts(hosts)));
        }
        Table {
            nodes: None,
            num_nodes: self.graph.num_nodes(),
            names: self.graph.names(),
            columns: columns
                .into_iter()
                .map(|(header, column)| (header.into(), column))
                .collect(),
        }
    }

    fn manifest(&self) -> Result<Manifest> {
        let run = |ranked: &'_ Ranked| -> Scores { ranked.columns()[0].1.clone() };
        let (harmonic, pagerank) = (run(self.harmonic).run, run(self.pagerank).run);
        let notes: Vec<String> = [self.harmonic.notes(), self.pagerank.notes()].concat();
        let columns = [("harmonic", &harmonic), ("pagerank", &pagerank)];
        let mut manifest = Manifest::of(self.graph, columns, &notes, &Phases::start())?;
        let claim = self.harmonic.intervals().map(|intervals| intervals.claim);
        let claims = claim.map(|claim| ("harmonic".to_owned(), claim));
        manifest.intervals = claims.into_iter().collect();
        Ok(manifest)
    }
}

/// A number as Java writes it: Common Crawl's files come from Java.
fn java_double(value: f64) -> String {
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        return format!("{value:?}");
    }
    let text = format!("{value:E}");
    match text.split_once('E') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_java_writes_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.001, "0.001"),
            (0.0005, "5.0E-4"),
            (1234567.25, "1234567.25"),
            (2.7541256e7, "2.7541256E7"),
            (1e7, "1.0E7"),
            (1.5e-9, "1.5E-9"),
        ] {
            assert_eq!(java_double(value), text);
        }
    }
}
