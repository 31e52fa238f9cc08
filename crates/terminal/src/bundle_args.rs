//! How a bundle is made of arcs.

use clap::Args;
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_formats::import::{ImportOptions, Order};
use webrank_graph::bundle::BundleOptions;
use webrank_graph::codes::Coding;

/// Which arcs, in which order and codes, and where.
#[derive(Args)]
pub struct BundleArgs {
    /// Leave out arcs from a node to itself
    #[arg(long)]
    drop_loops: bool,
    /// The order of the nodes
    #[arg(long, value_enum, default_value_t = Order::Names)]
    order: Order,
    /// The codes of the lists: default (those that every tool reads), auto (the best ones for each
    /// direction), or a list as for 'rank recode'
    #[arg(long, default_value = "default", value_name = "CODES")]
    codes: String,
    /// Leave out the transpose and the offsets, which are computed when needed: half the size, a
    /// slower start
    #[arg(long)]
    compact: bool,
    /// The folder of temporary files [default: beside the bundle]
    #[arg(long, value_name = "FOLDER")]
    temp: Option<PathBuf>,
    /// Replace the bundle if it exists; anything else is refused
    #[arg(long)]
    force: bool,
}

impl BundleArgs {
    /// How the bundle is written.
    pub fn bundle(&self) -> BundleOptions {
        BundleOptions {
            replace: self.force,
            compact: self.compact,
        }
    }

    /// The options for the arcs, beside those for reading them.
    ///
    /// # Errors
    /// If there are no such codes.
    pub fn import(&self, reading: ImportOptions) -> Result<ImportOptions> {
        let mut coding = Coding::default();
        coding.set_codes(&self.codes)?;
        Ok(ImportOptions {
            drop_loops: self.drop_loops,
            order: self.order,
            coding,
            temp: self.temp.clone(),
            ..reading
        })
    }
}
