//! Dominance counting: pairs of a point and a query where the point is strictly below and left.
//!
//! The points are sorted by x; then a merge sort by y counts, at every merge, for each query of
//! the right half the points of the left half with a smaller y. O(n log n).

use std::hint::select_unpredictable;

use rayon::prelude::*;

use crate::counting::merge_sort::merge_sort;

/// A point of the plane, or a query, and the same turned upside down.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    pub x: u64,
    pub y: u64,
    pub y_upside_down: u64,
}

/// A point or query after sorting by x: twice y, plus 1 for a point, so that a query comes before
/// the points with its y. It is one number, so that merges select without a branch.
type YEntry = u128;

fn query_entry(y: u64) -> YEntry {
    u128::from(y) << 1
}

fn point_entry(y: u64) -> YEntry {
    query_entry(y) | 1
}

fn is_point(entry: YEntry) -> bool {
    entry & 1 == 1
}

/// The number of pairs of a point and a query with point.x < query.x and point.y < query.y, and
/// the number with point.x < query.x and point.y_upside_down < query.y_upside_down.
pub(super) fn count_below(mut points: Vec<Point>, mut queries: Vec<Point>) -> [u64; 2] {
    rayon::join(
        || points.par_sort_unstable_by_key(|p| p.x),
        || queries.par_sort_unstable_by_key(|q| q.x),
    );
    let count = |y: fn(&Point) -> u64| {
        let mut entries = entries_by_x(&points, &queries, y);
        merge_sort(&mut entries, &sort_short, &merge)
    };
    [count(|point| point.y), count(|point| point.y_upside_down)]
}

/// Points and queries together by increasing x. At equal x, queries come first, since such points
/// are not strictly to their left. Points right of all queries never count and are left out.
fn entries_by_x(points: &[Point], queries: &[Point], y: fn(&Point) -> u64) -> Vec<YEntry> {
    let mut entries = Vec::with_capacity(points.len() + queries.len());
    let mut next_points = points.iter().peekable();
    for query in queries {
        while let Some(point) = next_points.next_if(|point| point.x < query.x) {
            entries.push(point_entry(y(point)));
        }
        entries.push(query_entry(y(query)));
    }
    entries
}

/// Counts the pairs within a short slice, and sorts it by y.
fn sort_short(entries: &mut [YEntry]) -> u64 {
    let pairs = |i: usize| {
        let query = entries[i];
        let below = entries[..i]
            .iter()
            .filter(|&&entry| is_point(entry) & (entry < query));
        if is_point(query) {
            0
        } else {
            below.count() as u64
        }
    };
    let count = (0..entries.len()).map(pairs).sum();
    entries.sort_unstable();
    count
}

/// Merges two slices sorted by y and counts the points of the left below the queries of the right.
fn merge(left: &[YEntry], right: &[YEntry], out: &mut [YEntry]) -> u64 {
    let (mut i, mut k, mut points, mut count) = (0, 0, 0u64, 0u64);
    while i < left.len() && k < right.len() {
        let (l, r) = (left[i], right[k]);
        let left_first = l < r;
        out[i + k] = select_unpredictable(left_first, l, r);
        points += u64::from(left_first & is_point(l));
        count += select_unpredictable(left_first | is_point(r), 0, points);
        i += usize::from(left_first);
        k += usize::from(!left_first);
    }
    let queries = right[k..].iter().filter(|&&entry| !is_point(entry)).count() as u64;
    let rest = left[i..].iter().chain(&right[k..]);
    for (slot, &entry) in out[i + k..].iter_mut().zip(rest) {
        *slot = entry;
    }
    count + queries * points
}
