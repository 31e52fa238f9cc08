//! LeaderRank.

mod definition;
