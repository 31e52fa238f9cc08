//! Rankings and judgements by the names of pages.

use crate::judgements::lines;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// For every query, its pages; best first.
pub type RetrievalRun = BTreeMap<String, Vec<String>>;

/// For every query, the grade of each page that was judged; below 0 for those of the pool that were not.
pub type Judgements = BTreeMap<String, HashMap<String, i64>>;

/// Larger grades are refused: a grade is a gain, and their sums are exact.
const LARGEST_GRADE: i64 = 1 << 32;

/// A page of a query, and the line it is in.
struct Line {
    page: String,
    score: f32,
    number: u64,
}

/// Reads a ranking, `query Q0 page rank score run` a line. O(n log n).
///
/// # Errors
/// If the file cannot be read, a line is wrong, or a page is there twice for a query.
pub fn read_run(path: &Path) -> Result<RetrievalRun> {
    let mut all: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    lines(path, |number, line| {
        let wrong = |problem: String| Error::line(path, number, problem);
        let mut fields = line.split_ascii_whitespace();
        let (query, page) = (fields.next(), fields.nth(1));
        let (score, name) = (fields.nth(1), fields.next());
        let (Some(query), Some(page), Some(score), Some(_)) = (query, page, score, name) else {
            let problem = "has not six fields; write: query Q0 page rank score run";
            return Err(wrong(problem.into()));
        };
        let number_of = score.parse::<f64>().ok().filter(|score| !score.is_nan());
        let Some(value) = number_of else {
            return Err(wrong(format!(
                "score {} is not a number; give one, such as 1.5",
                quoted(score)
            )));
        };
        let line = Line {
            page: page.to_owned(),
            score: value as f32,
            number,
        };
        match all.get_mut(query) {
            Some(pages) => pages.push(line),
            None => drop(all.insert(query.to_owned(), vec![line])),
        }
        Ok(())
    })?;
    all.into_iter()
        .map(|(query, pages)| Ok((query, ranked(path, pages)?)))
        .collect()
}

/// The pages in their order.
fn ranked(path: &Path, mut lines: Vec<Line>) -> Result<Vec<String>> {
    lines.sort_unstable_by(|a, b| b.page.cmp(&a.page).then(a.number.cmp(&b.number)));
    if let Some(twice) = lines.windows(2).find(|pair| pair[0].page == pair[1].page) {
        let (page, before) = (quoted(&twice[0].page), twice[0].number);
        let problem = format!("page {page} is in line {before} for this query; leave one out");
        return Err(Error::line(path, twice[1].number, problem));
    }
    // Stable: of equal scores, the last name stays first.
    lines.sort_by(|a, b| b.score.partial_cmp(&a.score).expect("no score is NaN"));
    Ok(lines.into_iter().map(|line| line.page).collect())
}

/// Reads judgements, `query 0 page grade` a line.
///
/// # Errors
/// If the file cannot be read, a line is wrong, or a page is there twice for a query.
pub fn read_judgements(path: &Path) -> Result<Judgements> {
    let mut all = Judgements::new();
    lines(path, |number, line| {
        let wrong = |problem: String| Err(Error::line(path, number, problem));
        let fields: Vec<&str> = line.split_ascii_whitespace().take(5).collect();
        let [query, _, page, grade] = fields[..] else {
            return wrong("has not four fields; write: query 0 page grade".into());
        };
        let Some(value) = grade.parse().ok().filter(|it| *it <= LARGEST_GRADE) else {
            let problem = "is not a whole number up to 4294967296; give one, such as 1";
            return wrong(format!("grade {} {problem}", quoted(grade)));
        };
        if !all.contains_key(query) {
            all.insert(query.to_owned(), HashMap::new());
        }
        let pages = all.get_mut(query).expect("it is there now");
        match pages.insert(page.to_owned(), value) {
            None => Ok(()),
            Some(_) => wrong(format!(
                "page {} was judged for this query before; leave one out",
                quoted(page)
            )),
        }
    })?;
    Ok(all)
}
