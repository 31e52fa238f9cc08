//! The table of links, and that of link targets, to which newer links refer by numbers.

use super::counts::WikipediaCounts;
use super::dump::{Dump, DumpRow};
use super::numbers::Numbers;
use super::pages::{Pages, text};
use super::place::{Nowhere, Place};
use super::redirects::{Redirects, place_of};
use webrank_base::Node;
use webrank_base::error::Result;

/// Reads the table of link targets: where each leads, by its number.
///
/// # Errors
/// If a row cannot be used, if two have one number, or if memory is short.
pub(super) fn targets(
    dump: &mut Dump,
    pages: &Pages,
    namespaces: &[i64],
    check: &dyn Fn(u64) -> Result<()>,
) -> Result<Numbers> {
    let columns = ["lt_id", "lt_namespace", "lt_title"];
    let [id, namespace, title] = columns.map(|column| dump.column(column));
    let (id, namespace, title) = (id?, namespace?, title?);
    let mut targets = Numbers::default();
    let mut rows = 0;
    while let Some(row) = dump.next_row()? {
        rows += 1;
        check(rows)?;
        let number = row.number(id)?;
        let space = row.signed(namespace)?;
        let place = place_of(pages, namespaces, space, &text(&row, title)?);
        if !targets.insert(number, place)? {
            return Err(row.wrong(&format!("a row before has the number {number}, too")));
        }
    }
    Ok(targets)
}

/// How links name their targets.
pub(super) struct Columns {
    from: usize,
    /// By a number, which may be missing if there is a title.
    id: Option<usize>,
    /// By namespace and title.
    title: Option<(usize, usize)>,
}

impl Columns {
    /// The columns of a table. Numbers are used if there is a table of link targets, otherwise titles.
    ///
    /// # Errors
    /// If a column is missing, or the table of link targets.
    pub(super) fn of(dump: &Dump, has_targets: bool) -> Result<Self> {
        let from = dump.column("pl_from")?;
        let id = dump.find("pl_target_id");
        let title = dump.find("pl_namespace").zip(dump.find("pl_title"));
        if id.is_none() && title.is_none() {
            dump.column("pl_target_id")?;
        }
        if title.is_none() && !has_targets {
            let problem = "its links refer to targets by numbers (pl_target_id): give the table of \
                           link targets, too (linktarget.sql.gz)";
            return Err(dump.wrong_file(problem));
        }
        let id = id.filter(|_| has_targets);
        Ok(Columns { from, id, title })
    }

    /// Whether the table of link targets is looked up.
    pub(super) fn need_numbers(&self) -> bool {
        self.id.is_some()
    }

    /// Whether titles are looked up.
    pub(super) fn need_titles(&self) -> bool {
        self.title.is_some()
    }
}

/// The tables in which links are looked up.
pub(super) struct Wiki {
    pub(super) pages: Pages,
    pub(super) redirects: Redirects,
    pub(super) targets: Option<Numbers>,
    pub(super) namespaces: Vec<i64>,
}

/// The title that was looked up last: dumps may be sorted by titles.
#[derive(Default)]
struct Last {
    title: Vec<u8>,
    found: Option<(i64, Place)>,
}

impl Wiki {
    /// Reads the table of links, and gives each one between nodes to `give`.
    ///
    /// # Errors
    /// If a row cannot be used, and those of `give`.
    pub(super) fn read_links(
        &self,
        dump: &mut Dump,
        columns: &Columns,
        counts: &mut WikipediaCounts,
        give: &mut dyn FnMut(Node, Node) -> Result<()>,
    ) -> Result<()> {
        let mut last = Last::default();
        while let Some(row) = dump.next_row()? {
            counts.links += 1;
            let source = match self.pages.numbers.get(row.number(columns.from)?) {
                Some(Place::Node(source)) => source,
                Some(Place::Redirect(_)) => {
                    counts.links_of_redirects += 1;
                    continue;
                }
                Some(Place::Nowhere(_)) => {
                    counts.links_of_other_namespaces += 1;
                    continue;
                }
                None => {
                    counts.links_of_unknown_pages += 1;
                    continue;
                }
            };
            let Some(place) = self.target(&row, columns, &mut last)? else {
                counts.links_to_unknown_targets += 1;
                continue;
            };
            let nowhere = match self.redirects.end(place) {
                Place::Node(target) => {
                    counts.links_used += 1;
                    counts.links_by_redirects += u64::from(place != Place::Node(target));
                    give(source, target)?;
                    continue;
                }
                Place::Nowhere(nowhere) => nowhere,
                Place::Redirect(_) => Nowhere::Unlisted,
            };
            *match nowhere {
                Nowhere::Missing => &mut counts.links_to_missing_pages,
                Nowhere::Elsewhere => &mut counts.links_to_other_namespaces,
                Nowhere::Circle => &mut counts.links_to_circles,
                Nowhere::Interwiki => &mut counts.links_to_other_wikis,
                Nowhere::Unlisted | Nowhere::Followed => &mut counts.links_to_unlisted_redirects,
            } += 1;
        }
        Ok(())
    }

    /// Where a link leads; none if its target is not listed.
    #[inline]
    fn target(&self, row: &DumpRow, columns: &Columns, last: &mut Last) -> Result<Option<Place>> {
        if let (Some(id), Some(targets)) = (columns.id, &self.targets)
            && row.integer(id)?.is_some()
        {
            return Ok(targets.get(row.number(id)?));
        }
        let Some((namespace, title)) = columns.title else {
            return Err(row.wrong("the link has no target"));
        };
        let space = row.signed(namespace)?;
        let title = text(row, title)?;
        if let Some((of_last, place)) = last.found
            && of_last == space
            && last.title == *title
        {
            return Ok(Some(place));
        }
        let place = place_of(&self.pages, &self.namespaces, space, &title);
        last.title.clear();
        last.title.extend_from_slice(&title);
        last.found = Some((space, place));
        Ok(Some(place))
    }
}
