"""Phones that ask for seats: in the order in which they came, until somebody at the box lets them in or sends them off.

Being at the table is the key. Who is let in sees what that seat may see, and the page of the door may come up just as
somebody presses OK for a move: so a press of OK lets in only whom NEXT has marked, and a hold lets in everybody. Pure.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.core.facts import Name, Seat, say
from companion.core.ids import SeatId
from companion.core.inputs import Button
from companion.core.pages import AdmitPage, Waits

from .seen import Joining

Queue: TypeAlias = tuple[Joining, ...]
"""Everybody who asked and has not sat down, let in or not."""

MOST: Final = 9
"""As many as any table has chairs, its referee's included; more than that are no guests."""


class LetIn(Struct, frozen=True):
    """These may sit down now."""

    codes: tuple[str, ...]


class SendAway(Struct, frozen=True):
    """These have to ask again."""

    codes: tuple[str, ...]


def asked(queue: Queue, who: Joining, instead: str = "") -> Queue | None:
    """Somebody more at the door; None if it is full. A phone that asks anew (`instead` of its last code, or sending the
    same command again) gives up its place."""
    again = [each.code for each in queue if who.command and each.command == who.command]
    others = without(queue, (instead, *again))
    is_taken = any(each.code == who.code for each in others)
    return None if len(others) >= MOST or is_taken else (*others, who)


def waiting(queue: Queue) -> Queue:
    """Who still has to be let in."""
    return tuple(each for each in queue if not each.admitted)


def answered(queue: Queue, answer: LetIn | SendAway) -> Queue:
    if isinstance(answer, SendAway):
        return without(queue, answer.codes)
    return tuple(replace(each, admitted=each.admitted or each.code in answer.codes) for each in queue)


def without(queue: Queue, codes: tuple[str, ...]) -> Queue:
    return tuple(each for each in queue if each.code not in codes)


def page(queue: Queue, marked: str) -> AdmitPage | None:
    """Everybody who waits, and who of them is marked; None while nobody does."""
    waits = waiting(queue)
    rows = tuple(Waits(say("admit.who", name=Name(each.name), seat=Seat(each.seat)), each.code) for each in waits)
    return AdmitPage(rows, _at(waits, marked)) if rows else None


def press(queue: Queue, marked: str, button: Button, held: bool) -> tuple[str, LetIn | SendAway | None]:
    """What a button does at the door: who is marked then, and the answer."""
    waits = waiting(queue)
    at = _at(waits, marked)
    match button:
        case "next":
            return step(queue, marked, 1), None
        case "ok" if held:
            return "", LetIn(_one_a_seat(waits))
        case "ok" if at is not None:
            return "", LetIn((marked,))
        case "back":
            return "", SendAway(tuple(each.code for each in waits) if held else (waits[at or 0].code,))
        case _:
            return marked, None


def step(queue: Queue, marked: str, steps: int) -> str:
    """Who is marked so many rows on; the first step marks the first row."""
    waits = waiting(queue)
    at = _at(waits, marked)
    if at is None:
        at = -1 if steps > 0 else 0
    return waits[(at + steps) % len(waits)].code


def _at(waits: Queue, marked: str) -> int | None:
    return next((at for at, each in enumerate(waits) if each.code == marked), None)


def _one_a_seat(waits: Queue) -> tuple[str, ...]:
    """Two cannot sit on one chair: who came first."""
    first: dict[SeatId, str] = {}
    for each in waits:
        first.setdefault(each.seat, each.code)
    return tuple(first.values())
