//! `rank info`.

use super::estimate::EstimateArgs;
use super::shard;
use serde::Serialize;
use std::io::{self, Write};
use webrank::PageRank;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::units;
use webrank_base::visible::{visible, visible_json};
use webrank_graph::Size;
use webrank_graph::info::{Extremes, Info};
use webrank_tables::text::names::Names;
use webrank_terminal::options::{Global, GraphArgs, write_lines, write_stdout};

/// Describe a graph: sizes, degrees, codes, files, memory needed to rank it
///
/// For shards, it shows how even they are and how many bytes workers exchange. With --network and --cores,
/// it estimates the time of runs on such machines:
///
///   rank info web.shards --network 10G --cores 16 --workers 4
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    estimate: EstimateArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    if let Some(shards) = args.graph.shards()? {
        global.refuse_plan(webrank_terminal::plan::OF_SHARDS)?;
        return match args.json {
            true => {
                let json =
                    serde_json::to_string_pretty(shards.plan()).expect("plain data serialises");
                write_stdout(|out| writeln!(out, "{}", visible_json(&json)))
            }
            false => shard::info(&shards, args.estimate.of(shards.plan())?),
        };
    }
    args.estimate.refuse()?;
    if args.graph.is_read_whole() {
        return of_file(args, global);
    }
    let source = args.graph.open()?;
    let names = source.names()?;
    global.admit("info", Info::needs(&source, names.as_ref()))?;
    let progress = global.progress();
    // Without names, and on no thread in particular.
    let size = Size {
        base: memory::PROCESS,
        ..Size::on_disk(&source, None)
    };
    let info = Facts {
        info: Info::of(&source, progress.as_ref())?,
        memory_for_pagerank: PageRank::default().needs_in_memory(size),
    };
    drop(progress);
    write(args, &info, names.as_ref())
}

/// The facts about a file of another format, which is read into memory.
fn of_file(args: &Args, global: &Global) -> Result<()> {
    let graph = args.graph.open_graph(global)?;
    let progress = global.progress();
    let info = Facts {
        info: Info::of_graph(&graph, progress.as_ref())?,
        memory_for_pagerank: PageRank::default().needs_in_memory(Size::of(&graph)),
    };
    drop(progress);
    write(args, &info, graph.names())
}

fn write(args: &Args, info: &Facts, names: Option<&Names>) -> Result<()> {
    if args.json {
        let json = serde_json::to_string_pretty(info).expect("plain data serialises");
        return write_stdout(|out| writeln!(out, "{}", visible_json(&json)));
    }
    write_lines(|out| print(out, info, names))
}

/// The facts that are printed.
#[derive(Serialize)]
struct Facts {
    #[serde(flatten)]
    info: Info,
    /// The bytes that PageRank takes at most with rows in memory, names and threads aside.
    memory_for_pagerank: u64,
}

fn print(out: &mut dyn Write, facts: &Facts, names: Option<&Names>) -> io::Result<()> {
    let info = &facts.info;
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(out, "nodes            {}", info.nodes)?;
    writeln!(out, "arcs             {}", info.arcs)?;
    writeln!(
        out,
        "dangling nodes   {} ({:.1}%)",
        info.dangling_nodes,
        share(info.dangling_nodes, info.nodes)
    )?;
    writeln!(
        out,
        "self-loops       {} ({:.1}% of the nodes)",
        info.self_loops,
        share(info.self_loops, info.nodes)
    )?;
    writeln!(out, "mean degree      {:.2}", info.mean_degree)?;
    writeln!(
        out,
        "outdegree        {}",
        extremes(&info.outdegree, info, names)
    )?;
    writeln!(
        out,
        "indegree         {}",
        extremes(&info.indegree, info, names)
    )?;
    if let Some(bits) = info.bits_per_arc {
        writeln!(out, "bits per arc     {bits:.3}")?;
    }
    let codes: Vec<String> = info
        .codes
        .iter()
        .map(|(what, code)| format!("{what} {code}"))
        .collect();
    if let (Some(endianness), Some(window), Some(interval)) =
        (info.endianness, info.window, info.min_interval)
    {
        writeln!(out, "codes            {}", codes.join(", "))?;
        writeln!(
            out,
            "layout           {endianness}-endian, window {window}, intervals from {interval}"
        )?;
    }
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    writeln!(out, "weights          {}", yes(info.weights))?;
    writeln!(out, "names            {}", yes(info.names))?;
    writeln!(out, "transpose        {}", yes(info.transpose))?;
    writeln!(
        out,
        "pagerank needs   {} of memory at most, and {} a thread",
        units::size(facts.memory_for_pagerank),
        units::size(memory::THREAD)
    )?;
    for (file, bytes) in &info.files {
        let (file, size) = (visible(file), units::size(*bytes));
        writeln!(out, "file             {file}: {size}")?;
    }
    Ok(())
}

fn extremes(extremes: &Extremes, info: &Info, names: Option<&Names>) -> String {
    if info.nodes == 0 {
        return "no nodes".into();
    }
    let name = |node: Node| names.map_or(node.to_string(), |names| names.get(node).to_owned());
    format!(
        "{} to {} ({})",
        extremes.min,
        extremes.max,
        visible(&name(extremes.max_node))
    )
}
