"""CHECK, then a card: what it is, where it belongs, what it costs, and what it would do to my power (P8–P10, P45)."""

from __future__ import annotations

import pytest

from companion.app.opening import load_texts
from companion.app.script.comparing import page_text
from companion.box.about import about
from companion.core import PUBLIC, PiecePage, Pressed, Token
from companion.games.us_patent import GAME
from companion.library import LANGS, Lang, Speaker
from hw.display.draw import draw
from hw.display.faces import faces
from hw.display.sheet import WIDTH, Box, fit
from tests.games.us_patent.play import ADA, BEN, CLERK, laid, machine, piece
from tests.games.us_patent.test_usp_laying import evening, shown

# The Water Wheel gives 5 + 3 and, by its text, 2 more.
SAID = {
    "en": "Water Wheel 3 · Market 1 · Plant, 3 Gold · Ada: power 0/10",
    "fr": "Roue à eau 3 · Marché 1 · Source, 3 or · Ada\u00a0: énergie 0/10",
}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.rule("P8", "P22")
def test_check_then_a_card_of_a_market(lang: Lang) -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/market", kind="place")
        before = now.now.state
        now.give(Pressed("check"))
        tap("water-wheel")
        page, speaker = shown(now), Speaker(load_texts(GAME), lang, now.now.names())
        assert isinstance(page, PiecePage)
        assert page_text(page, speaker) == SAID[lang]
        assert now.now.state == before, "nothing is played"
        bare = PiecePage(page.said, page.where)
        assert draw(page, speaker).tobytes() != draw(bare, speaker).tobytes(), "price and power are drawn"


@pytest.mark.rule("P45")
def test_check_tells_nothing_of_a_card_in_a_lab() -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/lab", kind="place")
        now.give(Pressed("check"))
        tap("water-wheel")
        assert shown(now) == about(now.now, Token("piece", "thunder-jar")), "as of a card in the deck"
        page = shown(now)
        assert isinstance(page, PiecePage)
        assert page.more == ()


@pytest.mark.rule("P9", "P10")
def test_a_card_that_needs_too_much_power_is_told_so() -> None:
    view = laid(machine("water-wheel sedan-chair"), markets="thunder-jar").now
    lines = GAME.about(view, piece("thunder-jar"), PUBLIC)
    assert [line.key for line in lines] == ["about.price", "about.power"]
    poor = laid(machine("sedan-chair"), markets="thunder-jar").now
    lines = GAME.about(poor, piece("thunder-jar"), PUBLIC)
    assert [line.key for line in lines] == ["about.price", "about.power", "foresee.short"]


@pytest.mark.rule("P25")
def test_a_card_of_the_junkyard_is_free() -> None:
    view = laid(machine(), junkyard="thunder-jar").now
    assert GAME.about(view, piece("thunder-jar"), PUBLIC)[0].key == "about.free"


def test_a_phone_is_told_of_its_own_machine_and_the_box_of_whose_turn_it_is() -> None:
    view = laid(machine(), machine("water-wheel"), junkyard="thunder-jar").now
    assert view.turn == ADA
    told = {who: dict(GAME.about(view, piece("thunder-jar"), who)[1].facts) for who in (PUBLIC, ADA, BEN)}
    assert told[PUBLIC] == told[ADA]
    assert (told[ADA]["capacity"], told[BEN]["capacity"]) == (5, 8)


def test_pawns_and_time_machines_have_no_price() -> None:
    view = laid(machine()).now
    assert GAME.about(view, piece("pawn-1"), PUBLIC) == GAME.about(view, piece("quill-1814"), PUBLIC) == ()


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_told_fits_the_display(lang: Lang) -> None:
    view = laid(machine("thunder-jar"), junkyard=" ".join(card.id for card in CLERK.upgrades)).now
    with evening() as (now, _):
        speaker = Speaker(load_texts(GAME), lang, now.now.names())
    for card in CLERK.upgrades:
        lines = GAME.about(view, piece(card.id), PUBLIC)
        assert len(lines) <= 3
        for words in [speaker.say(line, "oled") for line in lines]:
            assert not fit(faces(), words, Box(2, 24, WIDTH - 4, 8), (8,)).cut, words
