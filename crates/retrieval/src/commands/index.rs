//! `rank index`.

use crate::build::{Built, IndexOptions, build, names};
use crate::fields::TextField;
use crate::lists::{ListCode, ListCoding, SKIP, Sizes};
use crate::parts::{By, Cutting, SIGNATURE, Shape};
use bytesize::ByteSize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::memory::allowed_memory;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_terminal::Tool;
use webrank_terminal::options::Global;

/// Make an index of the text of pages, for 'rank search' and 'rank evaluate'
///
/// BUNDLE is what 'rank ingest --text' made: a graph whose nodes are pages, with their titles, their
/// texts and the texts of the links to them. These and the URL are fields of the index. Words are runs
/// of letters and digits of any language, in lower case; words of more than 255 bytes are left out, and
/// none is stemmed. URLs and titles are stored, texts are not: the bundle has them.
///
/// With --codes, the posting lists of the four fields are written a second time, in an instantaneous code or in
/// frames, with documents, counts and positions apart and skips between blocks. What they take is told. 'rank
/// search' reads them into memory and finds the same pages.
///
/// With --parts, the index is a folder of parts, which 'rank search' reads when it needs them, with the same hits and
/// bits. By documents, a part has a range of pages, with about as many words as others; by terms, it has words by a hash,
/// with all their pages. Beside each part is a filter of its words, a self-signed dictionary: it lets words that are not
/// in the part in with probability 2^-R. Parts may be moved to other disks, with a link in their place. An index in one
/// piece is made first, in a temporary folder beside the output.
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
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    /// Replace the index if it exists; anything else is refused
    #[arg(long)]
    force: bool,
    /// Write posting lists in this code beside the index, which 'rank search' then reads
    #[arg(long, value_enum, value_name = "CODE", help_heading = "Lists")]
    codes: Option<ListCode>,
    /// Store the place of every Q-th posting, and read blocks of Q; 0 for lists without skips
    #[arg(
        long,
        value_name = "Q",
        default_value_t = SKIP,
        requires = "codes",
        help_heading = "Lists"
    )]
    skip: u32,
    /// Write so many parts, with lists in --codes
    #[arg(long, value_name = "P", requires = "codes", help_heading = "Parts")]
    parts: Option<usize>,
    /// A part has pages, or words
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHAT",
        requires = "parts",
        help_heading = "Parts"
    )]
    by: By,
    /// Bits of a word in the filter of a part, from 1 to 64
    #[arg(
        long,
        value_name = "R",
        default_value_t = SIGNATURE,
        requires = "parts",
        help_heading = "Parts"
    )]
    signature: u32,
}

impl Tool for Args {
    const NAME: &'static str = "index";

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let names = names(&args.graph)?;
    let within = IndexOptions::within(allowed_memory());
    let cutting = |parts: usize| Cutting {
        parts,
        by: args.by,
        signature: args.signature,
    };
    let parts = args
        .parts
        .map(|parts| cutting(parts).checked())
        .transpose()?;
    let coding = args.codes.map(|code| ListCoding {
        code,
        skip: args.skip,
        memory: within.segment,
        parts,
    });
    let options = IndexOptions {
        replace: args.force,
        coding,
        ..within
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
    let Built {
        pages,
        nodes,
        words,
        bytes,
        lists,
        shape,
    } = built;
    let json = || {
        let fields = TextField::ALL.map(|field| (field.name().to_owned(), words[field as usize]));
        json!({
            "index": args.output,
            "pages": pages,
            "nodes": nodes,
            "words": BTreeMap::from(fields),
            "bytes": bytes,
            "lists": lists,
        })
    };
    global.account(&args.output, args.json.then(json), |out| {
        let words = TextField::ALL.map(|it| format!("{} {}", words[it as usize], it.name()));
        let path = args.output.to_string_lossy();
        let size = ByteSize::b(bytes);
        writeln!(
            out,
            "{}: {} of {}, {size}",
            visible(&path),
            counted(pages, "page"),
            counted(nodes, "node")
        )?;
        writeln!(out, "words: {}", words.join(", "))?;
        lists.map_or(Ok(()), |sizes| writeln!(out, "{}", shown(&sizes)))?;
        shape.map_or(Ok(()), |shape| writeln!(out, "{}", shown_parts(&shape)))
    })
}

/// How large parts are, and what filters take.
fn shown_parts(shape: &Shape) -> String {
    let Cutting {
        parts,
        by,
        signature,
    } = shape.cutting;
    let range = |counts: &[u64]| {
        let (least, most) = (counts.iter().min(), counts.iter().max());
        format!("{} to {}", least.unwrap_or(&0), most.unwrap_or(&0))
    };
    let by = match by {
        By::Documents => format!("documents, of {} pages", range(&shape.pages)),
        By::Terms => "terms".into(),
    };
    let words = range(&shape.terms);
    let all = shape.terms.iter().sum::<u64>().max(1);
    let bits = shape.filter_bits as f64 / all as f64;
    format!(
        "parts: {parts} by {by}, with {words} words; filters: {bits:.2} bits per word, strangers 2^-{signature}"
    )
}

/// The bits of lists for each posting.
fn shown(sizes: &Sizes) -> String {
    let each = |bits: u64| bits as f64 / sizes.postings.max(1) as f64;
    let parts = [
        ("documents", sizes.documents_bits),
        ("counts", sizes.counts_bits),
        ("positions", sizes.positions_bits),
        ("skips", sizes.skips_bits),
        ("heads", sizes.heads_bits),
    ];
    let parts = parts.map(|(name, bits)| format!("{name} {:.2}", each(bits)));
    let postings = counted(sizes.postings, "posting");
    let positions = counted(sizes.positions, "position");
    format!(
        "lists: {postings}, {positions}; bits per posting: {}",
        parts.join(", ")
    )
}
