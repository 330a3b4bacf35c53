"""Boards laid by hand, and what hands do on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

from companion.core import TABLE, UNKNOWN, Accepted, Event, Intent, PieceId, Refused, SeatId, Setup, judge, legal
from companion.games.timeline import GAME
from companion.games.timeline.state import Column, Laid, Pack, Spot, State, Turn, columns_for, lines_of
from companion.games.timeline.state.state import BESIDE
from companion.library import shelf

PACK: Pack = shelf.pack(GAME)
ADA, BEN, CHLOE = SeatId(0), SeatId(1), SeatId(2)
STRAIGHT = "1234BYRG"
"""A card that no pack has: its lines go straight across, brown on top."""

Lay: TypeAlias = tuple[Any, ...]
"""Name and top lane of a card, and its counters where some are gone."""


def setup_for(seats: int = 2, **options: str) -> Setup[Pack]:
    chosen = tuple((option.name, options.get(option.name, option.choices[0])) for option in GAME.options)
    return Setup(GAME.id, GAME.version, seats, chosen, PACK)


def card(name: str) -> PieceId:
    return PieceId(f"face-{name}")


def lay(name: str, top: int, counters: int = 0b1111) -> Laid:
    """`9a` is that card; `=9a` the same with straight lines; `?` a blank."""
    if name == "?":
        return Laid(UNKNOWN, top, "", 0)
    if name.startswith("="):
        return Laid(card(name[1:]), top, STRAIGHT, counters)
    return Laid(card(name), top, lines_of(PACK, False)[card(name)], counters)


def board(
    *columns: Sequence[Lay],
    seats: int = 2,
    pawns: dict[int, tuple[int, int]] | None = None,
    goods: dict[int, tuple[int, int, int, int]] | None = None,
    gold: tuple[int, ...] = (),
    turn: int = 0,
    deck: int | None = None,
    **options: str,
) -> State:
    """A turn in mid-game; columns not given are one straight card, `deck` leaves this many cards in it."""
    setup = setup_for(seats, **options)
    laid: list[Column] = [tuple(lay(*one) for one in column) for column in columns]
    spare = iter([name for n in range(23, 0, -1) if (name := f"={n}b")])
    while len(laid) < columns_for(seats):
        laid.append((lay(next(spare), 0),))
    on_board = {one.card for column in laid for one in column}
    unseen = tuple(c for c in sorted(lines_of(PACK, False)) if c not in on_board)
    blanks = sum(one.card == UNKNOWN for column in laid for one in column)
    blanks = blanks if options.get("blanks") != "stand-ins" else 0
    spots = {seat: Spot(*spot) for seat, spot in (pawns or {}).items()}
    start = GAME.start(setup)
    return State(
        first=ADA,
        turn=SeatId(turn),
        turns=9,
        gold=gold or (0,) * seats,
        goods=tuple((goods or {}).get(seat, (0, 0, 0, 0)) for seat in range(seats)),
        pawns=tuple(spots.get(seat, BESIDE) for seat in range(seats)),
        columns=tuple(laid),
        deck=unseen if deck is None else unseen[: deck + blanks],
        steps=(Turn(),),
        blanks=blanks,
        setup=start.setup,
    )


def act(state: State, intent: Intent, **how: bool) -> State:
    """The state after an intent that must be accepted."""
    verdict = judge(GAME, state, intent, **how)
    assert isinstance(verdict, Accepted), verdict
    after: State = verdict.after
    return after


def events(state: State, intent: Intent) -> tuple[Event, ...]:
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Accepted), verdict
    return verdict.events


def names(state: State, intent: Intent) -> list[str]:
    return [type(event).__name__ for event in events(state, intent)]


def broken(state: State, intent: Intent, **how: bool) -> list[str]:
    """The ids of the rules that an intent breaks; [] if it is accepted."""
    verdict = judge(GAME, state, intent, **how)
    return [refusal.rule for refusal in verdict.refusals] if isinstance(verdict, Refused) else []


def offered(state: State, seat: SeatId, kind: type[Intent]) -> list[Any]:
    return [intent for intent in legal(GAME, state, seat) if type(intent) is kind]


def tops(state: State, column: int) -> list[int]:
    return [one.top for one in state.columns[column - 1]]


def at(state: State, seat: SeatId) -> tuple[int, int]:
    return state.pawns[seat].column, state.pawns[seat].lane


def played(rng: Random, seats: int, steps: int, **options: str) -> Iterator[tuple[State, Intent, Accepted]]:
    """A random game: each state, the intent chosen in it, and the verdict."""
    state = GAME.start(setup_for(seats, **options))
    for _ in range(steps):
        decisions = GAME.decisions(state)
        if not decisions:
            return
        actor = decisions[-1].seats[0]
        intents = legal(GAME, state, actor)
        kinds = sorted({type(i).__name__ for i in intents})
        kind = rng.choice(kinds)
        intent = rng.choice([i for i in intents if type(i).__name__ == kind])
        verdict = judge(GAME, state, intent)
        assert isinstance(verdict, Accepted), verdict
        yield state, intent, verdict
        state = verdict.after


def opened(seats: int, rng: Random, **options: str) -> State:
    """A game dealt, with its first player named, before the placement."""
    state = GAME.start(setup_for(seats, **options))
    while GAME.decisions(state)[-1].seats == (TABLE,):
        state = act(state, rng.choice(legal(GAME, state, TABLE)))
    return state
