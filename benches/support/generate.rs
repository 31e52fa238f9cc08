//! Writes a generated graph as a bundle, for measuring.
//!
//!     cargo run --release --example webgen -- pages 600000 pages.bv
//!     cargo run --release --example webgen -- hosts 2000000 hosts.bv
//!     cargo run --release --example webgen -- citations 1000000 citations.bv

mod webgen;

use webrank_graph::bundle::{BundleOptions, write_bundle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, nodes, output] = arguments.as_slice() else {
        return Err("usage: webgen pages|hosts|dense-hosts|citations NODES OUTPUT".into());
    };
    let graph = match kind.as_str() {
        "pages" => webgen::pages(nodes.parse()?),
        "hosts" => webgen::hosts(nodes.parse()?),
        "dense-hosts" => webgen::dense_hosts(nodes.parse()?),
        "citations" => webgen::citations(nodes.parse()?),
        _ => {
            return Err(
                format!("'{kind}' is none of pages, hosts, dense-hosts and citations").into(),
            );
        }
    };
    println!("{} nodes, {} arcs", graph.num_nodes(), graph.num_arcs());
    let replace = BundleOptions {
        replace: true,
        compact: false,
    };
    write_bundle(&graph, None, output.as_ref(), replace)?;
    Ok(())
}
