#![no_main]

#[path = "../../crates/retrieval/tests/it/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::run("trec_run", bytes));
