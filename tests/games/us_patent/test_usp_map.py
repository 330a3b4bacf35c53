"""The drawn map: prices and counts on their spaces, and nothing that covers what should be readable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from companion.app.opening import load_texts
from companion.core import PUBLIC, Card, Disc, Name, Picture, Spot, Stroke, Zone
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import Pack
from companion.library import Lang, Names, Speaker
from tests.games.us_patent.play import ADA, CLERK, PLAIN, Table, laid, machine

Point = tuple[float, float]
Box = tuple[float, float, float, float]
SET = "angry-goose fog-bell sedan-chair water-wheel"
EVERY_CARD = " ".join(card.id for card in CLERK.upgrades)
OUTLINES: tuple[tuple[Point, ...], ...] = (
    ((10, 0), (7.1, 7.1), (0, 10), (-7.1, 7.1), (-10, 0), (-7.1, -7.1), (0, -10), (7.1, -7.1)),
    ((-9, -9), (9, -9), (9, 9), (-9, 9)),
    ((0, -11.5), (11.5, 0), (0, 11.5), (-11.5, 0)),
    ((-6, -10), (6, -10), (11.5, 0), (6, 10), (-6, 10), (-11.5, 0)),
    ((0, -11), (11, 9), (-11, 9)),
    ((-10, -10), (10, -10), (10, 3), (0, 11), (-10, 3)),
)
"""The corners of the six shapes of seats, as `bits.html` draws them around (0, 0)."""


def shown(table: Table) -> Picture:
    return GAME.picture(table.view(PUBLIC))


def spots(picture: Picture) -> dict[str, Spot]:
    return {str(s.token.value): s for s in picture.shapes if isinstance(s, Spot) and s.token is not None}


def readable(picture: Picture) -> Iterator[Box]:
    """What must stay uncovered: both numbers at each board's head, each icon, each chip."""
    for shape in picture.shapes:
        if isinstance(shape, Zone) and shape.head is not None:
            yield shape.x + 7, shape.y + 5, shape.x + 38, shape.y + 15
            yield shape.x + shape.w - 15, shape.y + 5, shape.x + shape.w - 7, shape.y + 15
        elif isinstance(shape, Spot) and shape.icon is not None:
            half = shape.inner * 10 / 24
            yield shape.x - half, shape.y - half, shape.x + half, shape.y + half
            if chip := shape.chip:
                yield chip.x, chip.y, chip.x + chip.w, chip.y + chip.h


def along(corners: tuple[Point, ...], *, closed: bool = True) -> Iterator[Point]:
    """Points along a line, close enough that nothing readable fits between two."""
    ends = (*corners[1:], corners[0]) if closed else corners[1:]
    for (ax, ay), (bx, by) in zip(corners, ends, strict=False):
        yield from ((ax + (bx - ax) * n / 100, ay + (by - ay) * n / 100) for n in range(101))


def covered(points: Iterator[Point], boxes: list[Box]) -> list[Box]:
    found = {box for x, y in points for box in boxes if box[0] < x < box[2] and box[1] < y < box[3]}
    return sorted(found)


def outline(pawn: Disc) -> Iterator[Point]:
    assert pawn.seat is not None
    corners = OUTLINES[pawn.seat % len(OUTLINES)]
    return along(tuple((pawn.x + x * pawn.r / 10, pawn.y + y * pawn.r / 10) for x, y in corners))


def crowd(n: int, place: str, pack: Pack = PLAIN) -> Picture:
    """This many pawns on one space, the others of at least three elsewhere; every Market full, every Lab with a
    card.
    """
    machines = [machine(at=place if seat < n else "0/office") for seat in range(max(n, 3))]
    return shown(laid(*machines, markets=EVERY_CARD, junkyard="pet-star", pack=pack))


PLACES = sorted({space.id[2:]: space.id for space in CLERK.spaces}.values())


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("n", range(1, 9))
def test_pawns_cover_no_icon_number_or_word(place: str, n: int) -> None:
    picture = crowd(n, place)
    boxes, pawns = list(readable(picture)), [s for s in picture.shapes if isinstance(s, Disc)]
    for pawn in pawns:
        assert covered(outline(pawn), boxes) == [], pawn
        letters = [(p.x - 3.0, p.y - 3.0, p.x + 3.0, p.y + 4.0) for p in pawns if p is not pawn]
        assert covered(outline(pawn), letters) == [], pawn
        assert 0 < pawn.x < picture.width


def test_a_pawn_put_on_its_space_would_be_caught() -> None:
    picture = crowd(1, "4/market")
    pawn = next(s for s in picture.shapes if isinstance(s, Disc))
    market = spots(picture)["4/market"]
    assert covered(outline(replace(pawn, x=market.x + 8, y=market.y - 8)), list(readable(picture))) != []


def test_a_single_pawn_stands_at_its_space_and_no_other() -> None:
    for place in PLACES:
        picture = crowd(1, place)
        pawn = next(s for s in picture.shapes if isinstance(s, Disc))
        far = {at: (s.x - pawn.x) ** 2 + (s.y - pawn.y) ** 2 - s.r**2 for at, s in spots(picture).items()}
        assert min(far, key=far.__getitem__) == place


def test_no_line_of_the_map_runs_through_an_icon_a_number_or_a_word() -> None:
    picture = crowd(1, "0/office")
    boxes = list(readable(picture))
    strokes = [s for s in picture.shapes if isinstance(s, Stroke)]
    assert [s for s in strokes if covered(along(s.points, closed=False), boxes)] == []
    across = replace(strokes[0], points=((10, 12), (350, 12)))
    assert covered(along(across.points, closed=False), boxes) != [], "a line across the dates is caught"


def test_a_market_shows_its_prices_and_a_lab_how_many_cards() -> None:
    labs, junk = "mangolds-robot", "pet-star oak-door"
    found = spots(shown(laid(machine(), markets="thunder-jar fog-bell", labs=labs, junkyard=junk)))
    chips = {place: (spot.chip.lines, spot.chip.is_price) for place, spot in found.items() if spot.chip}
    assert chips == {
        "1/market": (("1",), True),
        "3/lab": (("1",), False),
        "4/market": (("6",), True),
        "0/junkyard": (("2",), False),
    }
    assert dict(found["4/market"].said.facts)["prices"] == Name("6")
    empty = {place for place, spot in found.items() if spot.empty}
    assert empty == {place for place in found if place.endswith(("/market", "/lab")) and place not in chips}
    assert {spot.icon for place, spot in found.items() if place[2:] in "abwe"} == {None}


def test_many_prices_stand_in_lines_and_all_are_told() -> None:
    found = spots(crowd(1, "0/office"))
    markets = [s for s in found.values() if s.icon == "market"]
    for market in markets:
        assert market.chip is not None
        told = dict(market.said.facts)
        assert isinstance(told["prices"], Name)
        assert " ".join(market.chip.lines).split() == told["prices"].text.split(", "), "six prices fit"
    one_period = tuple(replace(card, period=4) for card in PLAIN.upgrades)
    full = spots(crowd(1, "0/office", replace(PLAIN, upgrades=one_period)))["4/market"]
    assert full.chip is not None
    assert full.chip.lines[-1].endswith("…")
    assert len(str(dict(full.said.facts)["prices"]).split(",")) == len(PLAIN.upgrades)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (100, 100), (0, 100), (50, 50)])
def test_own_coordinates_stay_within_their_board(x: int, y: int) -> None:
    pack = replace(PLAIN, spaces=tuple(replace(space, x=x, y=y) for space in PLAIN.spaces))
    picture = crowd(8, "4/market", pack)
    boards = {s.head[1]: s for s in picture.shapes if isinstance(s, Zone) and s.head is not None}
    for place, spot in spots(picture).items():
        board = boards[int(place[0])]
        assert board.x < spot.x - spot.r
        assert spot.x + spot.r < board.x + board.w
        assert board.y + 15 < spot.y - spot.r
        assert spot.y + spot.r < board.y + board.h
    assert len({(s.x, s.y) for s in spots(picture).values()}) == len(PLAIN.spaces), "none lies on another"
    assert sum(isinstance(s, Disc) for s in picture.shapes) == 8


def test_nothing_is_marked_before_the_first_turn_and_after_the_last() -> None:
    over = laid(machine(SET, at="0/office", number=0)).do(i.EndTurn(ADA))
    for table in (over, Table(GAME.start(over.now.setup))):
        assert not any(s.marked for s in shown(table).shapes if isinstance(s, Zone))


@pytest.mark.parametrize(
    ("lang", "places", "slots"),
    [
        (
            "en",
            "Market: prices|Lab: cards|Library|Patent Office|Mechanic|Junkyard: cards",
            "Weapon|Shield|Chassis|Power Plant",
        ),
        (
            "fr",
            "Marché\u00a0: prix|Labo\u00a0: cartes|Bibliothèque|Bureau des Brevets|Mécanicien|Décharge\u00a0: cartes",
            "Arme|Bouclier|Châssis|Source d’énergie",
        ),
    ],
)
def test_every_icon_is_explained(lang: Lang, places: str, slots: str) -> None:
    speaker = Speaker(load_texts(GAME), lang)
    picture = shown(laid(machine("thunder-jar -fog-bell"), markets="arc-harpoon"))
    assert "|".join(speaker.say(key.said) for key in picture.legend) == f"{places}|{slots}"
    drawn = {s.icon for s in picture.shapes if isinstance(s, Spot) and s.icon}
    drawn |= {s.face.icon for s in picture.shapes if isinstance(s, Card) and s.face}
    assert drawn == {key.icon for key in picture.legend}


def test_a_space_is_told_in_full_words() -> None:
    names = Names(("Ada", "Ben", "Cleo"), lambda piece: GAME.describe(PLAIN, piece), GAME.place)
    found = spots(shown(laid(machine(), markets="thunder-jar arc-harpoon", labs="mangolds-robot")))
    en, fr = (Speaker(load_texts(GAME), lang, names) for lang in ("en", "fr"))
    assert en.say(found["4/market"].said) == "The Market of board 4: 2 cards, prices 6, 8"
    assert fr.say(found["4/market"].said) == "Le marché du plateau 4\u00a0: 2 cartes, prix 6, 8"
    assert en.say(found["1/market"].said) == "The Market of board 1: 0 cards"
    assert en.say(found["4/a"].said) == "Space a of board 4"
