//! How long searches take, from some of them.

use std::time::{Duration, Instant};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;

/// No more searches are timed after so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// An estimate of the seconds that equal parts of a search take together with the current number of
/// threads. `search` is given some of the parts `0..count`, evenly spaced, as many as there are threads, up
/// to eight times while that takes no more than [`PATIENCE`].
///
/// # Errors
/// As for `search`.
pub fn seconds(
    count: usize,
    progress: &dyn Progress,
    mut search: impl FnMut(&[usize]) -> Result<()>,
) -> Result<f64> {
    let threads = rayon::current_num_threads();
    let sampled = (count / 16).clamp(threads, 8 * threads).min(count);
    let waves = sampled.div_ceil(threads).max(1);
    progress.begin("timing searches", None);
    let started = Instant::now();
    let mut timed = 0;
    for wave in 0..waves {
        let parts = (wave..sampled).step_by(waves);
        let parts: Vec<usize> = parts.map(|i| (2 * i + 1) * count / (2 * sampled)).collect();
        search(&parts)?;
        timed += parts.len();
        if started.elapsed() > PATIENCE {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    progress.end();
    Ok(seconds * count.max(1) as f64 / timed.max(1) as f64)
}

/// The sources of a part.
const SOURCES: usize = 8;

/// [`seconds`] for searches from all nodes, one after the other, each thread in a workspace from `room`.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn seconds_from_each<R: Send>(
    num_nodes: usize,
    progress: &dyn Progress,
    room: impl Fn() -> R + Sync,
    search: impl Fn(&mut R, Node) + Sync,
) -> Result<f64> {
    let rooms = Pool::new(room);
    seconds(num_nodes.div_ceil(SOURCES), progress, |parts| {
        let found = tasks::try_map(parts.iter(), |&part| {
            rooms.with(|room| {
                for source in part * SOURCES..num_nodes.min((part + 1) * SOURCES) {
                    progress.check()?;
                    search(room, source as Node);
                }
                Ok::<_, Error>(())
            })
        });
        found.map(drop)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use webrank_base::progress::Silent;

    #[test]
    fn parts_are_different_and_spread() {
        for count in [0, 1, 2, 5, 40, 1000] {
            let mut seen = Vec::new();
            seconds(count, &Silent, |parts| {
                seen.extend_from_slice(parts);
                Ok(())
            })
            .unwrap();
            let different: BTreeSet<usize> = seen.iter().copied().collect();
            assert_eq!(different.len(), seen.len(), "{seen:?}");
            assert!(seen.iter().all(|&part| part < count));
            assert_eq!(seen.is_empty(), count == 0);
        }
    }
}
