"""Machines for tests: network namespaces, joined by a bridge in a namespace of its own.

Nothing of the network of this machine is touched. Each machine has one interface, eth0, whose other
end is a port of the bridge; a token bucket limits both ends.
"""

import json
import os
import shutil
import subprocess


class NotAllowed(Exception):
    """Why this system has no machines for tests."""


class Network:
    """So many machines, 10.77.0.1 and so on, which end with the `with` block."""

    def __init__(self, count, rate):
        self.machines = [f"rank-{os.getpid()}-{machine}" for machine in range(count)]
        self.bridge = f"rank-{os.getpid()}-bridge"
        self.rate = rate

    def __enter__(self):
        missing = [tool for tool in ("ip", "tc") if not shutil.which(tool)]
        if missing:
            raise NotAllowed(f"{missing[0]} is not installed (package iproute2)")
        try:
            self._make()
        except NotAllowed:
            self._remove()
            raise
        return self

    def __exit__(self, *_):
        self._remove()

    def _make(self):
        for name in (self.bridge, *self.machines):
            call("ip", "netns", "add", name)
            call("ip", "-n", name, "link", "set", "lo", "up")
        call("ip", "-n", self.bridge, "link", "add", "br0", "type", "bridge")
        call("ip", "-n", self.bridge, "address", "add", "10.77.0.254/24", "dev", "br0")
        call("ip", "-n", self.bridge, "link", "set", "br0", "up")
        for machine, name in enumerate(self.machines):
            port = f"port{machine}"
            peer = ("peer", "name", "eth0", "netns", name)
            call("ip", "-n", self.bridge, "link", "add", port, "type", "veth", *peer)
            call("ip", "-n", self.bridge, "link", "set", port, "master", "br0", "up")
            call("ip", "-n", name, "address", "add", f"{self.address(machine)}/24", "dev", "eth0")
            call("ip", "-n", name, "link", "set", "eth0", "up")
            for namespace, device in ((name, "eth0"), (self.bridge, port)):
                bucket = ("rate", self.rate, "burst", "256kb", "latency", "400ms")
                call("tc", "-n", namespace, "qdisc", "add", "dev", device, "root", "tbf", *bucket)

    def _remove(self):
        for name in (*self.machines, self.bridge):
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)

    def address(self, machine):
        """The address of a machine."""
        return f"10.77.0.{machine + 1}"

    def on(self, machine):
        """What makes the rest of a command run on a machine; None is the bridge."""
        return ["ip", "netns", "exec", self.bridge if machine is None else self.machines[machine]]

    def cable(self, machine, state):
        """Pulls the cable of a machine out ("down") or puts it back ("up"); its address stays."""
        call("ip", "-n", self.bridge, "link", "set", f"port{machine}", state)

    def sent(self, machine):
        """How many bytes a machine has sent, with the headers of all layers above the cable."""
        shown = call("ip", "-n", self.machines[machine], "-s", "-j", "link", "show", "eth0")
        return json.loads(shown)[0]["stats64"]["tx"]["bytes"]


def call(*command):
    """What a command of the system prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        problem = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise NotAllowed(f"{' '.join(command)}: {problem}")
    return done.stdout
