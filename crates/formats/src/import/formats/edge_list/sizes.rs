//! A first line that counts nodes and arcs, as many programs want it.

use super::super::super::notes::Note;
use super::shape::{Row, Shape};

/// The counts in the first line.
pub(super) struct Sizes {
    /// The line, as messages show it.
    shown: String,
    pub(super) line: u64,
    /// A number that may be that of the arcs.
    arcs: Vec<u64>,
    /// Its number of fields, and that of the other lines.
    fields: [usize; 2],
}

/// Fewer arcs are no graph that a program counts.
const FEWEST: u64 = 2;

impl Sizes {
    /// The sizes that the first line of a list without a header may give: the number of nodes, or those of rows
    /// and columns, and the number of arcs, and perhaps 0 or 1, which says whether there are weights. If nodes
    /// are numbers, they are below the number of nodes, or from 1 up to it.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        let (first, below) = shape.records.split_first()?;
        let number = |text: &String| text.trim().parse::<u64>().ok();
        let fields = || first.fields.iter().filter(|text| !text.trim().is_empty());
        let sizes: Vec<u64> = fields().map(number).collect::<Option<_>>()?;
        let is_apart = first.fields.len() != shape.width;
        let counts = match sizes[..] {
            [nodes, arcs] => vec![(nodes, arcs)],
            [nodes, arcs, three] if is_apart || three < FEWEST => {
                vec![(nodes, arcs), (nodes.max(arcs), three)]
            }
            [rows, columns, arcs] => vec![(rows.max(columns), arcs)],
            _ => return None,
        };
        let ends = |row: &Row| row.fields.iter().take(2).map(number).collect::<Vec<_>>();
        let ends: Vec<Option<u64>> = below.iter().flat_map(ends).collect();
        let starts_at_0 = ends.contains(&Some(0));
        let fits = |nodes: u64| {
            let mut numbers = ends.iter().flatten();
            numbers.all(|&number| number < nodes.saturating_add(u64::from(!starts_at_0)))
        };
        let is_pair = |row: &Row| row.fields.len() > 1;
        let counts = counts
            .into_iter()
            .filter(|&(nodes, arcs)| (is_apart || arcs >= FEWEST) && fits(nodes));
        let arcs: Vec<u64> = counts.map(|(_, arcs)| arcs).collect();
        (!arcs.is_empty() && !below.is_empty() && below.iter().all(is_pair)).then(|| Sizes {
            shown: first.fields.join(" "),
            line: first.line,
            arcs,
            fields: [first.fields.len(), shape.width],
        })
    }

    /// The first line is no arc, because others have another number of fields.
    pub(super) fn is_apart(&self) -> bool {
        self.fields[0] != self.fields[1]
    }

    pub(super) fn note(&self) -> Note {
        let text = format!(
            "the first line, {}, was taken for numbers of nodes and arcs",
            self.shown
        );
        Note::assumed("header", text)
    }

    /// A note on a first line of numbers that the user calls a header.
    pub(super) fn left_out(first: &Row) -> Note {
        let text = format!("the first line, {}, left out", first.fields.join(" "));
        Note::left_out("header", 0, text)
    }

    /// Checks the number of other lines; `marked` of them may be comments. Where the first line may be an arc, a list
    /// with as many lines as it says is refused. Where it cannot be one, a list with another number of lines is.
    ///
    /// # Errors
    /// If there are so many.
    pub(super) fn check(&self, others: u64, marked: u64) -> Result<(), String> {
        let counts = others.saturating_sub(marked)..=others;
        let counted = self.arcs.iter().find(|&arcs| counts.contains(arcs));
        match (counted, self.is_apart()) {
            (Some(arcs), false) => Err(format!(
                "the first line, {}, may count nodes and arcs, because {arcs} lines follow: --header leaves it \
                 out, --header=false reads it as an arc",
                self.shown
            )),
            (None, true) => Err(format!(
                "{} fields, where other lines have {}, and {others} lines follow; --header leaves the first \
                 line out",
                self.fields[0], self.fields[1]
            )),
            _ => Ok(()),
        }
    }
}
