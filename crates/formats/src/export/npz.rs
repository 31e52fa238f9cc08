//! A sparse matrix in compressed rows, as `scipy.sparse.load_npz` reads it: entry (x, y) is the
//! weight of the arc x -> y, 1 if arcs have no weights.
//!
//! The parts are compressed, and carry no date: equal graphs give equal bytes.

use super::{Exported, Failure, Written};
use std::io::{self, Write};
use webrank_base::output::{Failed, Sink};
use webrank_tables::numpy::write_header;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

pub(super) fn write(graph: &Exported, out: &mut (dyn Write + Send)) -> Written {
    // An archive that cannot be finished would print a line of its own.
    let failed = Failed::default();
    let parts = Parts {
        archive: ZipWriter::new_stream(failed.sink(out)),
        failed: failed.clone(),
    };
    let written = write_parts(graph, parts);
    failed.check().map_err(Failure::Write)?;
    written
}

/// The archive, part by part.
struct Parts<'w> {
    archive: ZipWriter<StreamWriter<Sink<&'w mut (dyn Write + Send)>>>,
    failed: Failed,
}

fn write_parts(graph: &Exported, mut parts: Parts) -> Written {
    let (n, arcs) = (graph.num_nodes() as u64, graph.rows.num_arcs());
    // As scipy chooses them.
    if n.max(arcs) <= i32::MAX as u64 {
        indices(graph, &mut parts, "<i4", |index| {
            (index as i32).to_le_bytes()
        })?;
    } else {
        indices(graph, &mut parts, "<i8", |index| {
            (index as i64).to_le_bytes()
        })?;
    }
    parts.start("format.npy", "|S3", &[])?;
    parts.archive.write_all(b"csr")?;
    parts.array("shape.npy", "<i8", 2, |push| {
        push((n as i64).to_le_bytes())?;
        push((n as i64).to_le_bytes())
    })?;
    parts.array("data.npy", "<f8", arcs, |push| match graph.weights {
        Some(weights) => weights
            .iter()
            .try_for_each(|&weight| push(weight.to_le_bytes())),
        None => (0..arcs).try_for_each(|_| push(1f64.to_le_bytes())),
    })?;
    parts.archive.finish().map_err(io::Error::from)?;
    Ok(())
}

/// The columns of each row, and where rows start, as numbers of this type.
fn indices<const BYTES: usize>(
    graph: &Exported,
    parts: &mut Parts,
    kind: &str,
    index: impl Fn(u64) -> [u8; BYTES],
) -> Written {
    parts.array("indices.npy", kind, graph.rows.num_arcs(), |push| {
        graph.each_arc(|_, target, _| push(index(u64::from(target))))
    })?;
    parts.array("indptr.npy", kind, graph.num_nodes() as u64 + 1, |push| {
        let mut end = 0;
        push(index(end))?;
        graph.each_row(&mut |_, row, _| {
            end += row.len() as u64;
            push(index(end))
        })
    })
}

impl Parts<'_> {
    /// A list of numbers of this type, as their bytes.
    fn array<const BYTES: usize>(
        &mut self,
        name: &str,
        kind: &str,
        length: u64,
        fill: impl FnOnce(&mut dyn FnMut([u8; BYTES]) -> Written) -> Written,
    ) -> Written {
        self.start(name, kind, &[length])?;
        let Parts { archive, failed } = self;
        fill(&mut |number| {
            if failed.is_some() {
                return Err(Failure::Write(io::Error::other("nothing can be written")));
            }
            archive.write_all(&number).map_err(Failure::Write)
        })
    }

    /// The header of an array.
    fn start(&mut self, name: &str, kind: &str, shape: &[u64]) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(1))
            .last_modified_time(DateTime::default())
            .large_file(true);
        let started = self.archive.start_file(name, options);
        started.map_err(io::Error::from)?;
        write_header(&mut self.archive, kind, shape)
    }
}
