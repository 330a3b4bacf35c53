"""The mutants of a game: cosmic-ray's, without those that no test could ever notice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
NOT_RULES = ("__init__.py", "bot.py", "bot/*", "views/*", "events.py", "events/*", "rules/intents.py")
"""What is left alone: the game's table of contents, its player, its words and pictures, and plain declarations."""


class Mutant(NamedTuple):
    """One change: occurrence number `at` of an operator in a file, on one of its lines."""

    path: str
    operator: str
    at: int
    line: int
    is_late: bool = False

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


class Forgetful(NamedTuple):
    """A control: a function that forgets everything and returns its first argument."""

    path: str
    name: str
    line: int
    is_late: bool

    def source(self) -> str:
        tree = ast.parse((ROOT / self.path).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == self.name:
                node.body = [ast.Return(ast.Name(node.args.args[0].arg, ast.Load()))]
        return ast.unparse(ast.fix_missing_locations(tree))


class Untouched(NamedTuple):
    """A control: an unchanged file."""

    path: str
    line: int
    is_late: bool

    def source(self) -> str:
        return (ROOT / self.path).read_text("utf-8")


def controls(game: str) -> tuple[Untouched | Forgetful, ...]:
    """For each way of putting a change in, one that must survive and one that must die: the game's fold as it is,
    and without a memory.
    """
    path = str((game_folder(game) / "fold.py").relative_to(ROOT))
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    apply = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "apply")
    line = apply.body[-1].lineno
    return tuple(
        control
        for late in (False, True)
        for control in (Untouched(path, line, late), Forgetful(path, "apply", line, late))
    )


def game_folder(game: str) -> Path:
    return ROOT / "companion" / "games" / game.replace("-", "_")


def mutants(game: str) -> Iterator[Mutant]:
    """All of them, in the order of their files."""
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    operators = {
        name: cls() for name in plugins.operator_names() if not (cls := plugins.get_operator(name)).arguments()
    }
    folder = game_folder(game)
    spared = {path for pattern in NOT_RULES for path in folder.glob(pattern)}
    for path in sorted(set(folder.rglob("*.py")) - spared):
        source = path.read_text("utf-8")
        idle, lines, nodes = _idle_spans(source), source.splitlines(), list(ast_nodes(get_ast(source)))
        for name, operator in operators.items():
            places = (start for node in nodes for start, _ in operator.mutation_positions(node))
            for at, (line, column) in enumerate(places):
                if not _is_idle(name, (line, column), idle, lines[line - 1]):
                    yield Mutant(str(path.relative_to(ROOT)), name, at, line)


Span = tuple[tuple[int, int], tuple[int, int]]


def _idle_spans(source: str) -> list[Span]:
    """Code that never runs: annotations, and the heads of classes."""
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


def _is_idle(operator: str, at: tuple[int, int], idle: list[Span], line: str) -> bool:
    """Whether no test could notice: types (every `|` here joins types), class heads, `is` for equal values that
    Python may or may not share, caches, and promises made only for speed.
    """
    return (
        "BitOr" in operator
        or operator.endswith(("_Is", "_IsNot"))
        or any(start <= at < end for start, end in idle)
        or _UNPACKS.search(line[: at[1]]) is not None
        or re.search(r"@(functools\.)?(lru_)?cache\b", line) is not None
        or "strict=True" in line[at[1] - 7 : at[1] + 4]
        or "sure=True" in line[at[1] - 5 : at[1] + 4]
    )


_UNPACKS = re.compile(r"(^|[(\[,{])\s*$")
"""What precedes a `*` that unpacks or separates, and nothing else that an operator could follow."""


def same_statement(path: str, line: int) -> frozenset[int]:
    """The lines of the statement that a line belongs to, without those of nested statements."""
    owner = _owners(path)
    mine = owner.get(line)
    return frozenset(number for number, statement in owner.items() if statement == mine) or frozenset((line,))


@cache
def _owners(path: str) -> dict[int, int]:
    owner: dict[int, int] = {}
    # Outer ones come first, so that each line ends up with the innermost.
    for number, node in enumerate(ast.walk(ast.parse((ROOT / path).read_text("utf-8")))):
        if isinstance(node, ast.stmt):
            owner.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), number))
    return owner
