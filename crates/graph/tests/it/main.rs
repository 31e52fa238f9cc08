//! Graphs on disk: every format is read, damage is named, statistics, orders, codes.

mod counted;
mod damage;
mod formats;
mod generated;
mod java;
mod mutants;
mod provenance;
mod recode;
mod reorder;
mod statistics;
mod streamed;
mod subgraph;
mod textbook;
