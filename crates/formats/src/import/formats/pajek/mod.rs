//! Pajek networks (`.net`), or the network of a project (`.paj`).
//!
//! `*Vertices n` is followed by lines `number "label"`, `*Arcs` and `*Edges` by lines `from to weight`,
//! `*Arcslist` and `*Edgeslist` by lines `from to to ...`, `*Matrix` by a row of numbers for each node;
//! what follows in a line, such as coordinates and colours, is skipped. Edges are arcs in both
//! directions. Nodes are called by their labels, or by their numbers where they have none; if no node
//! has a label, nodes have numbers, one less than those in the file. If any line has a weight, arcs
//! have weights, and those without weigh 1; to know it, a file is read twice.
//!
//! `*Vertices` without a number is followed by a line for each node; without `*Vertices`, nodes are
//! numbers. `*Vertices n m` begins a network of two modes, the first m nodes in one of them; its matrix has
//! m rows and a column for each of the others. `*Links`, as Infomap writes it, has lines of arcs; its
//! states, layers and paths are refused. Both modes are nodes of one graph. Lines of several relations
//! (`*Arcs :1 "name"`) are arcs of one graph. Partitions, vectors and the like are skipped; a second
//! network is refused. Notes tell what is skipped or joined. Lines that begin with `%`, `#` or `/*` are
//! comments. Lines that are not UTF-8 are read as ISO-8859-1.

mod arcs;
mod line;
mod sections;
mod vertices;

use self::arcs::{LineReader, Matrix};
use self::line::Line;
use self::sections::{Kind, Section, Sections};
use self::vertices::Vertices;
use super::super::Input;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::super::source::Source;
use super::latin1::Decoder;
use std::io::Read;
use webrank_base::error::Result;
use webrank_tables::text::records::Records;

/// A network, opened up to its first arc.
struct Pajek {
    sections: Sections,
    vertices: Vertices,
    decoder: Decoder,
    /// True if the first arc was read already.
    is_at_arc: bool,
}

/// Networks start with their vertices, or with their name; projects may start with something else.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    // It has vertices, and a number for each.
    if first.extension() == Some("clu") {
        return Verdict::No;
    }
    let content = match first.starts_with("/*") {
        // A comment of several lines.
        true => {
            let mut lines = first.text.lines().map(str::trim);
            let section = lines.find(|line| line.starts_with('*') && !line.starts_with("*/"));
            section.unwrap_or_default().to_lowercase()
        }
        false => first.content(&['%']),
    };
    let starts = |word: &&&str| content.starts_with(**word);
    let begins = ["*vertices", "*network"];
    // Some programs write comments after '#'.
    let after_comments = first.content(&['%', '#']);
    let begun = |word: &&&str| starts(word) || after_comments.starts_with(**word);
    if let Some(word) = begins.iter().find(begun) {
        return Verdict::Is(format!("starts with {word}").into());
    }
    let word = after_comments.split_whitespace().next();
    if word.is_some_and(|word| sections::OF_ARCS.contains(&word)) {
        return Verdict::Is("starts with arcs of Pajek or Infomap".into());
    }
    let text = first.text.to_lowercase();
    // A title stands first in some files.
    let is_named = matches!(first.extension(), Some("net" | "paj"));
    if is_named && text.lines().any(|line| line.starts_with("*vertices")) {
        return Verdict::Is("named for Pajek, with a line *vertices".into());
    }
    match sections::OTHERS.iter().find(starts) {
        Some(word) if text.contains("\n*network") => {
            Verdict::Is(format!("starts with {word}, and has a *network").into())
        }
        Some(word) => Verdict::IsClose(format!("{word} of Pajek, but no *network").into()),
        None => Verdict::No,
    }
}

/// Reads the vertices, and whether there are weights.
///
/// # Errors
/// If a line cannot be read, or if the file holds something else than a network.
pub(in crate::import) fn open(
    source: &Source,
    input: Box<dyn Read + Send>,
    unweighted: bool,
) -> Result<Input> {
    let records = Records::of(source.path(), input);
    let weighted = !unweighted && !source.is_stream() && {
        let mut first = Pajek::new(Records::of(source.path(), source.open()?));
        first.read_vertices()?;
        first.has_weights()?
    };
    let mut pajek = Pajek::new(records);
    pajek.read_vertices()?;
    let weighted = weighted
        || !unweighted && source.is_stream() && pajek.is_at_arc && pajek.starts_with_weight();
    Ok(Input {
        weighted,
        is_directed: true,
        is_numbered: !pajek.vertices.are_named() && !pajek.sections.lacks_vertices,
        read: Box::new(move |to| pajek.read(to, weighted, unweighted)),
    })
}

impl Pajek {
    fn new(records: Records) -> Self {
        Pajek {
            sections: Sections::new(records.whole_lines().without_comments()),
            vertices: Vertices::default(),
            decoder: Decoder::default(),
            is_at_arc: false,
        }
    }

    /// Reads up to the first line of arcs.
    fn read_vertices(&mut self) -> Result<()> {
        while self.sections.advance()? {
            let record = self.sections.record();
            match self.sections.section {
                Section::Vertices => {
                    let text = self.decoder.text(record.bytes(0));
                    let pushed = self.vertices.push(Line::new(&text), self.sections.nodes);
                    pushed.map_err(|problem| problem.at(|problem| record.wrong(problem)))?;
                }
                _ => {
                    self.is_at_arc = true;
                    break;
                }
            }
        }
        if self.sections.lacks_count {
            self.sections.nodes = self.vertices.last;
        }
        if self.sections.line_of_nodes == 0 {
            return Err(self
                .sections
                .wrong("the file ends before a line '*Vertices n'"));
        }
        Ok(())
    }

    /// Whether the line of arcs that was read last shows that arcs have weights.
    fn starts_with_weight(&self) -> bool {
        let record = self.sections.record();
        match self.sections.section {
            Section::Lines { kind, .. } => {
                let text = String::from_utf8_lossy(record.bytes(0));
                kind == Kind::Arcs && Line::new(&text).of_arc().weight().is_some()
            }
            Section::Matrix => true,
            _ => false,
        }
    }

    /// Whether any arc has a weight.
    fn has_weights(&mut self) -> Result<bool> {
        while std::mem::take(&mut self.is_at_arc) || self.sections.advance()? {
            let record = self.sections.record();
            let has = match self.sections.section {
                Section::Matrix => {
                    let text = String::from_utf8_lossy(record.bytes(0));
                    arcs::is_weighted_row(&text)
                }
                _ => self.starts_with_weight(),
            };
            if has {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read(mut self, to: &mut dyn Receiver, weighted: bool, unweighted: bool) -> Result<()> {
        let vertices = std::mem::take(&mut self.vertices);
        let (count, is_listed) = (self.sections.nodes, !self.sections.lacks_vertices);
        let mut nodes = Vec::new();
        // Without its nodes, nothing else can be used.
        let declared = vertices.declare(count, to, &mut nodes);
        let line = self.sections.line_of_nodes;
        declared.map_err(|problem: Problem| {
            problem.at(|problem| self.sections.wrong_in(line, problem))
        })?;
        let mut lines = LineReader::new(&nodes, is_listed.then_some(count), weighted, unweighted);
        let mut matrix = Matrix::new(&nodes, count, self.sections.first_mode);
        while std::mem::take(&mut self.is_at_arc) || self.sections.advance()? {
            let record = self.sections.record();
            let text = self.decoder.text(record.bytes(0));
            let taken = match self.sections.section {
                Section::Lines { kind, is_directed } => {
                    lines.take(Line::new(&text), (kind, is_directed), to)
                }
                Section::Matrix => matrix.take(&text, to),
                _ => continue,
            };
            settle(taken, to, |problem| record.wrong(problem))?;
        }
        if self.sections.matrices > 0 {
            let complete = matrix.check_complete();
            complete.map_err(|problem| self.sections.wrong(problem))?;
        }
        self.sections.tell(to);
        self.decoder.tell(to);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
