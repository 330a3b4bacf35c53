"""The drawn table for hands: every shape of the game's own picture, and what can be picked up or touched of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, Literal

from msgspec import Struct

from companion.core import Lies, PieceId, Token, Uid
from companion.table.outside import PretendReader, Surface
from web.draw import Drawing, Mark

TOKEN: Final = re.compile(r"(piece|place|seat|number):(.{1,60})")
Kind = Literal["piece", "place", "seat", "number"]


class Spot(Struct, frozen=True):
    """A shape with what it stands for: its own `token`, and the place `at` which its piece lies."""

    mark: Mark
    token: str = ""
    at: str = ""
    uid: str = ""
    """Of what can be picked up there; "" is a place to drop things on."""
    may: bool = False
    """Something may be done with it now."""
    zone: bool = False
    """A reader of the mat lies under it."""
    glows: bool = False

    @property
    def name(self) -> str:
        """Its id on the page."""
        return re.sub("[^A-Za-z0-9_-]", "-", self.token)


def written(token: Token) -> str:
    """A token as the page knows it: `piece:coil-7`."""
    return f"{token.kind}:{token.value}"


def token_of(text: str) -> Token | None:
    """What the page means; None if it is nothing that can be held or touched."""
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
    uid_of: Callable[[Token], Uid],
) -> tuple[Spot, ...]:
    """The marks of a drawing in their order; what stands for nothing is only looked at."""
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
            uid_of(mark.points_at) if picks else "",
            mark.points_at in surface.touched,
            bool(zones & {token, at}),
            token in glow,
        )

    return tuple(spot(mark) for mark in drawing.marks)


def _place_of(token: Token, lies: dict[PieceId, Lies]) -> str:
    there = lies.get(PieceId(str(token.value))) if token.kind == "piece" else None
    return "" if there is None else f"place:{there.place}"
