"""The map editor: owners of the real game enter their boards on a phone, export them, and play on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import CardKind, Name, PieceId, PlaceId, SeatId, Word, say
from companion.games.one_false_step import GAME
from companion.games.one_false_step.editing import CLAIMS, EXITS, LINES, TOWNS, ClaimCard, ExitCard, LineCard, TownCard
from companion.games.one_false_step.rules.intents import LayBoard
from companion.games.one_false_step.state import Laid, Pack, county, reach
from companion.games.one_false_step.state.parts import Words
from companion.library import InBoth, OwnPacks
from companion.library.card_forms import read, typed
from tests.games.one_false_step.play import PACK, VALLEY, Table, setup_for

EMPTY = Pack("mine", Words("Mine", "Le mien"), Words("", ""), ())


def entered(pack: Pack, kind: CardKind[Pack, Any], *forms: dict[str, str]) -> Pack:
    """The pack after these forms were filled in, one after another; each must be valid."""
    assert kind.blank is not None
    for form in forms:
        card, wrongs = read(kind, typed(kind, kind.blank) | form, kind.blank)
        assert (wrongs, kind.wrong(pack, card)) == ((), ())
        pack = kind.write(pack, (*kind.read(pack), card))
    return pack


def wrong(pack: Pack, kind: CardKind[Pack, Any], card: Any) -> list[tuple[str, str]]:
    return [(w.field, w.said.key) for w in kind.wrong(pack, card)]


def ridge() -> Pack:
    """A board entered from scratch: Ash Hill – a – b, and b leaves at the right."""
    pack = entered(EMPTY, TOWNS, {"board": "7", "name": "Ash Hill", "population": "2500", "seat": "yes", "x": "20"})
    pack = entered(
        pack, CLAIMS, {"board": "7", "letter": "a"}, {"board": "7", "letter": "b", "kind": "mine", "x": "80"}
    )
    pack = entered(
        pack, LINES, {"board": "7", "one": "ash hill", "other": "a"}, {"board": "7", "one": "a", "other": "b"}
    )
    return entered(pack, EXITS, {"board": "7", "edge": "e1", "node": "b"})


def test_a_board_is_entered_from_nothing() -> None:
    (board,) = ridge().boards
    assert [(t.id, t.name, t.population, t.seat) for t in board.towns] == [("ash-hill", "Ash Hill", 2500, True)]
    assert [(c.id, c.kind, c.x) for c in board.claims] == [("a", "farm", 50), ("b", "mine", 80)]
    assert board.links == (("ash-hill", "a"), ("a", "b"))
    assert [(j.edge, j.node) for j in board.joints] == [("e1", "b")]


@pytest.mark.rule("F13")
def test_what_was_entered_is_what_is_connected() -> None:
    where = county(ridge(), (Laid(7, 0, 0),))
    assert reach(where, 0, 0) == 0b01
    assert reach(where, 0, 0b01) == 0b11


@pytest.mark.parametrize("kind", GAME.cards, ids=lambda kind: kind.name)
@pytest.mark.parametrize("pack", [PACK, VALLEY], ids=lambda pack: pack.id)
def test_reading_and_writing_changes_nothing(kind: CardKind[Pack, Any], pack: Pack) -> None:
    assert kind.write(pack, kind.read(pack)) == pack


def test_a_form_says_what_is_wrong() -> None:
    pack = ridge()
    assert wrong(pack, TOWNS, TownCard(7, "x")) == [("name", "card.town.nameless")]
    assert wrong(pack, TOWNS, TownCard(7, "ASH HILL")) == [("name", "card.town.twice")]
    assert wrong(pack, TOWNS, TownCard(8, "Ash Hill")) == []
    assert wrong(pack, CLAIMS, ClaimCard(7, "a")) == [("letter", "card.claim.twice")]
    assert wrong(pack, CLAIMS, ClaimCard(8, "a")) == []
    assert wrong(pack, LINES, LineCard(7, "a", "z")) == [("other", "card.line.nowhere")]
    assert wrong(pack, LINES, LineCard(8, "a", "b")) == [("one", "card.line.nowhere"), ("other", "card.line.nowhere")]
    assert wrong(pack, LINES, LineCard(7, "a", "a")) == [("other", "card.line.loop")]
    assert wrong(pack, LINES, LineCard(7, "b", "a")) == [("other", "card.line.twice")]
    assert wrong(pack, EXITS, ExitCard(7, "e1", "a")) == [("edge", "card.exit.twice")]
    assert wrong(pack, EXITS, ExitCard(7, "e2", "")) == [("node", "card.line.nowhere")]
    assert wrong(pack, EXITS, ExitCard(7, "e2", "a")) == []


def test_a_letter_out_of_place_is_told_by_the_form() -> None:
    _, wrongs = read(CLAIMS, typed(CLAIMS, CLAIMS.blank) | {"letter": "AB"}, None)  # type: ignore[arg-type]
    assert [(w.field, w.said.key) for w in wrongs] == [("letter", "field.claim.letter.must")]


def test_a_claim_with_another_letter_keeps_its_lines_and_one_taken_away_takes_them_along() -> None:
    pack = ridge()
    first, second = CLAIMS.read(pack)
    (board,) = CLAIMS.write(pack, (first, replace(second, letter="q"))).boards
    assert board.links == (("ash-hill", "a"), ("a", "q"))
    assert [joint.node for joint in board.joints] == ["q"]
    (board,) = CLAIMS.write(pack, (second,)).boards
    assert board.links == ()
    assert [joint.node for joint in board.joints] == ["b"]


def test_a_city_with_another_name_keeps_its_id_and_lines_and_one_taken_away_takes_them_along() -> None:
    pack = ridge()
    (card,) = TOWNS.read(pack)
    renamed = TOWNS.write(pack, (replace(card, name="Birch Hill"),))
    assert LINES.read(renamed)[0] == LineCard(7, "Birch Hill", "a")
    assert renamed.boards[0].towns[0].id == "ash-hill"
    assert TOWNS.write(pack, ()).boards[0].links == (("a", "b"),)


def test_cities_of_one_name_or_none_in_our_letters_get_ids_of_their_own() -> None:
    pack = TOWNS.write(EMPTY, (TownCard(1, "Été"), TownCard(2, "Été"), TownCard(3, "漢字"), TownCard(4, "漢字")))
    assert [board.towns[0].id for board in pack.boards] == ["ete", "ete-aa", "city", "city-aa"]
    assert [board.number for board in pack.boards] == [1, 2, 3, 4]


def test_own_boards_are_given_on_as_a_file_and_played_on(tmp_path: Path) -> None:
    """A copy of the shipped pack with a ninth board is exported, imported on another box, and laid there."""
    mine, theirs = OwnPacks(tmp_path / "a"), OwnPacks(tmp_path / "b")
    name = mine.copy(GAME, "", "Attic find", "Ada", InBoth("From the attic.", "Du grenier."))
    pack = mine.load(GAME, name)
    ninth = replace(ridge().boards[0], number=9)
    mine.change(GAME, name, replace(pack, boards=(*pack.boards, ninth)), mine.mark(GAME, name))
    taken = theirs.load(GAME, theirs.take_in(GAME, mine.text(GAME, name)))
    assert taken.boards[-1] == ninth
    table = Table(GAME.start(setup_for(3, pack=taken)))
    table.do(LayBoard(SeatId(0), PieceId("board-9"), PlaceId("at/0/0")))
    assert table.now.laid == (Laid(9, 0, 0),)


@pytest.mark.parametrize(
    ("kind", "field", "low", "high"),
    [
        (TOWNS, "board", 1, 99),
        (TOWNS, "population", 1, 99999),
        (TOWNS, "red", 0, 9),
        (TOWNS, "green", 0, 9),
        (TOWNS, "x", 0, 100),
        (CLAIMS, "y", 0, 100),
        (EXITS, "board", 1, 99),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_number_of_a_form_has_its_bounds(kind: CardKind[Pack, Any], field: str, low: int, high: int) -> None:
    assert kind.blank is not None
    for number, fits in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        _, wrongs = read(kind, typed(kind, kind.blank) | {field: str(number)}, kind.blank)
        assert (field not in [w.field for w in wrongs]) == fits, number


@pytest.mark.parametrize(("length", "fits"), [(24, True), (25, False)])
def test_a_name_has_24_letters_at_most(length: int, fits: bool) -> None:
    assert LINES.blank is not None
    _, wrongs = read(LINES, typed(LINES, LINES.blank) | {"one": "n" * length}, LINES.blank)
    assert ("one" not in [w.field for w in wrongs]) == fits


def test_new_things_begin_in_the_middle_of_board_one() -> None:
    assert TOWNS.blank == TownCard(1, "", 1000, 1, 1, False, 50, 50, "")
    assert CLAIMS.blank == ClaimCard(1, "a", "farm", 50, 50)
    assert LINES.blank == LineCard(1, "", "")
    assert EXITS.blank == ExitCard(1, "n1", "")


def test_a_form_is_called_what_it_describes() -> None:
    assert TOWNS.said(TownCard(7, "Ash Hill")) == say("card.town", board=7, name=Name("Ash Hill"))
    assert CLAIMS.said(ClaimCard(7, "b", "mine")) == say(
        "card.claim", board=7, letter=Name("b"), kind=Word("kind.mine")
    )
    assert LINES.said(LineCard(7, "a", "b")) == say("card.line", board=7, one=Name("a"), other=Name("b"))
    assert EXITS.said(ExitCard(7, "e1", "b")) == say("card.exit", board=7, edge=Word("edge.e1"), node=Name("b"))


def test_an_end_that_is_nowhere_is_told_with_what_is_there() -> None:
    (found,) = LINES.wrong(ridge(), LineCard(7, "a", "z"))
    assert found.said == say("card.line.nowhere", board=7, names=Name("a, b, Ash Hill"))


def test_a_long_name_makes_a_short_id_and_two_letters_are_enough() -> None:
    assert (
        TOWNS.write(EMPTY, (TownCard(1, "Abcdefghijklmnopqrstuvwx"),)).boards[0].towns[0].id == "abcdefghijklmnopqrst"
    )
    cards = (TownCard(1, "Abcdefghij Klmnopqrs Tuv"), TownCard(2, "Ox"), TownCard(3, "Q"), TownCard(4, "Ox"))
    pack = TOWNS.write(EMPTY, cards)
    assert [board.towns[0].id for board in pack.boards] == ["abcdefghij-klmnopqrs", "ox", "q-aa", "ox-aa"]


def test_boards_keep_their_order_and_new_ones_follow() -> None:
    pack = TOWNS.write(EMPTY, (TownCard(9, "Oxford"), TownCard(2, "Ash Hill")))
    again = TOWNS.write(pack, (*TOWNS.read(pack), TownCard(5, "Elm")))
    assert [board.number for board in again.boards] == [2, 9, 5]


def test_only_what_is_there_already_is_twice() -> None:
    pack = entered(ridge(), CLAIMS, {"board": "7", "letter": "m"})
    assert [wrong(pack, CLAIMS, ClaimCard(7, letter)) for letter in ("c", "m", "z")] == [
        [],
        [("letter", "card.claim.twice")],
        [],
    ]
    assert [wrong(pack, TOWNS, TownCard(7, name)) for name in ("Aa", "Zz", "Ox")] == [[], [], []]
    assert wrong(pack, TOWNS, TownCard(6, "Ash Hill")) == []
    exits = entered(pack, EXITS, {"board": "7", "edge": "w2", "node": "a"})
    assert [wrong(exits, EXITS, ExitCard(7, edge, "a")) for edge in ("n1", "w1")] == [[], []]
