//! Which numbers Excel shows as dates or times: they are texts, not weights.

use super::super::super::zipped::Member;
use super::super::xml::Part;
use super::xml;
use std::collections::HashSet;
use webrank_base::error::Result;

/// The styles of cells.
#[derive(Default)]
pub(super) struct Styles {
    /// For the number of a style, whether it shows a date or a time.
    are_dates: Vec<bool>,
    is_from_1904: bool,
}

/// More styles or formats than any workbook has.
const MAX_STYLES: usize = 1 << 17;

impl Styles {
    pub(super) fn read(member: &Member, is_from_1904: bool) -> Result<Self> {
        let mut xml = xml(member)?;
        let mut dates: HashSet<String> = HashSet::new();
        let mut styles = Styles {
            is_from_1904,
            ..Styles::default()
        };
        let mut is_of_cells = false;
        loop {
            match xml.next()? {
                Part::Start(element) => match element.name.as_str() {
                    "numFmt" if dates.len() < MAX_STYLES => {
                        let code = element.attribute("formatCode").unwrap_or_default();
                        if shows_time(code)
                            && let Some(id) = element.attribute("numFmtId")
                        {
                            dates.insert(id.to_owned());
                        }
                    }
                    "cellXfs" => is_of_cells = true,
                    "cellStyles" | "dxfs" => is_of_cells = false,
                    "xf" if is_of_cells && styles.are_dates.len() < MAX_STYLES => {
                        let id = element.attribute("numFmtId").unwrap_or_default();
                        styles.are_dates.push(dates.contains(id) || is_known(id));
                    }
                    _ => {}
                },
                Part::EndOfFile => return Ok(styles),
                _ => {}
            }
        }
    }

    /// The date that a number means in a cell with this style, if it means one: `2024-01-31`, perhaps with
    /// a time.
    pub(super) fn date(&self, style: Option<&str>, number: &str) -> Option<String> {
        let style: usize = style?.parse().ok()?;
        if !*self.are_dates.get(style)? {
            return None;
        }
        let number: f64 = number.parse().ok()?;
        let seconds = (number * 86400.0).round();
        if !(0.0..MOST_DAYS * 86400.0).contains(&seconds) {
            return Some(number.to_string());
        }
        let (days, seconds) = (seconds as i64 / 86400, seconds as i64 % 86400);
        let time = format!(
            "{:02}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        );
        let base = match (self.is_from_1904, days) {
            (_, 0) => return Some(time),
            (true, _) => 24_107,
            // Excel's year 1900 has a day too many, the 60th.
            (false, ..60) => 25_568,
            (false, _) => 25_569,
        };
        let (year, month, day) = civil(days - base);
        let date = format!("{year:04}-{month:02}-{day:02}");
        Some(match seconds {
            0 => date,
            _ => format!("{date} {time}"),
        })
    }
}

/// Up to the year 9999.
const MOST_DAYS: f64 = 2_958_466.0;

/// True for the formats that every workbook has, those of East Asia too.
fn is_known(id: &str) -> bool {
    let id: u32 = id.parse().unwrap_or(0);
    matches!(id, 14..=22 | 27..=36 | 45..=47 | 50..=58)
}

/// True if a format has a letter of dates or times, outside of quotation marks and brackets.
fn shows_time(code: &str) -> bool {
    // The first of formats for several signs is that of positive numbers.
    let mut letters = code.split(';').next().unwrap_or_default().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => drop(letters.by_ref().find(|&it| it == '"')),
            '[' => {
                let inside: String = letters.by_ref().take_while(|&it| it != ']').collect();
                // Hours, minutes or seconds beyond a day; others are colours, countries and conditions.
                if !inside.is_empty() && inside.chars().all(|it| "hmsHMS".contains(it)) {
                    return true;
                }
            }
            '\\' | '_' | '*' => drop(letters.next()),
            // As in General.
            'G' | 'g' => return false,
            'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' => return true,
            _ => {}
        }
    }
    false
}

/// Year, month and day of so many days after the start of 1970 (Howard Hinnant's `civil_from_days`).
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month < 3), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_days_that_excel_shows() {
        let mut styles = Styles {
            are_dates: vec![false, true],
            is_from_1904: false,
        };
        // As LibreOffice and openpyxl read them.
        for (number, date) in [
            ("1", "1900-01-01"),
            ("61", "1900-03-01"),
            ("45322", "2024-01-31"),
            ("45322.75", "2024-01-31 18:00:00"),
            ("0.5", "12:00:00"),
            ("2958465", "9999-12-31"),
        ] {
            assert_eq!(styles.date(Some("1"), number).as_deref(), Some(date));
            assert_eq!(styles.date(Some("0"), number), None);
        }
        styles.is_from_1904 = true;
        assert_eq!(
            styles.date(Some("1"), "1462").as_deref(),
            Some("1908-01-02")
        );
    }

    #[test]
    fn letters_of_formats_show_dates() {
        for (code, expected) in [
            ("yyyy\\-mm\\-dd", true),
            ("[$-409]d/m/yy", true),
            ("[h]:mm", true),
            ("0.00\"days\"", false),
            ("General", false),
            ("#,##0_d", false),
            ("[Red]0", false),
        ] {
            assert_eq!(shows_time(code), expected, "{code}");
        }
    }
}
