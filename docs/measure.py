"""Measure the house: python docs/measure.py [FOLDER]

What is counted: names at the root of the main package, imports of our own modules for each module, how long functions
and files are, how many files a tap and its OK visit. What is aimed at is in architecture.md; here is what
must not get worse. A test compares.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, quantiles
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "web", "hw", "firmware_bridge")
DOORS = {
    "companion.app.prove": ("faults",),
    "companion.box": ("carrying", "hands", "stack"),
    "companion.core": ("evidence", "usual"),
    "companion.games.actionworks.state": (),
    "companion.games.actionworks.views": ("worth",),
    "companion.games.one_false_step.state": (),
    "companion.games.one_false_step.views": ("odds", "picture"),
    "companion.games.timeline.state": (),
    "companion.games.timeline.views": ("picture",),
    "companion.games.us_patent.state": (),
    "companion.games.us_patent.views": ("map", "odds", "panels"),
    "companion.journal": (),
    "companion.library": ("card_forms", "enrolment", "po", "shelf"),
    "companion.phones": ("offers", "photo.darkroom", "photo.spotting", "touching"),
    "companion.table": ("door", "outside", "ports"),
    "hw.display": ("oled", "scene"),
    "hw.keys": (),
    "web.club": ("broker", "looking", "teller"),
    "web.door": ("asgi", "guard", "portal"),
    "web.door.asgi": (),
    "web.draw": (),
    "web.hub": ("asgi", "listener"),
    "web.screen": (),
}
"""Rooms with a door: others import from the room itself. Beside it, the modules that are called by their own names:
as a second door, because their functions are read with them (`shelf.open`), or because they are heavy."""
NOT_ROOMS = ("__init__", "__main__", "README", "locale", "__pycache__")


class Target(NamedTuple):
    what: str
    measured: float
    at_most: float

    @property
    def met(self) -> bool:
        return self.measured <= self.at_most


def files(root: Path) -> Iterator[Path]:
    """Every Python file of the packages, except the firmware, which is MicroPython, the kit, which is tests, and
    compiled templates.
    """
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if not {"pico", "chips", "kit", "compiled"} & set(path.relative_to(root).parts):
                yield path


def names(root: Path) -> list[str]:
    """What lies at the root of the main package."""
    return sorted({path.stem for path in (root / "companion").iterdir()} - set(NOT_ROOMS))


def imports(root: Path) -> dict[str, int]:
    """For each module, how many of our own modules it imports, including inside functions."""
    return {name: len(found) for name, found in imported(root).items()}


def imported(root: Path) -> dict[str, set[str]]:
    known = {_module(path, root) for path in files(root)}
    return {str(path.relative_to(root)): _imported(path, root, known) for path in files(root)}


def _module(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def breaches(root: Path = ROOT) -> list[str]:
    """Imports that go around a room's door."""
    return [
        f"{name} imports {module}"
        for name, found in imported(root).items()
        for module in sorted(found)
        for room, called in DOORS.items()
        if module.startswith(f"{room}.") and not name.startswith(f"{room.replace('.', '/')}/")
        if module.removeprefix(f"{room}.") not in called
    ]


def _offered(root: Path, room: str) -> set[str]:
    """The names that the door of a room lists in `__all__`."""
    door = root / room.replace(".", "/") / "__init__.py"
    body = ast.parse(door.read_text()).body if room and door.exists() else []
    lists = [node.value for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"]
    return {name for names in lists for name in ast.literal_eval(names)}


def _imported(path: Path, root: Path, known: set[str]) -> set[str]:
    here = path.relative_to(root).with_suffix("").parts[:-1]
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else ()
            base = ".".join((*above, *([node.module] if node.module else [])))
            inner = {f"{base}.{alias.name}" for alias in node.names}
            offered = {f"{base}.{name}" for name in _offered(root, base)}  # a function may be called as its file is
            found |= inner - offered if inner - offered and inner - offered <= known else {base, *(inner - offered)}
    return found & known


def function_lengths(root: Path) -> list[int]:
    functions = (
        node
        for path in files(root)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return sorted((node.end_lineno or 0) - node.lineno + 1 for node in functions)


def lines(root: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in files(root))


def _is_door(name: str) -> bool:
    """A door exports from every file of its room, and does nothing else."""
    return name.removesuffix("/__init__.py").replace("/", ".") in DOORS


def targets(root: Path = ROOT) -> tuple[Target, ...]:
    counted = {name: count for name, count in imports(root).items() if not _is_door(name)}
    functions = function_lengths(root)
    return (
        Target("names at the root of companion/", len(names(root)), 8),
        Target("imports of our own per module", round(mean(counted.values()), 2), 4),
        Target("most imports of one module", max(counted.values()), 15),
        Target("95 % of functions have at most so many lines", quantiles(functions, n=20)[-1], 20),
        Target("lines of the longest function", functions[-1], 45),
    )


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    for target in targets(root):
        print(f"{target.what}: {target.measured:g} (at most {target.at_most:g}){'' if target.met else ' MISSED'}")
    print(f"lines: {lines(root)}")
    most = sorted(imports(root).items(), key=lambda pair: -pair[1])[:12]
    print("most imports:", ", ".join(f"{name} {count}" for name, count in most))


if __name__ == "__main__":
    main()
