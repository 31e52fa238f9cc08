//! Comments of SNAP and KONECT.

/// The claims of a comment about the graph.
pub(super) struct Comment {
    pub(super) is_undirected: bool,
    pub(super) is_bipartite: bool,
    pub(super) is_konect: bool,
    pub(super) is_snap: bool,
}

impl Comment {
    /// Reads the first line of a KONECT file (`% sym weighted`) or of a SNAP file
    /// (`# Undirected graph: ...`).
    pub(super) fn of(text: &str) -> Self {
        let mut words = text.trim_start_matches(['#', '%']).split_whitespace();
        let is_percent = text.starts_with('%');
        let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let is_konect = is_percent && ["sym", "asym", "bip"].contains(&first);
        Comment {
            is_undirected: is_konect && first == "sym"
                || first == "Undirected" && second.starts_with("graph"),
            is_bipartite: is_konect && first == "bip",
            is_konect,
            is_snap: !is_percent && is_of_snap(first, second),
        }
    }
}

/// True for the words that SNAP's comments start with: `Directed graph`, `Nodes: 5 Edges: 7`,
/// `FromNodeId ToNodeId`.
fn is_of_snap(first: &str, second: &str) -> bool {
    let is_title = ["Directed", "Undirected"].contains(&first) && second.starts_with("graph");
    is_title || first == "FromNodeId" || first == "Nodes:"
}
