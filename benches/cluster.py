#!/usr/bin/env python3
"""PageRank by workers on several machines: bytes on the cable, memory of a worker, times of a sweep and
of whole runs.

    cargo build --release
    cargo run --release --example webgen -- pages 2000000 pages.bv
    cargo run --release --example webgen -- hosts 2000000 hosts.bv
    benches/cluster.py pages.bv hosts.bv [--what bytes --what memory --what times --what runs]

Needs Linux, the superuser and iproute2: machines are network namespaces (tests/cluster/network.py).
A sweep takes what 40 sweeps take more than 10, divided by 30: the least of some runs, as seconds of the
clock and as seconds of all processors. On a machine that is busy, only the latter, bytes and memory
mean something. Small graphs need more sweeps (--sweeps 1000). Scores of hosts end within 60, and have some
certificates between 16 and 20, each of which takes as long as many sweeps (--few 24 --sweeps 16). Where
a run is mostly opening, as on hosts, such differences drown in noise, and whole runs say more: from the
start to the first row of the table, with the tolerance that is set by default.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tests" / "cluster"))
from network import Network  # noqa: E402

RANK = Path(os.environ.get("RANK", PROJECT / "target/release/rank")).resolve()
PORT = 2101
KINDS = ("bytes", "memory", "times", "runs")


def command(graph, sweeps, *more):
    """So many sweeps: no bound is that small, so the exit code is 3. None for as many as it takes."""
    stop = ("--alpha", 0.99, "--max-iterations", sweeps, "--tolerance", "1e-300")
    stop = stop if sweeps is not None else ()
    return [*map(str, (RANK, "pagerank", graph, *stop, "-q", "--top", 1, *more))]


class Used:
    """The cost of processes together: seconds of the clock and of processors; and each, of memory."""

    def __init__(self, commands):
        self.processors, self.anonymous = 0.0, [0] * len(commands)
        self.resident = [0] * len(commands)
        start, running = time.monotonic(), {}
        for which, words in enumerate(commands):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            running[process.pid] = which
        while running:
            for pid, which in list(running.items()):
                self.look(pid, which)
                ended, status, usage = os.wait4(pid, os.WNOHANG)
                if ended:
                    del running[pid]
                    self.processors += usage.ru_utime + usage.ru_stime
                    if os.waitstatus_to_exitcode(status) not in (0, 3):
                        raise SystemExit(f"failed: {' '.join(commands[which])}")
            time.sleep(0.002)
        self.clock = time.monotonic() - start

    def look(self, pid, which):
        """Keeps the peaks. RssAnon has no peak of its own, so it is looked at every 2 ms."""
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            return
        sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith("kB")}
        for peak, name in ((self.anonymous, "RssAnon"), (self.resident, "VmHWM")):
            peak[which] = max(peak[which], 1000 * int(sizes.get(name, 0)) * 1.024)


def sweep(commands_of, options):
    """Milliseconds of a sweep, of the clock and of processors; `commands_of` makes so many sweeps."""
    clocks, processors = [], []
    for sweeps in (options.few, options.few + options.sweeps):
        used = [Used(commands_of(sweeps)) for _ in range(options.runs)]
        clocks.append(min(each.clock for each in used))
        processors.append(min(each.processors for each in used))
    return [1000 * (many - few) / options.sweeps for few, many in (clocks, processors)]


class Graph:
    """A graph that is cut into two parts."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.shards = folder / f"{path.name}.shards"
        cut = [RANK, "shard", path, "-n", "2", "-o", self.shards, "-q"]
        subprocess.run(cut, check=True)
        parts = json.loads((self.shards / "plan.json").read_text())["parts"]
        self.nodes = [part["nodes"] for part in parts]
        # Nodes of the other part that arcs lead to, and those that each sends a sum for in a sweep.
        self.touched = [sum(part["touched"]) for part in parts]
        self.summed = [sum(part["touched_live"]) for part in parts]

    def say(self, what):
        """Prints a result."""
        print(f"{self.path.name}: {what}", flush=True)

    def pair(self, addresses, prefixes):
        """A maker of the commands of two workers, each after its prefix."""
        hosts = self.folder / f"{addresses[0]}.hosts"
        lines = [f"{address}:{PORT + place}\n" for place, address in enumerate(addresses)]
        hosts.write_text("".join(lines))

        def commands(sweeps):
            common = command(self.shards, sweeps, "--threads", 1, "--hosts", hosts, "--process")
            return [[*prefix, *common, str(me)] for me, prefix in enumerate(prefixes)]

        return commands

    def on(self, network):
        """That pair, on two machines."""
        addresses = [network.address(machine) for machine in range(2)]
        return self.pair(addresses, [network.on(machine) for machine in range(2)])

    def loopback(self):
        """That pair, on this machine."""
        return self.pair(["127.0.0.1", "127.0.0.1"], [[], []])

    def alone(self, target, *more):
        """A maker of the command of one process."""
        return lambda sweeps: [command(target, sweeps, *more)]

    def bytes(self, options):
        """Bytes that both machines send in a sweep."""
        sent = []
        with Network(2, "1gbit") as network:
            for sweeps in (options.few, options.few + options.sweeps):
                before = sum(map(network.sent, range(2)))
                Used(self.on(network)(sweeps))
                sent.append(sum(map(network.sent, range(2))) - before)
        wire = (sent[1] - sent[0]) / options.sweeps
        self.say(f"{8 * sum(self.summed):,} bytes of sums a sweep, {wire:,.0f} on the cable")

    def memory(self, options):
        """Peaks of both workers: with all memory that is free, and with the least that is allowed."""
        plain = self.loopback()(options.few)
        self.say_memory(Used(plain))
        # Files that are mapped count, too.
        least = [self.planned(words) for words in plain]
        limited = [[*words, "--memory", f"{each:.0f}B"] for words, each in zip(plain, least)]
        for worker, each in enumerate(least):
            self.say(f"worker {worker}: needs {each / 1e6:.1f} MB resident by its plan, and with it:")
        self.say_memory(Used(limited))

    @staticmethod
    def planned(words):
        """The bytes that a command needs at least, by its own plan."""
        rank, measure, shards = words[:3]
        hosts = words[words.index("--hosts") :]
        plan = [rank, "plan", measure, shards, "--threads", "1", *hosts]
        said = subprocess.run(plan, check=True, capture_output=True, text=True).stdout
        return 1e6 * (float(re.search(r"([0-9.]+) MB at least", said)[1]) + 0.1)

    def aim(self, worker):
        """The bytes that a worker should hold."""
        return 28 * self.nodes[worker] + 2 * sum(self.touched) + 16e6

    def say_memory(self, used):
        """Prints peaks of both workers."""
        for worker, nodes in enumerate(self.nodes):
            aim = self.aim(worker)
            of_node = (used.anonymous[worker] - 16e6) / nodes
            self.say(
                f"worker {worker}: {used.anonymous[worker] / 1e6:.1f} MB anonymous (aim "
                f"{aim / 1e6:.1f}), 16 MB and {of_node:.0f} bytes a node; "
                f"{used.resident[worker] / 1e6:.1f} MB resident"
            )

    def ways(self):
        """Makers of the commands of each way to sweep, but for a slow cable."""
        return {
            "1 worker of 1 thread": self.alone(self.shards, "--threads", 1),
            "2 processes of 1 thread": self.loopback(),
            "--workers 2 --threads 2": self.alone(self.shards, "--workers", 2, "--threads", 2),
            "--form runs --threads 2": self.alone(self.path, "--form", "runs", "--threads", 2),
            "--form streamed --threads 2": self.alone(
                self.path, "--form", "streamed", "--threads", 2
            ),
        }

    def runs(self, options):
        """Times of whole runs: the median, in turns."""
        ways = self.ways()
        used = [[Used(commands(None)) for commands in ways.values()] for _ in range(options.runs)]
        for name, runs in zip(ways, zip(*used)):
            clock, processors = (
                1000 * statistics.median(getattr(run, what) for run in runs)
                for what in ("clock", "processors")
            )
            self.say(f"{name}: {clock:.0f} ms a run, {processors:.0f} ms of processors")

    def times(self, options):
        """Times of a sweep."""
        for name, commands in self.ways().items():
            self.say_times(name, sweep(commands, options))
        with Network(2, "200mbit") as network:
            times = sweep(self.on(network), options)
        self.say_times("2 processes at 200 Mbit/s", times)
        cable = 1000 * 8 * 8 * max(self.summed) / 200e6
        self.say(f"the cable alone at 200 Mbit/s: {cable:.2f} ms a sweep")

    def say_times(self, name, times):
        """Prints a row."""
        self.say(f"{name}: {times[0]:.2f} ms a sweep, {times[1]:.2f} ms of processors")


def main():
    """Measures all graphs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("graphs", nargs="+", type=Path)
    parser.add_argument("--what", action="append", choices=KINDS, help="all by default")
    parser.add_argument("--runs", type=int, default=5, help="for each time")
    parser.add_argument("--few", type=int, default=10, help="sweeps that are not measured")
    parser.add_argument("--sweeps", type=int, default=30, help="that are measured")
    options = parser.parse_args()
    count, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    print(f"{count} processors, load {load:.1f}, {options.runs} runs for each time", flush=True)
    with tempfile.TemporaryDirectory(prefix="rank-cluster-") as folder:
        for path in options.graphs:
            graph = Graph(path, Path(folder))
            for kind in options.what or KINDS:
                getattr(graph, kind)(options)


main()
