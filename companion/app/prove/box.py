"""The box that is put to the proof, from outside: a process that is started, told, killed and started again."""

from __future__ import annotations

import faulthandler
import os
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Final

import msgspec

from companion.app.main import Options
from companion.core import CompanionError

from .inside import suffer
from .orders import Jump, Look, Now, Order, Plant
from .world import World

PATIENCE: Final = 120.0
"""Seconds in which a box answers, however busy the machine is."""


PORTS: Final = range(10_000, 30_000)
"""None that the machine gives to whoever calls somebody: a box that is down for a moment finds its own free again."""


WINDOW: Final = 16
"""Ports in which each process that plays evenings looks first: while its box is down, no other takes the port."""


def free_port(at: int = 0) -> int:
    """A port that nobody listens on; looked for from the window of this process on."""
    first = os.getpid() * WINDOW + at
    for port in (PORTS[(first + n) % len(PORTS)] for n in range(len(PORTS))):
        with socket.socket() as trial, suppress(OSError):
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("", port))
            return port
    raise OSError(f"no port from {PORTS.start} to {PORTS.stop - 1} is free")


class BoxGone(CompanionError, ConnectionError):
    """The box does not answer: it ended by itself, or hangs."""


class Box:
    """Forked from this process, in which everything is loaded already, so that a start costs little.

    Whoever starts one has no threads. `log` is where it writes what nobody foresaw, `falls` what chance
    brings first.
    """

    def __init__(self, options: Options, log: Path, plant: Plant, falls: tuple[msgspec.Raw, ...] = ()) -> None:
        self.options, self._log, self._plant, self._falls = options, log, plant, falls
        self._pid, self._ahead = 0, 0.0
        self.told: list[Now] = []
        """All that it ever told of itself."""

    def start(self) -> Now:
        """Start it and wait until it is ready; `error` says why it is not."""
        self.launch()
        now = self._heard()
        if now.port:
            self.options = msgspec.structs.replace(self.options, port=now.port)
        return now

    def launch(self) -> None:
        """Start it, and wait for nothing."""
        ours, its = socket.socketpair()
        self._pid = os.fork()
        if not self._pid:
            ours.close()
            self._live(its)
        its.close()
        ours.settimeout(PATIENCE)
        self._orders, self._answers = ours, ours.makefile("rb")

    def _live(self, orders: socket.socket) -> None:
        """Never returns: the process ends with the box."""
        code = 1
        try:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            os.dup2(log, 1)
            os.dup2(log, 2)
            faulthandler.register(signal.SIGUSR1)
            suffer(self.options, orders, self._plant, World(self._falls, self._ahead))
            code = 0
        except SystemExit:
            code = 0
        except BaseException:  # noqa: BLE001 - it is told in the log, and by the end of the process
            traceback.print_exc()
        finally:
            os._exit(code)

    def replug(self) -> None:
        """From its next start on, its readers are plugged in the other way round."""
        plugs = self.options.trial.plugs
        trial = msgspec.structs.replace(self.options.trial, plugs=lambda readers: plugs(readers)[::-1])
        self.options = msgspec.structs.replace(self.options, trial=trial)

    @property
    def port(self) -> int:
        return self.options.port or 0

    @property
    def pid(self) -> int:
        return self._pid

    def order(self, order: Order) -> Now:
        if isinstance(order, Jump):
            self._ahead += order.seconds  # a machine's clock goes on, whatever becomes of the program
        try:
            self._orders.sendall(msgspec.json.encode(order) + b"\n")
        except OSError as error:
            raise BoxGone(f"the box is gone: {error}; see {self._log}") from error
        return self._heard()

    def look(self) -> Now:
        return self.order(Look())

    def hold(self) -> None:
        """Let it stand still: when this returns, it does nothing more until it may go on."""
        os.kill(self._pid, signal.SIGSTOP)
        if not os.WIFSTOPPED(ended := os.waitpid(self._pid, os.WUNTRACED)[1]):
            self._pid = 0
            raise BoxGone(f"the box ended by itself: {os.waitstatus_to_exitcode(ended)}; see {self._log}")

    def go_on(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def kill(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End it, and wait until it has ended; harmless where it does not run."""
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, by)
            os.waitpid(self._pid, 0)
            self._pid = 0
            self._answers.close()
            self._orders.close()

    def _heard(self) -> Now:
        try:
            line = self._answers.readline()
        except OSError as error:
            self.tell_where()
            raise BoxGone(f"the box says nothing: {error}; see {self._log}") from error
        if not line:
            raise BoxGone(f"the box ended by itself; see {self._log}")
        now = msgspec.json.decode(line, type=Now)
        self.told.append(now)
        return now

    def tell_where(self) -> None:
        """Let it write into its log what each of its threads is at; one that has ended says so by how it ended."""
        if self._pid and (ended := os.waitpid(self._pid, os.WNOHANG))[0]:
            self._pid = 0
            with self._log.open("a", encoding="utf-8") as log:
                log.write(f"the box has ended by itself: {os.waitstatus_to_exitcode(ended[1])}\n")
        elif self._pid:
            os.kill(self._pid, signal.SIGUSR1)
            Event().wait(1.0)
