//! Parquet files: opening them, and what is wrong with them.

use parquet::basic::{ConvertedType, IntType, LogicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// Opens a file; its columns lie inside it.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn open(path: &Path) -> Result<SerializedFileReader<File>> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let file = SerializedFileReader::new(file).map_err(|problem| damaged(path, &problem))?;
    check_places(path, file.metadata(), length)?;
    Ok(file)
}

/// Fails if a column is said to lie outside the file: the reader does not check this.
fn check_places(path: &Path, metadata: &ParquetMetaData, length: u64) -> Result<()> {
    let mut columns = metadata.row_groups().iter().flat_map(|g| g.columns());
    let is_inside = |column: &ColumnChunkMetaData| {
        let pages = column.data_page_offset();
        let start = column.dictionary_page_offset().unwrap_or(pages);
        let start = u64::try_from(start).ok();
        let end = start.zip(u64::try_from(column.compressed_size()).ok());
        let end = end.and_then(|(start, size)| start.checked_add(size));
        pages >= 0 && column.num_values() >= 0 && end.is_some_and(|end| end <= length)
    };
    match columns.find(|column| !is_inside(column)) {
        Some(column) => {
            let name = quoted(&column.column_path().string());
            let problem = format!("the pages of column {name} lie outside the file");
            Err(damaged(path, &ParquetError::General(problem)))
        }
        None => Ok(()),
    }
}

/// An error of the reader.
pub fn damaged(path: &Path, problem: &ParquetError) -> Error {
    // Some of these messages have several lines.
    let problem = problem.to_string();
    let problem = problem.split_whitespace().collect::<Vec<_>>().join(" ");
    Error::file(
        path,
        format!(
            "not a Parquet table that can be read: {problem}; write it again with zstd, snappy, gzip \
             or no compression"
        ),
    )
}

/// What is wrong where the reader panics.
pub fn malformed(path: &Path) -> Error {
    let problem = ParquetError::General("its pages do not fit together".into());
    damaged(path, &problem)
}

/// Whether integers of a column are signed; none if it holds something else.
pub fn is_signed(column: &ColumnDescriptor) -> Option<bool> {
    match column.logical_type_ref() {
        Some(LogicalType::Integer(IntType { is_signed, .. })) => Some(*is_signed),
        Some(_) => None,
        None => match column.converted_type() {
            ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => Some(true),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Some(false),
            _ => None,
        },
    }
}
