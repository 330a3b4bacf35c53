"""Legality is one list of rules: it accepts, offers, explains and refuses."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import (
    PUBLIC,
    TABLE,
    UNKNOWN,
    Accepted,
    Intent,
    Piece,
    PieceId,
    Refused,
    Seat,
    SeatId,
    Token,
    argument_kinds,
    explain,
    facts_of,
    fold,
    judge,
    kebab,
    label,
    legal,
    mask,
    mentions,
    seen_refusal,
    told,
)
from companion.core.errors import UnknownVerb

ADA, BEN = SeatId(0), SeatId(1)


def verb(game: Any, name: str) -> Any:
    return next(v.intent for v in (*game.verbs, *game.corrections) if v.name == name)


def test_ada_may_lay_or_seal_each_card_bet_and_pass(pick: Any, two_seats: Any) -> None:
    names = [i.__struct_config__.tag for i in legal(pick, two_seats, ADA)]
    assert names == ["lay", "lay", "seal", "seal", "bet", "pass"]


def test_ben_may_do_nothing_in_adas_turn(pick: Any, two_seats: Any) -> None:
    assert legal(pick, two_seats, BEN) == ()


def test_an_accepted_intent_carries_its_events_and_the_state_after(pick: Any, two_seats: Any) -> None:
    verdict = judge(pick, two_seats, verb(pick, "lay")(ADA, PieceId("a")))
    assert isinstance(verdict, Accepted)
    assert verdict.after.open == ("a",)
    assert fold(pick, two_seats, verdict.events) == verdict.after


def test_forced_events_follow_until_someone_must_decide(pick: Any, two_seats: Any) -> None:
    seal = verb(pick, "seal")
    once = judge(pick, two_seats, seal(ADA, PieceId("a")))
    assert isinstance(once, Accepted)
    twice = judge(pick, once.after, seal(ADA, PieceId("b")))
    assert isinstance(twice, Accepted)
    assert [e.__struct_config__.tag for e in twice.events] == ["was-sealed", "passed"]
    assert twice.after.turn == BEN


def test_a_refusal_names_every_broken_rule_in_order_with_its_facts(pick: Any, two_seats: Any) -> None:
    verdict = judge(pick, two_seats, verb(pick, "lay")(BEN, PieceId("a")))
    assert isinstance(verdict, Refused)
    assert [(r.rule, r.key) for r in verdict.refusals] == [("X1", "your-turn"), ("X2", "in-hand")]
    assert verdict.refusals[1].facts == (("card", Piece(PieceId("a"))),)


def test_advise_lets_all_but_the_physical_stand_with_a_mark(pick: Any, two_seats: Any) -> None:
    lay = verb(pick, "lay")
    out_of_turn = judge(pick, two_seats, lay(BEN, PieceId("c")), advise=True)
    assert isinstance(out_of_turn, Accepted)
    assert out_of_turn.marks == ("X1",)
    not_held = judge(pick, two_seats, lay(BEN, PieceId("a")), advise=True)
    assert isinstance(not_held, Refused)
    assert [r.rule for r in not_held.refusals] == ["X2"]


def test_explain_lists_kept_rules_beside_broken_ones(pick: Any, two_seats: Any) -> None:
    checks = explain(pick, two_seats, verb(pick, "bet")(ADA, 9))
    assert [(c.rule, c.broken is None) for c in checks] == [("X1", True), ("X3", False)]


def test_an_intent_of_another_game_is_an_error(pick: Any, two_seats: Any) -> None:
    class Castle(Intent, frozen=True):
        pass

    with pytest.raises(UnknownVerb, match="pick has no verb for Castle"):
        judge(pick, two_seats, Castle(ADA))


def test_chance_is_an_actor_with_candidates_of_its_own(pick: Any, two_seats: Any) -> None:
    laid = judge(pick, two_seats, verb(pick, "lay")(ADA, PieceId("a")))
    assert isinstance(laid, Accepted)
    assert [i.card for i in legal(pick, laid.after, TABLE)] == ["e", "f", "g"]  # type: ignore[attr-defined]
    assert legal(pick, laid.after, ADA) == ()


def test_a_reason_tells_only_what_the_view_shows(pick: Any, two_seats: Any) -> None:
    refused = judge(pick, two_seats, verb(pick, "bet")(ADA, 9))
    assert isinstance(refused, Refused)
    assert seen_refusal(pick, mask(two_seats, PUBLIC), refused).facts == (("have", 5), ("number", 9))
    poorer = msgspec.structs.replace(two_seats, chips=(9, 5))
    assert seen_refusal(pick, poorer, refused).facts == (("number", 9),), "what the wish itself has said"


def test_a_seat_may_do_by_its_view_just_what_it_may_do(pick: Any, two_seats: Any) -> None:
    for seat in (ADA, BEN):
        assert legal(pick, mask(two_seats, seat), seat) == legal(pick, two_seats, seat)


def test_an_intent_mentions_its_verb_and_arguments(pick: Any) -> None:
    lay = verb(pick, "lay")
    assert mentions(lay(ADA, PieceId("a"))) == (Token("verb", "lay"), Token("piece", "a"))
    assert argument_kinds(verb(pick, "bet")) == (("number", "number"),)
    assert facts_of(lay(ADA, PieceId("a"))) == (("actor", Seat(ADA)), ("card", Piece(PieceId("a"))))


def test_a_label_names_only_known_pieces(pick: Any, two_seats: Any) -> None:
    lay = verb(pick, "lay")(ADA, PieceId("a"))
    assert dict(label(pick, two_seats, lay, frozenset({PieceId("a")})).facts)["card"] == Piece(PieceId("a"))
    assert dict(label(pick, two_seats, lay, frozenset()).facts)["card"] == Piece(UNKNOWN)


def test_an_event_is_told_as_each_audience_may_know_it(pick: Any, two_seats: Any) -> None:
    sealed = judge(pick, two_seats, verb(pick, "seal")(ADA, PieceId("a")))
    assert isinstance(sealed, Accepted)
    for audience in (ADA, BEN, PUBLIC):
        line = told(pick, mask(sealed.after, audience), sealed.events[0], audience)
        assert dict(line.facts)["card"] == Piece(UNKNOWN)


@given(st.lists(st.integers(0, 30), max_size=30))
def test_accepted_is_legal_and_legal_is_accepted(pick: Any, two_seats: Any, choices: list[int]) -> None:
    state = two_seats
    for choice in choices:
        for actor in (ADA, BEN, TABLE):
            offered = set(legal(pick, state, actor))
            for intent in _all_intents(pick, actor):
                assert isinstance(judge(pick, state, intent), Accepted) == (
                    intent in offered or _within_span(pick, state, intent, offered)
                )
        open_now = [i for a in (ADA, BEN, TABLE) for i in legal(pick, state, a)]
        if not open_now:
            return
        verdict = judge(pick, state, open_now[choice % len(open_now)])
        assert isinstance(verdict, Accepted)
        state = verdict.after


def _all_intents(game: Any, actor: SeatId) -> list[Intent]:
    cards = [verb(game, n)(actor, PieceId(c)) for n in ("lay", "seal", "drew") for c in "abcdefgz"]
    return [*cards, *(verb(game, "bet")(actor, n) for n in range(-1, 8)), verb(game, "pass")(actor)]


def _within_span(game: Any, state: Any, intent: Any, offered: set[Any]) -> bool:
    like = [i for i in offered if type(i) is type(intent) and hasattr(i, "number")]
    return bool(like) and hasattr(intent, "number") and 1 <= intent.number <= state.chips[intent.actor]


@pytest.mark.parametrize(("name", "tag"), [("EndTurn", "end-turn"), ("Lay", "lay"), ("ActAsDemand", "act-as-demand")])
def test_tags_are_kebab_case(name: str, tag: str) -> None:
    assert kebab(name) == tag
