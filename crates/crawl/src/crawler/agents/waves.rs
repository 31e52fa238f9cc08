//! When a crawl of several agents is over: Mattern's four counters, by pairs of agents.
//!
//! The agent with the least number asks all, itself included, in waves: have you work, how many messages have
//! you sent to and received from each agent? It is over if in two waves, one after the other, nobody has work,
//! all counters are the same, and for each pair as many were received as sent. For counters only grow: whoever
//! has the same ones in both waves has neither sent nor received between its two answers, and so at the moment
//! when the second wave began, which lies between them for all. At that moment nothing was on its way, nobody
//! had work, and work comes by messages alone.
//!
//! An agent that is killed in between comes back with the counters of its journal, and it tells no others.
//!
//! F. Mattern, Algorithms for distributed termination detection, Distributed Computing 2 (1987), section 4.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The report of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawler) struct Report {
    /// It has no work.
    pub(super) is_passive: bool,
    /// Messages sent to and received from each agent, by number.
    pub(super) exchanged: Vec<[u64; 2]>,
}

/// The next step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Ask all others for this wave.
    Ask(u64),
    Wait,
    /// The crawl is over.
    Over,
}

/// The waves of the agent with the least number.
#[derive(Debug)]
pub(super) struct Waves {
    /// How many agents there are, this one included.
    count: usize,
    wave: u64,
    /// When the present wave began.
    begun: Option<Instant>,
    reports: BTreeMap<usize, Report>,
    /// The reports of the wave before, if nobody had work and nothing was on its way.
    before: Option<BTreeMap<usize, Report>>,
}

/// A wave that takes longer is given up: somebody is away.
const LATE: Duration = Duration::from_secs(2);

impl Waves {
    pub(super) fn new(count: usize) -> Self {
        Waves {
            count,
            wave: 0,
            begun: None,
            reports: BTreeMap::new(),
            before: None,
        }
    }

    /// Takes an answer.
    pub(super) fn take(&mut self, from: usize, wave: u64, report: Report) {
        if wave == self.wave {
            self.reports.insert(from, report);
        }
    }

    /// The next step; this agent has no work, and such a report.
    pub(super) fn step(&mut self, me: usize, own: &Report, now: Instant) -> Step {
        match self.begun {
            Some(_) if self.reports.len() == self.count => {
                self.begun = None;
                let reports = std::mem::take(&mut self.reports);
                let is_calm = is_calm(&reports);
                if is_calm && self.before.as_ref() == Some(&reports) {
                    return Step::Over;
                }
                self.before = is_calm.then_some(reports);
                Step::Wait
            }
            Some(begun) if now.saturating_duration_since(begun) <= LATE => Step::Wait,
            late => {
                if late.is_some() {
                    self.before = None;
                }
                self.wave += 1;
                self.begun = Some(now);
                self.reports = BTreeMap::from([(me, own.clone())]);
                Step::Ask(self.wave)
            }
        }
    }
}

/// True if nobody has work, and all that was sent was received.
fn is_calm(reports: &BTreeMap<usize, Report>) -> bool {
    let count = |of: &Report, with: usize, way: usize| of.exchanged.get(with).map(|it| it[way]);
    reports.iter().all(|(&one, report)| {
        report.is_passive
            && reports
                .iter()
                .all(|(&other, its)| other == one || count(report, other, 0) == count(its, one, 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Agents that send each other work, which takes random time, as do messages, questions and answers.
    struct World {
        work: Vec<usize>,
        exchanged: Vec<Vec<[u64; 2]>>,
        mail: Vec<(usize, usize)>,
        asked: Vec<(usize, u64)>,
    }

    impl World {
        fn report(&self, agent: usize) -> Report {
            Report {
                is_passive: self.work[agent] == 0,
                exchanged: self.exchanged[agent].clone(),
            }
        }

        /// Something happens.
        fn go(&mut self, choice: usize, waves: &mut Waves, left: &mut usize) {
            let count = self.work.len();
            let (kind, rest) = (choice % 4, choice / 4);
            match kind {
                0 if !self.mail.is_empty() => {
                    let (from, to) = self.mail.swap_remove(rest % self.mail.len());
                    self.exchanged[to][from][1] += 1;
                    self.work[to] += 1;
                }
                1 if !self.asked.is_empty() => {
                    let (agent, wave) = self.asked.swap_remove(rest % self.asked.len());
                    waves.take(agent, wave, self.report(agent));
                }
                2 if self.work[rest % count] > 0 => {
                    let (from, to) = (rest % count, rest / count % count);
                    if from != to && *left > 0 {
                        *left -= 1;
                        self.exchanged[from][to][0] += 1;
                        self.mail.push((from, to));
                    }
                    self.work[from] -= usize::from(rest / 7 % 3 == 0);
                }
                _ => {}
            }
        }
    }

    proptest! {
        /// Never too early, and at last.
        #[test]
        fn it_is_over_when_nobody_has_work_and_nothing_is_on_its_way(
            count in 1usize..5,
            choices in prop::collection::vec(0usize..100_000, 0..2000),
        ) {
            let mut world = World {
                work: vec![1; count],
                exchanged: vec![vec![[0, 0]; count]; count],
                mail: Vec::new(),
                asked: Vec::new(),
            };
            let (mut waves, now, mut left) = (Waves::new(count), Instant::now(), 30);
            let mut is_over = false;
            // Work that the choices leave over is done in the end.
            let end = 0..8000;
            for choice in choices.into_iter().chain(end) {
                world.go(choice, &mut waves, &mut left);
                if world.work[0] > 0 {
                    continue;
                }
                match waves.step(0, &world.report(0), now) {
                    Step::Ask(wave) => world.asked = (1..count).map(|agent| (agent, wave)).collect(),
                    Step::Wait => {}
                    Step::Over => {
                        prop_assert!(world.mail.is_empty());
                        prop_assert!(world.work.iter().all(|work| *work == 0));
                        is_over = true;
                        break;
                    }
                }
            }
            prop_assert!(is_over, "{:?} {:?} {:?}", world.work, world.mail, world.asked);
        }
    }

    #[test]
    fn a_wave_that_is_not_answered_begins_again() {
        let own = Report {
            is_passive: true,
            exchanged: vec![[0, 0]; 2],
        };
        let (mut waves, now) = (Waves::new(2), Instant::now());
        assert_eq!(waves.step(0, &own, now), Step::Ask(1));
        waves.take(1, 1, own.clone());
        assert_eq!(waves.step(0, &own, now), Step::Wait);
        assert_eq!(waves.step(0, &own, now), Step::Ask(2));
        // Reports of another wave do not count, nor late ones.
        waves.take(1, 1, own.clone());
        assert_eq!(waves.step(0, &own, now + LATE), Step::Wait);
        assert_eq!(waves.step(0, &own, now + 2 * LATE), Step::Ask(3));
        waves.take(1, 3, own.clone());
        assert_eq!(waves.step(0, &own, now), Step::Wait);
        // Two waves in a row are needed again.
        assert_eq!(waves.step(0, &own, now), Step::Ask(4));
        waves.take(1, 4, own.clone());
        assert_eq!(waves.step(0, &own, now), Step::Over);
    }
}
