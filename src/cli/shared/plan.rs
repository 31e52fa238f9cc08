//! The needs of ranking a graph, before it begins.

use webrank::{Graph, Limits, Measure, StoragePlan};
use webrank_base::error::{Error, Result};
use webrank_base::memory::allowed_memory;
use webrank_base::progress::Progress;
use webrank_measure::cost_model::TimeEstimate;
use webrank_terminal::options::Global;
use webrank_terminal::plan::WorkPlan;

/// Prints the forms in which a measure of a graph may be computed, each with the memory that it needs
/// and about how long it takes, and which one is taken.
///
/// # Errors
/// If the standard output cannot be written; those of [`Measure::seconds_of`].
pub fn print(
    measure: &dyn Measure,
    graph: &Graph,
    limits: &Limits,
    (global, progress): (&Global, &dyn Progress),
) -> Result<()> {
    let forms = measure.forms_of(graph);
    // Work that fits into no form is not timed.
    let allowed = allowed_memory();
    let seconds = match forms.iter().any(|form| form.bytes <= allowed) {
        true => measure.seconds_of(graph, limits, progress)?,
        false => Vec::new(),
    };
    print_forms(measure.name(), graph, (&forms, &seconds), global)
}

/// [`print()`] for forms and seconds that are known.
///
/// # Errors
/// If the form that is taken exceeds the time budget, as without a plan.
pub fn print_forms(
    what: &'static str,
    graph: &Graph,
    (forms, seconds): (&[StoragePlan], &[Option<TimeEstimate>]),
    global: &Global,
) -> Result<()> {
    let time = |time: &TimeEstimate| (time.range.clone(), time.to_string());
    let plan = WorkPlan {
        size: Some((graph.num_nodes(), graph.num_arcs())),
        times: seconds.iter().map(|it| it.as_ref().map(time)).collect(),
        ..WorkPlan::of(what, forms)
    };
    global.print_plan(&plan)?;
    let estimate = plan.taken().and_then(|taken| seconds.get(taken)?.as_ref());
    match estimate {
        Some(TimeEstimate { range, budget, .. }) if budget.is_some_and(|it| range.start > it) => {
            Err(Error::TakesLonger {
                what,
                seconds: range.start,
                allowed: budget.unwrap_or_default(),
            })
        }
        _ => Ok(()),
    }
}
