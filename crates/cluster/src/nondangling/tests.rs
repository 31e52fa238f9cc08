use super::*;
use crate::buffered_gather::Inflows;
use crate::tests::run;
use proptest::prelude::*;
use std::sync::Arc;
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Silent;
use webrank_formats::shard::Cutter;
use webrank_graph::Graph;

fn graphs() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (1usize..60).prop_flat_map(|n| {
        // Few sources, so that many nodes are dangling.
        let arc = (0..(n as Node).div_ceil(2), 0..n as Node);
        (Just(n), prop::collection::vec(arc, 0..150))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Sums of sweeps are those of live nodes, and sums at the end those of all, for any parts and workers,
    /// wherever rows are.
    #[test]
    fn sums_are_those_of_predecessors(
        (n, mut arcs) in graphs(),
        parts in 1usize..6,
        workers in 1usize..6,
        is_in_memory in any::<bool>(),
        values in prop::collection::vec(any::<u64>(), 60),
    ) {
        arcs.sort_unstable();
        arcs.dedup();
        let folder = tempfile::tempdir().unwrap();
        let graph = Graph::from_arcs(n, arcs.iter().copied()).unwrap();
        let output = folder.path().join("shards");
        let cutter = Cutter::new(&graph, parts, &output, &Silent).unwrap();
        cutter.write(&output, &Silent).unwrap();
        let shards = Shards::open(&output).unwrap();
        let room = match is_in_memory {
            true => SpillBudget::in_memory(),
            false => SpillBudget {
                bytes: 0,
                folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
            },
        };
        let mut expected = vec![0u64; n];
        for &(source, target) in &arcs {
            let sum = &mut expected[target as usize];
            *sum = sum.wrapping_add(values[source as usize]);
        }
        let found = run(workers.min(parts), |exchange| {
            let live = LivePieces::open(&shards, exchange, &room, &Silent)?;
            let range = live.pieces.range.clone();
            let first = range.start as usize;
            let mut before = vec![0u64];
            for &node in &live.nodes {
                let value = values[first + node as usize];
                before.push(before[before.len() - 1].wrapping_add(value));
            }
            let mut inflows = Inflows::new(&live.pieces)?;
            inflows.send(exchange, &before)?;
            inflows.add_up(exchange, &before)?;
            let mut of_live = vec![0; live.nodes.len()];
            inflows.write(0, &mut of_live);
            exchange.gather([])?;
            let of_all = live.sums_of_all(exchange, &before)?;
            let sums = of_live.into_iter().zip(&live.nodes);
            let of_live: Vec<_> = sums.map(|(sum, &node)| (first + node as usize, sum)).collect();
            Ok((of_live, of_all))
        });
        let (of_live, of_all): (Vec<_>, Vec<_>) = found.into_iter().map(Result::unwrap).unzip();
        prop_assert_eq!(of_all.concat(), expected.clone());
        let mut live: Vec<usize> = arcs.iter().map(|&(source, _)| source as usize).collect();
        live.dedup();
        let live: Vec<_> = live.into_iter().map(|node| (node, expected[node])).collect();
        prop_assert_eq!(of_live.concat(), live);
    }
}
