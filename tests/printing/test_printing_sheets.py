"""What `companion print` produces: everything in the pack, once, in its place, with a code that identifies it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace
from PIL import ImageChops, ImageOps

from companion.app.opening import all_tags
from companion.app.printing import sheets
from companion.app.printing.paper import GRID, H, W, page_of
from companion.app.printing.pen import Pen
from companion.app.printing.sheets import Made, Order, make
from companion.core import Both, Game, PieceId
from companion.games.us_patent.state.cards import Words, blank_pack
from companion.library import PieceTag, PlaceTag, SeatTag, Tag, Things, codes_of, shelf
from tests.sheets import is_white_at_the_edge, order, rendered, unread

GAMES: Final = shelf.games()
FINE: Final = 254
"""Dots per inch, so that a millimetre is ten of them."""


@pytest.fixture(params=[GAMES[0], *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[1:])])
def game(request: pytest.FixtureRequest) -> Game[Any, Any]:
    return shelf.open(request.param)


@cache
def made_of(name: str) -> Made:
    """A game's sheets as most people order them, made once."""
    return make(order(shelf.open(name)))


def things_on(order: Order, made: Made) -> Counter[Tag | None]:
    game, pack = order.game, order.setup.pack
    codes = codes_of(Things(game.id, game.pieces(pack), game.seats[1], places=game.places(pack)))
    return Counter(codes.thing(placed.digits) for placed in made.codes)


def test_labels_are_the_codes_of_everything_and_nothing_else(game: Game[Any, Any]) -> None:
    labels = order(game, kind="labels")
    found = things_on(labels, made := make(labels))
    assert found == Counter(all_tags(game, labels.setup))
    assert made.cut == ()


def test_a_game_that_says_nothing_has_a_plain_card_for_each_piece(game: Game[Any, Any]) -> None:
    plain = order(_without_prints(game))
    assert set(things_on(plain, make(plain))) == set(all_tags(game, plain.setup))


def _without_prints(game: Game[Any, Any]) -> Game[Any, Any]:
    return replace(game, prints=None)


@pytest.mark.slow
def test_the_same_order_is_the_same_file_and_knows_nothing_of_a_deck(game: Game[Any, Any]) -> None:
    assert made_of(game.id).pdf == make(order(game)).pdf


def test_every_text_fits_with_the_letters_that_are_everywhere_too(game: Game[Any, Any], tmp_path: Path) -> None:
    made = make(replace(order(game, lang="fr"), fonts=tmp_path))
    assert made.cut == ()
    assert made.missing == ()
    assert b"Noto" not in made.pdf


@pytest.mark.slow
def test_the_codes_of_slots_lie_where_those_of_cards_come_to_lie() -> None:
    game = shelf.open("us-patent")
    whole = order(game)
    made, page = made_of(game.id), page_of("a4")
    codes = codes_of(Things(game.id, game.pieces(whole.setup.pack), places=game.places(whole.setup.pack)))
    spots: dict[str, set[tuple[float, float]]] = {"card": set(), "slot": set(), "seat": set()}
    for placed in made.codes:
        spot = round((placed.x - page.left) % W, 2), round((placed.y - page.top) % H, 2)
        match codes.thing(placed.digits):
            case PieceTag(piece=piece) if not piece.startswith("pawn-"):
                spots["card"].add(spot)
            case PlaceTag(place=place) if place.startswith("slot/"):
                spots["slot"].add(spot)
            case SeatTag():
                spots["seat"].add(spot)
            case _:
                pass
    assert spots["card"] == spots["slot"] == spots["seat"]
    assert len(spots["card"]) == 1


@pytest.mark.slow
def test_backs_have_no_code_and_come_as_they_are_asked_for() -> None:
    game = shelf.open("actionworks")
    once, each, none = made_of(game.id), make(order(game, backs="each")), make(order(game, backs="none"))
    assert once.sheets == none.sheets + 2  # Parts and Demands are two decks
    assert each.sheets == 2 * none.sheets  # a sheet without a back has an empty one
    assert {placed.page for placed in once.codes} <= set(range(2, none.sheets + 1))


def test_cards_of_a_deck_cannot_be_told_apart_from_behind() -> None:
    made = made_of("actionworks")
    (back,) = rendered(made.pdf, FINE, (made.sheets - 1, made.sheets - 1))
    page = page_of("a4")
    left, top = round(page.left * 10), round(page.top * 10)
    deck = back.crop((left, top, left + 10 * GRID[0], top + 10 * GRID[1]))
    corners = [(10 * W * column, 10 * H * row) for column in range(3) for row in range(3)]
    first, *others = (deck.crop((x, y, x + 10 * W, y + 10 * H)) for x, y in corners)
    assert max(_differ(first, other) for other in others) == 0
    assert _differ(deck, ImageOps.mirror(deck)) < 0.005
    assert _differ(deck, ImageOps.flip(deck)) < 0.005
    shifted = ImageChops.offset(deck, 20)  # the control: a misaligned pattern is noticed
    assert _differ(first, shifted.crop((0, 0, 10 * W, 10 * H))) > 0.02


def _differ(one: Any, other: Any) -> float:
    """The fraction of pixels that differ clearly."""
    histogram = ImageChops.difference(one, other).histogram()
    return float(sum(histogram[128:]) / sum(histogram))


@pytest.mark.slow
def test_a_sheet_at_150_dpi_is_read_to_its_last_code_and_nothing_lies_at_its_edge() -> None:
    made = make(order(shelf.open("us-patent"), paper="letter"))
    images = list(rendered(made.pdf))
    assert len(images) == made.sheets
    assert unread(made, images) == []
    assert all(map(is_white_at_the_edge, images))


@pytest.mark.slow
def test_a_code_that_was_not_drawn_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above."""
    made = made_of("actionworks")
    left_out = made.codes[3]
    drawn = Pen.code

    def forgets(pen: Pen, x: float, y: float, thing: Tag) -> None:
        if pen.codes.number(thing) != left_out.digits:
            drawn(pen, x, y, thing)

    monkeypatch.setattr(Pen, "code", forgets)
    images = list(rendered(make(order(shelf.open("actionworks"))).pdf))
    assert unread(made, images) == [(left_out.page, left_out.digits)]


def test_a_blank_sheet_has_the_cards_that_nobody_has_described() -> None:
    game = shelf.open("us-patent")
    shipped = shelf.pack(game)
    pack = blank_pack(shipped, shipped)
    blank = sheets.order_of(game, pack, 3, "en", kind="blank", backs="none")
    made = make(blank)
    assert set(things_on(blank, made)) == {PieceTag(game.id, PieceId(card.id)) for card in pack.upgrades}
    assert made.sheets == 6


@pytest.mark.slow
def test_a_name_that_is_too_long_is_cut_and_told() -> None:
    game = shelf.open("us-patent")
    pack = shelf.pack(game)
    long = " ".join(["Extraordinary"] * 12)
    first = replace(pack.upgrades[0], name=Words(long, long))
    made = make(sheets.order_of(game, replace(pack, upgrades=(first, *pack.upgrades[1:])), 3, "en"))
    assert made.cut == (Both(long, long).en,)


def test_nine_cards_fit_on_both_papers_with_room_for_marks() -> None:
    for page in (page_of("a4"), page_of("letter")):
        assert (page.width - GRID[0]) / 2 > 10
        assert (page.height - GRID[1]) / 2 > 7
