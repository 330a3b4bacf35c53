"""One evening put to the proof: played, then held against its record."""

from __future__ import annotations

import contextlib
import random
import shutil
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.core import PUBLIC, CompanionError

from .checks import Failure, not_once, opened, told_otherwise, wrongly_ruled
from .club_told import published
from .evening import Evening, room
from .faults import FAULTS, Granted, befall
from .leaks import leaked
from .orders import Plant
from .plan import Plan
from .scripts import written

SCRIPT: Final = "script.txt"
SHORT_GAME: Final = 30
"""Acts after which many a game is over: until then all that befalls an evening should have befallen it."""


class Outcome(Struct, frozen=True):
    """What came of one evening."""

    seed: int
    game: str
    acts: int = 0
    is_over: bool = False
    sent: int = 0
    """Bytes that phones were sent."""
    survived: dict[str, int] = {}
    recovered: dict[str, tuple[float, ...]] = {}
    """Seconds until everything was well again, after each fault."""
    failures: tuple[Failure, ...] = ()
    published: int = 0
    """Messages that a club was sent; 0 where it was in none."""
    photos: int = 0
    """Photos of printed codes that phones have sent, as far as they were read."""
    offered: int = 0
    """Those that led to a sheet with the act on it."""
    again: int = 0
    """How often hands had to do something on the box again, because a card was heard late."""


def faults_of(plan: Plan, dice: random.Random) -> list[str]:
    """What befalls this evening: over a few evenings in a row everything that can."""
    every = sorted(name for name, each in FAULTS.items() if not each.in_club)
    in_club = sorted(name for name, each in FAULTS.items() if each.in_club and plan.club)
    chosen = [every[(plan.seed * plan.faults + n) % len(every)] for n in range(plan.faults)] + in_club
    dice.shuffle(chosen)
    return chosen


def prove(plan: Plan, plant: Plant = contextlib.nullcontext, kept: Path | None = None) -> Outcome:
    """Play the evening of a plan. `plant` is for controls alone: it breaks the box that is put to the proof.

    Where something failed, what is left of the evening is kept in a folder below `kept`.
    """
    with room() as folder:
        evening = Evening(plan, Path(folder), plant)
        failures = [*failing(evening, lambda: _evening(evening))]
        failures += held(evening)
        if failures and kept is not None:
            _keep(evening, failures[-1], kept / f"seed-{plan.seed}")
    return Outcome(
        *(plan.seed, plan.game, len(evening.sent), evening.was_over, _bytes(evening), dict(evening.survived)),
        *({name: tuple(waits) for name, waits in evening.recovered.items()}, tuple(failures)),
        published=0 if evening.hub is None else len(evening.hub.got),
        photos=evening.photos,
        offered=evening.offered,
        again=evening.again,
    )


def _evening(evening: Evening) -> None:
    """Play it to its end, whatever befalls it."""
    plan = evening.plan
    coming = faults_of(plan, evening.dice)
    every = max(1, min(plan.acts, SHORT_GAME) // (len(coming) + 1))
    evening.begin()
    for n in range(plan.acts):
        if coming and n % every == every - 1:
            befall(evening, coming.pop())
        if not evening.act():
            break
    evening.box.look()
    if evening.hub is not None:
        evening.hub.end()
    evening.was_over = evening.is_over


def failing(evening: Evening, play: Callable[[], None]) -> Iterator[Failure]:
    """What never came, or should never have come, while it is played; then nothing of it runs any more."""
    try:
        play()
    except Granted as error:
        yield Failure("wrong", evening.reached, str(error))
    except CompanionError as error:
        yield Failure("stuck", evening.reached, f"{evening.suffers}: {error}")
    except Exception:  # noqa: BLE001 - a proof tells what it stumbled over, and goes on with the next evening
        evening.box.tell_where()
        yield Failure("stuck", evening.reached, f"{evening.suffers}: {traceback.format_exc()}")
    finally:
        evening.end()


def held(evening: Evening) -> list[Failure]:
    """What its record, and what phones were sent, shows to be wrong."""
    found: list[Failure] = []
    if not evening.has_begun:
        return found
    played = opened(evening.kit, evening.data, found)
    if played is None:
        return found
    found += told_otherwise(played, evening.box.told)
    found += not_once(played, evening.sent)
    found += wrongly_ruled(played)
    for audience, phone in (*evening.phones.items(), (PUBLIC, evening.stranger)):
        found += leaked(played, audience, phone.got)
    if (hub := evening.hub) is not None and hub.is_told:
        found += published(played, hub.got, hub.view, hub.results)
    return found


def _bytes(evening: Evening) -> int:
    return sum(len(got.data) for phone in (*evening.phones.values(), evening.stranger) for got in phone.got)


def _keep(evening: Evening, failure: Failure, where: Path) -> None:
    """The folder of an evening that failed, with a script that shows how it came to that."""
    shutil.copytree(evening.folder, where, dirs_exist_ok=True)
    played = opened(evening.kit, evening.data, []) if evening.has_begun else None
    if played is not None:
        text = written(played, failure.seq, evening.befell, f"{failure.kind} at entry {failure.seq}: {failure.what}")
        (where / SCRIPT).write_text(text, encoding="utf-8")
