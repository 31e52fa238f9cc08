//! Pajek networks (`.net`).
//!
//! `*Vertices n` is followed by lines `number "label"`, `*Arcs` and `*Edges` by lines `from to weight`,
//! `*Arcslist` and `*Edgeslist` by lines `from to to ...`; what follows in a line, such as coordinates
//! and colours, is skipped. Nodes are called by their labels, or by their numbers where they have
//! none; if no node has a label, nodes have numbers, one less than those in the file. Arcs have weights
//! if the first one has; a weight that is missing later is 1. Edges are arcs in both directions.

use super::super::Input;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::{check_distinct, counted_from_1};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{reserve, reserve_text};
use webrank_base::shown::quoted;
use webrank_tables::text::records::{Record, Records};

/// A network, opened up to its first arc.
struct Pajek {
    records: Records,
    vertices: Vertices,
    section: Section,
    /// True if the first arc was read already.
    is_at_arc: bool,
    weighted: bool,
}

/// The nodes, in the order of their numbers.
#[derive(Default)]
struct Vertices {
    /// How many there are; their line, for messages.
    count: u64,
    line: u64,
    /// The labels of some of them, one after the other, with their numbers from 0 and their ends.
    labels: String,
    places: Vec<(u64, usize)>,
}

/// What lines mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Start,
    Vertices,
    Arcs { is_list: bool, is_directed: bool },
}

/// No graph has more nodes.
const MAX_NODES: u64 = u32::MAX as u64;

/// Networks start with their vertices, or with their name.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    let content = first.content(&['%']);
    match ["*vertices", "*network"]
        .into_iter()
        .find(|word| content.starts_with(word))
    {
        Some(word) => Verdict::Is(format!("starts with {word}").into()),
        None => Verdict::No,
    }
}

/// Reads the vertices.
///
/// # Errors
/// If a line cannot be read, or if the file holds something else than a network.
pub(in crate::import) fn open(records: Records, unweighted: bool) -> Result<Input> {
    let mut pajek = Pajek {
        records: records.whole_lines().without_comments(),
        vertices: Vertices::default(),
        section: Section::Start,
        is_at_arc: false,
        weighted: false,
    };
    while !pajek.is_at_arc && pajek.advance()? {
        let record = pajek.records.record();
        let line = Line::of(&record).map_err(|problem| record.wrong(problem))?;
        match pajek.section {
            Section::Start => return Err(record.wrong("there is no line '*Vertices n' before it")),
            Section::Vertices => {
                let pushed = pajek.vertices.push(line);
                pushed.map_err(|problem| problem.at(|problem| record.wrong(problem)))?;
            }
            Section::Arcs { is_list, .. } => {
                pajek.is_at_arc = true;
                pajek.weighted = !is_list && !unweighted && line.weight().is_some();
            }
        }
    }
    Ok(Input {
        weighted: pajek.weighted,
        is_directed: true,
        is_numbered: pajek.vertices.places.is_empty(),
        read: Box::new(move |to| pajek.read(to, unweighted)),
    })
}

impl Pajek {
    /// Reads up to the next line that is no comment and starts no section.
    fn advance(&mut self) -> Result<bool> {
        while self.records.advance()? {
            let record = self.records.record();
            let line = record.bytes(0).trim_ascii_start();
            match line.first() {
                Some(b'*') => {
                    let line = record.text(0)?.trim_start().to_owned();
                    let number = record.line();
                    let begun = self.begin(&line, number);
                    begun.map_err(|problem| self.records.wrong(number, problem))?;
                }
                Some(b'%') => {}
                _ => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Begins a section.
    fn begin(&mut self, line: &str, number: u64) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default().to_lowercase();
        let arcs = |is_list, is_directed| Section::Arcs {
            is_list,
            is_directed,
        };
        self.section = match (name.as_str(), self.section) {
            ("*network", Section::Start) => Section::Start,
            ("*vertices", Section::Start) => {
                let counts: Option<Vec<u64>> = words.map(|word| word.parse().ok()).collect();
                self.vertices.line = number;
                match counts.as_deref() {
                    Some(&[count]) if count <= MAX_NODES => self.vertices.count = count,
                    Some(&[count]) => {
                        return Err(format!(
                            "{count} nodes, more than the {MAX_NODES} of a graph"
                        ));
                    }
                    Some(&[count, first]) => {
                        return Err(format!(
                            "a network of two modes, {first} of {count} nodes in the first; rank \
                             its edges as a list, or make a network of one mode"
                        ));
                    }
                    _ => return Err("not '*Vertices n' with the number of nodes".into()),
                }
                Section::Vertices
            }
            ("*network" | "*vertices", _) => {
                return Err("a second network; save it in a file of its own".into());
            }
            (_, Section::Start) => return Err("there is no line '*Vertices n' before it".into()),
            ("*arcs", _) => arcs(false, true),
            ("*edges", _) => arcs(false, false),
            ("*arcslist", _) => arcs(true, true),
            ("*edgeslist" | "*edgelist", _) => arcs(true, false),
            _ => {
                return Err(format!(
                    "{} is not read; save the network with *Arcs and *Edges",
                    quoted(&name)
                ));
            }
        };
        Ok(())
    }

    fn read(mut self, to: &mut dyn Receiver, unweighted: bool) -> Result<()> {
        let vertices = std::mem::take(&mut self.vertices);
        let count = vertices.count;
        let line = vertices.line;
        let mut nodes = Vec::new();
        // Without its nodes, nothing else can be used.
        let declared = vertices.declare(to, &mut nodes);
        let wrong = |problem| self.records.wrong(line, problem);
        declared.map_err(|problem: Problem| problem.at(wrong))?;
        let is_named = !nodes.is_empty();
        while std::mem::take(&mut self.is_at_arc) || self.advance()? {
            let Section::Arcs {
                is_list,
                is_directed,
            } = self.section
            else {
                continue;
            };
            let record = self.records.record();
            let mut give = || -> Result<(), Problem> {
                let line = Line::of(&record)?;
                let weight = match line.weight().filter(|_| !is_list && !unweighted) {
                    Some(_) if !self.weighted => {
                        return Err("a weight, but the first arc has none".to_owned().into());
                    }
                    Some(weight) => weight,
                    None => 1.0,
                };
                let mut words = line.words();
                let mut node = |word: Option<&str>| -> Result<Node, Problem> {
                    let word =
                        word.ok_or_else(|| "a single field, too few for an arc".to_owned())?;
                    let number = counted_from_1(word, count)?;
                    match is_named {
                        true => Ok(nodes[number as usize]),
                        false => to.number(number),
                    }
                };
                let source = node(words.next())?;
                let ends = if is_list { usize::MAX } else { 1 };
                let mut targets = Vec::new();
                let first = words.next();
                targets.push(node(first)?);
                for word in words.take(ends - 1) {
                    targets.push(node(Some(word))?);
                }
                for target in targets {
                    match is_directed {
                        true => to.arc(source, target, weight)?,
                        false => to.edge(source, target, weight)?,
                    }
                }
                Ok(())
            };
            let given = give();
            settle(given, to, |problem| record.wrong(problem))?;
        }
        Ok(())
    }
}

/// Up to so many nodes may have no line, whatever the others have.
const MAX_UNLISTED: u64 = 1 << 20;

/// Beyond, one of so many must have a label.
const PER_LABEL: u64 = 1000;

impl Vertices {
    /// Adds the node of a line.
    fn push(&mut self, line: Line) -> Result<(), Problem> {
        let mut words = line.words();
        let number = counted_from_1(words.next().unwrap_or_default(), self.count)?;
        let Some(label) = line.label().filter(|label| !label.is_empty()) else {
            return Ok(());
        };
        if let Some(&(last, _)) = self.places.last()
            && last >= number
        {
            let problem = format!("node {} is not after node {}", number + 1, last + 1);
            return Err(problem.into());
        }
        reserve_text(&mut self.labels, label.len(), "labels")?;
        self.labels.push_str(label);
        reserve(&mut self.places, 1, "labels")?;
        self.places.push((number, self.labels.len()));
        Ok(())
    }

    /// Declares all nodes. If any has a label, `nodes` is filled.
    fn declare(self, to: &mut dyn Receiver, nodes: &mut Vec<Node>) -> Result<(), Problem> {
        if self.places.is_empty() {
            return match self.count.checked_sub(1) {
                Some(last) => to.number(last).map(drop),
                None => Ok(()),
            };
        }
        // Some programs leave out lines, but a million nodes with some labels are a damaged number.
        let listed = self.places.len() as u64;
        if self.count > MAX_UNLISTED && self.count / PER_LABEL > listed {
            let problem = format!(
                "{} nodes, of which only {listed} have a label: give a line to each, or to none",
                self.count
            );
            return Err(problem.into());
        }
        let mut start = 0;
        let mut labels = self.places.iter().peekable();
        let mut text = itoa::Buffer::new();
        // A file without enough memory for what it declares is refused before its nodes are named.
        reserve(nodes, self.count as usize, "nodes")?;
        for number in 0..self.count {
            let name = match labels.next_if(|(labelled, _)| *labelled == number) {
                Some(&(_, end)) => &self.labels[std::mem::replace(&mut start, end)..end],
                None => text.format(number + 1),
            };
            let node = to.key(name).map_err(|problem| match problem {
                Problem::Record(problem) => {
                    Problem::Record(format!("node {}: {problem}", number + 1))
                }
                other => other,
            })?;
            nodes.push(node);
        }
        check_distinct(nodes)
    }
}

/// A line of words, the second of which may be in quotation marks.
struct Line<'a> {
    text: &'a str,
}

impl<'a> Line<'a> {
    fn of(record: &Record<'a>) -> Result<Self, String> {
        let text = std::str::from_utf8(record.bytes(0));
        let text = text.map_err(|_| "is not UTF-8; convert the file to UTF-8")?;
        Ok(Line { text: text.trim() })
    }

    fn words(&self) -> std::str::SplitWhitespace<'a> {
        self.text.split_whitespace()
    }

    /// The second word, without its quotation marks.
    fn label(&self) -> Option<&'a str> {
        let (_, rest) = self.text.split_once(char::is_whitespace)?;
        let rest = rest.trim_start();
        match rest.strip_prefix('"') {
            Some(label) => Some(label.split_once('"').map_or(label, |(label, _)| label)),
            None => rest.split_whitespace().next(),
        }
    }

    /// The third word, if it is a number.
    fn weight(&self) -> Option<f64> {
        self.words().nth(2)?.parse().ok()
    }
}

#[cfg(test)]
mod tests;
