//! When which host may be asked: one request at a time for a host and for an address, and waits between
//! them. A heap of hosts by the next time; a host whose address is busy stands in its line.

use super::names::Target;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Where a host stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostState {
    /// It has nothing to do.
    Idle,
    /// In the heap.
    Waits,
    /// In the line of its address.
    Parked,
    /// A request is under way.
    Busy,
    /// It does not answer: nothing more is asked in this run.
    Silent,
}

/// A host: about 200 bytes.
#[derive(Debug)]
struct Host {
    stand: HostState,
    next: Instant,
    targets: Vec<Target>,
    failures: u32,
    /// It had work when it was busy.
    has_more: bool,
}

/// An address.
#[derive(Debug)]
struct Line {
    is_busy: bool,
    next: Instant,
    parked: VecDeque<u64>,
}

/// All hosts with work. Memory: about 300 bytes a host.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    hosts: HashMap<u64, Host>,
    heap: BinaryHeap<Reverse<(Instant, u64)>>,
    lines: HashMap<IpAddr, Line>,
}

/// After so many failures one after the other, a host does not answer.
const MAX_FAILURES: u32 = 5;

impl Schedule {
    /// The host has work; before `not_before`, a new one is not asked.
    pub(super) fn wake(&mut self, host: u64, not_before: Instant) {
        let entry = self.hosts.entry(host).or_insert_with(|| Host {
            stand: HostState::Idle,
            next: not_before,
            targets: Vec::new(),
            failures: 0,
            has_more: false,
        });
        match entry.stand {
            HostState::Idle => {
                entry.stand = HostState::Waits;
                self.heap.push(Reverse((entry.next, host)));
            }
            HostState::Busy => entry.has_more = true,
            HostState::Waits | HostState::Parked | HostState::Silent => {}
        }
    }

    /// The next host that may be asked now, and its address if that is known; the request must then
    /// [`end`](Self::end), or the host has [nothing](Self::idle) to do.
    pub(super) fn next(&mut self, now: Instant) -> Option<(u64, Option<Target>)> {
        loop {
            let Reverse((time, id)) = *self.heap.peek()?;
            if time > now {
                return None;
            }
            self.heap.pop();
            let Some(host) = self.hosts.get_mut(&id) else {
                continue;
            };
            if host.stand != HostState::Waits {
                continue;
            }
            let Some(target) = host.targets.first().copied() else {
                host.stand = HostState::Busy;
                host.has_more = false;
                return Some((id, None));
            };
            let line = self.lines.entry(target.address).or_insert_with(|| Line {
                is_busy: false,
                next: now,
                parked: VecDeque::new(),
            });
            if line.is_busy {
                host.stand = HostState::Parked;
                line.parked.push_back(id);
            } else if line.next > now {
                self.heap.push(Reverse((line.next, id)));
            } else {
                line.is_busy = true;
                host.stand = HostState::Busy;
                host.has_more = false;
                return Some((id, Some(target)));
            }
        }
    }

    /// When [`next`](Self::next) may have something, if nothing else happens.
    pub(super) fn next_time(&self) -> Option<Instant> {
        self.heap.peek().map(|Reverse((time, _))| *time)
    }

    /// The host has these addresses.
    pub(super) fn found(&mut self, host: u64, targets: Vec<Target>) {
        if let Some(host) = self.hosts.get_mut(&host) {
            host.targets = targets;
        }
    }

    /// A request has ended at a time, and waits follow for its host and its address.
    pub(super) fn end(
        &mut self,
        id: u64,
        target: Option<Target>,
        ended: Instant,
        (wait, wait_of_address): (Duration, Duration),
        has_more: bool,
    ) {
        if let Some(target) = target {
            self.free(target.address, Some(ended + wait_of_address));
        }
        let Some(host) = self.hosts.get_mut(&id) else {
            return;
        };
        host.next = ended + wait;
        if host.stand != HostState::Busy {
            return;
        }
        host.stand = HostState::Idle;
        if has_more || host.has_more {
            host.stand = HostState::Waits;
            self.heap.push(Reverse((host.next, id)));
        }
    }

    /// The host that [`next`](Self::next) gave was not asked.
    pub(super) fn idle(&mut self, id: u64, target: Option<Target>) {
        if let Some(target) = target {
            self.free(target.address, None);
        }
        let Some(host) = self.hosts.get_mut(&id) else {
            return;
        };
        if host.stand == HostState::Busy {
            host.stand = HostState::Idle;
        }
    }

    /// The host that [`next`](Self::next) gave is not to be asked before a time.
    pub(super) fn postpone(&mut self, id: u64, target: Option<Target>, time: Instant) {
        if let Some(target) = target {
            self.free(target.address, None);
        }
        let Some(host) = self.hosts.get_mut(&id) else {
            return;
        };
        host.next = time;
        if host.stand == HostState::Busy {
            host.stand = HostState::Waits;
            self.heap.push(Reverse((time, id)));
        }
    }

    /// An address is free again; the next host in its line goes back to the heap.
    fn free(&mut self, address: IpAddr, next: Option<Instant>) {
        let Some(line) = self.lines.get_mut(&address) else {
            return;
        };
        line.is_busy = false;
        line.next = next.unwrap_or(line.next);
        while let Some(id) = line.parked.pop_front() {
            if let Some(host) = self.hosts.get_mut(&id)
                && host.stand == HostState::Parked
            {
                host.stand = HostState::Waits;
                self.heap.push(Reverse((host.next.max(line.next), id)));
                return;
            }
        }
    }

    /// The host has answered.
    pub(super) fn succeeded(&mut self, host: u64) {
        if let Some(host) = self.hosts.get_mut(&host) {
            host.failures = 0;
        }
    }

    /// The host has not answered; returns how often that was so. Its next address is tried.
    pub(super) fn failed(&mut self, host: u64) -> u32 {
        let Some(host) = self.hosts.get_mut(&host) else {
            return 0;
        };
        host.failures += 1;
        if !host.targets.is_empty() {
            host.targets.rotate_left(1);
        }
        if host.failures >= MAX_FAILURES {
            host.stand = HostState::Silent;
        }
        host.failures
    }

    /// Nothing more is asked of the host in this run.
    pub(super) fn silence(&mut self, host: u64) {
        if let Some(host) = self.hosts.get_mut(&host) {
            host.stand = HostState::Silent;
        }
    }

    /// True if nothing more is asked of the host.
    pub(super) fn is_silent(&self, host: u64) -> bool {
        let host = self.hosts.get(&host);
        host.is_some_and(|host| host.stand == HostState::Silent)
    }

    /// How many hosts do not answer.
    pub(super) fn silent(&self) -> u64 {
        let hosts = self.hosts.values();
        hosts.filter(|host| host.stand == HostState::Silent).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(last: u8) -> Target {
        Target {
            address: [127, 0, 0, last].into(),
            port: None,
        }
    }

    const SECOND: Duration = Duration::from_secs(1);

    /// Hosts with addresses that are known, all with work.
    fn schedule(start: Instant, addresses: &[u8]) -> Schedule {
        let mut schedule = Schedule::default();
        for (id, &address) in (0..).zip(addresses) {
            schedule.wake(id, start);
            schedule.found(id, vec![target(address)]);
        }
        schedule
    }

    #[test]
    fn a_host_waits_from_the_end_of_a_request() {
        let start = Instant::now();
        let mut schedule = schedule(start, &[1]);
        assert_eq!(schedule.next(start), Some((0, Some(target(1)))));
        // It is busy, whatever work comes.
        schedule.wake(0, start);
        assert_eq!(schedule.next(start + 100 * SECOND), None);
        let ended = start + 5 * SECOND;
        schedule.end(0, Some(target(1)), ended, (2 * SECOND, SECOND), false);
        assert_eq!(schedule.next_time(), Some(ended + 2 * SECOND));
        assert_eq!(schedule.next(ended + SECOND), None);
        assert!(schedule.next(ended + 2 * SECOND).is_some());
    }

    #[test]
    fn hosts_at_one_address_wait_for_each_other() {
        let start = Instant::now();
        let mut schedule = schedule(start, &[1, 1, 2, 1]);
        assert_eq!(schedule.next(start), Some((0, Some(target(1)))));
        assert_eq!(schedule.next(start), Some((2, Some(target(2)))));
        assert_eq!(schedule.next(start), None);
        schedule.end(0, Some(target(1)), start, (5 * SECOND, SECOND), true);
        assert_eq!(schedule.next(start), None);
        let mut order = Vec::new();
        let mut now = start;
        for _ in 0..4 {
            now = schedule.next_time().unwrap().max(now);
            let Some((id, target)) = schedule.next(now) else {
                continue;
            };
            order.push((id, (now - start).as_secs()));
            schedule.end(id, target, now, (5 * SECOND, SECOND), true);
        }
        assert_eq!(order, [(1, 1), (3, 2), (0, 5), (1, 6)]);
    }

    #[test]
    fn a_host_in_line_is_not_forgotten_when_the_one_before_has_nothing_to_do() {
        let start = Instant::now();
        let mut schedule = schedule(start, &[1, 1, 1]);
        let (id, target) = schedule.next(start).unwrap();
        assert_eq!(schedule.next(start), None);
        schedule.idle(id, target);
        let (id, target) = schedule.next(start).unwrap();
        assert_eq!(id, 1);
        schedule.silence(id);
        schedule.end(id, target, start, (SECOND, SECOND), true);
        assert!(schedule.is_silent(1));
        assert_eq!(schedule.next(start + SECOND).map(|(id, _)| id), Some(2));
        assert_eq!(schedule.silent(), 1);
    }

    #[test]
    fn a_host_that_fails_often_is_left_alone() {
        let start = Instant::now();
        let mut schedule = schedule(start, &[1]);
        schedule.found(0, vec![target(1), target(2)]);
        let mut now = start;
        let mut addresses = Vec::new();
        for _ in 0..MAX_FAILURES {
            let (id, target) = schedule.next(now).unwrap();
            addresses.extend(target);
            schedule.failed(id);
            schedule.end(id, target, now, (SECOND, SECOND), true);
            now += SECOND;
        }
        assert_eq!(addresses[..3], [target(1), target(2), target(1)]);
        assert_eq!(schedule.next(now), None);
        schedule.wake(0, now);
        assert_eq!(schedule.next(now), None);
    }
}
