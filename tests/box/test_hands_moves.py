"""Everything that may be done can be done on the box, by taps and buttons, and with few of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.bots import chosen, random_bot
from companion.app.opening import make_setup
from companion.box import hands, stack
from companion.box.stack import REST
from companion.core import (
    PUBLIC,
    TABLE,
    Accepted,
    Intent,
    PieceId,
    PlaceId,
    Pressed,
    SeatId,
    Token,
    Turned,
    allowed,
    argument_kinds,
    judge,
    legal,
    set_by,
    standing_now,
    with_number,
)
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, shelf
from companion.table import Do, Snapshot
from companion.table.record import Position, settled

MOST = 7
"""More inputs than this for one act is too many at a table; a list of corrections is the longest."""
LOOKED_AT = 3
"""Acts of one seat in one moment, or corrections of one kind."""


def scenes(game_id: str, seats: int, seed: int, steps: int) -> Iterator[Snapshot]:
    """A game in which everybody does anything, as the box sees it."""
    game, dice = shelf.open(game_id), random.Random(seed)
    state = game.start(make_setup(game, seats))
    bot = random_bot(game)
    for _ in range(steps):
        at = settled(game, Position(1, state, (1,), (1,) * seats, ()))  # type: ignore[arg-type]
        scene = Snapshot(game=game, table="t", beat=0, at=at, mode="strict")
        if not scene.decisions:
            return
        yield scene
        seat = dice.choice(scene.awaited)
        intent = (
            dice.choice(legal(game, state, TABLE))
            if seat == TABLE
            else chosen(game, bot, state, seat, dice.randrange(1 << 20))
        )
        assert intent is not None
        verdict = judge(game, state, intent)
        assert isinstance(verdict, Accepted)
        state = verdict.after


def some(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """A sample from the whole of a long list: a dozen boards with their places would take too long for what it
    shows.
    """
    return intents[:: 1 + len(intents) // LOOKED_AT]


def done_by(scene: Snapshot, moves: tuple[hands.Move, ...]) -> Intent | None:
    """What the box does after these inputs, made one by one."""
    now, want = REST, None
    for move in moves:
        assert want is None
        match move:
            case hands.Tap(token=token):
                now, want = stack.tap(scene, now, token)
            case Pressed(button=button, held=held):
                now, want = stack.press(scene, now, button, held)
            case Turned(steps=steps):
                now, want = stack.turn(scene, now, steps), None
    return want.intent if isinstance(want, Do) else None


@pytest.mark.parametrize("game_id", shelf.games())
@pytest.mark.parametrize(("seed", "every"), [(0, 4), pytest.param(1, 2, marks=pytest.mark.slow)])
def test_every_legal_act_has_its_taps_and_presses(game_id: str, seed: int, every: int) -> None:
    seats = shelf.open(game_id).seats
    for scene in islice(scenes(game_id, seats[seed % 2], seed, 120), 0, None, every):
        for seat in scene.awaited:
            for intent in some(legal(scene.game, scene.state, seat)):
                moves = hands.moves_for(scene, intent)
                assert moves is not None, intent
                assert len(moves) <= MOST
                assert done_by(scene, hands.spread(moves)) == intent


@pytest.mark.parametrize("game_id", shelf.games())
@pytest.mark.parametrize("most", [LOOKED_AT, pytest.param(20, marks=pytest.mark.slow)])
def test_every_correction_has_its_taps_and_presses(game_id: str, most: int) -> None:
    scene = list(scenes(game_id, shelf.open(game_id).seats[0], 1, 60))[-1]
    for verb in scene.game.corrections:
        for intent in list(allowed(verb, scene.view(PUBLIC), TABLE))[:most]:
            if standing_now(scene.game, scene.view(PUBLIC), intent) == set_by(intent):
                continue  # nothing to correct
            moves = hands.moves_for(scene, intent)
            assert moves is not None, intent
            assert moves[0] == Pressed("check", held=True)
            parts = len(argument_kinds(verb.intent))
            assert len(moves) <= 1 + 2 * (1 + parts), "two inputs for the correction, and two for each part of it"
            assert done_by(scene, moves) == intent


@pytest.mark.parametrize(
    ("game_id", "verb"),
    [("us-patent", "set-gold"), ("us-patent", "set-number"), ("timeline", "set-gold"), ("actionworks", "set-total")],
)
def test_what_anybody_has_is_set_right_in_six_inputs(game_id: str, verb: str) -> None:
    """One more and one less than it is, with NEXT and OK alone if there is no dial."""
    scene = list(scenes(game_id, shelf.open(game_id).seats[0], 1, 60))[-1]
    (found,) = (each for each in scene.game.corrections if each.name == verb)
    for like in allowed(found, scene.view(PUBLIC), TABLE):
        now = standing_now(scene.game, scene.view(PUBLIC), like)
        for number in (now + 1, now - 1) if isinstance(now, int) and now > 0 else (1,):
            intent = with_number(like, number)
            moves = hands.moves_for(scene, intent)
            assert moves is not None, intent
            assert len(moves) <= 6, moves
            assert done_by(scene, hands.spread(moves)) == intent


def test_what_is_not_legal_has_none() -> None:
    scene = next(scenes("actionworks", 2, 0, 1))
    verb = scene.game.verbs[-1]
    assert hands.moves_for(scene, verb.intent(SeatId(0))) is None


def test_short_turns_are_presses_of_next_and_long_ones_turn_the_dial() -> None:
    assert hands.spread((Turned(2), Pressed("ok"))) == (Pressed("next"), Pressed("next"), Pressed("ok"))
    assert hands.spread((Turned(40), Turned(-1))) == (Turned(40), Turned(-1))


def test_a_token_has_its_tag() -> None:
    game = shelf.open("actionworks").id
    assert hands.tag_of(game, Token("piece", "make-4")) == PieceTag(game, PieceId("make-4"))
    assert hands.tag_of(game, Token("place", "3/lab")) == PlaceTag(game, PlaceId("3/lab"))
    assert hands.tag_of(game, Token("seat", 1)) == SeatTag(SeatId(1))
    assert hands.tag_of(game, Token("number", 9)) == NumberTag(9)


def test_what_cannot_be_reached_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for minutes while a pretend table looks for a way that doesn't exist."""
    real, tried, counts = hands._made, list[int](), list[int]()

    def made(*args: Any) -> Any:
        tried.append(1)
        return real(*args)

    monkeypatch.setattr(hands, "_made", made)
    monkeypatch.setattr(hands, "MOST_TRIED", 40)
    for scene in islice(scenes("one-false-step", 3, 4, 60), 0, 60, 12):
        for intent in legal(scene.game, scene.state, scene.awaited[0]):
            for name in (name for name, kind in argument_kinds(type(intent)) if kind == "number"):
                tried.clear()
                assert hands.moves_for(scene, replace(intent, **{name: 999})) is None
                counts.append(len(tried))
    assert 20 < max(counts) <= 60, "it looks for a while, and no longer"
