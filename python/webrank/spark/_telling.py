"""Progress of a run, told by worker 0 to the driver over a connection of its own."""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import socket
import threading
import time
from typing import Any

_log = logging.getLogger("webrank.spark")

#: How often progress is told, and written to the log.
_TELL = 0.25
_LOG = 5.0

#: How long a connection may take: a run does not wait for those who watch it.
_PATIENCE = 5.0

#: The longest line.
_LINE = 1 << 16


class Teller:
    """The voice of worker 0; silent if the driver cannot be reached."""

    def __init__(self, address: tuple[str, int, bytes]) -> None:
        host, port, token = address
        self._last = 0.0
        self._socket: socket.socket | None = None
        try:
            self._socket = socket.create_connection((host, port), timeout=_PATIENCE)
            self._socket.sendall(token.hex().encode() + b"\n")
        except OSError:
            self._socket = None

    def show(self, phase: str, done: int, total: int | None, remark: str) -> None:
        if time.monotonic() - self._last >= _TELL:
            self._last = time.monotonic()
            self._send({"show": [phase, done, total, remark]})

    def say(self, text: str) -> None:
        self._send({"say": text})

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, words: dict[str, Any]) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendall(json.dumps(words).encode() + b"\n")
        except OSError:
            self.close()


class Listener:
    """Where the driver listens, with a bar if somebody can see it, and the log."""

    def __init__(self, host: str, bar: Any) -> None:
        self._bar = bar
        self._token = secrets.token_bytes(16)
        self._logged = 0.0
        self._socket = _listening(host)
        self.address = (host, self._socket.getsockname()[1], self._token)
        self._thread = threading.Thread(target=self._listen, name="webrank-progress", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                try:
                    self._hear(connection)
                except (OSError, ValueError, KeyError, TypeError):
                    # Who tells something else, or nothing, is not heard.
                    pass

    def _hear(self, connection: socket.socket) -> None:
        connection.settimeout(_PATIENCE)
        lines = connection.makefile("rb")
        token = lines.readline(_LINE).strip()
        if not hmac.compare_digest(token, self._token.hex().encode()):
            return
        connection.settimeout(None)
        while line := lines.readline(_LINE):
            words = json.loads(line)
            if "say" in words:
                _log.info("%s", words["say"])
                if self._bar is not None:
                    self._bar.say(words["say"])
            else:
                self._show(*words["show"])

    def _show(self, phase: str, done: int, total: int | None, remark: str) -> None:
        if self._bar is not None:
            self._bar.show(phase, done, total, remark)
        if phase and time.monotonic() - self._logged >= _LOG:
            self._logged = time.monotonic()
            share = f" {100 * done // total}%" if total else ""
            _log.info("%s%s %s", phase, share, remark)

    def close(self) -> None:
        try:
            # Wakes who waits for a connection.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        self._thread.join(1)
        if self._bar is not None:
            self._bar.close()


def _listening(host: str) -> socket.socket:
    try:
        return socket.create_server((host, 0))
    except OSError:
        return socket.create_server(("", 0))
