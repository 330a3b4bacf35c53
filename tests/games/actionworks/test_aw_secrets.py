"""Non-interference: what a seat never told apart may be swapped, and every byte it was sent stays the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    Accepted,
    Event,
    Game,
    Intent,
    PieceId,
    SeatId,
    argument_kinds,
    judge,
    legal,
    mask,
    told,
    top,
)
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.forced import COURSE
from companion.games.actionworks.rules.turn import can_join
from companion.games.actionworks.state import TYPES, Declaring, State, parts_in
from companion.games.actionworks.state.state import NO_SETUP
from tests.games.actionworks.play import PACK, laid, setup_for

AnyGame = Game[State, Any]
Told = Callable[[AnyGame, State, tuple[Event, ...], SeatId], bytes]


def sent(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """All that one audience is sent at a step."""
    view = mask(state, audience)
    seat = audience if audience != PUBLIC else SeatId(0)
    words = (game.headline(view), game.own(view, seat), game.status(view), game.picture(view), game.layout(view))
    intents = legal(game, view, audience) if audience != PUBLIC else ()
    foreseen = [game.foresee(view, intent) for intent in intents]
    history = [told(game, view, event, audience) for event in events]
    asked = game.decisions(view)
    bare = replace(view, setup=NO_SETUP)
    return msgspec.json.encode([bare, words, intents, foreseen, history, asked, [mask(ev, audience) for ev in events]])


def evening(
    game: AnyGame, seats: int, seed: int, steps: int
) -> tuple[list[Intent], list[tuple[State, tuple[Event, ...]]]]:
    """The intents of some random play within the first round, and what each led to."""
    chance, now = random.Random(seed), game.start(setup_for(seats))
    intents, led_to = [], []
    for _ in range(steps):
        seat = chance.choice(game.decisions(now)[-1].seats)
        options = [i for i in legal(game, now, seat) if type(i).__name__ != "EndTurn"] or legal(game, now, seat)
        intent = chance.choice(options)
        verdict = judge(game, now, intent)
        assert isinstance(verdict, Accepted)
        if any(isinstance(event, e.PilesShown) for event in verdict.events):
            break
        now = verdict.after
        intents.append(intent)
        led_to.append((now, verdict.events))
    return intents, led_to


def swapped(intent: Intent, one: PieceId, other: PieceId) -> Intent:
    there = {one: other, other: one}
    pieces = {n: getattr(intent, n) for n, kind in argument_kinds(type(intent)) if kind == "piece"}
    return replace(intent, **{name: there.get(piece, piece) for name, piece in pieces.items()})


def leaks(game: AnyGame, tell: Told, seats: int, seed: int, steps: int = 70) -> list[str]:
    """Each audience that could tell two cards apart which it was never shown."""
    intents, led_to = evening(game, seats, seed, steps)
    chance, found = random.Random(seed), []
    for audience in (PUBLIC, *(SeatId(s) for s in range(seats))):
        seen = b"".join(sent(GAME, state, events, audience) for state, events in led_to)
        in_play = parts_in(PACK, TYPES[: led_to[0][0].types])
        unseen = [card for card in in_play if f'"{card}"'.encode() not in seen]
        touched = [card for card in unseen if any(card == getattr(i, "card", None) for i in intents)]
        if not touched or len(unseen) < 2:
            continue
        one = chance.choice(touched)
        other = chance.choice([card for card in unseen if card != one])
        if not same_for(game, tell, audience, seats, intents, led_to, one, other):
            found.append(f"audience {audience} tells {one} from {other}")
    return found


def same_for(
    game: AnyGame,
    tell: Told,
    audience: SeatId,
    seats: int,
    intents: list[Intent],
    led_to: list[tuple[State, tuple[Event, ...]]],
    one: PieceId,
    other: PieceId,
) -> bool:
    now = game.start(setup_for(seats))
    for intent, (state, events) in zip(intents, led_to, strict=True):
        verdict = judge(game, now, swapped(intent, one, other))
        if not isinstance(verdict, Accepted):
            return False
        now = verdict.after
        if tell(game, now, verdict.events, audience) != tell(game, state, events, audience):
            return False
    return True


@pytest.mark.rule("A24", "A.f", "A.ah")
@pytest.mark.parametrize("seats", [2, 3, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (4, 5, 6))])
def test_nobody_can_tell_apart_what_they_were_never_shown(seats: int) -> None:
    assert [leak for seed in range(12) for leak in leaks(GAME, sent, seats, seed)] == []


def opening_pile(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """A broken build: everyone may look into a neighbour's pile."""
    pile = state.piles[(audience + 1) % len(state.piles)]
    return sent(game, state, events, audience) + msgspec.json.encode(pile)


def telling_ships(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """A broken build: the history names what was drawn and shipped."""
    return sent(game, state, events, audience) + msgspec.json.encode(events)


def too_helpful(state: State) -> tuple[Event, ...]:
    """A broken build: a declaration closes by itself when nothing in the secret hand can join it."""
    step = top(state)
    if isinstance(step, Declaring) and not any(can_join(step.cards, c) for c in state.hands[step.seat].value):
        return (e.WentAhead(step.seat),)
    return COURSE.forced(state)


@pytest.mark.parametrize("tell", [opening_pile, telling_ships])
def test_a_build_that_tells_too_much_is_caught(tell: Told) -> None:
    assert any(leaks(GAME, tell, seats, seed) for seats in (2, 4) for seed in range(40))


@pytest.mark.slow
def test_a_build_that_acts_on_a_secret_hand_is_caught() -> None:
    broken = replace(GAME, forced=too_helpful)
    assert any(leaks(broken, sent, 6, seed, 120) for seed in range(120))


def test_what_would_be_done_with_a_hidden_card_is_not_foreseen_in_public() -> None:
    table = laid("make-7 take-4", "borrow-5")
    for intent in table.legal(SeatId(0)):
        shown = msgspec.json.encode(GAME.foresee(table.view(PUBLIC), intent)).decode()
        assert "make" not in shown
        assert '"points",7' not in shown
