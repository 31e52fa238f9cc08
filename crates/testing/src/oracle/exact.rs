//! Linear algebra in fractions of integers of any size.

use num_bigint::{BigInt, Sign};
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

pub type Exact = Ratio<BigInt>;

/// Exactly this double.
pub fn exact(value: f64) -> Exact {
    assert!(value.is_finite(), "{value}");
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match biased {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, biased - 1075),
    };
    let sign = if value < 0.0 { Sign::Minus } else { Sign::Plus };
    let mantissa = BigInt::from_biguint(sign, mantissa.into());
    match exponent {
        0.. => Exact::from_integer(mantissa << exponent as usize),
        _ => Exact::new(mantissa, BigInt::one() << (-exponent) as usize),
    }
}

/// The l1 distance of doubles from exact values.
pub fn distance(found: &[f64], truth: &[Exact]) -> Exact {
    let differences = found.iter().zip(truth).map(|(&x, t)| (exact(x) - t).abs());
    differences.fold(Exact::zero(), |sum, term| sum + term)
}

pub fn sum(terms: &[Exact]) -> Exact {
    terms.iter().fold(Exact::zero(), |sum, term| sum + term)
}

/// The identity minus a multiple of the transpose: `I - alpha A'`.
pub fn resolvent(a: &[Vec<Exact>], alpha: &Exact) -> Vec<Vec<Exact>> {
    let n = a.len();
    let entry = |i: usize, j: usize| match i == j {
        true => Exact::one() - alpha * &a[j][i],
        false => -(alpha * &a[j][i]),
    };
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// The pivots of elimination without exchanges, up to the first that is not positive. A matrix
/// without positive entries off the diagonal is a nonsingular M-matrix if and only if all are
/// positive.
pub fn is_m_matrix(mut matrix: Vec<Vec<Exact>>) -> bool {
    let n = matrix.len();
    for s in 0..n {
        if !matrix[s][s].is_positive() {
            return false;
        }
        for i in s + 1..n {
            let factor = &matrix[i][s] / &matrix[s][s];
            if factor.is_zero() {
                continue;
            }
            let row = matrix[s].clone();
            for (entry, above) in matrix[i].iter_mut().zip(&row).skip(s) {
                *entry -= &factor * above;
            }
        }
    }
    true
}

/// The solution of `matrix x = right`, by Gauss-Jordan; the matrix must not be singular.
pub fn solve(mut matrix: Vec<Vec<Exact>>, mut right: Vec<Exact>) -> Vec<Exact> {
    let n = right.len();
    for s in 0..n {
        let pivot = (s..n).find(|&i| !matrix[i][s].is_zero());
        let pivot = pivot.expect("the matrix is not singular");
        matrix.swap(s, pivot);
        right.swap(s, pivot);
        for i in (0..n).filter(|&i| i != s) {
            let factor = &matrix[i][s] / &matrix[s][s];
            if factor.is_zero() {
                continue;
            }
            let row = matrix[s].clone();
            for (entry, above) in matrix[i].iter_mut().zip(&row).skip(s) {
                *entry -= &factor * above;
            }
            let less = &factor * &right[s];
            right[i] -= less;
        }
    }
    (0..n).map(|i| &right[i] / &matrix[i][i]).collect()
}

/// PageRank of walks with these weights that start from v and go on from dangling nodes as u says,
/// or end there.
pub fn pagerank(a: &[Vec<Exact>], alpha: &Exact, v: &[Exact], u: Option<&[Exact]>) -> Vec<Exact> {
    let row = |row: &Vec<Exact>| match (sum(row), u) {
        (total, Some(u)) if total.is_zero() => u.to_vec(),
        (total, None) if total.is_zero() => row.clone(),
        (total, _) => row.iter().map(|weight| weight / &total).collect(),
    };
    let steps: Vec<Vec<Exact>> = a.iter().map(row).collect();
    let restart = Exact::one() - alpha;
    let right = v.iter().map(|v| &restart * v).collect();
    solve(resolvent(&steps, alpha), right)
}

/// A distribution proportional to these numbers.
pub fn distribution(weights: &[f64]) -> Vec<Exact> {
    let weights: Vec<Exact> = weights.iter().map(|&weight| exact(weight)).collect();
    let total = sum(&weights);
    weights.iter().map(|weight| weight / &total).collect()
}

/// Ranks: 1 plus the number of larger values.
pub fn ranks(scores: &[Exact]) -> Vec<u32> {
    let larger = |x: &Exact| scores.iter().filter(|&y| y > x).count();
    scores.iter().map(|x| larger(x) as u32 + 1).collect()
}

/// For every pair of nodes, whether the first reaches the second.
pub fn reaches(a: &[Vec<Exact>]) -> Vec<Vec<bool>> {
    let n = a.len();
    let arc = |i: usize, j: usize| i == j || !a[i][j].is_zero();
    let mut reaches: Vec<Vec<bool>> = (0..n)
        .map(|i| (0..n).map(|j| arc(i, j)).collect())
        .collect();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
            }
        }
    }
    reaches
}

/// The long-run distribution of walks with these weights from a uniform start. Walks stay at nodes
/// without successors.
pub fn long_run(a: &[Vec<Exact>]) -> Vec<Exact> {
    let n = a.len();
    let totals: Vec<Exact> = a.iter().map(|row| sum(row)).collect();
    let step = |i: usize, j: usize| match totals[i].is_zero() {
        true if i == j => Exact::one(),
        true => Exact::zero(),
        false => &a[i][j] / &totals[i],
    };
    let reaches = reaches(a);
    let is_terminal = |i: usize| (0..n).all(|j| !reaches[i][j] || reaches[j][i]);
    let transient: Vec<usize> = (0..n).filter(|&i| !is_terminal(i)).collect();
    // Visits of transient nodes: y = start + y Q.
    let start = Exact::new(1.into(), n.max(1).into());
    let rows = transient.iter().map(|&i| {
        let row = transient.iter().map(|&j| match i == j {
            true => Exact::one() - step(i, i),
            false => -step(j, i),
        });
        row.collect()
    });
    let visits = solve(rows.collect(), vec![start.clone(); transient.len()]);
    let mut x = vec![Exact::zero(); n];
    let mut is_done = vec![false; n];
    for first in (0..n).filter(|&i| is_terminal(i)) {
        if is_done[first] {
            continue;
        }
        let members: Vec<usize> = (0..n).filter(|&j| reaches[first][j]).collect();
        let mut mass = Exact::zero();
        for &j in &members {
            is_done[j] = true;
            mass += &start;
            for (&i, visits) in transient.iter().zip(&visits) {
                mass += visits * step(i, j);
            }
        }
        // pi (P - I) = 0, with the last equation replaced by the sum.
        let k = members.len();
        let mut right = vec![Exact::zero(); k];
        right[k - 1] = mass;
        let rows = (0..k).map(|row| {
            let column = |of: usize| match (row == k - 1, row == of) {
                (true, _) => Exact::one(),
                (false, true) => step(members[of], members[row]) - Exact::one(),
                (false, false) => step(members[of], members[row]),
            };
            (0..k).map(column).collect()
        });
        for (&j, value) in members.iter().zip(solve(rows.collect(), right)) {
            x[j] = value;
        }
    }
    x
}
