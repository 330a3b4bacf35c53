"""The register of faults: each has a name, says what it does and how it is known to be over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from companion.app.prove.evening import Evening

Befalls: TypeAlias = Callable[[Evening], None]
"""Does it, and returns when everything is well again; raises where it never is, and NotNow where it cannot be done."""


class NotNow(Exception):
    """There is nothing to spoil: the game is over, say, or nobody else sits there."""


class Fault(Struct, frozen=True):
    name: str
    does: str
    is_over: str
    befalls: Befalls
    in_club: bool = False
    """Whether it befalls only tables that are shown at a club."""


FAULTS: Final[dict[str, Fault]] = {}


def fault(name: str, does: str, is_over: str, *, in_club: bool = False) -> Callable[[Befalls], Befalls]:
    """Put a fault into the register. Other rooms may add theirs: whatever is in it befalls evenings."""

    def put(befalls: Befalls) -> Befalls:
        assert name not in FAULTS, f"two faults are called {name}"
        FAULTS[name] = Fault(name, does, is_over, befalls, in_club)
        return befalls

    return put


def befall(evening: Evening, name: str) -> None:
    """Let it happen, and note that it was survived and how long it took until all was well.

    What could not be done is not counted, and nothing befalls a game that is over: one that is started long after its
    end opens the next.
    """
    if evening.is_over:
        return
    begun = time.monotonic()
    evening.befell.append((int(evening.record.now().seq), name))
    evening.is_calm = False
    try:
        FAULTS[name].befalls(evening)
    except NotNow:
        evening.befell.pop()
        return
    finally:
        evening.is_calm = True
    evening.survived[name] += 1
    evening.recovered[name].append(round(time.monotonic() - begun, 3))
