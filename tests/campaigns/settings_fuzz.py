"""Whatever stands where a form should be, it is read or its faults are named: never a traceback, never a changed byte.

    python tests/campaigns/settings_fuzz.py [--cases N] [--short] [--seed N]

The forms that people write are the settings, the box's Wi-Fi, the tagbook and a pack. Good ones are bent at random:
values of other kinds, numbers without end, tables in tables, keys twice, bytes of other encodings, rubbish, or a
folder, a pipe, a link to nowhere and a file without permission in its place. Each case ends in a form that says the
same when it is written and read again, or in an error of ours in which every line names the file and where in it.
Settings that are read must also start readers: their names are told over the wire.
Control: the way of reading before, without an eye for numbers and tables that no message can show.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app import hotspot
from companion.core import GameId, PieceId, SeatId, Uid
from companion.library import TAGS, FormError, PieceTag, SeatTag, Tagbook, packs, settings, shelf, toml_forms
from companion.library.toml_forms import Problem
from firmware_bridge import wire
from tests.campaigns._leaks import patched

TIMELINE: Final = Path(__file__).parents[2] / "companion/games/timeline/pack/pack.toml"
LONGEST: Final = 5.0
"""Seconds of work for one case."""
NOBODY: Final = 65534
VALUES: Final = (
    "true", "-1", "0", "1e400", "nan", "-inf", "9" * 5000, "0x" + "F" * 5000, "''", '"\\u0000\\u202e\\u009b"',
    '"' + "x" * 100_000 + '"', "[]", "{}", "[[], {}]", "1979-05-27T07:32:00Z", "1979-13-99", "07:32:00",
    "[" * 2000, "[" * 40 + "]" * 40, "{ a = " * 40 + "1" + " }" * 40, '"""', "0x", "1_000", '"left"', '"zone"', "∞",
)  # fmt: skip
LINES: Final = (
    *(f"{key}{'.a' * 5000} = 1" for key in ("port", "readers", "name", "x")),
    *(f"{key} = {value}" for key in ("port", "hosts", "language", "name", "password") for value in VALUES[:9]),
    '[readers."Left !"]\nkind = "wand"', '[readers.""]\nkind = "wand"', "[[readers]]", "readers = {}",
    "[oled]\nport = 99",
    "\n".join(f'[readers.r{n}]\nkind = "wand"' for n in range(70)), '[readers.a]\nkind = "zone"\nplace = 3',
    f'[readers.{"x" * 200}]\nkind = "wand"', '"" = 1', "= 1", "[", "[]", '["a"."b"]', "a.b = 1\na = 2",
)  # fmt: skip


class Form(Struct, frozen=True):
    """One form: a good one, the name of its file, how it is read, and how the result is written back."""

    name: str
    file: str
    good: str
    read: Callable[[Path], Any]
    text: Callable[[Any], str]


def forms() -> tuple[Form, ...]:
    pack = shelf.open("timeline").pack
    tags = Tagbook(
        tags={Uid("04C0FFEE"): PieceTag(GameId("timeline"), PieceId("x")), Uid("04C0FFED"): SeatTag(SeatId(0))}
    )
    return (
        Form(
            "settings",
            settings.SETTINGS,
            settings.described_settings(),
            settings.load_settings,
            settings.described_settings,
        ),
        Form("hotspot", hotspot.FILE, 'name = "Table"\npassword = "ABCDEFGH23"\n', hotspot.load, _wifi),
        Form("tagbook", TAGS, tags.text(), lambda data: Tagbook.load(data / TAGS), Tagbook.text),
        Form("pack", packs.HEAD_FILE, _one_pack(), lambda data: packs.load(data, pack), lambda _pack: ""),
    )


def _one_pack() -> str:
    return "\n".join(path.read_text() for path in (TIMELINE, TIMELINE.with_name("faces.toml")))


def _wifi(found: hotspot.Hotspot) -> str:
    with tempfile.TemporaryDirectory() as folder:
        hotspot.save(Path(folder), found)
        return (Path(folder) / hotspot.FILE).read_text()


class Wrong(Exception):
    """A form was neither read nor were its faults named."""


# How a form can be bent


def a_value(text: str, dice: random.Random) -> bytes:
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    key, mark, _ = lines[at].partition("=")
    lines[at] = f"{key}{mark} {dice.choice(VALUES)}"
    return "\n".join(lines).encode()


def a_line(text: str, dice: random.Random) -> bytes:
    lines = text.split("\n")
    lines.insert(dice.randrange(len(lines) + 1), dice.choice(LINES))
    return "\n".join(lines).encode()


def only_a_line(_text: str, dice: random.Random) -> bytes:
    return dice.choice(LINES).encode()


def lines_moved(text: str, dice: random.Random) -> bytes:
    lines = text.split("\n")
    return "\n".join(dice.choices(lines, k=dice.randrange(2 * len(lines)))).encode()


def letters(text: str, dice: random.Random) -> bytes:
    content = bytearray(text.encode())
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(content))
        content[at : at + dice.randrange(2)] = dice.randbytes(dice.randrange(3))
    return bytes(content)


def encoded(text: str, dice: random.Random) -> bytes:
    return f"{text}# é".encode(dice.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32", "utf-16-be")), "replace")


def rubbish(_text: str, dice: random.Random) -> bytes:
    return dice.randbytes(dice.randrange(4000))


def cut(text: str, dice: random.Random) -> bytes:
    return text.encode()[: dice.randrange(len(text))]


BENDS: Final = (a_value, a_value, a_line, only_a_line, lines_moved, letters, encoded, rubbish, cut)


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_link_to_nowhere(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def a_ring(path: Path) -> None:
    path.symlink_to(path)


def a_file_without_end(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_file_for_nobody(path: Path) -> None:
    path.write_text("x = 1")
    path.chmod(0)


def in_a_folder_for_nobody(path: Path) -> None:
    path.write_text("x = 1")
    path.parent.chmod(0)


PLACES: Final = (
    a_folder, a_pipe, a_link_to_nowhere, a_ring, a_file_without_end, a_file_for_nobody, in_a_folder_for_nobody
)  # fmt: skip


# What must come of it


def judged(form: Form, data: Path) -> str:
    """How reading it ended; Wrong unless that is one of the two acceptable ways."""
    begun = time.process_time()
    try:
        found = form.read(data)
    except FormError as error:
        check_error(form, error)
        return "named"
    except Exception as error:
        raise Wrong(f"{type(error).__name__}: {str(error)[:200]}") from error
    finally:
        if time.process_time() - begun > LONGEST:
            raise Wrong(f"it took {time.process_time() - begun:.0f} s")
    if found is not None:
        check_found(form, found)
    return "read"


def check_error(form: Form, error: FormError) -> None:
    *lines, then = str(error).splitlines()
    if not lines or not then:
        raise Wrong(f"nothing is named: {error}")
    for problem in error.problems:
        if not problem.key or not problem.expected:
            raise Wrong(f"a line without a place or a cure: {problem.line()!r}")
        if not problem.line().startswith(f"{form.file}: "):
            raise Wrong(f"a line without its file: {problem.line()[:200]!r}")
        if len(problem.line()) > 1000 or not problem.line().isprintable():
            raise Wrong(f"a line that cannot be shown: {problem.line()[:200]!r}")


def check_found(form: Form, found: Any) -> None:
    """It says the same when written and read again, and its readers can be named over the wire."""
    text = form.text(found)
    if text:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / form.file).write_text(text, encoding="utf-8")
            again = form.read(Path(folder))
            if form.text(again) != text:
                raise Wrong("written and read again it is another one")
    if isinstance(found, settings.Settings):
        wire.Sender("f", "b", "0001", list(found.readers))


def bent(form: Form, data: Path, dice: random.Random) -> str:
    content = dice.choice(BENDS)(form.good, dice)
    path = data / form.file
    path.write_bytes(content)
    ended = judged(form, data)
    if path.read_bytes() != content:
        raise Wrong("the file was changed")
    return ended


def misplaced(form: Form, data: Path, how: Callable[[Path], None]) -> str:
    """In a separate process, running as nobody if we are root."""
    how(data / form.file)
    child = os.fork()
    if child == 0:
        signal.alarm(int(2 * LONGEST))  # waiting for a pipe would last forever
        os.setegid(NOBODY) if os.geteuid() == 0 else None
        os.seteuid(NOBODY) if os.geteuid() == 0 else None
        try:
            judged(form, data)
        except Wrong as wrong:
            print(f"{how.__name__}: {wrong}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        raise Wrong(f"{how.__name__} in its place")
    return "misplaced"


@contextlib.contextmanager
def room() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        for each in (Path(folder), data):
            each.chmod(0o777)
        try:
            yield data
        finally:
            data.chmod(0o777)


def run(cases: int, seed: int) -> tuple[Counter[str], list[str]]:
    tally, wrong = Counter[str](), []
    every = forms()
    for form in every:
        for how in PLACES:
            with room() as data:
                try:
                    tally[misplaced(form, data, how)] += 1
                except Wrong as error:
                    wrong.append(f"{form.name}: {error}")
    for case in range(cases):
        form, dice = every[case % len(every)], random.Random(f"{seed} {case}")
        with room() as data:
            try:
                tally[bent(form, data, dice)] += 1
            except Wrong as error:
                wrong.append(f"case {case}, {form.name}: {error}")
    return tally, wrong


def as_before() -> contextlib.ExitStack:
    """The old way of showing and reading: numbers and tables that no message can show raised an exception."""

    def shown(value: Any) -> str:
        text = json.dumps(value, ensure_ascii=False, default=str)
        return text if len(text) <= 60 else text[:57] + "..."

    def parse_toml(text: str, called: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        try:
            return tomllib.loads(text), ()
        except tomllib.TOMLDecodeError as error:
            return {}, (Problem(called, str(error), "", "expected TOML"),)

    stack = contextlib.ExitStack()
    for name, value in (("shown", shown), ("parse_toml", parse_toml)):
        stack.enter_context(patched(toml_forms, name, value))
    return stack


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--short", action="store_true", help="400 cases")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cases = 400 if options.short else options.cases
    tally, wrong = run(cases, options.seed)
    with as_before():
        _, before = run(min(cases, 400), options.seed)
    print(
        f"{cases} bent forms: {tally['read']} were read, {tally['named']} had their faults named; "
        f"{tally['misplaced']} other things in their place; {len(wrong)} wrong. "
        f"Control, as it was read before: {f'{len(before)} caught' if before else 'NOT CAUGHT'}."
    )
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    return 1 if wrong or not before else 0


if __name__ == "__main__":
    sys.exit(main())
