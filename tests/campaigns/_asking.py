"""What hands could do at a position, wise or not, and what the box and the phones answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.app.kit.kit import PEOPLE, AnyGame, Kit, pick
from companion.box.choosing import Choosing
from companion.box.correcting import Correcting
from companion.box.pointing import ending, who_or_whom
from companion.core import (
    TABLE,
    Accepted,
    Blocked,
    Idle,
    Intent,
    PieceId,
    PlaceId,
    Refused,
    SeatId,
    Seq,
    Token,
    TokenKind,
    Verb,
    argument_kinds,
    judge,
    objection,
)
from companion.core.legality import in_phase
from companion.core.rules import verb_token
from companion.phones import offers
from companion.table import Chair, Snapshot
from companion.table.record import Position, settled

EACH = 12
HOWS = ("tap",) * 8 + ("list",) * 4 + ("correct",) * 2 + ("wish",) * 8 + ("thing",) * 2 + ("closed",)
THINGS: tuple[TokenKind, ...] = ("piece",) * 5 + ("place", "place", "seat", "seat", "number")
NUMBERS = (*range(13), *range(13), -1, 15, 20, 36, 50, 99, 400)


class Ask(NamedTuple):
    """One input. `how`: tapped on the box, a row in its list or its corrections, a phone's wish, a phone's question
    about a thing, or its list of what can't be done now.
    """

    how: str
    seat: SeatId
    tokens: tuple[Token, ...]
    wish: Intent | None = None

    def __str__(self) -> str:
        pointed = ", ".join(f"{token.kind} {token.value}" for token in self.tokens)
        return f"{self.how} by {self.seat} [{pointed}]{f' {self.wish}' if self.wish else ''}"


class Told(NamedTuple):
    """The first reason why not, of which intent, and what had been pointed at."""

    intent: Intent
    rule: str
    key: str
    tokens: tuple[Token, ...] = ()

    def __str__(self) -> str:
        return f"{self.intent} no, {self.rule} {self.key}"


class Answer(NamedTuple):
    allowed: bool
    told: tuple[Told, ...] = ()


def scene_of(game: AnyGame, state: Any) -> Snapshot:
    """A table in this state."""
    seats = state.setup.seats
    at = Position(Seq(0), state, (Seq(0),), (0,) * seats, tuple(Chair(name) for name in PEOPLE[:seats]))
    return Snapshot(game=game, table="", beat=0, at=settled(game, at), mode="strict")


# Inputs


def asks(kit: Kit, scene: Snapshot, chance: random.Random) -> Iterator[Ask]:
    things = Things(kit, scene)
    for _ in range(EACH):
        how, seat = pick(chance, HOWS), things.somebody(chance)
        if how == "wish":
            yield things.wish(seat, chance)
        elif how == "closed":
            yield Ask(how, seat, ())
        else:
            yield Ask(how, seat, things.tokens(how, seat, chance))


class Things:
    """What there is to point at."""

    def __init__(self, kit: Kit, scene: Snapshot) -> None:
        self.game, self.scene = kit.game, scene
        layout = self.game.layout(scene.state)
        tagged = self.game.places(scene.state.setup.pack)
        self.places: list[PlaceId] = sorted({*tagged, *(lies.place for lies in layout)}) or [PlaceId("table")]
        self.pieces: list[PieceId] = sorted(self.game.pieces(scene.state.setup.pack))
        self.open: list[Verb[Any, Any]] = in_phase(self.game, scene.state, self.game.verbs) or list(self.game.verbs)

    def somebody(self, chance: random.Random) -> SeatId:
        awaited = [seat for seat in self.scene.awaited if seat != TABLE]
        if awaited and chance.random() < 0.6:
            return SeatId(pick(chance, awaited))
        return SeatId(chance.randrange(self.scene.state.setup.seats))

    def value(self, kind: TokenKind, seat: SeatId, chance: random.Random) -> Any:
        """One thing of a kind: usually a piece that this seat knows, sometimes any of the game's."""
        match kind:
            case "piece":
                seen = sorted(self.scene.known(seat))
                return pick(chance, seen if seen and chance.random() < 0.9 else self.pieces)
            case "place":
                return pick(chance, self.places)
            case "seat":
                return SeatId(chance.randrange(self.scene.state.setup.seats))
            case "text":
                return pick(chance, ("", "a card"))
            case _:
                return pick(chance, NUMBERS)

    def tokens(self, how: str, seat: SeatId, chance: random.Random) -> tuple[Token, ...]:
        """One to three different things, with at most one number."""
        kinds = [pick(chance, THINGS) for _ in range(1 if how == "thing" else pick(chance, (1, 1, 1, 2, 2, 3)))]
        found = [Token(kind, self.value(kind, seat, chance)) for kind in kinds]
        first = next((token for token in found if token.kind == "number"), None)
        found = [token for token in dict.fromkeys(found) if token.kind != "number" or token == first]
        if how == "list" or (how == "correct" and chance.random() < 0.5):
            verbs = self.game.corrections if how == "correct" else self.verbs(chance)
            found = [verb_token(pick(chance, verbs).intent), *found[: pick(chance, (0, 1, 1, 2))]]
        if how in ("tap", "list") and chance.random() < 0.35:
            found = [Token("seat", seat), *(token for token in found if token != Token("seat", seat))]
        return tuple(found[:3])

    def verbs(self, chance: random.Random) -> list[Verb[Any, Any]]:
        """Verbs whose time it is, or all of them, half the time each."""
        return self.open if chance.random() < 0.5 else list(self.game.verbs)

    def wish(self, seat: SeatId, chance: random.Random) -> Ask:
        """A whole intent; half of them are candidates of the game with one argument changed."""
        verb = pick(chance, self.game.corrections if chance.random() < 0.1 else self.verbs(chance))
        actor = TABLE if verb.chance and chance.random() < 0.8 else seat
        kinds = argument_kinds(verb.intent)
        wish: Intent = verb.intent(actor, *(self.value(kind, seat, chance) for _, kind in kinds))
        candidates = list(verb.arguments(self.scene.view(seat), actor)) if chance.random() < 0.5 else []
        if candidates and kinds:
            name, kind = pick(chance, kinds)
            wish = replace(pick(chance, candidates), **{name: self.value(kind, seat, chance)})
        return Ask("wish", seat, (), wish)


# Answers


def answered(scene: Snapshot, ask: Ask) -> Answer:
    match ask.how:
        case "tap" | "list" | "correct":
            return _on_box(scene, ask)
        case "wish":
            return _wished(scene, ask)
        case "thing":
            may, closed = offers.concerning(scene.seen_by(ask.seat), ask.tokens[0])
            return Answer(bool(may), tuple(_row(row, ask.tokens) for row in closed))
        case _:
            return Answer(False, tuple(_row(row, ()) for row in offers.not_now(scene.seen_by(ask.seat))))


def _row(row: offers.NotNow, tokens: tuple[Token, ...]) -> Told:
    return Told(row.intent, row.refusal.rule, row.refusal.key, tokens)


def _on_box(scene: Snapshot, ask: Ask) -> Answer:
    box: Choosing = Correcting() if ask.how == "correct" else Choosing()
    for token in ask.tokens:
        box = replace(box, tokens=(*box.tokens, who_or_whom(scene, box, token)))
    match ending(scene, box):
        case Blocked(refused=refused):
            return Answer(False, (_told(refused, box.tokens),))
        case Idle():
            return Answer(False)
        case _:
            return Answer(True)


def _wished(scene: Snapshot, ask: Ask) -> Answer:
    """Judged by the state when it is sent; by the seat's own view when the phone says why not."""
    assert ask.wish is not None
    verdict = judge(scene.game, scene.state, ask.wish)
    is_own = ask.wish.actor == ask.seat
    foreseen = objection(scene.game, scene.view(ask.seat), ask.wish) if is_own else None
    refused = [why for why in (verdict, foreseen) if isinstance(why, Refused)]
    return Answer(isinstance(verdict, Accepted), tuple(dict.fromkeys(_told(why, ()) for why in refused)))


def _told(refused: Refused, tokens: tuple[Token, ...]) -> Told:
    first = refused.refusals[0]
    return Told(refused.intent, first.rule, first.key, tokens)
