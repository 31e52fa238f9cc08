//! What a command would need, before it does anything.

use super::options::write_stdout;
use webrank::internals::error::Result;
use webrank::internals::memory::allowed_memory;
use webrank::{FormPlan, Graph};

/// Prints the forms in which a measure of a graph may be computed, each with the memory that it needs,
/// and which one is taken.
///
/// # Errors
/// If the standard output cannot be written.
pub fn print(measure: &str, graph: &Graph, forms: &[FormPlan]) -> Result<()> {
    let allowed = allowed_memory();
    let taken = forms.iter().position(|form| form.bytes <= allowed);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    write_stdout(|out| {
        let (nodes, arcs) = (graph.num_nodes(), graph.num_arcs());
        let free = megabytes(allowed);
        writeln!(
            out,
            "{measure}: {nodes} nodes, {arcs} arcs; {free:.1} MB are allowed or free"
        )?;
        for (index, form) in forms.iter().enumerate() {
            let fits = match taken {
                Some(taken) if taken == index => ", taken",
                _ if form.bytes > allowed => ", which do not fit",
                _ => "",
            };
            let (name, needed) = (form.name, megabytes(form.bytes));
            let bound = match form.takes_more {
                true => "at least",
                false => "at most",
            };
            writeln!(out, "{name:<16} {needed:>12.1} MB {bound}{fits}")?;
        }
        Ok(())
    })
}
