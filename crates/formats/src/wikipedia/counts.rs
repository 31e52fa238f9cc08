//! The fate of pages, redirects and links.

use std::collections::BTreeMap;

macro_rules! counts {
    ($($(#[$about:meta])* $name:ident),* $(,)?) => {
        /// The rows that were found in the tables, and their fate.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct WikipediaCounts {
            $($(#[$about])* pub $name: u64),*
        }

        impl WikipediaCounts {
            /// All of them, by their names.
            pub fn all(&self) -> BTreeMap<String, u64> {
                [$((stringify!($name), self.$name)),*]
                    .map(|(name, count)| (name.to_owned(), count))
                    .into()
            }
        }
    };
}

counts! {
    /// Rows of the table of pages.
    pages,
    /// Pages that are nodes.
    pages_of_the_namespaces,
    /// Pages that are redirects, in all namespaces.
    pages_that_are_redirects,
    /// Pages of other namespaces that are no redirects.
    pages_elsewhere,
    /// Redirects that lead to a node, perhaps by others.
    redirects_to_nodes,
    /// Redirects that lead to no page.
    redirects_to_missing_pages,
    /// Redirects that lead to a page of another namespace.
    redirects_elsewhere,
    /// Redirects that lead into a circle.
    redirects_in_circles,
    /// Redirects that lead to another wiki.
    redirects_to_other_wikis,
    /// Redirects that the table of redirects does not list.
    redirects_unlisted,
    /// Rows of the table of redirects whose page is no redirect, or is not there.
    redirects_without_page,
    /// Rows of the table of links.
    links,
    /// Links between nodes.
    links_used,
    /// Used links that lead by redirects.
    links_by_redirects,
    /// Links on pages that are redirects.
    links_of_redirects,
    /// Links on pages of other namespaces.
    links_of_other_namespaces,
    /// Links on pages that the table of pages does not have.
    links_of_unknown_pages,
    /// Links to pages that do not exist, also by redirects.
    links_to_missing_pages,
    /// Links to pages of other namespaces, also by redirects.
    links_to_other_namespaces,
    /// Links to redirects that lead into a circle.
    links_to_circles,
    /// Links to redirects that lead to another wiki.
    links_to_other_wikis,
    /// Links to redirects that the table of redirects does not list.
    links_to_unlisted_redirects,
    /// Links to targets that the table of link targets does not have.
    links_to_unknown_targets,
    /// Nodes that have no number of Wikidata, and are named by their titles.
    names_without_number,
    /// Nodes whose number of Wikidata another node has, which are named by their titles.
    names_with_number_of_another,
}

impl WikipediaCounts {
    /// The counts in words, in lines.
    pub fn told(&self) -> Vec<String> {
        let some = |what: &[(u64, &str)]| {
            let parts = what.iter().filter(|(count, _)| *count > 0);
            parts
                .map(|(count, what)| format!("; {count} {what}"))
                .collect::<String>()
        };
        let mut lines = vec![
            format!(
                "pages: {} are nodes{}",
                self.pages_of_the_namespaces,
                some(&[(self.pages_elsewhere, "are in other namespaces")])
            ),
            format!(
                "redirects: {} of {} lead to nodes{}",
                self.redirects_to_nodes,
                self.pages_that_are_redirects,
                some(&[
                    (
                        self.redirects_to_missing_pages,
                        "to pages that do not exist"
                    ),
                    (self.redirects_elsewhere, "to other namespaces"),
                    (self.redirects_in_circles, "into circles"),
                    (self.redirects_to_other_wikis, "to other wikis"),
                    (self.redirects_unlisted, "are not in the table of redirects"),
                    (
                        self.redirects_without_page,
                        "are listed, but no redirect has such a number"
                    ),
                ])
            ),
            format!(
                "links: {} of {} are used, {} of them by redirects{}",
                self.links_used,
                self.links,
                self.links_by_redirects,
                some(&[
                    (self.links_of_redirects, "are on redirects"),
                    (
                        self.links_of_other_namespaces,
                        "are on pages of other namespaces"
                    ),
                    (
                        self.links_of_unknown_pages,
                        "are on pages that are not in the table"
                    ),
                    (
                        self.links_to_missing_pages,
                        "lead to pages that do not exist"
                    ),
                    (self.links_to_other_namespaces, "to other namespaces"),
                    (self.links_to_circles, "to circles of redirects"),
                    (self.links_to_other_wikis, "to redirects to other wikis"),
                    (
                        self.links_to_unlisted_redirects,
                        "to redirects that are not listed"
                    ),
                    (
                        self.links_to_unknown_targets,
                        "to targets that are not listed"
                    ),
                ])
            ),
        ];
        let of_names = some(&[
            (
                self.names_without_number,
                "nodes have no number of Wikidata",
            ),
            (
                self.names_with_number_of_another,
                "have that of another node",
            ),
        ]);
        if let Some(of_names) = of_names.strip_prefix("; ") {
            lines.push(format!(
                "names: {of_names}: these have their titles, as in ':Title'"
            ));
        }
        lines
    }
}
