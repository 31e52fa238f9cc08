//! A number for each node, from a text file: preference vectors, weights of nodes.
//!
//! The file has either one number per line, in node order, or lines `key,number` for some of the
//! nodes (the others get 0). A line with a name alone gives it 1; below a header `node`, so does a number.
//! A header `node,...` or `name,...` may say what the keys are. An unquoted key may contain separators: the number is the last field.

use super::checksums::Checksums;
use super::keys::NodeKeys;
use super::records::{Record, Records};
use super::separator::unquoted;
use crate::text::names::Names;
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::shown::quoted;
use webrank_base::units::counted;

/// Reads a nonnegative finite number for each of the `num_nodes` nodes of a graph; notes the checksum
/// of the file.
///
/// # Errors
/// If the file cannot be read; if a number is missing, malformed, NaN, infinite or negative; if a
/// key is unknown or occurs twice (messages name the line); if there are numbers without keys, but
/// not one for each node, or if they may be the numbers of the nodes.
pub fn read_node_values(
    path: &Path,
    num_nodes: usize,
    names: Option<&Names>,
    checksums: &Checksums,
) -> Result<Vec<f64>> {
    let keys = NodeKeys::new(num_nodes, names);
    let records = Records::list_noting(path, checksums)?;
    let values = parse_values(records, keys, num_nodes)?;
    match values.without_keys {
        0 => Ok(values.values),
        given if given == num_nodes && is_every_node(&values.values) => {
            let problem = "these numbers may be weights, or all nodes by their numbers: write 'node,number' \
                           lines for weights, or a line 'node' above numbers of nodes";
            Err(Error::file(path, problem))
        }
        given if given == num_nodes => Ok(values.values),
        given => Err(Error::file(
            path,
            format!(
                "{}, but the graph has {}; for weights of some nodes, write 'name,number' or 'node,number' \
                 lines; for nodes by their numbers, a line 'node' above them",
                counted(given, "number"),
                counted(num_nodes, "node")
            ),
        )),
    }
}

/// True for the numbers of three or more nodes, each once: fewer are weights such as 0 and 1.
fn is_every_node(values: &[f64]) -> bool {
    let mut seen = vec![false; values.len()];
    let is_new = |&value: &f64| {
        let seen = seen
            .get_mut(value as usize)
            .filter(|_| value.fract() == 0.0);
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    values.len() > 2 && values.iter().all(is_new)
}

/// Numbers of nodes.
pub struct NodeValues {
    /// A number for each node, 0 where none was given.
    pub values: Vec<f64>,
    /// How many numbers came without a key.
    pub without_keys: usize,
    seen: Vec<bool>,
}

/// The numbers in a list.
///
/// # Errors
/// As for [`read_node_values`].
pub fn parse_values(
    mut records: Records,
    mut keys: NodeKeys,
    num_nodes: usize,
) -> Result<NodeValues> {
    let mut values = NodeValues {
        values: filled(0.0, num_nodes, "values of nodes")?,
        without_keys: 0,
        seen: Vec::new(),
    };
    let (mut is_first, mut are_nodes) = (true, false);
    while records.advance()? {
        let record = records.record();
        if record.is_comment() {
            keys.check_comment(&record)?;
            continue;
        }
        let is_first = std::mem::take(&mut is_first);
        if is_first && record.len() == 1 && ["node", "name"].contains(&record.text(0)?.trim()) {
            if keys.have_names() && keys.find(record.text(0)?.trim()).is_some() {
                let problem = "is a header and the name of a node: write another node first";
                return Err(record.wrong(format!("'{}' {problem}", record.shown(0).trim())));
            }
            keys = keys_below(&record, keys)?;
            are_nodes = true;
            continue;
        }
        let is_name = keys.have_names() && record.number(0).is_none();
        if record.len() == 1 && values.without_keys == 0 && (are_nodes || is_name) {
            values.add_name(&record, &keys)?;
        } else if record.len() == 1 {
            values.add_without_key(&record)?;
        } else if is_first && record.number(record.len() - 1).is_none() {
            keys = keys_below(&record, keys)?;
        } else {
            values.add(&record, &keys)?;
        }
    }
    Ok(values)
}

/// The meaning of keys below a header.
fn keys_below<'n>(header: &Record, keys: NodeKeys<'n>) -> Result<NodeKeys<'n>> {
    let key = header.text(0)?.trim();
    match unquoted(key).as_deref().unwrap_or(key) {
        "node" => Ok(keys.in_column_node()),
        "name" if keys.have_names() => Ok(keys),
        "name" => Err(header.wrong("a column of names, but the graph has none; give numbers")),
        _ => Err(header.wrong(format!(
            "'{}' and '{}' are neither a header 'node,...' or 'name,...' nor a key and a number",
            header.shown(0),
            header.shown(header.len() - 1)
        ))),
    }
}

impl NodeValues {
    fn add_without_key(&mut self, record: &Record) -> Result<()> {
        if !self.seen.is_empty() {
            return Err(record.wrong("a number without a key, after lines with keys"));
        }
        let number = number_of(record, 0)?;
        if let Some(value) = self.values.get_mut(self.without_keys) {
            *value = number;
        }
        self.without_keys += 1;
        Ok(())
    }

    /// The number of a node that stands alone is 1.
    fn add_name(&mut self, record: &Record, keys: &NodeKeys) -> Result<()> {
        let name = record.text(0)?.trim();
        let node = keys.find_in(record, unquoted(name).as_deref().unwrap_or(name))?;
        self.put(record, node, 1.0)
    }

    /// Notes the number of a node that has none yet.
    fn put(&mut self, record: &Record, node: Node, number: f64) -> Result<()> {
        self.seen.resize(self.values.len(), false);
        if std::mem::replace(&mut self.seen[node as usize], true) {
            return Err(record.wrong(format!("{} occurs twice", quoted(&record.shown(0)))));
        }
        self.values[node as usize] = number;
        Ok(())
    }

    fn add(&mut self, record: &Record, keys: &NodeKeys) -> Result<()> {
        if self.without_keys != 0 {
            return Err(record.wrong("a key, after numbers without keys"));
        }
        let last = record.len() - 1;
        let key = record.joined(0..last)?;
        let node = keys.find_in(record, &key)?;
        self.put(record, node, number_of(record, last)?)
    }
}

fn number_of(record: &Record, field: usize) -> Result<f64> {
    let shown = || record.shown(field);
    // Digits before an exponent, all 0 in a number that is 0.
    let is_zero = |text: &str| {
        let digits = text.split(['e', 'E']).next().unwrap_or_default();
        !digits.contains(|digit: char| digit.is_ascii_digit() && digit != '0')
    };
    match record.number(field) {
        Some(0.0) if !is_zero(record.text(field)?) => Err(record.wrong(format!(
            "the number is {}, less than a double holds: multiply all numbers by one number",
            shown().trim()
        ))),
        Some(number) if number.is_finite() && number >= 0.0 => Ok(number),
        Some(_) => Err(record.wrong(format!(
            "the number is {}, but it must be finite and not negative",
            shown().trim()
        ))),
        None => Err(record.wrong(format!("'{}' is not a number", shown().trim()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<f64>> {
        let names = Names::from_text("a\n\"b\"\nc,d\ne\tf\n#g\n");
        let keys = NodeKeys::new(5, Some(&names));
        Ok(parse_values(Records::of_bytes(text), keys, 5)?.values)
    }

    #[test]
    fn every_name_can_be_a_key() {
        let csv = "\"\"\"b\"\"\",1\n\"c,d\",2\n\"e\tf\",3\n\"#g\",4\na,5\n";
        let tsv = "\"b\"\t1\nc,d\t2\ne\tf\t3\n\"#g\"\t4\n\"a\"\t5\n";
        let unquoted = "node,number\n1, 1\nc,d,2\n3,3\n4,4\n0,5\n";
        for text in [csv, tsv, unquoted, "5\n1\n2\n3\n4\n"] {
            assert_eq!(parse(text).unwrap(), [5.0, 1.0, 2.0, 3.0, 4.0], "{text}");
        }
    }

    #[test]
    fn names_alone_have_the_number_1() {
        for text in ["a\n\"#g\"\n", "name\na\n\"#g\"\n"] {
            let values = parse(text).unwrap();
            assert_eq!((values[0], values[1], values[4]), (1.0, 0.0, 1.0), "{text}");
        }
        let numbered = parse_values(Records::of_bytes("x\n"), NodeKeys::new(5, None), 5);
        let problem = numbered.map(|_| ()).unwrap_err().to_string();
        assert!(problem.contains("line 1: 'x' is not a number"), "{problem}");
    }

    #[test]
    fn numbers_below_a_header_are_nodes() {
        let named = parse("node\n4\n1\n").unwrap();
        assert_eq!(named, [0.0, 1.0, 0.0, 0.0, 1.0]);
        let parse = |text: &str| parse_values(Records::of_bytes(text), NodeKeys::new(3, None), 3);
        assert_eq!(parse("node\n2\n0\n").unwrap().values, [1.0, 0.0, 1.0]);
        let problem = parse("node\n3\n").map(|_| ()).unwrap_err().to_string();
        assert!(problem.contains("a number from 0 to 2"), "{problem}");
    }

    #[test]
    fn weights_that_may_be_nodes_are_refused() {
        for (values, may_be_nodes) in [
            (&[2.0, 0.0, 1.0][..], true),
            (&[1.0, 0.0], false),
            (&[3.0, 0.0, 1.0], false),
            (&[1.0, 1.0, 0.0], false),
            (&[0.5, 0.0, 1.0, 2.0], false),
        ] {
            assert_eq!(is_every_node(values), may_be_nodes, "{values:?}");
        }
    }

    #[test]
    fn what_is_no_list_of_numbers_is_refused() {
        for (text, words) in [
            ("a,1\nb x,2\n", "line 2: 'b x': no node has this name"),
            ("a,1\n# so\n#g,2\n", "line 3: '#g' is the name of a node"),
            ("a,1\n2\n", "line 2: a number without a key"),
            ("1\n2\n\"a\"\t1\n", "line 3: a key, after numbers"),
            ("a,1\na,2\n", "line 2: 'a' occurs twice"),
            ("a\nx\n", "line 2: 'x': no node"),
            ("url,1\nx,y\n", "line 1: 'url': no node"),
            ("url,x\n", "line 1: 'url' and 'x' are neither a header"),
            ("a,1\n\"c,2\n", "line 2: a quotation mark is never closed"),
            ("a,-1\n", "line 1: the number is -1"),
            ("a,1e999\n", "line 1: the number is 1e999"),
            ("a,1e-999\n", "line 1: the number is 1e-999, less than"),
            ("a,0e9\nb x,0.0\n", "line 2: 'b x': no node"),
            ("a,\n", "line 1: 'a' and '' are neither"),
        ] {
            let problem = parse(text).unwrap_err().to_string();
            assert!(problem.contains(words), "{problem}");
        }
        let problem = parse(&format!("a,1\n{},1\n", "x".repeat(1 << 20))).unwrap_err();
        assert!(problem.to_string().len() < 200);
    }
}
