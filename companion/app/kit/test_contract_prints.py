"""A game's printed sheets: everything that can be shown is on them, every word fits, and they reveal no secret."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from companion.app.kit.kit import Kit
from companion.app.opening import all_tags
from companion.app.printing.sheets import Made, Order, make, order_of, prints_of
from companion.app.sheet import Paper
from companion.library import Lang, PieceTag, PlaceTag, Tag, Things, codes_of

pytest.importorskip("zxingcpp", reason="codes are not drawn here: pip install 'table-companion[print]'")
PAPERS = [("en", "a4"), pytest.param("fr", "letter", marks=pytest.mark.slow)]


def ordered(kit: Kit, lang: Lang, paper: Paper) -> Order:
    return order_of(kit.game, kit.pack, kit.game.seats[1], lang, paper)


@cache
def made_of(kit: Kit, lang: Lang, paper: Paper) -> Made:
    return make(ordered(kit, lang, paper))


def printed(kit: Kit, made: Made) -> Counter[Tag | None]:
    game = kit.game
    codes = codes_of(Things(game.id, game.pieces(kit.pack), game.seats[1], places=game.places(kit.pack)))
    return Counter(codes.thing(placed.digits) for placed in made.codes)


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "paper"), PAPERS)
def test_all_that_can_be_shown_has_a_code_and_each_piece_and_place_one(kit: Kit, lang: Lang, paper: Paper) -> None:
    found = printed(kit, made_of(kit, lang, paper))
    assert set(found) == set(all_tags(kit.game, ordered(kit, lang, paper).setup))
    assert [tag for tag, n in found.items() if n > 1 and isinstance(tag, PieceTag | PlaceTag)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "paper"), PAPERS)
def test_every_text_fits_and_every_sign_is_shown(kit: Kit, lang: Lang, paper: Paper) -> None:
    made = made_of(kit, lang, paper)
    assert made.cut == (), "shorter words are needed"
    assert made.missing == ()


def test_the_rules_at_hand_are_rules_of_the_game(kit: Kit) -> None:
    assert set(prints_of(kit.game, kit.setup(kit.game.seats[0])).reference) <= set(kit.game.rules)
