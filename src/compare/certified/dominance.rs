//! How many points lie below and to the left of others, strictly, counted over all pairs.
//!
//! The points are sorted by x; then a merge sort by y counts, at every merge, for each query of
//! the right half the points of the left half with a smaller y. O(n log n).

use rayon::prelude::*;

use crate::compare::merge::merge_sort;

/// A point of the plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub x: u64,
    pub y: u64,
}

/// What remains of a point or query once sorted by x.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    y: u64,
    is_point: bool,
}

/// The number of pairs of a point and a query with point.x < query.x and point.y < query.y.
pub(super) fn count_below(mut points: Vec<Point>, mut queries: Vec<Point>) -> u64 {
    // By x, queries first where x is equal: an equal x is not below. Among equals the order does
    // not change the count.
    rayon::join(
        || points.par_sort_unstable_by_key(|p| p.x),
        || queries.par_sort_unstable_by_key(|q| q.x),
    );
    let mut entries = Vec::with_capacity(points.len() + queries.len());
    let mut next_points = points.iter().peekable();
    for query in &queries {
        while let Some(point) = next_points.next_if(|point| point.x < query.x) {
            entries.push(Entry {
                y: point.y,
                is_point: true,
            });
        }
        entries.push(Entry {
            y: query.y,
            is_point: false,
        });
    }
    // Points right of all queries count for none.
    drop((points, queries));
    merge_sort(&mut entries, &sort_short, &merge)
}

/// The pairs within a short slice, which it leaves sorted by y.
fn sort_short(entries: &mut [Entry]) -> u64 {
    let pairs = |i: usize| {
        let query = entries[i];
        let below = |point: &&Entry| point.is_point && point.y < query.y;
        if query.is_point {
            0
        } else {
            entries[..i].iter().filter(below).count() as u64
        }
    };
    let count = (0..entries.len()).map(pairs).sum();
    entries.sort_unstable_by_key(|entry| entry.y);
    count
}

/// Merges two slices sorted by y and counts the points of the left below the queries of the right.
fn merge(left: &[Entry], right: &[Entry], out: &mut [Entry]) -> u64 {
    let (mut i, mut k, mut points, mut count) = (0, 0, 0u64, 0u64);
    while i < left.len() && k < right.len() {
        // Strict: a query goes before the points with its y.
        let take_left = left[i].y < right[k].y;
        let entry = if take_left { left[i] } else { right[k] };
        out[i + k] = entry;
        points += u64::from(take_left && entry.is_point);
        count += if take_left || entry.is_point {
            0
        } else {
            points
        };
        i += usize::from(take_left);
        k += usize::from(!take_left);
    }
    let written = i + k;
    let queries = right[k..].iter().filter(|entry| !entry.is_point).count() as u64;
    let rest = left[i..].iter().chain(&right[k..]);
    for (slot, &entry) in out[written..].iter_mut().zip(rest) {
        *slot = entry;
    }
    count + queries * points
}
