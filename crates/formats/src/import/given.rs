//! Arcs that a caller gives one by one.

use super::sources::Inputs;
use super::{ImportOptions, ImportReport, Input, Receiver, Sidecars, import_inputs, read_inputs};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::Graph;
use webrank_graph::bundle::{BundleOptions, MadeFrom, PendingBundle};

/// Arcs that a caller has, in memory or elsewhere.
pub struct GivenArcs<F> {
    /// Arcs have weights.
    pub weighted: bool,
    /// Nodes have numbers, not names.
    pub numbered: bool,
    /// Gives the nodes and arcs.
    pub give: F,
}

/// Makes a graph of arcs that a caller gives one by one.
///
/// # Errors
/// The errors of `give`; if an arc cannot be used; if memory is short.
pub fn read_arcs(
    arcs: GivenArcs<impl FnOnce(&mut dyn Receiver) -> Result<()> + Send + 'static>,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<(Graph, ImportReport)> {
    read_inputs(inputs(arcs), options, progress)
}

/// Makes a bundle of arcs that a caller gives one by one, with what it notes meanwhile, and with the
/// files that it writes beside the graph.
///
/// # Errors
/// The errors of `give`, and as for [`import`](super::import()).
pub fn import_arcs(
    arcs: GivenArcs<impl FnOnce(&mut dyn Receiver) -> Result<()> + Send + 'static>,
    options: &ImportOptions,
    output: &Path,
    bundle: BundleOptions,
    (made_from, beside): (Arc<OnceLock<MadeFrom>>, Option<Sidecars>),
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let pending = PendingBundle::create(output, bundle)?.made_from(made_from);
    import_inputs(inputs(arcs), options, output, (pending, beside), progress)
}

fn inputs(
    arcs: GivenArcs<impl FnOnce(&mut dyn Receiver) -> Result<()> + Send + 'static>,
) -> Inputs {
    let input = Input {
        weighted: arcs.weighted,
        is_directed: true,
        is_numbered: arcs.numbered,
        read: Box::new(arcs.give),
    };
    Inputs::of(vec![input])
}
