//! A sparse matrix in compressed rows, as `scipy.sparse.load_npz` reads it: entry (x, y) is the
//! weight of the arc x -> y, 1 if arcs have no weights.
//!
//! The parts are compressed, and carry no date: equal graphs give equal bytes.

use super::{Exported, Failure, Written};
use npyz::{AutoSerialize, DType, Serialize, WriteOptions, WriterBuilder};
use std::io::{self, Write};
use webrank_base::output::{Failed, Sink};
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
        indices(graph, &mut parts, |index| index as i32)?;
    } else {
        indices(graph, &mut parts, |index| index as i64)?;
    }
    let name: npyz::TypeStr = "|S3".parse().expect("a type of numpy");
    parts.start("format.npy")?;
    let options = WriteOptions::<[u8]>::new().dtype(DType::new_scalar(name));
    let mut array = options.shape(&[]).writer(&mut parts.archive).begin_nd()?;
    array.push(b"csr")?;
    array.finish()?;
    parts.array("shape.npy", 2, |push| {
        push(n as i64)?;
        push(n as i64)
    })?;
    parts.array("data.npy", arcs, |push| match graph.weights {
        Some(weights) => weights.iter().try_for_each(|&weight| push(weight)),
        None => (0..arcs).try_for_each(|_| push(1.0)),
    })?;
    parts.archive.finish().map_err(io::Error::from)?;
    Ok(())
}

/// The columns of each row, and where rows start.
fn indices<T: AutoSerialize + Copy>(
    graph: &Exported,
    parts: &mut Parts,
    index: impl Fn(u64) -> T,
) -> Written {
    parts.array("indices.npy", graph.rows.num_arcs(), |push| {
        graph.each_arc(|_, target, _| push(index(u64::from(target))))
    })?;
    parts.array("indptr.npy", graph.num_nodes() as u64 + 1, |push| {
        let mut end = 0;
        push(index(end))?;
        graph.each_row(&mut |_, row, _| {
            end += row.len() as u64;
            push(index(end))
        })
    })
}

impl Parts<'_> {
    /// A list of numbers.
    fn array<T: AutoSerialize>(
        &mut self,
        name: &str,
        length: u64,
        fill: impl FnOnce(&mut dyn FnMut(T) -> Written) -> Written,
    ) -> Written {
        self.start(name)?;
        let options = WriteOptions::<T>::new().dtype(little_endian::<T>());
        let shape = [length];
        let mut array = options.shape(&shape).writer(&mut self.archive).begin_nd()?;
        let failed = &self.failed;
        fill(&mut |number| {
            if failed.is_some() {
                return Err(Failure::Write(io::Error::other("nothing can be written")));
            }
            array.push(&number).map_err(Failure::Write)
        })?;
        array.finish()?;
        Ok(())
    }

    fn start(&mut self, name: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(1))
            .last_modified_time(DateTime::default())
            .large_file(true);
        let started = self.archive.start_file(name, options);
        started.map_err(io::Error::from)
    }
}

/// The type of an element, whatever the order of the bytes on this machine.
fn little_endian<T: AutoSerialize + Serialize>() -> DType {
    let text = T::default_dtype().descr();
    let text = text.trim_matches('\'').replace('>', "<");
    DType::new_scalar(text.parse().expect("a type of numpy"))
}
