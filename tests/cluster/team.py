"""A command that several machines run together, and what must be so when it ends."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PORT = 2101

# What nobody but a programmer should read.
INSIDES = re.compile("panicked|backtrace|poisoned|unwrap|RUST_", re.IGNORECASE)


class Wrong(Exception):
    """What is not as it should be."""


class Skipped(Exception):
    """Why a case cannot be tried here."""


class Team:
    """The processes of a command, one on each machine."""

    def __init__(self, rig, arguments, workers, patience):
        self.rig, self.arguments, self.workers = rig, [*map(str, arguments)], workers
        self.patience = patience
        self.running, self.errors, self.ended = {}, {}, {}
        self.hosts = [f"{rig.network.address(worker)}:{PORT}" for worker in range(workers)]

    def start(self, *workers, arguments=None, more=(), rank=None):
        """Starts these workers; all by default."""
        hosts = self.rig.folder / f"hosts-{self.workers}.txt"
        # Those that run already may be reading it.
        written = hosts.with_suffix(".new")
        written.write_text("".join(f"{host}\n" for host in self.hosts))
        written.replace(hosts)
        for worker in workers or range(self.workers):
            self.rig.started += 1
            self.errors[worker] = self.rig.folder / f"worker{worker}.{self.rig.started}.txt"
            command = [
                *self.rig.network.on(worker),
                *(rank or self.rig.rank, *(arguments or self.arguments)),
                *("--hosts", hosts, "--process", worker, "--timeout", f"{self.patience}s"),
                *("--threads", 1, "-q", *more),
            ]
            with open(self.errors[worker], "wb") as errors:
                process = subprocess.Popen(
                    [*map(str, command)],
                    stdin=subprocess.DEVNULL,
                    stdout=errors,
                    stderr=errors,
                    env=environment(),
                    start_new_session=True,
                )
            self.running[worker] = process
            self.rig.processes.append(process)
        return self

    def signal(self, worker, number):
        """Sends a signal to a worker."""
        self.running[worker].send_signal(number)

    def end(self, worker, limit):
        """The exit code of a worker, and what it printed."""
        try:
            code = self.running[worker].wait(max(0.1, limit - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Wrong(f"worker {worker} still runs after its limit") from None
        self.ended[worker] = time.monotonic()
        printed = self.errors[worker].read_text(errors="replace")
        if INSIDES.search(printed):
            raise Wrong(f"worker {worker} shows its insides: {printed!r}")
        return code, printed

    def fails(self, worker, word, seconds, code=1):
        """A worker must end by then, with this code and one line that has this word."""
        found, printed = self.end(worker, time.monotonic() + seconds)
        if found != code:
            raise Wrong(f"worker {worker} has exit code {found}, not {code}: {printed!r}")
        if printed.count("\n") != 1 or not printed.startswith("rank: "):
            raise Wrong(f"worker {worker} does not print one line: {printed!r}")
        if not re.search(word, printed):
            raise Wrong(f"worker {worker} does not name '{word}': {printed!r}")
        return printed

    def others_fail(self, culprit, word=None, seconds=None, code=1):
        """All but one must end soon, with a line that names that one."""
        limit = time.monotonic() + (seconds or self.patience + 8)
        for worker in range(self.workers):
            if worker != culprit:
                left = limit - time.monotonic()
                self.fails(worker, word or rf"worker {culprit}\b", left, code)
        self.rig.nothing_written()

    def succeeds(self, more=0):
        """All must end well, with the bytes of a run that nothing disturbed."""
        limit = time.monotonic() + 30 + 20 * self.rig.seconds + more
        for worker in range(self.workers):
            code, printed = self.end(worker, limit)
            if code or printed:
                raise Wrong(f"worker {worker} ends with exit code {code}: {printed!r}")
        self.rig.whole_written()


class Rig:
    """What a case has to work with."""

    def __init__(self, network, rank, folder, random):
        self.network, self.rank, self.random = network, rank, random
        self.folder, self.base = folder, folder
        self.workers = len(network.machines)
        self.processes, self.mounted, self.down = [], [], set()
        self.started = 0
        # Of a run that nothing disturbs.
        self.times, self.expected = {}, {}
        self.measure = "pagerank"

    @property
    def seconds(self):
        """How long a run of the measure takes that nothing disturbs."""
        return self.times.get(self.measure, 30)

    @property
    def output(self):
        """The folder of the table and the checkpoint."""
        return self.folder / "output"

    def begin(self, name):
        """A new folder for a round."""
        self.folder = self.base / name
        self.output.mkdir(parents=True)
        self.measure = "pagerank"

    def finish(self):
        """Ends what a round has left."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.processes.clear()
        for machine in sorted(self.down):
            self.cable(machine, "up")
        for place in self.mounted:
            subprocess.run(["umount", place], check=False)
        self.mounted.clear()

    def command(self, shards=None, measure=None, state=None):
        """The command that all workers run."""
        self.measure = measure or self.measure
        kept = ("--checkpoint", state or self.output / "state", "--checkpoint-every", "1s")
        table = ("-o", self.output / "ranks.csv")
        return [*MEASURES[self.measure], shards or self.base / "web.shards", *kept, *table]

    def team(self, workers=None, patience=30, **changes):
        """A team that is not yet started."""
        return Team(self, self.command(**changes), workers or self.workers, patience)

    def victim(self, *among):
        """A worker by chance."""
        return self.random.choice(among or range(self.workers))

    def under_way(self, **changes):
        """A team at a random moment of its run."""
        share = self.random.uniform(0.02, 0.7)
        for _ in range(5):
            team = self.team(**changes).start()
            time.sleep(share * self.seconds)
            if all(process.poll() is None for process in team.running.values()):
                return team
            # It was faster than the run that was measured.
            team.succeeds()
            for file in self.output.iterdir():
                file.unlink()
            share /= 2
        raise Skipped("every run ended before its random moment")

    def cable(self, machine, state):
        """Pulls the cable of a machine out, or puts it back."""
        self.network.cable(machine, state)
        (self.down.add if state == "down" else self.down.discard)(machine)

    def stranger(self, machine, *words):
        """Somebody who is no worker, on a machine; returns the process and what it said first."""
        command = [*self.network.on(machine), sys.executable, HERE / "stranger", *words]
        pipe = subprocess.PIPE
        process = subprocess.Popen([*map(str, command)], stdin=pipe, stdout=pipe, text=True)
        self.processes.append(process)
        return process, process.stdout.readline().strip()

    def small_disk(self, size):
        """A folder for so many bytes."""
        place = self.folder / "small"
        place.mkdir()
        options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
        if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
            raise Skipped("small disks are not allowed")
        self.mounted.append(place)
        return place

    def nothing_written(self):
        """There is no table, and nothing half-written but what a killed worker 0 could not remove."""
        found = {file.name for file in self.output.iterdir()} - {"state"}
        wrong = {name for name in found if not name.startswith(".rank-")}
        if wrong:
            raise Wrong(f"a run that failed has written {sorted(wrong)}")

    def whole_written(self):
        """There is the right table, its manifest, and nothing else."""
        found = {file.name for file in self.output.iterdir()}
        if found != {"ranks.csv", "ranks.csv.json"}:
            raise Wrong(f"a run that is done leaves {sorted(found)}")
        if (self.output / "ranks.csv").read_bytes() != self.expected[self.measure]:
            raise Wrong("the table differs from that of a run that nothing disturbed")

    def resumes(self, workers=None, **changes):
        """The same command goes on, and ends with the right bytes."""
        self.team(workers=workers, **changes).start().succeeds()

    def copy_of_shards(self):
        """Shards to damage."""
        copy = self.folder / "web.shards"
        shutil.copytree(self.base / "web.shards", copy)
        return copy

    def flip(self, path):
        """Flips a bit of a file by chance."""
        content = bytearray(path.read_bytes())
        bit = self.random.randrange(8 * len(content))
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)


SLOWLY = ("--alpha", "0.999", "--tolerance", "1e-9", "--max-iterations", "1000000")
MEASURES = {
    "pagerank": ("pagerank", *SLOWLY),
    "harmonic": ("harmonic", "--method", "hyperball", "--log2m", "9"),
}


def environment():
    """The environment without what would tell a worker its secret or its number."""
    words = ("RANK_SECRET", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
    kept = {name: value for name, value in os.environ.items() if name not in words}
    kept.pop("JOB_COMPLETION_INDEX", None)
    return kept


KILL, STOP, GO_ON, CTRL_C = signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGINT
