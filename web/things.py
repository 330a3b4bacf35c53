"""A thing touched on the drawn table: what it is, where it lies, what may be done with it and what not."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core.facts import Name, Piece, Place, Said, Seat, say
from companion.core.ids import PieceId, PlaceId, SeatId
from companion.core.rules import Token
from companion.core.telling import called
from companion.phones import offers
from companion.phones.offers import NotNow
from companion.table.sitting import question
from companion.table.snapshot import Snapshot

from .choices import Button, button
from .dashboard import Dashboard
from .describing import can_describe
from .drawing import Detail, detail
from .screen import Query, Screen
from .session import Phone

LONGEST: Final = 80


class ThingScreen(Struct, frozen=True):
    """What its audience may know of a thing; a card that it may not name is just a card."""

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
    first: str = ""
    """A card that its seat has to describe before it goes anywhere."""


def token_of(snapshot: Snapshot, phone: Phone, query: Query) -> Token | None:
    """The thing an address points at, if this phone may know it; None where there is nothing to tell."""
    kind, value = query.get("kind", ""), query.get("id", "")[:LONGEST]
    if kind == "piece" and value in snapshot.known(phone.audience):
        return Token("piece", value)
    if kind == "seat" and value in {str(n) for n in range(len(snapshot.chairs))}:
        return Token("seat", int(value))
    if kind == "place" and value in _places(snapshot, phone):
        return Token("place", value)
    return None


def _places(snapshot: Snapshot, phone: Phone) -> frozenset[str]:
    """Every place that this phone sees drawn or in use."""
    view = snapshot.view(phone.audience)
    drawn = (getattr(shape, "token", None) for shape in snapshot.game.picture(view).shapes)
    return frozenset(
        [str(token.value) for token in drawn if token is not None and token.kind == "place"]
        + [lies.place for lies in snapshot.game.layout(view)]
    )


def thing_screen(dash: Dashboard, snapshot: Snapshot, phone: Phone, query: Query) -> Screen | None:
    token = token_of(snapshot, phone, query)
    if token is None:
        return None
    may, closed = offers.concerning(snapshot, phone.seat, token) if phone.seat is not None else ((), ())
    said, where, lying, more = _told(snapshot, phone, token)
    model = ThingScreen(
        said=said,
        where=where,
        about=_about(snapshot, phone, token),
        lying=lying,
        more=more,
        may=tuple(button(snapshot, phone.seat, offer) for offer in may) if phone.seat is not None else (),
        not_now=closed,
        asked=0 if phone.seat is None else question(snapshot.at, phone.seat),
        describes=str(token.value) if can_describe(snapshot, phone.seat, token) else "",
        detail=detail(snapshot.game.picture(snapshot.view(phone.audience)), dash.speaker(snapshot, phone.lang), token),
        first=_undescribed(snapshot, phone.seat) if token.kind == "place" else "",
    )
    return Screen("thing", say("web.title.thing"), "table", model)


def _undescribed(snapshot: Snapshot, seat: SeatId | None) -> str:
    return "" if seat is None else snapshot.game.undescribed(snapshot.view(seat), seat) or ""


def _about(snapshot: Snapshot, phone: Phone, token: Token) -> tuple[Said, ...]:
    if token.kind != "piece":
        return ()
    return snapshot.game.about(snapshot.view(phone.audience), PieceId(str(token.value)), phone.audience)


def _told(snapshot: Snapshot, phone: Phone, token: Token) -> tuple[Said, Said | None, tuple[Said, ...], int]:
    game, view = snapshot.game, snapshot.view(phone.audience)
    layout = game.layout(view)
    match token.kind:
        case "piece":
            here = next((lies for lies in layout if lies.piece == token.value), None)
            where = say("choice", item=called(game, view, Place(here.place))) if here else None
            return say("choice", item=Piece(PieceId(str(token.value)))), where, (), 0
        case "place":
            there = [lies.piece for lies in layout if lies.place == token.value]
            named = [piece for piece in there if piece in snapshot.known(phone.audience)]
            lying = tuple(say("choice", item=Piece(piece)) for piece in named)
            place = called(game, view, Place(PlaceId(str(token.value))))
            return say("choice", item=place), None, lying, len(there) - len(named)
        case "seat":
            return say("choice", item=Seat(SeatId(int(token.value)))), None, (), 0
        case _:
            return say("choice", item=Name(str(token.value))), None, (), 0
