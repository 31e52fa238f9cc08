//! Some nodes of a graph, by name or number.
//!
//! A file of nodes has one key per line. It may also be a table as `rank` writes it: CSV or TSV
//! whose header has a column `name` or `node`, or Parquet, Arrow or JSON lines. On the command line,
//! keys are separated by commas.

use super::checksums::Checksums;
use super::keys::NodeKeys;
use super::missing::open_file;
use super::records::Records;
use super::separator::{Separator, unquoted};
use crate::read::cells::missing;
use crate::read::columns::Wanted;
use crate::read::{OpenTable, open_typed};
use crate::text::names::Names;
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// Reads a file of nodes, in its order; notes the checksum of the file.
///
/// # Errors
/// If the file cannot be read or holds no node; if a node is unknown or occurs twice: the message
/// names the line or the row.
pub fn read_nodes(
    path: &Path,
    num_nodes: usize,
    names: Option<&Names>,
    checksums: &Checksums,
) -> Result<Vec<Node>> {
    let keys = NodeKeys::new(num_nodes, names);
    let nodes = match open_typed(path)? {
        Some(table) => {
            let file = open_file(path)?;
            std::io::copy(&mut checksums.noting(path, file), &mut std::io::sink())
                .map_err(|e| Error::io(path, "cannot read", e))?;
            nodes_of_table(path, table, keys)?
        }
        None => parse_nodes(Records::list_noting(path, checksums)?.whole_lines(), keys)?,
    };
    if nodes.is_empty() {
        let problem = "no nodes; write one name or number per line";
        return Err(Error::file(path, problem));
    }
    Ok(nodes)
}

/// The nodes in a list of [`Records::whole_lines`].
///
/// # Errors
/// As for [`read_nodes`].
pub fn parse_nodes(mut records: Records, mut keys: NodeKeys) -> Result<Vec<Node>> {
    let (mut nodes, mut seen) = (Vec::new(), Vec::new());
    let (mut column, mut is_first) = (0, true);
    while records.advance()? {
        let record = records.record();
        if record.is_comment() {
            keys.check_comment(&record)?;
            continue;
        }
        let key = record.text(column)?;
        if std::mem::take(&mut is_first)
            && let Some(header) = Header::of(key, &keys)
        {
            column = header.column;
            if header.is_node {
                keys = keys.in_column_node();
            }
            records.continue_as_table(header.separator, header.columns);
            continue;
        }
        let node = keys.find_in(&record, key)?;
        if is_repeated(&mut seen, node) {
            return Err(record.wrong(format!("{} occurs twice", quoted(key))));
        }
        nodes.push(node);
    }
    Ok(nodes)
}

/// The nodes in the column `name` or `node` of a table.
fn nodes_of_table(path: &Path, table: OpenTable, mut keys: NodeKeys) -> Result<Vec<Node>> {
    let header = table.header();
    let find = |name: &str| header.iter().position(|column| column == name);
    let by_name = find("name").filter(|_| keys.have_names());
    let Some(column) = by_name.or_else(|| find("node")) else {
        let problem = "no column 'name' or 'node'; rename the column of nodes";
        return Err(Error::file(path, problem));
    };
    if by_name.is_none() {
        keys = keys.in_column_node();
    }
    let name = header[column].clone();
    let mut file = table.file;
    file.check(column, Wanted::Keys)?;
    let (mut nodes, mut seen) = (Vec::new(), Vec::new());
    file.each(&[column], &mut |_, _, cell| {
        let Some(key) = cell.key() else {
            return Err(missing(&name));
        };
        let unknown = || format!("{}: {}", quoted(&key), keys.why_unknown(&key));
        let node = keys.find(&key).ok_or_else(unknown)?;
        if is_repeated(&mut seen, node) {
            return Err(format!("{} occurs twice", quoted(&key)).into());
        }
        nodes.push(node);
        Ok(())
    })?;
    Ok(nodes)
}

/// Marks a node; true if it was marked before.
fn is_repeated(seen: &mut Vec<bool>, node: Node) -> bool {
    let node = node as usize;
    if seen.len() <= node {
        seen.resize(node + 1, false);
    }
    std::mem::replace(&mut seen[node], true)
}

/// The header of a table of nodes.
struct Header {
    separator: Separator,
    columns: usize,
    /// The column of keys, and whether it is `node`.
    column: usize,
    is_node: bool,
}

impl Header {
    /// The header in a line, if it has several fields and a column of keys among them.
    fn of(line: &str, keys: &NodeKeys) -> Option<Self> {
        let separator = Separator::of(line.as_bytes());
        if separator == Separator::Blanks {
            return None;
        }
        let field = |field: &str| unquoted(field).unwrap_or_else(|| field.trim().to_owned());
        let columns: Vec<String> = line.split(separator.text()).map(field).collect();
        let find = |name: &str| columns.iter().position(|column| column == name);
        let by_name = find("name").filter(|_| keys.have_names());
        let column = by_name.or_else(|| find("node"))?;
        (columns.len() > 1).then_some(Header {
            separator,
            columns: columns.len(),
            column,
            is_node: by_name.is_none(),
        })
    }
}

/// The nodes in a text such as `a,b,"c,d"`: keys separated by commas; a name with a comma stands in
/// quotation marks, as in CSV.
///
/// # Errors
/// The key that means no node.
pub fn nodes_in(text: &str, keys: NodeKeys) -> Result<Vec<Node>, String> {
    // Names may contain quotation marks: they belong to the names if all keys are found with them.
    let as_it_stands: Option<Vec<Node>> = text.split(',').map(|key| keys.find(key)).collect();
    if let Some(nodes) = as_it_stands {
        return Ok(nodes);
    }
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let records: Result<Vec<csv::StringRecord>, _> = reader.into_records().collect();
    match records.as_deref() {
        Ok([record]) => {
            let node = |key: &str| keys.find(key).ok_or_else(|| key.to_owned());
            record.iter().map(node).collect()
        }
        _ => Err(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "a\na,b\nb\n#c\n\"d\n";

    fn parse(text: &str) -> Result<Vec<Node>> {
        let names = Names::from_text(NAMES);
        let records = Records::of_bytes(text).whole_lines();
        parse_nodes(records, NodeKeys::new(5, Some(&names)))
    }

    #[test]
    fn a_line_is_a_key() {
        assert_eq!(
            parse("# a comment\n a,b\r\n\n\"#c\"\n\"d\n0").unwrap(),
            [1, 3, 4, 0]
        );
        assert_eq!(parse("a").unwrap(), [0]);
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn a_table_has_a_column_of_keys() {
        assert_eq!(
            parse("node,name,score\n0,\"a,b\",0.5\n1,#c,1\n").unwrap(),
            [1, 3]
        );
        assert_eq!(parse("\"score\"\t\"name\"\n1\t\"\"\"d\"\n").unwrap(), [4]);
        assert_eq!(parse("node\tscore\n3\t1\n").unwrap(), [3]);
    }

    #[test]
    fn what_is_no_list_of_nodes_is_refused() {
        for (text, words) in [
            ("a\nx\n", "line 2: 'x': no node has this name"),
            ("a\n\na\n", "line 3: 'a' occurs twice"),
            ("a\n#c\n", "line 2: '#c' is the name of a node"),
            ("node,name\n0,a\n9\n", "line 3: not a table"),
            ("node,score\n5,1\n", "line 2: '5': not the number of a node"),
        ] {
            let problem = parse(text).unwrap_err().to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }

    #[test]
    fn keys_on_the_command_line_are_separated_by_commas() {
        let names = Names::from_text(NAMES);
        let nodes = |text: &str| nodes_in(text, NodeKeys::new(5, Some(&names)));
        assert_eq!(nodes("a,b").unwrap(), [0, 2]);
        assert_eq!(nodes("\"a,b\",#c").unwrap(), [1, 3]);
        assert_eq!(nodes("\"d").unwrap(), [4]);
        assert_eq!(nodes("\"\"\"d\",2").unwrap(), [4, 2]);
        assert_eq!(nodes("a,x"), Err("x".to_owned()));
        assert_eq!(nodes("a,"), Err(String::new()));
        assert_eq!(nodes(""), Err(String::new()));
    }
}
