//! Examples at the end of every help page.

use std::fmt::Write as _;

/// A command and its examples: words behind `rank`, and what they do.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

/// The end of the help of a command: its examples, aligned; none for one that has none.
pub fn shown(name: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(command, _)| *command == name)?;
    let mut text = String::from("Examples:\n");
    for (words, about) in *examples {
        let _ = writeln!(text, "  # {about}\n  rank {words}");
    }
    text.truncate(text.trim_end().len());
    Some(text)
}

/// The examples of all commands.
pub const EXAMPLES: &[Examples] = &[
    (
        "pagerank",
        &[
            (
                "pagerank links.csv",
                "The best nodes of a file of links, one 'source,target' per line",
            ),
            (
                "pagerank web.bv -o scores.parquet",
                "All scores as a table, with the manifest of the run",
            ),
            (
                "pagerank web.bv --preference example.org,example.com",
                "One ranking of walks that start at two nodes",
            ),
            (
                "pagerank web.bv --seeds example.org,example.com",
                "A column of scores for each of two nodes",
            ),
            (
                "pagerank web.bv --alpha 0.5 -n 100",
                "Shorter walks, and the 100 best nodes",
            ),
        ],
    ),
    (
        "trustrank",
        &[
            (
                "trustrank web.bv --seeds example.org,example.com",
                "Trust that flows from two nodes",
            ),
            (
                "trustrank web.bv --select 200 -o candidates.csv",
                "Candidates for seeds, to be inspected",
            ),
            (
                "trustrank web.bv --seeds-file candidates.csv -o trust.csv",
                "Trust from the seeds that a table lists",
            ),
        ],
    ),
    (
        "eigenvector",
        &[
            (
                "eigenvector friends.csv --undirected",
                "The best nodes of a network without directions",
            ),
            ("eigenvector web.bv --norm max", "Scores whose largest is 1"),
            (
                "eigenvector web.bv --direction out -o hubs.csv",
                "Scores of nodes that point to good nodes",
            ),
        ],
    ),
    (
        "katz",
        &[
            ("katz links.csv", "With a damping that suits the graph"),
            ("katz web.bv --alpha 0.01", "With a damping of your own"),
            (
                "katz web.bv --direction out -o katz.parquet",
                "By walks that leave a node, as a table",
            ),
        ],
    ),
    (
        "seeley",
        &[
            ("seeley links.csv", "Where random walks are in the long run"),
            (
                "seeley trade.csv --weights volumes.csv",
                "Arcs are followed by their weights",
            ),
            ("seeley web.bv -o seeley.parquet", "All scores as a table"),
        ],
    ),
    (
        "kendall-wei",
        &[
            (
                "kendall-wei games.csv",
                "Players by their wins: each line is 'winner,loser'",
            ),
            (
                "kendall-wei games.csv --direction in",
                "Each line is 'loser,winner'",
            ),
            (
                "kendall-wei games.csv -o table.csv --sort score",
                "The whole table, the best first",
            ),
        ],
    ),
    (
        "leaderrank",
        &[
            (
                "leaderrank links.csv",
                "The best nodes, without a parameter to choose",
            ),
            ("leaderrank web.bv -n 100", "The 100 best nodes"),
            (
                "leaderrank web.bv -o leaders.parquet",
                "All scores as a table",
            ),
        ],
    ),
    (
        "harmonic",
        &[
            (
                "harmonic links.csv",
                "The nodes that others reach by short paths",
            ),
            (
                "harmonic web.bv --method hyperball",
                "Estimates with intervals, for large graphs",
            ),
            (
                "harmonic web.bv --direction out -o harmonic.parquet",
                "By distances from a node, as a table",
            ),
        ],
    ),
    (
        "closeness",
        &[
            (
                "closeness friends.csv --undirected",
                "The nodes that are near to all others",
            ),
            ("closeness web.bv -n 50", "The 50 best nodes"),
            (
                "closeness web.bv -o closeness.parquet",
                "All scores as a table",
            ),
        ],
    ),
    (
        "lin",
        &[
            (
                "lin links.csv",
                "The best nodes of a graph with several components",
            ),
            ("lin web.bv -n 50", "The 50 best nodes"),
            (
                "lin web.bv --method hyperball -o lin.parquet",
                "Estimates as a table, for large graphs",
            ),
        ],
    ),
    (
        "reachable",
        &[
            ("reachable links.csv", "How many nodes reach each node"),
            (
                "reachable links.csv --direction out",
                "How many nodes each node reaches",
            ),
            (
                "reachable web.bv --method hyperball -o reachable.parquet",
                "Estimates as a table, for large graphs",
            ),
        ],
    ),
    (
        "eccentricity",
        &[
            ("eccentricity links.csv", "How far the farthest node is"),
            (
                "eccentricity links.csv --direction out",
                "By distances from a node",
            ),
            (
                "eccentricity web.bv -o eccentricity.csv",
                "All values as a table",
            ),
        ],
    ),
    (
        "decay",
        &[
            ("decay links.csv", "Each step halves what a node adds"),
            ("decay links.csv --base 0.1", "Only near nodes matter"),
            (
                "decay web.bv --method hyperball -o decay.parquet",
                "Estimates as a table, for large graphs",
            ),
        ],
    ),
    (
        "integration",
        &[
            (
                "integration links.csv",
                "How much nearer than the diameter other nodes are",
            ),
            (
                "integration links.csv --direction out",
                "By distances from a node",
            ),
            (
                "integration web.bv -o integration.csv",
                "All scores as a table",
            ),
        ],
    ),
    (
        "geometric",
        &[
            (
                "geometric links.csv --measures harmonic,closeness",
                "Two measures, two columns, one traversal",
            ),
            (
                "geometric web.bv --measures harmonic,lin,reachable -o t.parquet",
                "Three measures as a table",
            ),
            (
                "geometric web.bv --measures harmonic,lin --method hyperball",
                "Estimates, for large graphs",
            ),
        ],
    ),
    (
        "betweenness",
        &[
            ("betweenness links.csv", "The nodes that lie between others"),
            (
                "betweenness web.bv --method approx --epsilon 0.01",
                "Estimates within 0.01, for large graphs",
            ),
            (
                "betweenness links.csv --arcs -o bridges.csv",
                "The arcs that lie between nodes",
            ),
        ],
    ),
    (
        "distances",
        &[
            (
                "distances links.csv",
                "How many pairs of nodes lie at each distance",
            ),
            (
                "distances web.bv --method hyperball",
                "An estimate, for large graphs",
            ),
            (
                "distances web.bv --diameter",
                "With the exact diameter, even if the rest is an estimate",
            ),
        ],
    ),
    (
        "hits",
        &[
            (
                "hits links.csv",
                "Hubs, and the authorities to which they point",
            ),
            ("hits web.bv -n 100", "The 100 best authorities"),
            ("hits web.bv -o hits.parquet", "Both scores as a table"),
        ],
    ),
    (
        "salsa",
        &[
            ("salsa links.csv", "Hubs and authorities, exactly"),
            ("salsa web.bv -n 100", "The 100 best authorities"),
            ("salsa web.bv -o salsa.parquet", "Both scores as a table"),
        ],
    ),
    (
        "indegree",
        &[
            ("indegree links.csv", "The nodes to which most others point"),
            ("indegree web.bv -n 100", "The 100 best nodes"),
            (
                "indegree web.bv -o indegree.csv --sort score",
                "The whole table, the best first",
            ),
        ],
    ),
    (
        "outdegree",
        &[
            ("outdegree links.csv", "The nodes that point to most others"),
            ("outdegree web.bv -n 100", "The 100 best nodes"),
            (
                "outdegree web.bv -o outdegree.csv --sort score",
                "The whole table, the best first",
            ),
        ],
    ),
    (
        "compare",
        &[
            (
                "compare may.csv june.csv",
                "How far two rankings agree, and who moved",
            ),
            (
                "compare a.csv b.csv c.csv --html report.html",
                "Each pair of three rankings, as a page",
            ),
            (
                "compare may.parquet june.parquet --movers 50",
                "The 50 nodes that moved most",
            ),
        ],
    ),
    (
        "join",
        &[
            (
                "join pagerank.csv harmonic.csv -o both.csv",
                "The columns of two tables, matched by name",
            ),
            (
                "join may.csv june.csv --inner",
                "Only the nodes that both tables have",
            ),
            (
                "join a.csv b.csv --on url",
                "Matched by a column of your own",
            ),
        ],
    ),
    (
        "explain",
        &[
            (
                "explain web.bv example.org scores.csv",
                "What the score of a node is made of",
            ),
            (
                "explain web.bv example.org may.csv june.csv",
                "Its ranks in two tables",
            ),
            (
                "explain web.bv example.org scores.csv -n 50",
                "The 50 nodes that give it most",
            ),
        ],
    ),
    (
        "rerun",
        &[
            (
                "rerun scores.csv.json",
                "Whether the same run gives the same bits",
            ),
            (
                "rerun scores.parquet.json --threads 1",
                "The same on one thread",
            ),
            ("rerun scores.csv.json -v", "With a log of what is done"),
        ],
    ),
    (
        "plan",
        &[
            ("plan pagerank web.bv", "Memory, form and time of a ranking"),
            (
                "plan pagerank web.bv --memory 8G",
                "Whether 8 GB are enough",
            ),
            (
                "plan import links.csv -o web.bv",
                "What an import would take",
            ),
        ],
    ),
    (
        "top",
        &[
            ("top scores.csv", "The 20 best rows of a table"),
            (
                "top scores.parquet -n 100 --prefix org.",
                "The 100 best whose names start with org.",
            ),
            (
                "top both.csv --column harmonic",
                "The best by another column",
            ),
        ],
    ),
    (
        "verify",
        &[
            (
                "verify scores.csv",
                "How far scores are off, by another computation",
            ),
            (
                "verify scores.parquet --column score_0.9",
                "One column of several",
            ),
            (
                "verify other.csv --graph web.bv --column score --measure pagerank",
                "Scores of another program",
            ),
        ],
    ),
    (
        "import",
        &[
            ("import links.csv -o web.bv", "A graph from a file of links"),
            (
                "import graph.graphml -o graph.bv",
                "From a file of another program",
            ),
            (
                "import likes.parquet -o likes.bv --columns follower,followed",
                "From two columns of a table",
            ),
            (
                "import friends.tsv -o friends.bv --undirected",
                "Each line counts in both directions",
            ),
        ],
    ),
    (
        "export",
        &[
            (
                "export web.bv -o web.graphml",
                "The graph for another program",
            ),
            ("export web.bv --to gexf -o web.gexf", "For Gephi"),
            ("export web.bv --to csv -o links.csv", "A list of arcs"),
        ],
    ),
    (
        "subgraph",
        &[
            (
                "subgraph web.bv --top scores.csv:1000 -o best.bv",
                "The 1000 best nodes, and all arcs between them",
            ),
            (
                "subgraph web.bv --nodes chosen.txt -o chosen.bv",
                "The nodes that a file lists",
            ),
            (
                "subgraph web.bv --nodes chosen.txt --neighbours -o around.bv",
                "The same with their neighbours",
            ),
        ],
    ),
    (
        "fold",
        &[
            (
                "fold pages.bv --to hosts -o hosts.bv",
                "A graph of hosts from one of pages",
            ),
            (
                "fold hosts.bv --to domains -o domains.bv",
                "A graph of domains from one of hosts",
            ),
            (
                "fold pages.bv --to hosts --drop-loops -o hosts.bv",
                "Without links from a host to itself",
            ),
        ],
    ),
    (
        "commoncrawl",
        &[
            (
                "commoncrawl vertices.txt.gz edges.txt.gz -o ranks",
                "All ranks of a web graph of Common Crawl",
            ),
            (
                "commoncrawl vertices.txt.gz edges.txt.gz -o ranks --memory 8G",
                "Within 8 GB",
            ),
            (
                "commoncrawl vertices.txt.gz edges.txt.gz -o ranks --time-budget 2h",
                "Exact distances if they take two hours at most",
            ),
        ],
    ),
    (
        "wikipedia",
        &[
            (
                "wikipedia dumps -o wiki.bv",
                "The graph of a Wikipedia from a folder of its dumps",
            ),
            (
                "wikipedia dumps -o wiki.bv --rank",
                "And the ranks of its pages",
            ),
            ("wikipedia dumps -o wiki.bv --memory 8G", "Within 8 GB"),
        ],
    ),
    (
        "recode",
        &[
            ("recode web.bv -o small.bv", "A smaller file"),
            (
                "recode web.bv -o small.bv --order llp",
                "With nodes in an order that compresses well",
            ),
            (
                "recode web.bv -o fast.bv --window 0",
                "Without references, which reads faster",
            ),
        ],
    ),
    (
        "shard",
        &[
            ("shard web.bv -n 16 -o parts", "A graph in 16 parts"),
            (
                "shard web.bv --parts 64 -o parts --memory 4G",
                "Within 4 GB",
            ),
            (
                "pagerank parts --workers 4 -o scores/",
                "Four workers rank what is cut",
            ),
        ],
    ),
    (
        "info",
        &[
            ("info web.bv", "Sizes, degrees, codes, files and memory"),
            ("info links.csv", "What a file in any format holds"),
            ("info web.bv --json", "The same for programs"),
        ],
    ),
    (
        "lookup",
        &[
            ("lookup web.bv example.org", "The number of a node"),
            (
                "lookup web.bv --prefix org. -n 50",
                "50 nodes whose names start with org.",
            ),
            ("lookup web.bv --node 7", "The name of a node"),
        ],
    ),
    (
        "neighbors",
        &[
            ("neighbors web.bv example.org", "All neighbours of a node"),
            (
                "neighbors web.bv example.org --in -n 50",
                "50 nodes that point to it",
            ),
            (
                "neighbors web.bv example.org --json",
                "All neighbours for programs",
            ),
        ],
    ),
    (
        "path",
        &[
            (
                "path web.bv example.org example.com",
                "A shortest path along arcs, and how many there are",
            ),
            (
                "path web.bv example.org example.com --all",
                "All shortest paths",
            ),
            (
                "path friends.csv ann bob --undirected",
                "Along arcs in both directions",
            ),
        ],
    ),
    (
        "components",
        &[
            (
                "components links.csv",
                "How many components there are, and the bow-tie",
            ),
            (
                "components web.bv -o components.csv",
                "The components of each node",
            ),
            ("components web.bv --json", "The counts for programs"),
        ],
    ),
    (
        "check",
        &[
            ("check web.bv", "Whether all files of a graph are whole"),
            ("check web.bv --threads 8", "On eight threads"),
            ("check web.bv -v", "With a log of what is read"),
        ],
    ),
    (
        "measures",
        &[
            ("measures", "All measures with their definitions"),
            ("measures --json", "The same for programs"),
            ("help harmonic", "More about one of them"),
        ],
    ),
    (
        "completions",
        &[
            (
                "completions bash > ~/.local/share/bash-completion/completions/rank",
                "For bash",
            ),
            ("completions zsh > ~/.zfunc/_rank", "For zsh"),
            (
                "completions fish > ~/.config/fish/completions/rank.fish",
                "For fish",
            ),
        ],
    ),
    (
        "man",
        &[
            ("man | man -l -", "Read the manual page"),
            (
                "man ~/.local/share/man/man1",
                "Install those of all commands",
            ),
            ("help man", "The same as text"),
        ],
    ),
    (
        "crawl",
        &[
            (
                "crawl https://example.org/ --contact me@example.org -o crawl",
                "The pages of a site",
            ),
            (
                "crawl https://example.org/ --contact me@example.org -o crawl --pages 500",
                "At most 500 pages",
            ),
            (
                "crawl seeds.txt --contact me@example.org -o crawl --depth 3",
                "Three links deep, from a list of URLs",
            ),
        ],
    ),
    (
        "ingest",
        &[
            ("ingest crawl/*.warc.gz -o pages.bv", "The graph of a crawl"),
            (
                "ingest site/ -o pages.bv --base https://example.org/",
                "Of a folder of HTML",
            ),
            (
                "ingest crawl/*.warc.gz -o pages.bv --text",
                "With texts, for 'rank index'",
            ),
        ],
    ),
    (
        "duplicates",
        &[
            (
                "duplicates pages.bv -o duplicates.csv",
                "Groups of pages that are nearly the same",
            ),
            ("duplicates pages.bv --pairs", "Each pair of them"),
            (
                "duplicates pages.bv --distance 5",
                "Pages that differ more, too",
            ),
        ],
    ),
    (
        "index",
        &[
            (
                "index pages.bv -o pages.index",
                "An index of texts that 'rank ingest --text' kept",
            ),
            (
                "index pages.bv -o pages.index --force",
                "In place of an older one",
            ),
            ("index pages.bv -o pages.index --memory 4G", "Within 4 GB"),
        ],
    ),
    (
        "search",
        &[
            ("search pages.index \"red apple\"", "Pages that match words"),
            (
                "search pages.index vec --static scores.csv",
                "By text and a score of pages",
            ),
            (
                "search pages.index title:vec -n 50 --json",
                "50 pages whose titles match, for programs",
            ),
        ],
    ),
    (
        "evaluate",
        &[
            (
                "evaluate pages.index --known-items titles --static scores.csv",
                "Whether scores help to find pages by their titles",
            ),
            (
                "evaluate pages.index --queries queries.tsv --judgements qrels.txt",
                "By your own queries and judgements",
            ),
            (
                "evaluate pages.index --known-items titles --static scores.csv --tune",
                "With the weight that is best",
            ),
        ],
    ),
    (
        "codes",
        &[
            ("codes web.bv", "Which codes would make a graph smaller"),
            ("codes web.bv --svg codes.svg", "With a picture"),
            ("codes web.bv --json", "The same for programs"),
        ],
    ),
];
