"""What may happen to workers, and what must come of it: one function for each fault.

Every worker that is left ends within its limit, with one line that names the worker or the file; no
table is there, or a whole one; and the same command then gives the bytes of an undisturbed run.
"""

import os
import shutil
import stat
import subprocess
import time

from team import CTRL_C, GO_ON, KILL, PORT, STOP, Skipped, Wrong

# How long workers wait where they wait in vain, in seconds.
SOON = 4


def killed(rig):
    """A worker is killed."""
    team = rig.under_way()
    victim = rig.victim()
    team.signal(victim, KILL)
    team.others_fail(victim)
    rig.resumes()


def killed_then_fewer(rig):
    """A worker is killed, and two go on."""
    team = rig.under_way()
    victim = rig.victim()
    team.signal(victim, KILL)
    team.others_fail(victim)
    rig.resumes(workers=2)


def killed_counting(rig):
    """A worker of HyperBall is killed."""
    team = rig.under_way(measure="harmonic")
    victim = rig.victim()
    team.signal(victim, KILL)
    team.others_fail(victim)
    rig.resumes(measure="harmonic")


def stopped_for_10_s(rig):
    """A worker stands still for 10 s."""
    team = rig.under_way()
    victim = rig.victim()
    team.signal(victim, STOP)
    time.sleep(10)
    team.signal(victim, GO_ON)
    team.succeeds()


def stopped(rig):
    """A worker stands still for good."""
    team = rig.under_way(patience=SOON)
    victim = rig.victim()
    team.signal(victim, STOP)
    team.others_fail(victim)
    # It finds itself alone when it goes on.
    team.signal(victim, GO_ON)
    team.fails(victim, r"worker \d", SOON + 8)
    rig.resumes()


def unplugged_for_10_s(rig):
    """A cable is out for 10 s."""
    team = rig.under_way()
    victim = rig.victim()
    rig.cable(victim, "down")
    time.sleep(10)
    rig.cable(victim, "up")
    team.succeeds(more=20)


def unplugged(rig):
    """A cable is out for good."""
    team = rig.under_way(patience=SOON)
    victim = rig.victim()
    rig.cable(victim, "down")
    team.others_fail(victim, seconds=2 * SOON + 8)
    team.fails(victim, r"worker \d", SOON + 8)
    rig.cable(victim, "up")
    rig.resumes()


def missing(rig):
    """A worker is never started."""
    team = rig.team(patience=SOON)
    victim = rig.victim()
    team.start(*(worker for worker in range(rig.workers) if worker != victim))
    team.others_fail(victim)


def late(rig):
    """A worker is started 3 s after the others."""
    team = rig.team()
    victim = rig.victim()
    team.start(*(worker for worker in range(rig.workers) if worker != victim))
    time.sleep(3)
    team.start(victim).succeeds()


def unknown_host(rig):
    """A name in the hosts file belongs to nobody."""
    team = rig.team(patience=SOON)
    # The last worker listens to nobody.
    victim = rig.victim(*range(rig.workers - 1))
    team.hosts[victim] = f"nobody.invalid:{PORT}"
    team.start().others_fail(victim, seconds=SOON + 30)
    team.fails(victim, rf"worker {victim} ", 1)


def taken_port(rig):
    """Another program listens at the address of a worker, and says nothing."""
    victim = rig.victim(*range(rig.workers - 1))
    rig.stranger(victim, "listen", 1, rig.network.address(victim), PORT)
    team = rig.team(patience=SOON).start()
    team.fails(victim, rf"worker {victim} \(.*cannot listen", SOON + 4)
    team.others_fail(victim, seconds=SOON + 12)


def strangers(kind):
    """A thousand strangers come while workers connect."""

    def case(rig):
        team = rig.team(patience=60)
        last = rig.workers - 1
        team.start(*range(last))
        time.sleep(0.5)
        host = rig.victim(*range(last))
        _, count = rig.stranger(None, kind, 1000, rig.network.address(host), PORT)
        if int(count) < 900:
            raise Wrong(f"only {count} of 1,000 strangers could connect")
        team.start(last).succeeds(more=60)

    case.__doc__ = f"1,000 strangers ({kind}) while workers connect."
    return case


def strangers_while_running(rig):
    """A thousand strangers come while workers compute: nobody listens any more."""
    team = rig.under_way()
    # Let the last handshakes end.
    time.sleep(0.5)
    for host in range(rig.workers):
        _, count = rig.stranger(None, "garbage", 250, rig.network.address(host), PORT)
        if count != "0" and team.running[0].poll() is None:
            raise Wrong(f"{count} strangers could connect to worker {host}")
    team.succeeds()


def differs(rig, word, start):
    """A worker differs from the others, who refuse it; `start` starts it as one of a team."""
    victim = rig.victim()
    team = rig.team(patience=SOON)
    team.start(*(worker for worker in range(rig.workers) if worker != victim))
    start(team, victim)
    limit = SOON + 8
    lines = [team.fails(worker, r"worker \d", limit) for worker in range(rig.workers)]
    if not any(word in line for line in lines):
        raise Wrong(f"nobody says '{word}': {lines}")
    rig.nothing_written()


OTHER = "has other shards, other parameters or another version"


def other_graph(rig):
    """A worker has the shards of another graph."""
    arguments = rig.command(shards=rig.base / "other.shards")
    differs(rig, OTHER, lambda team, victim: team.start(victim, arguments=arguments))


def other_plan(rig):
    """A worker has the same graph, cut into other parts."""
    arguments = rig.command(shards=rig.base / "more.shards")
    differs(rig, OTHER, lambda team, victim: team.start(victim, arguments=arguments))


def other_parameters(rig):
    """A worker has another value of one parameter."""
    option = rig.random.choice([("--alpha", "0.5"), ("--tolerance", "1e-8"), ("--max-iterations", "7")])
    arguments = rig.command()
    arguments[arguments.index(option[0]) + 1] = option[1]
    differs(rig, OTHER, lambda team, victim: team.start(victim, arguments=arguments))


def other_version(rig):
    """A worker is of another version: a copy of the command in which its number is changed."""
    said = subprocess.run([rig.rank, "--version"], capture_output=True, check=True).stdout
    version = said.split()[1]
    other = version[:-1] + (b"8" if version.endswith(b"9") else b"9")
    forged = rig.base / "forged"
    if not forged.exists():
        shutil.copyfile(rig.rank, forged)
        forged.write_bytes(forged.read_bytes().replace(version, other))
        forged.chmod(forged.stat().st_mode | stat.S_IXUSR)
    said = subprocess.run([forged, "--version"], capture_output=True, check=False).stdout
    if other not in said:
        raise Skipped("the version cannot be changed in the file of the command")
    differs(rig, OTHER, lambda team, victim: team.start(victim, rank=forged))


def other_secret(rig):
    """A worker has another secret than the others, who have none."""
    secret = rig.folder / "secret"
    secret.write_text(f"{rig.random.random()}\n")
    more = ("--secret", secret)
    differs(rig, "has another secret", lambda team, victim: team.start(victim, more=more))


def yesterdays_process(rig):
    """A process of an earlier run waits for workers that are gone: the new run is without it."""
    old = rig.team(patience=8).start(0, 1)
    time.sleep(rig.random.uniform(0.1, 1.5))
    old.signal(0, KILL)
    waiting = old.running[1], old.errors[1]
    new = rig.team(patience=40).start()
    new.succeeds(more=20)
    old.running[1], old.errors[1] = waiting
    old.fails(1, r"worker \d", 1)


def woken_process(rig):
    """A process of an earlier run stands still, and goes on beside the new run."""
    old = rig.under_way()
    victim = rig.victim()
    old.signal(victim, STOP)
    for worker in range(rig.workers):
        if worker != victim:
            old.signal(worker, KILL)
    new = rig.team().start()
    time.sleep(rig.random.uniform(0, rig.seconds / 2))
    old.signal(victim, GO_ON)
    # If it was stopped while it connected, it still waits for the others.
    old.fails(victim, r"worker \d", old.patience + 8)
    new.succeeds()


def damaged(names, word=None):
    """A bit of one of these files of a worker's part is flipped."""

    def case(rig):
        victim = rig.victim()
        shards = rig.copy_of_shards()
        name = rig.random.choice(names)
        file = shards / (name if name == "plan.json" else f"part-{victim:05}/{name}")
        rig.flip(file)
        team = rig.team(patience=SOON)
        team.start(*(worker for worker in range(rig.workers) if worker != victim))
        team.start(victim, arguments=rig.command(shards=shards))
        team.others_fail(victim)
        team.fails(victim, word or name.split(".")[0], 1)

    case.__doc__ = f"A flipped bit in {', '.join(names)}."
    return case


def damaged_names(rig):
    """A flipped bit in the names of a worker: the right table, or a line."""
    victim = rig.victim()
    shards = rig.copy_of_shards()
    rig.flip(shards / f"part-{victim:05}" / rig.random.choice(["names.txt.zst", "names.index"]))
    team = rig.team(patience=SOON)
    team.start(*(worker for worker in range(rig.workers) if worker))
    team.start(0, arguments=rig.command(shards=shards))
    limit = time.monotonic() + 30 + 20 * rig.seconds
    if team.end(0, limit)[0]:
        team.fails(0, "names", 1)
        rig.nothing_written()
    else:
        rig.whole_written()
    for worker in range(1, rig.workers):
        team.end(worker, limit)


def interrupted(rig, victim):
    """A team that Ctrl-C on one worker has ended."""
    team = rig.under_way()
    team.signal(victim, CTRL_C)
    team.others_fail(victim)
    code, printed = team.end(victim, time.monotonic() + 10)
    if code != 130 or printed.count("\n") > 1:
        raise Wrong(f"Ctrl-C ends worker {victim} with exit code {code}: {printed!r}")


def ctrl_c(rig):
    """Ctrl-C on one worker."""
    interrupted(rig, rig.victim())
    rig.resumes()


def damaged_checkpoint(rig):
    """A checkpoint has a flipped bit, or ends too early."""
    state = rig.output / "state"
    for _ in range(5):
        interrupted(rig, 0)
        if state.exists():
            break
    else:
        raise Skipped("every run was stopped before its first sweep")
    if rig.random.random() < 0.3:
        os.truncate(state, rig.random.randrange(state.stat().st_size))
    else:
        rig.flip(state)
    team = rig.team(patience=SOON).start()
    team.fails(0, "state", 12)
    team.others_fail(0)
    state.unlink()
    rig.resumes()


def full_disk(rig):
    """The disk is full while a checkpoint is written: its folder has no room for it."""
    small = rig.small_disk("128k")
    team = rig.team(patience=SOON, state=small / "state").start()
    team.fails(0, "state.*No space left", 30)
    team.others_fail(0, word=r"worker 0\b.*No space left")
    if left := os.listdir(small):
        raise Wrong(f"a checkpoint that failed has left {left}")
    subprocess.run(["mount", "-o", "remount,size=8m", small], check=True)
    rig.resumes(state=small / "state")


CASES = {
    "killed": killed,
    "killed, then two workers": killed_then_fewer,
    "killed, HyperBall": killed_counting,
    "stopped for 10 s": stopped_for_10_s,
    "stopped for good": stopped,
    "cable out for 10 s": unplugged_for_10_s,
    "cable out for good": unplugged,
    "worker missing": missing,
    "worker 3 s late": late,
    "unknown host": unknown_host,
    "port taken": taken_port,
    "strangers, garbage": strangers("garbage"),
    "strangers, silent": strangers("silence"),
    "strangers, half a handshake": strangers("half"),
    "strangers, HTTP": strangers("http"),
    "strangers, another graph": strangers("hello"),
    "strangers, another protocol": strangers("newer"),
    "strangers while running": strangers_while_running,
    "another graph": other_graph,
    "another plan": other_plan,
    "other parameters": other_parameters,
    "another version": other_version,
    "another secret": other_secret,
    "yesterday's process": yesterdays_process,
    "yesterday's process, woken": woken_process,
    "flipped bit, rows": damaged(["own.graph", "own.properties", "away.graph", "away.properties"]),
    "flipped bit, offsets": damaged(["own.offsets", "away.offsets"]),
    "flipped bit, list": damaged(["away.nodes"]),
    "flipped bit, plan": damaged(["plan.json"]),
    "flipped bit, names": damaged_names,
    "flipped bit, checkpoint": damaged_checkpoint,
    "disk full": full_disk,
    "Ctrl-C": ctrl_c,
}
