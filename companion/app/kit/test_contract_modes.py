"""Whatever the game: where rules only advise or are noted, all that hands can do stands, and the table stays sound."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from companion.app.kit.evening import table
from companion.app.kit.kit import Kit, pick, plain
from companion.core import (
    PUBLIC,
    TABLE,
    Intent,
    Mode,
    SeatId,
    Verb,
    explain,
    is_possible,
    legal,
    mask,
    objection,
    possible,
)
from companion.journal import Did, WasRefused
from companion.table import Referee

STEPS: Final = 90
MOST: Final = 200
LENIENT: Final[tuple[Mode, ...]] = ("advise", "scribe")


def wished(kit: Kit, state: Any, chance: random.Random) -> Intent | None:
    """What somebody does, in turn or not, by the rules or not: something legal, listed or wild that hands can do."""
    seats, asked, dice = state.setup.seats, kit.game.decisions(state), chance.random()
    if dice < 0.6 and asked and legal(kit.game, state, asked[-1].seats[0]):
        return kit.sensible_pick(state, chance)
    if dice < 0.9:
        seat = SeatId(int(chance.random() * seats))
        found = [intent for verb in lax(kit) for intent in thinkable(verb, state, seat)]
        could = [intent for intent in found if is_possible(kit.game, state, intent)]
        against = [intent for intent in could if objection(kit.game, state, intent) is not None]
        return pick(chance, against or could) if could else None
    wild = kit.wild(state, seats, chance)
    return wild if is_possible(kit.game, state, wild) else None


def lax(kit: Kit) -> list[Verb[Any, Any]]:
    """The verbs of seats that have a rule hands can break."""
    verbs = [verb for verb in kit.game.verbs if not verb.chance]
    return [verb for verb in verbs if not all(rule.physical for rule in (*verb.guards, *verb.rules))]


def thinkable(verb: Verb[Any, Any], state: Any, seat: SeatId) -> list[Intent]:
    """Some of what hands could mean by a verb."""
    candidates = verb.arguments if verb.thinkable is None else verb.thinkable
    return list(islice(candidates(state, seat), MOST))


def played(kit: Kit, referee: Referee, seed: int) -> Iterator[tuple[Any, Intent, Did | WasRefused]]:
    """The acts of an evening without a referee, each with the state before it and what was recorded."""
    chance = random.Random(f"{kit.game.id}.{referee.setup.seats}.{seed}")
    for _ in range(STEPS):
        state = referee.at.state
        wish = wished(kit, state, chance)
        if wish is not None:
            body = referee.act(wish, None, on_box=True).body
            assert isinstance(body, Did | WasRefused)
            yield state, wish, body


@pytest.mark.parametrize("mode", LENIENT)
def test_nothing_that_hands_can_do_is_refused_and_marks_tell_what_it_breaks(
    kit: Kit, sizes: tuple[int, ...], mode: Mode, tmp_path: Path
) -> None:
    for seats in sizes:
        with table(kit.game, kit.setup(seats, seats), tmp_path, mode) as referee:
            for state, wish, body in played(kit, referee, 1):
                broken = tuple(check.rule for check in explain(kit.game, state, wish) if check.broken is not None)
                assert isinstance(body, Did), wish
                assert body.marks == broken


def test_a_scribe_that_refuses_would_be_noticed(kit: Kit, tmp_path: Path) -> None:
    """The control: a build that treats every rule as physical once the game has begun."""
    met = 0
    for seats in kit.seats():
        with table(kit.game, kit.setup(seats, seats), tmp_path, "scribe") as referee:
            referee.mode = "strict"
            met += sum(isinstance(body, WasRefused) for _, _, body in played(kit, referee, 1))
    if not lax(kit):
        pytest.skip("hands can do nothing against the rules of this game")
    assert met > 0


def test_the_table_stays_sound_whatever_was_noted(kit: Kit, sizes: tuple[int, ...], tmp_path: Path) -> None:
    for seats in sizes:
        with table(kit.game, kit.setup(seats, seats), tmp_path, "scribe") as referee:
            for _, wish, _ in played(kit, referee, 2):
                assert not unsound(kit, referee.at.state), (wish, unsound(kit, referee.at.state))
            assert referee.replay() == referee.at


def unsound(kit: Kit, state: Any) -> list[str]:
    """What is wrong with a state that people can play on from; should be nothing."""
    game, asked = kit.game, kit.game.decisions(state)
    lying = sorted(lies.piece for lies in game.layout(state))
    again = msgspec.json.decode(msgspec.json.encode(plain(state)), type=game.state)
    found = {
        "a piece is lost or doubled": lying != sorted(game.pieces(kit.pack)),
        "it is neither over nor awaited": bool(asked) == (game.result(state) is not None),
        "something is still forced": bool(game.forced(state)),
        "nobody can go on": bool(asked) and not can_go_on(kit, state, asked[-1].seats),
        "something is listed that is refused": not all_accepted(kit, state),
        "it cannot be stored": replace(again, setup=state.setup) != state,
    }
    for audience in (PUBLIC, *(SeatId(seat) for seat in range(state.setup.seats))):
        view = mask(state, audience)
        game.status(view), game.layout(view), game.picture(view), game.headline(view), legal(game, view, audience)
    return [what for what, is_so in found.items() if is_so]


def all_accepted(kit: Kit, state: Any) -> bool:
    """Whether everything listed is legal, even though the moment came about against the rules."""
    actors = (TABLE, *(SeatId(seat) for seat in range(state.setup.seats)))
    listed = (intent for actor in actors for intent in legal(kit.game, state, actor)[:MOST])
    return all(objection(kit.game, state, intent) is None for intent in listed)


def can_go_on(kit: Kit, state: Any, awaited: tuple[SeatId, ...]) -> bool:
    """Whether the awaited seats may do something or, against the rules, anybody's hands can."""
    seats = [SeatId(seat) for seat in range(state.setup.seats)]
    verbs = [verb for verb in kit.game.verbs if not verb.chance]
    return any(legal(kit.game, state, seat) for seat in awaited) or any(
        any(True for _ in possible(verb, state, seat)) for verb in verbs for seat in seats
    )


def test_a_state_that_lost_a_piece_is_not_sound(kit: Kit) -> None:
    """The control for what sound means."""
    if not kit.game.pieces(kit.pack):
        pytest.skip("no piece can be lost in this game")
    state = kit.game.start(kit.setup(kit.seats()[0]))
    lossy = Kit(replace(kit.game, layout=lambda s: kit.game.layout(s)[1:]))
    assert unsound(kit, state) == [] or kit.game.forced(state)
    assert "a piece is lost or doubled" in unsound(lossy, state)
    assert legal(kit.game, state, TABLE) or kit.game.decisions(state)
