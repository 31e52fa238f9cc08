//! Ranges of nodes of about equal weight.

/// The starts of so many ranges of about equal weight, and the end of the last one.
pub(super) fn bounds(
    weights: impl ExactSizeIterator<Item = u64> + Clone,
    num_parts: usize,
) -> Vec<usize> {
    let n = weights.len();
    let total: u128 = weights.clone().map(u128::from).sum();
    let (mut bounds, mut before) = (vec![0], 0u128);
    for (node, weight) in weights.enumerate() {
        // A node belongs to the range in which its middle lies.
        let middle = 2 * before + u128::from(weight);
        while bounds.len() < num_parts
            && middle * num_parts as u128 >= 2 * total * bounds.len() as u128
        {
            bounds.push(node);
        }
        before += u128::from(weight);
    }
    bounds.resize(num_parts + 1, n);
    bounds
}

#[cfg(test)]
mod tests {
    use super::bounds;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_are_balanced(weights in prop::collection::vec(1u64..100, 0..200), parts in 1usize..12) {
            let bounds = bounds(weights.iter().copied(), parts);
            prop_assert_eq!((bounds.len(), bounds[0], bounds[parts]), (parts + 1, 0, weights.len()));
            prop_assert!(bounds.is_sorted());
            let total: u64 = weights.iter().sum();
            for range in bounds.windows(2) {
                let weight: u64 = weights[range[0]..range[1]].iter().sum();
                prop_assert!(weight * parts as u64 <= total + 100 * parts as u64);
            }
        }
    }
}
