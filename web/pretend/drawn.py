"""The drawn table for hands: every shape of the game's picture, and what can be picked up from it or touched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from companion.core import Game, GameId, Lies, PieceId, Place, PlaceId, Said, Seat, SeatId, Token, Uid, say
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, pretend_uid
from companion.table.outside import PretendReader, Surface
from web.draw import Drawing, Mark

TOKEN: Final = re.compile(r"(piece|place|seat|number):(.{1,60})")


class Spot(Struct, frozen=True):
    """A shape and what it stands for: its own `token`, and the place `at` which its piece lies."""

    mark: Mark
    token: str = ""
    at: str = ""
    uid: str = ""
    """The tag that can be picked up there; "" if things can only be dropped on it."""
    may: bool = False
    """Something may be done with it now."""
    zone: bool = False
    """A reader of the mat lies under it."""
    glows: bool = False
    goal: bool = False
    """The guide wants something else to be laid here."""
    said: Said | None = None
    """Its name, if the picture doesn't show it."""

    @property
    def name(self) -> str:
        """Its id on the page."""
        return re.sub("[^A-Za-z0-9_-]", "-", self.token)


def written(token: Token) -> str:
    """A token as the page writes it: `piece:coil-7`."""
    return f"{token.kind}:{token.value}"


def token_of(text: str) -> Token | None:
    """The token that the page means; None if it is nothing that can be held or touched."""
    found = TOKEN.fullmatch(text)
    if found is None or (found[1] in ("seat", "number") and not found[2].isdecimal()):
        return None
    return Token("piece", found[2]) if found[1] == "piece" else _other(found[1], found[2])


def _other(kind: str, value: str) -> Token:
    match kind:
        case "seat":
            return Token("seat", int(value))
        case "number":
            return Token("number", int(value))
        case _:
            return Token("place", value)


def spots(
    drawing: Drawing,
    surface: Surface,
    readers: Iterable[PretendReader],
    glow: tuple[str, ...],
    game: Game[Any, Any],
) -> tuple[Spot, ...]:
    """The marks of a drawing in order; one that stands for nothing can only be looked at."""
    lies = {each.piece: each for each in surface.lying}
    zones = {f"place:{each.place}" for each in readers if each.place is not None}

    def spot(mark: Mark) -> Spot:
        if mark.points_at is None:
            return Spot(mark)
        token, at = written(mark.points_at), _place_of(mark.points_at, lies)
        picks = mark.points_at.kind == "piece" or mark.kind == "pawn"
        return Spot(
            mark,
            token,
            at,
            uid_of(game.id, mark.points_at) if picks else "",
            mark.points_at in surface.touched,
            bool(zones & {token, at}),
            token in glow,
            at in glow,
            _said(game, surface, mark.points_at),
        )

    return tuple(spot(mark) for mark in drawing.marks)


def uid_of(game: GameId, token: Token) -> Uid:
    """The pretend tag of a thing."""
    match token.kind:
        case "seat":
            return pretend_uid(SeatTag(SeatId(int(token.value))))
        case "number":
            return pretend_uid(NumberTag(int(token.value)))
        case "place":
            return pretend_uid(PlaceTag(game, PlaceId(str(token.value))))
        case _:
            return pretend_uid(PieceTag(game, PieceId(str(token.value))))


def _said(game: Game[Any, Any], surface: Surface, token: Token) -> Said:
    match token.kind:
        case "piece":
            return game.describe(surface.pack, PieceId(str(token.value)))
        case "seat":
            return say("choice", item=Seat(SeatId(int(token.value))))
        case _:
            return say("choice", item=Place(PlaceId(str(token.value))))


def _place_of(token: Token, lies: dict[PieceId, Lies]) -> str:
    there = lies.get(PieceId(str(token.value))) if token.kind == "piece" else None
    return "" if there is None else f"place:{there.place}"
