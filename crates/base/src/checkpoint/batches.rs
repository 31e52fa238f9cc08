//! Tasks in any order, whose results are kept.

use super::{Stage, lock};
use crate::error::{Error, Result};
use crate::parallel::tasks;
use std::sync::{Mutex, PoisonError};

/// The results of all tasks, in their order; those of tasks that are `done` are known. `save` writes
/// the results so far. A run that shall stop ends the tasks that are under way first.
///
/// # Errors
/// The errors of `work` and `save`; [`Error::Stopped`] if the run shall stop.
pub fn map_kept<T: Send, R: Send>(
    keeping: &Stage,
    tasks: impl IntoIterator<Item = T>,
    done: Vec<Option<R>>,
    work: impl Fn(T) -> Result<R> + Sync,
    save: impl Fn(&mut [Option<R>]) -> Result<()> + Sync,
) -> Result<Vec<R>> {
    let known = done.iter().map(Option::is_some);
    let open = tasks.into_iter().zip(known).enumerate();
    let open = open.filter_map(|(place, (task, known))| (!known).then_some((place, task)));
    let open: Vec<(usize, T)> = open.collect();
    let done = Mutex::new(done);
    let ended = tasks::try_map(open, |(place, task)| {
        if keeping.is_asked_to_stop() {
            return Err(Error::Interrupted);
        }
        let result = work(task)?;
        let mut done = lock(&done);
        done[place] = Some(result);
        if keeping.is_due() && !keeping.is_asked_to_stop() {
            save(&mut done)?;
        }
        Ok(())
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    match ended {
        Ok(_) | Err(Error::Interrupted) if keeping.is_asked_to_stop() => save(&mut done)?,
        _ => {}
    }
    ended?;
    Ok(done.into_iter().flatten().collect())
}
