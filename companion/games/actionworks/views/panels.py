"""What people take in at a glance: the total on its way to the end, the hand, the workbench and whom it scores for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from companion.core import (
    Bar,
    Cell,
    Meter,
    Part,
    PieceId,
    Said,
    Seat,
    SeatId,
    Slots,
    Stages,
    Standing,
    Word,
    Words,
    say,
    seats_of,
)
from companion.games.actionworks.state import Clearing, State, kind_of, limit, part_of, turn_is_on, wanted_by

from .worth import worth

_NAMES: Final = ("first", "second", "third")


def stages(view: State) -> Stages | None:
    """A turn, and the clearing after it (A6, A17)."""
    clearing = any(isinstance(step, Clearing) for step in view.steps)
    if not clearing and not turn_is_on(view):
        return None
    return Stages((say("panel.stage.turn"), say("panel.stage.clear")), int(clearing))


def _to_end(view: State, seat: SeatId) -> tuple[Part, ...]:
    """The total on its way to the one that ends the game (A21); a negative total has no length."""
    total = max(0, view.totals[seat])
    left = max(0, limit(len(view.totals)) - total)
    return Part(say("panel.n", n=total), total, "used"), Part(say("panel.to-go", n=left), left, "left")


def score_meter(view: State, seat: SeatId, words: Words) -> Meter:
    """The total, and what the hand would gain and lose now, on one scale (A20)."""
    points = [worth(view, seat, card) for card in view.hands[seat].value]
    gain, loss = sum(n for n in points if n > 0), -sum(n for n in points if n < 0)
    total = Bar(say("panel.total", n=view.totals[seat], limit=limit(len(view.totals))), _to_end(view, seat))
    parts = Part(say("panel.gain", n=gain), gain, "extra"), Part(say("panel.loss", n=loss), loss, "over")
    return Meter(words, (total, Bar(say("panel.hand", n=gain - loss), parts)))


def hand_panel(view: State, seat: SeatId, words: Words) -> Iterator[Slots]:
    """The seat's own hand, with what each card would score; nothing if empty."""
    if hand := view.hands[seat].value:
        yield Slots(words, tuple(_cells(hand, lambda card: _scores(worth(view, seat, card)))))


def _scores(points: int) -> Said:
    return say("panel.scores", n=points) if points >= 0 else say("panel.costs", n=-points)


def bench_panel(view: State, words: Words) -> Iterator[Slots]:
    """The workbench, each card with the seat it scores for; nothing if empty."""
    if view.bench:
        yield Slots(words, tuple(_cells(view.bench, lambda card: _for_whom(view, card))))


def _for_whom(view: State, card: PieceId) -> Said:
    """There is one Demand per type, so a type scores for at most one seat (A3)."""
    for seat in map(SeatId, seats_of(view)):
        if kind_of(card) in wanted_by(view, seat):
            return say("panel.for", seat=Seat(seat))
    return say("panel.for-nobody")


def _cells(cards: Iterable[PieceId], name: Callable[[PieceId], Said]) -> Iterator[Cell]:
    for card in cards:
        part = part_of(card)
        if part is not None:
            yield Cell(say(f"panel.type.{part.type}"), part.type, name(card), part.value)


def standing(view: State, seat: SeatId, words: Words) -> Standing:
    """A seat in the referee check."""
    lies = say("panel.lies", hand=len(view.hands[seat].value), pile=len(view.piles[seat].value))
    bar = Bar(say("panel.of", limit=limit(len(view.totals))), _to_end(view, seat))
    total = str(view.totals[seat]).replace("-", "\N{MINUS SIGN}")
    return Standing(words, seat, lies, say("panel.total-word"), total, bar, notes=tuple(_wants(view, seat)))


def _wants(view: State, seat: SeatId) -> Iterator[Said]:
    """The Demands of a seat, three to a line."""
    types = [Word(f"type.{each}") for each in wanted_by(view, seat)]
    for at in range(0, len(types), len(_NAMES)):
        line = types[at : at + len(_NAMES)]
        yield say(f"panel.wants.{len(line)}", **dict(zip(_NAMES, line, strict=False)))
