//! Scores as people read them: in one form, with their points below each other.

/// Significant digits of the largest score.
const DIGITS: i32 = 6;

/// Significant digits of the smallest score but 0.
const LEAST_DIGITS: i32 = 3;

/// Decimals beyond which powers of ten are easier to read.
const MAX_DECIMALS: i32 = 10;

/// The texts of these scores, all of the same length: decimals, without zeros at the end of all of
/// them, or powers of ten if scores span many orders.
pub fn aligned(scores: &[f64]) -> Vec<String> {
    let sizes = scores.iter().map(|score| score.abs());
    let order = |size: f64| size.log10().floor() as i32;
    let largest = sizes.clone().fold(0.0, f64::max);
    let smallest = sizes.filter(|&size| size > 0.0).fold(largest, f64::min);
    let decimals = match largest > 0.0 {
        true => (DIGITS - 1 - order(largest)).max(LEAST_DIGITS - 1 - order(smallest)),
        false => 0,
    };
    let is_plain = decimals <= MAX_DECIMALS && largest < 1e15;
    let mut texts: Vec<String> = match is_plain {
        true => {
            let decimals = decimals.max(0) as usize;
            scores
                .iter()
                .map(|score| format!("{score:.decimals$}"))
                .collect()
        }
        false => scores.iter().map(|score| format!("{score:.6e}")).collect(),
    };
    // No scores have no zeros at their ends.
    while is_plain
        && !texts.is_empty()
        && texts
            .iter()
            .all(|text| text.contains('.') && text.ends_with(['0', '.']))
    {
        let is_point = texts.iter().any(|text| text.ends_with('.'));
        texts
            .iter_mut()
            .for_each(|text| text.truncate(text.len() - 1));
        if is_point {
            break;
        }
    }
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    let pad = |text: String| format!("{text:>width$}");
    texts.into_iter().map(pad).collect()
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn scores_have_one_form() {
        for (scores, expected) in [
            (&[0.1218668, 0.00335][..], &["0.121867", "0.003350"][..]),
            (&[0.1218668, 9.7e-6], &["0.1218668", "0.0000097"]),
            (&[2.5, 2.0, 1.75], &["2.50", "2.00", "1.75"]),
            (&[20443.0, 7.0, 0.0], &["20443", "    7", "    0"]),
            (&[14823.5, 1300.75], &["14823.5", " 1300.8"]),
            (&[-12.0, 3.5], &["-12.0", "  3.5"]),
            (&[100.0, 20.0], &["100", " 20"]),
            (&[1.0, 1e-12], &["  1.000000e0", "1.000000e-12"]),
            (&[0.0, 0.0], &["0", "0"]),
            (&[], &[]),
        ] {
            assert_eq!(aligned(scores), expected, "{scores:?}");
        }
    }
}
