//! A made-up wiki, its dumps, and its graph by a slow and obvious computation.

use flate2::write::GzEncoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// How links name their targets.
#[derive(Clone, Copy, PartialEq)]
pub enum Schema {
    /// `pl_namespace` and `pl_title`, until 2023.
    Titles,
    /// Both, in 2024; some numbers are missing yet.
    Both,
    /// `pl_target_id`, since then.
    Numbers,
}

/// A wiki, as its tables have it.
pub struct Wiki {
    /// Number, namespace, title, whether it is a redirect.
    pub pages: Vec<(u64, i64, &'static str, bool)>,
    /// Page, namespace, title, wiki.
    pub redirects: Vec<(u64, i64, &'static str, Option<&'static str>)>,
    /// Page, namespace, title.
    pub links: Vec<(u64, i64, &'static str)>,
    /// Page and number of Wikidata.
    pub items: Vec<(u64, &'static str)>,
}

/// Two articles with odd titles, redirects of every kind, pages of other namespaces, and links to and
/// from all of them.
pub fn wiki() -> Wiki {
    let pages = vec![
        (10, 0, "Ant", false),
        (11, 0, "Bee_(insect)", false),
        (12, 0, "O'Hara\\_\"x\"", false),
        (13, 0, "Été_,(1),_'a'", false),
        (14, 0, "Alone", false),
        (20, 0, "Bees", true),
        (21, 0, "Honey_bees", true),
        (22, 0, "Circle_1", true),
        (23, 0, "Circle_2", true),
        (24, 0, "Self", true),
        (25, 0, "Abroad", true),
        (26, 0, "To_nothing", true),
        (27, 0, "To_category", true),
        (28, 0, "Unlisted", true),
        (29, 0, "Into_circle", true),
        (30, 10, "Bees", true),
        (40, 14, "Insects", false),
        (41, 1, "Ant", false),
        (42, 100, "Ant", false),
    ];
    let redirects = vec![
        (20, 0, "Bee_(insect)", Some("")),
        (21, 0, "Bees", None),
        (22, 0, "Circle_2", None),
        (23, 0, "Circle_1", None),
        (24, 0, "Self", None),
        (25, 0, "Ant", Some("de")),
        (26, 0, "Nothing", None),
        (27, 14, "Insects", None),
        (29, 0, "Circle_1", None),
        (30, 0, "Honey_bees", Some("")),
        // No page, and no redirect.
        (99, 0, "Ant", None),
        (10, 0, "Alone", None),
    ];
    let targets: Vec<(i64, &str)> = pages.iter().map(|page| (page.1, page.2)).collect();
    let more = [
        (0, "Nothing"),
        (14, "Nothing"),
        (-1, "Search"),
        (4, "About"),
    ];
    let targets = targets.into_iter().chain(more);
    let sources: Vec<u64> = pages.iter().map(|page| page.0).chain([77]).collect();
    // Each page links to many, and 14 is linked by none but itself.
    let links = targets.enumerate().flat_map(|(place, (namespace, title))| {
        let of_place = sources.iter().enumerate();
        let of_place = of_place.filter(move |(source, _)| (source * 7 + place * 3) % 5 != 0);
        of_place.map(move |(_, &source)| (source, namespace, title))
    });
    let links = links.filter(|link| link.2 != "Alone" || link.0 == 14);
    Wiki {
        links: links.collect(),
        items: vec![
            (10, "Q7386"),
            (11, "Q7391"),
            (12, "Q1"),
            (13, "Q1"),
            (40, "Q1390"),
        ],
        pages,
        redirects,
    }
}

/// Where a title leads: the place of a page, or why there is none.
pub fn end(
    wiki: &Wiki,
    namespaces: &[i64],
    namespace: i64,
    title: &str,
) -> Result<usize, &'static str> {
    let mut at = (namespace, title);
    let mut seen = Vec::new();
    loop {
        let page = wiki.pages.iter().position(|page| (page.1, page.2) == at);
        let Some(place) = page else {
            return Err(match namespaces.contains(&at.0) {
                true => "links_to_missing_pages",
                false => "links_to_other_namespaces",
            });
        };
        let (number, namespace, _, is_redirect) = wiki.pages[place];
        if !is_redirect {
            return match namespaces.contains(&namespace) {
                true => Ok(place),
                false => Err("links_to_other_namespaces"),
            };
        }
        if seen.contains(&place) {
            return Err("links_to_circles");
        }
        seen.push(place);
        match wiki.redirects.iter().find(|redirect| redirect.0 == number) {
            None => return Err("links_to_unlisted_redirects"),
            Some((.., Some(wiki))) if !wiki.is_empty() => return Err("links_to_other_wikis"),
            Some(&(_, namespace, title, _)) => at = (namespace, title),
        }
    }
}

/// The name of a page.
pub fn name(namespace: i64, title: &str) -> String {
    let title = title.replace('_', " ");
    match namespace {
        0 => title,
        1 => format!("Talk:{title}"),
        14 => format!("Category:{title}"),
        other => format!("{{{{ns:{other}}}}}:{title}"),
    }
}

pub type Arcs = BTreeSet<(String, String)>;

/// Nodes, arcs, and what became of links.
pub fn expected(
    wiki: &Wiki,
    namespaces: &[i64],
) -> (BTreeSet<String>, Arcs, BTreeMap<String, u64>) {
    let nodes = wiki
        .pages
        .iter()
        .filter(|page| namespaces.contains(&page.1) && !page.3);
    let nodes = nodes.map(|page| name(page.1, page.2)).collect();
    let (mut arcs, mut counts) = (Arcs::new(), BTreeMap::new());
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_insert(0) += 1;
    for &(source, namespace, title) in &wiki.links {
        count("links");
        let Some(page) = wiki.pages.iter().find(|page| page.0 == source) else {
            count("links_of_unknown_pages");
            continue;
        };
        if page.3 {
            count("links_of_redirects");
        } else if !namespaces.contains(&page.1) {
            count("links_of_other_namespaces");
        } else {
            match end(wiki, namespaces, namespace, title) {
                Err(why) => count(why),
                Ok(place) => {
                    count("links_used");
                    let target = wiki.pages[place];
                    if (target.1, target.2) != (namespace, title) {
                        count("links_by_redirects");
                    }
                    arcs.insert((name(page.1, page.2), name(target.1, target.2)));
                }
            }
        }
    }
    (nodes, arcs, counts)
}

pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A dump of a table, in statements of some rows.
pub fn dump(table: &str, columns: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!(
        "-- MySQL dump 10.19  Distrib 10.3.38-MariaDB, for debian-linux-gnu (x86_64)\n--\n\
         -- Host: db1    Database: testwiki\n-- ----\n/*!40101 SET NAMES utf8mb4 */;\n\
         DROP TABLE IF EXISTS `{table}`;\nCREATE TABLE `{table}` (\n"
    );
    for column in columns {
        text += &format!("  `{column}` varbinary(255) NOT NULL DEFAULT '',\n");
    }
    text += &format!(
        "  PRIMARY KEY (`{}`)\n) ENGINE=InnoDB AUTO_INCREMENT=500;\n",
        columns[0]
    );
    text += &format!("/*!40000 ALTER TABLE `{table}` DISABLE KEYS */;\n");
    for rows in rows.chunks(7) {
        let rows: Vec<String> = rows
            .iter()
            .map(|row| format!("({})", row.join(",")))
            .collect();
        text += &format!("INSERT INTO `{table}` VALUES {};\n", rows.join(","));
    }
    text + "\n-- Dump completed on 2024-05-01 11:08:35\n"
}

pub fn write_gz(path: &Path, text: &str) {
    let mut out = GzEncoder::new(File::create(path).unwrap(), Default::default());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap();
}

/// The tables of a wiki in a folder; with columns the other way round if they are `reversed`.
pub fn write(wiki: &Wiki, schema: Schema, reversed: bool, folder: &Path) {
    let save = |table: &str, columns: &[&str], mut rows: Vec<Vec<String>>| {
        let mut columns = columns.to_vec();
        if reversed {
            columns.reverse();
            rows.iter_mut().for_each(|row| row.reverse());
        }
        let path = folder.join(format!("testwiki-20240501-{table}.sql.gz"));
        write_gz(&path, &dump(table, &columns, &rows));
    };
    let pages = wiki
        .pages
        .iter()
        .map(|&(id, namespace, title, is_redirect)| {
            let flag = u8::from(is_redirect).to_string();
            vec![
                id.to_string(),
                namespace.to_string(),
                quoted(title),
                flag,
                "NULL".into(),
            ]
        });
    let columns = [
        "page_id",
        "page_namespace",
        "page_title",
        "page_is_redirect",
        "page_lang",
    ];
    save("page", &columns, pages.collect());
    let redirects = wiki
        .redirects
        .iter()
        .map(|&(from, namespace, title, wiki)| {
            let wiki = wiki.map_or("NULL".to_owned(), quoted);
            vec![
                from.to_string(),
                namespace.to_string(),
                quoted(title),
                wiki,
                "'a_section'".into(),
            ]
        });
    let columns = [
        "rd_from",
        "rd_namespace",
        "rd_title",
        "rd_interwiki",
        "rd_fragment",
    ];
    save("redirect", &columns, redirects.collect());
    let all: BTreeSet<(i64, &str)> = wiki.links.iter().map(|link| (link.1, link.2)).collect();
    let all: Vec<(i64, &str)> = all.into_iter().collect();
    let number = |namespace: i64, title: &str| {
        let place = all.iter().position(|target| *target == (namespace, title));
        (place.unwrap() * 3 + 5).to_string()
    };
    let (mut columns, mut links) = (vec!["pl_from", "pl_from_namespace"], Vec::new());
    if schema != Schema::Numbers {
        columns.extend(["pl_namespace", "pl_title"]);
    }
    if schema != Schema::Titles {
        columns.push("pl_target_id");
        let targets = all.iter().map(|&(namespace, title)| {
            vec![
                number(namespace, title),
                namespace.to_string(),
                quoted(title),
            ]
        });
        save(
            "linktarget",
            &["lt_id", "lt_namespace", "lt_title"],
            targets.collect(),
        );
    }
    for &(from, namespace, title) in &wiki.links {
        let mut row = vec![from.to_string(), "0".to_owned()];
        if schema != Schema::Numbers {
            row.extend([namespace.to_string(), quoted(title)]);
        }
        match schema {
            Schema::Titles => {}
            Schema::Both if from % 3 == 0 => row.push("NULL".to_owned()),
            _ => row.push(number(namespace, title)),
        }
        links.push(row);
    }
    save("pagelinks", &columns, links);
    let items = wiki.items.iter().map(|&(page, item)| {
        vec![
            page.to_string(),
            quoted("wikibase_item"),
            quoted(item),
            "NULL".to_owned(),
        ]
    });
    let others = [vec![
        "10".into(),
        quoted("defaultsort"),
        quoted("Q5"),
        "NULL".into(),
    ]];
    let columns = ["pp_page", "pp_propname", "pp_value", "pp_sortkey"];
    save("page_props", &columns, items.chain(others).collect());
}

/// Tables of 5000 pages with 400,000 links, 3% of which lead by redirects.
pub fn write_large(folder: &Path) {
    let save = |table: &str, columns: &[&str], rows: &mut dyn Iterator<Item = String>| {
        let rows: Vec<String> = rows.map(|row| format!("({row})")).collect();
        let create = dump(table, columns, &[]);
        let (before, after) = create.split_at(create.find("\n-- Dump").unwrap());
        let text = format!(
            "{before}INSERT INTO `{table}` VALUES\n{};{after}",
            rows.join(",\n")
        );
        fs::write(folder.join(format!("{table}.sql")), text).unwrap();
    };
    let columns = [
        "page_id",
        "page_namespace",
        "page_title",
        "page_is_redirect",
    ];
    let is_redirect = |page: u32| u32::from(page % 31 == 7);
    let mut pages = (0..5000).map(|page| {
        let flag = is_redirect(page);
        format!("{},0,'A_page_{page}',{flag}", 3 * page + 1)
    });
    save("page", &columns, &mut pages);
    let redirects = (0..5000).filter(|&page| is_redirect(page) == 1);
    let mut redirects =
        redirects.map(|page| format!("{},0,'A_page_{}',''", 3 * page + 1, page / 2));
    let columns = ["rd_from", "rd_namespace", "rd_title", "rd_interwiki"];
    save("redirect", &columns, &mut redirects);
    let mut targets = (0..5000).map(|page| format!("{},0,'A_page_{page}'", page + 9));
    save(
        "linktarget",
        &["lt_id", "lt_namespace", "lt_title"],
        &mut targets,
    );
    let mut links = (0..400_000u32).map(|link| {
        let mixed = link.wrapping_mul(0x9e37_79b9) >> 8;
        format!("{},0,{}", 3 * (link / 80) + 1, mixed % 5000 + 9)
    });
    save(
        "pagelinks",
        &["pl_from", "pl_from_namespace", "pl_target_id"],
        &mut links,
    );
}
