"""The reason that people are given: the most basic one, of what they most likely meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    TABLE,
    Basis,
    Blocked,
    End,
    Facts,
    Game,
    HowMany,
    Idle,
    Intent,
    More,
    PieceId,
    PlaceId,
    Ready,
    Refused,
    Rule,
    RuleId,
    Seat,
    SeatId,
    Token,
    Verb,
    explain,
    judge,
    known_pieces,
    mask,
    objection,
    say,
    select,
)
from companion.core.selection import Choice
from tests.pick import Bet, Lay, Pass, Seal

ADA, BEN = SeatId(0), SeatId(1)
PRICE, STEP, OVER = Basis.PRICE, Basis.STEP, Basis.OVER


class Aim(Intent, frozen=True):
    """Two places of one kind, as a board and a space of it."""

    board: PlaceId
    space: PlaceId


def broken(basis: Basis, key: str) -> Rule[Any, Any]:
    return Rule(f"X-{key}", key, lambda _state, _subject: (), basis=basis)  # type: ignore[arg-type]


def changed(game: Game[Any, Any], cls: type[Intent], **fields: Any) -> Game[Any, Any]:
    """The game with one verb changed."""
    verbs = tuple(replace(verb, **fields) if verb.intent is cls else verb for verb in game.verbs)
    return replace(game, verbs=verbs)


def tapped(game: Game[Any, Any], state: Any, *tokens: Token, actors: tuple[SeatId, ...] = (ADA,)) -> End:
    view = mask(state, PUBLIC)
    return select(game, state, view, actors, tokens, known=known_pieces(game, view), verbs=game.verbs)


def piece(name: str) -> Token:
    return Token("piece", PieceId(name))


def reason(end: End) -> str:
    assert isinstance(end, Blocked), end
    return end.refused.refusals[0].key


def test_of_several_broken_rules_the_most_basic_is_said_first(pick: Any, two_seats: Any) -> None:
    game = changed(pick, Pass, guards=(broken(PRICE, "price"), broken(STEP, "step"), broken(OVER, "over")))
    verdict = judge(game, two_seats, Pass(ADA))
    assert isinstance(verdict, Refused)
    assert [refusal.key for refusal in verdict.refusals] == ["over", "step", "price"]
    assert [check.key for check in explain(game, two_seats, Pass(ADA))] == ["over", "step", "price"]


def test_a_rule_about_an_argument_may_be_more_basic_than_a_guard(pick: Any, two_seats: Any) -> None:
    game = changed(pick, Lay, guards=(broken(PRICE, "price"),), rules=(broken(Basis.PLACE, "place"),))
    refused = objection(game, two_seats, Lay(ADA, PieceId("a")))
    assert refused is not None
    assert [refusal.key for refusal in refused.refusals] == ["place", "price"]


def test_alike_rules_keep_the_order_of_the_verbs_list(pick: Any, two_seats: Any) -> None:
    game = changed(pick, Pass, guards=(broken(STEP, "first"), broken(STEP, "second")))
    assert [check.key for check in explain(game, two_seats, Pass(ADA))] == ["first", "second"]


@pytest.mark.parametrize(
    ("of_lay", "of_seal", "nearest"),
    [
        ((STEP,), (PRICE, PRICE), "seal"),  # the one that the moment is for
        ((PRICE, PRICE), (Basis.PLACE,), "seal"),  # the fewest broken rules
        ((Basis.PLACE,), (PRICE,), "seal"),  # the least basic
        ((PRICE,), (PRICE,), "lay"),  # the first of the list
    ],
)
def test_what_was_most_likely_meant_is_the_nearest(
    pick: Any, two_seats: Any, of_lay: tuple[Basis, ...], of_seal: tuple[Basis, ...], nearest: str
) -> None:
    game = changed(pick, Lay, guards=tuple(broken(basis, "lay") for basis in of_lay))
    game = changed(game, Seal, guards=tuple(broken(basis, "seal") for basis in of_seal))
    assert reason(tapped(game, two_seats, piece("a"))) == nearest


def test_what_a_thing_cannot_mean_is_not_listed(pick: Any, two_seats: Any) -> None:
    """A hand could mean thousands of bets, but none of them by a card."""
    asked: list[SeatId] = []

    def bets(_state: Any, actor: SeatId) -> tuple[Intent, ...]:
        asked.append(actor)
        return (Bet(actor, 9),)

    game = changed(pick, Bet, span=None, arguments=lambda _state, _actor: (), thinkable=bets)
    assert reason(tapped(game, two_seats, piece("c"))) == "in-hand"
    assert asked == []
    assert reason(tapped(game, two_seats, Token("number", 9))) == "afford"
    assert asked == [ADA]


def test_the_awaited_seat_is_meant_before_another(pick: Any, two_seats: Any) -> None:
    """Ben's card, laid in Ada's turn: it isn't in her hand; that it isn't Ben's turn comes second."""
    end = tapped(pick, two_seats, piece("c"), actors=(BEN, ADA))
    assert reason(end) == "in-hand"
    assert isinstance(end, Blocked)
    assert end.refused.intent.actor == ADA


def test_a_verb_is_meant_only_by_all_that_was_pointed_at(pick: Any, two_seats: Any) -> None:
    """No verb takes two cards, and none a card and a number."""
    assert isinstance(tapped(pick, two_seats, piece("c"), piece("d")), Idle)
    assert isinstance(tapped(pick, two_seats, piece("c"), Token("number", 9)), Idle)
    assert reason(tapped(pick, two_seats, Token("verb", "bet"), Token("number", 9))) == "afford"


def test_hands_may_mean_more_than_is_worth_listing(pick: Any, two_seats: Any) -> None:
    """Only small bets are listed; a hand that means a big one hears that it is too big, not something else."""
    lists: Any = lambda _state, actor: (Bet(actor, 1),)  # noqa: E731
    big: Any = lambda _state, actor: (Bet(actor, n) for n in (1, 9))  # noqa: E731
    game = changed(pick, Bet, span=None, arguments=lists, thinkable=big)
    assert reason(tapped(game, two_seats, Token("number", 9))) == "afford"
    assert isinstance(tapped(game, two_seats, Token("number", 8)), Idle), "nobody could mean that"


def test_of_a_number_between_two_ends_one_stands_for_all(pick: Any, two_seats: Any) -> None:
    """Whatever hands could mean is listed with its lowest number; Ben hears that it isn't his turn, whatever the
    number.
    """
    lowest: Any = lambda _state, actor: (Bet(actor, 1),)  # noqa: E731
    game = changed(pick, Bet, arguments=lambda _state, _actor: (), thinkable=lowest)
    end = tapped(game, two_seats, Token("verb", "bet"), Token("number", 3), actors=(BEN,))
    assert reason(end) == "your-turn"
    assert isinstance(end, Blocked)
    assert end.refused.intent == Bet(BEN, 3)
    assert tapped(game, two_seats, Token("verb", "bet"), Token("number", 3)) == Ready(Bet(ADA, 3), asks=True)


def test_the_number_of_what_is_not_listed_is_asked_for(pick: Any, two_seats: Any) -> None:
    lowest: Any = lambda _state, actor: (Bet(actor, 1),)  # noqa: E731
    game = changed(pick, Bet, arguments=lambda _state, _actor: (), thinkable=lowest)
    assert tapped(game, two_seats, Token("verb", "bet")) == HowMany(Bet(ADA, 1), 1, 5)


def test_of_secrets_that_no_list_offers_none_is_chosen(pick: Any, two_seats: Any) -> None:
    """Ada may lay either of her cards; laying one says which."""
    hand: Any = lambda state, actor: (Lay(actor, card) for card in state.hands[actor].value)  # noqa: E731
    game = changed(pick, Lay, arguments=lambda _state, _actor: (), thinkable=hand)
    assert tapped(game, two_seats, Token("verb", "lay")) == More((), hides=True)


def test_a_place_is_not_taken_for_a_board_and_its_space_at_once(pick: Any, two_seats: Any) -> None:
    def spaces(_state: Any, actor: SeatId) -> tuple[Intent, ...]:
        return (Aim(actor, PlaceId("board"), PlaceId("space")),)

    far: Rule[Any, Any] = Rule("X8", "far", lambda _s, aim: () if aim.board == "board" else None)  # type: ignore[arg-type]
    aim: Verb[Any, Any] = Verb(Aim, (), lambda _s, _a: (), (far,), lambda _s, _i: (), thinkable=spaces)
    game = replace(pick, verbs=(*pick.verbs, aim))
    end = tapped(game, two_seats, Token("place", PlaceId("space")))
    assert isinstance(end, Blocked)
    assert end.refused.intent == Aim(ADA, PlaceId("board"), PlaceId("space"))


def test_further_things_may_stand_for_an_intent(pick: Any, two_seats: Any) -> None:
    """Touching the deck is passing."""
    game = changed(pick, Pass, also=lambda _state, _intent: (Token("place", "deck"),))
    assert tapped(game, two_seats, Token("place", "deck")) == Ready(Pass(ADA), asks=False)
    assert isinstance(tapped(pick, two_seats, Token("place", "deck")), Idle)


def test_one_thing_may_stand_for_several_intents(pick: Any, two_seats: Any) -> None:
    game = changed(pick, Pass, also=lambda _state, _intent: (piece("a"),))
    end = tapped(game, two_seats, piece("a"))
    assert isinstance(end, More)
    assert Choice(Token("verb", "pass"), say("intent.pass", actor=Seat(ADA))) in end.choices


def test_who_reaches_for_a_card_while_chance_is_awaited_is_told_why_not(pick: Any, two_seats: Any) -> None:
    drawing = replace(two_seats, drawing=True)
    game = changed(pick, Lay, guards=(broken(Basis.SETTLING, "drawing"),))
    game = changed(game, Seal, guards=(broken(Basis.TURN, "your-turn"),))
    end = tapped(game, drawing, piece("a"), actors=(TABLE,))
    # Reasons about a draw are asked of the table; anything else is a seat's wish.
    game = replace(game, verbs=tuple(verb for verb in game.verbs if not verb.chance))
    assert reason(end) == "recheck"
    assert reason(tapped(game, drawing, piece("a"), actors=(TABLE,))) == "drawing"


def test_what_comes_before_any_argument_is_asked_once_however_many_there_are(pick: Any, two_seats: Any) -> None:
    asked: list[SeatId] = []

    def ask(_state: Any, actor: SeatId) -> Facts | None:
        asked.append(actor)
        return ()

    cards = tuple(Lay(ADA, PieceId(str(n))) for n in range(20))
    guard = Rule(RuleId("X-step"), "step", ask, basis=STEP)
    game = changed(pick, Lay, guards=(guard,), arguments=lambda _state, _actor: iter(cards))
    assert reason(tapped(game, two_seats, Token("verb", "lay"))) == "step"
    assert len(asked) < len(cards) / 2


def test_what_the_moment_is_not_for_is_not_thought_of_where_something_is_nearer(pick: Any, two_seats: Any) -> None:
    thought: list[Intent] = []

    def seal(_state: Any, actor: SeatId) -> Iterator[Intent]:
        thought.append(Seal(actor, PieceId("a")))
        yield thought[-1]

    game = changed(pick, Seal, guards=(broken(STEP, "step"),), arguments=seal)
    game = changed(game, Lay, rules=(broken(PRICE, "price"),))
    assert reason(tapped(game, two_seats, piece("a"))) == "price"
    assert not thought
    untimely = changed(game, Lay, guards=(broken(OVER, "over"),))
    assert reason(tapped(untimely, two_seats, piece("a"))) == "step", "of what is untimely the nearest"
    assert thought
