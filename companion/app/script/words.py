"""A line as words: quotes keep words together, commas separate, `# ` begins a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from companion.core import CompanionError
from companion.library import nearest

_WORD: Final = re.compile(r'((?:[^\s,"]|"[^"]*")+)|(")')
_QUOTED_OR_COMMENT: Final = re.compile(r'"[^"]*"|(?<!\S)#(?=\s|$)')


class ScriptProblem(Struct, frozen=True):
    """One thing that is wrong with a script, and where."""

    file: str
    line: int
    what: str

    def told(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class ScriptError(CompanionError, ValueError):
    """The script cannot be run; `problems` has everything that is wrong with it."""

    def __init__(self, problems: Iterable[ScriptProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.told() for problem in self.problems))


class Unreadable(CompanionError, ValueError):
    """What is wrong with one line; the reader of the file adds the line's number."""


def bare(line: str) -> str:
    """A line without its comment, which begins with a `#` that stands alone."""
    for found in _QUOTED_OR_COMMENT.finditer(line):
        if found[0] == "#":
            return line[: found.start()].strip()
    return line.strip()


def words_of(line: str) -> tuple[str, ...]:
    """The words of a line; commas are left out."""
    words: list[str] = []
    for found in _WORD.finditer(line):
        if found[2]:
            raise Unreadable('a quotation mark (") is not closed; close it in the same line')
        words.append(found[1].replace('"', ""))
    return tuple(words)


def listed(line: str) -> tuple[str, ...]:
    """What is between the commas of a line, without quotation marks."""
    return tuple(part.strip().strip('"').strip() for part in line.split(","))


def quoted(name: str) -> str:
    """A name as one word."""
    return f'"{name}"' if re.search(r"[\s,#=]", name) else name


def unknown(what: str, word: str, known: Iterable[str]) -> Unreadable:
    """There is no such thing; says what may have been meant."""
    names = list(known)
    guess = nearest(word, names)
    more = f"did you mean {guess!r}?" if guess else f"there are: {', '.join(names[:12]) or 'none'}"
    return Unreadable(f"no {what} {word!r}; {more}")
