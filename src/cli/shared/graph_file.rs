//! Graphs in the formats of other programs: the file, and the rows to write.

use clap::ValueEnum;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_base::progress::Progress;
use webrank_base::visible::VisibleWriter;
use webrank_formats::export::{ExportFormat, Exported};
use webrank_graph::{Compressed, Csr, Graph, Rows};
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_tables::write::{Compression, write_file};
use webrank_terminal::path_conflicts::nodes_beside;

/// A format of graphs, as the command line names it.
#[derive(Clone, Copy, ValueEnum)]
pub enum FormatName {
    /// A line for each arc
    Edges,
    /// The same, between commas
    Csv,
    /// The same, between tabs
    #[value(alias = "txt")]
    Tsv,
    /// A sparse matrix as text
    #[value(alias = "mtx")]
    Matrixmarket,
    /// A table of arcs
    Parquet,
    /// GraphML
    Graphml,
    /// GEXF, of Gephi
    Gexf,
    /// GML, for networkx, igraph, Gephi
    Gml,
    /// DOT, of Graphviz
    Dot,
    /// JSON of nodes and links, for networkx and d3
    Json,
    /// METIS: undirected graphs
    Metis,
    /// A sparse matrix of scipy
    Npz,
}

impl FormatName {
    fn format(self, path: &Path) -> ExportFormat {
        match self {
            FormatName::Edges => match ExportFormat::of(path) {
                Some(ExportFormat::Csv) => ExportFormat::Csv,
                _ => ExportFormat::Tsv,
            },
            FormatName::Csv => ExportFormat::Csv,
            FormatName::Tsv => ExportFormat::Tsv,
            FormatName::Matrixmarket => ExportFormat::MatrixMarket,
            FormatName::Parquet => ExportFormat::Parquet,
            FormatName::Graphml => ExportFormat::GraphMl,
            FormatName::Gexf => ExportFormat::Gexf,
            FormatName::Gml => ExportFormat::Gml,
            FormatName::Dot => ExportFormat::Dot,
            FormatName::Json => ExportFormat::Json,
            FormatName::Metis => ExportFormat::Metis,
            FormatName::Npz => ExportFormat::Npz,
        }
    }
}

/// A file that a graph is written to; it appears whole or not at all.
pub struct GraphFile {
    path: PathBuf,
    format: ExportFormat,
    /// None: the standard output.
    file: Option<PendingFile>,
    /// The table of nodes beside a list of arcs.
    nodes: Option<PendingFile>,
}

impl GraphFile {
    /// Starts the file, so that a wrong folder fails at once.
    pub fn create(path: &Path, name: Option<FormatName>) -> Result<Self> {
        let format = match name {
            Some(name) => name.format(path),
            None => ExportFormat::of(path).ok_or_else(|| {
                let problem = "its extension names no format of graphs; name one with --to";
                Error::file(path, problem)
            })?,
        };
        if !format.is_text() && Compression::of(path) != Compression::None {
            let problem = "only text is compressed as a whole; leave out .gz or .zst";
            return Err(Error::file(path, problem));
        }
        let is_stdout = path.as_os_str() == "-";
        Ok(GraphFile {
            path: path.to_owned(),
            format,
            file: if is_stdout {
                None
            } else {
                Some(PendingFile::create(path)?)
            },
            nodes: None,
        })
    }

    /// The file, for nodes with attributes. Lists of arcs have none: a table of nodes stands beside them,
    /// which Gephi reads, and 'rank import --nodes'.
    ///
    /// # Errors
    /// If the format has no place for attributes.
    pub fn with_columns(mut self) -> Result<Self> {
        let is_list =
            matches!(self.format, ExportFormat::Csv | ExportFormat::Tsv) && self.file.is_some();
        if self.format.has_attributes() {
            return Ok(self);
        }
        if !is_list {
            let problem = "the format has no columns of nodes; write .graphml, .gexf, .gml, .dot, .json, \
                           or .csv, beside which a table of nodes is written";
            return Err(Error::file(&self.path, problem));
        }
        self.nodes = Some(PendingFile::create(&nodes_beside(&self.path))?);
        Ok(self)
    }

    /// True if columns of nodes are kept, in the file or beside it.
    pub fn keeps_columns(&self) -> bool {
        self.format.has_attributes() || self.nodes.is_some()
    }

    /// Writes the table of nodes, if there is one: `Id`, `Label`, and the columns.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn write_nodes<'a>(
        &mut self,
        graph: &Exported<'a>,
        columns: Vec<NamedColumn<'a>>,
    ) -> Result<()> {
        let Some(file) = &mut self.nodes else {
            return Ok(());
        };
        let id = || match graph.names {
            Some(name) => Cells::Names(Box::new(move |row| name(row as Node))),
            None => Cells::Counts(Box::new(|row| row as Node)),
        };
        let has_label = columns
            .iter()
            .any(|field| field.name.eq_ignore_ascii_case("label"));
        let mut fields = vec![NamedColumn::new("Id", id())];
        if !has_label {
            fields.push(NamedColumn::new("Label", id()));
        }
        fields.extend(columns);
        let rows = graph.rows.num_nodes();
        write_file(
            &ColumnTable { rows, fields },
            &nodes_beside(&self.path),
            None,
            file,
        )
    }

    /// The format.
    pub fn format(&self) -> ExportFormat {
        self.format
    }

    /// Writes the graph; returns the number of nodes without arcs that the file does not hold.
    pub fn write(self, graph: &Exported) -> Result<u64> {
        match self.file {
            None => {
                let path = Path::new(webrank_terminal::options::STDOUT);
                let cannot = |source| Error::io(path, "cannot write", source);
                let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout());
                if !std::io::stdout().is_terminal() {
                    let lost = graph.write(self.format, path, &mut out)?;
                    out.flush().map_err(cannot)?;
                    return Ok(lost);
                }
                let mut out = VisibleWriter::new(out);
                let lost = graph.write(self.format, path, &mut out)?;
                out.finish().map_err(cannot)?;
                Ok(lost)
            }
            Some(mut file) => {
                let lost = graph.write(self.format, &self.path, &mut file)?;
                publish(self.nodes.into_iter().chain([file]))?;
                Ok(lost)
            }
        }
    }
}

/// Rows on disk, or in memory with the weights of the arcs.
pub enum LoadedRows {
    Disk(Box<Compressed>),
    Memory(Arc<Csr>, Option<Vec<f64>>),
}

impl LoadedRows {
    /// Rows that stay on disk if possible: in memory if they have weights or are `looked_up`.
    pub fn of(graph: &Graph, looked_up: bool, progress: &dyn Progress) -> Result<Self> {
        if let Some((rows, weights)) = graph.weighted_successors(progress)? {
            return Ok(LoadedRows::Memory(Arc::new(rows), Some(weights)));
        }
        match graph.source() {
            Some(source) if !looked_up => Ok(LoadedRows::Disk(Box::new(source.streamed()?))),
            _ => Ok(LoadedRows::Memory(graph.successors(progress)?, None)),
        }
    }

    /// The rows.
    pub fn rows(&self) -> &dyn Rows {
        match self {
            LoadedRows::Disk(rows) => &**rows,
            LoadedRows::Memory(rows, _) => &**rows,
        }
    }

    /// The weights.
    pub fn weights(&self) -> Option<&[f64]> {
        match self {
            LoadedRows::Memory(_, weights) => weights.as_deref(),
            LoadedRows::Disk(_) => None,
        }
    }
}
