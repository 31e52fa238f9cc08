//! Sampled paths by number: path i is drawn with a random sequence that the seed and i determine,
//! so it does not depend on the threads.

use super::DrawPaths;
use super::paths_through::PathsThrough;
use webrank_base::Node;
use webrank_base::checkpoint::Stage;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_base::random::SplitMix;

/// An endless sequence of sampled paths.
pub(super) struct NumberedPaths<S, F> {
    /// The component of each node. No path leads to a larger number: see [`super::longest_path`].
    component: Vec<Node>,
    samplers: Pool<S, F>,
    seed: u64,
}

/// The number of paths that a task draws, and of tasks between two checks for interruption.
const PATHS_PER_TASK: usize = 64;
const TASKS_AT_A_TIME: usize = 64;

impl<S: DrawPaths, F: Fn() -> S + Sync> NumberedPaths<S, F> {
    /// Paths whose ends are drawn from all nodes; `component` comes from [`super::longest_path`].
    pub fn new(component: Vec<Node>, samplers: Pool<S, F>, seed: u64) -> Self {
        NumberedPaths {
            component,
            samplers,
            seed,
        }
    }

    /// Counts the paths with these numbers; keeps the counts that are due.
    pub fn count(
        &self,
        numbers: std::ops::Range<u64>,
        counts: &mut PathsThrough,
        keeping: Option<&Stage>,
        progress: &dyn Progress,
    ) -> Result<()> {
        let wave = (PATHS_PER_TASK * TASKS_AT_A_TIME) as u64;
        for start in numbers.clone().step_by(wave as usize) {
            progress.check()?;
            let end = numbers.end.min(start + wave);
            let parts = tasks::map((start..end).step_by(PATHS_PER_TASK), |first| {
                self.draw(first..end.min(first + PATHS_PER_TASK as u64))
            });
            parts.iter().for_each(|part| counts.add(part));
            progress.advance(end - start);
            if let Some(keeping) = keeping.filter(|keeping| keeping.is_due()) {
                counts.keep(keeping)?;
            }
        }
        Ok(())
    }

    /// The inner nodes of each path.
    fn draw(&self, numbers: std::ops::Range<u64>) -> DrawnPaths {
        let mut drawn = DrawnPaths::default();
        let n = self.component.len() as u64;
        let component = |x: Node| self.component[x as usize];
        self.samplers.with(|sampler| {
            for number in numbers {
                let mut random = SplitMix::new(SplitMix::new(self.seed).next() ^ number);
                // Neighbouring numbers are neighbouring states; the first output separates them.
                let mut random = SplitMix::new(random.next());
                let source = random.below(n) as Node;
                let target = random.below(n - 1) as Node;
                let target = target + (target >= source) as Node;
                if component(source) >= component(target) {
                    sampler.path(source, target, &mut random, &mut drawn.nodes);
                }
                drawn.ends.push(drawn.nodes.len());
            }
        });
        drawn
    }
}

/// The inner nodes of paths, one path after another.
#[derive(Default)]
pub(super) struct DrawnPaths {
    pub nodes: Vec<Node>,
    /// The end of each path's nodes.
    pub ends: Vec<usize>,
}
