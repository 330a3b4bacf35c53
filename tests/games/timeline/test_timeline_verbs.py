"""What each verb is to the table: does it need OK, is it listed, when is it open, which of its rules are only
advice.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Intent, PieceId, PlaceId, Seat, SeatId, Verb, Word, say, verb_of
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import FACES, NO_SLIDE, Spot, card_on, end_of_line, lies
from companion.games.timeline.state.cards import Face
from tests.games.timeline.board import ADA, BEN, PACK, act, board, broken, card, lay, opened, tops

VERBS = """
name-first      chance sure      naming
drew            chance sure      dealing drawing
place           asks unlisted sure    placing
move            asks sure        turn            your-turn own-column waypoint-free
go-above        asks             turn            your-turn
go-below        asks             turn            your-turn
flip            asks             turn            your-turn
travel          asks sure        turn            your-turn stop-free
explore         asks             turn            your-turn
enter-market    asks sure        turn            your-turn
stop-on         unlisted sure    stopping        new-waypoint-free
sell            asks number      turn selling    your-turn
keep-goods      unlisted sure    selling         your-turn
stay            asks sure        turn            your-turn
agree-to-stop   asks sure        turn
set-gold        asks number
set-goods       asks number
set-turn        asks
set-column      asks number
set-counter     asks
set-pawn        asks
pawn-to-market  asks number
put-card        asks number
remove-card     asks
put-blank       asks number
remove-blank    asks
set-face        asks
"""
"""The last words of a line are the conditions that advise lets pass: hands could do it anyway."""


def words_of(verb: Verb[Any, Any]) -> list[str]:
    flags = {
        "asks": verb.asks,
        "chance": verb.chance,
        "unlisted": not verb.listed,
        "number": verb.span is not None,
        "sure": verb.sure,
    }
    steps = [str(step.__struct_config__.tag) for step in verb.phases]  # type: ignore[attr-defined]
    lax = [rule.key for rule in (*verb.guards, *verb.rules) if not rule.physical]
    return [verb.name, *(name for name, holds in flags.items() if holds), *steps, *lax]


def test_every_verb_is_what_it_is_said_to_be() -> None:
    said = [line.split() for line in VERBS.strip().splitlines()]
    assert [words_of(verb) for verb in (*GAME.verbs, *GAME.corrections)] == said


def usual(**options: Any) -> Any:
    return board([("=1a", 0)], pawns={0: (1, 1), 1: (2, 0)}, **options)


@pytest.mark.parametrize(
    ("wish", "low", "high", "rule"),
    [
        (i.SetGold(ADA, BEN, 0), 0, 99, "T30"),
        (i.SetGoods(ADA, BEN, PlaceId("oil"), 0), 0, 60, "T30"),
        (i.SetColumn(ADA, PlaceId("column/1"), 0), -99, 99, "T26"),
        (i.PawnToMarket(ADA, BEN, 0), -99, 99, "T26"),
        (i.PutCard(ADA, card("9a"), PlaceId("column/1"), 0), -99, 99, "T26"),
        (i.PutBlank(ADA, PlaceId("column/1"), 0), -99, 99, "T26"),
    ],
)
def test_a_number_is_set_right_between_its_ends(wish: Any, low: int, high: int, rule: str) -> None:
    state = usual()
    span = verb_of(GAME, wish).span
    assert span is not None
    assert span(state, wish) == (low, high)
    assert broken(state, replace(wish, number=low)) == []
    assert broken(state, replace(wish, number=high)) == []
    assert broken(state, replace(wish, number=low - 1)) == [rule]
    assert broken(state, replace(wish, number=high + 1)) == [rule]


@pytest.mark.rule("T.o")
@pytest.mark.parametrize(("top", "rules"), [(-4, []), (-3, ["T.o"]), (0, ["T.o"]), (3, ["T.o"]), (4, [])])
def test_cards_touch_but_do_not_overlap(top: int, rules: list[str]) -> None:
    assert broken(usual(), i.PutCard(ADA, card("9a"), PlaceId("column/1"), top)) == rules
    assert broken(usual(), i.PutBlank(ADA, PlaceId("column/1"), top)) == rules


def test_a_card_may_be_pushed_within_its_own_column_even_if_it_is_the_only_one() -> None:
    assert tops(act(usual(), i.PutCard(ADA, card("1a"), PlaceId("column/1"), 2)), 1) == [2]


@pytest.mark.parametrize(
    ("wish", "rule"),
    [
        (i.SetCounter(ADA, card("1a"), 0), "T3"),
        (i.SetCounter(ADA, card("1a"), 5), "T3"),
        (i.SetPawn(ADA, SeatId(-1), card("1a"), 1), "T30"),
        (i.SetPawn(ADA, BEN, card("1a"), 5), "T8"),
        (i.SetTurn(ADA, SeatId(2)), "T30"),
        (i.SetColumn(ADA, PlaceId("column/0"), 0), "T1"),
        (i.SetColumn(ADA, PlaceId("column/1/1"), 0), "T1"),
        (i.SetColumn(ADA, PlaceId("columns/1"), 0), "T1"),
        (i.PutCard(ADA, card("9a"), PlaceId("column/5"), 0), "T1"),
        (i.SetFace(ADA, PlaceId("card/0/1"), card("9a")), "T2"),
        (i.SetFace(ADA, PlaceId("card/5/1"), card("9a")), "T2"),
        (i.SetFace(ADA, PlaceId("card/1/0"), card("9a")), "T2"),
        (i.SetFace(ADA, PlaceId("card/1"), card("9a")), "T2"),
        (i.RemoveBlank(ADA, PlaceId("card/9/1")), "T.p"),
        (i.RemoveCard(ADA, PieceId("?")), "T25"),
    ],
)
def test_what_is_not_there_cannot_be_set_right(wish: Intent, rule: str) -> None:
    assert broken(usual(), wish)[0] == rule


@pytest.mark.rule("T16")
def test_a_slide_is_remembered_until_the_next_act() -> None:
    state = board([("=1a", 0), ("=2a", 4)], [("=3a", 8)], pawns={0: (1, 0), 1: (1, 3)}, goods={1: (0, 0, 0, 2)})
    slid = act(state, i.Move(ADA, card("1a"), 2))
    assert slid.slid == (1, 2)
    for wish in (i.Stay(BEN), i.GoAbove(BEN), i.Explore(BEN, PlaceId("column/2")), i.EnterMarket(BEN)):
        assert act(slid, wish).slid == NO_SLIDE, wish
    assert act(slid, i.Move(BEN, card("2a"), 1)).slid == (1, 2)
    assert act(act(slid, i.Move(BEN, card("1a"), 1)), i.Stay(ADA)).slid == NO_SLIDE
    for fix in (i.PutCard(ADA, card("9a"), PlaceId("column/3"), 4), i.PutBlank(ADA, PlaceId("column/3"), 4)):
        assert act(slid, fix).slid == NO_SLIDE


def test_every_piece_has_its_place_and_pawns_wait_in_the_box() -> None:
    def place_of(state: Any) -> dict[str, str]:
        return {str(lies.piece): str(lies.place) for lies in GAME.layout(state)}

    before = place_of(opened(2, Random(1)))
    assert [before[f"pawn-{seat}"] for seat in range(5)] == ["box"] * 5
    lying = place_of(board([("=1a", -3)], pawns={0: (1, -2), 1: (5, -1)}))
    assert [lying[f"pawn-{seat}"] for seat in range(5)] == ["stop/1/-2", "market/-1", "box", "box", "box"]
    assert lying["face-1a"] == "lane/1/-3"
    assert lying["face-9a"] == "deck"
    facing = {str(lies.piece): lies.facing for lies in GAME.layout(usual())}
    assert (facing["face-1a"], facing["face-9a"], facing["pawn-0"]) == ("up", "down", "up")


def asked(state: Any) -> tuple[str, tuple[int, ...], dict[str, Any]]:
    """What the game waits for, from whom, and with which facts."""
    top = GAME.decisions(state)[-1]
    return top.kind, top.seats, dict(top.facts)


def test_what_the_game_waits_for_says_for_whom_and_where() -> None:
    state = GAME.start(usual().setup)
    assert [decision.kind for decision in GAME.decisions(state)] == ["turn", "place", "name-first", "deal"]
    for column, name in enumerate(("1a", "9a", "13a", "23a"), 1):
        assert asked(state) == ("deal", (TABLE,), {"column": column})
        state = act(state, i.Drew(TABLE, card(name)))
    assert asked(state) == ("name-first", (TABLE,), {})
    state = act(state, i.NameFirst(TABLE, BEN))
    assert asked(state) == ("place", (BEN,), {"seat": Seat(BEN), "column": 1})
    state = act(state, i.Place(BEN, card("1a"), 1))
    assert asked(state) == ("place", (ADA,), {"seat": Seat(ADA), "column": 2})
    state = act(state, i.Place(ADA, card("9a"), 1))
    assert asked(state) == ("turn", (BEN,), {"seat": Seat(BEN)})
    drawing = act(state, i.GoAbove(BEN))
    assert asked(drawing) == ("draw", (TABLE,), {"seat": Seat(BEN), "at": lies(1, 1, 2)})
    stopping = act(drawing, i.Drew(TABLE, card("2a")))
    assert asked(stopping) == ("stop", (BEN,), {"seat": Seat(BEN), "column": 1})


def test_a_sale_is_asked_with_its_good_and_value_and_old_answers_are_known_as_old() -> None:
    state = board(pawns={0: (1, 1), 1: (2, 0)}, goods={0: (0, 2, 0, 0)})
    selling = act(state, i.EnterMarket(ADA))
    assert asked(selling) == ("sell", (ADA,), {"seat": Seat(ADA), "good": Word("good.milk"), "value": 2})
    subjects = [
        GAME.decisions(one)[-1].subject for one in (state, act(state, i.Stay(ADA)), act(selling, i.Sell(ADA, 1)))
    ]
    assert len(set(subjects)) == 2, "one turn later is another question; how it was reached does not matter"


@pytest.mark.rule("T23", "T.af")
def test_the_result_names_the_winner_or_nobody() -> None:
    rich = board(pawns={0: (5, 3), 1: (2, 0)}, goods={0: (0, 0, 0, 2)}, gold=(14, 20))
    won = GAME.result(act(rich, i.Sell(ADA, 2)))
    assert won is not None
    assert (won.winners, dict(won.said.facts)) == ((ADA,), {"seat": Seat(ADA), "gold": 22})
    assert GAME.result(act(rich, i.Sell(ADA, 1))) is None
    stopped = GAME.result(act(act(rich, i.AgreeToStop(BEN)), i.AgreeToStop(ADA)))
    assert stopped is not None
    assert (stopped.winners, stopped.said.key) == ((), "result.stopped")


# What mutants found


def test_a_pawn_is_called_by_whose_it_is_and_a_drawing_like_none_is_new() -> None:
    assert GAME.describe(PACK, PieceId("pawn-1")) == say("piece.pawn", seat=Seat(BEN))
    assert FACES.wrong(PACK, Face("4321", "YRGB")) == ()


def test_setting_the_turn_right_is_a_new_turn() -> None:
    state = usual()
    assert act(state, i.SetTurn(ADA, BEN)).turns == state.turns + 1
    assert act(act(state, i.SetTurn(ADA, BEN)), i.SetTurn(ADA, ADA)).turns == state.turns + 2


@pytest.mark.parametrize("column", [1, 2, 3, 4])
def test_any_column_is_pushed_by_its_own_highest_card(column: int) -> None:
    columns = [[(f"={number}a", 2 * number)] for number in (1, 2, 3, 4)]
    state = board(*columns, pawns={0: (1, 2), 1: (2, 4)})
    after = act(state, i.SetColumn(ADA, PlaceId(f"column/{column}"), -1))
    assert [tops(after, number) for number in (1, 2, 3, 4)] == [
        [-1] if number == column else [2 * number] for number in (1, 2, 3, 4)
    ]


@pytest.mark.rule("T10")
@pytest.mark.parametrize(("column", "market"), [(1, 2), (2, 3), (3, 2), (4, 3), (5, 1)])
def test_a_line_goes_on_from_the_column_of_its_pawn(column: int, market: int) -> None:
    """By hand from lane 1: 4321 leads to 2 and back; 4123 from 1 to 0 and 2 to 1; 3421 from 0 to 2 and 1 to 3."""
    state = board([("23a", 0)], [("23b", 0)], [("9a", 0)], [("22a", 0)], pawns={0: (column, 1), 1: (1, 0)})
    assert end_of_line(state, state.pawns[0]) == market


def test_a_pawn_goes_to_finish_wherever_that_is() -> None:
    four = board([("=1a", 0)], seats=4, pawns={0: (1, 1), 1: (2, 0), 2: (3, 0), 3: (4, 0)})
    assert act(four, i.PawnToMarket(ADA, BEN, -2)).pawns[BEN] == Spot(6, -2)


@pytest.mark.parametrize("slot", [0, 1, 2, 3])
def test_a_card_covers_four_lanes(slot: int) -> None:
    high, low = lay("=1a", -4), lay("=2a", 0)
    assert card_on((high, low), slot) is low
    assert card_on((high, low), slot - 4) is high
    assert card_on((high, low), slot + 4) is None
    assert card_on((high, low), slot - 8) is None
