"""The cable of a pretend Pico: a real pty that can be pulled, torn in mid-frame, and bad in many ways."""

from __future__ import annotations

import os
import random
import tty

from msgspec import Struct

BANNER = b'MicroPython v1.24.1 on 2024-11-29; Raspberry Pi Pico with RP2040\r\nType "help()" for more.\r\n>>> '
TRACEBACK = b'Traceback (most recent call last):\r\n  File "main.py", line 61, in run\r\nOSError: [Errno 5] EIO\r\n'


class Noise:
    """A bad cable: flips, drops and invents bytes, the same ones for the same seed."""

    def __init__(self, seed: int, rate: float = 0.002) -> None:
        self._rng = random.Random(seed)  # noqa: S311  noise, no secret
        self._rate = rate

    def __call__(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            dice = self._rng.random()
            if dice < self._rate:
                out.append(byte ^ (1 << self._rng.randrange(8)))
            elif dice < 2 * self._rate:
                continue
            elif dice < 3 * self._rate:
                out += self._rng.randbytes(self._rng.randrange(1, 12))
                out.append(byte)
            else:
                out.append(byte)
        return bytes(out)


class Rates(Struct, frozen=True):
    """How often something happens to a whole chunk, each from 0 to 1."""

    drop: float = 0.02
    flip: float = 0.02
    twice: float = 0.02
    swap: float = 0.02
    rubbish: float = 0.005


class BadLine:
    """A line that loses, damages, doubles and reorders whole chunks, or mixes them with earlier bytes.

    The same for the same seed. A chunk that waits to be overtaken is stalled until the next one comes.
    """

    def __init__(self, seed: int, rates: Rates | None = None) -> None:
        self._rng = random.Random(seed)  # noqa: S311  noise, no secret
        self._rates = rates or Rates()
        self._held = b""

    def __call__(self, chunk: bytes) -> bytes:
        rng, rates = self._rng, self._rates
        if rng.random() < rates.drop:
            chunk = b""
        if chunk and rng.random() < rates.flip:
            at = rng.randrange(len(chunk))
            chunk = chunk[:at] + bytes((chunk[at] ^ (1 << rng.randrange(8)),)) + chunk[at + 1 :]
        if rng.random() < rates.twice:
            chunk += chunk
        if rng.random() < rates.rubbish:
            chunk = rng.choice((BANNER, TRACEBACK, rng.randbytes(30))) + chunk
        held, self._held = self._held, b""
        if rng.random() < rates.swap:
            self._held = chunk
            return held
        return chunk + held


class PretendCable:
    """The Pico's end of a pty. Not thread-safe: its owner locks, and only one thread plugs and unplugs."""

    def __init__(self, seed: int) -> None:
        self.is_noisy = False
        self.is_torn = False
        self.is_stalled = False
        """While set, nothing reaches the host; it all arrives at once afterwards."""
        self.bad_out: BadLine | None = None
        self.bad_in: BadLine | None = None
        self._stalled = b""
        self._noise_out, self._noise_in = Noise(seed), Noise(seed + 1)
        self._bytes_left: int | None = None
        self._master = self._slave = -1

    @property
    def is_plugged(self) -> bool:
        return self._master >= 0

    @property
    def port(self) -> str | None:
        """The path for the host to open; a new one after each plugging."""
        return os.ttyname(self._slave) if self.is_plugged else None

    @property
    def ears(self) -> tuple[int, ...]:
        """What to wait on for something to read."""
        return (self._master,) if self.is_plugged else ()

    def plug(self) -> None:
        # The slave stays open on our side too, to keep the line alive while no host is there.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.is_torn = False
        self._bytes_left = None

    def unplug(self) -> None:
        if self.is_plugged:
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1
            self._stalled = b""

    def tear_after(self, count: int) -> None:
        """Let `count` more bytes through to the host, then nothing."""
        self._bytes_left = count

    def write(self, data: bytes) -> None:
        if not data or not self.is_plugged or self.is_torn:
            return
        if self.is_noisy:
            data = self._noise_out(data)
        if self.bad_out is not None:
            data = self.bad_out(data)
        data, self._stalled = (b"", self._stalled + data) if self.is_stalled else (self._stalled + data, b"")
        if self._bytes_left is not None:
            self._bytes_left -= len(data)
            self.is_torn = self._bytes_left <= 0
            data = data[: len(data) + min(0, self._bytes_left)]
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # nobody reads: as on a real line the bytes are lost, and will be sent again

    def read(self) -> bytes:
        """The bytes that came in, b"" if none did."""
        if not self.is_plugged or self.is_torn:
            return b""
        try:
            chunk = os.read(self._master, 4096)
        except BlockingIOError:
            return b""
        if self.bad_in is not None:
            chunk = self.bad_in(chunk)
        return self._noise_in(chunk) if self.is_noisy else chunk
