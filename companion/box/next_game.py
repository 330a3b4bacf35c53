"""After a game is over, the box alone can begin the next one: a list of the shelf, then “begin?”."""

from __future__ import annotations

from msgspec import Struct

from companion.core.facts import Name, say
from companion.core.ids import GameId
from companion.core.pages import ChoosePage, ConfirmPage, Page
from companion.core.rules import Token


class OnShelf(Struct, frozen=True):
    """A game that the people who sit here could play next, by its short name in the box's language."""

    game: GameId
    title: str


Offered = tuple[OnShelf, ...]


def chosen(offered: Offered, tokens: tuple[Token, ...]) -> OnShelf | None:
    """The game that OK was pressed on; None while the list is open."""
    return next((one for one in offered if tokens and tokens[0].value == one.game), None)


def token(one: OnShelf) -> Token:
    return Token("verb", one.game)


def page(offered: Offered, tokens: tuple[Token, ...], at: int, seats: int) -> Page:
    game = chosen(offered, tokens)
    if game is not None:
        return ConfirmPage(say("next.begin", game=Name(game.title)), (say("next.same", n=seats),))
    return ChoosePage(say("first.game"), tuple(say("choice", item=Name(one.title)) for one in offered), at)
