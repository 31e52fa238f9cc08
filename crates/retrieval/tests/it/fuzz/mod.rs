//! Parsers on damaged files.

pub mod targets;

use targets::TARGETS;

#[test]
fn corpora_and_their_mutants() {
    webrank_testing::fuzz::corpora_and_their_mutants(TARGETS);
}

/// See [`webrank_testing::fuzz::mutants_for_a_while`].
#[test]
#[ignore = "takes as long as it is told to"]
fn mutants_for_a_while() {
    webrank_testing::fuzz::mutants_for_a_while(TARGETS);
}
