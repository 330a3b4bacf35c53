"""An evening that failed as a table script, with what befell it; played again through the whole program, made small."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from companion.app.script import Script
from companion.app.script.names import Named
from companion.core import CompanionError, Intent

from .checks import Played, acts_of
from .plan import Plan

BEFELL: Final = re.compile(r"# fault ([a-z-]+)")
MOST_TRIES: Final = 24
"""So often a script is played again to be made smaller."""


def written(played: Played, until: int, befell: list[tuple[int, str]], why: str) -> str:
    """The evening up to an entry. A fault is a comment: `companion prove --again` lets it happen."""
    referee, game = played.referee, played.kit.game
    names = tuple(chair.name for chair in referee.at.chairs)
    head = [f"# {line}" for line in why.splitlines()]
    head += [f"game {game.id}", f"seats {', '.join(names)}", "chance scripted", ""]
    return "\n".join([*head, *_lines(played, Named(game, referee.setup, names), until, befell), ""])


def _lines(played: Played, named: Named, until: int, befell: list[tuple[int, str]]) -> Iterator[str]:
    coming = list(befell)
    for seq, intent in acts_of(played):
        while coming and coming[0][0] < seq:
            yield f"# fault {coming.pop(0)[1]}"
        yield _line(named, intent)
        if seq >= until > 0:
            return
    yield from (f"# fault {name}" for _, name in coming)


def _line(named: Named, intent: Intent) -> str:
    """An act as a line; one that no line can say is a comment."""
    try:
        who = "table" if intent.actor < 0 else f"phone {named.seat_name(intent.actor)}"
        return f"{who} does {named.line_of(intent)}"
    except (CompanionError, LookupError, ValueError):
        return f"# {intent}"


Step = Intent | str
"""What is done next: an act, or a fault by its name."""


def steps(script: Script, text: str) -> tuple[list[Step], list[Step]]:
    """What chance brings before anybody acts, and all that is done after that."""
    deeds = {line.number: line.deed for line in script.lines}
    found: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        deed: Any = deeds.get(number)
        if befell := BEFELL.fullmatch(line.strip()):
            found.append(befell[1])
        elif isinstance(act := getattr(deed, "intent", getattr(deed, "outcome", None)), Intent):
            found.append(act)
    first = next((n for n, step in enumerate(found) if isinstance(step, str) or step.actor >= 0), len(found))
    return found[:first], found[first:]


def plan_of(script: Script, seed: int) -> Plan:
    header = script.header
    return Plan(seed, str(header.game.id), header.names, mat="" if header.mat is None else header.mat.name)


def raw(step: Step) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(step))


def shrunk(text: str, still_fails: Callable[[str], bool], tries: int = MOST_TRIES) -> str:
    """The script without all that it does not need to fail, as far as so many tries find out."""
    head, body = _parted(text)
    size = max(1, len(body) // 2)
    while body and tries > 0:
        for start in range(len(body) - size, -1, -size):
            fewer = body[:start] + body[start + size :]
            tries -= 1
            if still_fails("\n".join((*head, *fewer, ""))):
                body = fewer
            if tries <= 0:
                break
        if size == 1:
            break
        size //= 2
    return "\n".join((*head, *body, ""))


def _parted(text: str) -> tuple[list[str], list[str]]:
    lines = text.splitlines()
    at = lines.index("") + 1
    return lines[:at], lines[at:]
