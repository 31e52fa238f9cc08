//! Tables as files: text (CSV, TSV, JSON lines), Parquet, Arrow, or numpy's `.npy`.
//!
//! * `text`: CSV, TSV and JSON lines, formatted in parallel;
//! * `parquet`: [Parquet](https://parquet.apache.org);
//! * `arrow`: [Arrow's file format](https://arrow.apache.org/docs/format/Columnar.html), also known
//!   as IPC file and Feather;
//! * `npy`: arrays of numpy.
//!
//! The bytes of a table depend on its cells alone.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod text;

#[cfg(feature = "parquet")]
pub use parquet::Writer as ParquetWriter;

use super::table::ColumnTable;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use webrank_base::error::{Error, Result};

/// The key of the manifest among the metadata of Parquet and Arrow files.
pub const METADATA_KEY: &str = "webrank";

/// A format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Fields between commas, after a header.
    Csv,
    /// Fields between tabs, after a header.
    Tsv,
    /// A JSON object in each line.
    JsonLines,
    /// Parquet.
    Parquet,
    /// Arrow's file format.
    Arrow,
    /// An array of numpy: the scores, by node.
    Npy,
}

/// How files of text are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// As by gzip.
    Gzip,
    /// As by zstd.
    Zstd,
}

impl Compression {
    /// The compression that the extension of `path` names.
    pub fn of(path: &Path) -> Self {
        match extension(path).as_str() {
            "gz" => Compression::Gzip,
            "zst" => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// Writes through the compressor.
    ///
    /// # Errors
    /// The writer's errors.
    pub fn write(
        self,
        out: &mut (dyn Write + Send),
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Compression::None => write(out),
            Compression::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(out, Default::default());
                write(&mut encoder)?;
                encoder.finish().map(drop)
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, 0)?;
                write(&mut encoder)?;
                encoder.finish().map(drop)
            }
        }
    }
}

/// Extensions of formats that are not written, and what to write instead.
const OTHERS: [(&str, &str); 9] = [
    ("json", ".jsonl, an object in each line"),
    ("npz", ".npy"),
    ("xlsx", ".csv"),
    ("ods", ".csv"),
    ("orc", ".parquet"),
    ("avro", ".parquet"),
    ("h5", ".npy or .parquet"),
    ("pkl", ".npy or .parquet"),
    ("pickle", ".npy or .parquet"),
];

impl TableFormat {
    /// The format that the extension of `path` names, before `.gz` or `.zst`; CSV if it names none.
    ///
    /// # Errors
    /// If it names a format that is not written, or not by this build, or if a binary format would be
    /// compressed as a whole.
    pub fn of(path: &Path) -> Result<Self> {
        let compression = Compression::of(path);
        let inner = match compression {
            Compression::None => path,
            _ => Path::new(path.file_stem().unwrap_or_default()),
        };
        let name = extension(inner);
        let format = match name.as_str() {
            "tsv" | "tab" => TableFormat::Tsv,
            "jsonl" | "ndjson" => TableFormat::JsonLines,
            "parquet" => TableFormat::Parquet,
            "arrow" | "feather" | "ipc" => TableFormat::Arrow,
            "npy" => TableFormat::Npy,
            _ => TableFormat::Csv,
        };
        if let Some((_, remedy)) = OTHERS.iter().find(|(other, _)| *other == name) {
            let problem = format!("tables are not written as .{name}; write {remedy}");
            return Err(Error::file(path, problem));
        }
        if !format.is_text() && compression != Compression::None {
            let problem =
                format!("only text is compressed as a whole; write to a file that ends in .{name}");
            return Err(Error::file(path, problem));
        }
        if !format.is_built() {
            let problem = format!(
                "this build does not write .{name}; write .csv, or build it with the feature formats"
            );
            return Err(Error::file(path, problem));
        }
        Ok(format)
    }

    /// True if it is part of this build.
    fn is_built(self) -> bool {
        let optional = [
            (TableFormat::Parquet, cfg!(feature = "parquet")),
            (TableFormat::Arrow, cfg!(feature = "arrow")),
            (TableFormat::Npy, cfg!(feature = "npy")),
        ];
        optional
            .iter()
            .all(|&(format, is_built)| is_built || format != self)
    }

    /// True for formats of text.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            TableFormat::Csv | TableFormat::Tsv | TableFormat::JsonLines
        )
    }

    /// True for formats that have room for a manifest.
    pub fn has_metadata(self) -> bool {
        matches!(self, TableFormat::Parquet | TableFormat::Arrow)
    }
}

/// The last extension, in small letters.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// Writes a table as CSV.
///
/// # Errors
/// The writer's errors.
pub fn write_csv(columns: &ColumnTable, out: &mut dyn Write) -> io::Result<()> {
    text::write_delimited(columns, b',', out)
}

/// Writes a table in this format; `manifest` is stored in its metadata, if it has any.
///
/// # Errors
/// The writer's errors; if the format cannot hold the table, or is not part of this build.
pub fn write(
    columns: &ColumnTable,
    format: TableFormat,
    manifest: Option<&str>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    match format {
        TableFormat::Csv => write_csv(columns, out),
        TableFormat::Tsv => text::write_delimited(columns, b'\t', out),
        TableFormat::JsonLines => text::write_json_lines(columns, out),
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => parquet::write(columns, manifest, out),
        #[cfg(feature = "arrow")]
        TableFormat::Arrow => arrow::write(columns, manifest, out),
        #[cfg(feature = "npy")]
        TableFormat::Npy => npy::write(columns, out),
        #[allow(unreachable_patterns)]
        _ => {
            let _ = manifest;
            Err(io::Error::other(
                "this build does not write the format; write .csv",
            ))
        }
    }
}

/// Writes a table to a file at `path`, in the format that its extension names; `manifest` is stored
/// in its metadata, if it has any.
///
/// # Errors
/// If the format cannot hold the table, and those of the writer.
pub fn write_file(
    columns: &ColumnTable,
    path: &Path,
    manifest: Option<&str>,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let format = TableFormat::of(path)?;
    write_compressed(path, out, |out| write(columns, format, manifest, out))
}

/// A table as batches of Arrow's format, with a manifest in the metadata of their schema.
///
/// # Errors
/// If a batch cannot be made.
#[cfg(feature = "arrow")]
pub fn batches(
    columns: &ColumnTable,
    manifest: Option<&str>,
) -> Result<impl arrow_array::RecordBatchReader + Send + use<>> {
    let problem = |source| Error::io("the table", "cannot be made", source);
    arrow::batches(columns, manifest).map_err(problem)
}

/// Writes through the compressor that the extension of `path` selects.
///
/// # Errors
/// The writer's errors.
pub fn write_compressed(
    path: &Path,
    out: &mut (dyn Write + Send),
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    let result = Compression::of(path).write(out, write);
    result.map_err(|source| Error::io(path, "cannot write", source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_formats() {
        for (name, format) in [
            ("x", TableFormat::Csv),
            ("x.csv", TableFormat::Csv),
            ("x.txt", TableFormat::Csv),
            ("x.csv.gz", TableFormat::Csv),
            ("x.TSV", TableFormat::Tsv),
            ("x.tsv.zst", TableFormat::Tsv),
            ("a.b/x.jsonl.gz", TableFormat::JsonLines),
            ("x.PARQUET", TableFormat::Parquet),
            ("x.arrow", TableFormat::Arrow),
            ("x.feather", TableFormat::Arrow),
            ("x.npy", TableFormat::Npy),
            ("x.npy.csv", TableFormat::Csv),
        ] {
            let found = TableFormat::of(name.as_ref());
            let is_right = found.as_ref().is_ok_and(|found| *found == format);
            assert_eq!(is_right, format.is_built(), "{name}: {found:?}");
        }
        for (name, words) in [
            ("x.json", "write .jsonl"),
            ("x.xlsx", "write .csv"),
            ("x.json.gz", "write .jsonl"),
            ("x.parquet.gz", "ends in .parquet"),
            ("x.npy.zst", "ends in .npy"),
        ] {
            let problem = TableFormat::of(name.as_ref()).unwrap_err().to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }
}
