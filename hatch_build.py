"""The build step: every `.po` file of the packages gets its `.mo` beside it, every template of the pages its module.

Hatchling runs it for wheels and for editable installs. In between, `python hatch_build.py` does the same by hand.
"""

from __future__ import annotations

import io
import re
import runpy
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("companion", "firmware_bridge", "hw", "web")
FOLDERS = ("locale", "texts")
# When a wheel is built, the library's door can't be imported yet because its dependencies are missing; this file
# has none.
printed: Callable[[str, str], str] = runpy.run_path(str(Path(__file__).parent / "companion/library/po.py"))["printed"]
_UNQUOTED = re.compile(r'^(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+(?!".*"$).*$', re.MULTILINE)
_NEVER = datetime.fromtimestamp(0, UTC)
"""Compiled files contain the time they were made; the same texts must always give the same bytes."""
_ENTRY = re.compile(r'^(?:msgctxt "(?P<context>.*)"\n)?msgid "(?P<key>.+)"$', re.MULTILINE)


class BadTexts(ValueError):
    """Texts that cannot be compiled; lists every problem."""


class TextsHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_texts(Path(self.root), always=True)
        compile_templates(Path(self.root))


def sources(root: Path) -> tuple[Path, ...]:
    """Every `.po` file of the packages under `root`."""
    found = (path for package in PACKAGES for path in (root / package).rglob("*.po"))
    return tuple(sorted(path for path in found if path.parent.name in FOLDERS))


def compile_texts(root: Path, *, always: bool = False) -> tuple[Path, ...]:
    """Write the `.mo` files that are missing or older than their source or this step, or all of them.

    Raises BadTexts with every problem.
    """
    problems: list[str] = []
    written = []
    for path in sources(root):
        target = path.with_suffix(".mo")
        newest = max(path.stat().st_mtime, Path(__file__).stat().st_mtime)
        if always or not target.exists() or target.stat().st_mtime <= newest:
            catalog, found = read_texts(path)
            problems += (f"{path.relative_to(root)}: {problem}" for problem in found)
            if not found:
                _write(catalog, target)
                written.append(target)
    if problems:
        raise BadTexts("texts that cannot be compiled; repair these lines:\n  " + "\n  ".join(problems))
    return tuple(written)


def compile_templates(root: Path) -> list[Path]:
    """Write the modules of templates that are missing; a folder without pages has none."""
    compiling = root / "web/draw/compiled.py"
    return runpy.run_path(str(compiling))["compile_all"]() if compiling.exists() else []


def read_texts(path: Path) -> tuple[Catalog, list[str]]:
    """The texts of one file, and what is wrong with them."""
    text = path.read_text(encoding="utf-8")
    unquoted = [f"{line!r} wants its text between quotation marks" for line in _UNQUOTED.findall(text)]
    if unquoted:
        return Catalog(), unquoted
    try:
        catalog = read_po(io.StringIO(text), locale=path.stem, abort_invalid=True)
    except (PoFileError, ValueError, IndexError) as error:
        return Catalog(), [str(error)]
    catalog.creation_date = _NEVER
    twice = Counter((m["context"] or "", m["key"]) for m in _ENTRY.finditer(text))
    problems = [f"{_called(context, key)} is there {n} times; keep one" for (context, key), n in twice.items() if n > 1]
    for message in catalog:
        if message.id:
            problems += _problems(message)
            message.string = _printed(message.string, path.stem)
    return catalog, problems


def _printed(told: Any, lang: str) -> Any:
    if isinstance(told, tuple):
        return tuple(_printed(one, lang) for one in told)
    return printed(told, lang)


def _problems(message: Any) -> list[str]:
    key = message.id[0] if isinstance(message.id, tuple) else message.id
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    called = f"line {message.lineno}: {_called(message.context or '', key)}"
    problems = [f"{called} has no text" for string in strings if not string]
    for string in strings:
        try:
            asked = [(name, spec or "") for _, name, spec, _ in Formatter().parse(string) if name is not None]
        except ValueError as error:
            problems.append(f"{called}: {error} in {string!r}")
        else:
            problems += [f"{called}: {{{name}}} is no plain fact name" for name, _ in asked if not name.isidentifier()]
            problems += [
                f"{called}: {{{name}:{spec}}} wants two words, for one and for many: {{{name}:card|cards}}"
                for name, spec in asked
                if not _is_understood(spec)
            ]
    return problems


def _is_understood(spec: str) -> bool:
    """Whether it is one word for one and another for many, or else a number format that Python knows."""
    if "|" in spec:
        return spec.count("|") == 1
    try:
        format(1, spec)
    except ValueError:
        return False
    return True


def _called(context: str, key: str) -> str:
    return f"{key!r} ({context})" if context else f"{key!r}"


def _write(catalog: Catalog, target: Path) -> None:
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    # Anybody reading right now sees the old file or the new one, never half of one.
    fresh = target.with_suffix(".mo.new")
    fresh.write_bytes(buffer.getvalue())
    fresh.replace(target)


if __name__ == "__main__":
    try:
        made = compile_texts(Path(__file__).parent)
    except BadTexts as error:
        sys.exit(str(error))
    pages = compile_templates(Path(__file__).parent)
    sys.stderr.write(f"{len(made)} files of texts and {len(pages)} templates compiled\n")
