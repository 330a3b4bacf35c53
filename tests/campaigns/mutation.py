"""Mutation testing: break one thing in a game's rules, and see whether its tests notice.

    python tests/campaigns/mutation.py [--game actionworks] [--short] [--sample N] [--seed N] [--report FILE]

The mutants are cosmic-ray's; running them is ours, because its own runner goes one by one in the tree itself. Here two
workers each have a copy of the tree. Mutants that no test could ever notice are left out, by name: see `is_idle`.
Survivors that were looked at are listed with the reason in tests/games/<game>/survivors.toml; in a full run any other
one fails.
"""

from __future__ import annotations

import argparse
import ast
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MUTATED = ("rules/*.py", "stack.py", "state.py", "fold.py", "lay.py", "decide.py", "rules.py")
COPIED = ("companion", "hw", "tests", "hatch_build.py", "pyproject.toml")
QUICK = (
    "setup",
    "turn",
    "effects",
    "together",
    "round_end",
    "corrections",
    "views",
    "coverage",
    "decisions",
    "edges",
    "rules",
)
NAMES = "not has_a_test and not would_be_noticed and not run_on"
WORKERS, SECONDS, SHORT = 2, 60, 8
TARGET, SAMPLE_TARGET = 0.9, 0.75


class Mutant(NamedTuple):
    """One change: occurrence number `at` of an operator in a file, on a line of it."""

    path: str
    operator: str
    at: int
    line: int

    def source(self) -> str:
        from cosmic_ray import plugins
        from cosmic_ray.mutating import mutate_code

        return str(mutate_code((ROOT / self.path).read_text("utf-8"), plugins.get_operator(self.operator)(), self.at))

    def change(self) -> tuple[str, str]:
        """The line before and after it."""
        before = (ROOT / self.path).read_text("utf-8").splitlines()
        pairs = zip(before, self.source().splitlines(), strict=False)
        was, becomes = next(((a, b) for a, b in pairs if a != b), ("", ""))
        return was.strip(), becomes.strip()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'  →  '.join(self.change())}"


def mutants(game: str) -> Iterator[Mutant]:
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    operators = {
        name: cls() for name in plugins.operator_names() if not (cls := plugins.get_operator(name)).arguments()
    }
    folder = ROOT / "companion" / "games" / game.replace("-", "_")
    for path in sorted({path for pattern in MUTATED for path in folder.glob(pattern)}):
        source = path.read_text("utf-8")
        idle, lines, nodes = idle_spans(source), source.splitlines(), list(ast_nodes(get_ast(source)))
        for name, operator in operators.items():
            places = (start for node in nodes for start, _ in operator.mutation_positions(node))
            for at, (line, column) in enumerate(places):
                if not is_idle(name, (line, column), idle, lines[line - 1]):
                    yield Mutant(str(path.relative_to(ROOT)), name, at, line)


Span = tuple[tuple[int, int], tuple[int, int]]


def idle_spans(source: str) -> list[Span]:
    """Where nothing is ever run: annotations, and the heads of classes."""
    spans: list[Span] = []
    for node in ast.walk(ast.parse(source)):
        notes: list[ast.expr | None] = []
        match node:
            case ast.arg() | ast.AnnAssign():
                notes = [node.annotation]
            case ast.FunctionDef():
                notes = [node.returns]
            case ast.ClassDef():
                notes = [*node.bases, *(keyword.value for keyword in node.keywords)]
        spans += [_span(note) for note in notes if note is not None]
    return spans


def _span(node: ast.expr) -> Span:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def is_idle(operator: str, at: tuple[int, int], idle: list[Span], line: str) -> bool:
    """Whether no test could notice: types (every `|` here joins types), class heads, `is` for equal
    values that Python may or may not share, and promises made for speed alone.
    """
    return (
        "BitOr" in operator
        or operator.endswith(("_Is", "_IsNot"))
        or any(start <= at < end for start, end in idle)
        or UNPACKS.search(line[: at[1]]) is not None
        or "lru_cache" in line
        or "strict=True" in line[at[1] - 7 : at[1] + 4]
        or "sure=True" in line[at[1] - 5 : at[1] + 4]
    )


UNPACKS = re.compile(r"(^|[(\[,{])\s*$")
"""What stands before a `*` that unpacks or separates, and before nothing else that an operator could stand after."""


class Workshop:
    """A copy of the tree in which one mutant at a time is tried, and a process there with all but the game loaded."""

    def __init__(self, game: str, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in COPIED:
            here = ROOT / name
            ignored = shutil.ignore_patterns("__pycache__", "*.png")
            shutil.copytree(here, folder / name, ignore=ignored) if here.is_dir() else shutil.copy(here, folder / name)
        tests = folder / "tests" / "games" / game
        self.quick = [str(p) for name in QUICK for p in sorted(tests.glob(f"test_*_{name}.py"))]
        self.slow = [str(folder / "tests" / "contract" / "test_contract_play.py")]
        self.slow += [str(p) for p in sorted(tests.glob("test_*_playouts.py"))]
        self._tester = subprocess.Popen(
            [sys.executable, __file__, "--serve", "--game", game],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def passes(self, tests: list[str]) -> bool:
        """Whether the tests are content; a run that never ends is not."""
        assert self._tester.stdin is not None
        assert self._tester.stdout is not None
        self._tester.stdin.write(" ".join(tests) + "\n")
        self._tester.stdin.flush()
        return self._tester.stdout.readline().strip() == "passed"

    def survives(self, mutant: Mutant) -> bool:
        path = self.folder / mutant.path
        source = path.read_text("utf-8")
        try:
            path.write_text(mutant.source(), "utf-8")
            return self.passes(self.quick) and self.passes(self.slow)
        finally:
            path.write_text(source, "utf-8")

    def close(self) -> None:
        self._tester.communicate()


def serve(game: str) -> None:
    """Run the tests named on each line of the input in a fork of this process, which has everything heavy loaded."""
    import hypothesis.extra  # noqa: F401
    import pytest

    import hatch_build  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            signal.alarm(SECONDS)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            wanted = f"{NAMES} and {game}"
            os._exit(pytest.main([*OPTIONS, "-k", wanted, *line.split()], plugins=[NoShrinking()]))
        _, status = os.waitpid(child, 0)
        print("passed" if status == 0 else "failed", flush=True)


OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--assert=plain", "--hypothesis-seed=1")


class NoShrinking:
    """A mutant is dead at the first example that kills it; nobody needs the smallest."""

    def pytest_configure(self) -> None:
        from hypothesis import Phase, settings

        usual, phases = settings.get_profile("table"), (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", usual, phases=phases, database=None)
        settings.load_profile("mutants")


def excused(game: str) -> dict[tuple[str, str, str], str]:
    """The survivors that somebody looked at, and why each may live."""
    path = ROOT / "tests" / "games" / game / "survivors.toml"
    if not path.exists():
        return {}
    rows = tomllib.loads(path.read_text("utf-8")).get("survivor", [])
    return {(row["file"], row["before"], row["after"]): row["why"] for row in rows}


class Campaign:
    """Workers that try mutants from one queue."""

    def __init__(self, chosen: list[Mutant]) -> None:
        self.size, self.done = len(chosen), 0
        self.survivors: list[Mutant] = []
        self._waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
        for mutant in chosen:
            self._waiting.put(mutant)

    def work(self, shop: Workshop) -> None:
        while not self._waiting.empty():
            with suppress(queue.Empty):
                self._try(shop, self._waiting.get_nowait())

    def _try(self, shop: Workshop, mutant: Mutant) -> None:
        if shop.survives(mutant):
            self.survivors.append(mutant)
            print(f"survived  {mutant}", flush=True)
        self.done += 1
        if self.done % 50 == 0:
            print(f"{self.done} of {self.size}, {len(self.survivors)} survived", flush=True)


def run(chosen: list[Mutant], game: str) -> list[Mutant]:
    """The mutants that survive."""
    campaign = Campaign(chosen)
    with tempfile.TemporaryDirectory() as room:
        shops = [Workshop(game, Path(room, str(number))) for number in range(WORKERS)]
        threads = [threading.Thread(target=campaign.work, args=(shop,)) for shop in shops]
        try:
            if not (shops[0].passes(shops[0].quick) and shops[0].passes(shops[0].slow)):
                sys.exit("the tests fail without any mutant: mend them first")
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            for shop in shops:
                shop.close()
    return sorted(campaign.survivors)


def report(game: str, tried: int, survivors: list[Mutant], reasons: dict[tuple[str, str, str], str]) -> str:
    killed = tried - len(survivors)
    lines = [
        f"# Mutants of {game}",
        "",
        "Made by `tests/campaigns/mutation.py`: cosmic-ray's operators on the rules, the stack, the state, the fold",
        "and the decisions of the game; left out are annotations, class heads, `|` between types, and the promises",
        "`sure` and `strict` that change no result. Each mutant meets the rule tests and, if it lives, random play",
        "with the second referee.",
        "",
        f"{tried} mutants, {killed} killed ({killed / max(tried, 1):.1%}). The survivors, and why each may live:",
        "",
        "| file | before | after | why |",
        "|---|---|---|---|",
    ]
    for mutant in survivors:
        before, after = mutant.change()
        why = reasons.get((mutant.path, before, after), "not looked at yet")
        cells = (mutant.path.split("/", 3)[-1], f"`{before}`", f"`{after}`", why)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Break one thing in a game's rules, and see whether its tests notice.")
    parser.add_argument("--game", default="actionworks")
    parser.add_argument("--short", action="store_true", help=f"try {SHORT} mutants only")
    parser.add_argument("--sample", type=int, help="try so many mutants, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only mutants of files with this in their path")
    parser.add_argument("--report", type=Path, help="write the table of survivors to this file")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.game)
        return 0
    begun = time.monotonic()
    chosen = [mutant for mutant in mutants(options.game) if options.only in mutant.path]
    made = len(chosen)
    size = options.sample or (SHORT if options.short else made)
    if size < made:
        chosen = random.Random(options.seed).sample(chosen, size)
    survivors = run(chosen, options.game)
    reasons = excused(options.game)
    strange = [m for m in survivors if (m.path, *m.change()) not in reasons]
    killed = 1 - len(survivors) / max(len(chosen), 1)
    print(
        f"{options.game}: {len(chosen)} of {made} mutants tried, {killed:.1%} killed, {len(survivors)} survived, "
        f"{len(strange)} of them without a reason; {time.monotonic() - begun:.0f} s"
    )
    if options.report:
        options.report.write_text(report(options.game, len(chosen), survivors, reasons), "utf-8")
    # A handful says little: it must only show that mutants die at all.
    return int(killed < SAMPLE_TARGET) if size < made else int(bool(strange) or killed < TARGET)


if __name__ == "__main__":
    sys.exit(main())
