//! The table of redirects: where each of them leads in the end.

use super::counts::WikipediaCounts;
use super::dump::Dump;
use super::pages::{Pages, text};
use super::place::{Code, Nowhere, Place};
use webrank_base::error::Result;
use webrank_base::memory::reserve;

/// Where redirects lead, by their numbers: to nodes or nowhere, never to redirects.
pub(super) struct Redirects(Vec<Code>);

impl Redirects {
    /// Where a place leads that may be a redirect.
    #[inline]
    pub(super) fn end(&self, place: Place) -> Place {
        match place {
            Place::Redirect(number) => {
                let code = self.0.get(number as usize).copied().unwrap_or(Code::NONE);
                code.place().unwrap_or(Place::Nowhere(Nowhere::Unlisted))
            }
            other => other,
        }
    }
}

/// Where a title leads, whether it is that of a page or not.
pub(super) fn place_of(pages: &Pages, namespaces: &[i64], namespace: i64, title: &[u8]) -> Place {
    pages.titles.get(namespace, title).unwrap_or_else(|| {
        Place::Nowhere(match namespaces.contains(&namespace) {
            true => Nowhere::Missing,
            false => Nowhere::Elsewhere,
        })
    })
}

/// Reads the table, and follows chains to their ends.
///
/// # Errors
/// If a row cannot be used, if a page has two redirects, or if memory is short.
pub(super) fn read(
    dump: &mut Dump,
    pages: &Pages,
    namespaces: &[i64],
    counts: &mut WikipediaCounts,
    check: &dyn Fn(u64) -> Result<()>,
) -> Result<Redirects> {
    let columns = ["rd_from", "rd_namespace", "rd_title"];
    let [from, namespace, title] = columns.map(|column| dump.column(column));
    let (from, namespace, title) = (from?, namespace?, title?);
    // The oldest dumps do not have it.
    let interwiki = dump.find("rd_interwiki");
    let mut leads = Vec::new();
    let count = pages.num_redirects as usize;
    reserve(&mut leads, count, "redirects")?;
    let unlisted = Code::of(Place::Nowhere(Nowhere::Unlisted));
    leads.resize(count, unlisted);
    let mut rows = 0;
    while let Some(row) = dump.next_row()? {
        rows += 1;
        check(rows)?;
        let page = row.number(from)?;
        let Some(Place::Redirect(number)) = pages.numbers.get(page) else {
            counts.redirects_without_page += 1;
            continue;
        };
        let wiki = interwiki.map(|interwiki| row.text(interwiki)).transpose()?;
        let leaves = wiki.flatten().is_some_and(|wiki| !wiki.is_empty());
        let place = match leaves {
            true => Place::Nowhere(Nowhere::Interwiki),
            false => {
                let space = row.signed(namespace)?;
                place_of(pages, namespaces, space, &text(&row, title)?)
            }
        };
        let lead = &mut leads[number as usize];
        if *lead != unlisted {
            return Err(row.wrong(&format!("page {page} is a redirect to two pages")));
        }
        *lead = Code::of(place);
    }
    follow(&mut leads);
    count_ends(&leads, counts);
    Ok(Redirects(leads))
}

/// Replaces what each redirect leads to by what its chain leads to. O(redirects).
fn follow(leads: &mut [Code]) {
    let followed = Code::of(Place::Nowhere(Nowhere::Followed));
    let circle = Code::of(Place::Nowhere(Nowhere::Circle));
    let mut chain = Vec::new();
    for start in 0..leads.len() {
        let mut at = start;
        let end = loop {
            let code = leads[at];
            if code == followed {
                break circle;
            }
            let Some(Place::Redirect(next)) = code.place() else {
                break code;
            };
            leads[at] = followed;
            chain.push(at);
            at = next as usize;
        };
        chain.drain(..).for_each(|redirect| leads[redirect] = end);
    }
}

fn count_ends(leads: &[Code], counts: &mut WikipediaCounts) {
    for code in leads {
        let count = match code.place() {
            Some(Place::Node(_)) => &mut counts.redirects_to_nodes,
            Some(Place::Nowhere(Nowhere::Missing)) => &mut counts.redirects_to_missing_pages,
            Some(Place::Nowhere(Nowhere::Elsewhere)) => &mut counts.redirects_elsewhere,
            Some(Place::Nowhere(Nowhere::Circle)) => &mut counts.redirects_in_circles,
            Some(Place::Nowhere(Nowhere::Interwiki)) => &mut counts.redirects_to_other_wikis,
            _ => &mut counts.redirects_unlisted,
        };
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_lead_to_their_ends_and_circles_nowhere() {
        let redirect = |number| Code::of(Place::Redirect(number));
        let node = Code::of(Place::Node(7));
        let circle = Code::of(Place::Nowhere(Nowhere::Circle));
        let missing = Code::of(Place::Nowhere(Nowhere::Missing));
        // 0 to 1 to 2 to the node; 3 to itself; 4 to 5 and back; 6 to 4; 7 to nothing; 8 to 7.
        let mut leads = [
            redirect(1),
            redirect(2),
            node,
            redirect(3),
            redirect(5),
            redirect(4),
            redirect(4),
            missing,
            redirect(7),
        ];
        follow(&mut leads);
        let expected = [
            node, node, node, circle, circle, circle, circle, missing, missing,
        ];
        assert_eq!(leads, expected);
        // A long chain that is met from its end.
        let mut leads: Vec<Code> = (0..100_000u32).map(|it| redirect(it.max(1) - 1)).collect();
        leads[0] = node;
        follow(&mut leads);
        assert!(leads.iter().all(|&lead| lead == node));
    }
}
