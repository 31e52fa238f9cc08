//! Removes self-loops: no shortest path takes one, and they hide equal lists.

use std::borrow::Cow;
use webrank_graph::Csr;

/// The graph without self-loops; borrowed when it has none. O(n + m).
pub fn strip(rows: &Csr) -> Cow<'_, Csr> {
    let has_loop = |x| rows.row(x).binary_search(&x).is_ok();
    let nodes = 0..rows.num_nodes() as u32;
    let loops = nodes.clone().filter(|&x| has_loop(x)).count();
    if loops == 0 {
        return Cow::Borrowed(rows);
    }
    let mut offsets = Vec::with_capacity(rows.num_nodes() + 1);
    let mut targets = Vec::with_capacity(rows.num_arcs() as usize - loops);
    offsets.push(0);
    for x in nodes {
        targets.extend(rows.row(x).iter().filter(|&&y| y != x));
        offsets.push(targets.len() as u64);
    }
    Cow::Owned(Csr::from_checked(offsets, targets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_self_loops_go() {
        let graph = Csr::from_arcs(3, [(0, 0), (0, 1), (1, 2), (2, 2)]).unwrap();
        let expected = Csr::from_arcs(3, [(0, 1), (1, 2)]).unwrap();
        assert_eq!(*strip(&graph), expected);
        assert!(matches!(strip(&expected), Cow::Borrowed(_)));
    }
}
