"""Put changed code into a running program: into functions that already exist, or as a file that is loaded instead."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Sequence
from functools import _lru_cache_wrapper
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

ENOUGH_FRAMES = 30


class Key(NamedTuple):
    """Identifies a program's code; equal for code that was compiled twice."""

    path: str
    line: int
    name: str


def key_of(code: CodeType) -> Key:
    return Key(code.co_filename, code.co_firstlineno, code.co_qualname)


class Functions:
    """All functions of a folder's modules that exist now."""

    def __init__(self, folder: str) -> None:
        self._found = defaultdict[Key, list[FunctionType]](list)
        for thing in gc.get_objects():
            if type(thing) is FunctionType and thing.__code__.co_filename.startswith(folder):
                self._found[key_of(thing.__code__)].append(thing)

    def put_in(self, path: Path, source: str, done: set[Key]) -> bool:
        """Give them the code of `source`.

        False if that is too late, because the changed code was already `done` or no function leads to it.
        """
        old = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
        for way in _changes(old, compile(source, str(path), "exec", dont_inherit=True)):
            there = [(f, new) for was, new in way for f in self._found.get(key_of(was), ())]
            if not there or key_of(way[-1][0]) in done:
                return False
            if any(len(function.__code__.co_freevars) != len(new.co_freevars) for function, new in there):
                return False
            for function, new in there:
                function.__code__ = new
        return True


def caches(folder: str) -> list[_lru_cache_wrapper[Any]]:
    """The caches around a folder's functions. What one test leaves in them keeps the next from running the function."""
    found = [thing for thing in gc.get_objects() if isinstance(thing, _lru_cache_wrapper)]
    return [cached for cached in found if cached.__wrapped__.__code__.co_filename.startswith(folder)]


Way = list[tuple[CodeType, CodeType]]


def _changes(old: CodeType, new: CodeType) -> list[Way]:
    """For each piece of code that differs by itself, the path to it through the enclosing code."""
    if _bare(old) != _bare(new):
        return [[(old, new)]]
    inner = [(was, becomes) for was, becomes in zip(_within(old), _within(new), strict=True) if was != becomes]
    # A module and a class run once, when they are loaded: nothing can be put into them later.
    here: Way = [(old, new)] if old.co_flags & CO_OPTIMIZED else []
    return [here + way for was, becomes in inner for way in _changes(was, becomes)]


def _within(code: CodeType) -> list[CodeType]:
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def _bare(code: CodeType) -> tuple[Any, ...]:
    """What code does, without its nested code; constants as text, since 1 == True."""
    consts = ["code" if isinstance(const, CodeType) else repr(const) for const in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, consts


class Finder(MetaPathFinder):
    """Finds one file of `root` with a different source. Must come first in `sys.meta_path`."""

    def __init__(self, root: Path, path: str, source: str) -> None:
        self._path, self._source = str(root / path), source
        inside = Path(path).with_suffix("")
        self._module = ".".join((inside.parent if inside.name == "__init__" else inside).parts)

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self._module:
            return None
        return spec_from_file_location(name, self._path, loader=_Loader(name, self._path, self._source))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


class Lines:
    """Traces which lines of a folder run.

    Code that runs often counts as fully run; that costs at most one test too many, and saves most of the time.
    """

    def __init__(self, folder: str) -> None:
        self.seen: set[tuple[str, int]] = set()
        self._folder = folder
        # By identity, since Python hashes code by its whole content; the code is kept, so that its identity stays
        # unique.
        self._left: dict[int, int] = {}
        self._kept: list[CodeType] = []

    def trace(self, frame: FrameType, _event: str, _value: Any) -> Any:
        left = self._left.get(id(frame.f_code))
        if left == 0:
            return None
        code = frame.f_code
        if left is None:
            self._kept.append(code)
            left = ENOUGH_FRAMES if code.co_filename.startswith(self._folder) else 1
        self._left[id(code)] = left - 1
        if left > 1:
            self.seen.add((code.co_filename, frame.f_lineno))
            return self._line
        if code.co_filename.startswith(self._folder):
            self.seen.update((code.co_filename, line) for _, _, line in code.co_lines() if line)
        return None

    def _line(self, frame: FrameType, _event: str, _value: Any) -> Any:
        self.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


class Calls:
    """Traces which code of a folder runs at all."""

    def __init__(self, folder: str) -> None:
        self.seen: set[Key] = set()
        self._folder = folder

    def trace(self, frame: FrameType, _event: str, _value: Any) -> None:
        if frame.f_code.co_filename.startswith(self._folder):
            self.seen.add(key_of(frame.f_code))
