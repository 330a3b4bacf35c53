"""Ben's turn as a friend would tell it: one sentence where that says the same, several where it would not."""

from __future__ import annotations

import pytest

from companion.app.opening import load_texts
from companion.core import Said, Seat, SeatId, phrase, say
from companion.games.us_patent import GAME
from companion.library import Lang, Names, Speaker, tell

ADA, BEN = SeatId(0), SeatId(1)
STAYS = say("event.stayed", seat=Seat(BEN))
TAKES = say("event.earned", seat=Seat(BEN), gold=2)
ENDS = say("event.turn-ended", seat=Seat(BEN))
ROLLS = say("event.roll-begun", seat=Seat(BEN))
CALLED = say("event.number-called", seat=Seat(BEN))
PAYS = say("event.machine-mended", seat=Seat(BEN), gold=4)
HIT = say("event.attack-hit", seat=Seat(ADA), target=Seat(BEN), attack=14, defence=5)


def told(*lines: Said, lang: Lang = "en", seats: tuple[str, ...] = ("Ada", "Ben")) -> list[str]:
    names = Names(seats, lambda piece: Said("piece.unknown"), Said)
    return [each.replace("\u00a0", " ") for each in tell(Speaker(load_texts(GAME), lang, names), BEN, lines)]


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "Ben stays, takes 2 Gold and ends the turn."), ("fr", "Ben reste, prend 2 or et finit son tour.")],
)
def test_what_a_seat_did_is_one_sentence(lang: Lang, words: str) -> None:
    assert told(STAYS, TAKES, ENDS, lang=lang) == [words]
    assert told(lang=lang) == []


def test_what_has_a_colon_or_is_about_another_seat_stands_alone() -> None:
    assert told(STAYS, PAYS, TAKES, ENDS) == [
        "Ben stays.",
        "Ben pays 4 Gold: everything works again.",
        "Ben takes 2 Gold and ends the turn.",
    ]
    assert told(STAYS, HIT, ENDS) == ["Ben stays.", "Ada hits Ben, 14 to 5.", "Ben ends the turn."]
    assert told(CALLED, ENDS) == ["Ben is on “!”: called this turn.", "Ben ends the turn."]


def test_what_has_an_and_of_its_own_stands_alone() -> None:
    drawn = say("event.machine-drawn", seat=Seat(BEN), card=phrase("piece.unknown"), place=phrase("seat.table"), gold=8)
    first, last = told(drawn, ENDS)
    assert " and starts at " in first
    assert last == "Ben ends the turn."


@pytest.mark.parametrize(
    ("times", "lang", "words"),
    [
        (2, "en", "Ben takes 2 Gold twice and ends the turn."),
        (3, "en", "Ben takes 2 Gold 3 times and ends the turn."),
        (2, "fr", "Ben prend 2 or deux fois et finit son tour."),
        (3, "fr", "Ben prend 2 or 3 fois et finit son tour."),
    ],
)
def test_the_same_again_is_told_by_how_often(times: int, lang: Lang, words: str) -> None:
    assert told(*[TAKES] * times, ENDS, lang=lang) == [words]


def test_a_long_turn_is_told_in_several_sentences() -> None:
    assert told(ROLLS, STAYS, TAKES, ROLLS, ENDS) == [
        "Ben rolls to move, stays, takes 2 Gold and rolls to move.",
        "Ben ends the turn.",
    ]


def test_a_name_that_begins_another_is_not_taken_for_it() -> None:
    hit = say("event.attack-stopped", seat=Seat(BEN), target=Seat(ADA))
    assert told(STAYS, hit, seats=("Ben Two", "Ben"))[0] == "Ben stays."
