//! The formats of the Large Graph Layout, which igraph writes too: LGL and NCOL.
//!
//! In LGL, a line `# name` starts the list of a node, and each line below is a neighbour and perhaps a
//! weight. In NCOL, a line is two names and perhaps a weight. Names have no blanks. Edges have no
//! directions in either, as igraph reads them; each is given once. If any edge has a weight, edges have
//! weights, and those that lack one weigh 1, as in igraph, which is told. To know it, a file is read twice;
//! on standard input, the first edge shows it.
//!
//! Source: Adai, Date, Wieland and Marcotte, LGL, 2004.

use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::super::source::Source;
use super::weight_finder::gives_weights;
use super::{note, text, weight};
use std::io::Read;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::reserve_text;
use webrank_tables::text::records::{Record, Records};

/// Files named `.lgl`, and those in which a line `# name` comes again below neighbours, which are a name
/// in each line, or a name and a number with a point: without the point, it could be a list of arcs.
pub(in crate::import) fn recognise_lgl(first: &First) -> Verdict {
    if first.extension() == Some("lgl") {
        return Verdict::Is("named .lgl".into());
    }
    let (mut lists, mut has_points, mut is_above_all, mut most) = (0, false, true, 1);
    let text = match first.is_whole {
        true => first.text.as_ref(),
        // The last line may be cut off.
        false => first.text.rsplit_once('\n').map_or("", |(lines, _)| lines),
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut words = line.trim_start_matches('#').split_whitespace();
        let (name, weight, rest) = (words.next(), words.next(), words.next());
        match (line.starts_with('#'), weight) {
            _ if name.is_none() || rest.is_some() => return Verdict::No,
            // Fields between other separators.
            _ if line.contains([',', ';', '|', '\t']) => return Verdict::No,
            (true, Some(_)) => return Verdict::No,
            (true, None) => lists += u64::from(!is_above_all || lists == 0),
            (false, _) if lists == 0 => return Verdict::No,
            (false, None) => is_above_all = false,
            (false, Some(weight)) if weight.parse::<f64>().is_ok() => {
                is_above_all = false;
                has_points |= weight.contains('.');
                most = 2;
            }
            (false, Some(_)) => return Verdict::No,
        }
    }
    match lists < 2 {
        true => Verdict::No,
        false if most == 1 || has_points => {
            Verdict::Is("lines '# name' above lists of neighbours".into())
        }
        false => Verdict::IsClose(
            "lines '# name' above lines of a name and a number may be LGL (--from lgl)".into(),
        ),
    }
}

/// Files named `.ncol`: they look like lists of arcs, but have no directions.
pub(in crate::import) fn recognise_ncol(first: &First) -> Verdict {
    match first.extension() {
        Some("ncol") => Verdict::Is("named .ncol".into()),
        _ => Verdict::No,
    }
}

/// A file, opened up to its first edge.
struct Lists {
    records: Records,
    /// Whether lines `# name` start lists.
    is_lgl: bool,
    weighted: bool,
    unweighted: bool,
    /// The nodes of LGL before the first edge: lines `# name`, one after the other.
    alone: String,
    /// True if the first edge was read already.
    is_at_edge: bool,
    /// The comments of NCOL.
    comments: u64,
    /// Edges without a weight, where others have one.
    without: u64,
}

/// Reads up to the first edge.
///
/// # Errors
/// If a line cannot be used.
pub(in crate::import) fn open(
    source: &Source,
    input: Box<dyn Read + Send>,
    is_lgl: bool,
    unweighted: bool,
) -> Result<Input> {
    let mut lists = Lists::open(Records::of(source.path(), input), is_lgl, unweighted)?;
    if !lists.weighted && !unweighted && !source.is_stream() {
        let again = Records::of(source.path(), source.open()?);
        let mut again = Lists::open(again, is_lgl, unweighted)?;
        // A fault is found again, with its line.
        again.weighted = true;
        lists.weighted = gives_weights(|to| again.read(to));
    }
    Ok(Input {
        weighted: lists.weighted,
        is_directed: false,
        is_numbered: false,
        read: Box::new(move |to| lists.read(to)),
    })
}

/// The only field of a record.
fn line<'a>(record: &Record<'a>) -> Result<&'a str, Problem> {
    Ok(text(record, 0)?.trim())
}

impl Lists {
    /// Reads up to the first edge.
    fn open(records: Records, is_lgl: bool, unweighted: bool) -> Result<Self> {
        let mut lists = Lists {
            records: records.whole_lines().without_comments(),
            is_lgl,
            weighted: false,
            unweighted,
            alone: String::new(),
            is_at_edge: false,
            comments: 0,
            without: 0,
        };
        while !lists.is_at_edge && lists.records.advance()? {
            let record = lists.records.record();
            let line =
                line(&record).map_err(|problem| problem.at(|problem| record.wrong(problem)))?;
            match line.strip_prefix('#') {
                Some(name) if is_lgl => {
                    reserve_text(&mut lists.alone, name.len() + 1, "names of nodes")?;
                    lists.alone.push_str(name.trim());
                    lists.alone.push('\n');
                }
                Some(_) => lists.comments += 1,
                None => {
                    lists.is_at_edge = true;
                    let has_weight = line.split_whitespace().nth(lists.names()).is_some();
                    lists.weighted = has_weight && !unweighted;
                }
            }
        }
        Ok(lists)
    }

    /// How many names the line of an edge has.
    fn names(&self) -> usize {
        if self.is_lgl { 1 } else { 2 }
    }

    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        let mut source = None;
        for name in std::mem::take(&mut self.alone).lines() {
            let node = node(name, to);
            source =
                Some(node.map_err(|problem| problem.at(|problem| self.records.wrong(1, problem)))?);
        }
        while std::mem::take(&mut self.is_at_edge) || self.records.advance()? {
            let record = self.records.record();
            let is_comment = !self.is_lgl && record.bytes(0).trim_ascii_start().starts_with(b"#");
            self.comments += u64::from(is_comment);
            let given = self.give(&mut source, to);
            settle(given, to, |problem| self.records.record().wrong(problem))?;
        }
        let text = "edges have no weight, and weigh 1";
        note(to, self.without, Note::assumed("weights", text));
        if self.comments > 0 {
            let text = "lines that start with '#' left out";
            to.note(Note::left_out("comments", self.comments, text));
        }
        Ok(())
    }

    fn give(&mut self, source: &mut Option<Node>, to: &mut dyn Receiver) -> Result<(), Problem> {
        let record = &self.records.record();
        let line = line(record)?;
        if let Some(name) = line.strip_prefix('#') {
            if self.is_lgl {
                *source = Some(node(name.trim(), to)?);
            }
            return Ok(());
        }
        let mut words = line.split_whitespace();
        let mut next = || {
            words
                .next()
                .ok_or_else(|| "a single name, too few for an edge".to_owned())
        };
        let from = match self.is_lgl {
            true => source.ok_or_else(|| "there is no line '# name' before it".to_owned())?,
            false => to.key(next()?)?,
        };
        let target = to.key(next()?)?;
        let weight = match words.next() {
            Some(_) if self.unweighted => 1.0,
            Some(text) if self.weighted => weight(text)?,
            // The first edge shows it for a stream.
            Some(_) => {
                let problem = "a weight, but the first edge has none; give a file, not a stream";
                return Err(problem.to_owned().into());
            }
            None => {
                self.without += u64::from(self.weighted);
                1.0
            }
        };
        if words.next().is_some() {
            let most = self.names() + 1;
            return Err(format!("more than {most} fields; names have no blanks").into());
        }
        to.arc(from, target, weight)
    }
}

/// The node whose list starts.
fn node(name: &str, to: &mut dyn Receiver) -> Result<Node, Problem> {
    if name.contains(char::is_whitespace) {
        let problem = "a name with blanks after '#'; names have no blanks";
        return Err(problem.to_owned().into());
    }
    to.key(name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{import, named_arcs, problem, weights};
    use super::*;
    use crate::import::ImportOptions;

    fn arcs_of(file: &str, text: &str) -> Vec<String> {
        let graph = import(file, text).unwrap();
        let arcs = named_arcs(&graph).into_iter();
        arcs.map(|(source, target)| format!("{source} {target}"))
            .collect()
    }

    #[test]
    fn a_line_with_a_mark_starts_the_list_of_a_node() {
        let text = "# a\nb\nc\n# b\nc\n# d\n";
        assert_eq!(
            arcs_of("g.lgl", text),
            ["a b", "a c", "b a", "b c", "c a", "c b"]
        );
        assert_eq!(import("g.lgl", text).unwrap().num_nodes(), 4);
        let graph = import("g.lgl", "# d\n#a\r\nb 2.5\r\nc\r\n").unwrap();
        assert_eq!(weights(&graph), Some(vec![2.5, 1.0, 2.5, 1.0]));
        assert_eq!(graph.num_nodes(), 4);
    }

    #[test]
    fn lists_below_marks_are_recognised() {
        for (text, is_lgl) in [
            ("# a\nb\nc\n# b\nc\n", true),
            ("# a\nb 0.5\n# b\nc 1\n", true),
            ("# a\n# d\nb\n# b\nc\n", true),
            ("# a\nb 5\n# b\nc 1\n", false),
            ("# comment\n1 2\n2 3\n", false),
            ("# comment\na\nb\n", false),
            ("# one\n# two\na\nb\n", false),
            ("# two words\na\n# b\nc\n", false),
            ("a\n# b\nc\n", false),
            ("# one\nC#,a\n#rust,b\na,b\n", false),
        ] {
            let first = First::new("x".as_ref(), text.as_bytes(), true);
            let found = matches!(recognise_lgl(&first), Verdict::Is(_));
            assert_eq!(found, is_lgl, "{text}");
        }
    }

    #[test]
    fn edges_of_ncol_have_no_directions() {
        assert_eq!(
            arcs_of("g.ncol", "a b\nb c\n"),
            ["a b", "b a", "b c", "c b"]
        );
        // As igraph 1.0 reads them, whichever edge has the weight.
        for (name, text, expected) in [
            ("g.ncol", "a b 2\nb\tc\n", [2.0, 2.0, 1.0, 1.0]),
            ("g.ncol", "a b\nb c 2\n", [1.0, 1.0, 2.0, 2.0]),
            ("g.lgl", "# b\na\nc 2\n", [1.0, 1.0, 2.0, 2.0]),
        ] {
            let (graph, report) = super::super::tests::import_reporting(name, text);
            assert_eq!(weights(&graph), Some(expected.to_vec()), "{text}");
            let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
            assert!(
                notes.contains(&"1 edge has no weight, and weighs 1".to_owned()),
                "{notes:?}"
            );
        }
    }

    #[test]
    fn lines_that_cannot_be_used_are_named() {
        for (file, text, words) in [
            ("g.lgl", "a\n", "line 1: there is no line '# name'"),
            ("g.lgl", "# a\nb 2 x\n", "line 2: more than 2 fields"),
            ("g.lgl", "# a\nb x\n", "line 2: 'x' is not a number"),
            ("g.lgl", "# a\nb\n# a b\n", "line 3: a name with blanks"),
            ("g.lgl", "#\nb\n", "a name is empty"),
            ("g.ncol", "a b\nc\n", "line 2: a single name"),
            ("g.ncol", "a b 1 c\n", "line 1: more than 3 fields"),
        ] {
            let problem = problem(file, text, &ImportOptions::default());
            assert!(
                problem.contains(file) && problem.contains(words),
                "{problem}"
            );
        }
    }
}
