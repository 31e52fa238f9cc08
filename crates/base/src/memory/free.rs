//! How much memory is free: on the machine, in the control groups of the process, and under its
//! resource limits.

use crate::error::{Error, Result};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The bytes that this process may hold.
static ALLOWED: AtomicU64 = AtomicU64::new(u64::MAX);

/// Lets this process hold so many bytes, whatever else is free.
pub fn allow(bytes: u64) {
    ALLOWED.store(bytes, Relaxed);
}

/// The limits of [`allowing`] that hold now.
static MEANWHILE: Mutex<Vec<u64>> = Mutex::new(Vec::new());

/// Works, and meanwhile lets this process hold so many bytes at most, whatever it does. The least of
/// several limits holds.
pub fn allowing<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
    /// Ends the limit, also if work panics.
    struct Limit(u64);
    impl Drop for Limit {
        fn drop(&mut self) {
            let mut limits = MEANWHILE.lock().unwrap_or_else(PoisonError::into_inner);
            let place = limits.iter().position(|&limit| limit == self.0);
            if let Some(place) = place {
                limits.swap_remove(place);
            }
        }
    }
    let mut limits = MEANWHILE.lock().unwrap_or_else(PoisonError::into_inner);
    limits.push(bytes);
    drop(limits);
    let _limit = Limit(bytes);
    work()
}

/// The least of all limits.
fn allowed() -> u64 {
    let limits = MEANWHILE.lock().unwrap_or_else(PoisonError::into_inner);
    let least = limits.iter().copied().min();
    least.unwrap_or(u64::MAX).min(ALLOWED.load(Relaxed))
}

/// The bytes that this process can still take: what the machine has available without swapping,
/// what is left to each of the process's control groups, and what its limits (`ulimit -v`, `-d`)
/// leave, whichever is least, and no more than is [allowed](allow). If the system reports nothing,
/// `u64::MAX`.
pub fn free_memory() -> u64 {
    let allowed = allowed().saturating_sub(resident_memory());
    free_around().min(allowed)
}

/// The bytes that the system left a moment ago.
static AROUND: Mutex<Option<(Instant, u64)>> = Mutex::new(None);

/// A look at the system lasts this long. Commands ask several times before they begin, and the answers come
/// from a dozen files.
const MOMENT: Duration = Duration::from_millis(20);

/// The bytes that the system leaves, whatever is allowed.
fn free_around() -> u64 {
    let mut around = AROUND.lock().unwrap_or_else(PoisonError::into_inner);
    match *around {
        Some((then, bytes)) if then.elapsed() < MOMENT => bytes,
        _ => {
            let bytes = left_by_system();
            *around = Some((Instant::now(), bytes));
            bytes
        }
    }
}

fn left_by_system() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let of_machine = match system.available_memory() {
        0 => u64::MAX,
        bytes => bytes,
    };
    of_machine.min(of_groups("/".as_ref())).min(of_limits())
}

/// Refuses to begin where the limits of the process (`ulimit -v`, `-d`) leave so little beside these threads,
/// which are yet to start, that lists which are too small to be counted may find no room.
///
/// # Errors
/// [`Error::NeedsMemory`].
pub fn check_limits(threads: usize) -> Result<()> {
    let needed = LEAST.saturating_add(STARTED.saturating_mul(threads as u64));
    match of_limits() {
        left if left < needed => Err(Error::NeedsMemory {
            what: "the process",
            needed,
            allowed: left,
        }),
        _ => Ok(()),
    }
}

/// The bytes that must be left when a process begins.
const LEAST: u64 = 16 << 20;

/// The addresses of a thread: its stack, and what it allocates at once.
const STARTED: u64 = 4 << 20;

/// The bytes that this process may hold: what it holds now and what is free, or what is
/// [allowed](allow) if that is less.
pub fn allowed_memory() -> u64 {
    let all = resident_memory().saturating_add(free_around());
    all.min(allowed())
}

/// The bytes that this process holds now; 0 if the system does not say.
pub fn resident_memory() -> u64 {
    status("VmRSS:").unwrap_or(0)
}

/// The most bytes that this process has held at once; none if the system does not say.
pub fn peak_memory() -> Option<u64> {
    status("VmHWM:")
}

/// A line of the process's status, in bytes.
fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// The rest of the limits of this process's control groups, with the files of the system below `root`.
///
/// Pages of files count as used, but are given back when memory is short: they are free.
fn of_groups(root: &Path) -> u64 {
    let Ok(groups) = std::fs::read_to_string(root.join("proc/self/cgroup")) else {
        return u64::MAX;
    };
    let mounted = root.join("sys/fs/cgroup");
    let left = groups.lines().map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            return u64::MAX;
        };
        let path = path.trim_start_matches('/');
        match controllers {
            "" => left_above(&mounted, path, &UNIFIED),
            _ if controllers.split(',').any(|name| name == "memory") => {
                left_above(&mounted.join("memory"), path, &LEGACY)
            }
            _ => u64::MAX,
        }
    });
    left.min().unwrap_or(u64::MAX)
}

/// The names of the files of a control group.
struct Files {
    limit: &'static str,
    used: &'static str,
    /// Lines of `memory.stat` that count pages of files.
    cached: [&'static str; 2],
}

const UNIFIED: Files = Files {
    limit: "memory.max",
    used: "memory.current",
    cached: ["inactive_file", "active_file"],
};

const LEGACY: Files = Files {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: ["total_inactive_file", "total_active_file"],
};

/// The least rest of the group at `path` and those above it.
fn left_above(mounted: &Path, path: &str, files: &Files) -> u64 {
    let group = mounted.join(path);
    let groups = group.ancestors().take_while(|at| at.starts_with(mounted));
    // Within a container, the path may be that of the machine outside: then only the root is here.
    let left = groups.filter_map(|group| left_to(group, files));
    left.min().unwrap_or(u64::MAX)
}

/// The rest of a group's limit, if it has one.
fn left_to(group: &Path, files: &Files) -> Option<u64> {
    let read = |file: &str| std::fs::read_to_string(group.join(file)).ok();
    let number = |file: &str| read(file)?.trim().parse::<u64>().ok();
    let (limit, used) = (number(files.limit)?, number(files.used)?);
    let statistics = read("memory.stat").unwrap_or_default();
    let cached = statistics.lines().filter_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        let bytes = bytes.parse::<u64>().ok()?;
        files.cached.contains(&name).then_some(bytes)
    });
    Some(limit.saturating_sub(used.saturating_sub(cached.sum())))
}

/// The rest of the process's limits on its address space and its private memory.
#[cfg(target_os = "linux")]
fn of_limits() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let limits = [(Resource::As, "VmSize:"), (Resource::Data, "VmData:")];
    let left = limits.map(|(resource, field)| match getrlimit(resource).current {
        Some(limit) => limit.saturating_sub(status(field).unwrap_or(0)),
        None => u64::MAX,
    });
    left.into_iter().min().unwrap_or(u64::MAX)
}

#[cfg(not(target_os = "linux"))]
fn of_limits() -> u64 {
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder that looks like the root of a system with these files.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn the_tightest_group_counts_and_pages_of_files_do_not() {
        let root = system(&[
            ("proc/self/cgroup", "0::/jobs/night/step\n"),
            ("sys/fs/cgroup/jobs/memory.max", "1000\n"),
            ("sys/fs/cgroup/jobs/memory.current", "900\n"),
            (
                "sys/fs/cgroup/jobs/memory.stat",
                "anon 200\nactive_file 300\ninactive_file 400\n",
            ),
            ("sys/fs/cgroup/jobs/night/memory.max", "max\n"),
            ("sys/fs/cgroup/jobs/night/memory.current", "900\n"),
            ("sys/fs/cgroup/jobs/night/step/memory.max", "2000\n"),
            ("sys/fs/cgroup/jobs/night/step/memory.current", "900\n"),
        ]);
        assert_eq!(of_groups(root.path()), 800);
    }

    #[test]
    fn groups_of_the_first_version_count_too() {
        let root = system(&[
            (
                "proc/self/cgroup",
                "7:cpu,cpuacct:/jobs\n4:memory:/jobs\n0::/\n",
            ),
            ("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "5000\n"),
            ("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "4000\n"),
            (
                "sys/fs/cgroup/memory/jobs/memory.stat",
                "total_inactive_file 1\ntotal_active_file 2\n",
            ),
        ]);
        assert_eq!(of_groups(root.path()), 1003);
    }

    #[test]
    fn without_groups_or_limits_all_is_free() {
        assert_eq!(of_groups(system(&[]).path()), u64::MAX);
        let root = system(&[
            ("proc/self/cgroup", "0::/of/the/machine/outside\n"),
            ("sys/fs/cgroup/memory.max", "100\n"),
            ("sys/fs/cgroup/memory.current", "120\n"),
        ]);
        assert_eq!(of_groups(root.path()), 0);
    }

    #[test]
    fn the_least_limit_holds_as_long_as_its_work() {
        let (large, small) = (1 << 60, 1 << 59);
        // Other tests of this process have limits that are no less.
        let within = allowing(large, || {
            let both = allowing(small, || allowing(large, allowed));
            (both, allowed())
        });
        assert_eq!(within, (small, large));
        let stopped = std::panic::catch_unwind(|| allowing(small, || panic!("as it should")));
        assert!(stopped.is_err());
        assert_eq!(allowed(), u64::MAX);
    }

    #[test]
    fn this_process_holds_something_and_something_is_free() {
        assert!(free_memory() > 0);
        #[cfg(target_os = "linux")]
        assert!(resident_memory() > 1 << 16);
    }
}
