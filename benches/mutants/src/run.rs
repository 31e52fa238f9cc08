//! Which tests reach which mutants, and which mutants no test notices.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Display;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Seconds of a test, and of the tests of one crate or of all others that a mutant costs: 10, or MUTANTS_SECONDS.
fn budget() -> Duration {
    let seconds = std::env::var("MUTANTS_SECONDS");
    Duration::from_secs(seconds.map_or(10, |seconds| seconds.parse().expect("seconds")))
}

const SEED: u64 = 20261127;

/// A program of tests.
#[derive(Clone)]
struct Program {
    name: String,
    folder: String,
    path: String,
}

impl Program {
    fn all(copy: &Path) -> Vec<Program> {
        let text = fs::read_to_string(copy.join("programs.tsv")).expect("`make` lists programs");
        let words = text
            .lines()
            .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        words
            .map(|words| Program {
                name: words[0].clone(),
                folder: words[1].clone(),
                path: words[2].clone(),
            })
            .collect()
    }

    /// Whether tests pass, or fail, or do not end in time, with 8 GB and a folder of their own.
    fn passes(&self, tests: &[&str], variable: (&str, &str), limit: Duration) -> bool {
        let folder = std::env::temp_dir().join(format!(
            "mutants-{}-{:?}",
            std::process::id(),
            thread::current().id()
        ));
        fs::create_dir_all(&folder).expect("the temporary folder is writable");
        let mut command = Command::new("sh");
        command
            .args([
                "-c",
                "ulimit -v 8000000; exec nice -n 10 \"$@\"",
                "sh",
                &self.path,
                "--exact",
                "--test-threads",
                "1",
            ])
            .args(tests);
        command
            .current_dir(&self.folder)
            .env(variable.0, variable.1)
            .env("TMPDIR", &folder)
            .process_group(0);
        command
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
            .env("PROPTEST_RNG_SEED", "1");
        let quiet = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let (mut child, begin) = (quiet.spawn().expect("tests start"), Instant::now());
        let mut pause = Duration::from_millis(1);
        let passed = loop {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                break status.success();
            }
            if begin.elapsed() > limit {
                break false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        let group = format!("-{}", child.id());
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = child.wait();
        let _ = fs::remove_dir_all(folder);
        passed
    }
}

/// A test, its time and the mutants that it reaches.
struct Test {
    program: usize,
    name: String,
    time: Duration,
    reached: Vec<u32>,
}

/// Runs every test alone, two at a time, and goes on where it was ended. Tests that take longer than the budget are left out.
pub fn reach(copy: &Path) {
    let programs = Program::all(copy);
    let mut tests = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let output = Command::new(&program.path)
            .args(["--list", "--format", "terse"])
            .current_dir(&program.folder)
            .output();
        let text =
            String::from_utf8(output.expect("tests are listed").stdout).expect("names are UTF-8");
        tests.extend(
            text.lines()
                .filter_map(|line| line.strip_suffix(": test"))
                .map(|name| (index, name.to_owned())),
        );
    }
    let before = fs::read_to_string(copy.join("reach.tsv")).unwrap_or_default();
    let known = |(index, name): &(usize, String)| {
        before
            .lines()
            .any(|line| line.starts_with(&format!("{}\t{name}\t", programs[*index].path)))
    };
    tests.retain(|test| !known(test));
    let done = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(copy.join("reach.tsv"));
    let (queue, done) = (
        Mutex::new(tests),
        Mutex::new(done.expect("the copy is writable")),
    );
    let work = |worker: usize| {
        let notes = copy.join(format!("notes-{worker}"));
        while let Some((index, name)) = { queue.lock().unwrap().pop() } {
            let _ = fs::remove_file(&notes);
            let begin = Instant::now();
            let passed = programs[index].passes(
                &[&name],
                ("MUTANTS_REACHED", notes.to_str().expect("a path")),
                budget(),
            );
            let milliseconds = begin.elapsed().as_millis();
            if !passed {
                eprintln!(
                    "{} {name} fails or is too slow, {milliseconds} ms",
                    programs[index].name
                );
                continue;
            }
            let numbers = fs::read_to_string(&notes)
                .unwrap_or_default()
                .lines()
                .collect::<Vec<_>>()
                .join(" ");
            line(
                &done,
                format_args!(
                    "{}\t{name}\t{milliseconds}\t{numbers}",
                    programs[index].path
                ),
            );
        }
    };
    thread::scope(|scope| (0..2).for_each(|worker| drop(scope.spawn(move || work(worker)))));
}

/// Tries mutants: those in a file, or `count` of each crate.
pub fn run(copy: &Path, count: usize, threads: usize, chosen: Option<&Path>) {
    let programs = Program::all(copy);
    let tests = reached(copy, &programs);
    let mut by_crate: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut crate_of = HashMap::new();
    for line in fs::read_to_string(copy.join("mutants.tsv"))
        .expect("`make` lists mutants")
        .lines()
    {
        let words: Vec<&str> = line.split('\t').collect();
        let name = words[1]
            .split('/')
            .nth(1)
            .expect("crates/NAME/src")
            .to_owned();
        let id = words[0].parse().expect("a number");
        crate_of.insert(id, name.clone());
        by_crate.entry(name).or_default().push(id);
    }
    // Equal hashes of equal numbers: a fixed sample, and a larger one holds a smaller one.
    let draw = |ids: &mut Vec<u32>| {
        ids.sort_by_key(|&id| {
            (u64::from(id) ^ SEED)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
                .wrapping_mul(0xbf58_476d_1ce4_e5b9)
                >> 20
        })
    };
    by_crate.values_mut().for_each(draw);
    let mut sample: Vec<u32> = match chosen {
        Some(path) => fs::read_to_string(path)
            .expect("a file of numbers")
            .split_whitespace()
            .map(|id| id.parse().expect("numbers"))
            .collect(),
        None => (0..count)
            .flat_map(|index| {
                by_crate
                    .values()
                    .filter_map(move |ids| ids.get(index).copied())
            })
            .collect(),
    };
    let before = fs::read_to_string(copy.join("results.tsv")).unwrap_or_default();
    let before: HashSet<u32> = before
        .lines()
        .filter_map(|line| line.split('\t').next()?.parse().ok())
        .collect();
    sample.retain(|id| !before.contains(id) && crate_of.contains_key(id));
    sample.reverse();
    let results = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(copy.join("results.tsv"));
    let (queue, results) = (
        Mutex::new(sample),
        Mutex::new(results.expect("the copy is writable")),
    );
    let work = || {
        while let Some(id) = { queue.lock().unwrap().pop() } {
            let begin = Instant::now();
            let (own, other): (Vec<&Test>, Vec<&Test>) = tests
                .iter()
                .filter(|test| test.reached.contains(&id))
                .partition(|test| programs[test.program].name == crate_of[&id]);
            let any = !own.is_empty() || !other.is_empty();
            let verdict = match (attempt(&programs, own, id), any) {
                (_, false) => "unreached".to_owned(),
                (Err(test), _) => format!("own\t{test}"),
                (Ok(()), _) => attempt(&programs, other, id)
                    .map_or_else(|test| format!("other\t{test}"), |()| "missed".to_owned()),
            };
            line(
                &results,
                format_args!(
                    "{id}\t{}\t{}\t{verdict}",
                    crate_of[&id],
                    begin.elapsed().as_millis()
                ),
            );
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

/// Runs tests until some fail, the quick and special ones first, in growing batches; says which failed.
fn attempt(programs: &[Program], mut tests: Vec<&Test>, id: u32) -> Result<(), String> {
    tests.sort_by_key(|test| test.time.as_millis() * test.reached.len() as u128);
    tests.retain(|test| test.time <= budget());
    let mut spent = Duration::ZERO;
    let mut batch = 1;
    while !tests.is_empty() && spent < budget() {
        let program = tests[0].program;
        let now: Vec<&Test> = tests
            .iter()
            .filter(|test| test.program == program)
            .take(batch)
            .copied()
            .collect();
        tests.retain(|test| !now.iter().any(|other| std::ptr::eq(*test, *other)));
        let time: Duration = now.iter().map(|test| test.time).sum();
        let names: Vec<&str> = now.iter().map(|test| test.name.as_str()).collect();
        if !programs[program].passes(
            &names,
            ("MUTANT", &id.to_string()),
            time * 4 + Duration::from_secs(2),
        ) {
            return Err(format!("{} {}", programs[program].name, names.join(" ")));
        }
        spent += time;
        batch *= 2;
    }
    Ok(())
}

fn reached(copy: &Path, programs: &[Program]) -> Vec<Test> {
    let text = fs::read_to_string(copy.join("reach.tsv")).expect("`reach` notes tests");
    let test = |line: &str| {
        let words: Vec<&str> = line.split('\t').collect();
        let reached = words[3]
            .split_whitespace()
            .map(|id| id.parse().expect("numbers"))
            .collect();
        let time = Duration::from_millis(words[2].parse().expect("milliseconds"));
        let program = programs.iter().position(|program| program.path == words[0]);
        Some(Test {
            program: program?,
            name: words[1].to_owned(),
            time,
            reached,
        })
    };
    text.lines().filter_map(test).collect()
}

fn line(file: &Mutex<fs::File>, text: impl Display) {
    writeln!(file.lock().unwrap(), "{text}").expect("the copy is writable");
}
