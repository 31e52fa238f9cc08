//! Which node a key means, in a file or on the command line.
//!
//! A key is the name of a node. If no node has that name, it is the number of a node, unless some
//! names are numbers: then a number that is no name is an error, not another node. In a table's
//! column `node`, a number is always the number of a node. Blanks around a key count only if a name
//! has them.

use super::names::Names;
use super::records::Record;
use super::separator::{Separator, unquoted};
use super::suggestions::nearest;
use std::convert::Infallible;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::shown::{quoted, shown};

/// How many names are suggested for one that no node has.
const LIKE_NAMES: usize = 5;

/// The meaning of keys in a graph.
#[derive(Clone, Copy)]
pub struct NodeKeys<'n> {
    num_nodes: usize,
    names: Option<&'n Names>,
    numbers_first: bool,
}

impl<'n> NodeKeys<'n> {
    /// Keys in a graph of `num_nodes` nodes, which may have names.
    pub fn new(num_nodes: usize, names: Option<&'n Names>) -> Self {
        NodeKeys {
            num_nodes,
            names,
            numbers_first: false,
        }
    }

    /// These keys, in a column `node`.
    pub fn in_column_node(self) -> Self {
        NodeKeys {
            numbers_first: true,
            ..self
        }
    }

    /// True if nodes have names.
    pub fn have_names(&self) -> bool {
        self.names.is_some()
    }

    /// The node that a key means. O(log n).
    pub fn find(&self, key: &str) -> Option<Node> {
        let Ok(node) = find_key(key, |key| Ok::<_, Infallible>(self.find_exactly(key)));
        node
    }

    /// The node that a key means, with the quotation marks around it or without them. For places
    /// where such marks may belong to the name.
    pub fn find_unquoted(&self, key: &str) -> Option<Node> {
        let as_it_is = self.find(key);
        as_it_is.or_else(|| self.find(&unquoted(key)?))
    }

    /// The node that `key`, taken from a record, means.
    ///
    /// # Errors
    /// If there is none; the message has the line, and names similar to the key.
    pub fn find_in(&self, record: &Record, key: &str) -> Result<Node> {
        let node = if record.is_quoted() {
            self.find(key)
        } else {
            self.find_unquoted(key)
        };
        node.ok_or_else(|| record.wrong(format!("{}: {}", quoted(key), self.why_unknown(key))))
    }

    fn find_exactly(&self, key: &str) -> Option<Node> {
        let number = || number(key, self.num_nodes);
        match self.names {
            None => number(),
            Some(names) if self.numbers_first => number().or_else(|| names.find(key)),
            Some(names) => names.find(key).or_else(|| {
                let node = number()?;
                (!names.has_numbers() && !names.are_integers()).then_some(node)
            }),
        }
    }

    /// Why a key means no node, and what to give instead.
    pub fn why_unknown(&self, key: &str) -> String {
        let is_number = key.trim().parse::<u64>().is_ok();
        let names = match self.names {
            Some(names) if !(self.numbers_first && is_number) => names,
            _ if self.num_nodes == 0 => return "the graph has no nodes".to_owned(),
            names => {
                let last = self.num_nodes - 1;
                let why = match names {
                    Some(_) => "not the number of a node",
                    None => "the graph has no names",
                };
                return format!("{why}: give a number from 0 to {last}");
            }
        };
        let like = nearest(names, key, LIKE_NAMES);
        let like: Vec<String> = like.into_iter().map(shown).collect();
        match &like[..] {
            [] => "no node has this name or a similar one".to_owned(),
            like => format!("no node has this name; did you mean {}?", like.join(", ")),
        }
    }

    /// Refuses a comment that could be a record of a node whose name starts with `#`.
    ///
    /// # Errors
    /// If it could; the message has the line, and how to write it as a record.
    pub fn check_comment(&self, comment: &Record) -> Result<()> {
        let Some(names) = self.names else {
            return Ok(());
        };
        // Text that is not UTF-8 is no name.
        let Ok(line) = comment.text(0) else {
            return Ok(());
        };
        let separator = Separator::of(line.as_bytes()).text();
        let before_last = line.rsplit_once(separator).map(|(key, _)| key);
        let mut candidates = [Some(line), before_last].into_iter().flatten();
        match candidates.find_map(|key| names.find(key.trim()).and(Some(key.trim()))) {
            None => Ok(()),
            Some(name) => Err(comment.wrong(format!(
                "{} is the name of a node, but a line that starts with # is a comment; put the name \
                 in quotation marks, or remove the line",
                quoted(name)
            ))),
        }
    }
}

/// The node that `find` finds for a key, with the blanks around it or without them.
///
/// # Errors
/// The errors of `find`.
pub fn find_key<E>(
    key: &str,
    find: impl Fn(&str) -> Result<Option<Node>, E>,
) -> Result<Option<Node>, E> {
    let trimmed = key.trim();
    match find(key)? {
        None if trimmed.len() < key.len() => find(trimmed),
        found => Ok(found),
    }
}

/// The node that a key means as a number.
pub fn number(key: &str, num_nodes: usize) -> Option<Node> {
    let node: Option<Node> = key.parse().ok();
    node.filter(|&node| (node as usize) < num_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(names: &str, key: &str) -> Option<Node> {
        let names = Names::from_text(names);
        NodeKeys::new(names.len(), Some(&names)).find(key)
    }

    #[test]
    fn a_key_is_a_name_or_else_a_number() {
        assert_eq!(find("b\na\n", "a"), Some(1));
        assert_eq!(find("b\na\n", "1"), Some(1));
        assert_eq!(find("b\na\n", "2"), None);
        let numbers = NodeKeys::new(2, None);
        assert_eq!(numbers.find(" 1"), Some(1));
        assert_eq!(numbers.find("2"), None);
        assert_eq!(numbers.find("a"), None);
    }

    #[test]
    fn where_names_are_numbers_a_number_is_a_name() {
        assert_eq!(find("7\n1\n9\n", "1"), Some(1));
        assert_eq!(find("7\n1\n9\n", "0"), None);
        let names = Names::from_text("7\n1\nx\n");
        let keys = NodeKeys::new(3, Some(&names)).in_column_node();
        assert_eq!(keys.find("1"), Some(1));
        assert_eq!(keys.find("2"), Some(2));
        assert_eq!(keys.find("7"), Some(0));
        assert_eq!(keys.find("x"), Some(2));
    }

    #[test]
    fn blanks_and_quotation_marks_count_if_a_name_has_them() {
        assert_eq!(find("a\n a\n", " a"), Some(1));
        assert_eq!(find("a\n a\n", " a "), Some(0));
        let names = Names::from_text("a\n\"a\"\nb\n\"\"b\"\"\n");
        let keys = NodeKeys::new(4, Some(&names));
        for (key, node) in [
            ("a", 0),
            ("\"a\"", 1),
            ("\"b\"", 2),
            ("\"\"\"\"b\"\"\"\"", 3),
        ] {
            assert_eq!(keys.find_unquoted(key), Some(node), "{key}");
        }
        assert_eq!(keys.find("\"b\""), None);
    }

    #[test]
    fn unknown_keys_have_a_remedy() {
        let names = Names::from_text("libc6\nperl\x1b\n");
        let keys = NodeKeys::new(2, Some(&names));
        assert!(keys.why_unknown("libc").ends_with("did you mean libc6?"));
        assert!(keys.why_unknown("perl").contains("\\u{1b}"));
        assert!(keys.why_unknown("zzzzz").ends_with("or a similar one"));
        let why = keys.in_column_node().why_unknown("2");
        assert_eq!(why, "not the number of a node: give a number from 0 to 1");
        let why = NodeKeys::new(2, None).why_unknown("a");
        assert_eq!(why, "the graph has no names: give a number from 0 to 1");
    }
}
