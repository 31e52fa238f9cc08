//! Centralities of walks: each measure against an oracle on random graphs, closed forms, invariances,
//! the values of other programs, and the same bits for any number of threads.

mod current_flow;
mod degree;
mod eigenvector;
mod hits;
mod katz;
mod kendall_wei;
mod leaderrank;
mod pagerank;
mod seeley;
mod walk_counts;
