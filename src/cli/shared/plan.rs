//! What a command would need, before it does anything.

use super::options::{Global, write_stdout};
use std::io::{self, Write};
use webrank::internals::error::{Error, Result};
use webrank::internals::expected::Seconds;
use webrank::internals::memory::{self, allowed_memory};
use webrank::internals::progress::Progress;
use webrank::{FormPlan, Graph, Limits, Measure};

impl Global {
    /// Checks, before work begins, that it fits into memory. A plan is printed, and ends here.
    ///
    /// # Errors
    /// If it does not fit; those of [`Self::end_plan`].
    pub fn admit(&self, what: &'static str, needed: u64) -> Result<()> {
        if self.plan {
            print_one(what, FormPlan::in_memory(needed))?;
        }
        self.admit_part(what, needed)?;
        self.end_plan()
    }

    /// Ends a run of which only the plan was asked for.
    ///
    /// # Errors
    /// [`Error::Interrupted`], which is then no failure.
    pub fn end_plan(&self) -> Result<()> {
        match self.plan {
            true => Err(Error::Interrupted),
            false => Ok(()),
        }
    }

    /// The same for a part of the work, which even a plan does.
    pub fn admit_part(&self, what: &'static str, needed: u64) -> Result<()> {
        Self::log_memory(what, &FormPlan::in_memory(needed));
        memory::admit(what, needed, memory::allowed_memory())
    }

    /// Refuses the plan of what has none.
    pub fn refuse_plan(&self, why: &str) -> Result<()> {
        match self.plan {
            true => Err(Error::argument("plan", "given", why)),
            false => Ok(()),
        }
    }
}

/// Why some table has no plan.
pub const READ_ONCE: &str = "what can be read only once has no plan; name a file";

/// Why shards have none.
pub const OF_SHARDS: &str = "of shards, one part after the other is read; leave the plan out";

/// Prints the forms in which a measure of a graph may be computed, each with the memory that it needs
/// and about how long it takes, and which one is taken.
///
/// # Errors
/// If the standard output cannot be written; those of [`Measure::seconds_of`].
pub fn print<M: Measure>(
    measure: &M,
    graph: &Graph,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<()> {
    let forms = measure.forms_of(graph);
    // What fits into no form is not timed.
    let allowed = allowed_memory();
    let seconds = match forms.iter().any(|form| form.bytes <= allowed) {
        true => measure.seconds_of(graph, limits, progress)?,
        false => Vec::new(),
    };
    print_forms(measure.name(), graph, &forms, &seconds)
}

/// The same for forms and seconds that are known.
pub fn print_forms(
    what: &str,
    graph: &Graph,
    forms: &[FormPlan],
    seconds: &[Option<Seconds>],
) -> Result<()> {
    let (nodes, arcs) = (graph.num_nodes(), graph.num_arcs());
    write_stdout(|out| {
        write!(out, "{what}: {nodes} nodes, {arcs} arcs; ")?;
        list(out, forms, seconds)
    })
}

/// Prints the memory that other work needs.
pub fn print_one(what: &str, form: FormPlan) -> Result<()> {
    write_stdout(|out| {
        write!(out, "{what}: ")?;
        list(out, &[form], &[])
    })
}

fn list(out: &mut dyn Write, forms: &[FormPlan], seconds: &[Option<Seconds>]) -> io::Result<()> {
    let allowed = allowed_memory();
    let taken = forms.iter().position(|form| form.bytes <= allowed);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    writeln!(out, "{:.1} MB are allowed or free", megabytes(allowed))?;
    for (index, form) in forms.iter().enumerate() {
        let fits = match taken {
            Some(taken) if taken == index => ", taken",
            _ if form.bytes > allowed => ", which do not fit",
            _ => "",
        };
        let seconds = seconds.get(index).and_then(Option::as_ref);
        let seconds = seconds.map_or(String::new(), |seconds| format!(", {seconds}"));
        let (name, needed) = (form.name, megabytes(form.bytes));
        writeln!(
            out,
            "{name:<16} {needed:>12.1} MB {}{seconds}{fits}",
            form.bound()
        )?;
    }
    Ok(())
}
