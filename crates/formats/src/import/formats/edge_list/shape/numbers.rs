//! Numbers in fields.

/// True for a number as people write it: not for words such as `inf`.
pub(in super::super) fn is_number(field: &str) -> bool {
    let field = field.trim();
    let starts =
        field.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter));
    starts && field.parse::<f64>().is_ok_and(f64::is_finite)
}

/// A number with a comma before its decimals.
pub(in super::super) fn decimal_comma(field: &str) -> Option<f64> {
    let field = field.trim();
    let (before, after) = field.split_once(',')?;
    let is_plain = !before.contains('.') && after.starts_with(|first: char| first.is_ascii_digit());
    let number = is_plain.then(|| format!("{before}.{after}"))?;
    is_number(&number).then(|| number.parse().ok())?
}
