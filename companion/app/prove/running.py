"""Many evenings, some at a time, until enough were played, the time is up, or somebody stops it."""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import pkgutil
import signal
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.app.kit.kit import kit_of
from companion.library import shelf

from .again import smallest
from .orders import Plant
from .plan import plan_for
from .proving import SCRIPT, Outcome, prove

AT_A_TIME: Final = 2
"""Evenings for each processor: they wait for cables and processes half of the time."""


NEEDED: Final = (
    *("firmware_bridge.links", "firmware_bridge.pretend_firmware", "firmware_bridge.pretend_picos", "hw.box"),
    *("web", "web.door.portal", "web.live.server", "uvicorn.lifespan.on", "uvicorn.loops.auto", "PIL.ImageFile"),
    *("encodings.idna", "encodings.utf_8_sig"),
)
"""What a box loads only when it starts its devices and serves phones."""


class Asked(Struct, frozen=True):
    """The seeds to play, in order; where failures are kept; how many at a time and for how long at most."""

    seeds: tuple[int, ...]
    kept: Path
    processes: int = AT_A_TIME * (os.cpu_count() or 1)
    seconds: float = float("inf")
    plant: Plant = contextlib.nullcontext
    shrinks: bool = True
    """Whether the script of a failure is made as small as it can be."""


def load() -> None:
    """Load all that a box needs, so that each is forked with it."""
    templates = importlib.import_module("web.compiled").__path__
    for name in (*NEEDED, *(f"web.compiled.{each.name}" for each in pkgutil.iter_modules(templates))):
        importlib.import_module(name)
    for game in shelf.games():
        kit_of(game).added("naive")
    gc.freeze()


def run(asked: Asked) -> Generator[Outcome, None, None]:
    """The outcomes as they come. When this is closed, no more evenings begin; those under way are waited for."""
    load()
    late, waiting = time.monotonic() + asked.seconds, list(asked.seeds)
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(asked.processes, fork, _ignore_keyboard) as pool:
        under_way: set[Future[Outcome]] = set()
        while (waiting and time.monotonic() < late) or under_way:
            while waiting and len(under_way) < asked.processes and time.monotonic() < late:
                under_way.add(pool.submit(_one, waiting.pop(0), asked))
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for each in done:
                yield each.result()


def _ignore_keyboard() -> None:
    """Ctrl-C is for the one who counts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _one(seed: int, asked: Asked) -> Outcome:
    from firmware_bridge.firmware import micropython

    outcome = prove(plan_for(seed, micropython() is not None), asked.plant, asked.kept)
    _make_small(asked, outcome)
    return outcome


def _make_small(asked: Asked, outcome: Outcome) -> None:
    """Of what failed, the script that is left when everything is gone that it does not need.

    What got stuck is left as it is: each try would wait for as long.
    """
    path = asked.kept / f"seed-{outcome.seed}" / SCRIPT
    if path.exists() and asked.shrinks and (kind := outcome.failures[-1].kind) != "stuck":
        path.write_text(smallest(path.read_text(encoding="utf-8"), kind, asked.plant), encoding="utf-8")
