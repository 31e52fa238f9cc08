//! Space of names, and time to look one up, in a bundle and in other dictionaries.
//!
//!     cargo bench --bench names                    # the real names of graphs/, and a million hosts
//!     cargo bench --bench names -- hosts:10000000
//!     cargo bench --bench names -- ours hosts:100000000
//!
//! The other dictionaries are in memory, and get the names in order. Look-ups are of names that are
//! there, at random places; a figure is the least mean of several rounds, after which all pages of
//! files are in the system's memory.

#[path = "support/hosts.rs"]
mod hosts;
#[path = "support/webgen.rs"]
mod webgen;

use dsi_progress_logger::no_logging;
use fst::MapBuilder;
use mem_dbg::{MemSize, SizeFlags};
use std::collections::HashMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use sux::bits::BitFieldVec;
use sux::dict::RearCodedListBuilder;
use sux::func::{SignedFunc, VFunc};
use sux::traits::{IndexedDict, IndexedSeq};
use webgen::Random;
use webrank::Graph;
use webrank_base::Node;
use webrank_graph::NameIndex;
use webrank_graph::bundle::write_names;
use webrank_tables::text::names::LineEnds;
use webrank_tables::text::names::Names;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const ROUNDS: usize = 3;
/// Names that are looked up in a round.
const LOOKUPS: usize = 10_000;

fn main() -> Outcome<()> {
    let given = std::env::args().skip(1);
    let mut what: Vec<String> = given.filter(|one| !one.starts_with("--")).collect();
    let only_ours = what.first().is_some_and(|first| first == "ours");
    if only_ours {
        what.remove(0);
    }
    if what.is_empty() {
        what = ["graphs/rust-doc.bv", "graphs/debian.bv", "hosts:1000000"]
            .map(String::from)
            .to_vec();
    }
    let folder = tempfile::tempdir()?;
    for what in &what {
        println!("\n{what}\n");
        println!(
            "| dictionary | bits/name | build s | open ms | name to node us | node to name us |"
        );
        println!("|---|---:|---:|---:|---:|---:|");
        match (what.strip_prefix("hosts:"), only_ours) {
            // Too many for memory, or for patience.
            (Some(count), true) => {
                let count = count.parse()?;
                ours("bundle, in order", &mut hosts::hosts(count), folder.path())?;
            }
            (Some(count), false) => all(
                &hosts::hosts(count.parse()?).collect::<Vec<_>>(),
                folder.path(),
            )?,
            (None, _) => {
                let graph = Graph::open(what)?;
                let names = graph.names().ok_or("the graph has no names")?;
                let names = (0..names.len()).map(|node| names.get(node as Node).to_owned());
                all(&names.collect::<Vec<_>>(), folder.path())?;
            }
        }
    }
    Ok(())
}

/// A row of the table.
struct Row {
    bits: f64,
    build: f64,
    open: Option<f64>,
}

impl Row {
    /// Prints the row of a dictionary that finds nodes and names.
    fn print(
        self,
        dictionary: &str,
        nodes: &[Node],
        names: &[String],
        find: &dyn Fn(&str) -> Option<Node>,
        name: Option<&dyn Fn(Node) -> usize>,
    ) {
        for (node, name) in nodes.iter().zip(names) {
            assert_eq!(find(name), Some(*node), "{dictionary}: {name}");
        }
        let by_name = least_mean(&|i| find(&names[i]).map_or(0, |node| node as usize));
        let by_node = name.map(|name| least_mean(&|i| name(nodes[i])));
        let shown = |figure: Option<f64>| figure.map_or(String::new(), |us| format!("{us:.2}"));
        println!(
            "| {dictionary} | {:.2} | {:.2} | {} | {} | {} |",
            self.bits,
            self.build,
            shown(self.open),
            shown(Some(by_name)),
            shown(by_node)
        );
    }
}

/// Microseconds a look-up.
fn least_mean(look_up: &dyn Fn(usize) -> usize) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for i in 0..LOOKUPS {
            black_box(look_up(i));
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e6 / LOOKUPS as f64);
    }
    least
}

/// The result of some work, and its seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed().as_secs_f64())
}

/// Nodes at random places, and their names.
fn chosen(count: usize, name: &dyn Fn(Node) -> String) -> (Vec<Node>, Vec<String>) {
    let mut random = Random::new(3);
    let nodes = (0..LOOKUPS).map(|_| random.below(count as u64) as Node);
    nodes.map(|node| (node, name(node))).unzip()
}

/// Names in a bundle.
fn ours(dictionary: &str, names: &mut dyn Iterator<Item = String>, folder: &Path) -> Outcome<u64> {
    let path = folder.join("names.txt.zst");
    let (written, build) = timed(|| write_names(names, &path));
    written?;
    let file = |path: &Path| path.metadata().map(|file| file.len());
    let bytes = file(&path)? + file(&path.with_file_name("names.index"))?;
    let mut open = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (index, seconds) = timed(|| NameIndex::open(&path));
        index?;
        open = open.min(1e3 * seconds);
    }
    let index = NameIndex::open(&path)?;
    let name = |node| index.name(node).expect("the bundle is whole");
    let (nodes, chosen) = chosen(index.len(), &name);
    let row = Row {
        bits: 8.0 * bytes as f64 / index.len() as f64,
        build,
        open: Some(open),
    };
    let find = |name: &str| index.find(name).expect("the bundle is whole");
    row.print(
        dictionary,
        &nodes,
        &chosen,
        &find,
        Some(&|node| name(node).len()),
    );
    Ok(bytes)
}

fn all(names: &[String], folder: &Path) -> Outcome<()> {
    let n = names.len() as f64;
    let (nodes, keys) = chosen(names.len(), &|node| names[node as usize].clone());
    let text: u64 = names.iter().map(|name| name.len() as u64 + 1).sum();
    ours("bundle, in order", &mut names.iter().cloned(), folder)?;

    // One file, with a static function instead of a search: the name that is found is compared.
    {
        let index = NameIndex::open(&folder.join("names.txt.zst"))?;
        let file = folder.join("names.txt.zst").metadata()?.len();
        let (function, build) = timed(|| {
            VFunc::<str, BitFieldVec<Box<[usize]>>>::try_par_new(
                names,
                &(0..names.len()).collect::<Vec<_>>(),
                no_logging![],
            )
        });
        let function = function?;
        let bits = 8.0 * (function.mem_size(SizeFlags::default()) as f64 + file as f64) / n;
        let row = Row {
            bits,
            build,
            open: None,
        };
        let name = |node: Node| index.name(node).expect("the bundle is whole");
        let find = |key: &str| {
            let node = function.get(key) as Node;
            ((node as usize) < index.len() && name(node) == key).then_some(node)
        };
        row.print(
            "static function, and the bundle's names",
            &nodes,
            &keys,
            &find,
            None,
        );
    }

    let mut shuffled = names.to_owned();
    let mut random = Random::new(5);
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, random.below(i as u64 + 1) as usize);
    }
    ours("bundle, shuffled", &mut shuffled.into_iter(), folder)?;

    {
        let path = folder.join("names.txt");
        let (written, build) = timed(|| std::fs::write(&path, names.join("\n") + "\n"));
        written?;
        let (read, open) = timed(|| Names::read(&path, names.len(), LineEnds::Feed));
        let read = read?;
        let row = Row {
            bits: 8.0 * text as f64 / n,
            build,
            open: Some(1e3 * open),
        };
        let name = |node| read.get(node).len();
        row.print(
            "plain text, read whole",
            &nodes,
            &keys,
            &|key| read.find(key),
            Some(&name),
        );
    }
    {
        let (table, build) = timed(|| {
            let of_name = |(node, name): (usize, &String)| (name.as_str().into(), node as Node);
            names
                .iter()
                .enumerate()
                .map(of_name)
                .collect::<HashMap<Box<str>, Node>>()
        });
        // A control byte an entry, and a heap block for each name.
        let entries = table.capacity() as u64 * 8 / 7 * (size_of::<(Box<str>, Node)>() as u64 + 1);
        let bits = 8.0 * (entries + text - names.len() as u64) as f64 / n;
        let row = Row {
            bits,
            build,
            open: None,
        };
        row.print(
            "HashMap, without the way back",
            &nodes,
            &keys,
            &|key| table.get(key).copied(),
            None,
        );
    }
    {
        let path = folder.join("names.fst");
        let (written, build) = timed(|| -> Outcome<()> {
            let mut builder =
                MapBuilder::new(std::io::BufWriter::new(std::fs::File::create(&path)?))?;
            for (node, name) in names.iter().enumerate() {
                builder.insert(name, node as u64)?;
            }
            Ok(builder.finish()?)
        });
        written?;
        let (map, open) = timed(|| -> Outcome<_> { Ok(fst::Map::new(std::fs::read(&path)?)?) });
        let map = map?;
        let row = Row {
            bits: 8.0 * path.metadata()?.len() as f64 / n,
            build,
            open: Some(1e3 * open),
        };
        let name = |node: Node| map.as_fst().get_key(node.into()).map_or(0, |key| key.len());
        row.print(
            "fst",
            &nodes,
            &keys,
            &|key| map.get(key).map(|node| node as Node),
            Some(&name),
        );
    }
    for ratio in [4, 8, 16] {
        let (list, build) = timed(|| {
            let mut builder = RearCodedListBuilder::<str, true>::new(ratio);
            names.iter().for_each(|name| builder.push(name.as_str()));
            builder.build()
        });
        let bits = 8.0 * list.mem_size(SizeFlags::default()) as f64 / n;
        let row = Row {
            bits,
            build,
            open: None,
        };
        let find = |key: &str| list.index_of(key).map(|node| node as Node);
        let name = |node: Node| list.get(node as usize).len();
        row.print(
            &format!("rear-coded list, ratio {ratio}"),
            &nodes,
            &keys,
            &find,
            Some(&name),
        );
    }
    {
        type Signed = SignedFunc<VFunc<str, BitFieldVec<Box<[usize]>>>, Box<[u32]>>;
        let (function, build) = timed(|| Signed::try_par_new(names, no_logging![]));
        let function = function?;
        let bits = 8.0 * function.mem_size(SizeFlags::default()) as f64 / n;
        let row = Row {
            bits,
            build,
            open: None,
        };
        let find = |key: &str| function.get(key).map(|node| node as Node);
        row.print(
            "static function, signatures of 32 bits",
            &nodes,
            &keys,
            &find,
            None,
        );
    }
    Ok(())
}
