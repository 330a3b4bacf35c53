"""Mutation testing: break one thing in a game's rules, and see whether its tests notice.

    python tests/campaigns/mutation.py [--game actionworks] [--short | --sample N] [--seed N] [--only PART]
        [--workers N] [--report docs/mutation.md [--again]]

The mutants are cosmic-ray's (`_mutants.py` says which are left out), trying them is ours (`_forks.py`), since its own
runner starts a new program for each. Controls, for each of the two ways to put a mutant in: the game as it is must
pass, and a game that forgets every event must not. Survivors that were looked at are listed with the reason in
tests/games/<game>/survivors.toml; in a full run any other one fails.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.campaigns._forks import Change, Forks
from tests.campaigns._mutants import ROOT, Mutant, Untouched, controls, mutants

SHORT = 8
TESTS, SHORT_TESTS = "not slow", "rule and not slow"
"""The tests that try to kill, and those of the short form, which alone kill most."""
TARGET, SAMPLE_TARGET = 0.9, 0.75
TELL_EVERY = 10.0

Reasons = dict[tuple[str, str, str], str]


class Progress:
    """Reports now and then how far it is, what a mutant costs, and how long it will take."""

    def __init__(self, size: int) -> None:
        self._size, self._begun, self._told = size, time.monotonic(), time.monotonic()

    def __call__(self, survived: dict[int, bool]) -> None:
        now = time.monotonic()
        if now - self._told < TELL_EVERY and len(survived) < self._size:
            return
        self._told = now
        left = (now - self._begun) / len(survived) * (self._size - len(survived))
        print(
            f"{len(survived):>5} of {self._size}, {sum(survived.values())} survived, "
            f"{_processor_seconds() / len(survived):.2f} processor-s each, {left / 60:.0f} min to go",
            flush=True,
        )


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def tried(game: str, chosen: Sequence[Mutant], workers: int, marked: str) -> list[Mutant]:
    """The mutants that survive. Exits the program if a control fails."""
    checks = controls(game)
    changes: list[Change] = [*chosen, *checks]
    with tempfile.TemporaryDirectory() as room:
        forks = Forks(game, changes, workers, Progress(len(changes)), Path(room), marked)
        forks.run()
    if forks.seen.failing:
        sys.exit("these tests fail without any mutant; mend them first:\n  " + "\n  ".join(forks.seen.failing))
    survived = [forks.tried.survived[number] for number in range(len(changes))]
    for control, lived in zip(checks, survived[len(chosen) :], strict=True):
        if lived != isinstance(control, Untouched):
            sys.exit(
                f"a control {'lived' if lived else 'died'} that must not, so nothing here can be believed: {control}"
            )
    return sorted(mutant for mutant, lived in zip(chosen, survived, strict=False) if lived)


def excused(game: str) -> Reasons:
    """The survivors that somebody looked at, and why each may live."""
    path = ROOT / "tests" / "games" / game.replace("-", "_") / "survivors.toml"
    if not path.exists():
        return {}
    rows = tomllib.loads(path.read_text("utf-8")).get("survivor", [])
    return {(row["file"], row["before"], row["after"]): row["why"] for row in rows}


HEAD = """\
# Mutants

Made by `tests/campaigns/mutation.py --game GAME --report docs/mutation.md`: cosmic-ray's operators on all of a game but
its player, words, pictures and plain declarations. Left out are annotations, class heads, `|` between types, caches,
and the promises `sure` and `strict`, which change no result. Each mutant meets the tests that run its line.
"""


def section(game: str, count: int, survivors: list[Mutant], reasons: Reasons) -> str:
    killed = count - len(survivors)
    lines = [
        f"## {game}",
        "",
        f"{count} mutants, {killed} killed ({killed / max(count, 1):.1%}). The survivors, and why each may live:",
        "",
        "| file | before | after | why |",
        "|---|---|---|---|",
    ]
    for mutant in survivors:
        why = reasons.get((mutant.path, *mutant.change()), "not looked at yet")
        lines.append(row(mutant) + why.replace("|", "\\|") + " |")
    return "\n".join(lines) + "\n"


def row(mutant: Mutant) -> str:
    """The beginning of its line on the page."""
    before, after = mutant.change()
    cells = (mutant.path.split("/", 3)[-1], f"`{before}`", f"`{after}`", "")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells)


def survivors_in(page: Path, every: Sequence[Mutant]) -> list[Mutant]:
    """Those in the page's table: the others were already dead."""
    told = page.read_text("utf-8")
    lines = {path: (ROOT / path).read_text("utf-8").splitlines() for path in {mutant.path for mutant in every}}
    maybe = [m for m in every if lines[m.path][m.line - 1].strip().replace("|", "\\|") in told]
    return [mutant for mutant in maybe if row(mutant) in told]


def report(path: Path, game: str, told: str) -> None:
    """Put the game's section into the page, replacing an older one."""
    old = path.read_text("utf-8") if path.exists() else ""
    parts = {part.partition("\n")[0]: part for part in re.split(r"^(?=## )", old, flags=re.MULTILINE)[1:]}
    parts[f"## {game}"] = told
    path.write_text("\n".join([HEAD, *(parts[name].rstrip("\n") + "\n" for name in sorted(parts))]), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Break one thing in a game's rules, and see whether its tests notice.")
    parser.add_argument("--game", default="actionworks")
    parser.add_argument("--short", action="store_true", help=f"try {SHORT} mutants only")
    parser.add_argument("--sample", type=int, help="try so many mutants, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only mutants of files with this in their path")
    parser.add_argument("--again", action="store_true", help="only those that survived when the page was written")
    parser.add_argument("--report", type=Path, help="write the table of survivors to this page")
    # Leaves a core for other people on the machine.
    parser.add_argument("--workers", type=int, default=1 if os.nice(0) else 2, help="so many mutants at a time")
    options = parser.parse_args()
    begun = time.monotonic()
    every = [mutant for mutant in mutants(options.game) if options.only in mutant.path]
    size = options.sample or (SHORT if options.short else len(every))
    chosen = random.Random(options.seed).sample(every, size) if size < len(every) else every
    if options.again:
        chosen = survivors_in(options.report, every)
    survivors = tried(options.game, chosen, options.workers, SHORT_TESTS if options.short else TESTS)
    reasons = excused(options.game)
    strange = [mutant for mutant in survivors if (mutant.path, *mutant.change()) not in reasons]
    for mutant in strange:
        print(f"survived  {mutant}")
    counted = len(every) if options.again else len(chosen)
    killed = 1 - len(survivors) / max(counted, 1)
    print(
        f"{options.game}: {len(chosen)} of {len(every)} mutants tried, {killed:.1%} killed, {len(survivors)} survived, "
        f"{len(strange)} of them without a reason; {time.monotonic() - begun:.0f} s, "
        f"{_processor_seconds() / max(len(chosen), 1):.2f} processor-s each"
    )
    if options.report:
        report(options.report, options.game, section(options.game, counted, survivors, reasons))
    # A handful says little: it need only show that mutants die at all.
    few_died = len(strange) > (1 - SAMPLE_TARGET) * counted
    return int(few_died) if counted < len(every) else int(bool(strange) or killed < TARGET)


if __name__ == "__main__":
    sys.exit(main())
