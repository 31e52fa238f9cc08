//! `rank shard`.

use super::estimate::Estimate;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use webrank::PageRank;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::units::size;
use webrank_cluster::Division;
use webrank_formats::import::{ImportFiles, ImportOptions, OnDisk, read_to_disk};
use webrank_formats::shard::{Cutter, WrittenShards, cut_sparse};
use webrank_graph::Size;
use webrank_graph::arcs::temporary_files_of;
use webrank_graph::shards::{Plan, Shards};
use webrank_terminal::input_format::told;
use webrank_terminal::options::{Global, GraphArgs, write_lines};

/// Cut a graph into shards, for several workers or for one after the other
///
/// The nodes are cut into ranges with about equal numbers of arcs and nodes. Each part is a folder with
/// the arcs from its nodes, as two BVGraphs: those to nodes of the part, and those to nodes elsewhere.
/// Nodes keep their numbers: pages of a site stay together, and few sums have to be exchanged.
///
/// These commands take shards, with the same bits for any number of parts and workers: pagerank (also with
/// --alphas and --each-seed), trustrank (also with --select), katz, eigenvector, hits, salsa, indegree, outdegree,
/// by HyperBall harmonic, closeness, lin, reachable, decay, integration, geometric and distances, and by --method sample
/// these but integration and distances.
///
/// The graph is read three times. A table or a list of arcs, such as a folder of Parquet files
/// (--columns src,dst --ids), is first sorted in temporary files beside the output; so is a graph without a
/// transpose beside it that does not fit into memory. Numbers of nodes (--ids) may go beyond 2^32: nodes that
/// occur in no line take some bits each.
///
/// It prints how even the parts are, how much workers exchange and hold, and what one machine needs:
/// most graphs fit one.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The number of parts
    #[arg(short = 'n', long, value_name = "P", help_heading = "Output")]
    parts: usize,
    /// The folder to write, such as web.shards
    #[arg(short, long, value_name = "FOLDER", help_heading = "Output")]
    output: PathBuf,
    /// Print what was made as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let sorted = sorted(args, global)?;
    let opened;
    let graph = match &sorted {
        Some(sorted) => &sorted.disk.graph,
        None => {
            opened = args.graph.open_graph(global)?;
            &opened
        }
    };
    let progress = global.progress();
    let shape = match sorted.as_ref().is_some_and(|sorted| sorted.is_sparse) {
        true => cut_sparse(graph, args.parts, &args.output, progress.as_ref())?,
        false => {
            let cutter = Cutter::new(graph, args.parts, &args.output, progress.as_ref())?;
            global.admit("shard", cutter.needs())?;
            cutter.write(&args.output, progress.as_ref())?
        }
    };
    let WrittenShards { plan, bits } = shape;
    drop(progress);
    let json = || {
        json!({
            "shards": args.output,
            "nodes": plan.nodes,
            "arcs": plan.arcs,
            "parts": plan.parts.len(),
            "bits": bits,
            "bytes_of_sweep": plan.bytes_of_sweep(),
        })
    };
    global.account(&args.output, args.json.then(json), |out| {
        let per_arc = bits as f64 / plan.arcs.max(1) as f64;
        writeln!(out, "{}: {per_arc:.3} bits an arc", args.output.display())?;
        describe(out, &plan)
    })
}

/// A graph in temporary files.
struct Sorted {
    disk: OnDisk,
    /// It has only the nodes that occur, with their numbers as names.
    is_sparse: bool,
}

/// The graph in temporary files, if it is in another format.
fn sorted(args: &Args, global: &Global) -> Result<Option<Sorted>> {
    let path = &args.graph.graph;
    let options = ImportOptions {
        names: args.graph.names.clone(),
        unweighted: true,
        ..args.graph.reading.options()
    };
    if Shards::is_at(path) || !args.graph.is_read_whole() {
        return Ok(None);
    }
    Cutter::check(args.parts, &args.output)?;
    let sources = ImportFiles::new(std::slice::from_ref(path))?;
    let folder = temporary_files_of(&args.output);
    let progress = global.progress();
    let read =
        |options: &ImportOptions| read_to_disk(&sources, options, &folder, progress.as_ref());
    let mut found = read(&options);
    // Pipes cannot be read again.
    let may_be_sparse =
        options.ids && options.ids_from == 0 && options.names.is_none() && !is_pipe(path);
    let is_sparse = found.is_err() && options.is_too_far.load(Relaxed) && may_be_sparse;
    if is_sparse {
        found = read(&ImportOptions {
            only_occurring: true,
            ..options.clone()
        });
    }
    let disk = found?;
    drop(progress);
    let told = told(&disk.report);
    global.summary(&format!("rank: {}: {told}\n", path.display()));
    Ok(Some(Sorted { disk, is_sparse }))
}

fn is_pipe(path: &Path) -> bool {
    !path.is_file() && !path.is_dir()
}

/// Describes shards, and what runs are expected to take.
pub fn info(shards: &Shards, estimate: Option<Estimate>) -> Result<()> {
    let plan = shards.plan();
    write_lines(|out| {
        describe(out, plan)?;
        estimate.map_or(Ok(()), |estimate| estimate.write(out, plan))
    })
}

fn describe(out: &mut dyn Write, plan: &Plan) -> io::Result<()> {
    let parts = plan.parts.len() as u64;
    let work =
        |part: &webrank_graph::shards::PartPlan| part.own_arcs + part.away_arcs + 2 * part.nodes;
    let largest = plan.parts.iter().map(work).max().unwrap_or(0);
    let mean = (plan.arcs + 2 * plan.nodes) as f64 / parts as f64;
    let away: u64 = plan.parts.iter().map(|part| part.away_arcs).sum();
    let share = |count: u64| 100.0 * count as f64 / plan.arcs.max(1) as f64;
    let pagerank = PageRank::default();
    let of = |nodes| Size {
        nodes,
        arcs: plan.arcs,
        weights: false,
        base: memory::of_process(),
        graph: 0,
    };
    let one_a_part = Division::new(plan, &vec![1; plan.parts.len()]);
    let memory_of =
        |part: usize| pagerank.needs_of_part(of(plan.nodes), one_a_part.held(plan, part));
    let largest_memory = (0..plan.parts.len()).map(memory_of).max().unwrap_or(0);
    writeln!(out, "nodes            {}", plan.nodes)?;
    writeln!(out, "arcs             {}", plan.arcs)?;
    writeln!(out, "parts            {parts}")?;
    writeln!(
        out,
        "largest part     {:.2} of the mean, by arcs and nodes",
        largest as f64 / mean.max(1.0)
    )?;
    writeln!(out, "between parts    {away} arcs ({:.2}%)", share(away))?;
    writeln!(
        out,
        "exchanged        {} a sweep, if every part has a worker",
        size(plan.bytes_of_sweep())
    )?;
    writeln!(
        out,
        "memory           {} for the largest part, and rows beside it or on disk",
        size(largest_memory)
    )?;
    let alone = pagerank.needs_streamed(of(plan.nodes));
    let fits = match memory::allowed_memory() {
        allowed if alone <= allowed => "; this machine has them: nobody needs shards here",
        _ => "",
    };
    writeln!(
        out,
        "one machine      {} by --form streamed, without shards{fits}",
        size(alone)
    )
}
