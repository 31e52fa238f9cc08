//! The coefficients of `webrank::compare` by their definitions: loops over all pairs of nodes, or
//! over all ways to break ties. Slow and obvious; no code shared with the library.
/// Sign of a - b.
pub fn sign(a: f64, b: f64) -> f64 {
    f64::from((a > b) as i8 - (a < b) as i8)
}

/// sum W s_x s_y / sqrt(sum W s_x^2 · sum W s_y^2) over all pairs; none if undefined.
pub fn general_tau(
    n: usize,
    weight: impl Fn(usize, usize) -> f64,
    sx: impl Fn(usize, usize) -> f64,
    sy: impl Fn(usize, usize) -> f64,
) -> Option<f64> {
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for i in 0..n {
        for j in 0..i {
            let w = weight(i, j);
            xy += w * sx(i, j) * sy(i, j);
            xx += w * sx(i, j).abs();
            yy += w * sy(i, j).abs();
        }
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

pub fn tau_b(x: &[f64], y: &[f64]) -> Option<f64> {
    general_tau(
        x.len(),
        |_, _| 1.0,
        |i, j| sign(x[i], x[j]),
        |i, j| sign(y[i], y[j]),
    )
}

/// Concordant and discordant pairs.
pub fn concordance(x: &[f64], y: &[f64]) -> (u64, u64) {
    let (mut concordant, mut discordant) = (0, 0);
    for i in 0..x.len() {
        for j in 0..i {
            let product = sign(x[i], x[j]) * sign(y[i], y[j]);
            concordant += u64::from(product > 0.0);
            discordant += u64::from(product < 0.0);
        }
    }
    (concordant, discordant)
}

/// Ranks from 0 by decreasing x, then decreasing y, then in any order.
pub fn lexicographic_ranks(x: &[f64], y: &[f64]) -> Vec<u32> {
    let before = |i: usize, j: usize| (x[j], y[j], j) > (x[i], y[i], i);
    (0..x.len())
        .map(|i| (0..x.len()).filter(|&j| before(i, j)).count() as u32)
        .collect()
}

/// Weighted tau with ranks by x.
pub fn weighted_tau(
    x: &[f64],
    y: &[f64],
    weigher: impl Fn(u32) -> f64,
    additive: bool,
) -> Option<f64> {
    let ranks = lexicographic_ranks(x, y);
    let weight = |i: usize, j: usize| {
        let (a, b) = (weigher(ranks[i]), weigher(ranks[j]));
        if additive { a + b } else { a * b }
    };
    general_tau(
        x.len(),
        weight,
        |i, j| sign(x[i], x[j]),
        |i, j| sign(y[i], y[j]),
    )
}

/// Average rank from 1.
pub fn mid_ranks(x: &[f64]) -> Vec<f64> {
    let rank = |v: &f64| {
        let above = x.iter().filter(|&u| u > v).count() as f64;
        let tied = x.iter().filter(|&u| u == v).count() as f64;
        above + (tied + 1.0) / 2.0
    };
    x.iter().map(rank).collect()
}

pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len() as f64;
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n;
    let (mx, my) = (mean(x), mean(y));
    let dot = |a: &[f64], ma: f64, b: &[f64], mb: f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum()
    };
    let varies = |v: &[f64]| v.iter().any(|&u| u != v[0]);
    (varies(x) && varies(y))
        .then(|| dot(x, mx, y, my) / (dot(x, mx, x, mx) * dot(y, my, y, my)).sqrt())
}

/// All orders (best first) that a score vector admits, ties broken in every way.
pub fn orders(scores: &[f64]) -> Vec<Vec<usize>> {
    fn extend(scores: &[f64], order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        let left: Vec<usize> = (0..scores.len()).filter(|i| !order.contains(i)).collect();
        let Some(best) = left.iter().map(|&i| scores[i]).reduce(f64::max) else {
            return all.push(order.clone());
        };
        for i in left.into_iter().filter(|&i| scores[i] == best) {
            order.push(i);
            extend(scores, order, all);
            order.pop();
        }
    }
    let mut all = Vec::new();
    extend(scores, &mut Vec::new(), &mut all);
    all
}

/// Yilmaz's tau_ap of a true score vector without ties and an order.
pub fn tau_ap(truth: &[f64], order: &[usize]) -> f64 {
    let mut sum = 0.0;
    for i in 1..order.len() {
        let right = (0..i)
            .filter(|&j| truth[order[j]] > truth[order[i]])
            .count();
        sum += right as f64 / i as f64;
    }
    2.0 * sum / (order.len() as f64 - 1.0) - 1.0
}

/// One direction of tau_ap,b.
pub fn tau_ap_b(other: &[f64], estimate: &[f64]) -> Option<f64> {
    let n = estimate.len();
    let (mut sum, mut nodes) = (0.0, 0);
    for i in 0..n {
        let above: Vec<usize> = (0..n).filter(|&j| estimate[j] > estimate[i]).collect();
        if !above.is_empty() {
            let right = above.iter().filter(|&&j| other[j] > other[i]).count();
            sum += right as f64 / above.len() as f64;
            nodes += 1;
        }
    }
    (nodes > 0).then(|| 2.0 * sum / f64::from(nodes) - 1.0)
}

/// Rank-biased overlap of two orders of the same nodes, the last agreement (1) extrapolated.
pub fn rbo_of_orders(x: &[usize], y: &[usize], p: f64) -> f64 {
    let n = x.len();
    let agreement =
        |d: usize| x[..d].iter().filter(|&i| y[..d].contains(i)).count() as f64 / d as f64;
    let seen: f64 = (1..=n)
        .map(|d| (1.0 - p) * p.powi(d as i32 - 1) * agreement(d))
        .sum();
    seen + p.powi(n as i32)
}

/// How a tie contributes to rank-biased overlap.
#[derive(Clone, Copy, PartialEq)]
pub enum Variant {
    W,
    A,
    B,
}

/// Extrapolated rank-biased overlap of partial rankings, from whole tables of contributions.
pub fn rbo(x: &[Option<f64>], y: &[Option<f64>], p: f64, variant: Variant) -> f64 {
    let length = |v: &[Option<f64>]| v.iter().flatten().count();
    let (short, long) = if length(x) <= length(y) {
        (x, y)
    } else {
        (y, x)
    };
    let (s, l) = (length(short), length(long));
    let contribution = |v: &[Option<f64>], i: usize, d: usize| -> f64 {
        let Some(score) = v[i] else { return 0.0 };
        let first = v.iter().flatten().filter(|&&u| u > score).count();
        let len = v.iter().flatten().filter(|&&u| u == score).count();
        let taken = d.saturating_sub(first).min(len);
        match variant {
            Variant::W => f64::from(taken > 0),
            _ => taken as f64 / len as f64,
        }
    };
    let total = |v: &[Option<f64>], d: usize, power: i32| -> f64 {
        (0..v.len())
            .map(|i| contribution(v, i, d).powi(power))
            .sum()
    };
    let mut at_s = 0.0;
    let (mut sum, mut shared) = (0.0, 0.0);
    for d in 1..=l {
        let seen: f64 = (0..x.len())
            .map(|i| contribution(short, i, d) * contribution(long, i, d))
            .sum();
        let unseen = if d <= s {
            0.0
        } else {
            let missing: Vec<f64> = (0..x.len())
                .filter(|&i| short[i].is_none())
                .map(|i| contribution(long, i, d))
                .filter(|&c| c > 0.0)
                .collect();
            (d - s) as f64 * at_s * missing.iter().sum::<f64>() / missing.len() as f64
        };
        let sizes = |power: i32| {
            let of_short = if d <= s {
                total(short, d, power)
            } else {
                d as f64
            };
            (of_short, total(long, d, power))
        };
        let agreement = (seen + unseen)
            / match variant {
                Variant::W => (sizes(1).0 + sizes(1).1) / 2.0,
                Variant::A => d as f64,
                Variant::B => (sizes(2).0 * sizes(2).1).sqrt(),
            };
        if d == s {
            at_s = agreement;
        }
        sum += (1.0 - p) * p.powi(d as i32 - 1) * agreement;
        shared = seen;
    }
    sum + p.powi(l as i32) * (shared + (l - s) as f64 * at_s) / l as f64
}
