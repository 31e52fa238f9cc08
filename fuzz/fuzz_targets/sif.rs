#![no_main]

#[path = "../../tests/it/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::run("sif", bytes));
