//! `rank index`.

use crate::build::{Built, IndexOptions, build, names};
use crate::fields::TextField;
use bytesize::ByteSize;
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::memory::allowed_memory;
use webrank_base::visible::visible;
use webrank_terminal::Tool;
use webrank_terminal::options::{Global, write_lines};

/// Make an index of the text of pages, for 'rank search' and 'rank evaluate'
///
/// BUNDLE is what 'rank ingest --text' made: a graph whose nodes are pages, with their titles, their
/// texts and the texts of the links to them. These and the URL are fields of the index. Words are runs
/// of letters and digits of any language, in lower case; words of more than 255 bytes are left out, and
/// none is stemmed. URLs and titles are stored, texts are not: the bundle has them.
///
/// Indexing takes at most --memory, and no result depends on it.
#[derive(clap::Args)]
pub struct Args {
    /// A bundle with the text of its pages
    #[arg(value_name = "BUNDLE")]
    graph: PathBuf,
    /// The index to write, a folder such as web.index
    #[arg(short, long, value_name = "INDEX")]
    output: PathBuf,
    /// Replace the index if it exists; anything else is refused
    #[arg(long)]
    force: bool,
}

impl Tool for Args {
    const NAME: &'static str = "index";

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let names = names(&args.graph)?;
    let options = IndexOptions {
        replace: args.force,
        ..IndexOptions::within(allowed_memory())
    };
    global.admit("index", options.needs(names.len() as u64, names.memory()))?;
    let progress = global.progress();
    let built = build(
        &args.graph,
        &names,
        &args.output,
        options,
        progress.as_ref(),
    )?;
    drop(progress);
    if global.quiet {
        return Ok(());
    }
    let Built {
        pages,
        nodes,
        words,
        bytes,
    } = built;
    let words = TextField::ALL.map(|field| format!("{} {}", words[field as usize], field.name()));
    write_lines(|out| {
        let path = args.output.to_string_lossy();
        let size = ByteSize::b(bytes);
        writeln!(
            out,
            "{}: {pages} pages of {nodes} nodes, {size}",
            visible(&path)
        )?;
        writeln!(out, "words: {}", words.join(", "))
    })
}
