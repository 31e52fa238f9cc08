//! Writes BVGraphs with the compressor of the `webgraph` crate.
//!
//! The crate's bit writers panic when their last bits cannot be written, and abort when that
//! happens during unwinding. So they write to a [`Sink`], which never fails but keeps the first
//! error.

use super::written::written_properties;
use crate::error::{Error, Result};
use crate::graph::Rows;
use dsi_bitstream::prelude::{BE, BufBitWriter, WordAdapter};
use dsi_progress_logger::no_logging;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::rc::Rc;
use webgraph::prelude::{
    BvComp, BvGraph, CompFlags, CompStats, DynCodesEncoder, OffsetsWriter, store_ef_with_data,
};

/// Writes `basename.graph`, `.properties`, `.offsets` and `.ef`: big endian. With the default codes
/// and window, every tool that knows the format can read them.
///
/// # Errors
/// If a file cannot be written, or if rows cannot be read.
pub(crate) fn compress(graph: &dyn Rows, flags: &CompFlags, basename: &Path) -> Result<()> {
    let refused =
        |problem: String| Error::file(basename, format!("cannot write the graph: {problem}"));
    let file = |extension| basename.with_extension(extension);
    let create = |extension| {
        let path = file(extension);
        File::create(&path).map_err(|source| Error::io(path, "cannot create", source))
    };
    let stats = write_streams(graph, flags, create("graph")?, create("offsets")?);
    let stats = stats.map_err(|problem| match problem {
        Problem::Rows(problem) => problem,
        Problem::Write(source) => Error::io(file("graph"), "cannot write", source),
    })?;
    let properties = written_properties(flags, &stats).map_err(refused)?;
    std::fs::write(file("properties"), properties)
        .map_err(|source| Error::io(file("properties"), "cannot write", source))?;
    store_ef_with_data(
        graph.num_nodes(),
        file("graph"),
        file("offsets"),
        file("ef"),
        no_logging!(),
    )
    .map_err(|problem| refused(format!("{problem:#}")))?;
    // The crate does not notice when the disk is too full for the last bytes of the .ef file, so
    // that one is loaded again, and the graph opened. (The crate cannot load a graph of no bits.)
    if graph.num_nodes() == 0 {
        return Ok(());
    }
    let whole = BvGraph::with_basename(basename)
        .endianness::<BE>()
        .mode::<webgraph::prelude::File>()
        .load();
    whole.map(drop).map_err(|_| {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        Error::io(file("ef"), "cannot write", full)
    })
}

/// Why rows are not written.
#[derive(Debug)]
enum Problem {
    Rows(Error),
    Write(io::Error),
}

impl From<io::Error> for Problem {
    fn from(problem: io::Error) -> Self {
        Problem::Write(problem)
    }
}

/// Writes the rows and their offsets.
fn write_streams(
    graph: &dyn Rows,
    flags: &CompFlags,
    rows: impl Write,
    offsets: impl Write,
) -> std::result::Result<CompStats, Problem> {
    let failed = Rc::new(RefCell::new(None));
    let sink = |out| Sink {
        out,
        failed: failed.clone(),
    };
    // Boxed writers, so that the compressor is compiled once.
    let (rows, offsets): (Box<dyn Write + '_>, Box<dyn Write + '_>) =
        (Box::new(rows), Box::new(offsets));
    let rows = WordAdapter::<usize, _>::new(BufWriter::with_capacity(1 << 16, sink(rows)));
    let encoder = DynCodesEncoder::<BE, _>::new(BufBitWriter::<BE, _>::new(rows), flags);
    let offsets = OffsetsWriter::from_write(sink(offsets), true);
    let mut compressor = BvComp::new(
        encoder.map_err(io::Error::other)?,
        offsets.map_err(io::Error::other)?,
        flags.compression_window,
        flags.max_ref_count,
        flags.min_interval_length,
        0,
        (),
    );
    let mut refused = None;
    let scanned = graph.for_rows(0..graph.num_nodes(), &mut |_, row| {
        if refused.is_none() && failed.borrow().is_none() {
            let pushed = compressor.push(row.iter().map(|&target| (target as usize, ())));
            refused = pushed.err();
        }
    });
    scanned.map_err(Problem::Rows)?;
    if let Some(problem) = refused {
        return Err(io::Error::other(problem).into());
    }
    let stats = compressor.flush().map_err(io::Error::other)?;
    match failed.take() {
        Some(problem) => Err(problem.into()),
        None => Ok(stats),
    }
}

/// A writer that never fails: it keeps its first error and drops all later bytes.
struct Sink<W> {
    out: W,
    failed: Rc<RefCell<Option<io::Error>>>,
}

impl<W: Write> Sink<W> {
    fn unless_failed(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        let mut failed = self.failed.borrow_mut();
        if failed.is_none() {
            *failed = write(&mut self.out).err();
        }
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_failed(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_failed(W::flush);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Csr;

    /// A disk with space for so many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = self.0.min(bytes.len());
            self.0 -= taken;
            match taken {
                0 if !bytes.is_empty() => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(taken),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error_wherever_it_comes() {
        let arcs = (0..200u32).map(|x| (x, x * x % 151));
        let graph = Csr::from_arcs(200, arcs).unwrap();
        let (mut rows, mut offsets) = (Vec::new(), Vec::new());
        let flags = CompFlags::default();
        write_streams(&graph, &flags, &mut rows, &mut offsets).unwrap();
        for space in 0..=rows.len() {
            let written = write_streams(&graph, &flags, Disk(space), io::sink());
            assert_eq!(
                written.is_ok(),
                space == rows.len(),
                "{space} bytes of rows"
            );
        }
        for space in 0..=offsets.len() {
            let written = write_streams(&graph, &flags, io::sink(), Disk(space));
            assert_eq!(
                written.is_ok(),
                space == offsets.len(),
                "{space} bytes of offsets"
            );
        }
    }
}
