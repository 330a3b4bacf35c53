"""The texts of the cards and their effects, and short ones that are short; the contract kit checks everything else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.kit.kit import kit_of
from companion.app.kit.words import SHORT, has_own, too_long
from companion.core import Fact, Name, Piece, Place, PlaceId, Seat, SeatId, Word
from companion.games.us_patent import GAME
from companion.games.us_patent.state import SEATS_AT_MOST, Leap, Ranged, Repair, pawn_of, sentence
from companion.games.us_patent.state.vocabulary import AnyEffect, Drive, Robbery
from companion.library import LANGS, Lang
from companion.library.texts import Surface
from tests.games.us_patent.play import CLERK
from tests.games.us_patent.test_usp_effects import SAMPLES

KIT = kit_of(GAME.id)
KINDS = (
    *("draw-machine", "research", "move-die", "number-die", "attack-dice", "defence-die", "move", "go"),
    *("act", "end", "place", "invent", "hit", "loot", "counter", "short"),
)


def keys() -> Iterator[tuple[Surface, str]]:
    """(surface, key) of what this game alone must have words for."""
    yield "", "game.about"
    yield from (("", f"card.{card.id}") for card in CLERK.upgrades)
    yield from (("", f"card.{card.id}") for card in CLERK.inventors)
    yield from ((surface, f"decide.{kind}") for kind in KINDS for surface in SHORT)
    yield from (("", f"awaited.{kind}") for kind in KINDS)
    yield from ((surface, sentence(effect).key) for effect in SAMPLES for surface in SHORT)


@pytest.mark.parametrize("lang", LANGS)
def test_every_key_has_words(lang: Lang) -> None:
    assert [key for key in keys() if not has_own(KIT, lang, *key)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_every_effect_makes_a_full_sentence(lang: Lang) -> None:
    speaker = KIT.speaker(lang)
    more: tuple[AnyEffect, ...] = (
        *(Leap(to) for to in ("lab", "market", "library")),
        *(Ranged(scope, result=result) for scope in ("time", "ahead", "any") for result in ("usual", "steal")),
        *(Ranged("any", dice=0, defence=0, result=result) for result in ("disable", "destroy")),
        *(Drive(dice, plus) for dice, plus in ((0, 6), (1, 2), (2, 0), (1, -1))),
        *(Repair("one", when) for when in ("action", "free")),
        *(Repair("all", when) for when in ("action", "free", "always")),
        Robbery(5),
    )
    shipped = tuple(effect for card in CLERK.upgrades for effect in card.effects)
    for effect in (*SAMPLES, *more, *shipped):
        text = speaker.say(sentence(effect))
        assert text.endswith((".", "»"))
        assert "{" not in text
        assert "effect." not in text


@pytest.mark.parametrize(
    ("lang", "counted"), [("en", ("0 cards", "1 card", "2 cards")), ("fr", ("0 carte", "1 carte", "2 cartes"))]
)
def test_cards_are_counted_as_people_do(lang: Lang, counted: tuple[str, ...]) -> None:
    speaker = KIT.speaker(lang)
    assert tuple(speaker.key("foresee.cards-there", "oled", n=n) for n in range(3)) == counted
    assert counted[2] in speaker.key("status.lab", board=4, n=2)
    assert counted[0] in speaker.key("status.lab", board=4, n=0)


@pytest.mark.parametrize("lang", LANGS)
def test_short_forms_fit_the_display(lang: Lang) -> None:
    """With a usual card; the display cuts a longer name, but not the words around it."""
    assert too_long(KIT, lang, _usual) == []


def _usual(name: str, key: str) -> Fact:
    match name:
        case "card" | "source":
            return Name("Bee Can. 4")
        case "seat" | "target" | "actor":
            return Seat(SeatId(2))
        case "place" | "space":
            return Place(PlaceId("3/lab"))
        case "kind" | "what":
            return Word("kind.basic")
        case _:
            return 9


@pytest.mark.parametrize("lang", LANGS)
def test_names_of_cards_fit_the_display(lang: Lang) -> None:
    speaker = KIT.speaker(lang)
    names = [speaker.say(GAME.describe(CLERK, piece), "oled") for piece in GAME.pieces(CLERK)]
    assert [name for name in names if len(name) > 21] == []
    assert len(set(names)) == len(names)
    assert speaker.key("shown", card=Piece(GAME.pieces(CLERK)[0])) == "shown"


@pytest.mark.parametrize(
    ("lang", "whole", "short"), [("en", "Ben’s pawn", "Ben’s pawn"), ("fr", "le pion de Ben", "pion de Ben")]
)
def test_a_pawn_is_called_by_whose_it_is(lang: Lang, whole: str, short: str) -> None:
    """Pawns have no numbers printed on them."""
    speaker = KIT.speaker(lang)
    pawn = GAME.describe(CLERK, pawn_of(SeatId(1)))
    assert (speaker.say(pawn), speaker.say(pawn, "oled")) == (whole, short)
    for seat in range(SEATS_AT_MOST):
        for surface in SHORT:
            assert not any(
                sign.isdecimal() for sign in speaker.say(GAME.describe(CLERK, pawn_of(SeatId(seat))), surface)
            )
