//! Whether the first line of a list is a header that has names of its own.
//!
//! Words above numbers are one, unless they come again as nodes. So are two words that never come again,
//! unless that may be chance: each of the other lines must share a node with another line, and the words
//! must not look like the nodes.

use super::shape::{Row, Shape, is_number};
use std::collections::{HashMap, HashSet};

/// The kind of the first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstLine {
    /// A header: words above numbers.
    Header,
    /// A header, by its words alone.
    PerhapsHeader,
    /// An arc, though its nodes do not come again.
    PerhapsArc,
    /// An arc.
    Arc,
}

/// The kind of the first line, if `source` and `target` are the columns of the nodes.
pub(super) fn first_line(shape: &Shape, source: usize, target: usize) -> FirstLine {
    let Some((first, below)) = shape.records.split_first() else {
        return FirstLine::Arc;
    };
    let is_even = |row: &&Row| row.fields.len() == shape.width;
    let below: Vec<&Row> = below.iter().filter(is_even).collect();
    if below.is_empty() || first.fields.len() != shape.width || first.fields.len() < 2 {
        return FirstLine::Arc;
    }
    let is_word = |field: &str| !is_number(field) && !field.trim().is_empty();
    let tops_numbers = |column: usize| {
        let mut fields = below.iter().map(|row| &row.fields[column]);
        is_word(&first.fields[column]) && fields.all(|field| is_number(field))
    };
    let (mut columns, nodes) = (0..shape.width, [source, target]);
    if columns.any(|column| !nodes.contains(&column) && tops_numbers(column)) {
        return FirstLine::Header;
    }
    let ends = nodes.map(|column| first.fields[column].trim());
    let is_end = |row: &&Row| ends_of(row, nodes).iter().any(|field| ends.contains(field));
    if below.iter().any(is_end) {
        return FirstLine::Arc;
    }
    if nodes.into_iter().any(tops_numbers) {
        return FirstLine::Header;
    }
    if !ends.iter().all(|end| is_word(end)) {
        return FirstLine::Arc;
    }
    // An arc that comes again shares nothing with itself.
    let mut seen = HashSet::new();
    let mut below = below;
    below.retain(|row| seen.insert(ends_of(row, nodes)));
    let mut times: HashMap<&str, usize> = HashMap::new();
    for field in below.iter().flat_map(|row| ends_of(row, nodes)) {
        *times.entry(field).or_default() += 1;
    }
    // A loop names its node twice, and does not share it.
    let stands_alone = |row: &&&Row| {
        let [one, other] = ends_of(row, nodes);
        let itself = if one == other { 2 } else { 1 };
        times[one] == itself && times[other] == itself
    };
    let alone = below.iter().filter(stands_alone).count();
    let is_chance = below.len() < 2 || 50 * alone >= below.len();
    if is_chance || !are_titles(ends, &below, [source, target]) {
        return FirstLine::PerhapsArc;
    }
    FirstLine::PerhapsHeader
}

fn ends_of(row: &Row, columns: [usize; 2]) -> [&str; 2] {
    columns.map(|column| row.fields[column].trim())
}

/// True if words may be titles of columns and do not look like the nodes below them.
fn are_titles(ends: [&str; 2], below: &[&Row], columns: [usize; 2]) -> bool {
    let is_letter = |text: &str| text.trim().chars().count() == 1;
    let are_letters = ends.iter().all(|end| is_letter(end));
    let mut nodes = below
        .iter()
        .flat_map(|row| columns.map(|column| &row.fields[column]));
    let is_short = are_letters && nodes.any(|node| is_letter(node));
    let is_like_nodes = [".", "/", ":", "@"].iter().any(|mark| {
        let nodes = below
            .iter()
            .flat_map(|row| columns.map(|column| &row.fields[column]));
        let marked = nodes.filter(|node| node.contains(mark)).count();
        ends.iter().all(|end| end.contains(mark)) && marked > below.len()
    });
    let is_title = |end: &&str| {
        let letters = end.chars().filter(|letter| letter.is_alphabetic()).count();
        (letters > 1 || are_letters) && !end.contains("://") && end.starts_with(char::is_alphabetic)
    };
    !is_short && !is_like_nodes && ends.iter().all(is_title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_above_numbers_and_words_that_never_come_again_are_headers() {
        for (text, expected) in [
            ("citing,cited\n1,2\n2,3\n", FirstLine::Header),
            ("user,page\n1,Rome\n2,Rome\n", FirstLine::Header),
            ("a,b,n\nc,d,5\n", FirstLine::Header),
            (
                "follower,followed\nann,bob\nbob,cat\n",
                FirstLine::PerhapsHeader,
            ),
            ("package,depends_on\na,b\na,c\n", FirstLine::PerhapsHeader),
            // Others stand alone, too.
            ("ann,bob\ncat,dog\n", FirstLine::PerhapsArc),
            (
                "ann,bob\ncat,dog\ncat,eel\nfox,gnu\n",
                FirstLine::PerhapsArc,
            ),
            ("u,v\nann,bob\nbob,cat\n", FirstLine::PerhapsHeader),
            // Letters above letters, and hosts above hosts.
            ("a,b\nc,d\nd,c\n", FirstLine::PerhapsArc),
            (
                "a.org,b.org\nc.org,d.org\nd.org,c.org\n",
                FirstLine::PerhapsArc,
            ),
            ("ann,bob\nbob,cat\n", FirstLine::Arc),
            ("1,2\n2,3\n", FirstLine::Arc),
            ("1,b\nb,1\n", FirstLine::Arc),
            ("a,b,n\nb,a,5\n", FirstLine::Header),
            ("a,b\n", FirstLine::Arc),
        ] {
            let shape = Shape::of(text.as_bytes(), true, (None, false))
                .unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(first_line(&shape, 0, 1), expected, "{text}");
        }
    }
}
