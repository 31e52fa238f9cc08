//! Which columns of a table hold the arcs.

use webrank_base::shown::quoted;
use webrank_tables::text::separator::Separator;

/// The columns of an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArcColumns {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// Whether an arc has a direction, as Gephi writes it: `Directed`, `Undirected` or `Mutual`.
    pub(super) direction: Option<usize>,
    /// The most fields that a line may have, unless a header or the user says what they are.
    pub(super) most: Option<usize>,
}

impl Default for ArcColumns {
    fn default() -> Self {
        ArcColumns {
            source: 0,
            target: 1,
            weight: None,
            direction: None,
            most: Some(2),
        }
    }
}

/// The user's word on columns and header.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnChoice {
    /// The columns of source, target and perhaps weight, by number from 1 or by name.
    pub(super) columns: Option<Vec<String>>,
    /// Whether the first line is a header, if the user says so.
    pub(super) is_there: Option<bool>,
    /// Weights are not read.
    pub(super) unweighted: bool,
    /// The separator of fields, if the user names it.
    pub(super) separator: Option<Separator>,
    /// The user says that it is a list.
    pub(super) is_list: bool,
    /// A list of nodes without arcs is read.
    pub(super) allows_no_arcs: bool,
}

const SOURCES: &[&str] = &[
    "source",
    "src",
    "from",
    "fromnodeid",
    "fromnode",
    "fromid",
    "sourceid",
    "sourcenode",
    "srcid",
    "startid",
    "node1",
    "origin",
    "subject",
];
const TARGETS: &[&str] = &[
    "target",
    "dst",
    "dest",
    "destination",
    "to",
    "tonodeid",
    "tonode",
    "toid",
    "targetid",
    "targetnode",
    "dstid",
    "endid",
    "node2",
    "object",
];
const WEIGHTS: &[&str] = &["weight", "weights", "value", "count", "rating"];
/// Names that count if their column holds numbers: `size` by pandas, `count_star()` by DuckDB.
const COUNTS: &[&str] = &[
    "n",
    "c",
    "cnt",
    "size",
    "countstar",
    "freq",
    "frequency",
    "len",
];
const TIMES: &[&str] = &["time", "date", "stamp", "year", "created"];

/// A quantity that a node has much or little of.
const QUANTITIES: &[&str] = &[
    "degree",
    "indegree",
    "outdegree",
    "rank",
    "ranking",
    "points",
    "score",
    "pagerank",
    "centrality",
    "betweenness",
    "closeness",
    "authority",
    "hub",
    "count",
    "total",
    "population",
    "age",
    "size",
    "frequency",
    "freq",
    "price",
    "income",
    "salary",
    "votes",
    "views",
    "likes",
    "stars",
    "followers",
    "citations",
    "downloads",
    "value",
    "weight",
];
/// Ends of names of quantities, as in `in_degree` and `Avg Score`.
const ENDS_OF_QUANTITIES: &[&str] = &["degree", "score", "centrality", "population", "pagerank"];

/// Names of the numbers of rows.
const INDEXES: &[&str] = &["", "index", "idx", "id", "row", "rowid", "edgeid"];

const PEOPLE: &[&str] = &[
    "user", "customer", "reviewer", "reader", "listener", "visitor", "author", "actor", "person",
    "member", "student", "buyer", "director",
];
const THINGS: &[&str] = &[
    "movie",
    "item",
    "product",
    "book",
    "artist",
    "song",
    "track",
    "article",
    "anime",
    "game",
    "recipe",
    "business",
    "paper",
    "publication",
    "event",
    "tag",
    "film",
    "course",
    "group",
    "club",
];

/// A name of a column without what people write differently.
fn plain(name: &str) -> String {
    let name = name.trim().trim_matches('"');
    // Neo4j writes :START_ID(Person).
    let name = match name.strip_prefix(':') {
        Some(name) => name.split('(').next().unwrap_or(name),
        // Types stand behind names, as in weight:double.
        None => name.split(':').next().unwrap_or(name),
    };
    let letters = name.chars();
    let letters = letters.filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl ColumnChoice {
    /// This choice, with a header.
    pub(super) fn with_header(&self) -> Self {
        ColumnChoice {
            is_there: Some(true),
            ..self.clone()
        }
    }

    /// The columns that the user wants.
    pub(super) fn chosen(&self, wanted: &[String], names: &[&str]) -> Result<ArcColumns, String> {
        let find = |column: &String| {
            if let Ok(number) = column.parse::<usize>() {
                return match number {
                    0 => Err("columns are counted from 1".to_owned()),
                    _ if number > names.len() => Err(format!(
                        "there are only {} columns, not {number}",
                        names.len()
                    )),
                    _ => Ok(number - 1),
                };
            }
            let place = names.iter().position(|name| *name == column);
            let place =
                place.or_else(|| names.iter().position(|name| plain(name) == plain(column)));
            place
                .ok_or_else(|| format!("no column {}: there are {}", quoted(column), listed(names)))
        };
        let found: Vec<usize> = wanted.iter().map(find).collect::<Result<_, _>>()?;
        match found[..] {
            [source, target] => Ok(ArcColumns {
                source,
                target,
                most: None,
                ..ArcColumns::default()
            }),
            [source, target, weight] => Ok(ArcColumns {
                source,
                target,
                weight: Some(weight).filter(|_| !self.unweighted),
                direction: None,
                most: None,
            }),
            _ => Err("columns are two or three: source,target or source,target,weight".to_owned()),
        }
    }
}

/// The columns whose names say what they hold.
pub(super) fn known(names: &[&str]) -> Option<ArcColumns> {
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    // SOURCE_SUBREDDIT, TARGET_SUBREDDIT
    let find_start = |start: &str| {
        let mut all = (0..names.len()).filter(|&place| names[place].starts_with(start));
        all.next().filter(|_| all.next().is_none())
    };
    let starts = || find_start("source").zip(find_start("target"));
    let (source, target) = find(SOURCES).zip(find(TARGETS)).or_else(starts)?;
    Some(ArcColumns {
        source,
        target,
        weight: find(WEIGHTS),
        direction: find(&["type"]),
        most: None,
    })
}

/// The name of an end of arcs that is not in its place, where columns are taken in their order.
pub(super) fn end_elsewhere<'a>(names: &[&'a str], places: [usize; 2]) -> Option<&'a str> {
    let is_elsewhere = |(place, name): (usize, &'a str)| {
        let name = plain(name);
        let is = |known: &[&str], at: usize| known.contains(&name.as_str()) && place != at;
        is(SOURCES, places[0]) || is(TARGETS, places[1])
    };
    let mut all = names.iter().copied().enumerate();
    all.find(|&entry| is_elsewhere(entry)).map(|(_, name)| name)
}

/// True if a name says that a column of numbers is a weight.
pub(super) fn is_count(name: &str) -> bool {
    let name = plain(name);
    COUNTS.contains(&name.as_str()) || WEIGHTS.contains(&name.as_str())
}

/// True if a name says that numbers are times or identify something.
pub(super) fn is_no_weight(name: &str) -> bool {
    let name = plain(name);
    TIMES.iter().any(|time| name.contains(time)) || name.ends_with("id") || name == "ts"
}

/// True if a name says that values are times alone.
pub(super) fn is_time(name: &str) -> bool {
    let name = plain(name);
    [
        "time",
        "date",
        "datetime",
        "timestamp",
        "year",
        "month",
        "day",
    ]
    .contains(&name.as_str())
}

/// True if a name says that values identify something.
pub(super) fn is_id(name: &str) -> bool {
    plain(name).ends_with("id")
}

/// True for the header of what people did with things: both may have the same numbers.
pub(super) fn are_of_two_kinds(names: &[&str]) -> bool {
    let is = |place: usize, known: &[&str]| {
        let name = names.get(place).map(|name| plain(name));
        name.is_some_and(|name| {
            let kind = name.strip_suffix("id").unwrap_or(&name);
            known.contains(&kind)
        })
    };
    is(0, PEOPLE) && is(1, THINGS) || is(0, THINGS) && is(1, PEOPLE)
}

/// True for the header of a table of nodes, or of their scores.
pub(super) fn are_of_nodes(names: &[&str]) -> bool {
    let is = |place: usize, known: &[&str]| {
        let name = names.get(place).map(|name| plain(name));
        name.is_some_and(|name| known.contains(&name.as_str()))
    };
    is(0, &["id", "nodeid", "node", "name"])
        && is(1, &["label", "name", "title", "score", "value", "rank"])
}

/// True if a name says that a column of numbers is a quantity: the table is one of nodes.
pub(super) fn is_quantity(name: &str) -> bool {
    let name = plain(name);
    let ends = ENDS_OF_QUANTITIES;
    QUANTITIES.contains(&name.as_str()) || ends.iter().any(|end| name.ends_with(end))
}

/// True if a name may be that of a column of the numbers of rows.
pub(super) fn is_index(name: &str) -> bool {
    INDEXES.contains(&plain(name).as_str())
}

/// True if two names may call the ends of one kind of arcs, such as `citing` and `cited`, or `u` and `v`.
pub(super) fn are_of_one_kind(names: [&str; 2]) -> bool {
    let [one, other] = names.map(plain);
    let is_short = one.chars().count() < 3 && other.chars().count() < 3;
    let mut pairs = one.chars().zip(other.chars());
    is_short || pairs.by_ref().take(3).filter(|(a, b)| a == b).count() == 3
}

pub(super) fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(20).map(|name| quoted(name)).collect();
    match shown.len() {
        0 => "none".to_owned(),
        _ => shown.join(", "),
    }
}
