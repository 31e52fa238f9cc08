//! A sparse matrix in compressed rows, as `scipy.sparse.load_npz` reads it: entry (x, y) is the
//! weight of the arc x -> y, 1 if arcs have no weights.
//!
//! The parts are compressed, and carry no date: equal graphs give equal bytes.

use super::{Exported, Failure, Written};
use npyz::{AutoSerialize, DType, Serialize, WriteOptions, WriterBuilder};
use std::io::{self, Write};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

type Archive<'w> = ZipWriter<StreamWriter<&'w mut (dyn Write + Send)>>;

pub(super) fn write(graph: &Exported, out: &mut (dyn Write + Send)) -> Written {
    let mut archive = ZipWriter::new_stream(out);
    let (n, arcs) = (graph.num_nodes() as u64, graph.rows.num_arcs());
    // As scipy chooses them.
    if n.max(arcs) <= i32::MAX as u64 {
        indices(graph, &mut archive, |index| index as i32)?;
    } else {
        indices(graph, &mut archive, |index| index as i64)?;
    }
    let name: npyz::TypeStr = "|S3".parse().expect("a type of numpy");
    part(&mut archive, "format.npy")?;
    let options = WriteOptions::<[u8]>::new().dtype(DType::new_scalar(name));
    let mut array = options.shape(&[]).writer(&mut archive).begin_nd()?;
    array.push(b"csr")?;
    array.finish()?;
    array_of(&mut archive, "shape.npy", 2, |push| {
        push(n as i64)?;
        push(n as i64)
    })?;
    array_of(&mut archive, "data.npy", arcs, |push| match graph.weights {
        Some(weights) => weights.iter().try_for_each(|&weight| push(weight)),
        None => (0..arcs).try_for_each(|_| push(1.0)),
    })?;
    archive.finish().map_err(io::Error::from)?;
    Ok(())
}

/// The columns of each row, and where rows start.
fn indices<T: AutoSerialize + Copy>(
    graph: &Exported,
    archive: &mut Archive,
    index: impl Fn(u64) -> T,
) -> Written {
    array_of(archive, "indices.npy", graph.rows.num_arcs(), |push| {
        graph.each_arc(|_, target, _| push(index(u64::from(target))))
    })?;
    array_of(
        archive,
        "indptr.npy",
        graph.num_nodes() as u64 + 1,
        |push| {
            let mut end = 0;
            push(index(end))?;
            graph.each_row(&mut |_, row, _| {
                end += row.len() as u64;
                push(index(end))
            })
        },
    )
}

/// A list of numbers.
fn array_of<T: AutoSerialize>(
    archive: &mut Archive,
    name: &str,
    length: u64,
    fill: impl FnOnce(&mut dyn FnMut(T) -> Written) -> Written,
) -> Written {
    part(archive, name)?;
    let options = WriteOptions::<T>::new().dtype(little_endian::<T>());
    let mut array = options.shape(&[length]).writer(archive).begin_nd()?;
    fill(&mut |number| array.push(&number).map_err(Failure::Write))?;
    array.finish()?;
    Ok(())
}

/// The type of an element, whatever the order of the bytes on this machine.
fn little_endian<T: AutoSerialize + Serialize>() -> DType {
    let text = T::default_dtype().descr();
    let text = text.trim_matches('\'').replace('>', "<");
    DType::new_scalar(text.parse().expect("a type of numpy"))
}

fn part(archive: &mut Archive, name: &str) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .last_modified_time(DateTime::default())
        .large_file(true);
    archive.start_file(name, options).map_err(io::Error::from)
}
