"""Non-interference: what a seat never told apart may be swapped, and every byte it was sent stays the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, get_args

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
)
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.forced import COURSE
from companion.games.us_patent.state import Inventing, State, top
from companion.games.us_patent.state.state import NO_SETUP
from tests.games.us_patent.play import ADA, BEN, CLERK, laid, machine, piece, setup_for

AnyGame = Game[State, Any]
Told = Callable[[AnyGame, State, tuple[Event, ...], SeatId], bytes]
PERIOD = {PieceId(card.id): card.period for card in CLERK.upgrades}


def sent(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """All that one audience is sent at a step."""
    view = mask(state, audience)
    seat = audience if audience != PUBLIC else SeatId(0)
    words = (game.headline(view), game.own(view, seat), game.status(view), game.picture(view), game.layout(view))
    intents = legal(game, view, audience) if audience != PUBLIC else ()
    foreseen = [game.foresee(view, intent) for intent in intents]
    history = [told(game, view, event, audience) for event in events]
    asked = game.decisions(state)  # the box shows the decisions of the state itself
    bare = replace(view, setup=NO_SETUP)
    return msgspec.json.encode([bare, words, intents, foreseen, history, asked, [mask(ev, audience) for ev in events]])


def evening(
    game: AnyGame, seats: int, seed: int, steps: int, memory: str
) -> tuple[list[Intent], list[tuple[State, tuple[Event, ...]]]]:
    """The intents of some random play with much research, and what each led to."""
    chance, now = random.Random(seed), game.start(setup_for(seats, lab_memory=memory))
    intents, led_to = [], []
    for _ in range(steps):
        if not game.decisions(now):
            break
        seat = game.decisions(now)[-1].seats[0]
        options = legal(game, now, seat)
        keen = [n for n in options if isinstance(n, i.PlaceInLab | i.LookInLab | i.Study | i.ResearchAgain)]
        intent = chance.choice(keen if keen and chance.random() < 0.7 else options)
        verdict = judge(game, now, intent)
        assert isinstance(verdict, Accepted)
        now = verdict.after
        intents.append(intent)
        led_to.append((now, verdict.events))
    return intents, led_to


def swapped(intent: Intent, one: PieceId, other: PieceId) -> Intent:
    there = {one: other, other: one}
    found = {n: getattr(intent, n) for n, kind in argument_kinds(type(intent)) if kind == "piece"}
    return replace(intent, **{name: there.get(piece, piece) for name, piece in found.items()})


def leaks(game: AnyGame, tell: Told, seats: int, seed: int, steps: int = 90, memory: str = "off") -> list[str]:
    """Each audience that could tell two cards of one period apart which it was never shown."""
    intents, led_to = evening(game, seats, seed, steps, memory)
    chance, found = random.Random(seed), []
    for audience in (PUBLIC, *(SeatId(s) for s in range(seats))):
        seen = b"".join(sent(GAME, state, events, audience) for state, events in led_to)
        unseen = [card for card in PERIOD if f'"{card}"'.encode() not in seen]
        touched = [card for card in unseen if any(card == getattr(n, "card", None) for n in intents)]
        pairs = [(a, b) for a in touched for b in unseen if a != b and PERIOD[a] == PERIOD[b]]
        if not pairs:
            continue
        one, other = chance.choice(pairs)
        if not same_for(game, tell, audience, intents, led_to, one, other):
            found.append(f"audience {audience} tells {one} from {other}")
    return found


def same_for(
    game: AnyGame,
    tell: Told,
    audience: SeatId,
    intents: list[Intent],
    led_to: list[tuple[State, tuple[Event, ...]]],
    one: PieceId,
    other: PieceId,
) -> bool:
    now = game.start(led_to[0][0].setup)
    for intent, (state, events) in zip(intents, led_to, strict=True):
        verdict = judge(game, now, swapped(intent, one, other))
        if not isinstance(verdict, Accepted):
            return False
        now = verdict.after
        if tell(game, now, verdict.events, audience) != tell(game, state, events, audience):
            return False
    return True


@pytest.mark.rule("P45", "P.n", "P.ap", "P.ai")
@pytest.mark.parametrize("memory", ["off", "on"])
@pytest.mark.parametrize("seats", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_nobody_can_tell_apart_what_they_were_never_shown(seats: int, memory: str) -> None:
    assert [leak for seed in range(3) for leak in leaks(GAME, sent, seats, seed, memory=memory)] == []


def opening_labs(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """A broken build: everyone may look into the Labs."""
    return sent(game, state, events, audience) + msgspec.json.encode(state.labs)


def telling_research(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """A broken build: the history names what was researched."""
    return sent(game, state, events, audience) + msgspec.json.encode(events)


def showing_looks(game: AnyGame, state: State, events: tuple[Event, ...], audience: SeatId) -> bytes:
    """A broken build: what lies before one pair of eyes is sent to all."""
    return sent(game, state, events, audience) + msgspec.json.encode(state.looks)


def too_helpful(state: State) -> tuple[Event, ...]:
    """A broken build: a look closes by itself when the first card of the Lab has an even rank."""
    step = top(state)
    if isinstance(step, Inventing):
        ranks = [card.rank for card in CLERK.upgrades if card.id in state.looks[step.seat].value]
        if ranks[0] % 2 == 0:
            return (e.InventedNothing(step.seat),)
    return COURSE.forced(state)


@pytest.mark.slow
@pytest.mark.parametrize("tell", [opening_labs, telling_research, showing_looks])
def test_a_build_that_tells_too_much_is_caught(tell: Told) -> None:
    assert any(leaks(GAME, tell, seats, seed) for seats in (3, 4) for seed in range(20))


@pytest.mark.slow
def test_a_build_that_acts_on_a_secret_lab_is_caught() -> None:
    broken = replace(GAME, forced=too_helpful)
    assert any(leaks(broken, sent, 3, seed, 140) for seed in range(60))


def test_an_event_of_every_kind_is_a_member_of_the_union() -> None:
    declared = {c for c in vars(e).values() if isinstance(c, type) and issubclass(c, Event) and c is not Event}
    assert declared == set(get_args(GAME.event))


@pytest.mark.rule("P45")
def test_a_lab_card_laid_on_the_box_is_not_given_away_before_ok() -> None:
    """Ada may still say no: until she installs it, nobody else learns what the card would do."""
    table = laid(machine(at="1/lab"), labs="fog-bell water-wheel", effects={})
    table.do(i.LookInLab(ADA))
    wishes = [i.Invent(ADA, piece(name)) for name in ("fog-bell", "water-wheel")]
    assert all(GAME.foresee(table.view(audience), wish) == () for audience in (PUBLIC, BEN) for wish in wishes)
    assert all(GAME.foresee(table.view(ADA), wish) for wish in wishes)


@pytest.mark.rule("P23", "P.n")
def test_who_looks_into_a_lab_knows_its_cards_by_name_and_nobody_else_does() -> None:
    table = laid(machine(at="1/lab"), labs="fog-bell water-wheel").do(i.LookInLab(ADA))
    in_lab = {lies.piece for lies in GAME.layout(table.view(ADA)) if lies.place == "1/lab" and lies.facing == "down"}
    assert in_lab == {"fog-bell", "water-wheel"}
    assert not in_lab & {lies.piece for audience in (PUBLIC, BEN) for lies in GAME.layout(table.view(audience))}
    everywhere = [lies.piece for lies in GAME.layout(table.now)]
    assert len(everywhere) == len(set(everywhere))
