"""Before the first turn: rounds and types, Demands, the deal, the first player."""

from __future__ import annotations

import pytest

from companion.core import TABLE, SeatId, SetupError
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import Dealt, Drew, EndTurn, NameFirst, NewType, Play, SameTypes
from companion.games.actionworks.state import TYPES, Clearing, kind_of, parts_in, pieces
from companion.games.actionworks.state.parts import Words, pack_from_counts
from companion.games.actionworks.state.state import first_round_for, types_of_round
from tests.games.actionworks.play import ADA, BEN, CLEO, PACK, Table, card, dealt, kinds, laid, setup_for


@pytest.mark.rule("A1")
def test_each_round_adds_a_type_until_all_six_are_in_use() -> None:
    assert [TYPES[: types_of_round(n)] for n in (1, 2, 3, 4, 5)] == [
        ("make", "take", "borrow"),
        ("make", "take", "borrow", "plan"),
        ("make", "take", "borrow", "plan", "scrap"),
        TYPES,
        TYPES,
    ]


@pytest.mark.rule("A2", "A.a")
def test_more_players_start_in_a_later_round() -> None:
    assert [first_round_for(seats) for seats in (2, 3, 4, 5, 6)] == [1, 1, 2, 3, 4]
    assert [GAME.start(setup_for(seats)).types for seats in (2, 3, 4, 5, 6)] == [3, 3, 4, 5, 6]
    assert [GAME.start(setup_for(seats)).round for seats in (2, 3, 4, 5, 6)] == [1, 1, 2, 3, 4]


@pytest.mark.rule("A3", "A.ad")
@pytest.mark.parametrize(
    ("seats", "each"), [(2, (1, 2, 2, 3)), (3, (1, 1, 1, 2)), (4, (1, 1, 1)), (5, (1, 1)), (6, (1,))]
)
def test_demands_are_dealt_evenly_as_many_as_go_round(seats: int, each: tuple[int, ...]) -> None:
    for types, number in zip(range(7 - len(each), 7), each, strict=True):
        table = laid(*("make-4",) * 1, *("",) * (seats - 1), types=types, steps=(Clearing(ADA),), deck="")
        table.now = GAME.apply(table.now, e.RoundBegun(types - 2, types, ADA))
        while table.awaits()[0] == "deal-demand":
            table.do(table.legal(TABLE)[0])
        assert [len(demands) for demands in table.now.demands] == [number] * seats


@pytest.mark.rule("A3")
def test_a_demand_is_dealt_once_and_only_of_a_type_in_use() -> None:
    table = Table(GAME.start(setup_for(2))).do(NameFirst(TABLE, BEN), Dealt(TABLE, card("demand-make")))
    assert table.now.demands == ((), ("demand-make",))
    assert table.no(Dealt(TABLE, card("demand-make"))).rule == "A3"
    assert table.no(Dealt(TABLE, card("demand-copy"))).rule == "A3"
    table.do(Dealt(TABLE, card("demand-take")))
    assert table.no(Dealt(TABLE, card("demand-borrow"))).key == "demand-due"


@pytest.mark.rule("A4")
def test_two_parts_lie_on_the_workbench_then_two_in_each_hand() -> None:
    table = dealt(3)
    assert len(table.now.bench) == 2
    assert [len(hand.value) for hand in table.now.hands] == [2, 2, 2]
    assert len(table.now.deck) == len(parts_in(PACK, TYPES[:3])) - 8


@pytest.mark.rule("A4")
def test_only_a_card_of_the_deck_can_be_drawn_and_the_words_are_equal_for_every_card() -> None:
    table = laid("take-4", "", bench="make-4 make-5", known=(("borrow-5", BEN),)).plays(ADA, "take-4")
    assert table.no(Drew(TABLE, card("make-6"))).key == "draw-due"
    table = laid("make-4", "take-4", known=(("borrow-5", BEN),)).plays(ADA, "make-4")
    wrong = [table.no(Drew(TABLE, card(name))) for name in ("take-4", "make-4", "make-6", "nonsense", "demand-make")]
    assert {(r.rule, r.key, r.facts) for r in wrong} == {("A4", "next-card", ())}
    table.draws("borrow-5")
    assert table.no(Drew(TABLE, card("borrow-5"))) == wrong[0]


@pytest.mark.rule("A5", "A.af")
def test_the_table_names_the_first_player_and_turns_pass_to_the_left() -> None:
    table = Table(GAME.start(setup_for(3)))
    assert table.awaits() == ("name-first", (TABLE,))
    assert table.legal(TABLE) == tuple(NameFirst(TABLE, SeatId(s)) for s in range(3))
    assert table.no(NameFirst(TABLE, SeatId(3))).rule == "A5"
    assert table.no(NameFirst(ADA, ADA)).rule == "A.af"
    table.do(NameFirst(TABLE, CLEO))
    assert (table.now.turn, table.now.first) == (CLEO, CLEO)
    table = laid("make-4", "make-5", "make-6", turn=CLEO, bench="take-4").ends(CLEO)
    assert table.now.turn == ADA


@pytest.mark.rule("A5")
def test_only_the_player_on_turn_acts() -> None:
    table = laid("make-4", "make-5")
    refusal = table.no(Play(BEN, card("make-5")))
    assert (refusal.rule, refusal.key) == ("A5", "your-turn")
    assert table.no(EndTurn(BEN)).rule == "A5"


@pytest.mark.rule("A5", "A.ac")
def test_the_next_round_starts_left_of_the_last_turn_whatever_emptied_the_deck() -> None:
    table = laid("make-4 take-4", "borrow-5", "plan-5", turn=BEN, deck="make-6")
    table.now = GAME.apply(table.now, e.TurnSet(ADA))
    table.plays(ADA, "make-4").draws("make-6")
    assert len(table.now.deck) == 0
    table.ends(ADA)
    assert table.awaits() == ("clear", (BEN,))
    table.do(table.legal(BEN)[0])
    assert table.now.round == 5
    assert table.now.first == BEN


@pytest.mark.rule("A22", "A23")
def test_every_round_is_dealt_afresh_with_the_scrap_heap_in_the_deck() -> None:
    table = laid("make-4", "borrow-5", heap="take-4 take-5", deck="", totals=(3, 4), types=5).ends(ADA)
    fresh = table.now
    assert fresh.heap == fresh.under == fresh.bench == ()
    assert fresh.deck.unseen == parts_in(PACK, TYPES)
    assert fresh.demands == ((), ())
    assert all(not zone.value for zone in (*fresh.hands, *fresh.piles))
    assert fresh.totals == (3 + 4, 4 - 1)


@pytest.mark.rule("A27")
def test_types_not_in_use_stay_in_the_box_and_a_type_nobody_wants_stays_in_the_deck() -> None:
    table = dealt(2)
    assert {lies.piece.split("-")[0] for lies in GAME.layout(table.now) if lies.place == "box"} >= {
        "plan",
        "scrap",
        "copy",
    }
    wanted = {demand for demands in table.now.demands for demand in demands}
    assert len(wanted) == 2
    left = {"demand-make", "demand-take", "demand-borrow"} - wanted
    kind = left.pop().removeprefix("demand-")
    lying = [lies.piece for lies in GAME.layout(table.now) if lies.place != "box" and kind_of(lies.piece) == kind]
    assert len(lying) == len(parts_in(PACK, (kind,)))


@pytest.mark.rule("A.n")
def test_every_round_adds_a_type_by_itself() -> None:
    table = laid("make-4", "take-4", deck="", types=3).ends(ADA)
    assert (table.now.round, table.now.types) == (2, 4)


@pytest.mark.rule("A.n")
def test_by_choice_the_whole_table_is_asked_and_the_first_answer_counts() -> None:
    def ended() -> Table:
        return laid("make-4", "take-4", deck="", types=3, new_type="by-choice").ends(ADA)

    assert ended().awaits() == ("new-type", (ADA, BEN))
    same, more = ended().do(SameTypes(BEN)), ended().do(NewType(ADA))
    assert (same.now.round, same.now.types) == (2, 3)
    assert (more.now.round, more.now.types) == (2, 4)
    assert same.no(NewType(ADA)).rule == "A.n"
    assert kinds(same.now.deck.unseen).count("plan") == 0


@pytest.mark.rule("A.n")
def test_by_choice_nothing_is_asked_once_all_types_are_in_use() -> None:
    table = laid("make-4", "take-4", deck="", types=6, new_type="by-choice").ends(ADA)
    assert table.awaits()[0] == "deal-demand"


def test_a_game_that_cannot_be_set_up_says_what_to_do() -> None:
    with pytest.raises(SetupError, match="seats 2 to 6, not 7"):
        GAME.start(setup_for(7))
    words = Words("x", "x")
    few = pack_from_counts("few", words, words, [("make", 3, 4)])
    with pytest.raises(SetupError, match=r"4 Parts.*count the deck again"):
        GAME.start(setup_for(2, pack=few))


def test_the_shipped_pack_has_56_parts_and_six_demands_and_says_that_its_numbers_are_ours() -> None:
    assert len(parts_in(PACK, TYPES)) == 56
    assert len(pieces(PACK)) == len(set(pieces(PACK))) == 62
    assert "ours" in PACK.note.en
    assert "nôtres" in PACK.note.fr


def test_a_counted_deck_is_a_pack() -> None:
    words = Words("Mine", "À moi")
    pack = pack_from_counts("mine", words, words, [("take", 2, 1), ("make", 9, 2), ("make", 1, 1), ("copy", 3, 0)])
    assert parts_in(pack, TYPES) == ("make-1", "make-9a", "make-9b", "take-2")
