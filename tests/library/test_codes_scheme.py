"""Every thing has a printed code, and a misread code is no code."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from companion.core import Game, GameId, PieceId, PlaceId, SeatId
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, Tag, Things, codes_of, game_of, is_code, shelf
from companion.library.codes import NoCode, NoCodeLeft

DECK = tuple(PieceId(f"card-{number}") for number in range(60))
GAME = GameId("us-patent")


def things(*pieces: PieceId, game: GameId = GAME, places: tuple[PlaceId, ...] = ()) -> Things:
    return Things(game, pieces, 4, places=places)


def things_of(game: Game[Any, Any]) -> Things:
    pack = shelf.pack(game)
    return Things(game.id, game.pieces(pack), max(game.seats), places=game.places(pack))


@pytest.mark.parametrize("game_id", shelf.games())
def test_each_thing_of_a_game_is_found_by_its_code(game_id: GameId) -> None:
    those = things_of(shelf.open(game_id))
    codes = codes_of(those)
    pieces: tuple[Tag, ...] = tuple(PieceTag(game_id, piece) for piece in those.pieces)
    for tag in (*pieces, *(PlaceTag(game_id, place) for place in those.places)):
        assert codes.thing(codes.number(tag)) == tag
        assert game_of(codes.number(tag), shelf.games()) == game_id


def test_no_two_things_of_one_box_share_a_code() -> None:
    tags = [(tag, digits) for game in shelf.games() for tag, digits in codes_of(things_of(shelf.open(game))).all()]
    assert len({digits for _tag, digits in tags}) == len({tag for tag, _digits in tags})
    shorts = {
        codes.short(tag)
        for codes in (codes_of(things_of(shelf.open(game))) for game in shelf.games())
        for tag, _digits in codes.all()
    }
    assert len(shorts) == len({tag for tag, _digits in tags})


def test_seats_and_numbers_are_the_same_in_every_game() -> None:
    one, other = codes_of(things(game=GameId("timeline"))), codes_of(things())
    for tag in (SeatTag(SeatId(0)), SeatTag(SeatId(7)), NumberTag(0), NumberTag(12)):
        assert one.number(tag) == other.number(tag)
        assert other.thing(one.number(tag)) == tag
        assert game_of(one.number(tag), shelf.games()) is None
    assert (one.short(SeatTag(SeatId(0))), one.short(NumberTag(7))) == ("#1", "7")


def test_any_wrong_digit_and_any_two_that_changed_places_are_no_code() -> None:
    for number in range(0, 10_000, 7):
        digits = next(f"{number:04}{check:02}" for check in range(100) if is_code(f"{number:04}{check:02}"))
        for at in range(6):
            wrong = [digits[:at] + digit + digits[at + 1 :] for digit in "0123456789" if digit != digits[at]]
            assert not any(is_code(each) for each in wrong)
        for a, b in combinations(range(6), 2):
            swapped = [*digits]
            swapped[a], swapped[b] = swapped[b], swapped[a]
            assert digits[a] == digits[b] or not is_code("".join(swapped))


@pytest.mark.parametrize("rubbish", ["", "12345", "1234567", "12a456", "１２３４５６", "-12345", "+12345", " 12345"])
def test_rubbish_is_no_code(rubbish: str) -> None:
    assert not is_code(rubbish)
    assert codes_of(things(*DECK)).thing(rubbish) is None
    assert game_of(rubbish, shelf.games()) is None


def test_a_card_that_is_added_leaves_the_others_as_they_are() -> None:
    places = (PlaceId("0/office"), PlaceId("1/market"))
    for length in range(len(DECK)):
        before, after = codes_of(things(*DECK[:length], places=places)), codes_of(things(*DECK, places=places))
        assert all(after.number(tag) == digits for tag, digits in before.all())


def test_a_code_depends_on_ids_alone() -> None:
    # These are on printed cards: if you change them, every sheet must be printed again.
    codes = codes_of(things(*DECK))
    tag = PieceTag(GAME, DECK[0])
    assert (codes.number(tag), codes.short(tag)) == ("794722", "U-347")


def test_a_card_of_another_game_is_told_as_such() -> None:
    codes = codes_of(things(*DECK))
    other = codes_of(things(PieceId("face-1a"), game=GameId("timeline")))
    digits = other.number(PieceTag(GameId("timeline"), PieceId("face-1a")))
    assert codes.thing(digits) is None
    assert game_of(digits, shelf.games()) == "timeline"


@pytest.mark.parametrize("typed", ["U-347", "u-347", " u347 ", "U 347"])
def test_what_stands_beside_a_code_can_be_typed(typed: str) -> None:
    assert codes_of(things(*DECK)).called(typed) == PieceTag(GAME, DECK[0])


def test_what_stands_beside_no_code_is_nothing() -> None:
    codes = codes_of(things(*DECK))
    assert [codes.called(typed) for typed in ("", "U-999", "T-347", "-", "é")] == [None] * 5
    assert codes.called("#2") == SeatTag(SeatId(1))


def test_a_thing_of_no_pack_has_no_code() -> None:
    with pytest.raises(NoCode, match="use the codes of the pack"):
        codes_of(things(*DECK)).number(PieceTag(GAME, PieceId("left-in-the-box")))


def test_a_pack_may_have_so_many_things_and_no_more() -> None:
    fits = tuple(PieceId(f"card-{number}") for number in range(380))
    assert len({digits for _tag, digits in codes_of(things(*fits)).all()}) == 380 + 120
    with pytest.raises(NoCodeLeft, match="at most 380"):
        codes_of(things(*fits, PieceId("one-more")))
