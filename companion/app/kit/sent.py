"""Everything one audience is sent about one moment, as bytes.

An `Outlet` has all the ways out; in a broken build one of them tells too much.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.app.kit.kit import Kit
from companion.box import stack
from companion.box.about import about
from companion.box.check import Check
from companion.box.choosing import Choosing
from companion.box.correcting import Correcting
from companion.box.pointing import ending
from companion.box.stack import REST
from companion.box.take_back import TakeBack
from companion.core import (
    PUBLIC,
    TABLE,
    Facts,
    Intent,
    Page,
    Picture,
    PieceId,
    Refusal,
    Refused,
    Rule,
    RuleId,
    Said,
    SeatId,
    Token,
    judge,
    seen_refusal,
    told,
    unless,
    wide_picture,
)
from companion.phones import corrections, offers, preview, touching
from companion.table import Show, Snapshot
from companion.table.record import bare
from companion.table.snapshot import Views

PROBES = 3
"""Wishes that an audience tries at each moment, to see what the answers give away."""


class Outlet:
    """The ways out of the table, as the program has them.

    A broken build is asked only for the way that it breaks, named in `only`.
    """

    only = ""

    def __init__(self, kit: Kit) -> None:
        self.kit, self.game = kit, kit.game

    def view(self, at: Snapshot, audience: SeatId) -> Any:
        return bare(at.view(audience))

    def picture(self, at: Snapshot, audience: SeatId) -> Picture:
        return at.game.picture(at.view(audience))

    def landscape(self, at: Snapshot, audience: SeatId) -> Picture:
        return wide_picture(at.game, at.view(audience))

    def words(self, at: Snapshot, audience: SeatId) -> list[Any]:
        game, view = self.game, at.view(audience)
        own = [game.own(view, audience)] if audience != PUBLIC else []
        asked = [Said(f"decide.{decision.kind}", decision.facts) for decision in game.decisions(view)]
        return [
            game.headline(view),
            game.stages(view),
            game.status(view),
            *own,
            asked,
            game.result(view),
            game.series(view),
            at.seen_by(audience).past.showdown(),
        ]

    def choices(self, at: Snapshot, audience: SeatId) -> list[Any]:
        """What a seat's phone lists; nothing for spectators."""
        if audience == PUBLIC:
            return []
        seen = at.seen_by(audience)
        return [offers.may(seen), offers.not_now(seen)]

    def touched(self, at: Snapshot, audience: SeatId, number: int) -> list[Any]:
        """What is lit on the drawn table of a seat's phone, and how a few unlit things answer a touch."""
        if audience == PUBLIC:
            return []
        seen, picture = at.seen_by(audience), self.picture(at, audience)
        drawn = [token for shape in picture.shapes if (token := getattr(shape, "token", None)) is not None]
        some = random.Random(number).sample(range(len(drawn)), min(PROBES, len(drawn)))
        reasons = [touching.why_not(seen, drawn[at]) for at in some]
        return [touching.lit(seen, offers.may(seen), picture), reasons]

    def corrections(self, at: Snapshot, audience: SeatId) -> Any:
        """As phones list them, including the referee's, and as those just made are reported."""
        seen = at.seen_by(audience)
        own = () if audience == PUBLIC else offers.corrections(seen)
        return own, corrections.kinds(seen), seen.past.corrected()

    def refusals(self, at: Snapshot, audience: SeatId, wishes: list[Intent]) -> list[Any]:
        """What a seat's phone is answered to these wishes: why not if it acted or asked, and their buttons' words."""
        if audience == PUBLIC:
            return []
        asked = [msgspec.json.encode(wish) for wish in wishes]
        seen = at.seen_by(audience)
        told = [(offers.why(seen, wish), preview(seen, wish)) for wish in asked]
        return [*told, *(self.refusal(at, audience, wish) for wish in wishes)]

    def refusal(self, at: Snapshot, audience: SeatId, wish: Intent) -> Refusal | None:
        verdict = judge(self.game, at.state, wish)
        return seen_refusal(self.game, at.view(audience), verdict) if isinstance(verdict, Refused) else None

    def history(self, at: Snapshot, audience: SeatId) -> Any:
        return at.seen_by(audience).past.told()

    def put_back(self, at: Snapshot, audience: SeatId) -> list[Any]:
        past = at.seen_by(audience).past
        return [past.undo(), *(past.put_back(to) for to in at.at.line[-12:-1])]

    def box(self, at: Snapshot) -> list[Page]:
        """The first page of each list, and the page that OK leads to; a list page has all its rows."""
        dialogs = (Choosing(listed=True), Check(), Correcting(), TakeBack())
        pages = [stack.page(at, (*REST, *opened)) for opened in ((), *((dialog,) for dialog in dialogs))]
        deeper, wish = stack.press(at, (*REST, dialogs[0]), "ok", False)
        return [*pages, stack.page(at, deeper)] if wish is None else pages

    def tapped(self, at: Snapshot, piece: PieceId) -> tuple[str, Page | None]:
        """What the box shows when this piece is laid down: where that leads, and the page."""
        token = Token("piece", piece)
        end = ending(at, Choosing((token,)))
        after, wish = stack.tap(at, REST, token)
        return type(end).__name__, wish.page if isinstance(wish, Show) else stack.page(at, after)

    def checked(self, at: Snapshot, piece: PieceId) -> Page:
        """CHECK, then a tap."""
        return about(at, Token("piece", piece))


def probes(kit: Kit, at: Snapshot, audience: SeatId, number: int) -> list[Intent]:
    """An audience's own wishes, the same in every world that it could be in."""
    chance = random.Random(f"{audience}.{number}")
    # A fresh game has every piece somewhere: anybody may name any of them, wherever it lies now.
    setup = at.state.setup
    wishes = [kit.wild(kit.game.start(setup), setup.seats, chance) for _ in range(PROBES)]
    return [replace(wish, actor=audience) for wish in wishes]


def sent(outlet: Outlet, at: Snapshot, audience: SeatId, number: int, whole: bool) -> bytes:
    """All of it; with `whole` also the long things: history, take back lists, corrections."""
    ways: dict[str, Callable[[], Any]] = {
        "view": lambda: outlet.view(at, audience),
        "picture": lambda: outlet.picture(at, audience),
        "landscape": lambda: outlet.landscape(at, audience) if at.game.landscape is not None else (),
        "words": lambda: outlet.words(at, audience),
        "choices": lambda: outlet.choices(at, audience),
        "touched": lambda: outlet.touched(at, audience, number),
        "refusals": lambda: outlet.refusals(at, audience, probes(outlet.kit, at, audience, number)),
        "box": lambda: outlet.box(at) if audience == PUBLIC else (),
        "layout": lambda: at.game.layout(at.view(audience)),
    }
    if whole:
        ways["history"] = lambda: outlet.history(at, audience)
        ways["put_back"] = lambda: outlet.put_back(at, audience)
        ways["corrections"] = lambda: outlet.corrections(at, audience)
    return msgspec.json.encode([way() for name, way in ways.items() if outlet.only in ("", name)])


# Broken builds: each tells too much in one way


class OpenHands(Outlet):
    """A view that forgot one class of secrets: everyone sees what lies face down outside the deck."""

    only = "view"

    def view(self, at: Snapshot, audience: SeatId) -> Any:
        lying = [lies for lies in self.game.layout(at.state) if "/" in lies.place and lies.facing == "down"]
        return [bare(at.view(audience)), lying]


class OpenDeck(Outlet):
    """A view that was not masked at all."""

    only = "view"

    def view(self, at: Snapshot, audience: SeatId) -> Any:
        return bare(at.state)


class NamedRows(Outlet):
    """A list on the box made from the state, with every piece named."""

    only = "box"

    def box(self, at: Snapshot) -> list[Page]:
        return super().box(replace(at, views=Views({PUBLIC: at.state})))


class TalkativeRefusals(Outlet):
    """A refusal that says where the piece really is."""

    only = "refusals"

    def refusal(self, at: Snapshot, audience: SeatId, wish: Intent) -> Refusal | None:
        refusal = super().refusal(at, audience, wish)
        named = set(msgspec.structs.astuple(wish))
        places = tuple(("place", Said(lies.place)) for lies in self.game.layout(at.state) if lies.piece in named)
        return refusal and replace(refusal, facts=places)


class TalkativeHistory(Outlet):
    """A history that tells each event as the actor saw it."""

    only = "history"

    def history(self, at: Snapshot, audience: SeatId) -> Any:
        return [
            [told(self.game, at.view(_actor(event)), event, _actor(event)) for event in deed.events]
            for deed in at.deeds.values()
        ]


def _actor(event: Any) -> SeatId:
    seat: SeatId = getattr(event, "seat", TABLE)
    return seat


class OpenPicture(Outlet):
    """A picture drawn from the state."""

    only = "picture"

    def picture(self, at: Snapshot, audience: SeatId) -> Picture:
        return self.game.picture(at.state)


class TalkativeTouch(Outlet):
    """A drawn table on which everything can be touched by name."""

    only = "touched"

    def touched(self, at: Snapshot, audience: SeatId, number: int) -> list[Any]:
        return [getattr(shape, "token", None) for shape in self.game.picture(at.state).shapes]


class NamedPutBack(Outlet):
    """A list of what hands must put back, made from the states."""

    only = "put_back"

    def put_back(self, at: Snapshot, audience: SeatId) -> list[Any]:
        return [self._moved(at, to) for to in at.at.line[-12:-1]]

    def _moved(self, at: Snapshot, to: Any) -> list[Any]:
        now = {lies.piece: lies.place for lies in self.game.layout(at.state)}
        then = {lies.piece: lies.place for lies in self.game.layout(at.states[to])}
        return [(piece, place) for piece, place in then.items() if now.get(piece) != place]


LEAKS: tuple[type[Outlet], ...] = (
    OpenHands,
    NamedRows,
    TalkativeRefusals,
    TalkativeHistory,
    OpenPicture,
    TalkativeTouch,
    NamedPutBack,
)


def audiences(seats: int, seed: int) -> tuple[SeatId, ...]:
    """The public, and two seats that depend on the seed."""
    return (PUBLIC, SeatId(seed % seats), SeatId((seed + 1) % seats))


def superstitious(kit: Kit) -> Kit:
    """A game in which chance never turns up a third of the pieces: it acts on what nobody may know."""
    unlucky = kit.game.pieces(kit.pack)[::3]

    def names_one(_state: Any, intent: Intent) -> Facts | None:
        return unless(any(value in unlucky for value in msgspec.structs.astuple(intent)))

    bad = Rule[Any, Any](RuleId("X"), "unlucky", names_one)
    verbs = tuple(replace(v, rules=(*v.rules, bad), sure=False, kept=None) if v.chance else v for v in kit.game.verbs)
    return Kit(replace(kit.game, verbs=verbs))
