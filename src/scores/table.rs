//! Scores as a table of nodes and named columns, written as CSV (or by `super::parquet`).

use crate::graph::{Names, Node};
use crate::parallel::tasks;
use std::io::{self, Write};

/// A table with one row per node, for all nodes or some.
pub struct Table<'a> {
    /// The nodes, in the order of the rows; all of them in increasing order if `None`.
    pub nodes: Option<Vec<Node>>,
    /// Number of nodes of the graph.
    pub num_nodes: usize,
    /// The names of the nodes, for a column after the first.
    pub names: Option<&'a Names>,
    /// The other columns.
    pub columns: Vec<(&'a str, Column<'a>)>,
}

/// A column: an entry for every node of the graph.
#[derive(Clone, Copy)]
pub enum Column<'a> {
    /// Numbers, written so that they read back to the same bits.
    Numbers(&'a [f64]),
    /// Counts or ranks.
    Counts(&'a [u32]),
    /// Yes or no, written `true` or `false`.
    Flags(&'a [bool]),
}

/// A column by rows.
pub enum Cells<'a> {
    /// Numbers.
    Numbers(Box<dyn Fn(usize) -> f64 + Sync + 'a>),
    /// Nodes, counts or ranks.
    Counts(Box<dyn Fn(usize) -> u32 + Sync + 'a>),
    /// Yes or no.
    Flags(Box<dyn Fn(usize) -> bool + Sync + 'a>),
    /// Names.
    Names(Box<dyn Fn(usize) -> &'a str + Sync + 'a>),
}

/// Number of rows that a task formats.
const ROWS_PER_TASK: usize = 1 << 13;

fn write_all(out: &mut dyn Write, texts: &[Vec<u8>]) -> io::Result<()> {
    texts.iter().try_for_each(|text| out.write_all(text))
}

impl Table<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.nodes.as_ref().map_or(self.num_nodes, Vec::len)
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node of a row.
    pub fn node(&self, row: usize) -> Node {
        match &self.nodes {
            Some(nodes) => nodes[row],
            None => row as Node,
        }
    }

    /// All columns: `node`, `name` if there are names, and the others.
    pub fn columns(&self) -> Vec<(&str, Cells<'_>)> {
        let mut columns = vec![("node", Cells::Counts(Box::new(|row| self.node(row))))];
        if let Some(names) = self.names {
            let name = move |row| names.get(self.node(row));
            columns.push(("name", Cells::Names(Box::new(name))));
        }
        let node = move |row| self.node(row) as usize;
        columns.extend(self.columns.iter().map(|&(name, column)| {
            let cells = match column {
                Column::Numbers(numbers) => Cells::Numbers(Box::new(move |row| numbers[node(row)])),
                Column::Counts(counts) => Cells::Counts(Box::new(move |row| counts[node(row)])),
                Column::Flags(flags) => Cells::Flags(Box::new(move |row| flags[node(row)])),
            };
            (name, cells)
        }));
        columns
    }

    /// Writes the header `node,name,...` and the rows. Rows are formatted in parallel and written
    /// in order.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut header = vec!["node"];
        header.extend(self.names.map(|_| "name"));
        header.extend(self.columns.iter().map(|(name, _)| *name));
        let mut writer = csv::Writer::from_writer(&mut *out);
        writer.write_record(&header)?;
        writer.flush()?;
        drop(writer);
        let starts: Vec<usize> = (0..self.len()).step_by(ROWS_PER_TASK).collect();
        let format = |wave: &[usize]| -> io::Result<Vec<Vec<u8>>> {
            tasks::try_map(wave, |&start| {
                self.format(start..(start + ROWS_PER_TASK).min(self.len()))
            })
        };
        let mut ready = Vec::new();
        for wave in starts.chunks(4 * rayon::current_num_threads()) {
            // One wave is formatted while the one before it is written.
            let mut next = Ok(Vec::new());
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| next = format(wave));
                write_all(out, &ready)
            })?;
            ready = next?;
        }
        write_all(out, &ready)
    }

    fn format(&self, rows: std::ops::Range<usize>) -> io::Result<Vec<u8>> {
        let mut writer = csv::WriterBuilder::new()
            .buffer_capacity(1 << 16)
            .from_writer(Vec::with_capacity(40 * rows.len()));
        let (mut integer, mut number) = (itoa::Buffer::new(), ryu::Buffer::new());
        for row in rows {
            let node = self.node(row);
            writer.write_field(integer.format(node))?;
            if let Some(names) = self.names {
                writer.write_field(names.get(node))?;
            }
            for (_, column) in &self.columns {
                let node = node as usize;
                writer.write_field(match column {
                    Column::Numbers(numbers) => number.format(numbers[node]),
                    Column::Counts(counts) => integer.format(counts[node]),
                    Column::Flags(flags) if flags[node] => "true",
                    Column::Flags(_) => "false",
                })?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer
            .into_inner()
            .map_err(|e| io::Error::other(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(table: &Table) -> String {
        let mut out = Vec::new();
        table.write_csv(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_follow_the_node() {
        let table = Table {
            nodes: Some(vec![1, 0]),
            num_nodes: 2,
            names: None,
            columns: vec![
                ("score", Column::Numbers(&[0.1, 1e-300])),
                ("rank", Column::Counts(&[1, 2])),
                ("certain", Column::Flags(&[true, false])),
            ],
        };
        let expected = "node,score,rank,certain\n1,1e-300,2,false\n0,0.1,1,true\n";
        assert_eq!(text(&table), expected);
    }

    proptest! {
        #[test]
        fn numbers_read_back_to_the_same_bits(bits in prop::collection::vec(any::<u64>(), 1..50)) {
            let numbers: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
            let table = Table {
                nodes: None,
                num_nodes: numbers.len(),
                names: None,
                columns: vec![("score", Column::Numbers(&numbers))],
            };
            for (line, number) in text(&table).lines().skip(1).zip(&numbers) {
                let read: f64 = line.split_once(',').unwrap().1.parse().unwrap();
                prop_assert!(read.to_bits() == number.to_bits() || number.is_nan() && read.is_nan());
            }
        }
    }
}
