"""The reason that people are given: true, the most basic one, and of what they meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.kit.kit import kit_of
from companion.core import (
    PUBLIC,
    TABLE,
    Blocked,
    End,
    Intent,
    More,
    PlaceId,
    Ready,
    Refused,
    SeatId,
    Token,
    Word,
    judge,
    known_pieces,
    mask,
    select,
)
from companion.games.actionworks import GAME
from companion.games.actionworks.rules import intents as i
from companion.games.actionworks.state import Between, Copying, State, Turn
from tests.games.actionworks.play import ADA, BEN, CLEO, Table, card, cards, laid, setup_for

HANDS = ("take-4 take-5 make-4 plan-5", "make-5 make-6", "take-6")
TURN = laid(*HANDS, bench="plan-6 make-2a").now
TAKING = laid(*HANDS, bench="plan-6 make-2a").plays(ADA, "take-4").now
PLANNING = laid(*HANDS, bench="plan-6 make-2a", deck="take-1a borrow-7").plays(ADA, "plan-5").now
SHOWING = laid(*HANDS, bench="plan-6 make-2a").plays(ADA, "plan-5").do(i.PlanHand(ADA, BEN)).now
CLEARING = laid(*HANDS, bench="plan-6 make-2a").ends(ADA).now
DEALING = GAME.start(setup_for(3))
OVER = laid(*HANDS, steps=()).now
BETWEEN = laid(*HANDS, steps=(Between(),), new_type="by-choice").now


def end(state: State, *names: str, verb: str = "") -> End:
    view = mask(state, PUBLIC)
    tokens = (*((Token("verb", verb),) if verb else ()), *(Token("piece", card(name)) for name in names))
    decisions = GAME.decisions(state)
    awaited = decisions[-1].seats if decisions else (ADA,)
    return select(GAME, state, view, awaited, tokens, known=known_pieces(GAME, view), verbs=GAME.verbs)


def tapped(state: State, *names: str, verb: str = "") -> tuple[str, str]:
    reached = end(state, *names, verb=verb)
    assert isinstance(reached, Blocked), reached
    return reached.refused.refusals[0].rule, reached.refused.refusals[0].key


def why(state: State, intent: Intent) -> tuple[str, str]:
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Refused), verdict
    return verdict.refusals[0].rule, verdict.refusals[0].key


def keys(state: State, intent: Intent) -> list[str]:
    """Everything that is said against it."""
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Refused), verdict
    return [refusal.key for refusal in verdict.refusals]


@pytest.mark.rule("A.o")
def test_two_takes_are_of_one_type_and_yet_not_played_together() -> None:
    declared = Table(TURN).do(i.Declare(ADA, card("take-4"))).now
    assert tapped(declared, "take-5") == ("A.o", "plans-only"), "not that they act as different types"
    assert tapped(declared, "make-4") == ("A.o", "one-type")
    assert why(declared, i.Play(ADA, card("take-5"))) == ("A.p", "settled")
    assert tapped(TAKING, "take-5") == ("A10", "on-bench"), "a Take waits: it takes from the workbench"


@pytest.mark.rule("A14", "A.s")
def test_a_copy_without_a_type_is_played_at_the_same_time_and_yet_no_model() -> None:
    table = laid("copy-6 copy-7 make-4", "make-5", demands=("make take", "plan"), bench="plan-6")
    table.do(i.Declare(ADA, card("copy-6")), i.Add(ADA, card("copy-7")), i.Go(ADA))
    assert why(table.now, i.ActAs(ADA, card("copy-7"))) == ("A.s", "copy-typed")
    for other in ("copy-6", "demand-plan", "make-4"):
        assert why(table.now, i.ActAs(ADA, card(other))) == ("A14", "model-there")
    plays_take = (Turn(), Copying(ADA, cards("take-4 copy-6"), ("take", "copy")))
    with_take = laid("make-4", "make-5", demands=("make", "plan"), bench="take-4 copy-6", steps=plays_take).now
    assert keys(with_take, i.ActAs(ADA, card("demand-plan"))) == ["model-there"], "whose it is, not which type"
    assert keys(with_take, i.ActAs(ADA, card("demand-make"))) == ["copy-one-type"]


@pytest.mark.rule("A17")
def test_while_the_workbench_is_cleared_it_is_said_who_is_next() -> None:
    for seat in (ADA, BEN, CLEO):
        for wish in (i.EndTurn(seat), i.Play(seat, card("make-4")), i.Ship(seat, card("make-4")), i.PlanDeck(seat)):
            assert why(CLEARING, wish) == ("A17", "cleared")
    refused = judge(GAME, CLEARING, i.EndTurn(ADA))
    assert isinstance(refused, Refused)
    assert dict(refused.refusals[0].facts)["seat"].id == BEN  # type: ignore[union-attr]
    assert why(CLEARING, i.ClearTake(CLEO, card("plan-6"))) == ("A17", "clear-turn")
    assert why(TURN, i.ClearTake(ADA, card("plan-6"))) == ("A17", "clear-due")


@pytest.mark.rule("A.p")
@pytest.mark.parametrize(
    ("state", "what"),
    [(TAKING, "open.take"), (PLANNING, "open.plan"), (SHOWING, "open.shown")],
    ids=["take", "plan", "shown"],
)
def test_what_is_open_is_named_and_whose_it_is(state: State, what: str) -> None:
    for wish in (i.EndTurn(ADA), i.Ship(ADA, card("make-4")), i.ClearTake(ADA, card("plan-6")), i.BorrowFrom(ADA, BEN)):
        verdict = judge(GAME, state, wish)
        assert isinstance(verdict, Refused)
        first = verdict.refusals[0]
        facts = dict(first.facts)
        assert (first.rule, first.key, facts["what"].key) == ("A.p", "settled", what)  # type: ignore[union-attr]
        assert facts["seat"].id == ADA  # type: ignore[union-attr]


@pytest.mark.rule("A18", "A9", "A.p")
def test_the_flips_before_a_turn_are_no_effect_of_a_play() -> None:
    """Ben begins: two Parts come first. Then he plays a Make, and its two come first."""
    cleared = laid("make-4", "make-5 make-6", "take-6", bench="plan-6").ends(ADA)
    for flipped in ("take-1a", "take-1b"):
        for wish in (i.Play(BEN, card("make-5")), i.EndTurn(BEN), i.BorrowFrom(BEN, ADA), i.ClearTake(BEN, card("x"))):
            assert why(cleared.now, wish) == ("A18", "flipped")
        assert tapped(cleared.now, "make-5") == ("A4", "next-card"), "whatever is laid now would be the card flipped"
        assert tapped(cleared.now, "make-5", verb="play") == ("A18", "flipped")
        assert keys(cleared.now, i.Play(BEN, card("make-5"))) == ["flipped"], "no effect is open beside it"
        assert why(cleared.now, i.Play(CLEO, card("take-6"))) == ("A5", "your-turn")
        cleared.draws(flipped)
        if flipped == "take-1a":  # somebody took it by mistake
            cleared.do(i.MoveCard(ADA, card("take-1a"), PlaceId("hand/0")))
    made = cleared.plays(BEN, "make-5")
    for flipped in ("borrow-7", "plan-5"):
        refused = judge(GAME, made.now, i.EndTurn(BEN))
        assert isinstance(refused, Refused)
        first = refused.refusals[0]
        assert (first.rule, first.key, dict(first.facts)["what"]) == ("A.p", "settled", Word("open.make"))
        made.draws(flipped)
    assert isinstance(end(made.now, "make-6"), More), "now the turn goes on"


@pytest.mark.rule("A5")
@pytest.mark.parametrize("state", [TURN, TAKING, PLANNING, SHOWING], ids=["turn", "take", "plan", "shown"])
@pytest.mark.parametrize(
    "wish",
    [
        i.Play(BEN, card("take-4")), i.Declare(BEN, card("make-5")), i.Ship(BEN, card("make-5")), i.EndTurn(BEN),
        i.Take(BEN, card("plan-6")), i.BorrowFrom(BEN, BEN), i.Borrow(BEN, card("plan-6")), i.PlanHand(BEN, ADA),
        i.PlanDeck(BEN), i.Seen(BEN), i.PutBack(BEN, card("make-5")), i.ScrapCard(BEN, card("x")), i.FromHeap(BEN),
        i.ScrapNothing(BEN), i.Add(BEN, card("make-5")), i.Go(BEN), i.ActAs(BEN, card("demand-make")),
        i.ClearTake(BEN, card("plan-6")),
    ],
    ids=lambda wish: type(wish).__name__,
)  # fmt: skip
def test_on_another_seats_turn_that_is_the_reason_whatever_else_is_wrong(state: State, wish: Intent) -> None:
    assert why(state, wish) == ("A5", "your-turn")


@pytest.mark.rule("A21", "A4", "A.n")
def test_before_and_after_a_round_nothing_is_anybodys_turn() -> None:
    for wish in (i.EndTurn(BEN), i.Play(ADA, card("make-4")), i.Take(ADA, card("plan-6")), i.Go(CLEO)):
        assert why(OVER, wish) == ("A21", "running")
        assert why(DEALING, wish) == ("A4", "dealt")
        assert why(BETWEEN, wish) == ("A.n", "round-chosen")
    for chance in (i.Drew(TABLE, card("make-4")), i.NameFirst(TABLE, ADA), i.Dealt(TABLE, card("demand-make"))):
        assert why(OVER, chance) == ("A21", "running")
    assert why(DEALING, i.Drew(BEN, card("make-4"))) == ("A4", "by-chance")


@pytest.mark.rule("A12", "A.w")
def test_any_card_of_the_deck_means_a_look_at_the_deck() -> None:
    """Even one that isn't on top: the box's reaction must not tell which it is."""
    assert end(PLANNING, "take-1a") == Ready(i.PlanDeck(ADA), asks=False)
    known = laid("plan-5 make-4", "make-5", deck="borrow-7", known=(("take-1a", BEN),)).plays(ADA, "plan-5").now
    assert end(known, "take-1a") == end(known, "borrow-7") == Ready(i.PlanDeck(ADA), asks=False)


@pytest.mark.rule("A13")
def test_the_top_of_the_heap_means_the_heap() -> None:
    scrapping = laid("scrap-6 make-4", "make-5", bench="plan-6 make-2a", heap="take-1a take-1b").plays(ADA, "scrap-6")
    assert end(scrapping.now, "take-1b") == Ready(i.FromHeap(ADA), asks=False)
    assert tapped(scrapping.now, "take-1a") == ("A13", "on-bench"), "it lies below the top"


@pytest.mark.rule("A12")
def test_three_plans_on_the_deck_take_twelve_inputs() -> None:
    """The playthrough does it; one of its inputs is a mistake."""
    path = Path(__file__).parents[3] / "companion/games/actionworks/playthroughs/three-plans.txt"
    told = path.read_text("utf-8").partition("# -- Three")[2].splitlines()
    assert sum(line.startswith(("tap ", "press ")) for line in told) - 1 == 12


def test_a_choice_is_not_a_reason() -> None:
    assert isinstance(end(TURN, "make-4"), More), "to be played, shipped, or declared with others"
    assert tapped(TURN, "plan-6") == ("A6", "in-hand")
    assert why(TURN, i.PlanHand(ADA, SeatId(9))) == ("A12", "plan-due")


@pytest.mark.rule("A27", "A12")
def test_the_words_are_true_of_every_card_they_are_told_of() -> None:
    """A Demand is in use and yet no Part; a card that is back on the deck was looked at and isn't out any more."""
    speaker = kit_of(GAME.id).speaker("en")
    assert speaker.refuse(Table(TURN).no(i.MoveCard(ADA, card("demand-make"), PlaceId("bench")))).endswith(
        "isn’t a Part used this round."
    )
    table = laid("plan-4a plan-5 plan-6 make-4", "make-5", deck="take-1a take-1b take-4 take-5")
    table.do(i.Declare(ADA, card("plan-4a")), i.Add(ADA, card("plan-5")), i.Add(ADA, card("plan-6")), i.Go(ADA))
    for top in ("take-1a", "take-1b", "take-4"):
        table.do(i.PlanDeck(ADA)).draws(top)
    table.do(i.PutBack(ADA, card("take-1b")))
    for other in ("take-1b", "take-5"):
        assert speaker.refuse(table.no(i.PutBack(ADA, card(other)))).endswith("isn’t one of the cards to put back.")
