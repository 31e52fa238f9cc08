//! Which row each target of a window has.
//!
//! Rows are counted from 1, and 0 is that of targets that have none. Numbers take two bytes each, so that a
//! sweep reads them as they are: one for every target, or, where fewer than half of the targets have rows,
//! the target and the row of each that has.

/// Targets of a window at most: then they, and their rows, have numbers of two bytes.
pub(super) const MAX_TARGETS: usize = if cfg!(test) { 7 } else { u16::MAX as usize };

/// The list of so many targets, of which some, in increasing order, have these rows, counted from 0.
pub(super) fn list_of(targets: usize, rows: &[(u16, u16)]) -> Vec<u8> {
    if 2 * rows.len() < targets {
        let pairs = rows.iter().flat_map(|&(target, row)| [target, row + 1]);
        return pairs.flat_map(u16::to_le_bytes).collect();
    }
    let mut list = vec![0; 2 * targets];
    let (entries, _) = list.as_chunks_mut::<2>();
    for &(target, row) in rows {
        entries[target as usize] = (row + 1).to_le_bytes();
    }
    list
}

/// Adds to each target the sum of its row; that of row 0 is 0. None if the list is not one of so many
/// targets and rows.
pub(super) fn add(list: &[u8], sums: &[u64], into: &mut [u64]) -> Option<()> {
    let mut is_within = true;
    let mut sum_of = |row: [u8; 2]| {
        let sum = sums.get(u16::from_le_bytes(row) as usize);
        is_within &= sum.is_some();
        sum.copied().unwrap_or(0)
    };
    if list.len() == 2 * into.len() {
        let (rows, _) = list.as_chunks::<2>();
        for (inflow, &row) in into.iter_mut().zip(rows) {
            *inflow = inflow.wrapping_add(sum_of(row));
        }
    } else {
        let (pairs, _) = list.as_chunks::<4>();
        for &[a, b, c, d] in pairs {
            let inflow = into.get_mut(u16::from_le_bytes([a, b]) as usize)?;
            *inflow = inflow.wrapping_add(sum_of([c, d]));
        }
    }
    is_within.then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_get_the_sums_of_their_rows() {
        let sums = [0, 10, 20, 30];
        for rows in [&[(1, 2)][..], &[(0, 0), (1, 2), (4, 1)], &[]] {
            let list = list_of(5, rows);
            let mut into = [1; 5];
            assert_eq!(add(&list, &sums, &mut into), Some(()));
            let mut expected = [1; 5];
            for &(target, row) in rows {
                expected[target as usize] += sums[row as usize + 1];
            }
            assert_eq!(into, expected, "{rows:?}");
            assert!(
                rows.iter().all(|&(_, row)| row != 2)
                    || add(&list, &sums[..3], &mut into).is_none()
            );
        }
        assert_eq!(add(&[9, 0, 1, 0], &sums, &mut [0; 5]), None);
    }
}
