//! Pairs of nodes with data in braces, as `networkx.write_edgelist` writes them: `a b {'weight': 3}`.
//!
//! The value of `weight` is the weight, 1 if there is none; other data is left out. Blanks, tabs or commas
//! separate the nodes.

use super::super::super::Input;
use super::super::super::notes::Note;
use super::super::super::receiver::{Problem, Receiver, settle};
use webrank_base::error::Result;
use webrank_base::shown::quoted;
use webrank_tables::text::records::Records;

/// True if all lines, comments aside, end with data in braces.
pub(super) fn are_dicts(bytes: &[u8]) -> bool {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]);
    let lines = text.lines().map(str::trim);
    let mut lines = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .peekable();
    lines.peek().is_some() && lines.all(|line| pair(line).is_some())
}

/// Two nodes, and the text between the braces.
fn pair(line: &str) -> Option<([&str; 2], &str)> {
    let (nodes, data) = line.strip_suffix('}')?.split_once('{')?;
    let mark = ['\t', ','].into_iter().find(|&mark| nodes.contains(mark));
    let mark = mark.unwrap_or(' ');
    let nodes = nodes.strip_suffix(mark)?.split_once(mark)?;
    let nodes = [nodes.0.trim(), nodes.1.trim()];
    let is_node = |node: &&str| !node.is_empty() && !node.contains([mark, '\t', '{', '}']);
    let data = data.trim();
    let is_data = data.is_empty() || data.starts_with(['\'', '"']);
    (is_data && nodes.iter().all(is_node)).then_some((nodes, data))
}

/// The text of the weight in data such as `'color': 'red', 'weight': 3.5`.
fn weight(data: &str) -> Option<&str> {
    let keys = ["'weight':", "\"weight\":"];
    let places = keys.iter().flat_map(|key| data.match_indices(key));
    // A key stands at the start or after a comma, not within a text.
    let is_key = |place: usize| matches!(data[..place].trim_end().chars().last(), None | Some(','));
    let (place, key) = places.into_iter().find(|(place, _)| is_key(*place))?;
    let end = place + key.len();
    data[end..].split(',').next().map(str::trim)
}

/// The list; it has weights if one of the first lines has one.
pub(super) fn open(first: Vec<u8>, records: Records, unweighted: bool) -> Input {
    let first = String::from_utf8_lossy(&first);
    let has_weight = |line: &str| pair(line.trim()).is_some_and(|(_, data)| weight(data).is_some());
    let weighted = !unweighted && first.lines().any(has_weight);
    Input {
        weighted,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| read(records.whole_lines(), weighted, unweighted, to)),
    }
}

fn read(
    mut records: Records,
    weighted: bool,
    unweighted: bool,
    to: &mut dyn Receiver,
) -> Result<()> {
    let (mut comments, mut others, mut without) = (0, 0, 0);
    while records.advance()? {
        let record = records.record();
        if record.is_comment() {
            comments += 1;
            continue;
        }
        let line = super::text(&record, 0);
        let take = || {
            let no_pair = "not two nodes and data in braces, as the first lines are";
            let ([source, target], data) = pair(line?.trim()).ok_or(no_pair.to_owned())?;
            let found = weight(data).filter(|_| !unweighted);
            others += u64::from(data.contains(':') && (found.is_none() || data.contains(',')));
            let weight = match found {
                Some(_) if !weighted => {
                    let problem =
                        "a weight, but the first lines have none; --unweighted reads no weights";
                    return Err(problem.to_owned().into());
                }
                Some(text) => {
                    let wrong = || format!("the weight {} is not a number", quoted(text));
                    text.parse().map_err(|_| wrong())?
                }
                None => 1.0,
            };
            without += u64::from(weighted && found.is_none());
            let source = to.key(source)?;
            let target = to.key(target)?;
            to.arc(source, target, weight)
        };
        let taken: std::result::Result<(), Problem> = take();
        settle(taken, to, |problem| record.wrong(problem))?;
    }
    to.note(Note::understood(
        "list",
        "pairs with data in braces, taken as arcs",
    ));
    if comments > 0 {
        to.note(Note::left_out("comments", comments, "lines of comments"));
    }
    if others > 0 {
        let text = "arcs with data other than a weight, which is left out";
        to.note(Note::left_out("data", others, text));
    }
    if without > 0 {
        let text = "arcs have no weight, and weigh 1";
        to.note(Note {
            count: without,
            ..Note::assumed("weights", text)
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_weights_are_found() {
        for (line, nodes, found) in [
            ("0 1 {}", ["0", "1"], None),
            ("a b {'weight': 2}", ["a", "b"], Some("2")),
            ("a\tb c\t{'weight': 2.5, 'x': 1}", ["a", "b c"], Some("2.5")),
            ("0,1,{\"weight\": 3}", ["0", "1"], Some("3")),
            (
                "a b {'c': \"'weight': 3\", 'weight': 4}",
                ["a", "b"],
                Some("4"),
            ),
        ] {
            let (read, data) = pair(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((read, weight(data)), (nodes, found), "{line}");
        }
        for line in ["a b c {}", "a {}", "a b {", "a b", "a b {c}"] {
            assert!(!are_dicts(line.as_bytes()), "{line}");
        }
    }
}
