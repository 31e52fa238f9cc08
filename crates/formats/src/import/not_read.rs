//! Files of kinds that are known and not read, and what to do with them.

use super::recognise::First;

/// Why a file is refused, if it is of such a kind: a sentence without a subject.
pub(super) fn recognise(first: &First) -> Option<String> {
    let starts = |magic: &[u8]| first.bytes.starts_with(magic);
    let problem = if starts(b"WARC/") {
        "is an archive of web pages; 'rank ingest' makes a graph of it"
    } else if first.starts_with("<!doctype html") || first.starts_with("<html") {
        "is a page of HTML; 'rank ingest' makes a graph of a folder of such pages"
    } else {
        return None;
    };
    Some(problem.to_owned())
}
