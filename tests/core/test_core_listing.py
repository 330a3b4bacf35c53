"""Listing legal intents saves work where a game promises something; it must never list anything else."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.kit.kit import Kit
from companion.app.kit.test_contract_play import (
    test_what_is_listed_is_exactly_what_is_accepted as listed_is_accepted,
)
from companion.core import (
    NO_FACTS,
    TABLE,
    Basis,
    GameId,
    PieceId,
    Rule,
    RuleId,
    SeatId,
    Token,
    allowed,
    judge,
    legal,
    mentions,
    mentions_it,
)
from companion.core.errors import EndlessRules
from companion.core.legality import in_phase
from companion.library import shelf

ADA, BEN = SeatId(0), SeatId(1)


def verb(game: Any, name: str) -> Any:
    return next(v for v in (*game.verbs, *game.corrections) if v.name == name)


def one_by_one(game: Any, state: Any, actor: SeatId) -> list[Any]:
    verbs = (v for v in game.verbs if v.chance == (actor == TABLE))
    return [intent for v in verbs for intent in allowed(v, state, actor)]


def test_verbs_behind_shared_guards_are_listed_in_their_order(pick: Any, two_seats: Any) -> None:
    for actor in (ADA, BEN, TABLE):
        assert list(legal(pick, two_seats, actor)) == one_by_one(pick, two_seats, actor)


def test_a_guard_that_neighbours_share_is_tested_once(pick: Any, two_seats: Any) -> None:
    asked: list[SeatId] = []

    def counts(_state: Any, actor: SeatId) -> None:
        asked.append(actor)

    shared: Rule[Any, Any] = Rule(verb(pick, "lay").guards[0].id, "shared", counts)
    verbs = tuple(v if v.chance else replace(v, guards=(shared, *v.guards)) for v in pick.verbs)
    game = replace(pick, verbs=verbs)
    assert legal(game, two_seats, ADA) == legal(pick, two_seats, ADA)
    assert asked == [ADA]


def test_a_broken_guard_closes_its_own_verbs_only(pick: Any, two_seats: Any) -> None:
    closed: Rule[Any, Any] = Rule(verb(pick, "lay").guards[0].id, "closed", lambda _s, _a: NO_FACTS)
    verbs = tuple(replace(v, guards=(*v.guards, closed)) if v.name in ("lay", "bet") else v for v in pick.verbs)
    names = [
        v.name for v in pick.verbs for i in legal(replace(pick, verbs=verbs), two_seats, ADA) if type(i) is v.intent
    ]
    assert names == ["seal", "seal", "pass"]


def test_a_sure_verb_is_not_tested_again(pick: Any, two_seats: Any) -> None:
    never: Rule[Any, Any] = Rule(verb(pick, "lay").rules[0].id, "never", lambda _s, _i: NO_FACTS)
    lay = replace(verb(pick, "lay"), rules=(never,))
    assert list(allowed(lay, two_seats, ADA)) == []
    assert len(list(allowed(replace(lay, sure=True), two_seats, ADA))) == 2


def test_what_a_verb_knows_to_keep_its_rules_is_listed_at_once(pick: Any, two_seats: Any) -> None:
    lay = verb(pick, "lay")
    first = tuple(lay.arguments(two_seats, ADA))[:1]
    knows = replace(lay, rules=(replace(lay.rules[0], broken=lambda _s, _i: NO_FACTS),), kept=lambda _s, _a: first)
    game = replace(pick, verbs=tuple(knows if v.name == "lay" else v for v in pick.verbs))
    assert tuple(allowed(knows, two_seats, ADA)) == first
    assert [i for i in legal(game, two_seats, ADA) if type(i) is lay.intent] == list(first)


@pytest.mark.parametrize("game", ["timeline", "one-false-step"])
def test_a_verb_that_leaves_out_what_keeps_its_rules_would_be_noticed(game: str) -> None:
    """The control for what the kit asks of every game: one that forgets its last intent is caught."""
    whole = shelf.open(GameId(game))
    short = [replace(v, kept=lambda s, a, kept=v.kept: list(kept(s, a))[:-1]) if v.kept else v for v in whole.verbs]
    listed_is_accepted(Kit(whole), whole.seats[:1])
    with pytest.raises(AssertionError):
        listed_is_accepted(Kit(replace(whole, verbs=tuple(short))), whole.seats[:1])


def test_verbs_of_another_phase_are_not_listed(pick: Any, two_seats: Any) -> None:
    verbs = tuple(replace(v, phases=("night",)) if v.name == "seal" else v for v in pick.verbs)
    by_day, by_night = (replace(pick, verbs=verbs, phase=lambda _s, now=now: now) for now in ("day", "night"))
    assert "seal" not in [v.name for v in in_phase(by_day, two_seats, verbs)]
    assert len(legal(by_night, two_seats, ADA)) == len(legal(by_day, two_seats, ADA)) + 2


@pytest.mark.parametrize(
    ("phases", "asked"), [((), ["over", "turn", "settling", "step", "price"]), (("day",), ["turn", "step", "price"])]
)
def test_within_its_phases_nothing_else_has_to_be_settled_first(
    pick: Any, two_seats: Any, phases: tuple[str, ...], asked: list[str]
) -> None:
    heard: list[str] = []

    def guard(basis: Basis) -> Rule[Any, Any]:
        return Rule(RuleId("T1"), basis.name, lambda _s, _a: heard.append(basis.name.lower()), basis=basis)

    guards = tuple(map(guard, (Basis.OVER, Basis.TURN, Basis.SETTLING, Basis.STEP, Basis.PRICE)))
    game = replace(pick, verbs=(replace(verb(pick, "pass"), guards=guards, phases=phases),), phase=lambda _s: "day")
    assert len(legal(game, two_seats, ADA)) == 1
    assert heard == asked


def test_rules_that_run_in_a_circle_are_stopped_and_named(pick: Any, two_seats: Any) -> None:
    lay = verb(pick, "pass")
    endless = replace(pick, forced=lambda state: lay.outcome(state, lay.intent(state.turn)))
    with pytest.raises(EndlessRules, match=r"pass made 500\d things"):
        judge(endless, two_seats, lay.intent(ADA))


def test_what_an_intent_mentions_can_be_asked_one_by_one(pick: Any) -> None:
    intent = verb(pick, "lay").intent(ADA, PieceId("a"))
    assert all(mentions_it(intent, token) for token in mentions(intent))
    others = (Token("piece", "b"), Token("verb", "seal"), Token("seat", 0), Token("place", "a"), Token("number", 1))
    assert not any(mentions_it(intent, token) for token in others)
