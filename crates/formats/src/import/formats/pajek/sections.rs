//! The sections of a file, and its comments.

use super::super::super::notes::Note;
use super::super::super::receiver::Receiver;
use super::super::note;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_tables::text::records::{Record, Records};

/// The meaning of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Start,
    Vertices,
    Lines {
        kind: Kind,
        is_directed: bool,
    },
    Matrix,
    /// A partition, a vector or the like: no part of the network.
    Skipped,
}

/// The form of lines of arcs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `from to weight`
    Arcs,
    /// `from to to ...`
    List,
}

/// The lines of the network.
pub(super) struct Sections {
    records: Records,
    pub(super) section: Section,
    /// How many nodes there are, those of the first of two modes, and the line that says so.
    pub(super) nodes: u64,
    pub(super) first_mode: Option<u64>,
    /// Nothing says how many there are.
    pub(super) lacks_count: bool,
    /// There are arcs without a line of vertices before them.
    pub(super) lacks_vertices: bool,
    pub(super) line_of_nodes: u64,
    /// Matrices, sections of arcs that belong to a relation, and sections that were skipped.
    pub(super) matrices: u64,
    relations: u64,
    skipped: u64,
    /// Sections whose lines have no directions that the file says.
    links: u64,
    /// Lines before the first section, and whether it has begun.
    before: u64,
    has_begun: bool,
    /// Within a comment before the network that is not closed yet.
    is_commented: bool,
}

/// No graph has more nodes.
const MAX_NODES: u64 = u32::MAX as u64;

/// Sections of project files that are no networks.
pub(super) const OTHERS: [&str; 6] = [
    "*partition",
    "*vector",
    "*permutation",
    "*cluster",
    "*hierarchy",
    "*cls",
];

/// Beginnings of sections whose lines need no vertices before them.
pub(super) const OF_ARCS: [&str; 3] = ["*links", "*arcs", "*edges"];

/// Sections of Infomap's networks of states, layers, paths and two modes.
const OF_INFOMAP: [&str; 10] = [
    "*states",
    "*intra",
    "*inter",
    "*multilayer",
    "*multiplex",
    "*context",
    "*contexts",
    "*paths",
    "*3grams",
    "*bipartite",
];

impl Sections {
    pub(super) fn new(records: Records) -> Self {
        Sections {
            records,
            section: Section::Start,
            nodes: 0,
            first_mode: None,
            lacks_count: false,
            lacks_vertices: false,
            line_of_nodes: 0,
            matrices: 0,
            relations: 0,
            skipped: 0,
            links: 0,
            before: 0,
            has_begun: false,
            is_commented: false,
        }
    }

    /// The line that was read last.
    pub(super) fn record(&self) -> Record<'_> {
        self.records.record()
    }

    /// An error in it.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> Error {
        let line = self.record().line().max(1);
        self.records.wrong(line, problem)
    }

    pub(super) fn wrong_in(&self, line: u64, problem: String) -> Error {
        self.records.wrong(line, problem)
    }

    /// Reads up to the next line of vertices or arcs.
    pub(super) fn advance(&mut self) -> Result<bool> {
        while self.records.advance()? {
            let record = self.records.record();
            let line = record.bytes(0).trim_ascii_start();
            if self.is_commented && line.ends_with(b"*/") {
                self.is_commented = false;
                continue;
            }
            if let Some(b'*') = line.first() {
                (self.is_commented, self.has_begun) = (false, true);
                let line = String::from_utf8_lossy(line).into_owned();
                let number = record.line();
                let begun = self.begin(&line, number);
                begun.map_err(|problem| self.records.wrong(number, problem))?;
                continue;
            }
            let is_start = self.section == Section::Start;
            let starts_comment = line.starts_with(b"/*");
            if is_start && (starts_comment || self.is_commented) {
                self.is_commented = !line.ends_with(b"*/");
                continue;
            }
            if line.starts_with(b"%")
                || line.starts_with(b"#")
                || starts_comment
                || self.section == Section::Skipped
            {
                continue;
            }
            if is_start && !self.has_begun {
                self.before += 1;
                continue;
            }
            if is_start {
                return Err(record.wrong("there is no line '*Vertices n' before it"));
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Begins a section.
    fn begin(&mut self, line: &str, number: u64) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default().to_lowercase();
        let lines = |kind, is_directed| Section::Lines { kind, is_directed };
        let is_skipping = self.section == Section::Skipped;
        if OTHERS.contains(&name.as_str()) {
            self.skipped += 1;
            self.section = Section::Skipped;
            return Ok(());
        }
        self.section = match name.as_str() {
            // It counts the numbers of a partition or a vector.
            "*vertices" if is_skipping => Section::Skipped,
            "*vertices" if self.lacks_vertices => {
                return Err("vertices below arcs; put them above".into());
            }
            "*network" | "*vertices" if self.line_of_nodes > 0 => {
                return Err("a second network; save it in a file of its own".into());
            }
            "*network" => Section::Start,
            "*vertices" => {
                self.line_of_nodes = number;
                self.count(words)?;
                Section::Vertices
            }
            _ if self.line_of_nodes == 0 && !OF_ARCS.iter().any(|word| name.starts_with(word)) => {
                return Err("there is no line '*Vertices n' before it".into());
            }
            "*arcs" => lines(Kind::Arcs, true),
            "*links" => {
                self.links += 1;
                lines(Kind::Arcs, true)
            }
            "*edges" => lines(Kind::Arcs, false),
            "*arcslist" | "*arclist" => lines(Kind::List, true),
            "*edgeslist" | "*edgelist" => lines(Kind::List, false),
            "*matrix" if self.matrices > 0 => {
                return Err("a second matrix; save each relation in a file of its own".into());
            }
            "*matrix" => {
                self.matrices += 1;
                Section::Matrix
            }
            _ if OF_INFOMAP.contains(&name.as_str()) => {
                return Err(format!(
                    "{} of Infomap, whose states, layers and paths are no graph of the vertices, is \
                     not read; save the links between vertices as '*Links'",
                    quoted(&name)
                ));
            }
            _ => {
                return Err(format!(
                    "{} is not read; save the network with *Arcs and *Edges",
                    quoted(&name)
                ));
            }
        };
        if self.line_of_nodes == 0 && matches!(self.section, Section::Lines { .. }) {
            (self.line_of_nodes, self.lacks_vertices) = (number, true);
        }
        self.relations += u64::from(line.contains(':'));
        Ok(())
    }

    /// Takes the numbers of nodes.
    fn count<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let counts: Option<Vec<u64>> = words.map(|word| word.parse().ok()).collect();
        (self.nodes, self.first_mode) = match counts.as_deref() {
            Some(&[count]) => (count, None),
            Some(&[count, first]) if first <= count => (count, Some(first)),
            Some(&[count, first]) => {
                return Err(format!(
                    "a network of two modes, with {first} of {count} nodes in the first; the number \
                     of all nodes comes before that of the first mode"
                ));
            }
            // Infomap's files leave it out.
            Some(&[]) => (MAX_NODES, None),
            _ => return Err("not '*Vertices n' with the number of nodes".into()),
        };
        self.lacks_count = counts.is_some_and(|counts| counts.is_empty());
        match self.nodes <= MAX_NODES {
            true => Ok(()),
            false => Err(format!(
                "{} nodes, more than the {MAX_NODES} of a graph",
                self.nodes
            )),
        }
    }

    /// Says what was joined and left out.
    pub(super) fn tell(&self, to: &mut dyn Receiver) {
        let joined = self
            .relations
            .saturating_sub(u64::from(self.relations == 1));
        let text = "sections of relations are read as one graph";
        note(to, joined, Note::assumed("relations", text));
        let modes = if self.first_mode.is_some() { 2 } else { 0 };
        let text = "modes of nodes are read as nodes of one graph";
        note(to, modes, Note::assumed("modes", text));
        let text = "sections that are no network left out";
        note(to, self.skipped, Note::left_out("sections", 0, text));
        let text = "lines before the network left out";
        note(to, self.before, Note::left_out("comments", 0, text));
        if self.lacks_vertices {
            let text = "no vertices are listed: nodes are the numbers that occur";
            to.note(Note::assumed("nodes", text));
        }
        if self.links > 0 {
            let text = "'*Links' does not say whether links have directions: they are arcs from the first \
                        node of a line (--undirected if they have none)";
            to.note(Note::assumed("directions", text));
        }
    }
}
