"""The second body of the firmware: adds what MicroPython has and CPython lacks, then runs the firmware unchanged.

Pass the folder of the firmware as the only argument.
"""

import os
import runpy
import select
import sys
import time
import types


class _Cable:
    """What comes in through the cable. When it ends, so does the power, even if the host was killed."""

    def read(self, count):
        chunk = os.read(0, count)
        return chunk if chunk else os._exit(0)


class _Raw:
    """Standard input as on the Pico: nothing is read ahead."""

    def __init__(self):
        self.buffer = _Cable()

    def fileno(self):
        return 0


class _RawOut:
    def __init__(self):
        self.buffer = open(1, "wb", 0, closefd=False)

    def flush(self):
        """Nothing is buffered here."""


time.ticks_ms = lambda: time.monotonic_ns() // 1000000
time.ticks_diff = lambda later, earlier: later - earlier
time.sleep_us = lambda us: select.select([], [], [], us / 1000000)
sys.modules["micropython"] = types.SimpleNamespace(kbd_intr=lambda _: None)
sys.stdin = _Raw()
sys.stdout = _RawOut()
runpy.run_path(os.path.join(sys.argv[1], "main.py"), run_name="__main__")
