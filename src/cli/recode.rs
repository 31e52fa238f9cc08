//! `rank recode`.

use serde_json::{Map, Value, json};
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::StoredGraph;
use webrank_graph::bundle::{BundleOptions, check_output};
use webrank_graph::codes::{CodeGroup, Coding, CompFlags};
use webrank_graph::recode::{Recoded, Recoder, Recoding};
use webrank_graph::reorder::{Order, Reordering};
use webrank_tables::text::names::Names;
use webrank_terminal::options::{Global, GraphArgs};

/// Write a graph again, smaller or faster to read
///
/// The copy is a bundle with the same arcs, names and other files; a transpose is written again too.
/// The new bundle is verified before it replaces anything.
///
/// --codes auto takes the best code for each component, of those that files can have, for each
/// direction: see 'rank codes'. Unlimited chains of references make much smaller files, the more so
/// with a large window; they take longer to write, and much longer to read at random places. With
/// short chains, a larger window may make larger files. WebGraph's Rust library reads every choice;
/// a file that Java's library cannot read says so by its version, 1.
///
/// --order gives nodes other numbers, by which many graphs become smaller: names and weights follow,
/// and nodes without names are named by their numbers before. Which order is best depends on the
/// graph; often it is llp.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The bundle to write, such as graph.bv
    #[arg(short, long, value_name = "BUNDLE", help_heading = "Output")]
    output: PathBuf,
    /// default (those that every tool reads), auto, or a list such as outdegrees=delta,residuals=auto;
    /// those that it does not name are the default ones, or the best ones if it holds auto
    #[arg(
        long,
        default_value = "auto",
        value_name = "CODES",
        help_heading = "Lists"
    )]
    codes: String,
    /// The order of the nodes
    #[arg(long, value_enum, default_value_t = Order::Given, help_heading = "Lists")]
    order: Order,
    /// How many lists back a list may copy from; 0 for none
    #[arg(long, default_value_t = 7, value_name = "W", help_heading = "Lists", value_parser = clap::value_parser!(u64).range(0..=1024))]
    window: u64,
    /// Length of the longest chain of lists that copy from each other, or 'unlimited'
    #[arg(long, default_value = "3", value_name = "R", help_heading = "Lists", value_parser = references)]
    max_references: usize,
    /// The shortest run of successors that is written as an interval; 0 for no intervals
    #[arg(long, default_value_t = 4, value_name = "L", help_heading = "Lists", value_parser = intervals)]
    min_interval: u64,
    /// Replace the bundle if it exists; anything else is refused
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Print what was made as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The longest chain there can be.
const UNLIMITED: usize = i32::MAX as usize;

fn references(text: &str) -> std::result::Result<usize, String> {
    match text {
        "unlimited" => Ok(UNLIMITED),
        _ => match text.parse() {
            Ok(count @ 0..=UNLIMITED) => Ok(count),
            _ => Err("it must be a number or 'unlimited'".into()),
        },
    }
}

fn intervals(text: &str) -> std::result::Result<u64, String> {
    match text.parse() {
        Ok(1) => Err("a single successor is no interval; 2 is the shortest, 0 means none".into()),
        Ok(length @ 0..=0xffff_ffff) => Ok(length),
        _ => Err("it must be a number from 2 on, or 0".into()),
    }
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut recoding = Recoding {
        coding: Coding {
            flags: CompFlags {
                compression_window: args.window as usize,
                max_ref_count: args.max_references,
                min_interval_length: args.min_interval as usize,
                ..CompFlags::default()
            },
            best: Vec::new(),
        },
        replace: args.force,
    };
    recoding.coding.set_codes(&args.codes)?;
    let source = args.graph.open()?;
    let progress = global.progress();
    let (graph, transpose) = match args.order {
        Order::Given => recode(args, &source, recoding, global, progress.as_ref())?,
        order => reorder(args, &source, order, &recoding, global, progress.as_ref())?,
    };
    drop(progress);
    let arcs = source.properties().arcs;
    let json = || {
        json!({
            "graph": args.output,
            "arcs": arcs,
            "successors": of_codes(&graph),
            "predecessors": transpose.as_ref().map(of_codes),
        })
    };
    global.account(&args.output, args.json.then(json), |out| {
        writeln!(
            out,
            "{}: {}",
            args.output.display(),
            described(&graph, arcs)
        )?;
        match &transpose {
            Some(transpose) => writeln!(out, "transpose: {}", described(transpose, arcs)),
            None => Ok(()),
        }
    })
}

/// The recoded graph, and its transpose if it has one.
type Written = (Recoded, Option<Recoded>);

fn recode(
    args: &Args,
    source: &StoredGraph,
    recoding: Recoding,
    global: &Global,
    progress: &dyn Progress,
) -> Result<Written> {
    // Names with an index are copied; others are read.
    let names = match source.name_index()? {
        Some(_) => None,
        None => source.names()?,
    };
    let names = names.as_ref().map_or(0, Names::memory);
    let recoder = Recoder::new(source, recoding, &args.output, progress)?;
    global.admit("recode", recoder.needs().saturating_add(names))?;
    recoder.write(&args.output, progress)
}

fn reorder(
    args: &Args,
    source: &StoredGraph,
    order: Order,
    recoding: &Recoding,
    global: &Global,
    progress: &dyn Progress,
) -> Result<Written> {
    let options = BundleOptions {
        replace: args.force,
        compact: false,
    };
    check_output(&args.output, options)?;
    let reordering = Reordering::new(source, order, &recoding.coding, progress)?;
    global.admit("recode", reordering.needs())?;
    reordering.recode(recoding, &args.output, progress)
}

/// The lists of a direction: their bits and codes.
fn of_codes(recoded: &Recoded) -> Value {
    let codes = CodeGroup::ALL.map(|group| {
        let code = group.code(&recoded.flags).to_string().to_lowercase();
        (group.name().to_owned(), json!(code))
    });
    json!({
        "bits": recoded.after,
        "bits_before": recoded.before,
        "codes": Map::from_iter(codes),
    })
}

fn described(recoded: &Recoded, arcs: u64) -> String {
    let per_arc = |bits: u64| bits as f64 / arcs.max(1) as f64;
    let codes = CodeGroup::ALL.map(|group| {
        let code = group.code(&recoded.flags).to_string().to_lowercase();
        format!("{} {code}", group.name())
    });
    format!(
        "{:.3} bits an arc, {:.3} before; {}",
        per_arc(recoded.after),
        per_arc(recoded.before),
        codes.join(", ")
    )
}
