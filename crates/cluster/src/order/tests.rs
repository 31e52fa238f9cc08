use super::*;
use crate::threads::threads;
use proptest::prelude::*;
use webrank_scores::intervals::RankRanges;
use webrank_scores::proved_order::Certainty;

/// The results of the job for each worker.
fn among<T: Send>(
    parts: &[Vec<(f64, f64)>],
    job: impl Fn(&mut Exchange, &[f64], &[f64]) -> Result<T> + Sync,
) -> Vec<T> {
    std::thread::scope(|scope| {
        let transports = threads(parts.len()).into_iter().zip(parts);
        let started: Vec<_> = transports
            .map(|(transport, part)| {
                let job = &job;
                scope.spawn(move || {
                    let (lower, upper): (Vec<_>, Vec<_>) = part.iter().copied().unzip();
                    let mut exchange = Exchange::new(transport);
                    let found = job(&mut exchange, &lower, &upper);
                    exchange.end(found).unwrap()
                })
            })
            .collect();
        started.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn places_are_those_of_all_numbers_together(
        parts in prop::collection::vec(
            prop::collection::vec(
                (prop_oneof![Just(0.0), Just(-0.0), (-3i8..9).prop_map(f64::from), -1.0..1.0f64], 0u8..3),
                0..30,
            ),
            1..6,
        ),
        bound in prop_oneof![Just(0.0), Just(0.01), Just(1.5)],
    ) {
        let ends = |(end, width): &(f64, u8)| (*end, end + f64::from(*width));
        let parts: Vec<Vec<_>> = parts.iter().map(|part| part.iter().map(ends).collect()).collect();
        let (lower, upper): (Vec<f64>, Vec<f64>) = parts.concat().into_iter().unzip();
        let ranking = Ranking::new(&lower).unwrap();
        let certainty = Certainty::new(&ranking, &lower, bound, |_, _| false);
        let ranges = RankRanges::new(&lower, &upper);
        let found = among(&parts, |exchange, lower, upper| {
            let places = Places::new(exchange, lower, bound)?;
            let above = count_above(exchange, lower, upper)?;
            let of_node = |node: usize| (places.rank(node), places.is_certain(node), above[node]);
            let all = (0..lower.len()).map(of_node).collect::<Vec<_>>();
            Ok((all, places.certain_places))
        });
        for (_, proved) in &found {
            prop_assert_eq!(*proved, certainty.proved_positions() as u64);
        }
        let found: Vec<_> = found.into_iter().flat_map(|(all, _)| all).collect();
        for (node, (rank, is_certain, above)) in found.into_iter().enumerate() {
            prop_assert_eq!(rank, u64::from(ranking.ranks()[node]));
            prop_assert_eq!(is_certain, certainty.certain()[node]);
            prop_assert_eq!(1 + above, u64::from(ranges.from[node]));
        }
    }
}

/// Several rounds, workers without numbers, numbers that all have, and very uneven workers.
#[test]
fn many_numbers_take_several_rounds() {
    let number = |k: usize| ((k * 2_654_435_761 % 300_007) as f64, 0.0);
    let parts = [
        (0..200_000).map(number).collect(),
        Vec::new(),
        vec![(7.0, 7.0); 50_000],
        (150_000..230_000).map(number).collect::<Vec<_>>(),
    ];
    let all: Vec<f64> = parts.concat().into_iter().map(|(x, _)| x).collect();
    let ranking = Ranking::new(&all).unwrap();
    let certainty = Certainty::new(&ranking, &all, 0.5, |_, _| false);
    let found = among(&parts, |exchange, numbers, _| {
        let places = Places::new(exchange, numbers, 0.5)?;
        let of_node = |node: usize| (places.rank(node), places.is_certain(node));
        Ok((0..numbers.len()).map(of_node).collect::<Vec<_>>())
    });
    let expected = ranking.ranks().iter().zip(certainty.certain());
    let expected = expected.map(|(&rank, &is_certain)| (u64::from(rank), is_certain));
    assert!(found.concat().into_iter().eq(expected));
}
