"""The component data of a game: a folder of TOML files, checked against the game's pack type.

The top-level keys of all files together are the pack; authors choose which file a key goes in. `pack.toml` holds at
least the head, whose id may be left out.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta, Struct

from . import card_photos
from .toml_forms import FormError, Problem, as_toml, fill, is_missing, parse_toml, read_toml
from .whole_files import write_whole

P = TypeVar("P", bound=Struct)

HEAD_FILE: Final = "pack.toml"
Text = Annotated[str, Meta(min_length=1, max_length=400)]


class PackError(FormError):
    """The pack cannot be used; lists every problem."""


class InBoth(Struct, frozen=True):
    """A name that people read, in every language."""

    en: Text
    fr: Text


class Head(Struct, frozen=True):
    """What every pack says about itself; `note` says where its data come from."""

    id: Annotated[
        str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description='an id, such as "our-parts"', title="form.id")
    ]
    name: InBoth
    author: Text
    note: InBoth


def load(folder: Path, cls: type[P]) -> P:
    """The pack in `folder`. If `cls` has fields of the head, they are filled too. Raises PackError with every problem.

    Unchanged files are not read again: that would take longer than everything else that begins a game.
    """
    files = sorted({*folder.glob("*.toml"), folder / HEAD_FILE})
    return cast(P, _loaded(folder, cls, tuple(map(_stamp, files))))


_Stamp: TypeAlias = tuple[str, int, int, int]


def _stamp(path: Path) -> _Stamp:
    """Changes whenever the file does; if it cannot be read, that is reported on reading."""
    try:
        found = path.stat()
    except OSError:
        return path.name, 0, 0, 0
    return path.name, found.st_mtime_ns, found.st_size, found.st_ino


@lru_cache(maxsize=8)
def _loaded(folder: Path, cls: type[Any], _stamps: tuple[_Stamp, ...]) -> Any:
    tables, origin, problems = _gather(folder)
    found = _filled(cls, tables, origin, problems, f"Repair the pack in {folder}, or choose another.")
    return shared_pack(cls, msgspec.json.encode(found))


def shared_pack(cls: Any, written: bytes) -> Any:
    """The pack with this content, one shared object for all: games cache by pack what they have worked out."""
    return _shared(cls, written)


@lru_cache(maxsize=8)
def _shared(cls: type[Any], written: bytes) -> Any:
    return msgspec.json.decode(written, type=cls)


def parse(text: str, cls: type[P]) -> tuple[P, Head]:
    """The pack in one file, as written by `text`; raises PackError with every problem."""
    tables, problems = parse_toml(text, HEAD_FILE)
    tables.pop(card_photos.TABLE, None)
    then = "Repair the file, or choose another."
    made = _filled(cls, tables, dict.fromkeys(tables, HEAD_FILE), list(problems), then)
    return made, _filled(Head, _only(tables, Head), {}, [], then)


def text(pack: Struct, head: Head) -> str:
    """A pack as one human-readable file."""
    own = {name: value for name, value in msgspec.to_builtins(pack).items() if name not in _names(Head)}
    lines = [f"{name} = {as_toml(value)}" for name, value in msgspec.to_builtins(head).items()]
    for name, value in own.items():
        is_list = isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value)
        rows = "".join(f"  {as_toml(one)},\n" for one in value) if is_list else ""
        lines.append(f"\n{name} = [\n{rows}]" if is_list else f"{name} = {as_toml(value)}")
    return "\n".join(lines) + "\n"


def save(folder: Path, pack: Struct, head: Head) -> None:
    """Write a pack as the one file of its folder, whole or not at all; raises NotSaved."""
    write_whole(folder / HEAD_FILE, text(pack, head))


def _filled(cls: type[P], tables: dict[str, Any], origin: dict[str, str], problems: list[Problem], then: str) -> P:
    if not problems:
        _, head_problems = fill(Head, _only(tables, Head), HEAD_FILE)
        own = {name: value for name, value in tables.items() if name in _names(cls) or name not in _names(Head)}
        made, own_problems = fill(cls, own, HEAD_FILE)
        found = dict.fromkeys((*head_problems, *own_problems))
        problems = [_located(problem, origin) for problem in found]
        if made is not None and not problems:
            return made
    raise PackError(problems, then)


def head(folder: Path) -> Head:
    """What the pack in `folder` says about itself, even if the rest of it is broken."""
    tables, problems = read_toml(folder / HEAD_FILE, HEAD_FILE)
    if not problems:
        made, problems = fill(Head, _only(_with_id(tables, folder), Head), HEAD_FILE)
        if made is not None:
            return made
    raise PackError(problems, f"Repair {folder / HEAD_FILE}.")


def _gather(folder: Path) -> tuple[dict[str, Any], dict[str, str], list[Problem]]:
    """All top-level keys of the folder, the file each is in, and what is wrong with the files themselves."""
    tables: dict[str, Any] = {}
    origin: dict[str, str] = {}
    problems: list[Problem] = []
    if is_missing(folder / HEAD_FILE):
        problems.append(Problem(HEAD_FILE, "is missing", "", f"expected it in {folder}, with name, author and note"))
    for path in sorted({*folder.glob("*.toml"), *(() if problems else (folder / HEAD_FILE,))}):
        found, wrong = read_toml(path, path.name)
        problems += wrong
        for name, value in found.items():
            if name in origin:
                problems.append(Problem(path.name, name, "", f"is in {origin[name]} too; keep one"))
            else:
                tables[name], origin[name] = value, path.name
    return _with_id(tables, folder), origin, problems


def _with_id(tables: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A pack without an id is named after its folder; the one that comes with a game, after the game."""
    called = folder.parent.name if folder.name == "pack" else folder.name
    return {"id": called.replace("_", "-").lower()} | tables if tables else tables


def _located(problem: Problem, origin: dict[str, str]) -> Problem:
    """The problem, with the file that its key really is in."""
    first = problem.key.split(".")[0].split("[")[0].strip('"')
    return msgspec.structs.replace(problem, file=origin.get(first, problem.file))


def _only(tables: dict[str, Any], cls: type[Struct]) -> dict[str, Any]:
    return {name: value for name, value in tables.items() if name in _names(cls)}


def _names(cls: type[Struct]) -> tuple[str, ...]:
    return tuple(field.encode_name for field in msgspec.structs.fields(cls))
