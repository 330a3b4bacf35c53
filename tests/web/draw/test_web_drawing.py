"""From shapes to SVG: icons, chips, faces of cards, pawns in the shapes of their seats, the legend."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.core import (
    PUBLIC,
    Card,
    Chip,
    Disc,
    Face,
    Key,
    Name,
    Picture,
    Said,
    Seat,
    SeatId,
    Spot,
    Stroke,
    Token,
    Zone,
    mask,
    say,
    verb_of,
    wide_picture,
)
from companion.core.legality import carry_out
from companion.games.us_patent import GAME
from companion.library import LANGS, Lang, Names, Speaker, Texts
from companion.library.texts import NOBODY
from tests.chromium import FAMILIES, Faces, new_phone
from tests.games.us_patent.play import CLERK, laid, machine
from tests.web.conftest import Browsers, Phone, violations
from web.door import phone_of
from web.draw import Drawing, detail, draw
from web.draw.assets import STATIC
from web.draw.templates import templates
from web.screen import Screen, Visit, render_part
from web.screens.table import TableScreen

SEATS = Names(("Ada", "Ben", "Chloé"), NOBODY.describe, NOBODY.place)
PLAIN = say("web.table")


def named(text: str) -> Said:
    return say("pick.piece", name=Name(text))


def html_of(ada: Phone, drawing: Drawing) -> str:
    """The part of the page that shows a drawing."""
    dash = ada.client.application.extensions["companion"]
    moment = dash.table.moment
    phone = phone_of({}, "", "en", moment.public, "en")
    screen = Screen("table", say("web.title.table"), "table", TableScreen("drawn", drawing, ()))
    return render_part(Visit(dash, phone, moment), screen, "table")


def test_a_thing_that_is_offered_has_a_ring(texts: Texts, ada: Phone) -> None:
    shapes = tuple(Disc(9 + 30 * n, 9, 8, named("Oil"), ink="brown", offered=bool(n)) for n in range(2))
    html = html_of(ada, draw(Picture(60, 20, shapes, ()), Speaker(texts, "en", SEATS)))
    assert re.findall(r'<circle class="ring" cx="(\d+)"', html) == ["39"]


@pytest.mark.parametrize("at", [0, 150, 1000])
def test_around_a_thing_only_what_lies_near_is_drawn(texts: Texts, at: int) -> None:
    """The window stays inside the drawing, and contains the whole thing."""
    shapes = tuple(Card(8 + x, 4, 40, 60, named(f"at {x}"), token=Token("place", str(x))) for x in range(0, 1050, 50))
    followed = Stroke(((0, 30), (1100, 30)), trace=named("line"))
    near = detail(Picture(1100, 300, (*shapes, followed), ()), Speaker(texts, "en", SEATS), Token("place", str(at)))
    assert near is not None
    left, top, wide, high = near.window
    assert 0 <= left <= 8 + at <= 8 + at + 40 <= left + wide <= 1100
    assert 0 <= top <= 4 <= 64 <= top + high <= 300
    assert any(mark.points_at == near.token for mark in near.drawing.marks)
    assert 3 <= len(near.drawing.marks) <= 6
    assert not near.drawing.traces


def test_around_a_thing_that_is_not_drawn_there_is_nothing(texts: Texts) -> None:
    picture = Picture(9, 9, (Card(0, 0, 9, 9, PLAIN),), ())
    assert detail(picture, Speaker(texts, "en", SEATS), Token("place", "attic")) is None


def test_what_was_touched_is_marked_in_its_sheet(ada: Phone) -> None:
    sheet = ada.html("/thing?kind=place&id=hand-0")
    assert sheet.count('<g class="touched">') == 1


def test_a_space_shows_its_icon_and_its_numbers(texts: Texts, ada: Phone) -> None:
    chip = Chip(10, 40, 30, 14, ("5 8",), is_price=True)
    market = Spot(25, 25, 14, named("Market"), Token("place", "4/market"), "market", "square", chip=chip)
    lab = Spot(80, 25, 14, named("Lab"), icon="lab", empty=True)
    dot = Spot(52, 25, 5, named("space"))
    legend = (Key("market", named("prices")), Key("lab", named("cards")))
    drawing = draw(Picture(120, 60, (market, lab, dot), (), legend), Speaker(texts, "en", SEATS))
    one, two, three = drawing.marks
    assert (one.kind, one.look, two.look, three.look) == ("spot", "square", "ring bare", "dot")
    assert one.sign is not None
    assert (one.sign.icon, one.sign.x + one.sign.size / 2, one.sign.y + one.sign.size / 2) == ("market", 25, 25)
    assert [(words.text, words.look) for words in one.words] == [("5 8", "mid price")]
    assert (three.sign, three.words) == (None, ()), "a plain space carries no letter"
    html = html_of(ada, drawing)
    assert html.count('<symbol id="icon-') == html.count("<li><svg") == 2
    assert html.count('<use href="#icon-market"') == html.count('<use href="#icon-lab"') == 1
    assert 'aria-label="Card Market"' in html
    assert "kind=place&amp;id=4/market" in html
    assert html.count('class="reach"') == 1, "a small dot can be hit with a finger"


def test_without_icons_there_is_no_legend(ada: Phone) -> None:
    html = ada.html("/table")
    assert "<symbol" not in html
    assert 'class="keys' not in html


def test_a_pawn_has_the_outline_of_its_seats_badge(texts: Texts, ada: Phone) -> None:
    discs = tuple(Disc(9, 9, 8, say("pick.pawn", who=Seat(SeatId(n))), SeatId(n), "seat") for n in range(8))
    html = html_of(ada, draw(Picture(20, 20, discs, ()), Speaker(texts, "en", SEATS)))
    pawns = re.findall(r'<g class="emblem seat-(\d) ink-seat"[^>]*>(<\w+ [^>]*/>)', html)
    bits: Any = templates().get_template("bits.html").module
    outlines = [re.findall(r"<(?:circle|rect|path) [^>]*/>", bits.badge(n, "Ada"))[0] for n in range(8)]
    assert pawns == [(str(n % 6), outlines[n]) for n in range(8)]
    assert len(set(outlines)) == 6


def test_a_face_shows_number_and_name_and_says_that_it_lies_down(texts: Texts) -> None:
    up = Card(0, 0, 81, 50, named("Tide Dynamo"), face=Face("plant", named("Tide Dynamo"), 7))
    down = Card(90, 0, 81, 50, named("x"), down=True, face=Face("weapon", named("Thunder Jar"), 12))
    empty = Card(180, 0, 81, 50, named("y"), face=Face("shield", named("Shield")))
    words_of: dict[Lang, str] = {"en": "face down", "fr": "face cachée"}
    for lang, said in words_of.items():
        marks = draw(Picture(270, 60, (up, down, empty), ()), Speaker(texts, lang)).marks
        assert [mark.look for mark in marks] == ["up", "down", "empty"]
        assert [words.text for words in marks[1].words if "said" in words.look] == [said]
        assert [[w.text for w in mark.words if w.look == "number"] for mark in marks] == [["7"], ["12"], []]
        assert {words.size for mark in marks for words in mark.words if words.look == "mid"} == {9}


def test_a_marked_board_stands_out_and_keeps_its_numbers_apart(texts: Texts) -> None:
    shapes = (Zone(0, 0, 114, 122, PLAIN, head=(1926, 4), marked=True), Zone(120, 0, 114, 122, PLAIN, head=(1814, 1)))
    marked, plain = draw(Picture(240, 130, shapes, ()), Speaker(texts, "en")).marks
    assert (marked.look, plain.look) == ("board marked", "board")
    assert (bool(marked.points), bool(plain.points)) == (True, False)
    assert [words.text for words in marked.words] == ["4", "1926"]
    assert [words.text for words in plain.words] == ["1", "1814"]


def test_the_frame_is_explained_where_somebody_is_on_turn(texts: Texts, ada: Phone) -> None:
    zone = Zone(0, 0, 99, 40, PLAIN, marked=True)
    html = html_of(ada, draw(Picture(99, 99, (zone,), (), note=named("left in the deck")), Speaker(texts, "en")))
    assert "Thick frame: whose turn it is" in html
    assert "Card left in the deck" in html
    assert "Thick frame" not in ada.html("/table")


@pytest.mark.parametrize("down", [True, False])
def test_hatching_is_explained_where_something_lies_face_down(texts: Texts, ada: Phone, down: bool) -> None:
    card = Card(0, 0, 81, 50, named("Tide Dynamo"), down=down)
    html = html_of(ada, draw(Picture(99, 99, (card,), ()), Speaker(texts, "en")))
    assert ("Hatched: face down" in html) == down


def test_a_pawn_carries_the_letter_of_its_person_whatever_the_words_begin_with(texts: Texts) -> None:
    pawn = draw(Picture(99, 99, (Disc(9, 9, 8, PLAIN, SeatId(2), "seat"),), ()), Speaker(texts, "fr", SEATS)).marks[0]
    assert pawn.emblem is not None
    assert (pawn.emblem.seat, pawn.emblem.letter) == (2, "C")


def test_a_counter_carries_the_letter_of_its_word_in_every_language() -> None:
    for game_id, letters in (("timeline", set("OMBN")), ("one-false-step", set("MF"))):
        kit, chance = kit_of(game_id), random.Random(3)
        state = kit.game.start(kit.setup(kit.game.seats[0]))
        for _ in range(25):
            _, state = carry_out(kit.game, state, verb_of(kit.game, pick := kit.sensible_pick(state, chance)), pick)
        for lang in LANGS:
            drawn = draw(kit.game.picture(mask(state, PUBLIC)), Speaker(load_texts(kit.game), lang, SEATS))
            carried = {mark.words[0].text for mark in drawn.marks if mark.kind == "disc" and mark.points_at}
            assert carried & letters, "the words are drawn"
            assert "L" not in carried, "the first letter of an article says nothing"


def test_a_zone_of_a_seat_begins_with_its_shape_and_letter(texts: Texts) -> None:
    picture = Picture(99, 99, (Zone(0, 0, 99, 40, PLAIN, SeatId(2)),), ())
    zone, owner = draw(picture, Speaker(texts, "en", SEATS)).marks
    assert owner.emblem is not None
    assert (owner.emblem.seat, owner.emblem.letter) == (2, "C"), "the letter of the name, whatever the words begin with"
    assert zone.words[0].x > owner.emblem.x


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_name_of_the_pack_fits_its_card_and_nothing_is_too_small(lang: Lang) -> None:
    names = Names(("Ada", "Ben", "Cleo"), lambda piece: GAME.describe(CLERK, piece), GAME.place)
    speaker = Speaker(load_texts(GAME), lang, names)
    for at in range(12):
        cards = [f"{'-' if at % 2 else ''}{CLERK.upgrades[12 * slot + at].id}" for slot in range(4)]
        table = laid(machine(" ".join(cards)), markets="arc-harpoon" if "arc-harpoon" not in cards else "", pack=CLERK)
        for mark in draw(GAME.picture(table.now), speaker).marks:
            assert all(words.size >= 9 for words in mark.words), mark
            assert not any("…" in words.text for words in mark.words), mark


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_name_of_the_pack_is_whole_on_a_wide_table_too(lang: Lang) -> None:
    names = Names(("Ada", "Ben", "Cleo"), lambda piece: GAME.describe(CLERK, piece), GAME.place)
    speaker = Speaker(load_texts(GAME), lang, names)
    for slot in range(4):
        cards = [card.id for card in CLERK.upgrades[12 * slot : 12 * slot + 12]]
        machines = [machine(" ".join(c.id for c in CLERK.upgrades[at::12])) for at in range(3)]
        lying = {card for each in machines for card in each.attached()}
        table = laid(*machines, markets=" ".join(card for card in cards if card not in lying), pack=CLERK)
        for mark in draw(wide_picture(GAME, table.now), speaker).marks:
            assert not any("…" in words.text for words in mark.words), mark


def test_a_low_card_has_its_number_within_it(texts: Texts) -> None:
    """Many cards in one Market are as low as their room: a number that is cut off is read wrongly."""
    for high in (18, 20, 24, 50):
        card = Card(0, 0, 81, high, named("x"), face=Face("plant", named("Tide Dynamo"), 12))
        mark = draw(Picture(100, 100, (card,), ()), Speaker(texts, "en", SEATS)).marks[0]
        number, sign = mark.words[-1], mark.sign
        assert sign is not None
        assert number.y <= high - 1, high
        assert number.y - number.size * 0.75 >= 1, high
        assert sign.y + sign.size <= high - 1, high


def test_the_plate_of_a_card_that_lies_face_down_hides_no_name(texts: Texts) -> None:
    card = Card(0, 0, 60, 50, named("x"), down=True, face=Face("shield", named("Borrowed Castle"), 11))
    mark = draw(Picture(100, 100, (card,), ()), Speaker(texts, "en", SEATS)).marks[0]
    names = [words for words in mark.words if words.look == "mid"]
    assert mark.plate is not None
    assert len(names) == 2
    assert max(name.y + name.size * 0.22 for name in names) <= mark.plate.y


IN_THE_MIDDLE = """() => [...document.querySelectorAll('.picture a.thing')].filter((thing) => {
  const box = thing.getBoundingClientRect(), head = thing.querySelector(':scope > .zone');
  const found = document.elementFromPoint(box.x + box.width / 2, head ? box.y + 3 : box.y + box.height / 2);
  return found?.closest('a.thing') !== thing;
}).map((thing) => thing.getAttribute('aria-label'))"""
OUTSIDE = """() => [...document.querySelectorAll('.picture :is(.card, .zone, .spot) > text')].filter((text) => {
  const frame = text.parentNode.querySelector(text.matches('.spot > *, .said') ? ':scope > .plate' : ':scope > rect');
  const words = text.getBoundingClientRect(), room = frame.getBoundingClientRect();
  return words.left < room.left || words.right > room.right;
}).map((text) => text.textContent)"""
SPREAD = "() => { for (const text of document.querySelectorAll('text')) text.style.letterSpacing = '0.15em'; }"
LET_GO = "() => { for (const text of document.querySelectorAll('text')) text.removeAttribute('textLength'); }"
ONTO_THE_OFFICE = """() => {
  const [office, pawn] = ['.double', '.pawn'].map((kind) => document.querySelector(kind).getBBox());
  const [x, y] = ['x', 'y'].map((at) => office[at] - pawn[at] + (office.width - pawn.width) / 2);
  document.querySelector('.pawn').setAttribute('transform', `translate(${x} ${y})`);
}"""


def crowded(ada: Phone, lang: Lang) -> str:
    """A whole page with the table of eight, six of them on one space."""
    names = Names(tuple("ABCDEFGH"), lambda piece: GAME.describe(CLERK, piece), GAME.place)
    machines = [machine(at="4/market" if seat < 5 else "0/office") for seat in range(7)]
    cards = "thunder-jar -mirror-cloak glass-carriage applause-mill"
    table = laid(machine(cards, at="4/market"), *machines, markets="arc-harpoon fog-bell", pack=CLERK)
    html = html_of(ada, draw(GAME.picture(table.now), Speaker(load_texts(GAME), lang, names)))
    style = f"<style>{(STATIC / 'companion.css').read_text()}</style>"
    return f"<!doctype html><html lang={lang}><title>Table</title>{style}<main>{html}</main></html>"


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_every_thing_can_be_touched_and_every_word_stays_in_its_frame(
    browsers: Browsers, ada: Phone, lang: Lang, faces: Faces
) -> None:
    page = new_phone(browsers(faces), 360, 1800, lang).new_page()
    page.set_content(crowded(ada, lang))
    assert page.locator(".picture a.thing").count() > 70
    assert page.evaluate(IN_THE_MIDDLE) == []
    assert page.evaluate(OUTSIDE) == []
    page.evaluate(ONTO_THE_OFFICE)
    assert len(page.evaluate(IN_THE_MIDDLE)) == 1, "a pawn that is put on a space is caught"
    page.context.close()


@pytest.mark.browser
def test_words_in_a_face_that_is_wider_still_are_held_in_their_frame(chromium: Browser, ada: Phone) -> None:
    page = new_phone(chromium, 360, 1800).new_page()
    page.set_content(crowded(ada, "fr"))
    page.evaluate(SPREAD)
    assert page.evaluate(OUTSIDE) == []
    page.evaluate(LET_GO)
    assert page.evaluate(OUTSIDE) != [], "what nothing holds is caught"
    page.context.close()


@pytest.mark.browser
def test_axe_finds_nothing_on_the_drawn_map(chromium: Browser, ada: Phone, axe: str) -> None:
    page = new_phone(chromium, 360, 1800).new_page()
    page.set_content(crowded(ada, "en"))
    page.evaluate(axe)
    assert violations(page) == []
    page.context.close()


def test_focus_can_be_seen_on_every_kind_of_thing() -> None:
    css = (STATIC / "companion.css").read_text()
    focus = next(line for line in css.splitlines() if ".thing:focus-visible >" in line)
    assert "rect, circle" in focus
    assert ".emblem" in focus
