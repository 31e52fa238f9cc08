//! Counts of a crawl, and of what became of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

macro_rules! counts {
    ($($(#[$about:meta])* $name:ident),* $(,)?) => {
        /// Numbers of what was found in a crawl, and of what became of it.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct IngestCounts {
            $($(#[$about])* pub $name: u64),*
        }

        impl IngestCounts {
            /// Adds others.
            pub(super) fn add(&mut self, other: &IngestCounts) {
                $(self.$name += other.$name;)*
            }

            /// All of them, by their names.
            pub fn all(&self) -> BTreeMap<String, u64> {
                BTreeMap::from([$((stringify!($name).to_owned(), self.$name)),*])
            }
        }
    };
}

counts! {
    /// Records of archives, or files of folders.
    records,
    /// Bytes of archives, decompressed, or of files.
    bytes,
    /// Responses of servers among them.
    responses,
    /// Pages that became nodes.
    pages,
    /// Pages whose URL was there already; the first one counts.
    pages_again,
    /// Pages that are nearly the same as another one, and became one node with it.
    pages_merged,
    /// Pages with the bytes of another one, which became one node with it.
    pages_copied,
    /// Nodes that stand for several pages.
    clusters,
    /// Redirects.
    redirects,
    /// Responses with another status than 200.
    not_ok,
    /// Responses with status 200 that are not HTML.
    not_html,
    /// Records that hold no response: requests, descriptions, other schemes than http and https.
    no_response,
    /// Records that were damaged or cut off, and places where no record began.
    damaged,
    /// Responses or descriptions of them that cannot be parsed.
    unreadable,
    /// Pages, redirects and files without a URL of the web that names can be.
    unusable_urls,
    /// Pages that were cut at the limit.
    pages_cut,
    /// Pages whose compressed body ended early.
    bodies_broken,
    /// Links of pages, each time.
    links,
    /// Links that are not to be followed, kept or not.
    nofollow,
    /// Links to something else than pages of the web, as by mail.
    links_elsewhere,
    /// Links whose URL is too long.
    links_long,
    /// Links that are no URL.
    links_wrong,
    /// Links beyond what is kept of a page.
    links_beyond,
    /// Links that lead to redirects in a circle.
    links_in_circles,
    /// Links that lead to more redirects than browsers follow.
    links_too_far,
    /// Links between two pages that became one node.
    links_merged,
    /// Links to pages that were not fetched, and that were left out.
    links_not_crawled,
}
