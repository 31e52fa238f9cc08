//! Mutation tests of crates of the workspace. All mutants are compiled once, into a copy, and each is switched on by a variable
//! of the environment: a run of a test costs milliseconds, not a build.
//!
//!     cargo run --manifest-path benches/mutants/Cargo.toml make COPY walks distances scores compare
//!     cargo run --manifest-path benches/mutants/Cargo.toml reach COPY
//!     cargo run --manifest-path benches/mutants/Cargo.toml run COPY 300 [THREADS [FILE-OF-NUMBERS]]
//!
//! `make` writes the copy, drops what does not compile, and lists mutants in `COPY/mutants.tsv`, test programs in
//! `COPY/programs.tsv`. `reach` runs every test alone and notes in `COPY/reach` which mutants it reaches. `run` tries that many
//! mutants of each crate, drawn with a fixed seed, and writes `COPY/results.tsv`; it resumes where it was ended.
//! The mutants made are those of the last commit.

mod make;
mod run;
mod schemata;

use std::{env, path::Path, process::exit};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["make", copy, crates @ ..] if !crates.is_empty() => make::make(Path::new(copy), crates),
        ["reach", copy] => run::reach(Path::new(copy)),
        ["run", copy, count, rest @ ..] => {
            let threads = rest
                .first()
                .map_or(1, |word| word.parse().expect("threads are a number"));
            run::run(
                Path::new(copy),
                count.parse().expect("mutants are a number"),
                threads,
                rest.get(1).map(Path::new),
            );
        }
        _ => {
            eprintln!(
                "usage: mutants make COPY CRATE... | reach COPY | run COPY COUNT [THREADS [FILE]]"
            );
            exit(2);
        }
    }
}
