//! LeaderRank from its definition, in exact fractions.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Zero};

pub type Fraction = Ratio<BigInt>;

/// The scores of the graph whose arcs i -> j have weights `weights[i][j]`, 0 where there is none.
pub fn leaderrank(weights: &[Vec<u32>]) -> Vec<Fraction> {
    let n = weights.len();
    let whole = |x: usize| Fraction::from(BigInt::from(x));
    // The probabilities of steps among all nodes and the ground node, the last.
    let mut steps = vec![vec![Fraction::zero(); n + 1]; n + 1];
    for i in 0..n {
        let total = whole(1 + weights[i].iter().sum::<u32>() as usize);
        for j in 0..n {
            steps[i][j] = whole(weights[i][j] as usize) / &total;
        }
        steps[i][n] = total.recip();
        steps[n][i] = whole(n).recip();
    }
    // s (P - I) = 0 but for the last equation, in place of which s sums to n.
    let mut system: Vec<Vec<Fraction>> = (0..=n)
        .map(|j| {
            let mut equation: Vec<Fraction> = (0..=n).map(|i| steps[i][j].clone()).collect();
            equation[j] -= Fraction::one();
            equation.push(Fraction::zero());
            equation
        })
        .collect();
    system[n] = vec![Fraction::one(); n + 2];
    system[n][n + 1] = whole(n);
    let s = solved(system);
    (0..n).map(|i| &s[i] + &s[n] / whole(n)).collect()
}

/// The solution of a regular system, whose right-hand side is the last column, by elimination.
fn solved(mut system: Vec<Vec<Fraction>>) -> Vec<Fraction> {
    let size = system.len();
    for column in 0..size {
        let pivot = (column..size).find(|&row| !system[row][column].is_zero());
        system.swap(column, pivot.expect("a regular system"));
        let pivot = system[column].clone();
        for row in (0..size).filter(|&row| row != column) {
            let factor = &system[row][column] / &pivot[column];
            if !factor.is_zero() {
                for (entry, of_pivot) in system[row].iter_mut().zip(&pivot) {
                    *entry -= &factor * of_pivot;
                }
            }
        }
    }
    (0..size)
        .map(|row| &system[row][size] / &system[row][row])
        .collect()
}
