"""A thing touched on the drawn table: what it is, where it lies, what can be done with it and what not."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import PUBLIC, Name, Piece, PieceId, Place, PlaceId, Said, Seat, SeatId, Token, called, say
from companion.phones import NotNow, offers
from companion.table.outside import Seen, question
from web.draw import Detail, detail
from web.screen import Page, Query, Screen, Visit

from .card_photo import photo_of
from .choices import Button, button
from .describe import can_describe

LONGEST_ID: Final = 80


class ThingScreen(Struct, frozen=True):
    """What its audience may know of a thing; a card that it may not identify is just a card."""

    said: Said
    where: Said | None
    about: tuple[Said, ...]
    lying: tuple[Said, ...]
    more: int
    may: tuple[Button, ...]
    not_now: tuple[NotNow, ...]
    asked: int
    describes: str
    detail: Detail | None = None
    photo: str = ""
    """The photo that the pack's owner took of it."""
    first: str = ""
    """A card that its seat must describe before it can go anywhere."""


def token_of(seen: Seen, query: Query) -> Token | None:
    """The thing that an address points at, if this phone may know it; None if there is nothing to tell."""
    kind, value = query.get("kind", ""), query.get("id", "")[:LONGEST_ID]
    if kind == "piece" and value in seen.known:
        return Token("piece", value)
    if kind == "seat" and value in {str(n) for n in range(len(seen.chairs))}:
        return Token("seat", int(value))
    if kind == "place" and value in _places(seen):
        return Token("place", value)
    return None


def _places(seen: Seen) -> frozenset[str]:
    """Every place that this audience sees drawn or in use."""
    drawn = (getattr(shape, "token", None) for shape in seen.game.picture(seen.view).shapes)
    return frozenset(
        [str(token.value) for token in drawn if token is not None and token.kind == "place"]
        + [lies.place for lies in seen.game.layout(seen.view)]
    )


def thing_screen(visit: Visit) -> Screen | None:
    token = token_of(visit.seen, visit.query)
    return None if token is None else screen_of(visit, token)


def screen_of(visit: Visit, token: Token) -> Screen:
    """What this phone may know of a thing, and do with it; a thing shown to the camera may be unknown to it."""
    seen, is_seat = visit.seen, visit.seen.audience != PUBLIC
    may, closed = offers.concerning(seen, token) if is_seat else ((), ())
    may = (*may, *offers.thrown(visit.public, visit.phone.asker, token))
    where, lying, more = _where(seen, token)
    model = ThingScreen(
        said=name_of(seen, token),
        where=where,
        about=_about(seen, token),
        lying=lying,
        more=more,
        may=tuple(button(seen, offer) for offer in may),
        not_now=closed,
        asked=0 if visit.phone.asker is None else question(seen, visit.phone.asker),
        describes=str(token.value) if can_describe(seen, token) else "",
        photo=photo_of(visit, token),
        detail=detail(seen.game.picture(seen.view), visit.words, token),
        first=seen.game.undescribed(seen.view, seen.audience) or "" if is_seat and token.kind == "place" else "",
    )
    return Screen("thing", say("web.title.thing"), "table", model)


def _about(seen: Seen, token: Token) -> tuple[Said, ...]:
    if token.kind != "piece":
        return ()
    return seen.game.about(seen.view, PieceId(str(token.value)), seen.audience)


def name_of(seen: Seen, token: Token) -> Said:
    """The name of a thing."""
    value = str(token.value)
    match token.kind:
        case "piece":
            return say("choice", item=Piece(PieceId(value)))
        case "place":
            return say("choice", item=called(seen.game, seen.view, Place(PlaceId(value))))
        case "seat":
            return say("choice", item=Seat(SeatId(int(token.value))))
        case _:
            return say("choice", item=Name(value))


def _where(seen: Seen, token: Token) -> tuple[Said | None, tuple[Said, ...], int]:
    """For a piece, where it lies; for a place, what lies there, and how many more that this audience may not know."""
    game, view = seen.game, seen.view
    layout = game.layout(view)
    match token.kind:
        case "piece":
            here = next((lies for lies in layout if lies.piece == token.value), None)
            return say("choice", item=called(game, view, Place(here.place))) if here else None, (), 0
        case "place":
            there = [lies.piece for lies in layout if lies.place == token.value]
            named = [piece for piece in there if piece in seen.known]
            return None, tuple(say("choice", item=Piece(piece)) for piece in named), len(there) - len(named)
        case _:
            return None, (), 0


PAGES: Final = (Page("thing", thing_screen, over="may"),)
