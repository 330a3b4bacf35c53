"""Try many mutants quickly: everything is loaded and collected once, and each mutant gets a fork of that.

Two processes stand behind each other. The first has pytest and its settings loaded, but nothing of the game. Its fork
collects the tests, has a fork of its own run them once to see which test runs which line, and then forks once for each
mutant: the changed function gets its new code there, and the tests that run the changed line are run, those that kill
often and quickly first. A mutant of what was run while collecting (a table, a constant, a decorator) is too late there;
it gets a fork of the first process, which loads the changed file in place of the real one and collects for itself.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import NoReturn, Protocol

import msgspec
import pytest

from tests.campaigns._mutants import ROOT, game_folder, same_statement
from tests.campaigns._swap import Calls, Finder, Functions, Lines, caches

OPTIONS = (
    *("-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:terminal", "-s"),
    *("--assert=plain", "--hypothesis-seed=1"),
)
PATIENCE = 8.0
"""A mutant must survive tests for this many seconds (as slow as when they were first timed). More tests would find
a few more dead ones, for much more time; so the score is slightly low, never too high.
"""
TOO_LONG = 3.0
"""Tests that take longer than this many seconds are left out."""
LEAST, COLLECTING, LONGEST = 2.0, 60.0, 240
"""Processor seconds for the shortest test and for collecting, seconds for everything: what takes longer never ends."""
MEMORY = 3 << 30


class Change(Protocol):
    """A file with something changed in it, on a line."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def is_late(self) -> bool:
        """Whether it must be loaded as a file, whatever it changes."""
        ...

    def source(self) -> str: ...


class End(IntEnum):
    """How a fork ends. Any other exit code means that the mutant is dead."""

    SURVIVED = 0
    KILLED = 1
    TOO_LATE = 3


class Seen(msgspec.Struct):
    """One run of all tests: how long each takes, which of them run a line of a file, and which fail."""

    seconds: dict[str, float] = {}
    lines: dict[str, dict[int, list[str]]] = {}
    failing: list[str] = []

    def running(self, path: str, line: int) -> set[str]:
        """The tests that run a line's statement."""
        there = self.lines.get(path, {})
        return {test for number in same_statement(path, line) for test in there.get(number, ())}


class Tried(msgspec.Struct):
    """The result of each change so far, by number: whether it survived, and which tests kill in which file."""

    survived: dict[int, bool] = {}
    late: list[int] = []
    kills: dict[str, dict[str, int]] = {}


class Forks:
    """A plugin of one pytest run that tries every change.

    `told` hears of the progress; `room` is an empty folder; `marked` says which tests are run, as in pytest's -m.
    """

    def __init__(
        self,
        game: str,
        changes: Sequence[Change],
        workers: int,
        told: Callable[[dict[int, bool]], None],
        room: Path,
        marked: str,
    ) -> None:
        self.seen, self.tried = Seen(), Tried()
        self._game, self._folder = game, str(game_folder(game))
        self._changes, self._workers, self._told, self._room = changes, workers, told, room
        self._marked = marked
        self._role: Callable[[pytest.Session], None] = lambda _session: None
        self._calls = Calls(self._folder)

    def run(self) -> None:
        """Try them. If `seen.failing` then names tests, these fail without any change, and nothing was tried."""
        first, tests = os.getpid(), ROOT / "tests"
        paths = [
            tests / "games" / self._game.replace("-", "_"),
            ROOT / "companion" / "app" / "kit" / "test_contract_play.py",
        ]
        pytest.main([*OPTIONS, "-m", self._marked, *map(str, paths)], plugins=[self])
        if os.getpid() != first:
            os._exit(End.KILLED)

    # What pytest asks

    def pytest_configure(self) -> None:
        """A mutant is dead at the first example that kills it; nobody needs the smallest one."""
        from hypothesis import Phase, settings

        usual, phases = settings.get_profile("table"), (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", usual, phases=phases, database=None)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool | None:
        """The first process does everything in here; its forks continue, collect, and take up their role."""
        assert not any(name.startswith("companion.games.") for name in sys.modules), "the game is loaded too early"
        server = os.fork()
        if not server:
            self._role = self._serve
            sys.settrace(self._calls.trace)
            return None
        os.waitpid(server, 0)
        self._remember()
        for number in self._forked_for(self.tried.late):
            self._load(session, number)
            return None
        session.config.args = [str(ROOT / "tests" / "conftest.py")]
        return True

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if _game_of(item) in {None, self._game}]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._role(session)
        return True

    # Forks

    def _forked_for(self, numbers: Sequence[int]) -> list[int]:
        """Fork for each number, `workers` at a time. A fork yields its number; the parent yields none in the end."""
        waiting, running = list(numbers), dict[int, int]()
        while waiting or running:
            while waiting and len(running) < self._workers:
                number = waiting.pop(0)
                child = os.fork()
                if not child:
                    _be_quiet_and_short()
                    return [number]
                running[child] = number
            child, status = os.wait()
            self._note(running.pop(child), os.waitstatus_to_exitcode(status))
        return []

    def _note(self, number: int, code: int) -> None:
        if code == End.TOO_LATE:
            self.tried.late.append(number)
            return
        killer = self._room / str(number)
        if killer.exists():
            kills = self.tried.kills.setdefault(self._changes[number].path, {})
            kills[killer.read_text()] = kills.get(killer.read_text(), 0) + 1
        self.tried.survived[number] = code == End.SURVIVED
        self._told(self.tried.survived)

    def _remember(self) -> None:
        """What the processes behind this one found out."""
        seen, tried = self._room / "seen", self._room / "tried"
        missing = Seen(failing=["none of them: the run ended before the last test"])
        self.seen = msgspec.json.decode(seen.read_bytes(), type=Seen) if seen.exists() else missing
        self.tried = msgspec.json.decode(tried.read_bytes(), type=Tried) if tried.exists() else self.tried

    def _load(self, session: pytest.Session, number: int) -> None:
        """Load the game with a change in it. Any test may notice what runs once, while loading."""
        change = self._changes[number]
        tests = self._in_order(change.path, set(self.seen.seconds))
        sys.meta_path.insert(0, Finder(ROOT, change.path, change.source()))
        session.config.args = sorted({str(ROOT / test.partition("::")[0]) for test in tests})
        self._role = lambda session: self._run(session, number, tests)

    # The second process

    def _serve(self, session: pytest.Session) -> NoReturn:
        sys.settrace(None)
        scout = os.fork()
        if not scout:
            self._scout(session)
        os.waitpid(scout, 0)
        self._remember()
        functions = Functions(self._folder)
        gc.freeze()
        for number in self._forked_for(() if self.seen.failing else range(len(self._changes))):
            change = self._changes[number]
            if change.is_late or not functions.put_in(ROOT / change.path, change.source(), self._calls.seen):
                os._exit(End.TOO_LATE)
            self._run(session, number, self._in_order(change.path, self.seen.running(change.path, change.line)))
        (self._room / "tried").write_bytes(msgspec.json.encode(self.tried))
        os._exit(End.SURVIVED)

    def _scout(self, session: pytest.Session) -> NoReturn:
        """Run every test once, and record what we need to know about it."""
        _be_quiet()
        signal.signal(signal.SIGPROF, lambda *_: pytest.skip("takes too long"))
        seen = Seen(failing=["none of them: they cannot be collected"] if session.testsfailed else [])
        remembered = caches(self._folder)
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            for cached in remembered:
                cached.cache_clear()
            lines, failed, begun = Lines(self._folder), session.testsfailed, time.process_time()
            signal.setitimer(signal.ITIMER_PROF, TOO_LONG)
            sys.settrace(lines.trace)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
            seen.seconds[item.nodeid] = time.process_time() - begun
            if session.testsfailed > failed:
                seen.failing.append(item.nodeid)
            if seen.seconds[item.nodeid] >= TOO_LONG:
                del seen.seconds[item.nodeid]
                continue
            for path, line in lines.seen:
                inside = str(Path(path).relative_to(ROOT))
                seen.lines.setdefault(inside, {}).setdefault(line, []).append(item.nodeid)
        (self._room / "seen").write_bytes(msgspec.json.encode(seen))
        os._exit(End.SURVIVED)

    # One mutant

    def _in_order(self, path: str, tests: set[str]) -> list[str]:
        """Those that kill often and quickly first, as many as patience allows."""
        seconds, kills = self.seen.seconds, Counter(self.tried.kills.get(path, {}))
        order = sorted(tests, key=lambda test: ((seconds[test] + 0.01) / (1 + kills[test]), test))
        chosen: list[str] = []
        left = PATIENCE
        for test in order:
            if left >= seconds[test] or not chosen:
                chosen.append(test)
                left -= seconds[test]
        return chosen

    def _run(self, session: pytest.Session, number: int, tests: list[str]) -> NoReturn:
        _end_if_failed(session, self._room / str(number), "collecting")
        items = {item.nodeid: item for item in session.items}
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            signal.setitimer(signal.ITIMER_PROF, LEAST + 5 * self.seen.seconds[test])
            nextitem = items[following] if following else None
            session.config.hook.pytest_runtest_protocol(item=items[test], nextitem=nextitem)
            _end_if_failed(session, self._room / str(number), test)
        os._exit(End.SURVIVED)


def _end_if_failed(session: pytest.Session, told: Path, test: str) -> None:
    if session.testsfailed:
        told.write_text(test)
        os._exit(End.KILLED)


def _game_of(item: pytest.Item) -> str | None:
    call = getattr(item, "callspec", None)
    return None if call is None else call.params.get("kit")


def _be_quiet() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _be_quiet_and_short() -> None:
    _be_quiet()
    signal.setitimer(signal.ITIMER_PROF, COLLECTING)
    signal.alarm(LONGEST)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
