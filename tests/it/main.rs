//! All integration tests, in one program: it links the library once.
//!
//! A folder for each measure:
//!
//! * [`pagerank`]: PageRank, several alpha, its derivative, many seeds, weighted walks, TrustRank;
//! * [`geometric`]: harmonic, closeness, Lin, reachable, eccentricity, decay; distances;
//! * [`betweenness`]: of nodes and arcs, exact and sampled;
//! * [`eigenvector`], [`katz`], [`seeley`], [`leaderrank`], [`hits`] (and SALSA), [`kendall_wei`],
//!   [`degree`], [`walks`] (and current-flow betweenness).
//!
//! In each of them:
//!
//! * `definition`: the measure against an oracle on random graphs, closed forms, invariances, the
//!   same bits for any number of threads;
//! * `peers`: the values of other programs;
//! * `limits`: iterations end at their limits, with bounds that hold;
//! * `command`: what its commands print and refuse.
//!
//! A folder for each guarantee that measures share:
//!
//! * [`measures`]: all of them stop when asked, and nodes with equal rows tie;
//! * [`graph`]: every format is read, damage is named, `rank check`, `info`, `import`, `export`,
//!   `components`;
//! * `import`: files of any format as graphs, `rank commoncrawl`, `rank fold`;
//! * [`codes`]: the code laboratory, `rank codes` and `rank recode`;
//! * `crawl`: archives and folders of pages as graphs, `rank ingest`; pages that are nearly the same, `rank
//!   duplicates`;
//! * [`text`]: text files, and every name in them;
//! * [`fuzz`]: every parser on damaged files;
//! * [`traversal`]: every engine finds the same distances;
//! * [`compare`]: coefficients of agreement, bounds, `rank compare`;
//! * [`output`]: tables in every format, `rank join`, full disks, interruptions; what is never overwritten; `rank rerun`;
//! * `retrieval`: the text of pages, `rank index`, `search` and `evaluate`;
//! * [`shards`]: a graph cut into shards is ranked as the whole;
//! * [`verify`]: the error of scores of any program, and `rank verify`;
//! * [`extremes`]: numbers at the limits of doubles, degenerate and huge shapes;
//! * [`portability`]: nothing that only some systems have;
//! * `workspace`: crates build on lower ones only;
//! * [`documents`]: what documents repeat is the same everywhere;
//! * [`licences`]: what is built may be;
//! * `cli`: failures, help, memory, threads, `rank explain`.
//!
//! Foundations of the tests:
//!
//! * [`oracle`]: slow and obvious computations that share no code with the library;
//! * [`support`]: small graphs, running the command, fixtures.
//!
//! Run a part with `cargo test --test it katz`. Tests that run the command need the feature `cli`,
//! which is on by default. Tests share a process: a test that needs a limit on memory or disk, an
//! environment or a working folder sets it for a command that it starts, never for itself.

mod betweenness;
#[cfg(feature = "cli")]
mod cli;
mod compare;
mod documents;
mod eigenvector;
mod extremes;
mod fuzz;
mod geometric;
mod graph;
mod hits;
#[cfg(feature = "cli")]
mod import;
mod katz;
mod kendall_wei;
mod leaderrank;
mod licences;
mod measures;
mod output;
mod pagerank;
mod portability;
mod seeley;
mod shards;
mod text;
mod verify;
mod walks;
mod workspace;
